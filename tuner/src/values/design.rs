//! The design matrix: regressors, and the rows that hold them.

pub mod export;
pub mod matrix;
pub mod phase;
pub mod spec;
