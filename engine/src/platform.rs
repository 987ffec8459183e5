//! Code specific to processors and operating systems.

mod cpu_features;
mod huge_pages;

pub(crate) use cpu_features::has_fast_pext;
pub use cpu_features::{UnsupportedProcessor, check_processor, processor_has_x86_64_v3};
pub(crate) use huge_pages::{HugePages, prefetch};
