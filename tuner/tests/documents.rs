//! The table of values and the committed pictures and pages show the committed measurements. `UPDATE_SNAPSHOTS=1 cargo test -p assay-tuner
//! --test all documents` writes the pictures and pages again.

use std::path::Path;

use assay_cli::text::{MAX_WIDTH, wrap_at};
use assay_tuner::report::{atlas, ladder, measurement, overview, picture};
use assay_tuner::values::atlas::Atlas;
use assay_tuner::values::results::MeasurementReport;
use assay_tuner::values::stored_result::StoredResult;

/// In the order of the command in `testdata/values/README.md`.
const GAMES: [&str; 6] = ["chess", "berolina", "gamma2", "gunnery", "scorpion", "apothecary2"];

#[test]
fn table_and_renderings_match_the_committed_measurements() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let values = root.join("testdata/values");
    let reports = GAMES.map(|game| MeasurementReport::read(&values.join(format!("{game}.json"))).unwrap());
    let document = std::fs::read_to_string(values.join("README.md")).unwrap();
    let entries = GAMES.iter().zip(&reports).map(|(game, report)| (report.clone(), Some(format!("{game}.html"))));
    let overview = overview(&entries.collect::<Vec<_>>());
    assert!(document.contains(&overview.text()), "README.md lacks:\n{}", overview.text());
    check(&values.join("values.svg"), &picture(&reports.each_ref()));
    check(&values.join("index.html"), &overview.html());
    for (game, report) in GAMES.iter().zip(&reports) {
        let ladder = StoredResult::read(&values.join(format!("ladders/{game}.json"))).unwrap();
        let StoredResult::Ladder(ladder) = ladder else { panic!("found another result") };
        let text = self::ladder(&ladder).text();
        if *game == "chess" {
            assert!(document.contains(&text), "README.md lacks the ladder:\n{text}");
        } else {
            let (_, changes) = text.split_once("\n- ").unwrap();
            for sentence in changes.split("\n\n").next().unwrap().split("\n- ") {
                assert!(unwrapped(&document).contains(&unwrapped(sentence)), "README.md lacks: {sentence}");
            }
        }
        check(&values.join(format!("{game}.html")), &measurement(report, None, Some(&ladder)).html());
    }
}

#[test]
fn the_atlas_is_shown_as_it_was_measured() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/atlas");
    let measured: Atlas = serde_json::from_str(&std::fs::read_to_string(folder.join("atlas.json")).unwrap()).unwrap();
    let page = atlas::page(&measured);
    check(&folder.join("atlas.svg"), &atlas::picture(&measured));
    check(&folder.join("atlas.html"), &page.html());
    // README has the tables, up to the reasons for doubts.
    let text = page.text();
    let tables = text.split_once("\nAll pieces\n").unwrap().1.split_once("\nSources of").unwrap().0;
    let document = folder.join("README.md");
    let readme = std::fs::read_to_string(&document).unwrap();
    let (before, rest) = readme.split_once("```\nAll pieces\n").unwrap();
    let (_, after) = rest.split_once("```\n").unwrap();
    check(&document, &format!("{before}```\nAll pieces\n{tables}```\n{after}"));
}

/// The lines of README's transcript are broken as the program breaks them.
#[test]
fn the_transcript_is_wrapped_as_the_program_wraps_it() {
    let readme = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md")).unwrap();
    let (_, answer) = readme.split_once("\nWorth what is published").unwrap();
    let (answer, _) = answer.split_once("\nNarrower:").unwrap();
    let answer = format!("Worth what is published{answer}\n");
    assert_eq!(answer, wrap_at(MAX_WIDTH, "", &unwrapped(&answer)));
}

/// A text without its line breaks.
fn unwrapped(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Compares a committed file with what the measurements give now.
fn check(path: &Path, expected: &str) {
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::write(path, expected).unwrap();
    }
    let found = std::fs::read_to_string(path).unwrap_or_default();
    assert!(found == expected, "{} does not show the committed measurements", path.display());
}
