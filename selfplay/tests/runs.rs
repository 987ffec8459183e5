//! Whole runs through the library: games are reproducible and follow the rules.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::common::{games, options, settings, text};
use assay_engine::{CompiledRuleset, Tables, Visitor, dispatch};
use assay_rules::def::{BUILTIN_NAMES, DATA_NAMES};
use assay_selfplay::export::{Format, PositionFormat, Positions};
use assay_selfplay::openings::Openings;
use assay_selfplay::pgn::PgnDetails;
use assay_selfplay::play::play_pair;
use assay_selfplay::players::builtin::builtin_players;
use assay_selfplay::settings::{
    EngineKind, EngineSettings, Material, OpeningSource, PlayerSlots, RunSettings, SecondGame, StartChoice,
};
use assay_selfplay::{GameRecord, RunError, generate, swap_armies};
use tempfile::TempDir;

fn play(settings: &RunSettings, games: u64, threads: usize, path: &Path) {
    let summary = generate(settings, &options(games, threads), path, |_| {}, &AtomicBool::new(false)).unwrap();
    assert!(!summary.is_incomplete());
    assert_eq!(summary.tally.games(), games);
}

#[test]
fn every_game_follows_the_rules() {
    for name in BUILTIN_NAMES {
        for material in [Material::None, Material::Values, Material::Playtest] {
            run_follows_the_rules(name, material, 6);
        }
    }
}

#[test]
fn data_games_follow_the_rules() {
    for name in DATA_NAMES {
        run_follows_the_rules(name, Material::None, 2);
    }
}

#[test]
fn games_whose_sides_have_their_own_armies_compare_pieces() {
    for (name, materials) in [("horde", &[Material::Values][..]), ("chigorin", &[Material::Values, Material::Playtest])]
    {
        assert_eq!(settings(name, materials[0]).second_game(), SecondGame::OwnOpening);
        for &material in materials {
            run_follows_the_rules(name, material, 6);
        }
    }
}

fn run_follows_the_rules(name: &str, material: Material, count: u64) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join(format!("{name}-{material}.db"));
    let settings = settings(name, material);
    play(&settings, count, 2, &path);
    let games = games(&path);
    assert!(games.iter().map(|game| game.index).eq(0..count));
    for game in &games {
        game.verify(settings.game()).unwrap();
        dispatch(settings.game(), Walk(game, &settings));
        assert_eq!(game.material.is_some(), material != Material::None);
        assert!(game.moves.iter().all(|played| played.nodes <= settings.nodes()));
    }
    for pair in games.chunks(2) {
        armies_are_swapped(&settings, &pair[0], &pair[1]);
    }
}

/// Every position that the engine visits must be the one that the rules arrive at.
struct Walk<'r>(&'r GameRecord, &'r RunSettings);

impl Visitor for Walk<'_> {
    type Output = ();

    fn visit<R: CompiledRuleset>(self, tables: Arc<Tables<R>>) {
        let Walk(record, settings) = self;
        let replayed = record.replay(settings.game()).unwrap();
        let mut positions = replayed.positions().iter();
        let mut plies = 0;
        record
            .visit_positions(&tables, |position, played| {
                assert_eq!(Some(&position.to_rules()), positions.next());
                plies += usize::from(played.is_some());
                ControlFlow::Continue(())
            })
            .unwrap();
        assert_eq!((plies, positions.next()), (record.moves.len(), None));
    }
}

fn armies_are_swapped(settings: &RunSettings, first: &GameRecord, second: &GameRecord) {
    let game = settings.game();
    assert_eq!(first.pair, second.pair);
    let material = [first, second].map(|game| game.material.clone());
    let (first, second) = (first.start(game).unwrap(), second.start(game).unwrap());
    if settings.second_game() == SecondGame::OwnOpening {
        assert!(first != second && material[0] == material[1], "{}", second.fen());
        return;
    }
    assert_eq!(swap_armies(&first).unwrap(), second);
    assert_eq!(first.side_to_move(), second.side_to_move());
}

#[test]
fn games_do_not_depend_on_the_number_of_threads() {
    let folder = TempDir::new().unwrap();
    let all = [("berolina", Material::None), ("apothecary2", Material::Playtest), ("gamma2", Material::Values)];
    for (name, material) in all {
        let texts: Vec<[String; 2]> = [1, 2, 3]
            .into_iter()
            .map(|threads| {
                let path = folder.path().join(format!("{name}-{threads}.db"));
                play(&settings(name, material), 10, threads, &path);
                [Format::Pgn(PgnDetails::default()), Format::Positions(PositionFormat::Epd, Positions::All)]
                    .map(|format| text(&path, format))
            })
            .collect();
        assert!(texts.windows(2).all(|two| two[0] == two[1]), "{name}");
    }
}

#[test]
fn a_pair_of_games_is_a_function_of_settings_and_number() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("games.db");
    let mut settings = settings("gamma2", Material::Values);
    settings.eval_jitter = "20".parse().unwrap();
    play(&settings, 8, 2, &path);
    let PlayerSlots::Shared(EngineSettings { kind: EngineKind::Builtin(engine), limits, .. }) = settings.players else {
        panic!("{:?}", settings.players);
    };
    let (openings, stop) = (Openings::new(&settings).unwrap(), AtomicBool::new(false));
    let mut player = builtin_players(settings.game()).player(engine, limits).unwrap();
    for (number, pair) in games(&path).chunks(2).enumerate().rev() {
        assert_eq!(play_pair(&settings, &openings, player.as_mut(), number as u64, &stop).unwrap().unwrap(), pair);
    }
    stop.store(true, Ordering::Relaxed);
    assert!(play_pair(&settings, &openings, player.as_mut(), 0, &stop).unwrap().is_none());
}

#[test]
fn a_stopped_and_extended_run_has_the_same_games() {
    let folder = TempDir::new().unwrap();
    let (whole, parts) = (folder.path().join("whole.db"), folder.path().join("parts.db"));
    let settings = settings("gunnery", Material::Values);
    play(&settings, 40, 2, &whole);
    // An odd number, so that a pair is split.
    play(&settings, 5, 1, &parts);
    let stop = AtomicBool::new(false);
    let summary = generate(
        &settings,
        &options(40, 2),
        &parts,
        |progress| stop.store(progress.summary.played >= 2, Ordering::Relaxed),
        &stop,
    );
    let summary = summary.unwrap();
    assert!(summary.is_incomplete() && summary.done >= 7, "{summary:?}");
    assert_eq!(games(&parts).len() as u64, summary.done);
    play(&settings, 40, 2, &parts);
    assert_eq!(text(&whole, Format::Pgn(PgnDetails::default())), text(&parts, Format::Pgn(PgnDetails::default())));
    assert_eq!(games(&whole), games(&parts));
}

#[test]
fn progress_counts_durable_games() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("games.db");
    let mut reports = Vec::new();
    let settings = settings("chess", Material::None);
    let report = |progress: assay_selfplay::Progress<'_>| {
        assert_eq!(games(&path).len() as u64, progress.summary.done, "a second reader sees every game that is counted");
        reports.push((progress.summary.done, progress.summary.played, progress.new.len()));
    };
    generate(&settings, &options(6, 2), &path, report, &AtomicBool::new(false)).unwrap();
    assert_eq!(reports.first(), Some(&(0, 0, 0)));
    assert_eq!(reports.last().map(|report| report.0), Some(6));
    assert_eq!(reports.iter().map(|report| report.2).sum::<usize>(), 6);
}

#[test]
fn impossible_settings_create_no_file() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("games.db");
    let mut settings = settings("chess", Material::None);
    if let OpeningSource::Random(openings) = &mut settings.openings {
        openings.start = StartChoice::Named("17".to_owned());
    }
    let error = generate(&settings, &options(2, 1), &path, |_| {}, &AtomicBool::new(false)).unwrap_err();
    assert!(matches!(error, RunError::Openings(_)), "{error}");
    assert!(!path.exists());
}
