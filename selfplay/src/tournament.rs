//! Matches and tournaments: adjudication, the score of a pairing with its statistics, and the speed
//! of the players.

pub mod adjudication;
pub mod score;
pub mod search_totals;
