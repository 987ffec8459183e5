//! The targets on what is known.

use assay_fuzz::targets::TARGETS;

#[test]
fn every_target_is_listed() {
    let readme = include_str!("../README.md");
    let nightly = include_str!("../../.github/workflows/nightly.yml");
    for target in TARGETS {
        assert!(readme.contains(&format!("`{}`", target.name)), "README.md: {}", target.name);
        assert!(nightly.contains(&format!("\n          - {}\n", target.name)), "nightly.yml: {}", target.name);
    }
}

/// Every seed and every input that once failed.
#[test]
fn known_inputs_pass() {
    let failures = concat!(env!("CARGO_MANIFEST_DIR"), "/regressions");
    assert!(std::fs::read_dir(failures).unwrap().count() >= 4, "{failures}");
    for target in TARGETS {
        let inputs = target.inputs();
        assert!(!inputs.is_empty(), "{}: no inputs", target.name);
        for input in inputs {
            target.check(&input);
        }
    }
}
