//! Random games that check the generators against each other: choosing moves that reach rare rules,
//! recording which rules a game reaches, and comparing the generators in every position.

pub mod detect;
pub mod exercised;
pub mod lockstep;
pub mod mechanism;
pub mod positions;
pub mod random_player;
pub mod report;
