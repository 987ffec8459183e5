//! The Chess Engine Communication Protocol (CECP, XBoard protocol 2).
//!
//! One loop handles input lines and worker events in turn. It keeps the game with the exact rules, so that it can reject moves,
//! claim results and take moves back. Variants that XBoard does not know are described when they are selected: board and
//! pieces by `setup`, movements by `piece`, and the legal targets of a lifted piece by `highlight`.

mod betza;
mod clock;
mod command;
mod engine;
mod features;
mod highlight;
mod result;
mod squares;
mod thinking_output;
mod variant;

use std::io::{self, BufRead, Write};
use std::sync::mpsc::{self, Sender};

use crate::protocol::event::Event;
use crate::protocol::output::Output;
use command::Command;
use engine::CecpEngine;

/// Input of the command loop.
enum Input {
    /// An input line or a read error.
    Line(io::Result<String>),
    Event(Event),
    End,
}

/// Runs CECP until `quit` or the end of the input. A search for a move is finished before the end of the input takes effect.
///
/// # Errors
/// Returns an error if the input cannot be read. Closed output ends the loop without an error.
pub fn run(input: impl BufRead + Send + 'static, output: impl Write + Send + 'static) -> io::Result<()> {
    let (sender, inputs) = mpsc::channel();
    let lines = sender.clone();
    // Never joined: a blocking read cannot be interrupted, so the thread ends with the input or the process.
    std::thread::Builder::new()
        .name("input".to_owned())
        .spawn(move || read_lines(input, &lines))?;
    let output = Output::new(output);
    let events = move |event| {
        // The send fails only if the loop has ended because the engine quits.
        let _ = sender.send(Input::Event(event));
    };
    let mut engine = CecpEngine::new(output.clone(), std::sync::Arc::new(events));
    let mut at_end = false;
    // The worker holds a sender, so the channel stays open.
    for input in inputs {
        match input {
            Input::Line(Ok(line)) => match Command::parse(&line) {
                Command::Quit => {
                    engine.quit();
                    return Ok(());
                }
                command => engine.execute(command),
            },
            Input::Line(Err(error)) if error.kind() == io::ErrorKind::InvalidData => {
                output.line("Error (not UTF-8): ?");
            }
            Input::Line(Err(error)) => {
                engine.quit();
                return Err(error);
            }
            Input::Event(event) => engine.handle_event(event),
            Input::End => at_end = true,
        }
        if output.is_closed() || at_end && !engine.is_searching_for_move() {
            break;
        }
    }
    engine.quit();
    Ok(())
}

/// Checks that a line is blank or a valid command, without executing it.
///
/// # Errors
/// Returns what is wrong, and the line, as in CECP's `Error (WHAT): LINE`.
pub fn check_line(line: &str) -> Result<(), String> {
    match Command::parse(line) {
        Command::Invalid(what, line) => Err(format!("{what}: {line}")),
        _ => Ok(()),
    }
}

fn read_lines(input: impl BufRead, inputs: &Sender<Input>) {
    for line in input.lines() {
        let failed = line
            .as_ref()
            .is_err_and(|error| error.kind() != io::ErrorKind::InvalidData);
        if inputs.send(Input::Line(line)).is_err() || failed {
            return;
        }
    }
    let _ = inputs.send(Input::End);
}

#[cfg(test)]
mod tests;
