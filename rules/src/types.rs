//! Plain data shared by every module of the crate. Nothing here depends on another module.

pub mod board;
pub mod color;
pub mod movement;
pub mod moves;
pub mod outcome;
pub mod piece;
pub(crate) mod rights;
pub mod square;
pub(crate) mod turn;
