//! The chess engine communication protocol (XBoard protocol 2), for XBoard, WinBoard and their like.
//!
//! Lines come in from one side and events of the worker from the other; a single loop takes both in turn and keeps the
//! game by the rules, so that it can refuse moves, claim results and take moves back. Games that XBoard does not know are
//! described to it when they are chosen: board and pieces by `setup`, movement by `piece`, and where a lifted piece may go, by
//! `highlight`.

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

/// What happens to the engine.
enum Input {
    /// A line, or why there is none.
    Line(io::Result<String>),
    /// News from the worker.
    Event(Event),
    /// There are no more lines.
    End,
}

/// Speaks CECP until `quit` or the end of the input. A move that is being thought about is made before the end of the input
/// counts.
///
/// # Errors
/// When the input cannot be read. Output that nobody reads any more ends the loop without an error.
pub fn run(input: impl BufRead + Send + 'static, output: impl Write + Send + 'static) -> io::Result<()> {
    let (sender, inputs) = mpsc::channel();
    let lines = sender.clone();
    // It ends with the input, or with the process: nobody can make it stop reading.
    std::thread::Builder::new()
        .name("input".to_owned())
        .spawn(move || read_lines(input, &lines))?;
    let output = Output::new(output);
    let events = move |event| {
        // The loop goes before the worker only when the engine quits.
        let _ = sender.send(Input::Event(event));
    };
    let mut engine = CecpEngine::new(output.clone(), std::sync::Arc::new(events));
    let mut at_end = false;
    // The worker holds a sender, so the channel never closes before the loop is left.
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
                output.line("Error (no UTF-8 text): ?");
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
