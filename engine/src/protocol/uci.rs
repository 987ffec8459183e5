//! The universal chess interface: a loop over lines of text.

mod command;
mod format;
mod go;

use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::protocol::event::Event;
use crate::protocol::genfens;
use crate::protocol::options::{Change, Options};
use crate::protocol::output::Output;
use crate::protocol::session::Session;
use command::Command;

/// The engine's name and version, as programs see them.
pub const NAME: &str = concat!("Assay ", env!("CARGO_PKG_VERSION"));

/// Speaks UCI until `quit` or the end of the input. A search that has a limit is finished before the end of the input counts.
///
/// # Errors
/// When the input cannot be read. Output that nobody reads any more ends the loop without an error.
pub fn run(input: impl BufRead, output: impl Write + Send + 'static) -> io::Result<()> {
    let mut uci = Uci::new(Output::new(output));
    for line in input.lines() {
        let command = match line {
            Ok(line) => Command::parse(&line),
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                Err("found a line that is no UTF-8 text, expected a command".to_owned())
            }
            Err(error) => return Err(error),
        };
        match command {
            Ok(None) => {}
            Ok(Some(Command::Quit)) => {
                uci.session.quit();
                return Ok(());
            }
            Ok(Some(command)) => uci.obey(command),
            Err(note) => uci.say(&note),
        }
        if uci.output.is_closed() {
            uci.session.quit();
            return Ok(());
        }
    }
    uci.session.finish();
    Ok(())
}

struct Uci {
    output: Output,
    options: Options,
    session: Session,
    /// Are chances told with scores?
    show_wdl: Arc<AtomicBool>,
}

impl Uci {
    fn new(output: Output) -> Uci {
        let show_wdl = Arc::new(AtomicBool::new(false));
        let (writer, wdl) = (output.clone(), show_wdl.clone());
        let listener = move |event: Event| format::event(&event, wdl.load(Ordering::Relaxed), &writer);
        Uci {
            output,
            options: Options::default(),
            session: Session::new(Arc::new(listener)),
            show_wdl,
        }
    }

    fn obey(&mut self, command: Command) {
        let Uci {
            output,
            options,
            session,
            ..
        } = self;
        match command {
            Command::Uci => {
                output.line(&format!("id name {NAME}"));
                output.line("id author the Assay authors");
                for (name, form) in options.list() {
                    output.line(&format::option(name, &form));
                }
                output.line("uciok");
            }
            Command::IsReady => {
                session.wait_until_ready(options);
                output.line("readyok");
            }
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Command::NewGame => session.new_game(options),
            Command::Position { spec, moves } => session.position(spec, moves, options),
            Command::Go(request, note) => {
                if let Some(note) = note {
                    format::note(&note, output);
                }
                session.go(request, options);
            }
            Command::PonderHit => session.ponder_hit(),
            Command::Perft(depth) => session.perft(depth, options),
            Command::Bench(depth) => session.bench(depth, options),
            Command::GenFens(wanted) => {
                session.wait_for_answers(options);
                if let Err(note) = genfens::print(&wanted, &options.game, &mut |line| output.line(line)) {
                    format::note(&note, output);
                }
            }
            Command::Show => session.show(options),
            Command::Eval => session.eval(options),
            Command::Stop => session.stop(),
            Command::Quit => {}
        }
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        match self.options.set(name, value) {
            Ok(change) => {
                let game = change == Change::Game;
                self.session.apply(change, &self.options);
                if game {
                    self.output.line(&format::variant(&self.options.game));
                }
                self.show_wdl.store(self.options.show_wdl, Ordering::Relaxed);
            }
            Err(note) => self.say(&note),
        }
    }

    /// Says what is wrong, after what was asked for before has been answered.
    fn say(&mut self, note: &str) {
        self.session.wait_for_answers(&self.options);
        format::note(note, &self.output);
    }
}

#[cfg(test)]
mod tests;
