//! Comparisons of simulated measurements by different players.

use std::collections::BTreeMap;
use std::sync::Mutex;

use assay_rules::GameDef;
use assay_tuner::report::comparison;
use assay_tuner::values::analysis::{AnalysisOptions, analyze};
use assay_tuner::values::comparison::Comparison;
use assay_tuner::values::data::regressor::Regressor;
use assay_tuner::values::data::{DataError, DataFile};
use assay_tuner::values::inference::units::Unit;
use assay_tuner::values::results::MeasurementReport;
use serde_json::json;

use crate::simulation::{Simulation, near_published_values};

/// A measurement of simulated chess games in which a queen is worth `queen` times as much as usual.
/// It is made once for all tests.
fn measured(seed: u64, queen: f64, players: &serde_json::Value) -> MeasurementReport {
    static KNOWN: Mutex<BTreeMap<(u64, u64), MeasurementReport>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().unwrap();
    let mut report = known.entry((seed, queen.to_bits())).or_insert_with(|| simulated(seed, queen)).clone();
    report.files = vec![file(seed, players)];
    report
}

fn simulated(seed: u64, queen: f64) -> MeasurementReport {
    let game = GameDef::builtin("chess").unwrap();
    let mut truth = near_published_values(&game, 0.4);
    let at = Regressor::all(&game).iter().position(|term| term.name(&game) == "queen").unwrap();
    truth[at].full *= queen;
    truth[at].few *= queen;
    let simulation = Simulation { correlation: 0.4, positions: 6, ..Simulation::synthetic(&game, truth, 3_000) };
    let options = AnalysisOptions { resamples: 0, ..AnalysisOptions::default() };
    analyze(&simulation.data(seed), &options).unwrap()
}

fn file(seed: u64, players: &serde_json::Value) -> DataFile {
    let file = json!({
        "path": "games.db", "games": 6_000, "hash": format!("{seed:064}"), "seed": seed, "nodes": 2_000, "hash_mb": 16, "setup": "start",
        "opening_plies": 6, "balance": null, "material": "values", "jitter": "20", "player": "assay-engine 0.1.0 (0123)",
        "players": players, "program": "assay-selfplay 0.1.0",
    });
    serde_json::from_value(file).unwrap()
}

fn assay(nodes: &str) -> serde_json::Value {
    json!([{ "name": "assay", "identity": "assay-engine 0.1.0 (0123)", "evaluation": "linear", "settings": "builtin", "limits": nodes }])
}

fn fairy() -> serde_json::Value {
    let player = |name: &str| {
        json!({ "name": name, "identity": "Fairy-Stockfish 14", "evaluation": null, "settings": "cmd=fairy-stockfish",
                "limits": "5,000 nodes" })
    };
    json!([player("one"), player("two")])
}

fn compared(reports: Vec<MeasurementReport>, unit: Unit) -> Result<Comparison, DataError> {
    let named = (1..).zip(reports).map(|(number, report)| (format!("{number}.json"), report));
    Comparison::of(&named.collect::<Vec<_>>(), unit)
}

#[test]
fn equal_values_agree_and_a_different_queen_is_found() {
    let reports = vec![
        measured(1, 1.0, &assay("2,000 nodes")),
        measured(2, 1.0, &assay("500 nodes")),
        measured(3, 1.2, &fairy()),
    ];
    for unit in Unit::ALL {
        let found = compared(reports.clone(), unit).unwrap();
        let labels: Vec<&str> = found.measurements.iter().map(|measurement| &*measurement.label).collect();
        assert_eq!(
            labels,
            ["Assay, 2,000 nodes, linear", "Assay, 500 nodes, linear", "Fairy-Stockfish 14, 5,000 nodes"]
        );
        let [same, other] = &found.tests[..] else {
            panic!("{:?}", found.tests);
        };
        // Five pieces. Shares of the army and of the minor pieces have a constant sum, and the pawn
        // is a unit.
        assert_eq!(same.degrees_of_freedom, 4, "{unit:?}");
        assert!(same.p > 0.001, "{unit:?}: {same:?}");
        assert!(other.p < 1e-4, "{unit:?}: {other:?}");
        let queen = other.differences.iter().find(|difference| difference.piece == "queen").unwrap();
        assert!(queen.difference.value > 0.0 && !queen.difference.contains(0.0), "{queen:?}");
    }
}

#[test]
fn text_and_page_name_the_players() {
    let reports = || vec![measured(1, 1.0, &assay("2,000 nodes")), measured(3, 1.2, &fairy())];
    let found = compared(reports(), Unit::Army).unwrap();
    let text = comparison(&found).text();
    for measurement in ["1: Assay, 2,000 nodes, linear; ", "2: Fairy-Stockfish 14, 5,000 nodes; "] {
        assert!(text.contains(measurement), "{text}");
    }
    let sentences = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        sentences.contains("bishop + \u{bd} pair") && sentences.contains("the values differ (joint test: chi-square"),
        "{text}"
    );
    assert!(text.lines().all(|line| line.chars().count() <= 120), "{text}");
    let page = comparison(&found).html();
    assert!(page.contains("Fairy-Stockfish 14, 5,000 nodes") && page.matches("<figure>").count() == 5);

    // The same players in both measurements are told apart by their files.
    let twins = vec![measured(1, 1.0, &fairy()), measured(2, 1.0, &fairy())];
    let found = compared(twins, Unit::Army).unwrap();
    assert_eq!(found.measurements[1].label, "Fairy-Stockfish 14, 5,000 nodes (2.json)");
}

#[test]
fn measurements_that_cannot_be_compared_are_rejected() {
    let one = measured(1, 1.0, &fairy());
    let single = compared(vec![one.clone()], Unit::Army).unwrap_err().to_string();
    assert_eq!(single, "found one measurement, expected two or more of one game");
    let same = compared(vec![one.clone(), one.clone()], Unit::Army).unwrap_err().to_string();
    assert!(same.starts_with("2.json: found games of the same openings and players as in 1.json"), "{same}");
    // More games of the same run, or a shard of it, have the same openings.
    let part = |games: usize, shard: Option<&str>| {
        let mut part = one.clone();
        for file in &mut part.files {
            (file.games, file.shard) = (games, shard.map(|shard| shard.parse().unwrap()));
            file.hash = format!("{games:016x}{shard:?}");
        }
        part
    };
    for others in [vec![part(10, None)], vec![part(10, Some("1/2"))], vec![part(9, Some("2/2")), part(10, Some("2/2"))]]
    {
        let error = compared([vec![one.clone()], others].concat(), Unit::Army).unwrap_err().to_string();
        assert!(error.contains("found games of the same openings and players as in 1.json"), "{error}");
    }
    assert!(compared(vec![part(9, Some("1/2")), part(10, Some("2/2"))], Unit::Army).is_ok());
    let mut other = measured(2, 1.0, &fairy());
    other.game = "berolina".to_owned();
    let games = compared(vec![one.clone(), other], Unit::Army).unwrap_err().to_string();
    assert_eq!(games, "2.json: found a measurement of berolina, expected chess as in the first file");

    let mut unbounded = measured(2, 1.0, &fairy());
    for value in unbounded.tables.iter_mut().flat_map(|table| &mut table.values) {
        value.measured.interval = None;
    }
    let pieces = compared(vec![one.clone(), unbounded], Unit::Army).unwrap_err().to_string();
    assert!(pieces.starts_with("2.json: found no piece with a bounded interval"), "{pieces}");

    let mut doubled = measured(2, 1.0, &fairy());
    doubled.tables[1].definition = "queen is worth 18".to_owned();
    // The words may be rounded otherwise, the total not.
    assert!(compared(vec![one.clone(), doubled.clone()], Unit::Army).is_ok());
    doubled.tables[1].total *= 2.0;
    let definitions = compared(vec![one, doubled], Unit::Army).unwrap_err().to_string();
    let expected = "2.json: found values in the unit army with the definition `queen is worth 18`, expected `";
    assert!(definitions.starts_with(expected), "{definitions}");
}
