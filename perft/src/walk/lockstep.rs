//! One random game in which both generators are compared in every position.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use assay_rules::position::RepetitionKey;
use assay_rules::{Game, GameDef, Move, Position, Termination, san, uci};
use serde::Serialize;

use super::detect::{mechanisms_of_move, mechanisms_of_position};
use super::mechanism::{Coverage, Mechanism};
use super::random_player::{GameRng, RandomPlayer, random_start};
use crate::difference::{Difference, compare_moves, compare_position};
use crate::generator::{CountMode, Generators, Node};

/// Interval, in plies, at which the counts of a perft are compared, too.
const PERFT_INTERVAL: usize = 16;

/// Settings of a run.
#[derive(Clone, Debug)]
pub struct WalkSettings {
    /// Seed of the run.
    pub seed: u64,
    /// Length of the longest game in plies.
    pub max_plies: usize,
    /// Depth in plies of the perft that is compared every 16 plies.
    pub perft_depth: u32,
}

impl WalkSettings {
    /// Settings that check a definition.
    pub fn of_check(seed: u64) -> WalkSettings {
        WalkSettings { seed, max_plies: 200, perft_depth: 2 }
    }
}

/// A difference between the generators and the game that leads to it.
#[derive(Clone, Debug, Serialize)]
pub struct GameDifference {
    /// Index of the game in the run.
    pub game_index: u64,
    /// FEN of the start.
    pub start: String,
    /// Moves from the start, as UCI.
    pub moves: Vec<String>,
    /// FEN of the position after these moves.
    pub fen: String,
    #[serde(flatten)]
    pub difference: Difference,
}

#[derive(Clone, Debug, Default)]
pub struct GameResult {
    /// Number of positions compared in full.
    pub positions: u64,
    /// Number of positions after a legal move, whose FEN, check and hash were compared.
    pub successors: u64,
    /// Number of leaf nodes that each generator counted by perft.
    pub leaf_nodes: u64,
    /// Mechanisms that occurred.
    pub coverage: Coverage,
    /// First difference; the game ends there.
    pub difference: Option<GameDifference>,
}

/// Plays game number `index` of a run; only its beginning if `stop` is raised.
pub fn play_game(
    game: &Arc<GameDef>,
    generators: &Generators,
    settings: &WalkSettings,
    index: u64,
    stop: &AtomicBool,
) -> GameResult {
    let mut rng = GameRng::new(settings.seed, index);
    let start = random_start(game, &mut rng);
    let mut lockstep = Lockstep {
        generators,
        player: RandomPlayer::new(&mut rng),
        engine: generators.engine.node(&start),
        rules: Game::new(start),
        hash_of_key: HashMap::new(),
        key_of_hash: HashMap::new(),
        perft_depth: settings.perft_depth,
        stop,
        result: GameResult::default(),
    };
    while !stop.load(Ordering::Relaxed) {
        // The engine relies on legal moves, so a wrong one may make it panic: that is a difference,
        // too.
        let compared = catch_unwind(AssertUnwindSafe(|| {
            let is_over = lockstep.compare(&mut rng)? || lockstep.rules.moves().len() >= settings.max_plies;
            if !is_over {
                lockstep.make_random_move(&mut rng);
            }
            Ok(is_over)
        }));
        match compared.unwrap_or_else(|_| Err("the engine panicked".to_owned().into())) {
            Err(difference) => {
                lockstep.result.difference = Some(lockstep.locate(index, difference));
                break;
            }
            Ok(true) => break,
            Ok(false) => {}
        }
    }
    lockstep.result
}

/// The same game in both generators.
struct Lockstep<'g> {
    generators: &'g Generators,
    player: RandomPlayer,
    engine: Box<dyn Node>,
    rules: Game,
    hash_of_key: HashMap<RepetitionKey, u64>,
    key_of_hash: HashMap<u64, RepetitionKey>,
    perft_depth: u32,
    stop: &'g AtomicBool,
    result: GameResult,
}

impl Lockstep<'_> {
    fn make_random_move(&mut self, rng: &mut GameRng) {
        let position = self.rules.position();
        let mv = self.player.choose(position, &position.legal_moves(), rng);
        self.result.coverage.count_set(mechanisms_of_move(position, mv));
        // If the engine panics, the rules show the move.
        self.rules.play(mv);
        self.engine.make(mv);
    }

    /// Compares everything in the current position. Returns true if the game is over.
    fn compare(&mut self, rng: &mut GameRng) -> Result<bool, Difference> {
        let position = self.rules.position().clone();
        self.result.positions += 1;
        self.result.coverage.count_set(mechanisms_of_position(&position));
        compare_position(self.engine.as_mut(), &position)?;
        check_notation(&position, rng)?;
        self.check_hash(&position, self.engine.hash())?;
        self.compare_successors(&position)?;
        if self.rules.moves().len().is_multiple_of(PERFT_INTERVAL) {
            self.compare_perft(&position)?;
        }
        let (engine_outcome, outcome) = (self.engine.outcome(), self.rules.outcome());
        if engine_outcome != outcome {
            return Err(format!("outcome: engine {engine_outcome:?}, rules {outcome:?}").into());
        }
        let Some(outcome) = outcome else { return Ok(false) };
        self.result.coverage.count(match outcome.termination {
            Termination::Checkmate => Mechanism::Checkmate,
            Termination::Stalemate => Mechanism::Stalemate,
            Termination::DeadPosition => Mechanism::DeadPosition,
            Termination::Repetition => Mechanism::Repetition,
            Termination::MoveRule => Mechanism::MoveRule,
            Termination::Goal => Mechanism::Goal,
            Termination::Checks => Mechanism::Checks,
            Termination::BareKing => Mechanism::BareKing,
            Termination::Extinction => Mechanism::Extinction,
        });
        Ok(true)
    }

    /// Checks that the incremental hash equals the hash of the position set up, and that two
    /// positions have equal hashes if and only if they are equal for the repetition rule.
    fn check_hash(&mut self, position: &Position, hash: Option<u64>) -> Result<(), Difference> {
        let Some(hash) = hash else { return Ok(()) };
        let set_up = self.generators.engine.node(position).hash().unwrap_or(hash);
        if set_up != hash {
            return Err(
                format!("hash: {hash:016x} after the moves, {set_up:016x} after setting up the position").into()
            );
        }
        let key = position.repetition_key();
        if let Some(&earlier) = self.hash_of_key.get(&key)
            && earlier != hash
        {
            return Err(format!("hash: the same position had {earlier:016x} before, now {hash:016x}").into());
        }
        if let Some(other) = self.key_of_hash.get(&hash)
            && *other != key
        {
            return Err(format!("hash: another position had {hash:016x} before").into());
        }
        self.hash_of_key.insert(key.clone(), hash);
        self.key_of_hash.insert(hash, key);
        Ok(())
    }

    /// Makes and unmakes every legal move and compares the positions in between.
    fn compare_successors(&mut self, position: &Position) -> Result<(), Difference> {
        let before = (self.engine.position(), self.engine.hash());
        let mut difference: Option<Difference> = None;
        let mut made: Vec<Move> = Vec::new();
        let mut successors: Vec<(Position, Option<u64>)> = Vec::new();
        let mut compared = 0;
        self.engine.for_each_child(&mut |mv, child| {
            made.push(mv);
            if difference.is_none() {
                compared += 1;
                match compare_successor(position, mv, child) {
                    Ok(successor) => successors.push((successor, child.hash())),
                    Err(text) => difference = Some(text.into()),
                }
            }
        });
        self.result.successors += compared;
        if let Some(difference) = difference {
            return Err(difference);
        }
        let with_successors = made.iter().zip(&successors);
        let mut checks: Vec<Move> =
            with_successors.filter_map(|(&mv, (successor, _))| successor.in_check().then_some(mv)).collect();
        compare_moves(position, made, &position.legal_moves())
            .map_err(|difference| difference.described(|what| format!("{what} that the engine makes")))?;
        if let Some(found) = self.engine.checks() {
            checks.sort_unstable();
            compare_moves(position, found, &checks)
                .map_err(|difference| difference.described(|what| format!("{what} that give check")))?;
        }
        for (successor, hash) in &successors {
            self.check_hash(successor, *hash)?;
        }
        let after = (self.engine.position(), self.engine.hash());
        if before != after {
            return Err(format!("unmaking moves gives {}", after.0.fen()).into());
        }
        compare_position(self.engine.as_mut(), position)
            .map_err(|difference| difference.described(|what| format!("after moves are unmade: {what}")))
    }

    fn compare_perft(&mut self, position: &Position) -> Result<(), Difference> {
        let (depth, mode) = (self.perft_depth, CountMode::default());
        let mut rules = self.generators.rules.node(position);
        let (Some(total), Some(engine), Some(rules)) = (
            self.engine.perft(depth, &mode, self.stop),
            count_by_move(self.engine.as_mut(), depth, self.stop),
            count_by_move(rules.as_mut(), depth, self.stop),
        ) else {
            // Interrupted.
            return Ok(());
        };
        // The counts of two moves may both be wrong while their sum is right.
        if let Some(((mv, engine), (_, rules))) = engine.iter().zip(&rules).find(|(engine, rules)| engine != rules) {
            let mv = uci::format(position.game(), *mv);
            return Err(format!("perft {depth} below {mv}: engine {engine}, rules {rules}").into());
        }
        let sum: u64 = rules.iter().map(|(_, count)| count).sum();
        if total != sum {
            return Err(format!("perft {depth}: engine {total}, rules {sum}").into());
        }
        self.result.leaf_nodes += sum;
        Ok(())
    }

    fn locate(&self, game_index: u64, difference: Difference) -> GameDifference {
        let position = self.rules.position();
        let moves = self.rules.moves().iter();
        GameDifference {
            game_index,
            start: self.rules.positions()[0].fen(),
            moves: moves.map(|&mv| uci::format(position.game(), mv)).collect(),
            fen: position.fen(),
            difference,
        }
    }
}

/// Counts below each move, sorted by move; `None` if interrupted.
fn count_by_move(node: &mut dyn Node, depth: u32, stop: &AtomicBool) -> Option<Vec<(Move, u64)>> {
    let mut counts = Some(Vec::new());
    node.for_each_child(&mut |mv, child| {
        let count = child.perft(depth - 1, &CountMode::default(), stop);
        counts = counts.take().zip(count).map(|(mut counts, count)| {
            counts.push((mv, count));
            counts
        });
    });
    counts.map(|mut counts| {
        counts.sort_unstable();
        counts
    })
}

/// Checks that FEN, UCI and SAN read back what they wrote.
fn check_notation(position: &Position, rng: &mut GameRng) -> Result<(), Difference> {
    let game = position.game();
    match Position::from_fen(game, &position.fen()) {
        Ok(read) if read == *position => {}
        Ok(read) => return Err(format!("the FEN is read back as {}", read.fen()).into()),
        Err(error) => return Err(format!("the FEN is not read back: {error}").into()),
    }
    let legal = position.legal_moves();
    if legal.is_empty() {
        return Ok(());
    }
    // A few moves in each position cover as much as all moves, which take long where there are
    // hundreds.
    for _ in 0..2 {
        let mv = *rng.pick(&legal);
        let text = uci::format(game, mv);
        match uci::parse(position, &text) {
            Ok(read) if read == mv => {}
            other => return Err(format!("UCI `{text}` is read back as {other:?}, was {mv:?}").into()),
        }
        let text = san::format(position, mv);
        match san::parse(position, &text) {
            Ok(read) if read == mv => {}
            other => return Err(format!("SAN `{text}` is read back as {other:?}, was {mv:?}").into()),
        }
    }
    Ok(())
}

/// Compares the position after a move and returns it.
fn compare_successor(position: &Position, mv: Move, engine: &mut dyn Node) -> Result<Position, String> {
    let error = |text: String| Err(format!("after {}: {text}", uci::format(position.game(), mv)));
    let successor = position.play(mv);
    let engine_position = engine.position();
    if engine_position != successor {
        return error(format!("engine {}, rules {}", engine_position.fen(), successor.fen()));
    }
    let (incremental, from_scratch) = (engine.hash(), engine.hash_from_scratch());
    if incremental != from_scratch {
        return error(format!("hash: {incremental:016x?} updated incrementally, {from_scratch:016x?} from scratch"));
    }
    let (engine_check, check) = (engine.in_check(), successor.in_check());
    if engine_check != check {
        return error(format!("in check: engine {engine_check}, rules {check}"));
    }
    Ok(successor)
}
