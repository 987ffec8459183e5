//! libFuzzer with the target that the environment variable `ASSAY_FUZZ_TARGET` names; `fuzz/run` starts it.

#![no_main]

use std::path::PathBuf;
use std::sync::LazyLock;

use assay_fuzz::memory::LimitedAllocator;
use assay_fuzz::targets::{Target, find};
use libfuzzer_sys::fuzz_target;

#[global_allocator]
static ALLOCATOR: LimitedAllocator = LimitedAllocator;

static TARGET: LazyLock<Target> = LazyLock::new(|| {
    let name = std::env::var("ASSAY_FUZZ_TARGET").unwrap_or_default();
    find(&name).unwrap_or_else(|| panic!("ASSAY_FUZZ_TARGET: found `{name}`, expected a target of fuzz/src/targets.rs"))
});

/// The input that runs. When the stack overflows, libFuzzer cannot save it.
static LAST: LazyLock<PathBuf> = LazyLock::new(|| {
    let artifacts = TARGET.folder("artifacts");
    artifacts.expect("the folder can be created").join("last")
});

fuzz_target!(
    init: TARGET.write_corpus().expect("the corpus can be written"),
    |data: &[u8]| {
        std::fs::write(&*LAST, data).expect("the input can be written");
        TARGET.check(data);
    }
);
