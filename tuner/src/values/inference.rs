//! Estimates with their errors, and the tests made of them.

pub mod bootstrap;
pub mod clustered_mean;
pub mod convergence;
pub mod cross_validation;
pub mod diagnostics;
pub mod distributions;
pub mod estimate;
pub mod fieller;
pub mod joint_test;
pub mod sandwich;
pub mod verdict;
