use std::fmt::Display;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::Player;
use super::builtin::BuiltinPlayers;
use super::cecp::CecpPlayer;
use super::program::{Program, ProgramSetup, lacks_option};
use super::uci::UciPlayer;
use crate::settings::{EngineKind, EngineProgram, EngineSettings, RunSettings};
use assay_client::command::{find_option_file, find_program};
use assay_client::connection::EngineError;
use assay_client::log::GameLog;
use assay_client::options::{self, OptionKind};

/// Number of attempts to restart a program that has started before.
const START_ATTEMPTS: u32 = 3;

/// What precedes the names of options in the identity of an engine that lacks them.
pub const WITHOUT_OPTION: &str = ", without option ";

/// Why the players of imported games cannot be started.
const IMPORTED: &str = "it played imported games, and cannot be started";

/// An engine that cannot be started.
#[derive(Debug, thiserror::Error)]
#[error("engine {name}: {why}")]
pub struct StartError {
    /// The engine's name in the run.
    pub name: String,
    pub why: String,
    /// Whether it could play games that begin at the start position.
    pub needs_start: bool,
}

/// An engine of a match, started when it is needed.
pub struct EngineSlot<'r> {
    run: &'r RunSettings,
    settings: &'r EngineSettings,
    builtin: &'r dyn BuiltinPlayers,
    log: Option<Arc<GameLog>>,
    engine: Option<Box<dyn Player + 'r>>,
    /// Whether the engine that is running has begun a game.
    has_played: bool,
}

impl<'r> EngineSlot<'r> {
    /// The slot of a player, from 0. `builtin` makes built-in players; programs write to `log`.
    pub(crate) fn new(
        run: &'r RunSettings,
        player: usize,
        builtin: &'r dyn BuiltinPlayers,
        log: Option<Arc<GameLog>>,
    ) -> EngineSlot<'r> {
        EngineSlot { run, settings: &run.players.all()[player], builtin, log, engine: None, has_played: false }
    }

    /// The engine for another game: started again if it wants that, or its settings, or if it may
    /// still search after the last one.
    ///
    /// # Errors
    /// As [`EngineSlot::started`].
    pub(crate) fn for_game(&mut self, stop: &AtomicBool) -> Result<&mut dyn Player, StartError> {
        let restart = self.settings.kind.program().and_then(|program| program.restart);
        let must_end = |engine: &dyn Player| engine.may_search() || restart.unwrap_or(!engine.is_reusable());
        let has_played = std::mem::replace(&mut self.has_played, true);
        if has_played && self.engine.as_deref().is_some_and(must_end) {
            self.shut_down();
        }
        self.started(stop)
    }

    /// The running engine, which is started if it is not running.
    ///
    /// # Errors
    /// If it cannot be started in three attempts.
    pub fn started(&mut self, stop: &AtomicBool) -> Result<&mut dyn Player, StartError> {
        let mut attempt = 1;
        let engine = loop {
            match self.engine.take().map_or_else(|| self.start(stop), Ok) {
                Ok(engine) => break engine,
                Err(error) if attempt == START_ATTEMPTS || stop.load(Ordering::Relaxed) => return Err(error),
                Err(_) => attempt += 1,
            }
        };
        Ok(self.engine.insert(engine).as_mut())
    }

    /// Shuts the engine down. It is restarted when it is needed again.
    pub fn shut_down(&mut self) {
        self.engine = None;
    }

    /// Identity of the engine: its reported name, a hash of the program, and hashes of the files
    /// that its options name, as in `Stockfish 17 (5a0b5bd4fb1c, EvalFile 0c9b4e2a51d7)`, and the
    /// options that it was given but does not have. Starts the engine to check that it can play.
    ///
    /// # Errors
    /// If it cannot be started or reports an error of an option.
    pub fn identity(&self, stop: &AtomicBool) -> Result<String, StartError> {
        match &self.settings.kind {
            EngineKind::Builtin(engine) => {
                let identity = self.builtin.identity(engine.evaluation);
                identity.map_err(|error| self.error(error))
            }
            EngineKind::Uci(program) | EngineKind::Cecp(program) => {
                let engine = self.start_program(program, stop)?;
                let path = find_program(&program.command);
                let mut hashes = vec![path.map_or_else(unknown_hash, |path| hash_of(&path))];
                for (option, path) in option_files(program, engine.as_ref()) {
                    hashes.push(format!("{option} {}", hash_of(&path)));
                }
                let name = match engine.name() {
                    "" => "unnamed",
                    name => name,
                };
                let names = program.options.iter().map(|(name, _)| name.as_str());
                let lacking: Vec<&str> = names.filter(|name| lacks_option(engine.options(), name)).collect();
                let without = if lacking.is_empty() { "" } else { WITHOUT_OPTION };
                Ok(format!("{name} ({}{without}{})", hashes.join(", "), lacking.join(", ")))
            }
            EngineKind::Unknown => Err(self.error(IMPORTED)),
        }
    }

    fn start(&self, stop: &AtomicBool) -> Result<Box<dyn Player + 'r>, StartError> {
        match &self.settings.kind {
            EngineKind::Builtin(engine) => {
                let player = self.builtin.player(*engine, self.settings.limits);
                Ok(player.map_err(|error| self.error(error))?)
            }
            EngineKind::Uci(program) | EngineKind::Cecp(program) => Ok(self.start_program(program, stop)?),
            EngineKind::Unknown => Err(self.error(IMPORTED)),
        }
    }

    fn start_program(
        &self,
        program: &'r EngineProgram,
        stop: &AtomicBool,
    ) -> Result<Box<dyn Program + 'r>, StartError> {
        let setup = ProgramSetup { run: self.run, settings: self.settings, program, log: self.log.clone() };
        let started: Result<Box<dyn Program + 'r>, EngineError> = match self.settings.kind {
            EngineKind::Cecp(_) => {
                CecpPlayer::start(setup, stop).map(|player| Box::new(player) as Box<dyn Program + 'r>)
            }
            _ => UciPlayer::start(&setup, stop).map(|player| Box::new(player) as Box<dyn Program + 'r>),
        };
        let started = started.map_err(|error| match error {
            EngineError::NoPositions(_) => StartError { needs_start: true, ..self.error(error) },
            EngineError::UnknownVariant { can_load: true, .. } if self.run.source.text.is_some() => {
                self.error(format_args!("{error}; load it with option.VariantPath=FILE"))
            }
            error => self.error(error),
        });
        if let (Err(error), Some(log)) = (&started, &self.log) {
            log.fault(error);
        }
        started
    }

    fn error(&self, why: impl Display) -> StartError {
        StartError { name: self.settings.name.clone(), why: why.to_string(), needs_start: false }
    }
}

/// The files that the values of string options name, such as `EvalFile` and `VariantPath`, by
/// option.
fn option_files(program: &EngineProgram, engine: &dyn Program) -> Vec<(String, PathBuf)> {
    let options = program.options.iter().map(|(name, value)| (name.as_str(), value));
    let variant_path = program.variant_path.iter().map(|path| ("VariantPath", path));
    let file = |(name, value): (&str, &String)| {
        let option = options::find(engine.options(), name).filter(|option| option.kind == OptionKind::Text)?;
        Some((option.name.clone(), find_option_file(&program.command, value)?))
    };
    options.chain(variant_path).filter_map(file).collect()
}

/// The first 12 hexadecimal digits of the BLAKE3 of a file; `unknown` if it cannot be read.
fn hash_of(path: &Path) -> String {
    let hash = || -> io::Result<String> {
        let mut hasher = blake3::Hasher::new();
        hasher.update_reader(File::open(path)?)?;
        Ok(hasher.finalize().to_hex()[..12].to_owned())
    };
    hash().unwrap_or_else(|_| unknown_hash())
}

fn unknown_hash() -> String {
    "unknown".to_owned()
}
