//! Assay's rules: the executable specification of chess games defined as data.
//!
//! Slow and obviously right: a mailbox board, moves stepped straight from the movement definition, each tried on a copy of
//! the position to see whether the king could be captured. It knows no bitboard, no thread, no clock and no file, and it is
//! the reference that the engine's generator is proven against.
//!
//! ```
//! use assay_rules::{GameDef, Position};
//!
//! let chess = GameDef::builtin("chess").unwrap();
//! assert_eq!(Position::start(&chess).legal_moves().len(), 20);
//! ```

pub mod betza;
pub mod board;
pub mod color;
pub mod def;
pub mod diagram;
pub mod fen;
pub mod history;
pub mod movement;
pub mod moves;
pub mod outcome;
pub mod perft;
pub mod pgn;
pub mod piece;
pub mod position;
pub mod san;
pub mod setup;
pub mod square;
pub mod starts;
pub mod svg;
pub mod uci;

pub use board::Board;
pub use color::{ByColor, Color};
pub use def::GameDef;
pub use history::Game;
pub use moves::Move;
pub use outcome::{Outcome, Points, Termination};
pub use piece::{Kind, Piece};
pub use position::{Position, Turn};
pub use setup::Setup;
pub use square::{Square, SquareSet};
