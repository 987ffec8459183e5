//! Statistical inference: estimates with their errors, intervals, tests and diagnostics.

pub mod bootstrap;
pub mod clustered_mean;
pub mod convergence;
pub mod cross_validation;
pub mod diagnostics;
pub mod distributions;
pub mod estimate;
pub mod fieller;
pub mod fit;
pub mod given_material;
pub mod precision;
pub mod quantity;
pub mod ranks;
pub mod scale;
pub mod slices;
pub mod units;
pub mod verdict;

#[cfg(test)]
pub(in crate::values) mod liars;
