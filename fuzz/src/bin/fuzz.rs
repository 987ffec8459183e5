//! libFuzzer with the target that the environment variable `ASSAY_FUZZ_TARGET` names; `fuzz/run`
//! starts it.

#![no_main]

use std::fs::File;
use std::os::unix::fs::FileExt;
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

/// The input that runs: when the stack overflows, libFuzzer cannot save it. The file stays open,
/// because closing a file that was truncated waits for the disk.
static LAST: LazyLock<File> = LazyLock::new(|| {
    let artifacts = TARGET.folder("artifacts").expect("the folder can be created");
    File::create(artifacts.join("last")).expect("the file can be created")
});

fuzz_target!(
    init: TARGET.write_corpus().expect("the corpus can be written"),
    |data: &[u8]| {
        let written = LAST.set_len(data.len() as u64).and_then(|()| LAST.write_all_at(data, 0));
        written.expect("the input can be written");
        TARGET.check(data);
    }
);
