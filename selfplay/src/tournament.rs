//! Matches: adjudication, the score with its statistics, and the speed of the players.

pub mod adjudication;
pub mod score;
pub mod search_totals;
