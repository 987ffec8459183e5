//! A running engine as the clients of both protocols see it: commands go in, lines come out, every
//! wait has a time limit.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use assay_rules::text::is_control;

use crate::command::EngineCommand;
pub use crate::error::{EngineError, exit_text};
use crate::log::GameLog;
use crate::options::suggestion;
use crate::process::{OutputLine, Process};

/// How often a wait checks whether it should stop.
pub const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Time limit of the handshake and of getting ready.
pub const STARTUP_TIMEOUT: Duration = Duration::from_mins(1);

/// Time to wait for the exit status of an engine that closed its output.
const EXIT_TIMEOUT: Duration = Duration::from_millis(300);

/// The longest answer to a command, in bytes, to bound memory.
pub const MAX_ANSWER: usize = 4 << 20;

/// The longest name of an engine, in characters.
const MAX_NAME: usize = 60;

/// The longest error of an engine that is quoted, in characters.
const MAX_ERROR: usize = 300;

/// Time limit of a wait, and a flag that ends it early.
#[derive(Clone, Copy, Debug)]
pub struct Wait<'s> {
    pub timeout: Duration,
    pub stop: &'s AtomicBool,
}

/// The name of an engine without control characters and of at most 60 characters.
pub fn shown_name(text: &str) -> String {
    shortened(text.trim(), MAX_NAME)
}

/// The error for an option of an engine that it reported as `text`.
pub fn option_error(text: &str) -> EngineError {
    let text = shortened(text, MAX_ERROR);
    EngineError::Unusable(format!("reported an error of an option: `{text}`"))
}

/// The error for the name of a game that is none of those that an engine knows.
pub fn unknown_variant<'k>(
    variant: &str,
    known: impl ExactSizeIterator<Item = &'k str>,
    can_load: bool,
) -> EngineError {
    EngineError::UnknownVariant {
        variant: variant.to_owned(),
        known: known.len(),
        suggestion: suggestion(variant, known),
        can_load,
    }
}

/// The text on one line without control characters, and cut with `...` if it is longer than `max`
/// characters.
fn shortened(text: &str, max: usize) -> String {
    let is_printable = |c: &char| !is_control(*c);
    let short: String = text.chars().filter(is_printable).take(max + 1).collect();
    match short.char_indices().nth(max) {
        None => short,
        Some(_) => short.chars().take(max - 3).collect::<String>() + "...",
    }
}

/// A running engine. Dropping it sends `quit` and kills what does not exit.
#[derive(Debug)]
pub struct Connection {
    process: Process,
    /// The name of the engine in the log, and the log.
    log: Option<(String, Arc<GameLog>)>,
}

impl Connection {
    /// Starts the program.
    ///
    /// # Errors
    /// If the working directory does not exist or the program cannot be started.
    pub fn start(command: &EngineCommand) -> Result<Connection, EngineError> {
        let folder = command.folder.as_deref();
        if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
            let why = format!("dir={}: found no such folder", folder.display());
            return Err(EngineError::Unusable(why));
        }
        let process = Process::start(&command.program, &command.arguments, folder).map_err(|error| {
            let program = command.program.display();
            EngineError::Unusable(format!("cannot start `{program}`: {error}"))
        })?;
        Ok(Connection { process, log: None })
    }

    /// Logs under this name what the engine is sent and answers from now on.
    #[must_use]
    pub fn logged(self, log: Option<(String, Arc<GameLog>)>) -> Connection {
        Connection { log, ..self }
    }

    fn log(&self, at: Instant, direction: char, text: &str) {
        if let Some((name, log)) = &self.log {
            log.line(at, name, direction, text);
        }
    }

    /// Sends a command.
    pub fn send(&self, command: &str) {
        self.log(Instant::now(), '>', command);
        self.process.send(command);
    }

    /// Waits for one line of output; returns `None` if none arrives in time.
    ///
    /// # Errors
    /// [`EngineError::Exited`] if the engine closed its output; `command` says what it should have answered.
    pub fn read_line(&mut self, command: &str, timeout: Duration) -> Result<Option<OutputLine>, EngineError> {
        match self.process.read_line(timeout) {
            Ok(line) => {
                self.log(line.at, '<', &line.text);
                Ok(Some(line))
            }
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(EngineError::Exited {
                command: command.to_owned(),
                status: self.process.wait_exit(EXIT_TIMEOUT),
                stderr: self.process.stderr_tail(),
            }),
        }
    }

    /// Sends a command and passes each line of output to `is_last`, until it returns true.
    ///
    /// # Errors
    /// If the engine exits, does not answer in time or prints too much, or the wait is stopped.
    pub fn query(
        &mut self,
        command: &str,
        wait: Wait<'_>,
        mut is_last: impl FnMut(&str) -> bool,
    ) -> Result<(), EngineError> {
        self.send(command);
        let deadline = Instant::now() + wait.timeout;
        let mut bytes = 0;
        loop {
            if let Some(line) = self.read_line(command, POLL_INTERVAL)? {
                if is_last(&line.text) {
                    return Ok(());
                }
                bytes += line.text.len() + 1;
                if bytes > MAX_ANSWER {
                    return Err(EngineError::Unusable(format!(
                        "found {} MiB of output without the end of the answer to `{command}`",
                        MAX_ANSWER >> 20
                    )));
                }
            }
            if wait.stop.load(Ordering::Relaxed) {
                return Err(EngineError::Stopped);
            }
            if Instant::now() >= deadline {
                return Err(EngineError::Timeout { command: command.to_owned(), timeout: wait.timeout });
            }
        }
    }

    /// The last lines that the engine wrote to its error output.
    pub fn stderr_tail(&self) -> Vec<String> {
        self.process.stderr_tail()
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    #[test]
    fn a_missing_folder_is_found_before_the_program() {
        let command = EngineCommand {
            program: PathBuf::from("cat"),
            arguments: Vec::new(),
            folder: Some(PathBuf::from("/no/such/folder")),
        };
        let error = Connection::start(&command).unwrap_err();
        assert_eq!(error.to_string(), "dir=/no/such/folder: found no such folder");
    }
}
