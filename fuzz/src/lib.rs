//! Fuzz targets for every text and file that Assay reads.
//!
//! A target ([`targets`]) is a plain function of bytes that panics if Assay violates one of its invariants. Two drivers call the targets:
//! libFuzzer (`fuzz_targets/`, nightly Rust), guided by coverage, and `fuzz-stable` ([`driver`]), which mutates seeds at random.

#![expect(clippy::missing_panics_doc, reason = "panics of targets are findings")]

pub mod driver;
pub mod memory;
pub mod mutate;
pub mod seeds;
pub mod targets;
