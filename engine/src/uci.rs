//! The universal chess interface: a loop over lines of text, with the search on a thread of its own.
//!
//! The loop answers `isready`, `stop` and `quit` at once, whatever the search is doing; everything else it hands to a
//! `worker` for the game being played, which does one thing after the other.

mod command;
mod go;
mod moves;
mod options;
mod output;
mod session;
mod table;
mod worker;

use std::io::{self, BufRead, Write};

use command::Command;
use options::Options;
use output::Output;
use session::Session;
use worker::Task;

/// The engine's name and version, as programs see them.
pub const NAME: &str = concat!("Assay ", env!("CARGO_PKG_VERSION"));

/// Speaks UCI until `quit` or the end of the input. A search that has a limit is finished before the end of the input counts.
///
/// # Errors
/// When the input cannot be read. Output that nobody reads any more ends the loop without an error.
pub fn run(input: impl BufRead, output: impl Write + Send + 'static) -> io::Result<()> {
    let output = Output::new(output);
    let mut options = Options::default();
    let mut session = Session::start(&options, &output);
    for line in input.lines() {
        match line {
            Ok(line) => match Command::parse(&line) {
                Ok(None) => {}
                Ok(Some(Command::Quit)) => {
                    session.quit();
                    return Ok(());
                }
                Ok(Some(command)) => obey(command, &mut options, &mut session, &output),
                Err(note) => say(&note, &session, &output),
            },
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                output.note("found a line that is no UTF-8 text, expected a command");
            }
            Err(error) => return Err(error),
        }
        if output.is_closed() {
            session.quit();
            return Ok(());
        }
    }
    session.finish();
    Ok(())
}

fn obey(command: Command, options: &mut Options, session: &mut Session, output: &Output) {
    match command {
        Command::Uci => {
            output.line(&format!("id name {NAME}"));
            output.line("id author the Assay authors");
            for line in options.advertise() {
                output.line(&line);
            }
            output.line("uciok");
        }
        Command::IsReady => {
            session.wait_until_ready();
            output.line("readyok");
        }
        Command::SetOption { name, value } => match options.set(&name, value.as_deref()) {
            Ok(change) => session.apply(change, options, output),
            Err(note) => say(&note, session, output),
        },
        Command::NewGame => session.send(Task::NewGame),
        Command::Position { spec, moves } => session.send(Task::Position { spec, moves }),
        Command::Go(go) => session.go(go),
        Command::Perft(depth) => session.perft(depth),
        Command::Bench(depth) => session.bench(depth),
        Command::Show => session.send(Task::Show),
        Command::Eval => session.send(Task::Eval),
        Command::Stop => session.stop(),
        Command::Quit => {}
    }
}

/// Says what is wrong, after what was asked for before has been answered.
fn say(note: &str, session: &Session, output: &Output) {
    session.wait_until_ready();
    output.note(note);
}

#[cfg(test)]
mod tests;
