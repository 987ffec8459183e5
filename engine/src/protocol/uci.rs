//! The Universal Chess Interface (UCI).

mod command;
mod format;
mod go;

use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::protocol::ENGINE_NAME;
use crate::protocol::event::Event;
use crate::protocol::genfens;
use crate::protocol::options::{OptionChange, Options};
use crate::protocol::output::Output;
use crate::protocol::session::Session;
use command::Command;

/// Runs UCI until `quit` or the end of the input. A bounded search is finished before the end of the input takes effect.
///
/// # Errors
/// Returns an error if the input cannot be read. Closed output ends the loop without an error.
pub fn run(input: impl BufRead, output: impl Write + Send + 'static) -> io::Result<()> {
    let mut uci = UciEngine::new(Output::new(output));
    for line in input.lines() {
        let command = match line {
            Ok(line) => Command::parse(&line),
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                Err("found a line that is not UTF-8, expected a command".to_owned())
            }
            Err(error) => return Err(error),
        };
        match command {
            Ok(None) => {}
            Ok(Some(Command::Quit)) => {
                uci.session.quit();
                return Ok(());
            }
            Ok(Some(command)) => uci.execute(command),
            Err(message) => uci.print_error(&message),
        }
        if uci.output.is_closed() {
            uci.session.quit();
            return Ok(());
        }
    }
    uci.session.finish();
    Ok(())
}

/// Checks that a line is blank or a valid command, without executing it.
///
/// # Errors
/// Returns the message that a user would get.
pub fn check_line(line: &str) -> Result<(), String> {
    Command::parse(line).map(drop)
}

struct UciEngine {
    output: Output,
    options: Options,
    session: Session,
    /// Value of `UCI_ShowWDL`.
    show_wdl: Arc<AtomicBool>,
}

impl UciEngine {
    fn new(output: Output) -> UciEngine {
        let show_wdl = Arc::new(AtomicBool::new(false));
        let (writer, wdl) = (output.clone(), show_wdl.clone());
        let listener = move |event: Event| format::print_event(&event, wdl.load(Ordering::Relaxed), &writer);
        UciEngine {
            output,
            options: Options::default(),
            session: Session::new(Arc::new(listener)),
            show_wdl,
        }
    }

    fn execute(&mut self, command: Command) {
        let UciEngine {
            output,
            options,
            session,
            ..
        } = self;
        match command {
            Command::Uci => {
                output.line(&format!("id name {ENGINE_NAME}"));
                output.line("id author the Assay authors");
                for (name, kind) in options.list() {
                    output.line(&format::option_line(name, &kind));
                }
                output.line("uciok");
            }
            Command::IsReady => {
                session.wait_until_ready(options);
                output.line("readyok");
            }
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Command::NewGame => session.new_game(options),
            Command::Position { start, moves } => session.set_position(start, moves, options),
            Command::Go(request, message) => {
                if let Some(message) = message {
                    format::print_message(&message, output);
                }
                session.search(request, options);
            }
            Command::PonderHit => session.ponder_hit(),
            Command::Perft(depth) => session.perft(depth, options),
            Command::Bench(depth) => session.bench(depth, options),
            Command::GenFens(args) => {
                session.wait_for_output(options);
                if let Err(message) = genfens::run(&args, &options.game, &mut |line| output.line(line)) {
                    format::print_message(&message, output);
                }
            }
            Command::Show => session.show_position(options),
            Command::Eval => session.show_evaluation(options),
            Command::Stop => session.stop(),
            Command::Quit => {}
        }
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        match self.options.set(name, value) {
            Ok(change) => {
                let is_variant = change == OptionChange::Variant;
                self.session.apply(change, &self.options);
                if is_variant {
                    self.output.line(&format::variant_line(&self.options.game));
                }
                self.show_wdl.store(self.options.show_wdl, Ordering::Relaxed);
            }
            Err(message) => self.print_error(&message),
        }
    }

    /// Reports an error after the output of earlier commands.
    fn print_error(&mut self, message: &str) {
        self.session.wait_for_output(&self.options);
        format::print_message(message, &self.output);
    }
}

#[cfg(test)]
mod tests;
