//! Matches: adjudication, and the score with its statistics.

pub mod adjudication;
pub mod score;
