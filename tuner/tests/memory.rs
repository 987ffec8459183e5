//! Games that are played and measured in memory, as a program without files does it: the results
//! are those of `validate`, to the last byte.

use std::sync::atomic::AtomicBool;

use assay_selfplay::game::GameEnd;
use assay_selfplay::openings::Openings;
use assay_selfplay::play::play_pair;
use assay_selfplay::players::builtin::builtin_players;
use assay_selfplay::settings::{EngineKind, GameSource, Material, RunSettings, SelfPlay};
use assay_selfplay::{MemoryRun, RecordedRun, Store};
use assay_tuner::report::{measurement, summary};
use assay_tuner::values::analysis::{AnalysisOptions, analyze};
use assay_tuner::values::data::Dataset;
use assay_tuner::values::playtest;
use tempfile::TempDir;

use crate::common::printed;

const GAME: &str = "chess";
const NODES: u64 = 30;

fn settings(material: Material, nodes: u64) -> RunSettings {
    let choices = SelfPlay { nodes, material, ..SelfPlay::default() };
    choices.settings(GameSource::builtin(GAME).unwrap()).unwrap()
}

/// Plays the games of a run, the last pair first, as workers may return them in any order.
fn played(name: &str, settings: RunSettings, games: u64) -> MemoryRun {
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

    let values = played("games.db", settings(Material::Values, NODES), 240);
    let tested = played("games-playtest.db", settings(Material::Playtest, NODES), 80);
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

/// Whether a decided game is played on changes nothing before it is decided, and nothing in what is
/// measured of it but the result.
#[test]
fn decided_games_are_the_beginnings_of_whole_ones() {
    let settings = |played_on| {
        let mut settings = settings(Material::Values, 400);
        settings.adjudication.played_on = played_on;
        settings
    };
    let [ended, whole] =
        [("ended.db", 0), ("whole.db", 1)].map(|(name, played_on)| played(name, settings(played_on), 16));
    let records = |run: &MemoryRun| run.games().collect::<Result<Vec<_>, _>>().unwrap();
    let [ended_data, whole_data] = [&ended, &whole].map(|run| Dataset::read(&[run]).unwrap().games);
    let mut shorter = 0;
    for ((short, long), (of_short, of_long)) in
        records(&ended).iter().zip(&records(&whole)).zip(ended_data.iter().zip(&whole_data))
    {
        assert_eq!(short.moves, long.moves[..short.moves.len()], "game {}", short.index);
        assert_eq!(of_short.samples, of_long.samples, "game {}", short.index);
        assert_eq!(of_short.decided, of_long.decided, "game {}", short.index);
        if short.end == GameEnd::Resignation {
            assert_eq!(of_short.decided, Some(short.result), "game {}", short.index);
            assert_ne!(long.end, GameEnd::Resignation);
            shorter += 1;
        } else {
            assert_eq!(short.moves.len(), long.moves.len());
        }
    }
    assert!((4..16).contains(&shorter), "{shorter} of 16 games were decided");
}

#[test]
fn one_pair_in_ten_is_played_on() {
    let settings = settings(Material::Values, 400);
    let is_played_on = |&pair: &u64| settings.adjudication.of_pair(settings.seed, pair).resign.is_none();
    let count = (0..10_000).filter(is_played_on).count();
    // Five standard deviations.
    assert!(count.abs_diff(1_000) < 150, "{count} of 10,000");
}
