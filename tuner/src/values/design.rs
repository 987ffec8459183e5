//! The design matrix: columns, phase model, rows.

#[cfg(feature = "runs")]
pub mod export;
pub mod matrix;
pub mod phase;
pub mod spec;

pub use matrix::{DesignMatrix, DesignRow, Observation};
pub use phase::{FEW, FULL, KNOTS, PhaseModel};
pub use spec::{Column, DesignSpec};
