//! Fuzz targets for every text and file that Assay reads.
//!
//! A target ([`targets`]) is a plain function of bytes that panics if Assay violates one of its
//! invariants. The program `fuzz` runs one with libFuzzer, guided by coverage; the tests run all of
//! them on their seeds.

#![expect(clippy::missing_panics_doc, reason = "panics of targets are findings")]

pub mod memory;
pub mod patch;
pub mod seeds;
pub mod targets;
