//! Games that are played and measured in memory, as a program without files does it: the results
//! are those of `validate`, to the last byte.

use std::sync::atomic::AtomicBool;

use assay_selfplay::openings::Openings;
use assay_selfplay::play::play_pair;
use assay_selfplay::players::builtin::builtin_players;
use assay_selfplay::settings::{EngineKind, GameSource, Material, SelfPlay};
use assay_selfplay::{MemoryRun, RecordedRun, Store};
use assay_tuner::report::{measurement, summary};
use assay_tuner::values::analysis::{AnalysisOptions, analyze};
use assay_tuner::values::data::Dataset;
use assay_tuner::values::playtest;
use tempfile::TempDir;

use crate::common::printed;

const GAME: &str = "chess";
const NODES: u64 = 30;

/// Plays the games of a run, the last pair first, as workers may return them in any order.
fn played(name: &str, material: Material, games: u64) -> MemoryRun {
    let choices = SelfPlay { nodes: NODES, material, ..SelfPlay::default() };
    let settings = choices.settings(GameSource::builtin(GAME).unwrap()).unwrap();
    let player = &settings.players.all()[0];
    let EngineKind::Builtin(engine) = player.kind else { panic!("{player:?}") };
    let (openings, stop) = (Openings::new(&settings).unwrap(), AtomicBool::new(false));
    let players = builtin_players(settings.game());
    let identity = players.identity(engine.evaluation).unwrap();
    let mut player = players.player(engine, player.limits).unwrap();
    let mut pair = |number| play_pair(&settings, &openings, player.as_mut(), number, &stop).unwrap().unwrap();
    let records = (0..games / 2).rev().flat_map(&mut pair).collect();
    MemoryRun::new(name, settings, vec![identity], records)
}

#[test]
fn games_in_memory_are_measured_as_those_of_files() {
    let folder = TempDir::new().unwrap();
    let command = "assay-tuner validate chess --games 240 --nodes 30 --seed 1 --data games.db --playtest 80 --phase-model constant";
    let (_, args) = command.split_once(' ').unwrap();
    let screen = printed(&format!("{args} --resamples 20 --html page.html"), folder.path());

    let values = played("games.db", Material::Values, 240);
    let tested = played("games-playtest.db", Material::Playtest, 80);
    for run in [&values, &tested] {
        let stored = Store::open_read(&folder.path().join(run.name())).unwrap();
        let stored: Vec<_> = stored.games().collect::<Result<_, _>>().unwrap();
        assert_eq!(run.games().collect::<Result<Vec<_>, _>>().unwrap(), stored);
    }
    let data = Dataset::read(&[&values]).unwrap();
    let options = AnalysisOptions { phase_model: "constant".parse().unwrap(), resamples: 20 };
    let mut report = analyze(&data, &options).unwrap();
    report.add_playtest(playtest::measure(&[&tested]).unwrap());
    report.command = Some(command.to_owned());
    let more = [
        "Narrower: four times as many games halve the intervals, --games 960 (continues games.db)",
        "More: --details (phases, tests, diagnostics), --html FILE.html (charts), --json",
    ];
    assert_eq!(summary(&report, &more.map(str::to_owned)) + "Report: page.html\n", screen);
    let page = std::fs::read_to_string(folder.path().join("page.html")).unwrap();
    assert_eq!(measurement(&report, None, None).html(), page);
}
