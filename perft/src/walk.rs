//! Random games: choosing moves that reach rare rules, naming what they reach, and proving the generators on the way.

pub mod choice;
pub mod mechanism;
pub mod prove;
