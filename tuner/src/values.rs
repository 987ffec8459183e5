//! Piece values measured from games, with error bars.

pub mod analysis;
pub mod candidate;
pub mod claims;
pub mod data;
pub mod design;
pub mod game_stats;
pub mod inference;
pub mod model;
pub mod playtest;
pub mod results;
pub mod simulate;
