//! A client for engines that speak UCI (Universal Chess Interface), each in its own process.
//!
//! [`UciEngine`] communicates with the engine: handshake, options, positions, searches and `go perft`. Every wait has a time limit and
//! can be stopped, and failures are classified: the engine exited, or it did not answer in time. [`UciPlayer`] plays games
//! with it.
//!
//! ```no_run
//! use std::sync::atomic::AtomicBool;
//! use std::time::Duration;
//! use assay_selfplay::players::uci::{EngineCommand, UciEngine, Wait};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let stop = AtomicBool::new(false);
//! let wait = Wait { timeout: Duration::from_secs(10), stop: &stop };
//! let mut engine = UciEngine::start(&"./engine --quiet".parse::<EngineCommand>()?)?;
//! engine.handshake(wait)?;
//! engine.select_variant("chess", None, wait)?;
//! engine.set_option("Hash", "64")?;
//! engine.wait_ready(wait)?;
//! engine.set_position("startpos", &[]);
//! let counts = engine.perft(3, wait)?;
//! assert_eq!((counts.total, counts.sum()), (8_902, 8_902));
//! # Ok(())
//! # }
//! ```

pub mod info;
pub mod options;
mod perft;
mod player;

use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use assay_rules::text::is_control;
use thiserror::Error;

use super::process::{OutputLine, Process};
pub use crate::settings::EngineCommand;
use options::{OptionKind, UciOption};
pub use perft::PerftAnswer;
pub use player::UciPlayer;

/// How often a wait checks whether it should stop.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Time to wait for the exit status of an engine that closed its output.
const EXIT_TIMEOUT: Duration = Duration::from_millis(300);

/// The longest answer to a command, in bytes, to bound memory.
const MAX_ANSWER: usize = 4 << 20;

/// The longest name of an engine, in characters.
const MAX_NAME: usize = 60;

/// The longest error of an engine that is quoted, in characters.
const MAX_ERROR: usize = 300;

impl FromStr for EngineCommand {
    type Err = UciEngineError;

    /// Splits a command line into words as a shell does; quotes keep a word together.
    fn from_str(text: &str) -> Result<EngineCommand, UciEngineError> {
        let mut words = shell_words::split(text).unwrap_or_default().into_iter();
        let program = words.next().ok_or_else(|| {
            UciEngineError::Unusable(format!("command: found `{text}`, expected a program and its arguments"))
        })?;
        Ok(EngineCommand {
            program: PathBuf::from(program),
            arguments: words.collect(),
            folder: None,
        })
    }
}

/// Time limit of a wait, and a flag that ends it early.
#[derive(Clone, Copy, Debug)]
pub struct Wait<'s> {
    pub timeout: Duration,
    pub stop: &'s AtomicBool,
}

/// Why an engine cannot be used.
#[derive(Debug, Error)]
pub enum UciEngineError {
    /// The engine exited, or closed its output, when it should have answered.
    #[error("{} before it answered `{command}`{}", exit_text(*.status), stderr_text(.stderr))]
    Exited {
        command: String,
        /// `None` if the process still runs.
        status: Option<ExitStatus>,
        /// The last lines of its standard error.
        stderr: Vec<String>,
    },
    /// The engine did not answer in time.
    #[error("no answer to `{command}` within {} s", .timeout.as_secs_f64())]
    Timeout { command: String, timeout: Duration },
    /// The caller stopped the wait.
    #[error("stopped")]
    Stopped,
    /// The engine supports variants, but not this one.
    #[error("does not support the game `{variant}`: expected one of its {known} games{suggestion}")]
    UnknownVariant {
        variant: String,
        /// Number of games that it supports.
        known: usize,
        /// The game with the most similar name, as in `; did you mean NAME?`; empty if there is none.
        suggestion: String,
        /// Whether the engine can load the definitions of games (`VariantPath`), and has loaded none.
        can_load: bool,
    },
    /// The program cannot be started, lacks a requested option or the game, reports an error of an option, or gives an answer that
    /// cannot be read.
    #[error("{0}")]
    Unusable(String),
}

/// `exited (exit status: 3)`, or `closed its output` for a process that still runs.
fn exit_text(status: Option<ExitStatus>) -> String {
    match status {
        Some(status) => format!("exited ({status})"),
        None => "closed its output".to_owned(),
    }
}

/// The end of an engine's standard error, in one line.
fn stderr_text(lines: &[String]) -> String {
    let last = &lines[lines.len().saturating_sub(3)..];
    if last.is_empty() {
        String::new()
    } else {
        format!("; its standard error ends with `{}`", last.join(" / "))
    }
}

/// The text on one line without control characters, and cut with `...` if it is longer than `max` characters.
fn shortened(text: &str, max: usize) -> String {
    let is_printable = |c: &char| !is_control(*c);
    let short: String = text.chars().filter(is_printable).take(max + 1).collect();
    match short.char_indices().nth(max) {
        None => short,
        Some(_) => short.chars().take(max - 3).collect::<String>() + "...",
    }
}

/// Name and options of an engine: its answer to `uci`.
#[derive(Debug, Default)]
struct Identification {
    name: String,
    options: Vec<UciOption>,
}

impl Identification {
    /// Reads a line of the answer. Returns true at its end.
    fn read(&mut self, line: &str) -> bool {
        if let Some(name) = line.strip_prefix("id name ") {
            self.name = shortened(name.trim(), MAX_NAME);
        }
        self.options.extend(UciOption::parse(line));
        line == "uciok"
    }
}

/// A running engine. Dropping it sends `quit` and kills what does not exit.
#[derive(Debug)]
pub struct UciEngine {
    process: Process,
    identification: Identification,
}

impl UciEngine {
    /// Starts the program. Call [`UciEngine::handshake`] next.
    ///
    /// # Errors
    /// If the working directory does not exist or the program cannot be started.
    pub fn start(command: &EngineCommand) -> Result<UciEngine, UciEngineError> {
        let folder = command.folder.as_deref();
        if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
            let why = format!("dir={}: found no such folder", folder.display());
            return Err(UciEngineError::Unusable(why));
        }
        let process = Process::start(&command.program, &command.arguments, folder).map_err(|error| {
            let program = command.program.display();
            UciEngineError::Unusable(format!("cannot start `{program}`: {error}"))
        })?;
        Ok(UciEngine {
            process,
            identification: Identification::default(),
        })
    }

    /// Sends `uci` and reads the engine's name and options up to `uciok`.
    ///
    /// # Errors
    /// If the engine exits or does not answer in time.
    pub fn handshake(&mut self, wait: Wait<'_>) -> Result<(), UciEngineError> {
        let mut answer = Identification::default();
        self.query("uci", wait, |line| answer.read(line))?;
        self.identification = answer;
        Ok(())
    }

    /// The name that the engine reported in the handshake, without control characters and of at most 60 characters; empty if it
    /// reported none.
    pub fn id_name(&self) -> &str {
        &self.identification.name
    }

    /// The options that the engine reported in the handshake.
    pub fn options(&self) -> &[UciOption] {
        &self.identification.options
    }

    /// Finds an option by name, ignoring case.
    pub fn option(&self, name: &str) -> Option<&UciOption> {
        options::find(&self.identification.options, name)
    }

    /// Sets an option.
    ///
    /// # Errors
    /// If the engine does not have the option or the value is invalid.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), UciEngineError> {
        let command = options::setoption(&self.identification.options, name, value);
        self.send(&command.map_err(UciEngineError::Unusable)?);
        Ok(())
    }

    /// Selects the game, after loading its definition from `variant_path` if given. An engine without the option
    /// `UCI_Variant` plays chess only, and Fischer Random Chess if it has the option `UCI_Chess960`.
    ///
    /// # Errors
    /// If the engine does not support the game, reports an error of the file, exits, or does not answer in time.
    pub fn select_variant(
        &mut self,
        variant: &str,
        variant_path: Option<&str>,
        wait: Wait<'_>,
    ) -> Result<(), UciEngineError> {
        if let Some(path) = variant_path {
            self.set_option("VariantPath", path)?;
            // The engine now lists the games of the file, too; `uci` may reset the current game, so it is set below.
            let mut answer = Identification::default();
            self.query_options("uci", wait, |line| answer.read(line))?;
            self.identification.options = answer.options;
        }
        let Some(option) = self.option("UCI_Variant") else {
            if variant == "chess" {
                return Ok(());
            }
            if variant == "fischerandom" && self.option("UCI_Chess960").is_some() {
                return self.set_option("UCI_Chess960", "true");
            }
            return Err(UciEngineError::Unusable(format!(
                "plays chess only (it has no option UCI_Variant), expected an engine that supports {variant}"
            )));
        };
        let name = match &option.kind {
            OptionKind::Combo(known) => match known.iter().find(|known| known.eq_ignore_ascii_case(variant)) {
                // Engines compare names exactly.
                Some(name) => name.clone(),
                None => {
                    return Err(UciEngineError::UnknownVariant {
                        variant: variant.to_owned(),
                        known: known.len(),
                        suggestion: options::suggestion(variant, known.iter().map(String::as_str)),
                        can_load: variant_path.is_none() && self.option("VariantPath").is_some(),
                    });
                }
            },
            _ => variant.to_owned(),
        };
        self.set_option("UCI_Variant", &name)
    }

    /// Sends `isready` and waits for `readyok`. Lines before it, which answer earlier commands, are discarded.
    ///
    /// # Errors
    /// If the engine exits or does not answer in time.
    pub fn wait_ready(&mut self, wait: Wait<'_>) -> Result<(), UciEngineError> {
        self.query("isready", wait, |line| line == "readyok")
    }

    /// Like [`UciEngine::wait_ready`], after options have been set. The engine prints their errors, if any, before `readyok`.
    ///
    /// # Errors
    /// If the engine reports an error of an option; otherwise as [`UciEngine::wait_ready`].
    pub fn wait_options(&mut self, wait: Wait<'_>) -> Result<(), UciEngineError> {
        self.query_options("isready", wait, |line| line == "readyok")
    }

    /// Announces a new game and waits until the engine is ready.
    ///
    /// # Errors
    /// If the engine exits or does not answer in time.
    pub fn new_game(&mut self, wait: Wait<'_>) -> Result<(), UciEngineError> {
        self.send("ucinewgame");
        self.wait_ready(wait)
    }

    /// Sends a position: `start` is a FEN in the engine's dialect or `startpos`.
    pub fn set_position(&self, start: &str, moves: &[String]) {
        let mut command = if start == "startpos" {
            "position startpos".to_owned()
        } else {
            format!("position fen {start}")
        };
        if !moves.is_empty() {
            command += " moves ";
            command += &moves.join(" ");
        }
        self.send(&command);
    }

    /// Sends any other command, for example `go` or `stop`.
    pub fn send(&self, command: &str) {
        self.process.send(command);
    }

    /// Waits for one line of output; returns `None` if none arrives in time.
    ///
    /// # Errors
    /// [`UciEngineError::Exited`] if the engine closed its output; `command` says what it should have answered.
    pub fn read_line(&mut self, command: &str, timeout: Duration) -> Result<Option<OutputLine>, UciEngineError> {
        match self.process.read_line(timeout) {
            Ok(line) => Ok(Some(line)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(UciEngineError::Exited {
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
    ) -> Result<(), UciEngineError> {
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
                    return Err(UciEngineError::Unusable(format!(
                        "found {} MiB of output without the end of the answer to `{command}`",
                        MAX_ANSWER >> 20
                    )));
                }
            }
            if wait.stop.load(Ordering::Relaxed) {
                return Err(UciEngineError::Stopped);
            }
            if Instant::now() >= deadline {
                return Err(UciEngineError::Timeout {
                    command: command.to_owned(),
                    timeout: wait.timeout,
                });
            }
        }
    }

    /// Like [`UciEngine::query`]; an error of an option that the engine reports is an error.
    fn query_options(
        &mut self,
        command: &str,
        wait: Wait<'_>,
        mut is_last: impl FnMut(&str) -> bool,
    ) -> Result<(), UciEngineError> {
        let mut failure = None;
        let result = self.query(command, wait, |line| {
            failure = failure
                .take()
                .or_else(|| options::reported_error(line).map(str::to_owned));
            is_last(line)
        });
        // An engine may exit after the error, which says more than the exit.
        failure.map_or(result, |text| {
            let text = shortened(&text, MAX_ERROR);
            Err(UciEngineError::Unusable(format!(
                "reported an error of an option: `{text}`"
            )))
        })
    }

    /// The last lines that the engine wrote to its error output.
    pub fn stderr_tail(&self) -> Vec<String> {
        self.process.stderr_tail()
    }
}

/// Finds the file of a program. A path is relative to the working directory of the engine; a name without folder is searched in
/// `PATH`.
pub(super) fn find_program(command: &EngineCommand) -> Option<PathBuf> {
    let program = &command.program;
    if program.components().count() > 1 {
        return Some(in_folder(command, program));
    }
    let paths = std::env::var_os("PATH")?;
    std::env::split_paths(&paths)
        .map(|folder| folder.join(program))
        .find(|path| path.is_file())
}

/// Finds the regular file that the value of a string option names: in the engine's working directory, or beside the program, where
/// Stockfish also searches.
pub(super) fn find_option_file(command: &EngineCommand, value: &str) -> Option<PathBuf> {
    let beside_program = || Some(find_program(command)?.parent()?.join(value));
    let in_folder = Some(in_folder(command, Path::new(value))).filter(|path| path.is_file());
    in_folder.or_else(|| beside_program().filter(|path| path.is_file()))
}

/// A path as the engine sees it.
fn in_folder(command: &EngineCommand, path: &Path) -> PathBuf {
    command
        .folder
        .as_ref()
        .map_or_else(|| path.to_owned(), |folder| folder.join(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_short_and_printable() {
        let name = |text: &str| {
            let mut answer = Identification::default();
            assert!(!answer.read(&format!("id name {text}")) && answer.read("uciok"));
            answer.name
        };
        assert_eq!(name(" Fake\u{1b}[31m 1.0 "), "Fake[31m 1.0");
        assert_eq!(name(&"é".repeat(60)), "é".repeat(60));
        assert_eq!(name(&"é".repeat(100_000)), "é".repeat(57) + "...");
    }

    /// An engine that repeats the options that it gets.
    #[cfg(unix)]
    const ENGINE: &str = r#"while read -r line; do
        case "$line" in
            uci) echo 'option name UCI_Variant type combo default chess var chess var Gamma2'
                 echo 'option name VariantPath type string default <empty>'
                 echo uciok;;
            isready) echo readyok;;
            setoption*) echo "$line";;
            quit) exit;;
        esac
    done"#;

    #[test]
    #[cfg(unix)]
    fn the_game_has_the_engines_spelling() {
        let stop = AtomicBool::new(false);
        let wait = Wait {
            timeout: Duration::from_mins(1),
            stop: &stop,
        };
        let command = EngineCommand {
            program: PathBuf::from("sh"),
            arguments: vec!["-c".to_owned(), ENGINE.to_owned()],
            folder: None,
        };
        let mut engine = UciEngine::start(&command).unwrap();
        engine.handshake(wait).unwrap();
        engine.select_variant("gamma2", None, wait).unwrap();
        let mut lines = Vec::new();
        let is_last = |line: &str| {
            lines.push(line.to_owned());
            line == "readyok"
        };
        engine.query("isready", wait, is_last).unwrap();
        assert_eq!(lines, ["setoption name UCI_Variant value Gamma2", "readyok"]);
        let error = engine.select_variant("mine", None, wait).unwrap_err();
        assert!(
            matches!(error, UciEngineError::UnknownVariant { can_load: true, .. }),
            "{error}"
        );
        let error = engine.select_variant("mine", Some("x.ini"), wait).unwrap_err();
        assert!(
            matches!(error, UciEngineError::UnknownVariant { can_load: false, .. }),
            "{error}"
        );
    }

    #[test]
    fn a_missing_folder_is_found_before_the_program() {
        let command = EngineCommand {
            program: PathBuf::from("cat"),
            arguments: Vec::new(),
            folder: Some(PathBuf::from("/no/such/folder")),
        };
        let error = UciEngine::start(&command).unwrap_err();
        assert_eq!(error.to_string(), "dir=/no/such/folder: found no such folder");
    }

    #[test]
    fn finds_files_as_the_engine_does() {
        let folder = tempfile::tempdir().unwrap();
        let command = |program: &str, folder: Option<&Path>| EngineCommand {
            program: PathBuf::from(program),
            arguments: Vec::new(),
            folder: folder.map(Path::to_owned),
        };
        for name in ["engine", "a.network"] {
            std::fs::write(folder.path().join(name), name).unwrap();
        }
        let inside = command("./engine", Some(folder.path()));
        assert_eq!(find_program(&inside), Some(folder.path().join("./engine")));
        let network = folder.path().join("a.network");
        assert_eq!(find_option_file(&inside, "a.network"), Some(network.clone()));
        let outside = command(folder.path().join("engine").to_str().unwrap(), None);
        assert_eq!(find_option_file(&outside, "a.network"), Some(network));
        for value in ["", "<empty>", "b.network", "."] {
            assert_eq!(find_option_file(&inside, value), None, "{value}");
        }
    }
}
