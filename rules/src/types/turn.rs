//! The side to move, including two-move handicaps.

use super::color::Color;

/// Largest halfmove clock and largest move number, far above the numbers of real games. Both stop
/// there, so that every position can be read back from its FEN.
pub const MAX_COUNT: u32 = 1_000_000;

/// Largest limit of a count of moves, in plies.
pub const MAX_COUNT_LIMIT: u32 = 2000;

/// The side to move, and the remaining moves of a two-move handicap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Turn {
    /// One move, then the other side.
    Single(Color),
    /// White makes the first of two moves (`ww` in a FEN).
    WhiteTwice,
    /// White makes one move, then Black two that may not capture (`wbqbq`).
    WhiteThenBlackTwice,
    /// Black makes the first of two moves that may not capture (`bqbq`).
    BlackTwice,
    /// Black makes the second of them (`bq`).
    BlackAgain,
}

impl Turn {
    /// The handicap turns with their text in a FEN.
    pub const HANDICAPS: [(Turn, &'static str); 4] = [
        (Turn::WhiteTwice, "ww"),
        (Turn::WhiteThenBlackTwice, "wbqbq"),
        (Turn::BlackTwice, "bqbq"),
        (Turn::BlackAgain, "bq"),
    ];

    pub const fn color(self) -> Color {
        match self {
            Turn::Single(color) => color,
            Turn::WhiteTwice | Turn::WhiteThenBlackTwice => Color::White,
            Turn::BlackTwice | Turn::BlackAgain => Color::Black,
        }
    }

    /// Returns true if the side to move may capture.
    pub const fn may_capture(self) -> bool {
        !matches!(self, Turn::BlackTwice | Turn::BlackAgain)
    }

    /// The turn after one move.
    #[must_use]
    pub fn next(self) -> Turn {
        match self {
            Turn::Single(color) => Turn::Single(!color),
            Turn::WhiteTwice | Turn::BlackAgain => Turn::Single(Color::White),
            Turn::WhiteThenBlackTwice => Turn::BlackTwice,
            Turn::BlackTwice => Turn::BlackAgain,
        }
    }

    /// The turn with this text in a FEN.
    pub fn from_text(text: &str) -> Option<Turn> {
        let single = Color::ALL.map(Turn::Single);
        let handicaps = Turn::HANDICAPS.map(|(turn, _)| turn);
        single.into_iter().chain(handicaps).find(|turn| turn.text() == text)
    }

    /// Text of the turn in a FEN.
    pub fn text(self) -> &'static str {
        match self {
            Turn::Single(Color::White) => "w",
            Turn::Single(Color::Black) => "b",
            other => Turn::HANDICAPS.iter().find(|(turn, _)| *turn == other).map_or("", |(_, text)| text),
        }
    }
}
