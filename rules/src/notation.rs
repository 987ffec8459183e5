//! Text formats for positions, moves and games.

pub mod fen;
mod move_text;
pub mod pgn;
pub mod san;
pub mod start;
pub mod uci;

pub use move_text::{MoveError, parse_move};
