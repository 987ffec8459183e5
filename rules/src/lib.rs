//! The executable specification of Assay: chess variants defined as data.
//!
//! A game is a TOML file ([`def`]): board, pieces with their movement in XBetza notation
//! ([`betza`]), promotion, castling, endings and start positions. The crate validates definitions,
//! generates legal moves, applies the rules that end a game, and reads and writes [FEN](fen),
//! [SAN](san), [UCI moves](uci) and [PGN](pgn).
//!
//! The move generator is the reference that Assay's engine is tested against. It is simple rather
//! than fast: a mailbox board, moves taken directly from the movement definition, and legality
//! decided by playing each move on a copy of the position. The crate uses no threads, clocks or
//! files.
//!
//! ```
//! use assay_rules::{GameDef, Position};
//!
//! let chess = GameDef::builtin("chess").unwrap();
//! assert_eq!(Position::start(&chess).legal_moves().len(), 20);
//! ```

pub mod betza;
pub mod def;
pub mod game;
pub mod notation;
pub mod perft;
pub mod render;
pub mod text;
mod types;
mod variant;

/// Positions, and the fields of a FEN that they come from.
pub mod position {
    pub use crate::types::turn::{MAX_COUNT, MAX_COUNT_LIMIT, Turn};
    pub use crate::variant::{
        EnPassant, EnPassantField, Position, RepetitionKey, Setup, SetupError, SetupErrors, SetupWarning,
    };
}

pub use notation::{MoveError, fen, parse_move, pgn, san, start as starts, uci};
pub use render::{description, diagram, moves as moves_diagram, svg};
pub use types::{board, color, movement, moves, outcome, piece, square};
pub use variant::{Mark, marks};

pub use board::Board;
pub use color::{ByColor, Color};
pub use def::GameDef;
pub use game::Game;
pub use moves::Move;
pub use outcome::{Outcome, Points, Termination};
pub use piece::{Kind, Piece};
pub use position::{Position, Setup, Turn};
pub use square::{Square, SquareSet};

/// Compiles the example in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
