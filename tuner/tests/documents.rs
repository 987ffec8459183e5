//! What documents say of measured values is what the committed measurements say.

use std::path::Path;

use assay_tuner::report;
use assay_tuner::report::overview::{Measurement, markdown};

/// As in the command that `testdata/values/README.md` gives.
const GAMES: [&str; 6] = ["chess", "berolina", "gamma2", "gunnery", "scorpion", "apothecary2"];

#[test]
fn the_headline_is_that_of_the_committed_measurements() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let values = root.join("testdata/values");
    let measurements = GAMES.map(|game| Measurement::read(&values.join(format!("{game}.json"))).unwrap());
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    for line in markdown(&measurements).lines() {
        assert!(readme.lines().any(|other| other == line), "README.md lacks: {line}");
    }
    let picture = std::fs::read_to_string(values.join("values.svg")).unwrap();
    assert!(
        picture == report::overview(&measurements).into_string(),
        "values.svg is not the picture of these measurements"
    );
    for game in GAMES {
        assert!(values.join(format!("{game}.html")).exists(), "no report of {game}");
    }
}
