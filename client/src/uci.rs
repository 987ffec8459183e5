//! A client for engines that speak UCI (Universal Chess Interface), each in its own process.
//!
//! [`UciEngine`] communicates with the engine: handshake, options, positions, searches and
//! `go perft`.
//!
//! ```no_run
//! use std::sync::atomic::AtomicBool;
//! use std::time::Duration;
//! use assay_client::command::EngineCommand;
//! use assay_client::connection::Wait;
//! use assay_client::uci::UciEngine;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let stop = AtomicBool::new(false);
//! let wait = Wait { timeout: Duration::from_secs(10), stop: &stop };
//! let mut engine = UciEngine::start(&"./engine --quiet".parse::<EngineCommand>()?)?;
//! engine.handshake(wait)?;
//! engine.select_variant("chess", None, None, false, wait)?;
//! engine.set_option("Hash", "64")?;
//! engine.wait_ready(wait)?;
//! engine.set_position("startpos", &[]);
//! let counts = engine.perft(3, wait)?;
//! assert_eq!((counts.total, counts.sum()), (8_902, 8_902));
//! # Ok(())
//! # }
//! ```

mod perft;

use std::path::Path;

use crate::command::EngineCommand;
use crate::connection::{Connection, EngineError, Wait, option_error, shown_name, unknown_variant};
use crate::options::{self, EngineOption, OptionKind};
pub use perft::PerftAnswer;

/// Name and options of an engine: its answer to `uci`.
#[derive(Debug, Default)]
struct Identification {
    name: String,
    options: Vec<EngineOption>,
}

impl Identification {
    /// Reads a line of the answer. Returns true at its end.
    fn read(&mut self, line: &str) -> bool {
        if let Some(name) = line.strip_prefix("id name ") {
            self.name = shown_name(name);
        }
        self.options.extend(EngineOption::parse_uci(line));
        line == "uciok"
    }
}

/// A running engine. Dropping it sends `quit` and kills what does not exit.
#[derive(Debug)]
pub struct UciEngine {
    pub connection: Connection,
    identification: Identification,
}

impl From<Connection> for UciEngine {
    fn from(connection: Connection) -> UciEngine {
        UciEngine { connection, identification: Identification::default() }
    }
}

impl UciEngine {
    /// Starts the program. Call [`UciEngine::handshake`] next.
    ///
    /// # Errors
    /// If the working directory does not exist or the program cannot be started.
    pub fn start(command: &EngineCommand) -> Result<UciEngine, EngineError> {
        Ok(UciEngine::from(Connection::start(command)?))
    }

    /// Sends `uci` and reads the engine's name and options up to `uciok`.
    ///
    /// # Errors
    /// If the engine exits or does not answer in time.
    pub fn handshake(&mut self, wait: Wait<'_>) -> Result<(), EngineError> {
        let mut answer = Identification::default();
        self.connection.query("uci", wait, |line| answer.read(line))?;
        self.identification = answer;
        Ok(())
    }

    /// The name that the engine reported in the handshake, without control characters and of at
    /// most 60 characters; empty if it reported none.
    pub fn id_name(&self) -> &str {
        &self.identification.name
    }

    /// The options that the engine reported in the handshake.
    pub fn options(&self) -> &[EngineOption] {
        &self.identification.options
    }

    /// Finds an option by name, ignoring case.
    pub fn option(&self, name: &str) -> Option<&EngineOption> {
        options::find(&self.identification.options, name)
    }

    /// Sets an option.
    ///
    /// # Errors
    /// If the engine does not have the option or the value is invalid.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), EngineError> {
        let command = options::setoption(&self.identification.options, name, value);
        self.send(&command.map_err(EngineError::Unusable)?);
        Ok(())
    }

    /// Selects the game, after loading its definition: from `variant_path` if given, else from
    /// `definition` if the engine has the option `VariantPath` and does not list the game, or lists
    /// another of this name (`shadows`). An engine without the option `UCI_Variant` plays chess
    /// only, and Fischer Random Chess if it has the option `UCI_Chess960`.
    ///
    /// # Errors
    /// If the engine does not support the game, reports an error of the file, exits, or does not
    /// answer in time.
    pub fn select_variant(
        &mut self,
        variant: &str,
        variant_path: Option<&str>,
        definition: Option<&Path>,
        shadows: bool,
        wait: Wait<'_>,
    ) -> Result<(), EngineError> {
        // The engine may run in another folder.
        let absolute =
            |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).display().to_string();
        let can_load = self.option("VariantPath").is_some() && (shadows || !self.lists_variant(variant));
        let definition = definition.filter(|_| can_load).map(absolute);
        if let Some(path) = variant_path.or(definition.as_deref()) {
            self.set_option("VariantPath", path)?;
            // The engine now lists the games of the file, too; `uci` may reset the current game, so
            // it is set below.
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
            return Err(EngineError::Unusable(format!(
                "plays chess only (it has no option UCI_Variant), expected an engine that supports {variant}"
            )));
        };
        let name = match &option.kind {
            OptionKind::Combo(known) => {
                let can_load = variant_path.is_none() && definition.is_none() && can_load;
                // Engines compare names exactly.
                let name = known.iter().find(|known| known.eq_ignore_ascii_case(variant)).cloned();
                name.ok_or_else(|| unknown_variant(variant, known.iter().map(String::as_str), can_load))?
            }
            _ => variant.to_owned(),
        };
        self.set_option("UCI_Variant", &name)
    }

    fn lists_variant(&self, variant: &str) -> bool {
        match self.option("UCI_Variant").map(|option| &option.kind) {
            Some(OptionKind::Combo(known)) => known.iter().any(|known| known.eq_ignore_ascii_case(variant)),
            _ => false,
        }
    }

    /// Sends `isready` and waits for `readyok`. Lines before it, which answer earlier commands, are
    /// discarded.
    ///
    /// # Errors
    /// If the engine exits or does not answer in time.
    pub fn wait_ready(&mut self, wait: Wait<'_>) -> Result<(), EngineError> {
        self.connection.query("isready", wait, |line| line == "readyok")
    }

    /// Like [`UciEngine::wait_ready`], after options have been set. The engine prints their errors,
    /// if any, before `readyok`.
    ///
    /// # Errors
    /// If the engine reports an error of an option; otherwise as [`UciEngine::wait_ready`].
    pub fn wait_options(&mut self, wait: Wait<'_>) -> Result<(), EngineError> {
        self.query_options("isready", wait, |line| line == "readyok")
    }

    /// Announces a new game and waits until the engine is ready.
    ///
    /// # Errors
    /// If the engine exits or does not answer in time.
    pub fn new_game(&mut self, wait: Wait<'_>) -> Result<(), EngineError> {
        self.send("ucinewgame");
        self.wait_ready(wait)
    }

    /// Sends a position: `start` is a FEN in the engine's dialect or `startpos`.
    pub fn set_position(&self, start: &str, moves: &[String]) {
        self.send(&position_command(start, moves));
    }

    /// Sends any other command, for example `go` or `stop`.
    pub fn send(&self, command: &str) {
        self.connection.send(command);
    }

    /// Like [`Connection::query`]; an error of an option that the engine reports is an error.
    fn query_options(
        &mut self,
        command: &str,
        wait: Wait<'_>,
        mut is_last: impl FnMut(&str) -> bool,
    ) -> Result<(), EngineError> {
        let mut failure = None;
        let result = self.connection.query(command, wait, |line| {
            failure = failure.take().or_else(|| options::reported_error(line).map(str::to_owned));
            is_last(line)
        });
        // An engine may exit after the error, which says more than the exit.
        failure.map_or(result, |text| Err(option_error(&text)))
    }
}

/// UCI's `position` command: `start` is a FEN in the engine's dialect or `startpos`.
pub fn position_command(start: &str, moves: &[String]) -> String {
    let mut command =
        if start == "startpos" { "position startpos".to_owned() } else { format!("position fen {start}") };
    if !moves.is_empty() {
        command += " moves ";
        command += &moves.join(" ");
    }
    command
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::sync::atomic::AtomicBool;
    use std::time::Duration;

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
        let wait = Wait { timeout: Duration::from_mins(1), stop: &stop };
        let command = EngineCommand {
            program: PathBuf::from("sh"),
            arguments: vec!["-c".to_owned(), ENGINE.to_owned()],
            folder: None,
        };
        let mut engine = UciEngine::start(&command).unwrap();
        engine.handshake(wait).unwrap();
        let definition = Some(Path::new("mine.toml"));
        engine.select_variant("gamma2", None, definition, false, wait).unwrap();
        let mut lines = Vec::new();
        let is_last = |line: &str| {
            lines.push(line.to_owned());
            line == "readyok"
        };
        engine.connection.query("isready", wait, is_last).unwrap();
        assert_eq!(lines, ["setoption name UCI_Variant value Gamma2", "readyok"]);
        let error = engine.select_variant("mine", None, None, false, wait).unwrap_err();
        assert!(matches!(error, EngineError::UnknownVariant { can_load: true, .. }), "{error}");
        let error = engine.select_variant("mine", Some("x.ini"), None, false, wait).unwrap_err();
        assert!(matches!(error, EngineError::UnknownVariant { can_load: false, .. }), "{error}");
    }

    /// A definition is loaded, by its absolute path, for a game that the engine does not list, and
    /// for another one of the same name.
    #[test]
    #[cfg(unix)]
    fn the_definition_of_an_unknown_game_is_loaded() {
        const LOADING: &str = r#"games='var chess'; while read -r line; do
            case "$line" in
                uci) echo "option name UCI_Variant type combo default chess $games"
                     echo 'option name VariantPath type string default <empty>'
                     echo uciok;;
                isready) echo readyok;;
                *VariantPath*/mine.toml) games='var chess var mine';;
                *VariantPath*/chess.toml) games='var chess var loaded';;
                setoption*) echo "$line";;
                quit) exit;;
            esac
        done"#;
        let stop = AtomicBool::new(false);
        let wait = Wait { timeout: Duration::from_mins(1), stop: &stop };
        let command = EngineCommand {
            program: PathBuf::from("sh"),
            arguments: vec!["-c".to_owned(), LOADING.to_owned()],
            folder: None,
        };
        let mut engine = UciEngine::start(&command).unwrap();
        engine.handshake(wait).unwrap();
        engine.select_variant("mine", None, Some(Path::new("mine.toml")), false, wait).unwrap();
        engine.select_variant("chess", None, Some(Path::new("chess.toml")), false, wait).unwrap();
        assert!(!engine.lists_variant("loaded"));
        engine.select_variant("chess", None, Some(Path::new("chess.toml")), true, wait).unwrap();
        assert!(engine.lists_variant("loaded"));
        let error = engine.select_variant("other", None, Some(Path::new("other.toml")), false, wait).unwrap_err();
        assert!(matches!(error, EngineError::UnknownVariant { can_load: false, .. }), "{error}");
    }
}
