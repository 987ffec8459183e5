//! Random game definitions, and the checks that every game must pass.
//!
//! [`definition`] makes a valid definition file from a seed: board, holes, hanging squares, pieces
//! with random XBetza, pawns, promotion, castling, gating, drops, jokers, cannons, endings and
//! starts. [`check`] plays the game with both generators, with the search and in self-play. The
//! program does both for many seeds:
//!
//! ```text
//! cargo run --release -p assay-usergames -- --games 2000 --seed 1
//! ```

// Keys of a definition are optional; functions that draw one return what its field takes.
#![allow(clippy::unnecessary_wraps)]

mod check;
mod definition;
mod movement;
mod random;

pub use check::{Checks, check};
pub use definition::{definition, keys};
pub use movement::{movement_text, random_movement};
