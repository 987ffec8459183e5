//! Checking counts: which are to be made, making them, and finding where the generators part.

pub mod descend;
pub mod junit;
pub mod plan;
