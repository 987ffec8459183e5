//! The Universal Chess Interface (UCI).

mod command;
mod format;
mod go;

use std::io::{self, Write};
use std::sync::Arc;

use crate::eval::WdlModel;
use crate::protocol::ENGINE_NAME;
use crate::protocol::debug_log::Direction;
use crate::protocol::input::InputError;
use crate::protocol::options::{OptionChange, Options};
use crate::protocol::output::Output;
use crate::protocol::refusal::quoted;
use crate::protocol::session::Session;
use crate::protocol::session::event::{BestMove, Event};
use crate::protocol::session::job::{Job, Task};
use command::{Command, CommandError};
use format::UciOutput;

/// Runs UCI until `quit` or the end of the input. Both stop searches but let counts such as
/// `go perft` run to their end, since scripts pipe them in; a user who types `quit` does not wait.
pub(super) fn run(
    lines: impl Iterator<Item = Result<String, InputError>>,
    output: impl Write + Send + 'static,
    is_interactive: bool,
) -> io::Result<()> {
    let mut uci = UciEngine::new(UciOutput::new(Output::new(output), None));
    let end = uci.execute_lines(lines);
    let stops_counts = match end {
        Ok(End::Quit) => is_interactive || uci.output.is_closed(),
        Ok(End::Input) => false,
        Err(_) => true,
    };
    if stops_counts {
        uci.session.quit();
    } else {
        uci.session.end_input();
    }
    end.map(drop)
}

/// Runs UCI commands one after another, each to its end. Errors go to `errors`. Returns true if
/// there was none.
pub fn run_commands(
    commands: &[impl AsRef<str>],
    output: impl Write + Send + 'static,
    errors: impl Write + Send + 'static,
) -> bool {
    let mut uci = UciEngine::new(UciOutput::new(Output::new(output), Some(Output::new(errors))));
    for command in commands {
        uci.options.debug_log.add(Direction::Read, command.as_ref());
        match Command::parse(command.as_ref()) {
            Ok(Some(Command::Quit)) => break,
            Ok(Some(command)) => uci.execute(command),
            Ok(None) => {}
            Err(error) => uci.refuse(&error),
        }
        uci.session.wait();
        if uci.output.has_failed() {
            break;
        }
    }
    uci.session.finish();
    !uci.output.has_failed()
}

/// Checks that a line is blank or a valid command, without executing it.
///
/// # Errors
/// Returns the message that a user would get.
pub fn check_line(line: &str) -> Result<(), String> {
    Command::parse(line).map(drop).map_err(|error| error.to_string())
}

/// Cause of the end of the command loop.
#[derive(Debug)]
enum End {
    /// `quit`, or nobody reads the output.
    Quit,
    /// The end of the input.
    Input,
}

struct UciEngine {
    output: Arc<UciOutput>,
    options: Options,
    session: Session,
}

impl UciEngine {
    fn new(output: UciOutput) -> UciEngine {
        let output = Arc::new(output);
        let listener = output.clone();
        UciEngine {
            options: Options::new(output.debug_log()),
            output,
            session: Session::new(Arc::new(move |event| listener.print_event(&event))),
        }
    }

    fn execute_lines(&mut self, lines: impl Iterator<Item = Result<String, InputError>>) -> io::Result<End> {
        for line in lines {
            match line {
                Ok(line) => {
                    self.options.debug_log.add(Direction::Read, &line);
                    let (skipped, command) = Command::parse_after_unknown(&line);
                    if let Some(skipped) = skipped {
                        let message = format!("found {}, expected a command; skipped", quoted(skipped));
                        self.session.report(Event::Message(message));
                    }
                    match command {
                        Ok(Some(Command::Quit)) => return Ok(End::Quit),
                        Ok(Some(command)) => self.execute(command),
                        Ok(None) => {}
                        Err(error) => self.refuse(&error),
                    }
                }
                Err(InputError::Read(error)) => return Err(error),
                Err(error) => {
                    self.session.report(Event::Error(error.to_string()));
                    // The line may have been a `position`.
                    self.session.send(Job::NoPosition(error.to_string()), &self.options);
                }
            }
            if self.output.is_closed() {
                return Ok(End::Quit);
            }
        }
        Ok(End::Input)
    }

    fn execute(&mut self, command: Command) {
        let UciEngine { output, options, session } = self;
        match command {
            Command::Uci => {
                output.line(&format!("id name {ENGINE_NAME}"));
                output.line("id author the Assay authors");
                for (name, kind) in options.list() {
                    output.line(&format::option_line(name, &kind));
                }
                output.line("uciok");
            }
            Command::IsReady => session.report_ready("readyok".to_owned(), options),
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Command::NewGame => session.update(Job::NewGame),
            Command::Position { start, moves } => session.send(Job::Position { start, moves }, options),
            Command::Go(request, unknown) => {
                if let Some(unknown) = unknown {
                    session.report(Event::Message(unknown.to_string()));
                }
                session.search(request, options);
            }
            Command::PonderHit => session.ponder_hit(),
            Command::Perft(depth) => session.start(Task::Perft(depth), options),
            Command::Bench(settings) => session.start(Task::Bench(settings), options),
            Command::Genfens(args) => session.start(Task::Genfens(args), options),
            Command::Show => session.send(Job::ShowPosition, options),
            Command::Eval => session.send(Job::ShowEvaluation, options),
            Command::Stop => session.stop(),
            Command::Quit => {}
            #[cfg(debug_assertions)]
            Command::Panic => session.send(Job::Panic, options),
        }
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        match self.options.set(name, value) {
            Ok(change) => {
                let is_variant = change == OptionChange::Variant;
                self.session.apply(change, &self.options);
                if is_variant {
                    let line = format::variant_line(&self.options.game);
                    self.session.report(Event::Reply(line));
                }
                let options = &self.options;
                let model = options.show_wdl.then(|| WdlModel::for_game(&options.game));
                self.output.set_wdl_model(model);
            }
            Err(error) => self.session.report(Event::Error(error.to_string())),
        }
    }

    /// Reports an invalid command. Every `go` is answered, even one that does not start a search.
    /// After an invalid `position` line there is no position.
    fn refuse(&mut self, error: &CommandError) {
        self.session.report(Event::Error(error.to_string()));
        match error {
            CommandError::Go(_) => {
                let answer = Event::BestMove(0, BestMove::Refused);
                self.session.send(Job::Report(answer), &self.options);
            }
            CommandError::Position(_) => {
                self.session.send(Job::NoPosition(error.to_string()), &self.options);
            }
            CommandError::Unknown(_) | CommandError::Other(_) => {}
        }
    }
}

#[cfg(test)]
mod tests;
