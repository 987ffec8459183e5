//! The Chess Engine Communication Protocol (CECP, XBoard protocol 2).
//!
//! One loop handles input lines and worker events in turn. It follows the game with the reference
//! rules, so that it can reject moves, claim results and take moves back. Variants that XBoard does
//! not know are described when they are selected: board and pieces by `setup`, movements by
//! `piece`, and the legal targets of a lifted piece by `highlight`.

mod betza;
mod clock;
mod command;
mod engine;
mod features;
mod highlight;
mod result;
pub mod squares;
mod thinking_output;
mod variant;

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::mpsc;

use crate::protocol::debug_log::Direction;
use crate::protocol::input::InputError;
use crate::protocol::output::Output;
use crate::protocol::session::event::Event;
use command::Command;
use engine::CecpEngine;

/// Input of the command loop.
enum Input {
    Line(Result<String, InputError>),
    Event(Event),
    End,
}

/// Runs CECP until `quit` or the end of the input. Every `ping` that was read is answered.
pub(super) fn run(
    lines: impl Iterator<Item = Result<String, InputError>> + Send + 'static,
    output: impl Write + Send + 'static,
) -> io::Result<()> {
    let (sender, inputs) = mpsc::channel();
    let events = sender.clone();
    // Never joined: a blocking read cannot be interrupted, so the thread ends with the input or the
    // process.
    std::thread::Builder::new().name("input".to_owned()).spawn(move || {
        for line in lines {
            let has_failed = matches!(line, Err(InputError::Read(_)));
            if sender.send(Input::Line(line)).is_err() || has_failed {
                return;
            }
        }
        let _ = sender.send(Input::End);
    })?;
    let output = Output::new(output);
    let listener = move |event| {
        // The send fails only if the loop has ended because the engine quits.
        let _ = events.send(Input::Event(event));
    };
    let mut engine = CecpEngine::new(output.clone(), Arc::new(listener));
    let mut result = Ok(());
    for input in &inputs {
        match input {
            Input::Line(Ok(line)) => {
                output.debug_log().add(Direction::Read, &line);
                match Command::parse(&line) {
                    Ok(Command::Quit) => break,
                    Ok(command) => engine.execute(command),
                    Err(error) => output.line(&error.to_string()),
                }
            }
            Input::Line(Err(InputError::Read(error))) => {
                result = Err(error);
                break;
            }
            Input::Line(Err(error)) => output.line(&format!("Error ({error}): ?")),
            Input::Event(event) => engine.handle_event(event),
            Input::End => break,
        }
        if output.is_closed() {
            break;
        }
    }
    engine.quit();
    // Answers that the worker reported in the meantime: earlier than the pings that wait for the
    // search.
    for input in inputs.try_iter() {
        if let Input::Event(event) = input {
            engine.handle_event(event);
        }
    }
    engine.answer_pings();
    result
}

/// Checks that a line is blank or a valid command, without executing it.
///
/// # Errors
/// Returns the message that a user would get.
pub fn check_line(line: &str) -> Result<(), String> {
    Command::parse(line).map(drop).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests;
