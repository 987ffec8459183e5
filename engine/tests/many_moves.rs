//! A position with more moves than a [`MoveList`] stores inline.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use assay_engine::{
    CompiledRuleset, Limits, Move, MoveList, PerftTable, Position, Searcher, Tables, Visitor, dispatch,
    dispatch_general,
};
use assay_rules::GameDef;

/// The largest board, with pieces that have thousands of moves. They do not capture, so that a king
/// can live among them.
const DEFINITION: &str = r#"
name = "crowded"
title = "Crowded board"
source = "made up for the tests"
board = { files = 16, ranks = 8 }
pawns = { home-rank = 2 }
promotion.8 = { to = "A" }

[pieces]
king = { letter = "K", move = "K", class = "king" }
amazon = { letter = "A", move = "mQmNNmLLmZZmDDmAA" }
pawn = { letter = "P", move = "fmWfcF", class = "pawn" }

[endings]
stalemate = 0.5
move-rule = 50
repetitions = 3
insufficient-material = [""]

[[starts]]
id = "1"
title = "amazons"
fen = "A1A1A1A1A1A1A1A1/1A1A1A1A1A1A1A1A/16/k15/16/1A1A1A1A1A1A1A1A/A1A1A1A1A1A1A1A1/1A1A1AKA1A1A1A1A w - - 0 1"
"#;

struct CountMoves;

impl Visitor for CountMoves {
    type Output = ();

    fn visit<R: CompiledRuleset>(self, tables: Arc<Tables<R>>) {
        let start = assay_rules::Position::start(tables.game());
        let mut position = Position::new(&tables, &start);
        let mut list = MoveList::new();
        position.legal_moves(&mut list);
        let mut moves: Vec<assay_rules::Move> = list.into_iter().map(|mv| position.to_rules_move(mv)).collect();
        moves.sort_unstable();
        assert_eq!(moves.len(), 1085);
        assert_eq!(moves, start.legal_moves());
        assert_eq!(position.count_moves(), moves.len());

        let to_corner: Vec<Move> = list.iter().copied().filter(|mv| mv.to().0 == 1).collect();
        list.retain(|mv| mv.to().0 == 1);
        assert_eq!(list.as_slice(), to_corner, "the kept moves fit inline");
        position.legal_moves(&mut list);
        assert_eq!(list.len(), moves.len(), "a list is used again");

        let table = PerftTable::new(1).unwrap();
        let leaves = position.perft(2);
        assert_eq!(position.perft_with(2, &table), leaves);
        assert_eq!(position.perft_full(2), leaves);
        let found = Searcher::new(&tables, 1).unwrap().search(
            &position,
            &Limits::nodes(2_000),
            &AtomicBool::new(false),
            &mut |_| {},
        );
        assert!(found.best_move.is_some_and(|mv| position.is_legal(mv)));
    }
}

#[test]
fn move_list_holds_any_number_of_moves() {
    let game = Arc::new(GameDef::from_toml(DEFINITION, "crowded.toml").unwrap());
    dispatch(&game, CountMoves);
    dispatch_general(&game, CountMoves);
}
