//! Faults of a generator are found and located. The reference generator with a planted fault takes the place of the engine.

use std::ops::DerefMut;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use assay_perft::generator::{self, CountMode, Generator, GeneratorKind, Generators, Node};
use assay_perft::verify::first_difference::{FirstDifference, find_first_difference};
use assay_perft::walk::lockstep::{WalkSettings, play_game};
use assay_rules::{GameDef, Move, Outcome, Position};

#[derive(Clone, Copy)]
enum Fault {
    NoCastling,
    NoCheck,
}

struct FaultyGenerator(Box<dyn Generator>, Fault);

struct FaultyNode<P>(P, Fault);

impl Generator for FaultyGenerator {
    fn node(&self, position: &Position) -> Box<dyn Node> {
        Box::new(FaultyNode(self.0.node(position), self.1))
    }
}

impl<P> Node for FaultyNode<P>
where
    P: DerefMut + Send,
    P::Target: Node,
{
    fn position(&self) -> Position {
        self.0.position()
    }

    fn legal_moves(&self) -> Vec<Move> {
        let mut moves = self.0.legal_moves();
        moves.retain(|mv| !matches!((self.1, mv), (Fault::NoCastling, Move::Castle { .. })));
        moves
    }

    fn for_each_child(&mut self, visit: &mut dyn FnMut(Move, &mut dyn Node)) {
        let (moves, fault) = (self.legal_moves(), self.1);
        self.0.for_each_child(&mut |mv, child| {
            if moves.contains(&mv) {
                visit(mv, &mut FaultyNode(child, fault));
            }
        });
    }

    fn make(&mut self, mv: Move) {
        self.0.make(mv);
    }

    fn in_check(&self) -> bool {
        matches!(self.1, Fault::NoCastling) && self.0.in_check()
    }

    fn outcome(&mut self) -> Option<Outcome> {
        self.0.outcome()
    }

    fn hash(&self) -> Option<u64> {
        None
    }

    fn hash_from_scratch(&self) -> Option<u64> {
        None
    }

    fn perft(&mut self, depth: u32, mode: &CountMode, stop: &AtomicBool) -> Option<u64> {
        if depth == 0 {
            return Some(1);
        }
        let mut sum = Some(0);
        self.for_each_child(&mut |_, child| {
            sum = sum
                .zip(child.perft(depth - 1, mode, stop))
                .map(|(sum, count)| sum + count);
        });
        sum
    }
}

fn generators(game: &Arc<GameDef>, fault: Fault) -> Generators {
    let rules = || generator::new(GeneratorKind::Rules, game);
    Generators {
        engine: Box::new(FaultyGenerator(rules(), fault)),
        rules: rules(),
    }
}

#[test]
fn finds_the_shallowest_difference() {
    let game = GameDef::builtin("chess").unwrap();
    // White can castle after the bishop has moved, two plies later.
    let position = Position::from_fen(&game, "4k3/8/8/8/8/8/4P3/4KB1R w K - 0 1").unwrap();
    let generators = generators(&game, Fault::NoCastling);
    let FirstDifference::Found(found) = find_first_difference(&generators, &position, 4) else {
        panic!("a difference")
    };
    assert_eq!(found.path.len(), 2, "{found:?}");
    assert_eq!(found.difference.missing, ["e1g1"]);
    assert!(found.difference.extra.is_empty());
    assert!(Position::from_fen(&game, &found.fen).unwrap().legal_moves().len() > 1);
    let FirstDifference::None(counts) = find_first_difference(&generators, &position, 2) else {
        panic!("no difference at depth 2")
    };
    assert_eq!(counts.len(), position.legal_moves().len());
}

#[test]
fn walk_stops_at_the_first_difference_and_reports_the_moves_to_it() {
    let game = GameDef::builtin("gunnery").unwrap();
    for (fault, what) in [
        (Fault::NoCastling, "legal moves"),
        (Fault::NoCheck, "in check: engine false, rules true"),
    ] {
        let generators = generators(&game, fault);
        let settings = WalkSettings {
            seed: 1,
            max_plies: 200,
            perft_depth: 2,
        };
        let differences: Vec<_> = (0..20)
            .filter_map(|index| play_game(&game, &generators, &settings, index).difference)
            .collect();
        let found = differences.first().expect("some game castles or checks");
        assert!(found.difference.what.contains(what), "{found:?}");
        // The moves must lead from the start to the position.
        let mut position = Position::from_fen(&game, &found.start).unwrap();
        for text in &found.moves {
            position = position.play(assay_rules::uci::parse(&position, text).unwrap());
        }
        let here = position.fen() == found.fen;
        let next = position
            .legal_moves()
            .into_iter()
            .any(|mv| found.difference.what.contains(&assay_rules::uci::format(&game, mv)));
        assert!(here || next, "{found:?}");
    }
}
