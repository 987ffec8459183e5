//! Matches: settings, adjudication and score.

pub mod adjudication;
pub mod score;
pub mod settings;
