//! Random games that check the generators against each other: choosing moves that reach rare rules, recording which rules a
//! game reaches, and comparing the generators in every position.

pub mod detect;
pub mod lockstep;
pub mod mechanism;
pub mod random_player;
