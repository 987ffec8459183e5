//! What the program uses of the processor and the operating system beyond the standard library.

mod cpu_features;
mod huge_pages;

pub use cpu_features::CpuFeatures;
pub(crate) use cpu_features::{by_cpu_features, by_width, twice};
pub(crate) use huge_pages::{Pages, prefetch};
