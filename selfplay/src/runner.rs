//! Playing games in parallel.

pub mod generate;
pub mod match_run;
pub mod play;
pub mod play_game;

pub use match_run::{MatchError, MatchProgress, MatchSummary, Place, play_match};
