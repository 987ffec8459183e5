//! Reports on simulated games with known values.

use std::collections::BTreeSet;

use assay_rules::GameDef;
use assay_tuner::report::{format, html, overview, sentences, text};
use assay_tuner::values::analysis::{AnalysisOptions, analyze};
use assay_tuner::values::data::regressor::Regressor;
use assay_tuner::values::design::phase::PhaseModel;
use assay_tuner::values::inference::verdict::ValueVerdict;
use assay_tuner::values::results::MeasurementReport;
use assay_tuner::values::simulate::{Simulation, near_published_values, synthetic_openings};

/// A measurement of simulated games of Gamma2 Chess. A pawn has these log-odds, the archer is worth half as much again as published, and
/// all other pieces have their published values.
fn measured_from(pairs: usize, pawn_log_odds: f64) -> MeasurementReport {
    let game = GameDef::builtin("gamma2").unwrap();
    let mut truth = near_published_values(&game, pawn_log_odds);
    for (truth, term) in truth.iter_mut().zip(Regressor::all(&game)) {
        let Regressor::Kind(kind) = term else { continue };
        let factor = if game.kind(kind).name == "archer" { 1.5 } else { 1.0 };
        truth.full = pawn_log_odds * factor * game.value_in_pawns(kind).unwrap();
        truth.bare = truth.full;
    }
    let planted = Simulation {
        truth,
        thresholds: vec![0.6],
        correlation: 0.3,
        openings: synthetic_openings(&game, 499, 1),
        pairs,
        positions: 6,
        game,
    };
    let options = AnalysisOptions {
        resamples: 200,
        ..AnalysisOptions::default()
    };
    let mut report = analyze(&planted.data(11), &options).unwrap().report;
    report.command = Some("assay-tuner validate gamma2".to_owned());
    report
}

fn measured(pairs: usize) -> MeasurementReport {
    measured_from(pairs, 0.4)
}

fn verdict(report: &MeasurementReport, piece: &str) -> ValueVerdict {
    report.values.iter().find(|value| value.piece == piece).unwrap().verdict
}

#[test]
fn known_values_lead_to_the_right_verdicts() {
    let report = measured(3_000);
    for piece in ["queen", "ship", "rook", "bishop", "knight"] {
        assert_eq!(
            verdict(&report, piece),
            ValueVerdict::Agrees,
            "{piece}: {:?}",
            report.values
        );
    }
    assert_eq!(verdict(&report, "archer"), ValueVerdict::Above);
    assert_eq!(verdict(&report, "pawn"), ValueVerdict::Unit);
    assert_eq!(verdict(&report, "king"), ValueVerdict::Unmeasurable);
    assert!(report.joint_test.unwrap().p < 0.001);
    let gain = report.cross_validation.as_ref().unwrap().gain_over_published.unwrap();
    assert!(gain.low > 0.0, "{gain:?}");
    let exponent = report.convergence.exponent.unwrap();
    // Few games leave the pawn itself uncertain, so that intervals narrow faster than the square-root law.
    assert!((-0.8..-0.4).contains(&exponent), "{exponent}");
    assert_eq!(report.convergence.games_to_halve, 24_000);
}

#[test]
fn text_has_tables_and_fits_the_terminal() {
    let printed = text::measurement(&measured(600));
    for expected in [
        "Gamma2 Chess",
        "6.2625",
        "95% interval",
        "not measurable: each side always has one",
    ] {
        assert!(printed.contains(expected), "{expected}: {printed}");
    }
    assert!(
        printed
            .replace("\n  ", " ")
            .contains("halving them needs four times as many: 4,800 games, 3,600 more."),
        "{printed}"
    );
    assert!(printed.lines().all(|line| line.chars().count() <= 120), "{printed}");
}

#[test]
fn html_needs_no_other_file() {
    let page = html::measurement(&measured(600));
    for outside in ["http", "src=", "<link", "<script", "url(", "@import"] {
        assert!(!page.contains(outside), "{outside} in the page");
    }
    for expected in [
        "<!DOCTYPE html>",
        "<svg",
        "archer",
        "assay-tuner validate gamma2",
        "prefers-color-scheme: dark",
    ] {
        assert!(page.contains(expected), "{expected} missing");
    }
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("report.html");
    std::fs::write(path, page).unwrap();
}

/// Names come from definition files and JSON, which may hold any character.
#[test]
fn pages_have_no_control_characters() {
    let mut report = measured(600);
    report.title = "A\u{1b}[31m\u{0}<b>".to_owned();
    report.values[0].piece = "que\u{7}en\u{202e}\u{85}".to_owned();
    report.command = Some("a\u{8}b".to_owned());
    let is_unsafe = |c: char| c.is_control() && c != '\n' || c == '\u{202e}';
    let reports = [report];
    for rendered in [html::measurement(&reports[0]), html::overview(&reports)] {
        assert!(rendered.contains(r"que\u{7}en\u{202e}\u{85}"), "{rendered}");
        assert!(!rendered.contains(is_unsafe), "{rendered:?}");
    }
}

#[test]
fn few_games_lead_to_a_simpler_phase_model() {
    let (many, few) = (measured(3_000), measured(60));
    assert_eq!(many.fit.phase_model, PhaseModel::PiecewiseLinear);
    assert_eq!(sentences::phase_model(&many), None);
    assert_ne!(few.fit.phase_model, PhaseModel::PiecewiseLinear);
    let sentence = sentences::phase_model(&few).unwrap();
    let printed = text::measurement(&few).replace("\n  ", " ");
    assert!(printed.contains(sentence), "{printed}");
}

#[test]
fn unbounded_intervals_are_reported() {
    // 60 openings cannot tell such a small pawn value from zero.
    let report = measured_from(60, 0.02);
    let printed = text::measurement(&report);
    let page = html::measurement(&report);
    assert!(
        printed.contains("unbounded") && printed.contains("inconclusive"),
        "{printed}"
    );
    assert!(page.contains("unbounded"));
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("wide.html");
    std::fs::write(path, page).unwrap();
}

#[test]
fn help_documents_all_json_keys() {
    let json = serde_json::to_value(measured(600)).unwrap();
    let help = include_str!("../src/commands.rs");
    let help = &help[help.find("Keys of --json:").unwrap()..];
    let help = &help[..help.find("\";").unwrap()];
    let mut undocumented = BTreeSet::new();
    let mut check = |value: &serde_json::Value| {
        for key in value.as_object().unwrap().keys() {
            if !help.contains(key.as_str()) {
                undocumented.insert(key.clone());
            }
        }
    };
    check(&json);
    for part in [
        "scale",
        "joint_test",
        "cross_validation",
        "convergence",
        "games",
        "fit",
        "bootstrap",
        "diagnostics",
    ] {
        check(&json[part]);
    }
    check(&json["values"][0]);
    for part in ["calibration", "by_phase", "by_kind"] {
        check(&json["diagnostics"][part][0]);
    }
    check(&json["diagnostics"]["collinearity"]["variance_inflation"][0]);
    check(&json["convergence"]["steps"][0]);
    check(&json["cross_validation"]["gain_over_constant"]);
    assert!(undocumented.is_empty(), "{undocumented:?}");
}

#[test]
fn json_is_enough_for_every_rendering() {
    let report = measured(1_500);
    let folder = tempfile::TempDir::new().unwrap();
    let path = folder.path().join("gamma2.json");
    std::fs::write(&path, serde_json::to_string(&report).unwrap()).unwrap();
    let read = MeasurementReport::read(&path).unwrap();
    assert_eq!(text::measurement(&read), text::measurement(&report));
    assert!(html::measurement(&read) == html::measurement(&report));
    let table = overview::markdown(std::slice::from_ref(&read));
    let archer = report.values.iter().find(|value| value.piece == "archer").unwrap();
    let row = table.lines().find(|line| line.contains("archer")).unwrap();
    assert!(row.contains(&format::value(archer.measured)), "{row}");
    assert!(row.contains("| above |"), "{row}");
    assert!(!table.contains("| king |") && !table.contains("| second"), "{table}");
    let svg = html::overview(&[read]);
    assert!(svg.contains("archer") && svg.contains(&format::interval(archer.interval)));
}
