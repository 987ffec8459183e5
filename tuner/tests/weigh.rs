//! Pieces that `weigh` measures: the command, and repeated measurements of simulated games.

use std::sync::Arc;

use assay_rules::{GameDef, Position};
use assay_selfplay::openings::Plan;
use assay_tuner::values::candidate::{HostArmy, Sides, definition_with_pieces};
use assay_tuner::values::data::regressor::Regressor;
use assay_tuner::values::design::phase::PhaseModel;
use assay_tuner::values::inference::Estimate;
use assay_tuner::values::inference::ValueTable;
use assay_tuner::values::inference::fit::Fit;
use serde_json::Value;
use tempfile::TempDir;

use crate::common::{error, joined, json, printed, read, run};
use crate::simulation::{SimulatedOpening, Simulation, TrueValue, opening_from_armies, win_pieces_in_play};

/// The pieces and their true values in pawns.
const PIECES: [(&str, f64); 3] = [("BN", 7.5), ("WD", 2.4), ("F", 1.6)];

/// Games of the openings that `weigh` plays. In truth, the pieces of the army differ from their
/// customary values, too.
fn simulation(pairs: usize) -> Simulation {
    let definition =
        definition_with_pieces(&PIECES.map(|(piece, _)| piece), &HostArmy::Chess.into(), Sides::Both).unwrap();
    let game = Arc::new(GameDef::from_toml(&definition, "test").unwrap());
    let regressors = Regressor::all(&game);
    let truth = |regressor: &Regressor| {
        let Regressor::Kind(kind) = *regressor else {
            return TrueValue::constant(0.0);
        };
        let name = game.kind(kind).name.as_str();
        let of_army = game.value_in_pawns(kind).unwrap_or(0.0)
            * match name {
                "queen" => 1.05,
                "bishop" => 1.1,
                "knight" => 0.95,
                _ => 1.0,
            };
        let tested = PIECES.iter().find(|(piece, _)| *piece == name);
        TrueValue::constant(0.35 * tested.map_or(of_army, |&(_, value)| value))
    };
    let by_start = game.starts.iter().map(|start| {
        let start = Position::from_start(&game, &start.id).unwrap();
        let plan = Plan::values(&start).unwrap();
        let comparisons = plan.comparisons().iter();
        let armies = comparisons.map(|comparison| comparison.armies(&start));
        let openings = armies.map(|armies| opening_from_armies(&game, &regressors, &armies));
        openings.collect::<Vec<_>>()
    });
    let by_start: Vec<Vec<_>> = by_start.collect();
    let most = by_start.iter().map(Vec::len).max().unwrap();
    // In turn, since a run draws the starts at random and its games are fewer than the openings.
    let openings = (0..most).flat_map(|at| by_start.iter().filter_map(move |openings| openings.get(at).cloned()));
    let mut openings: Vec<SimulatedOpening> = openings.collect();
    win_pieces_in_play(&mut openings, &regressors);
    Simulation {
        truth: regressors.iter().map(truth).collect(),
        given: Vec::new(),
        thresholds: vec![0.7],
        correlation: 0.2,
        openings,
        pairs,
        positions: 12,
        game,
        own_values: None,
    }
}

/// The share of repetitions in which two runs agree on all three pieces: the interval of the
/// difference contains 0. The half-widths of the intervals of a run are multiplied by `factor`.
fn agreement(runs: &[ValueTable], factor: f64) -> f64 {
    let estimate = |scale: &ValueTable, piece: &str| {
        let Estimate { value, interval } = scale.of(piece).unwrap().measured;
        let [low, high] = interval.unwrap().map(|end| value + factor * (end - value));
        Estimate { value, interval: Some([low, high]) }
    };
    let agree = |two: &&[ValueTable]| {
        PIECES.iter().all(|(piece, _)| {
            let difference = estimate(&two[0], piece).minus(&estimate(&two[1], piece));
            difference.unwrap().contains(0.0)
        })
    };
    runs.chunks(2).filter(agree).count() as f64 / (runs.len() / 2) as f64
}

#[test]
fn two_runs_agree_within_their_intervals() {
    let simulation = simulation(500);
    let runs = (0..400).map(|seed| {
        let fit = Fit::of_games(&simulation.data(seed), PhaseModel::Constant).unwrap();
        fit.published_table().unwrap()
    });
    let runs: Vec<ValueTable> = runs.collect();
    let found = agreement(&runs, 1.0);
    assert!(found >= 0.95, "{found}");
    // Intervals half as wide are found out.
    let lied = agreement(&runs, 0.5);
    assert!(lied < 0.9, "{lied}");
}

#[test]
fn weighs_several_pieces_in_one_run() {
    let folder = TempDir::new().unwrap();
    let several = "weigh --piece QN --piece F --nodes 20 --games 300 --phase-model constant --playtest 0 --resamples 0";
    let text = printed(several, folder.path());
    assert!(folder.path().join("assay-QN-F-8x8.db").exists());
    assert!(text.starts_with("QN and F in an ordinary army: 300 games"), "{text}");
    assert!(text.contains("\nQN is worth "), "{text}");
    assert!(text.contains(" of 7 pieces."), "{text}");
    let json = json(several, folder.path());
    let ranking = json["ranking"].as_array().unwrap();
    assert_eq!(ranking.len(), 7);
    let command = json["command"].as_str().unwrap();
    assert!(command.starts_with("assay-tuner weigh --piece 'QN' --piece 'F' --board 8x8 "), "{command}");
}

#[test]
fn compares_two_armies() {
    let folder = TempDir::new().unwrap();
    let weigh = |army: &[&str]| {
        let output = run([&["weigh", "--army"], army].concat(), folder.path());
        String::from_utf8(output.stdout).unwrap()
    };
    // Two queens more, whichever army is named first.
    let (strong, weak) = ("R Q B Q K B Q R", "R,N,B,Q,K,B,N,R");
    let [one, other] = [[strong, weak], [weak, strong]].map(|[one, other]| {
        let text = weigh(&[one, "--against", other, "--nodes", "50", "--games", "240", "--json"]);
        let json: Value = serde_json::from_str(&text).unwrap();
        let number = |at: &str| json.pointer(at).and_then(Value::as_f64).unwrap();
        assert_eq!(json["handicaps"].as_array().unwrap().len(), 10);
        [number("/advantage/value"), number("/handicaps/0/score/value")]
    });
    assert!(one[0] > 2.0 && one[1] > 0.7, "{one:?}");
    assert!(other[0] < -2.0 && other[1] < 0.3, "{other:?}");
    // The score says which army is stronger, whatever the pawn seems to be worth.
    let few = "weigh --army chess --games 20 --nodes 10 --seed 35 --data few.db --against R,N,B,W,K,B,N,R";
    let text = joined(&printed(few, folder.path()));
    assert!(text.contains("A is stronger than B. These games do not tell what a pawn is worth"), "{text}");
    let text = weigh(&["chess", "--against", "R N B Q K B N R", "--nodes", "50", "--games", "240"]);
    assert!(folder.path().join("assay-chess-against-R-N-B-Q-K-B-N-R.db").exists());
    assert!(text.starts_with("A: Orthodox chess\nB: R N B Q K B N R\n240 games of 50 nodes"), "{text}");
    assert!(text.contains("It is not clear yet which army is stronger."), "{text}");
}

#[test]
fn makes_an_atlas_that_can_be_continued() {
    let folder = TempDir::new().unwrap();
    let list = folder.path().join("pieces.toml");
    let pieces = r#"pieces = [
        { name = "princess", move = "BN", boards = ["8x8"] },
        { name = "ferz", move = "F", boards = ["8x8"], published = [{ value = 1.5, by = "Muller", source = "https://" }] },
    ]"#;
    std::fs::write(&list, pieces).unwrap();
    let atlas = |more: &str| printed(&format!("weigh --pieces pieces.toml --nodes 20 {more}"), folder.path());
    atlas("--games 300");
    let json: Value = serde_json::from_str(&atlas("--games 320 --json")).unwrap();
    assert_eq!(json["pieces"][0]["name"], "princess");
    assert_eq!(json["pieces"][1]["published"][0]["value"], 1.5);
    assert_eq!(json["pieces"][1]["games"], 320);
    let text = atlas("--no-games --html atlas.html --svg atlas.svg");
    assert!(text.contains("2 pieces on 1 board, measured by Assay from 320 games."), "{text}");
    let page = read(folder.path(), "atlas.html");
    assert!(page.contains("type=\"search\"") && page.contains("ferz (F)"));
    assert!(read(folder.path(), "atlas.svg").contains("princess (BN), 8x8"));

    // A piece at the end of the list is measured by a run of its own, and the other run is
    // continued.
    let longer = pieces.replace("\n    ]", "\n        { name = \"wazir\", move = \"W\", boards = [\"8x8\"] },\n    ]");
    std::fs::write(&list, longer).unwrap();
    let json = atlas("--games 340 --json");
    std::fs::write(folder.path().join("atlas.json"), &json).unwrap();
    let found: Value = serde_json::from_str(&json).unwrap();
    let files: Vec<_> = found["files"].as_array().unwrap().iter().map(|file| file["games"].as_u64().unwrap()).collect();
    assert_eq!(files, [340, 340]);
    assert_eq!(printed("report atlas.json --json", folder.path()), json);
    let stderr = error("weigh --pieces pieces.toml --no-games --folder nowhere", folder.path());
    assert!(stderr.contains("--folder nowhere: found no run file of pieces.toml"), "{stderr}");
}
