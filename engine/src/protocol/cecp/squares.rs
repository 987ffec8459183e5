//! Squares and moves in XBoard's notation. Ranks count from 1, or from 0 on boards of exactly 10
//! ranks.

use assay_rules::{Board, GameDef, Move, Position, Square, san, uci};

/// The number that XBoard gives the first rank.
fn first_rank_number(board: &Board) -> u8 {
    u8::from(board.ranks() != 10)
}

pub(super) fn square_name(board: &Board, square: Square) -> String {
    format!("{}{}", Board::file_letter(board.file(square)), board.rank(square) + first_rank_number(board))
}

/// Parses a square at the start of a text. Returns the square and the rest.
pub(super) fn parse_square_prefix<'t>(board: &Board, text: &'t str) -> Option<(Square, &'t str)> {
    let letter = text.chars().next().filter(char::is_ascii_lowercase)?;
    let rest = &text[1..];
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let number: i16 = rest[..end].parse().ok()?;
    let file = i16::from(letter as u8 - b'a');
    let square = board.square_at(file, number - i16::from(first_rank_number(board)))?;
    Some((square, &rest[end..]))
}

/// Returns true if kings and rooks begin on any files, as in Fischer Random Chess.
pub fn is_shuffled(game: &GameDef) -> bool {
    game.mechanisms.castling.as_ref().is_some_and(|castling| castling.from_any_file)
}

/// A legal move, with castling as `O-O` or `O-O-O` in a [shuffled](is_shuffled) game.
pub fn format_move(position: &Position, mv: Move) -> String {
    let game = position.game();
    if is_shuffled(game) {
        let text = san::format(position, mv);
        if text.starts_with("O-O") {
            return text.trim_end_matches(['+', '#']).to_owned();
        }
    }
    move_to_xboard(game, &uci::format(game, mv))
}

/// Converts a move from UCI notation. Returns any other text unchanged.
pub fn move_to_xboard(game: &GameDef, text: &str) -> String {
    let board = &game.board;
    let squares = || {
        let (from, rest) = board.parse_square_prefix(text)?;
        let (to, rest) = board.parse_square_prefix(rest)?;
        Some(square_name(board, from) + &square_name(board, to) + rest)
    };
    squares().unwrap_or_else(|| text.to_owned())
}

/// Converts a move to UCI notation; `None` if it is malformed.
pub fn move_from_xboard(game: &GameDef, text: &str) -> Option<String> {
    let board = &game.board;
    let (from, rest) = parse_square_prefix(board, text)?;
    let (to, rest) = parse_square_prefix(board, rest)?;
    // XBoard writes declined promotions as promotions to pawn, in shogi as `=`.
    let pawn = game.kind(game.first_pawn()).letter;
    let rest = if rest.eq_ignore_ascii_case(&pawn.to_string()) || rest == "=" { "" } else { rest };
    Some(board.square_name(from) + &board.square_name(to) + rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_ranks_like_xboard() {
        let chess = GameDef::builtin("chess").unwrap();
        assert_eq!(move_from_xboard(&chess, "e7e8q").as_deref(), Some("e7e8q"));
        assert_eq!(move_to_xboard(&chess, "e7e8q"), "e7e8q");
        // Ranks 0 to 11 are 1 to 12 in XBoard.
        let apothecary = GameDef::builtin("apothecary2").unwrap();
        assert_eq!(move_to_xboard(&apothecary, "b2c4j"), "b3c5j");
        assert_eq!(move_from_xboard(&apothecary, "b3c5j").as_deref(), Some("b2c4j"));
        assert_eq!(move_from_xboard(&apothecary, "d12d11").as_deref(), Some("d11d10"));
        assert_eq!(move_from_xboard(&apothecary, "e8e9p").as_deref(), Some("e7e8"));
        for wrong in ["", "e", "e2", "e2e", "é2e4", "e2e99", "e0e1", "z1z2", "e99999e1"] {
            assert_eq!(move_from_xboard(&chess, wrong), None, "{wrong}");
        }
    }
}
