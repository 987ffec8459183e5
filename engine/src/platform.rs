//! Code specific to processors and operating systems.

mod cpu_features;
mod huge_pages;

pub use cpu_features::CpuFeatures;
pub(crate) use cpu_features::{dispatch_avx2, dispatch_bmi, dispatch_target_feature, require_bmi};
pub(crate) use huge_pages::{HugePages, prefetch};
