//! Legal targets and promotion choices of a lifted piece, for variants that the GUI does not know.

use assay_rules::fen::board_text;
use assay_rules::{Move, Position, Square};

/// Reply to `lift`: the targets of the piece. Yellow: move, red: capture, magenta: promotion.
pub(super) fn format_highlight(position: &Position, from: Square) -> String {
    let board = &position.game().board;
    let moves: Vec<_> =
        position.legal_moves().into_iter().filter(|mv| mv.from() == from && !matches!(mv, Move::Drop { .. })).collect();
    let color = |square: Square| {
        let to: Vec<_> = moves.iter().filter(|mv| mv.to() == square).collect();
        if to.is_empty() {
            None
        } else if to.iter().any(|mv| mv.promotion().is_some()) {
            Some('M')
        } else if position.piece_at(square).is_some() {
            Some('R')
        } else {
            Some('Y')
        }
    };
    let mark = |file: u8, rank: u8| color(Square(rank * board.files() + file)).map(String::from);
    format!("highlight {}", board_text(board, mark))
}

/// Reply to `put` if a pawn can promote on `to`: the letters of the choices, default first.
pub(super) fn promotion_choice(position: &Position, from: Square, to: Square) -> Option<String> {
    let game = position.game();
    let moves: Vec<_> = position.legal_moves().into_iter().filter(|mv| mv.from() == from && mv.to() == to).collect();
    let mut letters: String = moves.iter().filter_map(|mv| mv.promotion()).map(|kind| game.kind(kind).letter).collect();
    if letters.is_empty() {
        return None;
    }
    if moves.iter().any(|mv| mv.promotion().is_none()) {
        letters.push(game.kind(game.first_pawn()).letter);
    }
    Some(format!("choice {letters}"))
}

#[cfg(test)]
mod tests {
    use assay_rules::GameDef;

    use super::*;

    #[test]
    fn colors_targets_by_kind_of_move() {
        let gunnery = GameDef::builtin("gunnery").unwrap();
        let fen = "4k3/P7/8/3p4/4P3/8/8/4K3 w - - 0 1";
        let position = Position::from_fen(&gunnery, fen).unwrap();
        let square = |name: &str| gunnery.board.parse_square(name).unwrap();
        assert_eq!(format_highlight(&position, square("e4")), "highlight 8/8/8/3RY3/8/8/8/8");
        assert_eq!(format_highlight(&position, square("a7")), "highlight M7/8/8/8/8/8/8/8");
        assert_eq!(format_highlight(&position, square("c3")), "highlight 8/8/8/8/8/8/8/8");
        assert_eq!(promotion_choice(&position, square("a7"), square("a8")).as_deref(), Some("choice QRBN"));
        assert_eq!(promotion_choice(&position, square("e4"), square("e5")), None);
    }
}
