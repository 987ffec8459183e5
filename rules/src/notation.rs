//! Text formats for positions, moves and games.

pub mod fen;
pub mod pgn;
pub mod san;
pub mod start;
pub mod uci;
