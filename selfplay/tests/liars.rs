//! Run files that are wrong in one way each, with right digests: `info` must accuse them.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use crate::common::{games, options, settings};
use assay_rules::Points;
use assay_selfplay::game::{FaultKind, FaultRecord, GameEnd};
use assay_selfplay::info::Info;
use assay_selfplay::settings::{EngineSettings, Evaluation, Material, PlayerSlots, RunSettings};
use assay_selfplay::store::NewRun;
use assay_selfplay::{GameRecord, Store, generate};
use tempfile::TempDir;

const GAMES: u64 = 8;

type Lie = fn(&mut RunSettings, &mut Vec<GameRecord>);

/// The change of each lie, and words of the problem that `info` or `info --replay` finds; no words
/// if nothing can show it.
const LIES: &[(&str, Lie, &str, &str)] = &[
    ("nothing", |_, _| {}, "", ""),
    (
        "a game beyond the run",
        |_, games| {
            let last = games.last_mut().unwrap();
            (last.index, last.pair, last.opening) = (20, 10, "random 11".to_owned());
        },
        "game 20: found a game that was not requested, expected 8 games",
        "",
    ),
    ("a pair", |_, games| games[2].pair = 0, "game 2: found pair 0, expected 1", ""),
    ("colors", |_, games| games[1].white = 0, "game 1: found White for side 0, expected side 1", ""),
    (
        "the start of one game of a pair",
        |_, games| games[1].start_fen = games[3].start_fen.clone(),
        "game 1: found start ",
        "",
    ),
    (
        "the material of one game of a pair",
        |_, games| games[1].material = Some("-N/".to_owned()),
        "game 1: found material -N/, expected ",
        "",
    ),
    (
        "a fault of the winner",
        |_, games| fault(&mut games[2], 0, Points::WIN),
        "game 2: found a fault of side 0, which did not lose",
        "",
    ),
    (
        "an end by a fault that is missing",
        |_, games| {
            fault(&mut games[2], 0, Points::LOSS);
            games[2].fault = None;
        },
        "game 2: found no fault, expected one of kind crash",
        "",
    ),
    (
        "a drawn resignation",
        |_, games| (games[3].end, games[3].result) = (GameEnd::Resignation, Points::DRAW),
        "game 3: found 0.5 for White by resignation, which cannot be",
        "",
    ),
    (
        "a game under two numbers",
        |_, games| {
            let (index, pair) = (games[4].index, games[4].pair);
            games[4] = GameRecord { index, pair, ..games[0].clone() };
        },
        "game 4: found opening `random 1`, expected `random 3`",
        "",
    ),
    (
        "a result",
        |_, games| {
            let won = games[0].result == Points::WIN;
            games[0].result = if won { Points::LOSS } else { Points::WIN };
        },
        "",
        "game 0, end: found ",
    ),
    ("a move", |_, games| games[2].moves[5].mv = games[2].moves[4].mv, "", "game 2, ply 6: found "),
    (
        "the opening of a pair",
        |_, games| {
            for index in [0, 1] {
                let (opening, pair) = (games[index].opening.clone(), games[index].pair);
                let number = games[index].index;
                games[index] = GameRecord { index: number, pair, opening, ..games[index + 2].clone() };
            }
        },
        "",
        "game 0: found start ",
    ),
    ("the seed", |settings, _| settings.seed += 1, "", "which seed 12 gives"),
    (
        "the nodes",
        |settings, _| settings.players = PlayerSlots::Shared(EngineSettings::self_play(70, 1, Evaluation::Network)),
        "",
        "",
    ),
];

fn fault(game: &mut GameRecord, player: usize, result: Points) {
    game.result = result;
    game.end = GameEnd::Fault(FaultKind::Crash);
    game.fault = Some(FaultRecord { player, what: "exited".to_owned(), dispute: None, stderr: Vec::new() });
}

#[test]
fn info_accuses_liars() {
    let folder = TempDir::new().unwrap();
    let honest = folder.path().join("honest.db");
    let run = settings("chess", Material::Values);
    generate(&run, &options(GAMES, 2), &honest, |_| {}, &AtomicBool::new(false)).unwrap();
    let identities = &Store::open_read(&honest).unwrap().header().identities.clone();
    for (number, &(lie, change, found, replayed)) in LIES.iter().enumerate() {
        let (mut settings, mut records) = (run.clone(), games(&honest));
        change(&mut settings, &mut records);
        let new = NewRun { settings: &settings, options: &options(GAMES, 2), identities, book_hash: None };
        let path = folder.path().join(format!("{number}.db"));
        let mut store = Store::open_run(&path, &new, false).unwrap();
        store.add(&records).unwrap();
        store.close().unwrap();
        check(&path, lie, found, replayed);
    }
}

fn check(path: &Path, lie: &str, found: &str, replayed: &str) {
    let store = Store::open_read(path).unwrap();
    let mut info = Info::read(&store, None).unwrap();
    let accuses = |faults: &[String], words: &str| faults.iter().any(|fault| fault.contains(words));
    assert_eq!(accuses(&info.problems, found), !found.is_empty(), "{lie}: {:?}", info.problems);
    assert!(info.replay(&store), "{lie}: openings are drawn again");
    let is_honest = found.is_empty() && replayed.is_empty();
    assert_eq!(info.problems.is_empty(), is_honest, "{lie}: {:?}", info.problems);
    assert!(is_honest || accuses(&info.problems, replayed), "{lie}: {:?}", info.problems);
}

/// The checks of pairs hold for the honest games of every game, whatever its armies and starts.
#[test]
fn info_accuses_no_honest_run() {
    let folder = TempDir::new().unwrap();
    for (number, game) in assay_rules::def::BUILTIN_NAMES.into_iter().enumerate() {
        let material = [Material::None, Material::Values, Material::Playtest][number % 3];
        let path = folder.path().join(game);
        generate(&settings(game, material), &options(4, 2), &path, |_| {}, &AtomicBool::new(false)).unwrap();
        let store = Store::open_read(&path).unwrap();
        let mut info = Info::read(&store, None).unwrap();
        assert!(info.replay(&store));
        assert_eq!(info.problems, Vec::<String>::new(), "{game}");
    }
}
