//! README.md and the committed pictures and pages show the committed measurements.

use std::path::Path;

use assay_tuner::report::html::{self, IndexEntry};
use assay_tuner::report::overview::markdown;
use assay_tuner::values::results::MeasurementReport;

/// In the order of the command in `testdata/values/README.md`.
const GAMES: [&str; 6] = ["chess", "berolina", "gamma2", "gunnery", "scorpion", "apothecary2"];

#[test]
fn readme_and_renderings_match_the_committed_measurements() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let values = root.join("testdata/values");
    let reports = GAMES.map(|game| MeasurementReport::read(&values.join(format!("{game}.json"))).unwrap());
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    for line in markdown(&reports).lines() {
        assert!(readme.lines().any(|other| other == line), "README.md lacks: {line}");
    }
    let picture = std::fs::read_to_string(values.join("values.svg")).unwrap();
    assert!(
        picture == html::overview(&reports),
        "values.svg is not the picture of these measurements"
    );
    for (game, report) in GAMES.iter().zip(&reports) {
        let page = std::fs::read_to_string(values.join(format!("{game}.html"))).unwrap();
        assert!(
            page == html::measurement(report),
            "{game}.html is not the report of {game}.json"
        );
    }
    let entries = GAMES.iter().zip(&reports).map(|(game, report)| IndexEntry {
        report,
        link: Some(format!("{game}.html")),
    });
    let index = std::fs::read_to_string(values.join("index.html")).unwrap();
    assert!(
        index == html::index(&entries.collect::<Vec<_>>()),
        "index.html is not the page of these measurements"
    );
}
