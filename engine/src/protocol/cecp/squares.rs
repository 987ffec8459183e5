//! Squares and moves in XBoard's notation. Ranks count from 1, or from 0 on boards of exactly 10
//! ranks.

use assay_rules::{Board, GameDef, Move, Position, Square, san, uci};

/// The number that XBoard gives the first rank.
fn first_rank_number(board: &Board) -> u8 {
    u8::from(board.ranks() != 10)
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

/// Converts a move from UCI notation or SAN. Returns any other text unchanged.
pub fn move_to_xboard(game: &GameDef, text: &str) -> String {
    renumber_ranks(text, rank_shift(&game.board))
}

/// Converts a move to UCI notation; `None` if it is malformed.
pub fn move_from_xboard(game: &GameDef, text: &str) -> Option<String> {
    let board = &game.board;
    let shift = -rank_shift(board);
    if let Some((piece, square)) = text.split_once('@') {
        let is_drop = !piece.is_empty() && parse_square_prefix(board, square)?.1.is_empty();
        return is_drop.then(|| renumber_ranks(text, shift));
    }
    let (from, rest) = parse_square_prefix(board, text)?;
    let (to, rest) = parse_square_prefix(board, rest)?;
    let (suffix, wall) = rest.split_at(rest.find(',').unwrap_or(rest.len()));
    // XBoard writes declined promotions as promotions to pawn, in shogi as `=`.
    let pawn = game.kind(game.first_pawn()).letter;
    let suffix = if suffix.eq_ignore_ascii_case(&pawn.to_string()) || suffix == "=" { "" } else { suffix };
    Some(board.square_name(from) + &board.square_name(to) + suffix + &renumber_ranks(wall, shift))
}

/// Converts a move in SAN, whose ranks XBoard numbers as in other moves.
pub fn san_from_xboard(game: &GameDef, text: &str) -> String {
    renumber_ranks(text, -rank_shift(&game.board))
}

/// XBoard's number of a rank minus the game's.
fn rank_shift(board: &Board) -> i16 {
    i16::from(first_rank_number(board)) - i16::from(board.first_rank())
}

/// Adds to each number behind a letter: a file, or in SAN a piece.
fn renumber_ranks(text: &str, shift: i16) -> String {
    if shift == 0 {
        return text.to_owned();
    }
    let parts = text.split_inclusive(|c: char| c.is_ascii_alphabetic());
    let renumbered = parts.enumerate().map(|(index, part)| {
        let end = part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len());
        // The first part has no letter before it, as in `0-0`.
        match part[..end].parse::<i16>().ok().and_then(|number| number.checked_add(shift)) {
            Some(number) if index > 0 => format!("{number}{}", &part[end..]),
            _ => part.to_owned(),
        }
    });
    renumbered.collect()
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

    #[test]
    fn numbers_ranks_of_drops_walls_and_san_like_xboard() {
        // Ranks 1 to 10 are 0 to 9 in XBoard.
        let grand = GameDef::builtin("grand").unwrap();
        for (text, xboard) in
            [("N@e4", "N@e3"), ("+P@e10", "+P@e9"), ("e2e3,e3a9", "e1e2,e2a8"), ("a9a10q,a10b1", "a8a9q,a9b0")]
        {
            assert_eq!(move_to_xboard(&grand, text), xboard);
            assert_eq!(move_from_xboard(&grand, xboard).as_deref(), Some(text), "{xboard}");
        }
        for (text, xboard) in [("Ne4", "Ne3"), ("R10xa9+", "R9xa8+"), ("axb10=Q#", "axb9=Q#"), ("0-0", "0-0")] {
            assert_eq!(move_to_xboard(&grand, text), xboard);
            assert_eq!(san_from_xboard(&grand, xboard), text, "{xboard}");
        }
        assert_eq!(move_from_xboard(&grand, "e8e9p,e9a0").as_deref(), Some("e9e10,e10a1"));
        for wrong in ["@e3", "N@", "N@e3+", "N@e10", "e3"] {
            assert_eq!(move_from_xboard(&grand, wrong), None, "{wrong}");
        }
    }
}
