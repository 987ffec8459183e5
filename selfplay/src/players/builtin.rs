//! Assay's engine as a player in this process.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use assay_engine::{
    ClockLimits, CompiledRuleset, HashError, Limits, Position as EnginePosition, Searcher, Tables, Visitor, Weights,
    bench, dispatch,
};
use assay_rules::{Game, GameDef, Position, uci};
use web_time::Instant;

use super::info::ReportedInfo;
use super::{Answer, NoAnswer, OpeningEval, Player, own_clock};
use crate::game::clock::{Clocks, EngineLimits};
use crate::game::{EngineFault, Eval, Reply};
use crate::settings::eval_jitter::{piece_offsets, scale_piece_values};
use crate::settings::{BuiltinEngine, Evaluation};

/// The minimum number of nodes for evaluating an opening: with fewer, a search may miss the end of
/// the first exchange.
const OPENING_EVAL_NODES: u64 = 1_000;

/// Nodes of each search that the identity is computed from.
const IDENTITY_NODES: u64 = 1_000;

/// Evaluates the random openings of a match.
pub(crate) const OPENING_EVALUATOR: BuiltinEngine =
    BuiltinEngine { hash_mb: 1, overhead: Duration::ZERO, evaluation: Evaluation::Linear };

/// A built-in player, which also evaluates openings.
pub trait BuiltinPlayer: Player {
    /// Searches a position with empty tables; `None` if `stop` was raised.
    fn evaluate_opening(&mut self, position: &Position, stop: &AtomicBool) -> Option<OpeningEval>;
}

/// Makes built-in players that share the tables of a game.
pub trait BuiltinPlayers: Sync {
    /// Makes a player.
    ///
    /// # Errors
    /// If there is no memory for its transposition table.
    fn player(&self, engine: BuiltinEngine, limits: EngineLimits) -> Result<Box<dyn BuiltinPlayer>, HashError>;

    /// The engine's version and a hash of what it plays with: all weights, the network if there is
    /// one, and short searches of the game's bench positions. A change of weights or network
    /// changes it, and so does a change of the search that shows in these searches, so that a run
    /// is not resumed by a different player. A change that shows in none of them goes unnoticed.
    ///
    /// # Errors
    /// If there is no memory for a transposition table.
    fn identity(&self, evaluation: Evaluation) -> Result<String, HashError>;
}

/// The built-in players of a game.
pub fn builtin_players(game: &Arc<GameDef>) -> Box<dyn BuiltinPlayers> {
    struct Make;
    impl Visitor for Make {
        type Output = Box<dyn BuiltinPlayers>;

        fn visit<R: CompiledRuleset>(self, tables: Arc<Tables<R>>) -> Self::Output {
            Box::new(tables)
        }
    }
    dispatch(game, Make)
}

impl<R: CompiledRuleset> BuiltinPlayers for Arc<Tables<R>> {
    fn player(&self, engine: BuiltinEngine, limits: EngineLimits) -> Result<Box<dyn BuiltinPlayer>, HashError> {
        Ok(Box::new(EnginePlayer::new(self, engine, limits)?))
    }

    fn identity(&self, evaluation: Evaluation) -> Result<String, HashError> {
        let engine = BuiltinEngine { evaluation, ..OPENING_EVALUATOR };
        let hash = EnginePlayer::new(self, engine, EngineLimits::default())?.hash();
        Ok(format!("assay-engine {} ({})", env!("CARGO_PKG_VERSION"), &hash.to_hex()[..12]))
    }
}

struct EnginePlayer<R: CompiledRuleset> {
    tables: Arc<Tables<R>>,
    searcher: Searcher<R>,
    /// The position after the first `plies` moves of the game.
    position: EnginePosition<R>,
    plies: usize,
    limits: EngineLimits,
    /// The weights of the linear evaluation without jitter.
    weights: Weights,
}

impl<R: CompiledRuleset> EnginePlayer<R> {
    fn new(tables: &Arc<Tables<R>>, engine: BuiltinEngine, limits: EngineLimits) -> Result<EnginePlayer<R>, HashError> {
        let weights = Weights::for_game(tables.game());
        let mut searcher = match engine.evaluation {
            Evaluation::Linear => Searcher::with_weights(tables, engine.hash_mb, weights.clone())?,
            Evaluation::Network => Searcher::new(tables, engine.hash_mb)?,
        };
        searcher.set_move_overhead(engine.overhead);
        Ok(EnginePlayer {
            weights,
            position: EnginePosition::new(tables, &Position::start(tables.game())),
            tables: Arc::clone(tables),
            searcher,
            limits,
            plies: 0,
        })
    }

    fn reset(&mut self, start: &Position) {
        self.searcher.clear();
        self.position = EnginePosition::new(&self.tables, start);
        self.plies = 0;
    }

    /// Hash of the weights, the network and the searches of the [`identity_positions`]. It is the
    /// same on all machines.
    fn hash(&mut self) -> blake3::Hash {
        let mut hasher = blake3::Hasher::new();
        for weight in self.searcher.weights().values() {
            hasher.update(&weight.middlegame.to_le_bytes());
            hasher.update(&weight.endgame.to_le_bytes());
        }
        if let Some(network) = self.searcher.network() {
            hasher.update(&network.to_bytes());
        }
        let limits = Limits::nodes(IDENTITY_NODES);
        for position in identity_positions(self.tables.game()) {
            self.reset(&position);
            let found = self.searcher.search(&self.position, &limits, &AtomicBool::new(false), &mut |_| {});
            let mv = found.best_move.map(|mv| self.position.to_rules_move(mv));
            let mv = mv.map(|mv| uci::format(self.tables.game(), mv));
            let text = format!("{mv:?} {:?} {} {};", Eval::of_search(&found), found.depth, found.nodes);
            hasher.update(text.as_bytes());
        }
        hasher.finalize()
    }

    fn follow(&mut self, game: &Game) {
        for &mv in &game.moves()[self.plies..] {
            let mv = self.position.from_rules_move(mv);
            self.position.make(mv);
        }
        self.plies = game.moves().len();
    }
}

/// The bench positions of a built-in game; the start of any other.
fn identity_positions(game: &Arc<GameDef>) -> Vec<Position> {
    let fens = bench::positions().find_map(|(known, fens)| (*known == **game).then_some(fens));
    match fens {
        Some(fens) => {
            let parse = |fen| Position::from_fen(game, fen).expect("a bench position is a position of its game");
            fens.into_iter().map(parse).collect()
        }
        None => vec![Position::start(game)],
    }
}

impl<R: CompiledRuleset> Player for EnginePlayer<R> {
    fn new_game(&mut self, game: &Game, _stop: &AtomicBool) -> Result<(), NoAnswer> {
        self.reset(&game.positions()[0]);
        Ok(())
    }

    fn choose_move(&mut self, game: &Game, clocks: &Clocks, stop: &AtomicBool) -> Result<Answer, NoAnswer> {
        let started = Instant::now();
        self.follow(game);
        let clock = own_clock(clocks, game);
        let EngineLimits { movetime, nodes, depth, .. } = self.limits;
        let limits = Limits {
            depth,
            nodes,
            movetime,
            clock: clock.map(|clock| ClockLimits {
                remaining: clock.remaining,
                increment: clock.control.increment,
                moves_to_go: clock.to_go,
            }),
            ..Limits::default()
        };
        let found = self.searcher.search(&self.position, &limits, stop, &mut |_| {});
        // A stopped search also has a move, but not the one that its limits would have led to.
        if stop.load(Ordering::Relaxed) {
            return Err(NoAnswer::Stopped);
        }
        let elapsed = started.elapsed();
        if let Some(allowed) = self.limits.allowed(clock).filter(|&allowed| elapsed > allowed) {
            return Err(NoAnswer::Fault(EngineFault::late(elapsed, allowed, Vec::new())));
        }
        Ok(Answer {
            reply: match found.best_move {
                Some(best) => Reply::Move(self.position.to_rules_move(best)),
                None => Reply::Text("(none)".to_owned()),
            },
            info: ReportedInfo { eval: Eval::of_search(&found), depth: found.depth, seldepth: 0, nodes: found.nodes },
            elapsed,
        })
    }

    fn set_value_factors(&mut self, factors: &[f64]) {
        let network = self.searcher.network().cloned();
        self.searcher.set_weights(scale_piece_values(&self.weights, factors));
        if let Some(network) = network {
            self.searcher.set_network(Some(&network));
            self.searcher.set_piece_offsets(&piece_offsets(&self.weights, factors));
        }
    }
}

impl<R: CompiledRuleset> BuiltinPlayer for EnginePlayer<R> {
    fn evaluate_opening(&mut self, position: &Position, stop: &AtomicBool) -> Option<OpeningEval> {
        self.reset(position);
        let nodes = self.limits.nodes.unwrap_or(0).max(OPENING_EVAL_NODES);
        let found = self.searcher.search(&self.position, &Limits::nodes(nodes), stop, &mut |_| {});
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        Some(OpeningEval { mv: self.position.to_rules_move(found.best_move?), eval: Eval::of_search(&found) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identity_depends_on_the_network() {
        for name in assay_rules::def::BUILTIN_NAMES {
            let game = GameDef::builtin(name).unwrap();
            let players = builtin_players(&game);
            let identity = |evaluation| players.identity(evaluation).unwrap();
            let same = identity(Evaluation::Linear) == identity(Evaluation::Network);
            assert_eq!(same, assay_engine::nnue::Network::builtin(&game).is_none(), "{name}");
        }
    }

    #[test]
    fn identity_depends_on_the_weights() {
        struct ChangeWeights;

        impl Visitor for ChangeWeights {
            type Output = ();

            fn visit<R: CompiledRuleset>(self, tables: Arc<Tables<R>>) {
                let game = Arc::clone(tables.game());
                let weights = Weights::for_game(&game);
                let mut player = EnginePlayer::new(&tables, OPENING_EVALUATOR, EngineLimits::default()).unwrap();
                let hash = player.hash();
                assert_eq!(player.hash(), hash);
                for term in weights.terms().all().step_by(30) {
                    let mut changed = weights.clone();
                    let mut weight = weights.get(term);
                    weight.endgame += 1.0;
                    changed.set(term, weight);
                    player.searcher.set_weights(changed);
                    assert_ne!(player.hash(), hash, "{term:?}");
                }
            }
        }

        dispatch(&GameDef::builtin("chess").unwrap(), ChangeWeights);
    }

    #[test]
    fn identity_positions_are_those_of_the_game() {
        for name in assay_rules::def::BUILTIN_NAMES {
            assert!(identity_positions(&GameDef::builtin(name).unwrap()).len() > 1, "{name}");
        }
        let mine = Arc::new(GameDef { name: "mine".to_owned(), ..(*GameDef::builtin("chess").unwrap()).clone() });
        assert_eq!(identity_positions(&mine), [Position::start(&mine)]);
    }
}
