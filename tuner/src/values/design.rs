//! The design matrix: regressors, and the rows that hold them.

pub mod columns;
pub mod matrix;
pub mod phase;
pub mod terms;
