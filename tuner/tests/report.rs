//! Reports on simulated games with known values.

use std::collections::BTreeSet;
use std::path::Path;

use assay_rules::{GameDef, Position};
use assay_tuner::report::{claims, format, measurement, overview, picture, sentences};
use assay_tuner::values::analysis::{AnalysisOptions, analyze};
use assay_tuner::values::claims::Claims;
use assay_tuner::values::data::regressor::Regressor;
use assay_tuner::values::data::{SampleGame, SampleReason};
use assay_tuner::values::design::phase::PhaseModel;
use assay_tuner::values::inference::Estimate;
use assay_tuner::values::inference::verdict::ValueVerdict;
use assay_tuner::values::inference::{MeasuredValue, Unit};
use assay_tuner::values::playtest::agreement::Agreement;
use assay_tuner::values::playtest::{GoodnessOfFit, Playtest, PlaytestComparison};
use assay_tuner::values::results::MeasurementReport;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::simulation::{Simulation, change_material_in_play, near_published_values};

/// Simulated games of Gamma2 Chess. A pawn has these log-odds, the archer is worth half as much
/// again as published, and all other pieces have their published values.
fn planted(pairs: usize, pawn_log_odds: f64) -> Simulation {
    let game = GameDef::builtin("gamma2").unwrap();
    let mut truth = near_published_values(&game, pawn_log_odds);
    for (truth, term) in truth.iter_mut().zip(Regressor::all(&game)) {
        let Regressor::Kind(kind) = term else { continue };
        let factor = if game.kind(kind).name == "archer" { 1.5 } else { 1.0 };
        truth.full = pawn_log_odds * factor * game.value_in_pawns(kind).unwrap();
        truth.few = truth.full;
    }
    Simulation { thresholds: vec![0.6], correlation: 0.3, positions: 6, ..Simulation::synthetic(&game, truth, pairs) }
}

fn measured_from(pairs: usize, pawn_log_odds: f64) -> MeasurementReport {
    measure(&planted(pairs, pawn_log_odds))
}

fn measure(planted: &Simulation) -> MeasurementReport {
    let options = AnalysisOptions { resamples: 200, ..AnalysisOptions::default() };
    let mut report = analyze(&planted.data(11), &options).unwrap();
    report.command = Some("assay-tuner validate gamma2".to_owned());
    report
}

/// As [`measured`], with games in which play changed the material. A given archer is worth `given`
/// more, in log-odds, than one won in play.
fn measured_with_captures(pairs: usize, given: f64) -> MeasurementReport {
    let mut planted = planted(pairs, 0.4);
    change_material_in_play(&mut planted.openings);
    let mut kinds = planted.game.kinds.all();
    let archer = kinds.find(|&kind| planted.game.kind(kind).name == "archer").unwrap();
    planted.given = vec![(archer, given)];
    measure(&planted)
}

fn measured(pairs: usize) -> MeasurementReport {
    measured_from(pairs, 0.4)
}

fn verdict(report: &MeasurementReport, piece: &str) -> ValueVerdict {
    report.table(Some(Unit::Pawns)).unwrap().of(piece).unwrap().verdict
}

#[test]
fn known_values_lead_to_the_right_verdicts() {
    let report = measured(3_000);
    // The bishop's published value includes half of a bonus that comes on top of it here.
    assert_ne!(verdict(&report, "bishop"), ValueVerdict::Below);
    for piece in ["queen", "ship", "rook", "knight"] {
        assert_eq!(verdict(&report, piece), ValueVerdict::Agrees, "{piece}: {:?}", report.tables);
    }
    assert_eq!(verdict(&report, "archer"), ValueVerdict::Above);
    assert_eq!(verdict(&report, "pawn"), ValueVerdict::Unit);
    assert!(report.unmeasured().is_empty());
    assert!(report.joint_test.unwrap().p < 0.001);
    let gain = report.cross_validation.as_ref().unwrap().gain_over_published.unwrap();
    assert!(gain.interval.unwrap()[0] > 0.0, "{gain:?}");
    let exponent = report.convergence.exponent.unwrap();
    // Few games leave the pawn itself uncertain, so that intervals narrow faster than the
    // square-root law.
    assert!((-0.8..-0.4).contains(&exponent), "{exponent}");
    assert_eq!(report.convergence.games_to_halve, 24_000);
}

/// A text on one line.
fn joined(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Verdicts by piece that the headline of a text or page states.
fn stated(text: &str) -> Vec<(String, &'static str)> {
    let text = joined(text);
    let parts = [
        ("relative to one another: ", "about the same"),
        ("Worth more: ", "more"),
        ("Worth less: ", "less"),
        ("Not clear yet: ", "not clear yet"),
    ];
    let named = parts.into_iter().filter_map(|(words, verdict)| {
        let list = text.split_once(words)?.1.split(". ").next()?.trim_end_matches('.');
        let list = list.replace(" and ", ", ");
        let names = list.split(", ").map(|name| name.split(" (").next().unwrap_or(name).to_owned());
        Some(names.map(|name| (name, verdict)).collect::<Vec<_>>())
    });
    named.flatten().collect()
}

const VERDICT_WORDS: [&str; 4] = ["about the same", "more", "less", "not clear yet"];

/// A word of the first screen, such as `12% more`, without its percentage.
fn without_percentage(word: &str) -> &str {
    word.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == '%').trim_start()
}

/// Checks the words behind the pieces' names in a list of texts against the headline, and returns
/// how many it found.
fn check_words<'t>(
    stated: &[(String, &'static str)],
    texts: impl Iterator<Item = &'t str>,
    report: &MeasurementReport,
) -> usize {
    let (mut expected, mut found) = (None, 0);
    for text in texts {
        let name = text.trim();
        let is_piece =
            report.tables[0].values.iter().any(|value| value.piece == name.trim_end_matches(" + \u{bd} pair"));
        if is_piece {
            let piece = name.trim_end_matches(" + \u{bd} pair");
            let own = stated.iter().find(|(stated, _)| stated == piece);
            expected = own.map(|stated| (name, stated.1));
        } else if name.ends_with(" pair") || name.starts_with("second ") {
            // Bonuses have verdicts of their own.
            expected = None;
        } else if let Some(word) = VERDICT_WORDS.iter().find(|word| without_percentage(name).starts_with(*word))
            && let Some((piece, expected)) = expected.take()
        {
            assert!(*word == expected, "{}: {piece} is called {name}, but the headline says {stated:?}", report.game);
            found += 1;
        }
    }
    found
}

/// The headline of a measurement, and the words of all tables, pictures and documents, call each
/// piece the same.
fn check_consistency(report: &MeasurementReport) {
    let printed = measurement(report, None, None).text();
    let stated_in_text = stated(&sentences::headline(report));
    let cells = printed.lines().filter(|line| !line.starts_with(' ')).flat_map(|line| line.split("  "));
    let is_published = |value: &&MeasuredValue| value.published.is_some();
    let pieces = report.tables[0].values.iter().filter(is_published).count();
    // The values in the unit army, and those in pawns, where the pawn is the unit.
    assert!(check_words(&stated_in_text, cells, report) >= 2 * pieces - 2, "{stated_in_text:?} {printed}");
    let joint = printed.split("- ").find(|paragraph| paragraph.contains("All published values together"));
    assert_eq!(joint, None, "a second joint test may contradict the first");
    for page in [measurement(report, None, None).html(), picture(&[report]), overview(&[(report.clone(), None)]).html()]
    {
        let texts = page.split(['<', '>']);
        let lead =
            page.split(['<', '>']).find(|text| text.starts_with("Worth ") || text.starts_with("Not clear yet: "));
        let stated_in_page = lead.map_or_else(|| stated_in_text.clone(), stated);
        assert_eq!(stated_in_page, stated_in_text);
        assert!(check_words(&stated_in_text, texts, report) >= pieces / 2, "{page}");
    }
    let table = overview(&[(report.clone(), None)]).text();
    let cells = table.lines().flat_map(|line| line.split("  "));
    assert!(check_words(&stated_in_text, cells, report) >= pieces - 1, "{table}");
}

/// All stored measurements, and simulated ones with one or more pieces or the pawn off, in small
/// and large samples.
#[test]
fn no_measurement_contradicts_itself() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/values");
    let mut shapes = BTreeSet::new();
    let mut check = |report: &MeasurementReport| {
        check_consistency(report);
        let headline = sentences::headline(report);
        let stated = stated(&headline);
        shapes.extend(
            stated.iter().map(|(name, verdict)| format!("{} {verdict}", if name == "pawn" { "pawn" } else { "piece" })),
        );
    };
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "json") {
            check(&MeasurementReport::read(&path).unwrap());
        }
    }
    for seed in 0..24_u64 {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        // From no deviation to large ones.
        let spread = [0.0, 0.05, 0.15, 0.6][seed as usize % 4];
        let pairs = [200, 800, 3_000][seed as usize % 3];
        let report = report_on(pairs, seed, |_| 1.0 + spread * (2.0 * random.random::<f64>() - 1.0));
        check(&report);
    }
    let seen: Vec<&str> = shapes.iter().map(String::as_str).collect();
    let all = [
        "pawn about the same",
        "pawn less",
        "pawn more",
        "pawn not clear yet",
        "piece about the same",
        "piece less",
        "piece more",
        "piece not clear yet",
    ];
    assert_eq!(seen, all, "every kind of headline is checked");
}

#[test]
fn text_has_tables_and_fits_the_terminal() {
    let printed = measurement(&measured(600), None, None).text();
    for expected in ["Gamma2 Chess", "6.2625", "95% interval", "not measurable: each side always has one"] {
        assert!(printed.contains(expected), "{expected}: {printed}");
    }
    assert!(joined(&printed).contains("halving them needs four times as many: 4,800 games, 3,600 more."), "{printed}");
    assert!(printed.lines().all(|line| line.chars().count() <= 120), "{printed}");
}

#[test]
fn differences_of_given_and_won_material_are_reported() {
    let sentence = |report: &MeasurementReport| sentences::given_material(report).unwrap();
    let equal = sentence(&measured(600));
    assert!(
        equal.starts_with("Whether") && equal.contains("could not be tested: "),
        "material never changes in play: {equal}"
    );

    let same = measured_with_captures(2_000, 0.0);
    assert!(sentence(&same).contains(" do not differ significantly in value (joint test: F(14, "));

    let report = measured_with_captures(2_000, -0.8);
    let differs = sentence(&report);
    assert!(differs.contains(" are not worth the same (joint test: F(14, "), "{differs}");
    let page = measurement(&report, None, None);
    let text = page.text();
    let table = text.split("Given minus won, in shares of the army:").nth(1).unwrap();
    let row = |name: &str| table.lines().find(|line| line.starts_with(name)).unwrap();
    assert!(row("archer").contains("  -"), "{table}");
    assert!(row("all together").matches("p < 0.001").count() == 2, "{table}");
    assert!(page.html().contains("Given minus won, in shares of the army"));
    assert!(text.contains("- Material from the opening and material won in play"));
}

#[test]
fn html_needs_no_other_file() {
    let page = measurement(&measured(600), None, None).html();
    for outside in ["http", "src=", "<link", "@import"] {
        assert!(!page.contains(outside), "{outside} in the page");
    }
    // Gradients are in the page itself.
    assert_eq!(page.matches("url(").count(), page.matches("url(#assay-").count());
    for expected in ["<!DOCTYPE html>", "<svg", "archer", "assay-tuner validate gamma2", "prefers-color-scheme: dark"] {
        assert!(page.contains(expected), "{expected} missing");
    }
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("report.html");
    std::fs::write(path, page).unwrap();
}

/// The page on claims has every finding of `claims.json`, which has claims of all shapes and
/// verdicts.
#[test]
fn claims_are_rendered_as_a_page() {
    let results: Claims = serde_json::from_str(include_str!("claims.json")).unwrap();
    let page = claims::page(&results);
    for outside in ["http", "src=", "<link", "@import"] {
        assert!(!page.contains(outside), "{outside} in the page");
    }
    assert_eq!(page.matches("<tbody").count(), 1 + results.findings.len());
    for finding in results.findings.iter().flat_map(|finding| std::iter::once(finding).chain(&finding.parts)) {
        assert!(page.contains(&finding.claim), "{} missing", finding.claim);
    }
    for expected in [
        "Start position of Berolina Chess",
        "7,000,000 positions",
        "0.00012",
        "exact",
        "does not hold",
        "no effect larger than 0.05",
    ] {
        assert!(page.contains(expected), "{expected} missing");
    }
    let text = claims::text(&results, true);
    let is_exact = |line: &str| line.contains("0.00012") && line.ends_with("exact  holds");
    assert!(text.lines().any(is_exact), "{text}");
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("claims.html");
    std::fs::write(path, page).unwrap();
}

/// Names come from definition files and JSON, which may hold any character.
#[test]
fn pages_have_no_control_characters() {
    let mut report = measured(600);
    report.title = "A\u{1b}[31m\u{0}<b>".to_owned();
    for table in &mut report.tables {
        table.values[0].piece = "que\u{7}en\u{202e}\u{85}".to_owned();
    }
    report.command = Some("a\u{8}b".to_owned());
    let is_unsafe = |c: char| c.is_control() && c != '\n' || c == '\u{202e}';
    for rendered in [measurement(&report, None, None).html(), picture(&[&report])] {
        assert!(rendered.contains(r"que\u{7}en\u{202e}\u{85}"), "{rendered}");
        assert!(!rendered.contains(is_unsafe), "{rendered:?}");
    }
}

/// However few the games, the estimate is of the same quantity, or there is none.
#[test]
fn few_games_are_measured_by_the_same_model() {
    for pairs in [300, 3_000] {
        let report = measured(pairs);
        assert_eq!(report.fit.phase_model, PhaseModel::Piecewise);
        assert_eq!(sentences::phase_model(&report), None);
    }
    let error = analyze(&planted(20, 0.4).data(11), &AnalysisOptions::default()).unwrap_err();
    assert!(error.to_string().contains("more than the"), "{error}");
}

#[test]
fn unbounded_intervals_are_reported() {
    // 60 openings cannot tell such a small pawn value from zero.
    let report = measured_from(60, 0.02);
    let printed = measurement(&report, Some(Unit::Pawns), None).text();
    let page = measurement(&report, None, None).html();
    assert!(printed.contains("unbounded") && printed.contains("not clear yet"), "{printed}");
    assert!(page.contains("unbounded"));
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("wide.html");
    std::fs::write(path, page).unwrap();
}

#[test]
fn help_documents_all_json_keys() {
    let json = serde_json::to_value(measured(600)).unwrap();
    let help = include_str!("../src/commands/help/measurement-keys.txt");
    let mut undocumented = BTreeSet::new();
    let mut check = |value: &serde_json::Value| {
        for key in value.as_object().unwrap().keys() {
            if !help.contains(key.as_str()) {
                undocumented.insert(key.clone());
            }
        }
    };
    check(&json);
    for part in ["scale", "joint_test", "cross_validation", "convergence", "games", "fit", "bootstrap", "diagnostics"] {
        check(&json[part]);
    }
    check(&json["bonuses"][0]);
    for part in ["calibration", "by_phase", "by_kind", "by_material"] {
        check(&json["diagnostics"][part][0]);
    }
    check(&json["diagnostics"]["collinearity"]["variance_inflation"][0]);
    check(&json["slices"][0]);
    check(&json["tables"][0]);
    check(&json["tables"][0]["values"][0]);
    check(&json["convergence"]["steps"][0]);
    check(&json["cross_validation"]["gain_over_constant"]);
    let given = serde_json::to_value(measured_with_captures(600, 0.0).given_material).unwrap();
    assert_eq!(given["outcome"], "tested");
    check(&given);
    check(&given["stages"][0]);
    check(&given["differences"][0]);
    assert!(undocumented.is_empty(), "{undocumented:?}");
}

#[test]
fn json_is_enough_for_every_rendering() {
    let report = measured(1_500);
    let folder = tempfile::TempDir::new().unwrap();
    let path = folder.path().join("gamma2.json");
    std::fs::write(&path, serde_json::to_string(&report).unwrap()).unwrap();
    let read = MeasurementReport::read(&path).unwrap();
    let [read_page, page] = [&read, &report].map(|report| measurement(report, None, None));
    assert_eq!(read_page.text(), page.text());
    assert!(read_page.html() == page.html());
    let table = overview(&[(read.clone(), None)]).text();
    let archer = |unit| report.table(unit).unwrap().of("archer").unwrap();
    let row = table.lines().find(|line| line.starts_with("archer  ")).unwrap();
    assert!(row.contains(&format::value(Some(archer(Some(Unit::Army)).measured.value), 2)), "{row}");
    assert!(row.ends_with("% more"), "{row}");
    assert!(!table.contains("\nking") && !table.contains("\nsecond"), "{table}");
    let svg = picture(&[&read]);
    assert!(svg.contains("archer") && svg.contains(&format::interval(archer(None).measured, 2)));
}

/// Checks that elements are closed in order and that attributes are quoted.
fn check_nesting(page: &str) {
    const VOID: [&str; 3] = ["meta", "input", "br"];
    let mut open: Vec<&str> = Vec::new();
    let mut rest = page;
    while let Some(start) = rest.find('<') {
        rest = &rest[start + 1..];
        let end = rest.find('>').unwrap_or_else(|| panic!("`<{rest:.40}` never ends"));
        let inside = &rest[..end];
        rest = &rest[end + 1..];
        if inside.starts_with('!') {
            continue;
        }
        assert_eq!(inside.matches('"').count() % 2, 0, "{inside}");
        if let Some(name) = inside.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "{inside}");
            continue;
        }
        let name = inside.split([' ', '/']).next().unwrap_or_default();
        if inside.ends_with('/') || VOID.contains(&name) {
            continue;
        }
        open.push(name);
        // The contents of these are no markup.
        if name == "script" || name == "style" {
            rest = &rest[rest.find("</").expect("an end")..];
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

fn shown_game(moves: &[&str]) -> SampleGame {
    SampleGame {
        reason: SampleReason::Upset,
        file: 0,
        number: 17,
        material: Some("-NP/-".to_owned()),
        start_fen: Position::start(&GameDef::builtin("gamma2").unwrap()).fen(),
        moves: moves.iter().map(|&text| text.to_owned()).collect(),
        evals: vec![Some(-210), None, Some(10_000)],
        white: 1.0,
        termination: "checkmate".to_owned(),
    }
}

#[test]
fn pages_are_well_formed_and_show_every_value() {
    let mut report = measured(600);
    report.sample_games = vec![shown_game(&["b1c3", "b8c6", "c3d5"])];
    let page = measurement(&report, None, None).html();
    check_nesting(&page);
    check_nesting(&measurement(&measured_from(60, 0.02), None, None).html());
    let pieces = &report.table(Some(Unit::Pawns)).unwrap().values;
    for value in pieces.iter().chain(&report.bonuses) {
        let mut numbers = vec![format::value(value.published, 2), format::point(value.measured, 2)];
        if value.verdict != ValueVerdict::Unit {
            numbers.push(format::interval(value.measured, 2));
        }
        for number in numbers {
            assert!(page.contains(&number), "{}: {number}", value.piece);
        }
        assert_eq!(pieces.contains(value), page.contains(&format!("Moves of the {}\"", value.piece)));
    }
    assert!(page.contains("Moves of the king\"") && page.contains("not measurable: each side always has one"));
    for residual in &report.diagnostics.by_kind {
        assert!(page.contains(&format!("{:+.3}", residual.residual.mean)), "{residual:?}");
    }
    assert!(page.contains("White began without NP; White won by checkmate after 3 plies."), "{page}");
    assert!(page.contains(r#"<span data-ply="3">Nd5</span>"#), "{page}");
}

#[test]
fn illegal_moves_of_a_sample_game_are_reported() {
    let mut report = measured(600);
    report.sample_games = vec![shown_game(&["b1c3", "b1c3"])];
    let page = measurement(&report, None, None).html();
    assert!(page.contains("Game 17 cannot be shown: move 2: "), "{page}");
}

/// Names and moves come from files, too; a script must not end early.
#[test]
fn data_for_the_script_cannot_end_it() {
    let mut report = measured(600);
    report.sample_games = vec![shown_game(&["</script><b>"])];
    check_nesting(&measurement(&report, None, None).html());
}

#[test]
fn slices_and_scores_by_material_agree_with_the_model() {
    let report = measured(3_000);
    assert!(!report.slices.is_empty());
    let fit = report.fitted();
    for slice in &report.slices {
        assert!(slice.low <= slice.left && slice.left <= slice.high, "{slice:?}");
        for (piece, value) in &slice.values {
            // The model is true, so slices differ from it by their own errors: 2.3 half-widths are 4.5
            // standard errors.
            let Some(found) = value[&Unit::Army].half_width() else { continue };
            let model = fit.value_in(Unit::Army, piece, slice.left).unwrap();
            let errors = (value[&Unit::Army].value - model.value).abs() / found.hypot(model.half_width().unwrap());
            assert!(errors < 2.3, "{piece}: {errors} at {}", slice.left);
        }
    }
    assert!(report.diagnostics.by_material.iter().all(|group| group.residual.weight > 0.0 && group.log_odds > 0.0));
    // The ratio in the JSON's coefficients is the value in its table.
    let queen = report.table(Some(Unit::Pawns)).unwrap().of("queen").unwrap();
    let in_pawns = fit.in_pawns(fit.regressor("queen").unwrap(), fit.mean_left).unwrap();
    assert!((in_pawns.value - queen.measured.value).abs() < 1e-9);
    assert!((report.expected_score(0.0) - 0.5).abs() < 1e-12);
}

fn interval(low: f64, value: f64, high: f64) -> Estimate {
    Estimate { value, interval: Some([low, high]) }
}

/// A report with a playtest of one comparison that has these values and this goodness of fit.
fn with_playtest(values: &[(&str, Estimate, Estimate)], p: f64) -> MeasurementReport {
    let mut report = measured(600);
    let pairs = values.iter().map(|&(piece, regression, playtest)| (piece.to_owned(), regression, playtest));
    report.agreement = Some(Agreement::of(pairs.collect()));
    report.playtest = Some(Playtest {
        assay: String::new(),
        game: "gamma2".to_owned(),
        files: Vec::new(),
        games: 800,
        unit_log_odds: 0.3,
        unit_log_odds_standard_error: 0.01,
        tables: Vec::new(),
        goodness_of_fit: Some(GoodnessOfFit { chi_square: 34.0, degrees_of_freedom: 21, p }),
        comparisons: vec![PlaytestComparison {
            material: "-P/".to_owned(),
            pairs: 16,
            counts: vec![4, 4, 4, 2, 2],
            score: Estimate::around(0.40625, 0.17),
            advantage: None,
            fitted: 1.0,
        }],
    });
    report
}

#[test]
fn both_methods_are_compared_in_words() {
    let unbounded = Estimate { value: 0.5, interval: None };
    let values = [
        ("queen", interval(9.8, 10.0, 10.2), interval(9.5, 10.1, 10.6)),
        ("ship", interval(6.8, 7.0, 7.2), interval(6.6, 6.9, 7.3)),
        ("rook", interval(4.8, 5.0, 5.2), interval(2.6, 4.6, 6.0)),
        ("knight", interval(2.9, 3.0, 3.1), interval(1.8, 2.0, 2.2)),
        ("pawn", interval(0.4, 0.5, 0.6), unbounded),
    ];
    let report = with_playtest(&values, 0.036);
    assert_eq!(
        sentences::second_method(&report).unwrap(),
        "A second method agrees on 2 of 5 pieces; it differs on knight; the others need more games."
    );
    let printed = measurement(&report, None, None).text();
    for row in ["8.8  differ", "—  needs more games"] {
        assert!(printed.contains(row), "{row}: {printed}");
    }
    let page = measurement(&report, None, None).html();
    check_nesting(&page);
    for expected in ["standard errors apart\">8.8<", "all pairs equal"] {
        assert!(page.contains(expected), "{expected}: {page}");
    }
}

#[test]
fn goodness_of_fit_is_stated_for_both_outcomes() {
    let knight = [("knight", interval(2.9, 3.0, 3.1), interval(2.8, 3.0, 3.2))];
    for (p, expected) in [
        (0.036, "do not explain all of its scores (χ² = 34.0, 21 degrees of freedom, p = 0.036)"),
        (0.36, "are consistent with costs of pieces that add up (χ² = 34.0, 21 degrees of freedom, p = 0.360)"),
    ] {
        let report = with_playtest(&knight, p);
        let printed = joined(&measurement(&report, None, None).text());
        assert!(printed.contains(expected), "{printed}");
        assert!(measurement(&report, None, None).html().contains(expected));
    }
}

/// Files of earlier versions have no slices, games and definitions.
#[test]
fn shipped_measurements_can_be_read_and_drawn() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/values");
    let reports: Vec<MeasurementReport> = ["chess", "gamma2", "apothecary2"]
        .map(|name| MeasurementReport::read(&folder.join(format!("{name}.json"))).unwrap())
        .into();
    for report in &reports {
        let page = measurement(report, None, None).html();
        check_nesting(&page);
        assert!(page.contains("class=\"board\"") && page.contains("Where the pieces stand best"));
    }
    let mut stronger = reports[0].clone();
    stronger.files[0].nodes = 4_000;
    for player in &mut stronger.files[0].players {
        player.limits = player.limits.replace("400 nodes", "4,000 nodes");
    }
    stronger.files[0].hash = "0123456789abcdef".to_owned();
    let mut entries: Vec<(MeasurementReport, Option<String>)> =
        reports.iter().map(|report| (report.clone(), None)).collect();
    entries[1].1 = Some("gamma2.html".to_owned());
    assert!(!overview(&entries).html().contains("Values by measurement"));
    entries.push((stronger, None));
    let page = overview(&entries).html();
    check_nesting(&page);
    for expected in ["<a href=\"gamma2.html\">Gamma2 Chess", "Values by measurement", "4,000"] {
        assert!(page.contains(expected), "{expected}");
    }
}

/// A user's game brings its definition; files of earlier versions lack it.
#[test]
fn games_are_drawn_from_the_definition_in_the_file() {
    let mut report = measured(600);
    report.game = "mine".to_owned();
    report.definition = Some(include_str!("../../rules/variants/gamma2.toml").to_owned());
    let page = measurement(&report, None, None).html();
    check_nesting(&page);
    assert!(page.contains("class=\"board\"") && page.contains("Moves of the archer"));
    report.definition = None;
    let error = MeasurementReport::parse(&serde_json::to_string(&report).unwrap(), Path::new("a.json")).unwrap_err();
    assert!(error.to_string().contains("game: found `mine`, expected a built-in game"), "{error}");
}

/// A report on Gamma2 Chess with the published values times `factor`, by the names of the pieces.
fn report_on_published_values(factor: impl FnMut(&str) -> f64) -> MeasurementReport {
    report_on(3_000, 12, factor)
}

fn report_on(pairs: usize, seed: u64, mut factor: impl FnMut(&str) -> f64) -> MeasurementReport {
    let mut planted = planted(pairs, 0.4);
    for (truth, term) in planted.truth.iter_mut().zip(Regressor::all(&planted.game)) {
        match term {
            Regressor::Kind(kind) => {
                let factor = factor(&planted.game.kind(kind).name);
                truth.full = 0.3 * factor * planted.game.value_in_pawns(kind).unwrap();
                truth.few = 1.5 * truth.full;
            }
            // The published bishop value includes half of the pair's bonus.
            Regressor::Pair(_) | Regressor::SecondPiece(_) => {
                truth.full = 0.0;
                truth.few = 0.0;
            }
            _ => {}
        }
    }
    let options = AnalysisOptions { resamples: 0, ..AnalysisOptions::default() };
    analyze(&planted.data(seed), &options).unwrap()
}

/// One piece that is worth more than published lowers the shares of all others, but moves none of
/// them on the published scale.
#[test]
fn a_single_piece_that_differs_is_found() {
    let report = report_on_published_values(|piece| if piece == "queen" { 1.3 } else { 1.0 });
    let scale = report.table(None).unwrap();
    for value in &scale.values {
        let truth = if value.piece == "queen" { 1.3 } else { 1.0 };
        assert!(value.deviation().unwrap().contains(truth - 1.0), "{value:?}");
    }
    assert_eq!(scale.of("queen").unwrap().verdict, ValueVerdict::Above);
    let sentence = sentences::headline(&report);
    assert!(sentence.contains(" Worth more: queen (+"), "{sentence}");
}

/// With a pawn worth half of what is published, the other pieces keep their published values.
#[test]
fn a_pawn_that_differs_moves_no_piece() {
    let report = report_on_published_values(|piece| if piece == "pawn" { 0.5 } else { 1.0 });
    let sentence = sentences::headline(&report);
    assert!(sentence.contains(" Worth less: pawn (-5"), "{sentence}");
    assert!(!sentence.contains("Worth more") && !sentence.contains("Not clear"), "{sentence}");

    let army = report.table(Some(Unit::Army)).unwrap();
    let published: f64 =
        army.values.iter().filter(|value| value.piece != "pawn").map(|value| value.published.unwrap()).sum();
    let measured: f64 =
        army.values.iter().filter(|value| value.piece != "pawn").map(|value| value.measured.value).sum();
    assert!((published - measured).abs() < 1e-9, "{published} {measured}");
    let bishop = army.values.iter().find(|value| value.piece == "bishop").unwrap();
    assert!(bishop.with_half_pair);
    // The army depends less on the phase than the pawn, and is known better.
    for unit in &report.tables {
        for (value, row) in unit.values.iter().zip(&unit.covariance) {
            assert_eq!(row.len(), unit.values.len(), "{}", value.piece);
        }
    }
    let printed = measurement(&report, Some(Unit::MinorPieces), None).text();
    assert!(printed.contains("minor pieces"), "{printed}");
}
