//! Tests of the program `assay`, which run it as a process.

#[cfg(target_os = "linux")]
mod clock;
mod driver;
mod interrupt;
mod options;
mod output;
