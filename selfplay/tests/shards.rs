//! A run that is played in shards and merged is the run that is played in one piece.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::Duration;

use crate::common::{assay_selfplay, games, options, printed, settings, text};
use assay_rules::Points;
use assay_rules::def::BUILTIN_NAMES;
use assay_selfplay::export::{Format, PositionFormat, Positions};
use assay_selfplay::game::GameEnd;
use assay_selfplay::pgn::PgnDetails;
use assay_selfplay::seed::{Purpose, Stream};
use assay_selfplay::settings::{
    EngineSettings, Evaluation, Material, OpeningSource, PlayerSlots, RunOptions, RunSettings, Shard, Tournament,
    TournamentFormat,
};
use assay_selfplay::store::{NewRun, merge};
use assay_selfplay::{GameRecord, Store, generate, run_games};
use serde_json::Value;
use tempfile::TempDir;

const SELFPLAY: &str = env!("CARGO_BIN_EXE_assay-selfplay");

/// Plays a run or a shard in pieces: it is stopped after a few games and resumed, again and again.
fn play(path: &Path, settings: &RunSettings, games: u64, shard: Option<Shard>, random: &mut Stream) {
    let options = RunOptions { shard, ..options(games, 1 + random.below(3)) };
    loop {
        let (stop, limit) = (AtomicBool::new(false), random.below(8) as u64);
        let progress = |progress: assay_selfplay::Progress<'_>| {
            if progress.summary.played > limit {
                stop.store(true, Ordering::Relaxed);
            }
        };
        let (summary, store) = run_games(settings, &options, Some(path), true, progress, &stop).unwrap();
        if random.below(2) == 0 {
            store.close().unwrap();
        }
        if !summary.is_incomplete() {
            return;
        }
    }
}

/// A match of two built-in players from random openings.
fn match_settings(material: Material) -> RunSettings {
    let player = |name: &str, nodes| EngineSettings {
        name: name.to_owned(),
        ..EngineSettings::self_play(nodes, 1, Evaluation::Linear)
    };
    let mut settings = settings("chess", material);
    settings.players = PlayerSlots::of_match([player("deep", 80), player("flat", 20)]);
    if let OpeningSource::Random(random) = &mut settings.openings {
        random.balance = None;
    }
    settings
}

/// The summary that `info` prints, without the name of the file and times.
fn info(path: &Path, folder: &Path) -> Vec<String> {
    let path = path.to_str().unwrap();
    let text = printed(&["info", path, "--replay"], folder);
    let varies = ["file", "started", "Nodes/s:", "Time per move:"];
    let kept = text.lines().filter(|line| !varies.iter().any(|start| line.starts_with(start)));
    kept.map(str::to_owned).collect()
}

fn shuffle<T>(items: &mut [T], random: &mut Stream) {
    for end in (1..items.len()).rev() {
        items.swap(end, random.below(end + 1));
    }
}

/// Games without the times of a match.
fn untimed(path: &Path) -> Vec<GameRecord> {
    let mut games = games(path);
    for game in &mut games {
        game.ended = None;
        game.moves.iter_mut().for_each(|played| played.time_ms = None);
    }
    games
}

#[test]
fn merged_shards_are_the_run() {
    let mut random = Stream::new(Purpose::Test, 2_026, 1);
    let unpaired = RunSettings { repeat: false, ..match_settings(Material::None) };
    let mut tournament = match_settings(Material::None);
    let engines = [tournament.players.all(), &tournament.players.all()[..1]].concat();
    let round_robin = Tournament::new(engines, TournamentFormat::RoundRobin);
    tournament.players = PlayerSlots::Tournament(round_robin.unwrap());
    let runs = [
        ("tournament", tournament, 24),
        ("values", settings("gamma2", Material::Values), 26),
        ("match", match_settings(Material::None), 22),
        // An odd number of games: one pair is incomplete.
        ("odd", settings("chess", Material::None), 15),
        ("unpaired", unpaired, 13),
    ];
    for (name, settings, games) in runs {
        let folder = TempDir::new().unwrap();
        let whole = folder.path().join("whole.db");
        play(&whole, &settings, games, None, &mut random);
        for count in [1, 3, 16] {
            let mut shards: Vec<PathBuf> = Vec::new();
            for number in 1..=count {
                let path = folder.path().join(format!("{count}-{number}.db"));
                play(&path, &settings, games, Shard::new(number, count), &mut random);
                shards.push(path);
            }
            shuffle(&mut shards, &mut random);
            let out = folder.path().join(format!("merged-{count}.db"));
            // Some of the shards first, and then all of them.
            let some = random.below(shards.len()) + 1;
            let never = AtomicBool::new(false);
            merge(&out, &shards[..some], true, |_| {}, &never).unwrap();
            shuffle(&mut shards, &mut random);
            let summary = merge(&out, &shards, false, |_| {}, &never).unwrap();
            assert_eq!((summary.games, summary.missing.len()), (games, 0), "{name} {count}");
            assert_eq!(untimed(&out), untimed(&whole), "{name} {count}");
            let epd = Format::Positions(PositionFormat::Epd, Positions::All);
            assert_eq!(text(&out, epd), text(&whole, epd), "{name} {count}");
            if settings.players.is_self_play() {
                assert_eq!(
                    text(&out, Format::Pgn(PgnDetails::default())),
                    text(&whole, Format::Pgn(PgnDetails::default())),
                    "{name} {count}"
                );
            }
            assert_eq!(info(&out, folder.path()), info(&whole, folder.path()), "{name} {count}");
        }
    }
}

fn words(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

#[test]
fn commands_play_and_merge_shards() {
    let folder = TempDir::new().unwrap();
    let run = |text: &str| printed(&words(text), folder.path());
    let generate = "generate chess --games 10 --nodes 30 --hash 1";
    run(&format!("{generate} --data whole.db"));
    for number in 1..=3 {
        let text = run(&format!("{generate} --shard {number}/3 --data {number}.db"));
        let games = if number == 3 { 2 } else { 4 };
        let expected = format!("{number}.db: {games} of {games} games of shard {number}/3, {games} new in ");
        assert!(text.contains(&expected), "{text}");
    }
    let text = run("info 2.db");
    assert!(text.contains("4 games of shard 2/3\ngames          4, 2 complete pairs"), "{text}");
    let text = run("merge some.db 3.db 1.db --partial");
    assert!(text.starts_with("some.db: 6 of 10 games, 6 new in "), "{text}");
    assert!(text.ends_with("\nnot named: shard 2/3\n"), "{text}");
    let json: Value = serde_json::from_str(&run("merge all.db 3.db 1.db 2.db --json")).unwrap();
    assert_eq!((&json["done"], &json["games"], &json["new"]), (&10.into(), &10.into(), &10.into()));
    assert_eq!(json["shards"][1]["file"], "2.db");
    assert_eq!(json["missing"], serde_json::json!([]));
    run("export whole.db --pgn whole.pgn");
    run("export all.db --pgn all.pgn");
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(read("whole.pgn"), read("all.pgn"));
    // The whole run continues the merged file.
    assert!(run(&format!("{generate} --data some.db")).contains("some.db: 10 of 10 games, 4 new in "));
    run("export some.db --pgn some.pgn");
    assert_eq!(read("whole.pgn"), read("some.pgn"));
}

/// A long run is played and merged in parts, each with a division of its own.
#[test]
fn parts_of_a_run_may_be_divided_differently() {
    let folder = TempDir::new().unwrap();
    let settings = settings("gamma2", Material::Values);
    let file = |name: &str| folder.path().join(name);
    let mut random = Stream::new(Purpose::Test, 2_026, 5);
    play(&file("whole.db"), &settings, 21, None, &mut random);
    for (first_game, end, count) in [(8, 20, 4), (0, 8, 3), (20, 21, 1)] {
        let play_shard = |number| {
            let path = file(&format!("{first_game}-{number}.db"));
            let options = RunOptions { shard: Shard::new(number, count), first_game, ..options(end, 2) };
            let summary = generate(&settings, &options, &path, |_| (), &AtomicBool::new(false)).unwrap();
            assert!(!summary.is_incomplete());
            assert_eq!(summary.games, summary.done);
            path
        };
        let paths: Vec<PathBuf> = (1..=count).map(play_shard).collect();
        let played: usize = paths.iter().map(|path| games(path).len()).sum();
        assert_eq!(played as u64, end - first_game);
        merge(&file("all.db"), &paths, true, |_| (), &AtomicBool::new(false)).unwrap();
    }
    assert_eq!(games(&file("all.db")), games(&file("whole.db")));
}

#[test]
fn shards_of_a_match_are_resumed_and_merged() {
    let folder = TempDir::new().unwrap();
    let run = |text: &str| printed(&words(text), folder.path());
    let play =
        "match chess -engine builtin name=a nodes=40 -engine builtin name=b nodes=20 -each option.Hash=1 -rounds 4";
    let text = run(&format!("{play} -shard 2/2 -data 2.db -progress none"));
    assert!(text.contains("4 of 4 games of shard 2/2, 4 new"), "{text}");
    let text = run(&format!("{play} -shard 2/2 -data 2.db -resume"));
    assert!(text.contains("4 of 4 games of shard 2/2, 0 new"), "{text}");
    run(&format!("{play} -shard 1/2 -data 1.db"));
    run("merge all.db 2.db 1.db");
    let text = run(&format!("{play} -data all.db -resume"));
    assert!(text.contains("8 of 8 games, 0 new"), "{text}");
}

/// Shards with so many games that merging takes a while; the games were never played.
fn write_shards(folder: &Path, count: u64, games: u64) -> Vec<PathBuf> {
    let settings = settings(BUILTIN_NAMES[0], Material::None);
    let played = synthetic_moves(80);
    let write = |number| {
        let path = folder.join(format!("{number}.db"));
        let shard = Shard::new(number, count);
        let options = RunOptions { shard, ..options(games, 1) };
        let new =
            NewRun { settings: &settings, options: &options, identities: &["nobody 1".to_owned()], book_hash: None };
        let mut store = Store::open_run(&path, &new, true).unwrap();
        let mut batch = Vec::new();
        for index in (0..games).filter(|index| shard.is_some_and(|shard| shard.contains(index / 2))) {
            batch.push(synthetic_game(index, &played));
            if batch.len() == 10_000 {
                store.add(&batch).unwrap();
                batch.clear();
            }
        }
        store.add(&batch).unwrap();
        store.close().unwrap();
        path
    };
    (1..=count).map(write).collect()
}

fn synthetic_moves(plies: u64) -> Vec<assay_selfplay::PlayedMove> {
    use assay_rules::Square;
    use assay_selfplay::game::{Eval, PackedMove};
    let mv = |ply: u64| PackedMove {
        from: Square((ply * 7 % 64) as u8),
        to: Square((ply * 13 % 64) as u8),
        extra: None,
        wall: None,
    };
    let played = |ply: u64| assay_selfplay::PlayedMove {
        mv: mv(ply),
        eval: Some(Eval::Centipawns((ply * 37 % 400) as i32 - 200)),
        depth: 6,
        seldepth: 0,
        nodes: 1_000 + ply,
        time_ms: None,
    };
    (0..plies).map(played).collect()
}

fn synthetic_game(index: u64, moves: &[assay_selfplay::PlayedMove]) -> GameRecord {
    let pair = index / 2;
    GameRecord {
        index,
        pair,
        white: (index % 2) as usize,
        start_fen: format!("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - {pair} 1"),
        opening: format!("random {}", pair + 1),
        material: None,
        moves: moves[(index % 40) as usize..].to_vec(),
        result: Points::from_quarters((index % 3 * 2) as u8).unwrap(),
        end: GameEnd::from_name("checkmate").unwrap(),
        fault: None,
        ended: None,
    }
}

#[test]
#[cfg(unix)]
fn a_killed_merge_is_continued() {
    let folder = TempDir::new().unwrap();
    let games: u64 = 60_000;
    let shards = write_shards(folder.path(), 3, games);
    let mut random = Stream::new(Purpose::Test, 2_026, 2);
    let (out, mut kills, mut before) = (folder.path().join("all.db"), 0, 0);
    for attempt in 0.. {
        assert!(attempt < 200, "merging never ends");
        let mut names = shards.clone();
        shuffle(&mut names, &mut random);
        let mut child = Command::new(SELFPLAY);
        let mut child = child.arg("merge").arg(&out).args(&names).stdout(Stdio::null()).spawn().unwrap();
        // Half of the merges get far enough to write something, on a busy machine after some
        // attempts.
        sleep(Duration::from_millis(random.below(if attempt % 2 == 0 { 100 } else { 1_500 + 50 * attempt }) as u64));
        let is_over = child.try_wait().unwrap().is_some();
        // SIGKILL.
        child.kill().unwrap();
        let status = child.wait().unwrap();
        // A file that was killed before its schema was complete cannot be read yet.
        let done = Store::open_read(&out).and_then(|store| store.count()).unwrap_or(0);
        assert!(done >= before && (done.is_multiple_of(10_000) || done == games), "{before} {done}");
        before = done;
        if is_over {
            assert!(status.success());
            break;
        }
        kills += 1;
    }
    assert!(kills > 0, "merging is too fast for this test");
    let output = assay_selfplay(&["info", "all.db"], folder.path());
    let printed_text = String::from_utf8_lossy(&output.stdout);
    assert!(printed_text.contains("games          60,000, 30,000 complete pairs"), "{printed_text}");
    let moves = synthetic_moves(80);
    let store = Store::open_read(&out).unwrap();
    for (game, index) in store.games().zip(0..) {
        assert_eq!(game.unwrap(), synthetic_game(index, &moves));
    }
    assert!(!folder.path().join("all.db-wal").exists());
}

/// Prints the cost of merging: `cargo test --release -p assay-selfplay --test all -- --ignored
/// --nocapture merging_many_games`. The number of games is that of the variable GAMES (a million),
/// and that of shards is SHARDS (16).
#[test]
#[ignore = "writes gigabytes"]
fn merging_many_games() {
    let number = |name: &str, default| std::env::var(name).map_or(default, |text| text.parse().unwrap());
    let (games, count) = (number("GAMES", 1_000_000), number("SHARDS", 16));
    let folder = TempDir::new().unwrap();
    let shards = write_shards(folder.path(), count, games);
    let size = |path: &Path| fs::metadata(path).unwrap().len() as f64 / 1e6;
    let shards_size: f64 = shards.iter().map(|path| size(path)).sum();
    let merge = |label: &str| {
        let mut command = Command::new(SELFPLAY);
        command.args(["merge", "all.db", "--progress", "none"]).args(&shards);
        let started = std::time::Instant::now();
        let output = command.current_dir(folder.path()).output().unwrap();
        let seconds = started.elapsed().as_secs_f64();
        assert!(output.status.success(), "{output:?}");
        let rate = games as f64 / seconds;
        println!("{label}: {seconds:.1} s, {rate:.0} rows/s; {}", String::from_utf8_lossy(&output.stdout).trim());
    };
    merge("merge");
    merge("again");
    println!(
        "{games} games in {count} shards of {shards_size:.0} MB in all; merged file {:.0} MB",
        size(&folder.path().join("all.db"))
    );
    #[cfg(target_os = "linux")]
    {
        let usage = Command::new("sh")
            .arg("-c")
            .arg("rm all.db; \"$0\" merge all.db \"$@\" --progress none & child=$!; \
                  while kill -0 $child 2>/dev/null; do grep VmHWM /proc/$child/status; sleep 0.2; done | sort -k2 -n | tail -1")
            .arg(SELFPLAY)
            .args(&shards)
            .current_dir(folder.path())
            .output()
            .unwrap();
        println!("memory at most: {}", String::from_utf8_lossy(&usage.stdout).trim());
    }
}

/// Each call plays about one game, so that most pairs are interrupted.
#[test]
fn an_interrupted_pair_of_a_match_keeps_its_imbalance() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("match.db");
    let settings = match_settings(Material::Values);
    loop {
        let stop = AtomicBool::new(false);
        let progress = |progress: assay_selfplay::Progress<'_>| {
            stop.store(progress.summary.played > 0, Ordering::Relaxed);
        };
        let (summary, store) = run_games(&settings, &options(6, 1), Some(&path), true, progress, &stop).unwrap();
        assert_eq!(store.problems().unwrap(), Vec::<String>::new());
        store.close().unwrap();
        if !summary.is_incomplete() {
            return;
        }
    }
}
