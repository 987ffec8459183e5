//! Estimates with their errors, and the tests made of them.

pub mod bootstrap;
pub mod cluster;
pub mod clustered;
pub mod convergence;
pub mod cross_validation;
pub mod diagnostics;
pub mod estimate;
pub mod fieller;
pub mod joint;
pub mod quantile;
pub mod verdict;
