use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::SyncSender;
use std::thread::Scope;
use std::time::{Duration, Instant};

use assay_engine::HashError;
use assay_rules::Position;

use super::affinity::stay_on;
use super::missing::{MissingPairs, Pair};
use super::{GameEvent, POLL_INTERVAL, RunError, WorkerResult};
use crate::game::GameEnd;
use crate::game::clock::EngineLimits;
use crate::openings::{Opening, Openings};
use crate::play::PlannedGame;
use crate::players::builtin::{BuiltinPlayer, BuiltinPlayers, OPENING_EVALUATOR};
use crate::players::{EngineSlot, Player};
use crate::settings::{EngineKind, PlayerSlots, RunOptions, RunSettings};
use assay_client::log::GameLog;

/// Stack of a worker: searches recurse with move lists on the stack.
pub(super) const STACK_SIZE: usize = 16 << 20;

/// What the workers of a run share.
#[derive(Clone, Copy)]
pub(super) struct Workers<'r> {
    pub(super) settings: &'r RunSettings,
    pub(super) options: &'r RunOptions,
    pub(super) openings: &'r Openings,
    pub(super) builtin: &'r dyn BuiltinPlayers,
    pub(super) pairs: &'r MissingPairs,
    /// Raised when no more games are wanted.
    pub(super) halt: &'r AtomicBool,
}

impl<'r> Workers<'r> {
    /// Starts the threads. The channel closes when all have ended.
    pub(super) fn spawn<'s>(
        self,
        scope: &'s Scope<'s, '_>,
        threads: usize,
        sender: &SyncSender<WorkerResult>,
    ) -> Result<(), RunError>
    where
        'r: 's,
    {
        for number in 0..threads {
            let sender = sender.clone();
            let work = move || {
                if let Err(error) = self.work(number, &sender) {
                    // If the receiver is gone, the run has already failed for another reason.
                    let _ = sender.send(Err(error));
                }
            };
            let spawned = std::thread::Builder::new().stack_size(STACK_SIZE).spawn_scoped(scope, work);
            spawned.map_err(RunError::Thread)?;
        }
        Ok(())
    }

    /// Plays pairs, lowest numbers first, until none is left or the run halts.
    fn work(&self, number: usize, sender: &SyncSender<WorkerResult>) -> Result<(), RunError> {
        if let Some(processors) = self.options.processors.get(number) {
            stay_on(processors).map_err(RunError::Thread)?;
        }
        let mut engines = Engines::new(self)?;
        while let Some(pair) = self.pairs.take_next() {
            match self.play_pair(&pair, &mut engines, sender) {
                Ok(true) => {}
                Ok(false) => break,
                // The run was halted while an engine was starting.
                Err(_) if self.halt.load(Ordering::Relaxed) => break,
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Plays the missing games of a pair; returns false if no more games are wanted.
    fn play_pair(
        &self,
        pair: &Pair,
        engines: &mut Engines<'_>,
        sender: &SyncSender<WorkerResult>,
    ) -> Result<bool, RunError> {
        if self.halt.load(Ordering::Relaxed) {
            return Ok(false);
        }
        let (game, jitter) = (self.settings.game(), &self.settings.eval_jitter);
        let sides = self.settings.players.of_pair(pair.number);
        if !jitter.is_none() {
            let factors = jitter.factors(game, self.settings.seed, self.settings.round(pair.number));
            engines.set_value_factors(sides, &factors, self.halt)?;
        }
        let Some(opening) = self.opening(pair, engines)? else {
            return Ok(false);
        };
        let mut games = PlannedGame::of_pair(self.settings, pair.number, opening);
        if let Some((_, other)) = &pair.other {
            for game in &mut games {
                game.material.clone_from(&other.material);
            }
        }
        let name_of = |player: usize| &self.settings.players.all()[player].name;
        for (game, is_missing) in games.into_iter().zip(pair.missing) {
            if !is_missing {
                continue;
            }
            let numbers = game.players(self.settings);
            if let Some(log) = engines.log() {
                let [white, black] = numbers.map(name_of);
                log.begin_game(format_args!("game {}: {white} (White) - {black} (Black)", game.index + 1));
            }
            let mut players = engines.players(numbers, self.halt)?;
            if !self.settings.players.is_self_play() {
                // If the receiver is gone, the run has already failed for another reason.
                let _ = sender.send(Ok(GameEvent::Started(game.index)));
            }
            let Some(record) = game.play(self.settings, &mut players, self.halt) else {
                return Ok(false);
            };
            if let (GameEnd::Fault(kind), Some(fault)) = (record.end, &record.fault) {
                let player = sides[fault.player];
                if let Some(log) = engines.log() {
                    log.fault(format_args!("{}: {kind}: {}", name_of(player), fault.what));
                }
                if kind.needs_restart() {
                    engines.shut_down(player);
                }
            }
            if sender.send(Ok(GameEvent::Finished(Box::new(record)))).is_err() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn opening(&self, pair: &Pair, engines: &mut Engines<'_>) -> Result<Option<Opening>, RunError> {
        if let Some((start, other)) = &pair.other {
            return Ok(Some(Opening::twice(start.clone(), None, other.opening.clone())));
        }
        let is_self_play = self.settings.players.is_self_play();
        let evaluate = |position: &Position| engines.opening_evaluator().evaluate_opening(position, self.halt);
        let number = pair.number / self.settings.pairs_per_opening();
        Ok(self.openings.draw(number, is_self_play, evaluate)?)
    }
}

enum Engines<'r> {
    /// One built-in player plays both sides and evaluates openings.
    Shared(Box<dyn BuiltinPlayer>),
    Separate {
        /// By the number of the player. An engine runs from its first game on.
        slots: Vec<EngineSlot<'r>>,
        log: Option<Arc<GameLog>>,
        /// Evaluates random openings.
        evaluator: Option<Box<dyn BuiltinPlayer>>,
        /// The pause before a game that is not the first one.
        wait: Duration,
        has_played: bool,
    },
}

impl<'r> Engines<'r> {
    fn new(workers: &Workers<'r>) -> Result<Engines<'r>, HashError> {
        let (settings, builtin) = (workers.settings, workers.builtin);
        if let PlayerSlots::Shared(player) = &settings.players
            && let EngineKind::Builtin(engine) = player.kind
        {
            return Ok(Engines::Shared(builtin.player(engine, player.limits)?));
        }
        let evaluator =
            (workers.openings.needs_evaluator()).then(|| builtin.player(OPENING_EVALUATOR, EngineLimits::default()));
        let log = workers.options.log.as_ref().map(|log| Arc::new(GameLog::new(log)));
        Ok(Engines::Separate {
            slots: (0..settings.players.all().len())
                .map(|player| EngineSlot::new(settings, player, builtin, log.clone()))
                .collect(),
            log,
            evaluator: evaluator.transpose()?,
            wait: workers.options.wait,
            has_played: false,
        })
    }

    fn log(&self) -> Option<&GameLog> {
        match self {
            Engines::Shared(_) => None,
            Engines::Separate { log, .. } => log.as_deref(),
        }
    }

    fn set_value_factors(&mut self, players: [usize; 2], factors: &[f64], stop: &AtomicBool) -> Result<(), RunError> {
        match self {
            Engines::Shared(player) => player.set_value_factors(factors),
            Engines::Separate { slots, .. } => {
                for player in players {
                    slots[player].started(stop)?.set_value_factors(factors);
                }
            }
        }
        Ok(())
    }

    fn opening_evaluator(&mut self) -> &mut dyn BuiltinPlayer {
        match self {
            Engines::Shared(player) => player.as_mut(),
            Engines::Separate { evaluator, .. } => {
                let evaluator = evaluator.as_mut().expect("random openings need an evaluator");
                evaluator.as_mut()
            }
        }
    }

    /// White's and Black's player of the next game, which have these numbers, or the one that plays
    /// both sides. Starts engines that are not running, after the pause between games.
    fn players(&mut self, numbers: [usize; 2], stop: &AtomicBool) -> Result<Vec<&mut dyn Player>, RunError> {
        match self {
            Engines::Shared(player) => Ok(vec![player.as_mut()]),
            Engines::Separate { slots, wait, has_played, .. } => {
                if std::mem::replace(has_played, true) {
                    sleep(*wait, stop);
                }
                let [white, black] = slots.get_disjoint_mut(numbers).expect("nobody plays itself");
                Ok(vec![white.for_game(stop)?, black.for_game(stop)?])
            }
        }
    }

    /// Shuts down an engine that can no longer be used.
    fn shut_down(&mut self, player: usize) {
        if let Engines::Separate { slots, .. } = self {
            slots[player].shut_down();
        }
    }
}

/// Sleeps until the time is over or `stop` is raised.
fn sleep(time: Duration, stop: &AtomicBool) {
    let started = Instant::now();
    while !stop.load(Ordering::Relaxed) {
        let left = time.saturating_sub(started.elapsed());
        if left.is_zero() {
            return;
        }
        std::thread::sleep(left.min(POLL_INTERVAL));
    }
}
