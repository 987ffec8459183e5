//! Assay's engine as a player, in this process.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use assay_engine::{CompiledRuleset, Limits, Position as EnginePosition, Searcher, Tables, Visitor, Weights, dispatch};
use assay_rules::{Game, GameDef, Move, Position};

use crate::players::eval_jitter::believing;
use crate::players::player::{Choice, Eval, MakePlayer, Player};

/// The least nodes that an opening is judged with: with fewer a search may not see the end of the first exchange.
const JUDGE_NODES: u64 = 1_000;

/// Nodes of each search that an engine's identity is made of.
const IDENTITY_NODES: u64 = 400;

/// The maker of engine players of a game: they search `nodes` nodes a move with a table of `hash_mb` megabytes each.
pub fn engine_maker(game: &Arc<GameDef>, nodes: u64, hash_mb: usize) -> Box<dyn MakePlayer> {
    let make = Make {
        game: Arc::clone(game),
        nodes,
        hash_mb,
    };
    dispatch(game, make)
}

/// Chooses the ruleset.
struct Make {
    game: Arc<GameDef>,
    nodes: u64,
    hash_mb: usize,
}

impl Visitor for Make {
    type Output = Box<dyn MakePlayer>;

    fn visit<R: CompiledRuleset>(self, tables: Arc<Tables<R>>) -> Self::Output {
        let Make { game, nodes, hash_mb } = self;
        Box::new(EngineMaker {
            game,
            tables,
            nodes,
            hash_mb,
        })
    }
}

/// Makes engine players, which share the game's tables.
struct EngineMaker<R: CompiledRuleset> {
    game: Arc<GameDef>,
    tables: Arc<Tables<R>>,
    nodes: u64,
    hash_mb: usize,
}

impl<R: CompiledRuleset> EngineMaker<R> {
    fn player(&self, nodes: u64, hash_mb: usize) -> EnginePlayer<R> {
        EnginePlayer {
            plain: Weights::for_game(&self.game),
            tables: Arc::clone(&self.tables),
            // Piece values are measured with the linear evaluation: its weights say what it thinks of each piece.
            searcher: Searcher::with_weights(&self.tables, hash_mb, Weights::for_game(&self.game)),
            position: EnginePosition::new(&self.tables, &Position::start(&self.game)),
            nodes,
        }
    }
}

impl<R: CompiledRuleset> MakePlayer for EngineMaker<R> {
    fn make(&self) -> Box<dyn Player + '_> {
        Box::new(self.player(self.nodes, self.hash_mb))
    }

    fn game(&self) -> &Arc<GameDef> {
        &self.game
    }

    /// The engine's version, and a hash of what it plays and thinks in some positions: a change of search, evaluation or
    /// weights changes it.
    fn identity(&self) -> String {
        let mut player = self.player(IDENTITY_NODES, 1);
        let mut game = Game::start(&self.game);
        player.begin(game.position());
        let mut seen = String::new();
        for _ in 0..8 {
            if game.outcome().is_some() {
                break;
            }
            let Some(choice) = player.choose(&game, &AtomicBool::new(false)) else {
                break;
            };
            seen.push_str(&format!("{choice:?}"));
            game.play(choice.mv);
            player.played(choice.mv);
        }
        let hash = blake3::hash(seen.as_bytes()).to_hex();
        format!("assay-engine {} ({})", env!("CARGO_PKG_VERSION"), &hash[..12])
    }
}

/// The engine, for as many games as wanted.
struct EnginePlayer<R: CompiledRuleset> {
    tables: Arc<Tables<R>>,
    searcher: Searcher<R>,
    position: EnginePosition<R>,
    nodes: u64,
    /// The game's own weights.
    plain: Weights,
}

impl<R: CompiledRuleset> Player for EnginePlayer<R> {
    fn believe(&mut self, factors: &[f64]) {
        self.searcher.set_weights(believing(&self.plain, factors));
    }

    fn begin(&mut self, start: &Position) {
        self.searcher.clear();
        self.position = EnginePosition::new(&self.tables, start);
    }

    fn choose(&mut self, _game: &Game, stop: &AtomicBool) -> Option<Choice> {
        self.search(self.nodes, stop)
    }

    fn judge(&mut self, position: &Position, stop: &AtomicBool) -> Option<Choice> {
        self.begin(position);
        self.search(self.nodes.max(JUDGE_NODES), stop)
    }

    fn played(&mut self, mv: Move) {
        let mv = self.position.from_rules_move(mv);
        self.position.make(mv);
    }
}

impl<R: CompiledRuleset> EnginePlayer<R> {
    fn search(&mut self, nodes: u64, stop: &AtomicBool) -> Option<Choice> {
        let found = self
            .searcher
            .search(&self.position, &Limits::nodes(nodes), stop, &mut |_| {});
        // A search that was stopped has a move too, but not the one that it would have had.
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        // A search whose nodes did not suffice for one ply says nothing about the position.
        let eval = (found.depth > 0)
            .then_some(found.score)
            .and_then(|score| match score.mate() {
                Some(moves) => Some(Eval::Mate(moves)),
                None => score.centipawns().map(Eval::Centipawns),
            });
        let mv = self.position.to_rules_move(found.best_move?);
        Some(Choice {
            mv,
            eval,
            depth: found.depth,
            nodes: found.nodes,
        })
    }
}
