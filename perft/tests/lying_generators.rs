//! `verify` and `walk` find every kind of lie of a generator, and accuse no honest one. The
//! reference generator with a planted lie takes the place of the engine.

use std::ops::DerefMut;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use assay_perft::generator::{self, CountMode, Generator, GeneratorKind, Generators, Node};
use assay_perft::junit::Status;
use assay_perft::suite::{Games, Lines, parse};
use assay_perft::verify::check::{Selection, check_entry};
use assay_perft::verify::first_difference::find_first_difference;
use assay_perft::verify::report::junit_cases;
use assay_perft::walk::lockstep::{GameDifference, WalkSettings, play_game};
use assay_rules::{GameDef, Move, Outcome, Position};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Lie {
    Nothing,
    /// Moves in another order.
    Order,
    NoCastling,
    NoCheck,
    /// No move is found to give check before it is made.
    NoChecks,
    NoOutcome,
    /// All positions have the same hash.
    OneHash,
    /// The incremental hash depends on the number of moves.
    HashOfMoves,
    /// Positions that are equal for the repetition rule have different hashes.
    HashOfClock,
    /// The count of this depth is one too high.
    Count(u32),
    /// Counts below two children are wrong, and their sum is right.
    Cancel,
    /// A move is missing, and another one is there twice.
    Twice,
    /// A legal move is listed, and not made.
    NotMade,
    /// The position after a move is another one.
    OtherPosition,
    /// A move is missing once moves have been made and unmade.
    Unmake,
    Panic,
}

struct LyingGenerator(Box<dyn Generator>, Lie);

struct LyingNode<P> {
    node: P,
    lie: Lie,
    moves_made: u64,
    has_unmade: bool,
    /// Added to counts.
    surplus: i64,
}

impl<P> LyingNode<P> {
    fn new(node: P, lie: Lie, moves_made: u64, surplus: i64) -> LyingNode<P> {
        LyingNode { node, lie, moves_made, has_unmade: false, surplus }
    }
}

impl Generator for LyingGenerator {
    fn node(&self, position: &Position) -> Box<dyn Node> {
        Box::new(LyingNode::new(self.0.node(position), self.1, 0, 0))
    }
}

impl<P> Node for LyingNode<P>
where
    P: DerefMut + Send,
    P::Target: Node,
{
    fn position(&self) -> Position {
        let position = self.node.position();
        match self.lie {
            Lie::OtherPosition if self.moves_made > 0 => Position::start(position.game()),
            _ => position,
        }
    }

    fn legal_moves(&self) -> Vec<Move> {
        let mut moves = self.node.legal_moves();
        match self.lie {
            Lie::Order => moves.reverse(),
            Lie::NoCastling => moves.retain(|mv| !matches!(mv, Move::Castle { .. })),
            Lie::Unmake if self.has_unmade => {
                moves.pop();
            }
            Lie::Twice if moves.len() > 1 => moves[0] = moves[1],
            _ => {}
        }
        moves
    }

    fn for_each_child(&mut self, visit: &mut dyn FnMut(Move, &mut dyn Node)) {
        let mut moves = self.legal_moves();
        if self.lie == Lie::NotMade {
            moves.pop();
        }
        let (lie, moves_made) = (self.lie, self.moves_made + 1);
        let ends = (moves.iter().min().copied(), moves.iter().max().copied());
        self.node.for_each_child(&mut |mv, child| {
            if moves.contains(&mv) {
                let surplus = i64::from(Some(mv) == ends.0) - i64::from(Some(mv) == ends.1);
                visit(mv, &mut LyingNode::new(child, lie, moves_made, surplus));
            }
        });
        self.has_unmade = true;
    }

    fn make(&mut self, mv: Move) {
        assert!(self.lie != Lie::Panic, "this generator cannot make moves");
        self.node.make(mv);
        self.moves_made += 1;
    }

    fn in_check(&self) -> bool {
        self.lie != Lie::NoCheck && self.node.in_check()
    }

    fn checks(&self) -> Option<Vec<Move>> {
        (self.lie == Lie::NoChecks).then(Vec::new)
    }

    fn outcome(&mut self) -> Option<Outcome> {
        self.node.outcome().filter(|_| self.lie != Lie::NoOutcome)
    }

    fn hash(&self) -> Option<u64> {
        match self.lie {
            Lie::HashOfMoves => Some(self.moves_made),
            _ => self.hash_from_scratch(),
        }
    }

    fn hash_from_scratch(&self) -> Option<u64> {
        match self.lie {
            Lie::OneHash | Lie::HashOfMoves => Some(0),
            Lie::HashOfClock => {
                let fen = self.node.position().fen();
                let hash = fen.bytes().fold(7_u64, |hash, byte| hash.wrapping_mul(0x0100_0000_01b3) ^ u64::from(byte));
                Some(hash)
            }
            _ => None,
        }
    }

    fn perft(&mut self, depth: u32, _mode: &CountMode, _stop: &AtomicBool) -> Option<u64> {
        fn count<N: Node + ?Sized>(node: &mut N, lie: Lie, depth: u32) -> u64 {
            let mut sum = u64::from(depth == 0);
            if depth > 0 {
                node.for_each_child(&mut |mv, child| {
                    if lie != Lie::NoCastling || !matches!(mv, Move::Castle { .. }) {
                        sum += count(child, lie, depth - 1);
                    }
                });
            }
            sum + u64::from(lie == Lie::Count(depth))
        }
        let count = count(&mut *self.node, self.lie, depth);
        Some(match self.lie {
            Lie::Cancel => count.saturating_add_signed(self.surplus),
            _ => count,
        })
    }
}

fn generators(game: &Arc<GameDef>, lie: Lie) -> Generators {
    let rules = || generator::new(GeneratorKind::Rules, game);
    Generators { engine: Box::new(LyingGenerator(rules(), lie)), rules: rules() }
}

/// Each kind of lie, and what `verify` and `walk` must print about it; nothing if the generator is
/// honest, or if the lie is not about what the checker checks.
const KINDS: &[(Lie, Option<&str>, Option<&str>)] = &[
    (Lie::Nothing, None, None),
    (Lie::Order, None, None),
    (Lie::NoCastling, Some("  missing from the engine: e1"), Some("legal moves")),
    (Lie::NoCheck, Some("in check: engine false, rules true"), Some("in check: engine false, rules true")),
    (Lie::NoChecks, None, Some("legal moves that give check")),
    (Lie::NoOutcome, None, Some("outcome: engine None, rules Some")),
    (Lie::OneHash, None, Some("hash: another position had")),
    (Lie::HashOfMoves, None, Some("updated incrementally")),
    (Lie::HashOfClock, None, Some("hash: the same position had")),
    (Lie::Count(1), Some("D1: suite 26, engine 27, rules 26"), Some("the engine counts 21 moves and generates 20")),
    (Lie::Count(2), Some("D2: suite 568, engine 569, rules 568"), Some("perft 2: engine 401, rules 400")),
    (Lie::Count(3), Some("D3: suite 13744, engine 13745, rules 13744"), None),
    (Lie::Cancel, Some("the counts are right, but the generators differ"), Some("perft 2 below")),
    (Lie::Twice, Some("  missing from the engine: "), Some("legal move")),
    (Lie::NotMade, Some("the counts are right, but the generators differ"), Some("legal moves that the engine makes")),
    (Lie::OtherPosition, Some("the engine's position is"), Some(": engine rnbqkbnr")),
    (Lie::Unmake, Some("the counts are right, but the generators differ"), Some("after moves are unmade: legal moves")),
    (Lie::Panic, None, Some("the engine panicked")),
];

fn verify(lie: Lie) -> Option<String> {
    let line = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 ;variant chess ;D1 26 ;D2 568 ;D3 13744";
    let suite = parse("x.epd".into(), line.as_bytes(), Lines::Counted, None, &mut Games::default()).unwrap();
    let selection = Selection { generators: GeneratorKind::ALL.map(|kind| (kind, u64::MAX)).to_vec(), max_depth: None };
    let entry = &suite.entries[0];
    let result = check_entry(entry, &selection, &generators(&entry.game, lie));
    let cases = junit_cases(std::slice::from_ref(&suite), &[vec![result]]);
    match &cases[0].1[0].status {
        Status::Failed(text) => Some(text.clone()),
        _ => None,
    }
}

fn walk(game: &Arc<GameDef>, lie: Lie) -> Option<GameDifference> {
    let generators = generators(game, lie);
    let settings = WalkSettings { seed: 1, max_plies: 200, perft_depth: 2 };
    (0..8).find_map(|index| play_game(game, &generators, &settings, index, &AtomicBool::new(false)).difference)
}

#[test]
fn every_lie_is_found_and_no_honest_generator_is_accused() {
    let chess = GameDef::builtin("chess").unwrap();
    let mut wrong = Vec::new();
    for &(lie, of_verify, of_walk) in KINDS {
        let walk = walk(&chess, lie).map(|difference| difference.difference.what);
        for (checker, expected, found) in [("verify", of_verify, verify(lie)), ("walk", of_walk, walk)] {
            let is_right = match (expected, &found) {
                (None, None) => true,
                (Some(expected), Some(found)) => found.contains(expected),
                _ => false,
            };
            if !is_right {
                wrong.push(format!("{checker}, {lie:?}: found {found:?}, expected {expected:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn finds_the_shallowest_difference() {
    let game = GameDef::builtin("chess").unwrap();
    // White can castle after the bishop has moved, two plies later.
    let position = Position::from_fen(&game, "4k3/8/8/8/8/8/4P3/4KB1R w K - 0 1").unwrap();
    let generators = generators(&game, Lie::NoCastling);
    let found = find_first_difference(&generators, &position, 4).located;
    let found = found.expect("a difference");
    assert_eq!(found.path.len(), 2, "{found:?}");
    assert_eq!(found.difference.missing, ["e1g1"]);
    assert!(found.difference.extra.is_empty());
    assert!(Position::from_fen(&game, &found.fen).unwrap().legal_moves().len() > 1);
    let counts = find_first_difference(&generators, &position, 2).divide;
    let counts = counts.expect("no difference at depth 2");
    assert_eq!(counts.len(), position.legal_moves().len());
}

#[test]
fn walk_reports_the_moves_to_the_difference() {
    let game = GameDef::builtin("gunnery").unwrap();
    for lie in [Lie::NoCastling, Lie::NoCheck] {
        let found = walk(&game, lie).expect("some game castles or checks");
        let mut position = Position::from_fen(&game, &found.start).unwrap();
        for text in &found.moves {
            position = position.play(assay_rules::uci::parse(&position, text).unwrap());
        }
        assert_eq!(position.fen(), found.fen, "{found:?}");
    }
}
