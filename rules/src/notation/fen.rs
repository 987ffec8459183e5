//! FEN: positions as one line of text.
//!
//! The fields are standard. On input the two counters may be missing, as in EPD, and a move number
//! of 0 is 1. Games with pockets or a joker add a bracket to the board field, and games that count
//! checks a field `3+3`; see `rules/RULES.md` for the exact format.
//!
//! ```
//! use assay_rules::{GameDef, Position};
//!
//! let chess = GameDef::builtin("chess").unwrap();
//! let position = Position::from_fen(&chess, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").unwrap();
//! assert_eq!(position.fen(), "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
//!
//! let error = Position::from_fen(&chess, "4k3/8/8/8/8/8/4P2/4K3 w - - 0 1").unwrap_err();
//! assert_eq!(error.to_string(), "FEN column 18 (board): found 7 squares on rank 2, expected 8");
//! ```

mod read;
mod write;

use std::sync::Arc;

use thiserror::Error;

use crate::variant::GameDef;
use crate::variant::{Position, Setup, SetupErrors, SetupWarning};

pub(crate) use read::read_pieces;
pub use write::board_text;

/// A line of EPD: a FEN whose counters may be missing, then operations.
#[derive(Clone, Debug)]
pub struct Epd<'t> {
    pub position: Position,
    /// A warning for each part of the FEN that is ignored.
    pub warnings: Vec<SetupWarning>,
    /// The FEN as it is written, with the counters that it lacks.
    pub fen: String,
    /// What follows the FEN: operations, separated by semicolons.
    pub operations: &'t str,
}

impl<'t> Epd<'t> {
    /// Reads a line of EPD, or a FEN with anything behind a semicolon. The operations `hmvc` and
    /// `fmvn` set the counters.
    ///
    /// # Errors
    /// Returns a syntax error, or all reasons why the position is impossible. Castling of Fischer
    /// Random Chess in a position of chess is an error, too: a file has many positions, and this is
    /// another game.
    pub fn read(game: &Arc<GameDef>, line: &'t str) -> Result<Epd<'t>, FenError> {
        let (setup, fen, operations) = read::read_epd(game, line)?;
        let (position, warnings) = Position::from_setup(game, &setup)?;
        if lost_chess960_castling(game, &fen, &warnings) {
            return Err(FenError::Chess960);
        }
        Ok(Epd { position, warnings, fen, operations })
    }

    /// A line of a file of positions without the byte-order mark and the NULs that some programs
    /// write; `None` if nothing is left or it is a comment, which begins with `#` or `%`.
    pub fn line(text: &str) -> Option<&str> {
        let text = text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '\0' | '\u{feff}'));
        (!text.is_empty() && !text.starts_with(['#', '%'])).then_some(text)
    }
}

impl Position {
    /// The default start position of a game.
    ///
    /// # Panics
    /// Panics if the game has no valid start position. [`GameDef::from_toml`] rejects such games.
    pub fn start(game: &Arc<GameDef>) -> Position {
        Position::from_fen(game, &game.starts[game.default_start].fen)
            .expect("start positions are validated on loading")
    }

    /// Reads a FEN and validates the position. Warnings are discarded; [`Position::read_fen`]
    /// returns them.
    ///
    /// # Errors
    /// Returns a syntax error, or all reasons why the position is impossible.
    pub fn from_fen(game: &Arc<GameDef>, fen: &str) -> Result<Position, FenError> {
        Position::read_fen(game, fen).map(|(position, _warnings)| position)
    }

    /// Reads a FEN and validates the position. Returns a warning for each part that is ignored.
    ///
    /// # Errors
    /// Returns a syntax error, or all reasons why the position is impossible.
    pub fn read_fen(game: &Arc<GameDef>, fen: &str) -> Result<(Position, Vec<SetupWarning>), FenError> {
        Ok(Position::from_setup(game, &Setup::from_fen(game, fen)?)?)
    }
}

/// Returns true if chess has left out rights of a FEN that are exact in Fischer Random Chess, of
/// which the position probably is.
pub(super) fn lost_chess960_castling(game: &GameDef, fen: &str, warnings: &[SetupWarning]) -> bool {
    let is_chess = !warnings.is_empty() && game.name == "chess" && game.is_builtin();
    let chess960 = GameDef::builtin("fischerandom").filter(|_| is_chess);
    let read = chess960.and_then(|game| Position::read_fen(&game, fen).ok());
    read.is_some_and(|(_, warnings)| warnings.is_empty())
}

/// A field of a FEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Field {
    /// Pieces on the board.
    Board,
    /// Pockets and last moved kinds, in brackets after the board.
    Pocket,
    SideToMove,
    Rights,
    /// En passant square.
    EnPassant,
    /// Limit of a count of moves.
    CountLimit,
    /// Checks that the sides still have to give.
    Checks,
    /// Plies since the last capture or pawn move.
    HalfmoveClock,
    /// The move number.
    FullmoveNumber,
}

impl Field {
    /// Name of the field in messages.
    pub const fn name(self) -> &'static str {
        match self {
            Field::Board => "board",
            Field::Pocket => "pocket",
            Field::SideToMove => "side to move",
            Field::Rights => "rights",
            Field::EnPassant => "en passant",
            Field::CountLimit => "limit of the count",
            Field::Checks => "checks",
            Field::HalfmoveClock => "halfmove clock",
            Field::FullmoveNumber => "move number",
        }
    }
}

/// Why a FEN was rejected.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FenError {
    /// The FEN does not have four to six fields.
    #[error(
        "FEN has {found} fields, expected six: board, side to move, rights, en passant, halfmove clock, move number \
         (the last two may be missing)"
    )]
    FieldCount {
        /// Number of fields.
        found: usize,
    },
    /// A field is malformed.
    #[error("FEN column {column} ({}): found {found}, expected {expected}", .field.name())]
    Syntax {
        field: Field,
        /// Column of the error in characters, counted from 1.
        column: usize,
        /// What was found.
        found: String,
        /// What was expected.
        expected: String,
    },
    /// A position of chess has castling rights of Fischer Random Chess.
    #[error("found castling rights of Chess960, expected those of chess or the game fischerandom")]
    Chess960,
    /// The FEN is well-formed, but the position is impossible.
    #[error("impossible position: {0}")]
    Impossible(#[from] SetupErrors),
}
