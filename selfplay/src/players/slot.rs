//! An engine's place in a match: how it is started, and started again.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use assay_rules::GameDef;

use crate::players::builtin::{BuiltinSettings, builtin};
use crate::players::contestant::Contestant;
use crate::players::engine_player::engine_maker;
use crate::players::uci::{UciError, UciPlayer, UciSettings, find_program};
use crate::tournament::settings::{EngineSettings, EngineSort, MatchSettings};

/// How often a program that was fine before is started again before that is given up.
const ATTEMPTS: u32 = 3;

/// An engine of a match that cannot be started.
#[derive(Debug, thiserror::Error)]
#[error("engine {name}: {source}")]
pub struct StartError {
    /// Its name in the match.
    pub name: String,
    pub source: UciError,
}

/// An engine, running or to be started.
pub(crate) struct EngineSlot<'m> {
    settings: &'m EngineSettings,
    game: Option<&'m Arc<GameDef>>,
    game_name: &'m str,
    stall: Duration,
    engine: Option<Box<dyn Contestant>>,
}

impl<'m> EngineSlot<'m> {
    pub(crate) fn new(settings: &'m MatchSettings, engine: usize, game: Option<&'m Arc<GameDef>>) -> EngineSlot<'m> {
        EngineSlot {
            settings: &settings.engines[engine],
            game,
            game_name: settings.rules.name(),
            stall: settings.stall,
            engine: None,
        }
    }

    /// The engine, started when it is not running.
    pub(crate) fn engine(&mut self, stop: &AtomicBool) -> Result<&mut dyn Contestant, StartError> {
        if self.engine.is_none() {
            let mut attempt = 1;
            self.engine = Some(loop {
                match self.start(stop) {
                    Ok(engine) => break engine,
                    Err(error) if attempt == ATTEMPTS || stop.load(Ordering::Relaxed) => return Err(error),
                    Err(_) => attempt += 1,
                }
            });
        }
        match &mut self.engine {
            Some(engine) => Ok(engine.as_mut()),
            None => unreachable!("it has just been started"),
        }
    }

    /// Ends the engine; the next game starts it again.
    pub(crate) fn end(&mut self) {
        self.engine = None;
    }

    fn start(&self, stop: &AtomicBool) -> Result<Box<dyn Contestant>, StartError> {
        let limits = self.settings.limits;
        match (&self.settings.sort, self.game) {
            (&EngineSort::Builtin { hash_mb, overhead }, Some(game)) => Ok(builtin(
                game,
                BuiltinSettings {
                    hash_mb,
                    overhead,
                    limits,
                },
            )),
            (EngineSort::Builtin { .. }, None) => Err(self.error(UciError::NoVariants {
                variant: self.game_name.to_owned(),
            })),
            (EngineSort::Uci { .. }, _) => Ok(Box::new(
                UciPlayer::start(&self.uci(), stop).map_err(|error| self.error(error))?,
            )),
        }
    }

    fn error(&self, source: UciError) -> StartError {
        StartError {
            name: self.settings.name.clone(),
            source,
        }
    }

    fn uci(&self) -> UciSettings {
        let EngineSort::Uci {
            program,
            arguments,
            folder,
            options,
            variant,
            variant_path,
            dialect,
        } = &self.settings.sort
        else {
            unreachable!("asked of programs only")
        };
        UciSettings {
            name: self.settings.name.clone(),
            program: program.clone(),
            arguments: arguments.clone(),
            folder: folder.clone(),
            options: options.clone(),
            variant: variant.clone().unwrap_or_else(|| self.game_name.to_owned()),
            variant_path: variant_path.clone(),
            dialect: *dialect,
            limits: self.settings.limits,
            stall: self.stall,
        }
    }

    /// Starts the engine once to see that it can play, and gives what tells it apart from others that the same command may
    /// start another day: what it calls itself, and a hash of the program.
    pub(crate) fn identity(&self, stop: &AtomicBool) -> Result<String, StartError> {
        match (&self.settings.sort, self.game) {
            (EngineSort::Builtin { .. }, Some(game)) => Ok(engine_maker(game, 1, 1).identity()),
            (EngineSort::Builtin { .. }, None) => self.start(stop).map(|_| String::new()),
            (EngineSort::Uci { program, .. }, _) => {
                let engine = UciPlayer::start(&self.uci(), stop).map_err(|error| self.error(error))?;
                let hash = find_program(program)
                    .and_then(|path| std::fs::read(path).ok())
                    .map_or_else(
                        || "unknown".to_owned(),
                        |bytes| blake3::hash(&bytes).to_hex()[..12].to_owned(),
                    );
                let name = if engine.id_name().is_empty() {
                    "nameless"
                } else {
                    engine.id_name()
                };
                Ok(format!("{name} ({hash})"))
            }
        }
    }
}
