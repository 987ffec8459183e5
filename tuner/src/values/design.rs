//! The design matrix: columns, phase model, rows.

pub mod export;
pub mod matrix;
pub mod phase;
pub mod spec;
