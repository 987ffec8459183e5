//! Assay's own engine as a contestant, in this process.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use assay_engine::{
    ClockLimits, CompiledRuleset, Limits, Position as EnginePosition, Searcher, Tables, Visitor, dispatch,
};
use assay_rules::{GameDef, Position, uci};

use crate::game::fault::{Fault, FaultKind};
use crate::game::state::GameState;
use crate::players::contestant::{Answer, Clocks, Contestant, NoAnswer, own_clock};
use crate::players::limits::EngineLimits;
use crate::players::player::Eval;

/// How the engine is set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuiltinSettings {
    /// Megabytes of its table.
    pub hash_mb: usize,
    /// Time lost with each move outside of the search.
    pub overhead: Duration,
    /// When it has to move.
    pub limits: EngineLimits,
}

/// The engine for that game.
pub fn builtin(game: &Arc<GameDef>, settings: BuiltinSettings) -> Box<dyn Contestant> {
    dispatch(
        game,
        Make {
            game: Arc::clone(game),
            settings,
        },
    )
}

struct Make {
    game: Arc<GameDef>,
    settings: BuiltinSettings,
}

impl Visitor for Make {
    type Output = Box<dyn Contestant>;

    fn visit<R: CompiledRuleset>(self, tables: Arc<Tables<R>>) -> Self::Output {
        let Make { game, settings } = self;
        let mut searcher = Searcher::new(&tables, settings.hash_mb);
        searcher.set_move_overhead(settings.overhead);
        Box::new(Builtin {
            searcher,
            position: EnginePosition::new(&tables, &Position::start(&game)),
            tables,
            settings,
            played: 0,
        })
    }
}

struct Builtin<R: CompiledRuleset> {
    tables: Arc<Tables<R>>,
    searcher: Searcher<R>,
    position: EnginePosition<R>,
    settings: BuiltinSettings,
    /// Moves of the game that `position` knows.
    played: usize,
}

/// Settings see to it that the engine plays only what the rules judge.
const UNKNOWN_GAME: &str = "Assay's engine plays games that Assay knows";

impl<R: CompiledRuleset> Contestant for Builtin<R> {
    fn begin(&mut self, state: &GameState, _stop: &AtomicBool) -> Result<(), NoAnswer> {
        let game = state.game().expect(UNKNOWN_GAME);
        self.searcher.clear();
        self.position = EnginePosition::new(&self.tables, &game.positions()[0]);
        self.played = 0;
        Ok(())
    }

    fn think(&mut self, state: &GameState, clocks: &Clocks, stop: &AtomicBool) -> Result<Answer, NoAnswer> {
        let game = state.game().expect(UNKNOWN_GAME);
        let asked = Instant::now();
        for &mv in &game.moves()[self.played..] {
            let mv = self.position.from_rules_move(mv);
            self.position.make(mv);
        }
        self.played = game.moves().len();
        let clock = own_clock(clocks, state.side());
        let limits = Limits {
            depth: self.settings.limits.depth,
            nodes: self.settings.limits.nodes,
            movetime: self.settings.limits.movetime,
            clock: clock.map(|clock| ClockLimits {
                remaining: clock.remaining(),
                increment: clock.increment(),
                moves_to_go: clock.moves_to_go(),
            }),
            ..Limits::default()
        };
        let found = self.searcher.search(&self.position, &limits, stop, &mut |_| {});
        if stop.load(Ordering::Relaxed) {
            return Err(NoAnswer::Stopped);
        }
        let elapsed = asked.elapsed();
        let allowed = clock
            .map(crate::players::limits::Clock::remaining)
            .into_iter()
            .chain(limits.movetime)
            .min();
        if let Some(allowed) = allowed
            .map(|allowed| allowed + self.settings.limits.margin)
            .filter(|&most| elapsed > most)
        {
            let what = format!(
                "answered after {:.3} s, expected at most {:.3} s",
                elapsed.as_secs_f64(),
                allowed.as_secs_f64()
            );
            return Err(Fault::new(FaultKind::TimeLoss, what).into());
        }
        let text = found.best_move.map_or_else(
            || "(none)".to_owned(),
            |best| uci::format(game.position().game(), self.position.to_rules_move(best)),
        );
        // A search that did not come through one ply says nothing about the position.
        let eval = (found.depth > 0)
            .then_some(found.score)
            .and_then(|score| match score.mate() {
                Some(moves) => Some(Eval::Mate(moves)),
                None => score.centipawns().map(Eval::Centipawns),
            });
        Ok(Answer {
            text,
            eval,
            depth: found.depth,
            nodes: found.nodes,
            elapsed,
        })
    }
}
