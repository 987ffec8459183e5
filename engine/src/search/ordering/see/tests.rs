use std::sync::Arc;

use super::*;
use crate::eval::Weights;
use crate::registry::{Visitor, dispatch, load_game};
use crate::ruleset::General64;
use crate::tables::Tables;
use assay_rules::GameDef;

/// A move in a position, and the pieces that it wins (letters before the `-`) and loses (after it).
struct Case {
    fen: &'static str,
    mv: &'static str,
    wins: &'static str,
}

impl Visitor for &Case {
    type Output = ();

    fn visit<R: CompiledPosition>(self, tables: Arc<Tables<R>>) {
        let game = tables.game().clone();
        let rules = assay_rules::Position::from_fen(&game, self.fen).unwrap();
        let position = Position::new(&tables, &rules);
        let evaluator = Evaluator::new(&tables, &Weights::for_game(&game));
        let mv = position.from_rules_move(assay_rules::uci::parse(&rules, self.mv).unwrap());
        let value = |letters: &str| -> i32 {
            let kinds = letters.chars().map(|letter| game.kinds.by_letter(letter).unwrap());
            kinds.map(|kind| evaluator.see_value(kind)).sum()
        };
        let (won, lost) = self.wins.split_once('-').unwrap();
        let expected = value(won) - value(lost);
        let found = see(&evaluator, &position, mv);
        assert_eq!(found, expected, "{} in {}", self.mv, self.fen);
        assert!(see_ge(&evaluator, &position, mv, expected));
        assert!(!see_ge(&evaluator, &position, mv, expected + 1));
    }
}

fn check(name: &str, cases: &[(&'static str, &'static str, &'static str)]) {
    let game = GameDef::builtin(name).unwrap();
    for &(fen, mv, wins) in cases {
        dispatch(&game, &Case { fen, mv, wins });
    }
}

#[test]
fn exchanges_in_chess() {
    check(
        "chess",
        &[
            ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", "P-"),
            ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", "P-N"),
            // A quiet move to an attacked square.
            ("4k3/8/3p4/8/8/8/8/4K2N w - - 0 1", "h1g3", "-"),
            ("4k3/8/3p4/8/8/5N2/8/4K3 w - - 0 1", "f3e5", "-N"),
            // The king may not recapture on an attacked square.
            ("4k3/3p4/8/8/8/8/3R4/3RK3 w - - 0 1", "d2d7", "P-"),
            ("4k3/3p4/8/8/8/8/3R4/4K3 w - - 0 1", "d2d7", "P-R"),
            // En passant, promotion, castling.
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "P-"),
            ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", "Q-P"),
            ("1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", "-P"),
            ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "-"),
        ],
    );
}

#[test]
fn follows_changing_screens() {
    check(
        "gamma2",
        &[
            // The ship e8 has its screen on e7, or none.
            ("k3s5/4n5/10/4p5/10/10/10/4R1K3 w - - 0 1", "e1e5", "P-R"),
            ("k3s5/10/10/4p5/10/10/10/4R1K3 w - - 0 1", "e1e5", "P-"),
            // The rook that takes leaves its ship without a screen...
            ("k3r5/10/10/4p5/10/4R5/10/4S1K3 w - - 0 1", "e3e5", "P-R"),
            // ...unless another piece stands between.
            ("k3r5/10/10/4p5/10/4R5/4N5/4S1K3 w - - 0 1", "e3e5", "P-"),
        ],
    );
}

#[test]
fn berolina_pawns_capture_straight_ahead() {
    check(
        "berolina",
        &[
            ("4k3/8/4p3/4p3/8/8/8/4R1K1 w - - 0 1", "e1e5", "P-R"),
            ("4k3/3p1p2/8/4p3/8/8/8/4R1K1 w - - 0 1", "e1e5", "P-"),
        ],
    );
}

#[test]
fn cannon_shots_remove_two_pieces() {
    check(
        "gunnery",
        &[
            ("k3q3/8/8/8/4N3/8/4P3/6K1 w - - 0 1", "e2e8", "Q-P"),
            // The reply is a cannon shot from e7 over e6.
            ("k7/4p3/4n3/8/4p3/8/8/4Q1K1 w - - 0 1", "e1e4", "PP-Q"),
            // Without a screen there is no reply.
            ("k7/4p3/8/8/4p3/8/8/4Q1K1 w - - 0 1", "e1e4", "P-"),
            // The cannon shot would trade a pawn for a pawn.
            ("k7/4p3/4n3/8/4p3/5P2/8/6K1 w - - 0 1", "f3e4", "P-"),
        ],
    );
}

#[test]
fn joker_captures_as_the_opponents_last_piece() {
    check(
        "apothecary2",
        &[
            ("***4***/k9/10/10/5j4/10/4p5/2N7/10/10/5K3R/***4***[:Kk] w - - 0 30", "c4e5", "P-N"),
            ("***4***/k9/10/10/5j4/10/4p5/10/10/10/4R1K3/***4***[:Kk] w - - 0 30", "e1e5", "P-"),
            // The rook recaptures as a rook, which changes what the joker imitates again.
            ("***4***/k9/10/10/5j4/10/4p5/2N7/10/10/4R1K3/***4***[:Kk] w - - 0 30", "c4e5", "P-"),
        ],
    );
}

/// An explosion ends the exchange, and takes pieces of both sides.
#[test]
fn explosions_are_counted() {
    check(
        "atomic",
        &[
            ("4k3/8/2n1p3/2pr4/2N1N3/8/8/3RK3 w - - 0 1", "d1d5", "RN-RNN"),
            ("4k3/8/2n5/3r4/8/8/8/3RK3 w - - 0 1", "d1d4", "-R"),
        ],
    );
    check("atomar", &[("4k3/8/2b5/2np4/2N1K3/8/8/R7 w - - 0 1", "e4d5", "PBN-N")]);
}

/// A capture wins the piece in the pocket, too, where a promoted piece is a pawn.
#[test]
fn captures_fill_the_pocket() {
    let game = load_game("crazyhouse").unwrap();
    for (fen, mv, wins) in [
        ("4k3/8/8/q7/8/8/8/R3K3[] w - - 0 1", "a1a5", "Q-"),
        ("4k3/8/3p4/8/8/8/8/4K3[N] w - - 0 1", "N@e5", "-N"),
        ("4k3/8/8/8/8/8/8/4K3[N] w - - 0 1", "N@e5", "-"),
    ] {
        dispatch(&game, &Case { fen, mv, wins });
    }
    let evaluator = Evaluator::<General64>::new(&Tables::new(&game), &Weights::for_game(&game));
    let [queen, pawn] = ['Q', 'P'].map(|letter| game.kinds.by_letter(letter).unwrap());
    let promoted = evaluator.see_value(game.kinds.promoted_copy(queen).unwrap());
    assert!(promoted < evaluator.see_value(queen) && promoted > evaluator.see_value(pawn), "{promoted}");
}
