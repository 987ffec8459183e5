//! Statistical inference: estimates with their errors, intervals, tests and diagnostics.

pub mod bootstrap;
pub mod convergence;
pub mod cross_validation;
pub mod diagnostics;
pub mod feedback;
pub mod fieller;
pub mod fit;
pub mod given_material;
pub mod precision;
pub mod quantity;
pub mod ranks;
pub mod scale;
pub mod slices;
pub mod table;
pub mod units;
pub mod verdict;
mod without_feedback;

pub use assay_selfplay::statistics::{
    CONFIDENCE_LEVEL, ClusterSums, ClusteredMean, Estimate, NO_ERROR, critical_value, f_survival, holm,
    normal_critical_value, range, t_critical_value, wilson_interval,
};
pub use bootstrap::Bootstrap;
pub use convergence::Convergence;
pub use cross_validation::CrossValidation;
pub use diagnostics::{Diagnostics, GroupResidual, MaterialScore};
pub use feedback::Feedback;
pub use fit::Fit;
pub use given_material::{GivenDifference, GivenMaterial};
pub use precision::{Precision, next_round};
pub use quantity::{JointTest, LARGEST, Quantity, Sample};
pub use ranks::RankedPiece;
pub use slices::PhaseSlice;
pub use table::{MeasuredValue, ValueTable};
pub use units::Unit;
pub use verdict::{ValueVerdict, max_width};

#[cfg(test)]
pub(in crate::values) mod liars;
