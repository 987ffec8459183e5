//! Verification of suites: running the counts, finding the first difference, reporting.

pub mod check;
pub mod first_difference;
pub mod report;
