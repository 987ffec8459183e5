//! Runs the fuzz targets without libFuzzer, on stable Rust.

use std::process::ExitCode;

use assay_fuzz::driver;
use assay_fuzz::memory::LimitedAllocator;

#[global_allocator]
static ALLOCATOR: LimitedAllocator = LimitedAllocator;

fn main() -> ExitCode {
    driver::main()
}
