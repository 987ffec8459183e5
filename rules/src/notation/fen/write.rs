//! FEN writer.

use crate::types::board::Board;
use crate::types::color::Color;
use crate::variant::Position;

/// The board field of a FEN, from the text of each file and rank, counted from zero; `None` for an
/// empty square.
pub fn board_text(board: &Board, text: impl Fn(u8, u8) -> Option<String>) -> String {
    let rank_text = |rank: u8| -> String {
        let texts: Vec<Option<String>> = (0..board.files()).map(|file| text(file, rank)).collect();
        let runs = texts.chunk_by(|left, right| left.is_none() && right.is_none());
        runs.map(|run| run[0].clone().unwrap_or_else(|| run.len().to_string())).collect()
    };
    (0..board.ranks()).rev().map(rank_text).collect::<Vec<_>>().join("/")
}

impl Position {
    /// The FEN of the position: six fields, and in games that count checks a seventh, the fifth of
    /// them.
    pub fn fen(&self) -> String {
        format!(
            "{}{} {} {} {}{} {} {}",
            self.fen_board(),
            self.fen_bracket(),
            self.turn().text(),
            self.fen_rights(),
            self.fen_en_passant(),
            self.fen_checks(),
            self.halfmove_clock(),
            self.fullmove_number()
        )
    }

    fn fen_board(&self) -> String {
        let (game, board) = (self.game(), &self.game().board);
        board_text(board, |file, rank| {
            let Some(square) = board.square_at(file.into(), rank.into()) else { return Some("*".to_owned()) };
            let Some(piece) = self.piece_at(square) else {
                return self.walls().contains(square).then(|| "*".to_owned());
            };
            let copy = if game.kind(piece.kind).copy_of.is_some() { "~" } else { "" };
            Some(game.kinds.symbol(piece.kind, piece.color) + copy)
        })
    }

    fn fen_bracket(&self) -> String {
        let game = self.game();
        if game.pocket_kinds().is_empty() && game.kinds.joker().is_none() {
            return String::new();
        }
        let mut text = String::from("[");
        for color in Color::ALL {
            text.extend(self.pocket(color).iter().map(|&kind| game.kinds.letter(kind, color)));
        }
        if game.kinds.joker().is_some() {
            text.push(':');
            for color in Color::ALL {
                let kind = self.last_moved_as(color);
                text += &kind.map_or_else(|| "-".to_owned(), |kind| game.kinds.symbol(kind, color));
            }
        }
        text.push(']');
        text
    }

    fn fen_rights(&self) -> String {
        let (game, rights) = (self.game(), self.written_rights());
        let implied = game.rights_implied_by_castling(rights);
        let text: String =
            rights.iter().filter(|&index| !implied.contains(index)).map(|index| game.rights[index].letter).collect();
        if text.is_empty() { "-".to_owned() } else { text }
    }

    /// The checks that White and Black still have to give, with a space before them.
    fn fen_checks(&self) -> String {
        let left = |color| self.checks_left(color);
        let counts =
            self.game().mechanisms.check_count.map(|_| format!(" {}+{}", left(Color::White), left(Color::Black)));
        counts.unwrap_or_default()
    }

    /// The en passant square, or in games that count moves the limit of the count, as
    /// Fairy-Stockfish writes it.
    fn fen_en_passant(&self) -> String {
        if let Some(limit) = self.count_limit() {
            return limit.to_string();
        }
        let board = &self.game().board;
        match self.en_passant() {
            None => "-".to_owned(),
            Some(capture) if self.game().double_step_is_ambiguous() => {
                board.square_name(capture.passed) + &board.square_name(capture.victim)
            }
            Some(capture) => board.square_name(capture.passed),
        }
    }
}
