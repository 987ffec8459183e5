//! Matches and tournaments: adjudication, also by endgame tables, the score of a pairing with its statistics, and the speed of the players.

pub mod adjudication;
pub mod score;
pub mod search_totals;
pub mod tablebases;
