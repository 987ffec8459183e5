//! FEN writer.

use crate::types::color::Color;
use crate::variant::Position;

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
        let board = &self.game().board;
        let mut text = String::new();
        for rank in (0..board.ranks()).rev() {
            let mut empty = 0;
            let flush = |empty: &mut u8, text: &mut String| {
                if *empty > 0 {
                    text.push_str(&empty.to_string());
                    *empty = 0;
                }
            };
            for file in 0..board.files() {
                let Some(square) = board.square_at(i16::from(file), i16::from(rank)) else {
                    flush(&mut empty, &mut text);
                    text.push('*');
                    continue;
                };
                match self.piece_at(square) {
                    None if self.walls().contains(square) => {
                        flush(&mut empty, &mut text);
                        text.push('*');
                    }
                    None => empty += 1,
                    Some(piece) => {
                        flush(&mut empty, &mut text);
                        text += &self.game().kinds.symbol(piece.kind, piece.color);
                        if self.game().kind(piece.kind).copy_of.is_some() {
                            text.push('~');
                        }
                    }
                }
            }
            flush(&mut empty, &mut text);
            if rank > 0 {
                text.push('/');
            }
        }
        text
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
        let counts = self
            .game()
            .mechanisms
            .check_count
            .map(|count| count.0)
            .map(|_| format!(" {}+{}", left(Color::White), left(Color::Black)));
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
