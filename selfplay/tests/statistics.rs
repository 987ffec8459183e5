//! Checks the statistics against published figures: `testdata/statistics/published.toml`.

use std::fs;

use assay_selfplay::statistics::{ConfidenceInterval, EloEstimate, EloModel, ResultCounts, Sprt};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Published {
    llr: Vec<PublishedLlr>,
    elo: Vec<PublishedElo>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PublishedLlr {
    source: String,
    counts: Vec<u64>,
    elo: [f64; 2],
    model: String,
    llr: f64,
    #[serde(default = "half_of_last_digit")]
    tolerance: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PublishedElo {
    source: String,
    counts: Vec<u64>,
    elo: Option<[f64; 2]>,
    normalized: Option<[f64; 2]>,
    normalized_value: Option<f64>,
    los: Option<f64>,
    draw_ratio: Option<f64>,
    pairs_ratio: Option<f64>,
    mean: Option<f64>,
}

fn half_of_last_digit() -> f64 {
    0.005
}

fn published() -> Published {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../testdata/statistics/published.toml");
    toml::from_str(&fs::read_to_string(file).unwrap()).unwrap()
}

#[test]
fn reproduces_published_llrs() {
    let cases = published().llr;
    assert!(cases.iter().filter(|case| case.counts.len() == 5).count() >= 3);
    for case in cases {
        let counts = ResultCounts::from_counts(&case.counts).unwrap();
        let model = EloModel::from_name(&case.model).unwrap();
        let sprt = Sprt::new(case.elo[0], case.elo[1], 0.05, 0.05, model).unwrap();
        let llr = sprt.llr(&counts);
        // 1e-9: a figure halfway between two roundings may be off by floating-point error.
        let close = (llr - case.llr).abs() <= case.tolerance + 1e-9;
        assert!(close, "{}: found {llr}, expected {}", case.source, case.llr);
    }
}

fn assert_printed(source: &str, what: &str, found: f64, printed: f64, unit: f64) {
    let close = (found - printed).abs() <= unit / 2.0 + 1e-9;
    assert!(close, "{source}, {what}: found {found}, expected {printed}");
}

#[test]
fn reproduces_published_elo_and_intervals() {
    for case in published().elo {
        let counts = ResultCounts::from_counts(&case.counts).unwrap();
        let estimate = EloEstimate::from_counts(&counts).unwrap();
        let check = |what: &str, found: ConfidenceInterval, printed: Option<[f64; 2]>| {
            let Some([value, half]) = printed else { return };
            assert_printed(&case.source, what, found.value, value, 0.01);
            assert_printed(&case.source, what, found.half_width(), half, 0.01);
        };
        check("elo", estimate.elo, case.elo);
        check("normalized elo", estimate.normalized_elo, case.normalized);
        for (what, found, printed, unit) in [
            (
                "normalized elo",
                Some(estimate.normalized_elo.value),
                case.normalized_value,
                0.01,
            ),
            ("los", Some(estimate.los), case.los, 0.0001),
            ("draw ratio", counts.draw_ratio(), case.draw_ratio, 0.0001),
            ("pairs ratio", counts.win_loss_ratio(), case.pairs_ratio, 0.01),
            ("mean", counts.mean(), case.mean, 0.00001),
        ] {
            if let Some(printed) = printed {
                assert_printed(&case.source, what, found.unwrap(), printed, unit);
            }
        }
    }
}
