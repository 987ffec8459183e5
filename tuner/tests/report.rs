//! An analysis from planted games to its outputs.

use std::collections::BTreeSet;

use assay_rules::GameDef;
use assay_tuner::report::{self, overview, table, words};
use assay_tuner::values::analysis::{Options, analyse};
use assay_tuner::values::design::phase::PhaseModel;
use assay_tuner::values::design::terms::Term;
use assay_tuner::values::inference::verdict::Verdict;
use assay_tuner::values::results::Analysis;
use assay_tuner::values::simulate::{Planted, near_the_inventor, synthetic};

/// Games of Gamma2 Chess in which a pawn has these log-odds, the archer is worth far more than its inventor says and
/// the rest what he says.
fn analysis_of(pairs: usize, pawn_log_odds: f64) -> Analysis {
    let game = GameDef::builtin("gamma2").unwrap();
    let mut truth = near_the_inventor(&game, pawn_log_odds);
    for (truth, term) in truth.iter_mut().zip(Term::all(&game)) {
        let Term::Kind(kind) = term else { continue };
        let factor = if game.kind(kind).name == "archer" { 1.5 } else { 1.0 };
        truth.full = pawn_log_odds * factor * game.value_in_pawns(kind).unwrap();
        truth.bare = truth.full;
    }
    let planted = Planted {
        truth,
        thresholds: vec![0.6],
        correlation: 0.3,
        starts: synthetic(&game, 499, 1),
        pairs,
        positions: 6,
        game,
    };
    let options = Options {
        resamples: 200,
        ..Options::default()
    };
    let mut analysis = analyse(&planted.data(11), &options).unwrap();
    analysis.command = Some("assay-tuner validate gamma2".to_owned());
    analysis
}

fn analysis(pairs: usize) -> Analysis {
    analysis_of(pairs, 0.4)
}

fn verdict(analysis: &Analysis, piece: &str) -> Verdict {
    analysis
        .values
        .iter()
        .find(|value| value.piece == piece)
        .unwrap()
        .verdict
}

#[test]
fn planted_values_lead_to_the_right_verdicts() {
    let analysis = analysis(3_000);
    for piece in ["queen", "ship", "rook", "bishop", "knight"] {
        assert_eq!(
            verdict(&analysis, piece),
            Verdict::Inside,
            "{piece}: {:?}",
            analysis.values
        );
    }
    assert_eq!(verdict(&analysis, "archer"), Verdict::Above);
    assert_eq!(verdict(&analysis, "pawn"), Verdict::Unit);
    assert_eq!(verdict(&analysis, "king"), Verdict::Unmeasurable);
    assert!(analysis.joint.unwrap().p < 0.001);
    let gain = analysis.out_of_fold.as_ref().unwrap().gain_over_inventor.unwrap();
    assert!(gain.low > 0.0, "{gain:?}");
    let exponent = analysis.convergence.exponent.unwrap();
    // Few games leave the pawn itself uncertain, so that intervals narrow faster than by the law.
    assert!((-0.8..-0.4).contains(&exponent), "{exponent}");
    assert_eq!(analysis.convergence.games_to_halve, 24_000);
}

#[test]
fn the_terminal_gets_a_table() {
    let text = table::text(&analysis(600));
    for expected in [
        "Gamma2 Chess",
        "6.2625",
        "95% interval",
        "not measurable: each side always has one",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    assert!(
        text.contains("To halve the intervals: 4,800 games in all, 3,600 more."),
        "{text}"
    );
    assert!(text.lines().all(|line| line.chars().count() <= 120), "{text}");
}

#[test]
fn the_report_stands_alone() {
    let page = report::html(&analysis(600)).into_string();
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

/// Few games cannot tell the stages of the game apart: then there are fewer values, and it is said.
#[test]
fn few_games_follow_the_course_less_closely() {
    let (many, few) = (analysis(3_000), analysis(60));
    assert_eq!(many.fit.phase_model, PhaseModel::PiecewiseLinear);
    assert_eq!(words::course(&many), None);
    assert_ne!(few.fit.phase_model, PhaseModel::PiecewiseLinear);
    let said = words::course(&few).unwrap();
    let text = table::text(&few).replace("\n  ", " ");
    assert!(text.contains(said), "{text}");
}

#[test]
fn unbounded_intervals_are_said_to_be_unbounded() {
    // So small a pawn is not told from nothing by 60 openings.
    let analysis = analysis_of(60, 0.02);
    let text = table::text(&analysis);
    let page = report::html(&analysis).into_string();
    assert!(text.contains("unbounded") && text.contains("too wide to say"), "{text}");
    assert!(page.contains("unbounded"));
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("wide.html");
    std::fs::write(path, page).unwrap();
}

/// The keys that the help explains are those that are printed.
#[test]
fn json_keys_are_documented() {
    let json = serde_json::to_value(analysis(600)).unwrap();
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
        "joint",
        "out_of_fold",
        "convergence",
        "games",
        "fit",
        "resampling",
        "diagnostics",
    ] {
        check(&json[part]);
    }
    check(&json["values"][0]);
    for part in ["calibration", "by_stretch", "by_kind"] {
        check(&json["diagnostics"][part][0]);
    }
    check(&json["diagnostics"]["collinearity"]["inflation"][0]);
    check(&json["convergence"]["steps"][0]);
    check(&json["out_of_fold"]["gain_over_constant"]);
    assert!(undocumented.is_empty(), "{undocumented:?}");
}

#[test]
fn an_overview_shows_what_json_says() {
    let analysis = analysis(1_500);
    let folder = tempfile::TempDir::new().unwrap();
    let path = folder.path().join("gamma2.json");
    std::fs::write(&path, serde_json::to_string(&analysis).unwrap()).unwrap();
    let read = overview::Measurement::read(&path).unwrap();
    let table = overview::markdown(std::slice::from_ref(&read));
    let archer = analysis.values.iter().find(|value| value.piece == "archer").unwrap();
    let row = table.lines().find(|line| line.contains("archer")).unwrap();
    assert!(row.contains(&words::decimals(archer.measured)), "{row}");
    assert!(row.contains("| above |"), "{row}");
    assert!(!table.contains("| king |") && !table.contains("| second"), "{table}");
    let svg = report::overview(&[read]).into_string();
    assert!(svg.contains("archer") && svg.contains(&words::interval(archer.interval)));
}
