//! A generator that is wrong is found out, and shown where: the reference with a lie in it stands for a wrong engine.

use std::ops::DerefMut;
use std::sync::Arc;

use assay_perft::generator::{self, Counting, Generator, Node, Pair, Which};
use assay_perft::verify::descend::{Parting, first_parting};
use assay_perft::walk::prove::{self, Settings};
use assay_rules::{GameDef, Move, Outcome, Position};

/// What the liar does not know.
#[derive(Clone, Copy)]
enum Lie {
    NoCastling,
    NoCheck,
}

struct Liar(Box<dyn Generator>, Lie);

struct Lying<P>(P, Lie);

impl Generator for Liar {
    fn which(&self) -> Which {
        Which::Engine
    }

    fn node(&self, position: &Position) -> Box<dyn Node> {
        Box::new(Lying(self.0.node(position), self.1))
    }
}

impl<P> Node for Lying<P>
where
    P: DerefMut + Send,
    P::Target: Node,
{
    fn position(&self) -> Position {
        self.0.position()
    }

    fn moves(&self) -> Vec<Move> {
        let mut moves = self.0.moves();
        moves.retain(|mv| !matches!((self.1, mv), (Lie::NoCastling, Move::Castle { .. })));
        moves
    }

    fn each_child(&mut self, visit: &mut dyn FnMut(Move, &mut dyn Node)) {
        let (moves, lie) = (self.moves(), self.1);
        self.0.each_child(&mut |mv, child| {
            if moves.contains(&mv) {
                visit(mv, &mut Lying(child, lie));
            }
        });
    }

    fn play(&mut self, mv: Move) {
        self.0.play(mv);
    }

    fn in_check(&self) -> bool {
        matches!(self.1, Lie::NoCastling) && self.0.in_check()
    }

    fn outcome(&mut self) -> Option<Outcome> {
        self.0.outcome()
    }

    fn hash(&self) -> Option<u64> {
        None
    }

    fn hash_anew(&self) -> Option<u64> {
        None
    }

    fn count(&mut self, depth: u32, how: &Counting) -> Option<u64> {
        if depth == 0 {
            return Some(1);
        }
        let mut sum = Some(0);
        self.each_child(&mut |_, child| sum = sum.zip(child.count(depth - 1, how)).map(|(sum, count)| sum + count));
        sum
    }
}

fn pair(game: &Arc<GameDef>, lie: Lie) -> Pair {
    let rules = || generator::new(Which::Rules, game);
    Pair {
        engine: Box::new(Liar(rules(), lie)),
        rules: rules(),
    }
}

#[test]
fn the_descent_ends_at_the_shallowest_difference() {
    let game = GameDef::builtin("chess").unwrap();
    // White can castle after the bishop has gone, which takes two plies.
    let position = Position::from_fen(&game, "4k3/8/8/8/8/8/4P3/4KB1R w K - 0 1").unwrap();
    let pair = pair(&game, Lie::NoCastling);
    let Parting::At(difference) = first_parting(&pair, &position, 4) else {
        panic!("they part")
    };
    assert_eq!(difference.path.len(), 2, "{difference:?}");
    assert_eq!(difference.missing, ["e1g1"]);
    assert!(difference.extra.is_empty());
    assert!(Position::from_fen(&game, &difference.fen).unwrap().legal_moves().len() > 1);
    assert!(
        matches!(first_parting(&pair, &position, 2), Parting::Nowhere(rows) if rows.len() == position.legal_moves().len())
    );
}

#[test]
fn a_walk_stops_at_the_first_difference_and_says_how_to_get_there() {
    let game = GameDef::builtin("gunnery").unwrap();
    for (lie, what) in [
        (Lie::NoCastling, "legal moves"),
        (Lie::NoCheck, "in check: engine false, rules true"),
    ] {
        let pair = pair(&game, lie);
        let settings = Settings {
            seed: 1,
            max_plies: 200,
        };
        let failures: Vec<_> = (0..20)
            .filter_map(|index| prove::play(&game, &pair, &settings, index).failure)
            .collect();
        let failure = failures.first().expect("some game castles or checks");
        assert!(failure.what.contains(what), "{failure:?}");
        // The moves lead from the start to the position.
        let mut position = Position::from_fen(&game, &failure.start).unwrap();
        for text in &failure.moves {
            position = position.play(assay_rules::uci::parse(&position, text).unwrap());
        }
        let here = position.fen() == failure.fen;
        let next = position
            .legal_moves()
            .into_iter()
            .any(|mv| failure.what.contains(&assay_rules::uci::format(&game, mv)));
        assert!(here || next, "{failure:?}");
    }
}
