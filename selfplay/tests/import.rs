//! `import`: games of people and other programs.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use crate::common::{assay_selfplay, printed};
use assay_rules::Points;
use assay_selfplay::game::{Eval, GameEnd};
use assay_selfplay::import::{Import, ImportError};
use assay_selfplay::settings::{ClusterBy, Filters};
use assay_selfplay::{GameRecord, Store};
use serde_json::Value;
use tempfile::TempDir;

/// Games as lichess, cutechess and `ChessBase` write them, one of each; then a duplicate, one
/// without a result, one of another variant, and four broken ones.
const GAMES: &str = include_str!("import.pgn");

fn import(text: &[u8], filters: Filters, folder: &Path) -> Result<Vec<GameRecord>, ImportError> {
    fs::write(folder.join("in.pgn"), text).unwrap();
    let out = folder.join("out.db");
    let _ = fs::remove_file(&out);
    let import = Import {
        files: vec![folder.join("in.pgn")],
        source: None,
        cluster: ClusterBy::default(),
        filters,
        is_strict: false,
    };
    import.run(&out, |_| (), &AtomicBool::new(false))?;
    Ok(Store::open_read(&out).unwrap().games().map(Result::unwrap).collect())
}

#[test]
fn a_run_file_has_the_games_and_their_tags() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("games.pgn"), GAMES).unwrap();
    let output = assay_selfplay(&["import", "games.pgn", "--data", "games.db"], folder.path());
    assert_eq!(output.status.code(), Some(1));
    let (out, err) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(out.starts_with("games.db: 3 games of chess, with 3 different openings of 8 plies; 10 read in "), "{out}");
    for line in [
        "left out: 1 duplicates\n",
        "left out: 1 without a result\n",
        "left out: 1 of another game\n",
        "broken: 4 games\n",
    ] {
        assert!(out.contains(line), "{out}");
    }
    for line in [
        "games.pgn: game 7, line 55: column 13: move 2: `Ke3` matches no legal move; candidates: Ke2\n",
        "games.pgn: game 8, line 57: found White's points 1, expected 0: the last move ends the game by checkmate\n",
        "games.pgn: game 9, line 64: tag `Variant`: found `no such game`, expected `chess` or another built-in game\n",
        "games.pgn: game 10, line 71: column 7: found an unterminated comment, expected `}`\n",
    ] {
        assert!(err.contains(line), "{err}");
    }

    let store = Store::open_read(&folder.path().join("games.db")).unwrap();
    let games: Vec<GameRecord> = store.games().map(Result::unwrap).collect();
    let [lichess, cutechess, annotated] = &games[..] else { panic!("{games:?}") };
    // White's evaluation after a move is that of the next position.
    let evals: Vec<Option<Eval>> = lichess.moves.iter().map(|played| played.eval).collect();
    assert_eq!(evals, [None, Some(Eval::Centipawns(-17)), Some(Eval::Centipawns(19)), Some(Eval::Mate(2))]);
    assert_eq!((lichess.end.name(), lichess.result), ("time-loss", Points::LOSS));
    assert_eq!((cutechess.moves[0].eval, cutechess.moves[0].depth), (Some(Eval::Centipawns(35)), 12));
    assert_eq!((cutechess.moves[1].eval, cutechess.moves[1].time_ms), (Some(Eval::Mate(-5)), Some(1_500)));
    assert_eq!(cutechess.end, GameEnd::Resignation);
    assert_eq!((annotated.moves.len(), annotated.end.name()), (7, "checkmate"));
    let tags = store.tags(0..=2).unwrap();
    assert_eq!(tags[&0].ratings(), Some([2_100, 2_000]));
    assert_eq!((tags[&1].ratings(), tags[&2].get("White")), (None, Some("M\u{fc}ller, \"Max\"")));
    assert_eq!(tags[&0].get("Round"), None);

    for arguments in [&["info", "games.db", "--replay"][..], &["export", "games.db", "--epd", "-"]] {
        printed(arguments, folder.path());
    }
    let document = include_str!("../../docs/data.md");
    let query = document.split("```").find(|block| block.contains("JOIN tags")).unwrap();
    let database = rusqlite::Connection::open(folder.path().join("games.db")).unwrap();
    let row = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
    let row: (f64, u32, f64) = database.query_row(query.strip_prefix("sql").unwrap(), [], row).unwrap();
    assert_eq!(row, (100.0, 1, 0.0));
    drop(database);

    // What goes out comes in.
    let again = printed(&["export", "games.db", "--pgn", "-"], folder.path());
    assert!(again.contains("[WhiteElo \"2100\"]") && again.contains("[Ending \"time-loss\"]"), "{again}");
    let reread = import(again.as_bytes(), Filters::default(), folder.path()).unwrap();
    let comparable = |games: &[GameRecord]| -> Vec<GameRecord> {
        games.iter().cloned().map(|game| GameRecord { opening: String::new(), fault: None, ..game }).collect()
    };
    assert_eq!(comparable(&reread), comparable(&games));
}

#[test]
fn a_file_that_is_cut_off_between_two_moves_is_a_fault() {
    let folder = TempDir::new().unwrap();
    let game = |more: &str| format!("[Event \"x\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Qh5{more}\n\n");
    let count =
        |text: String| import(text.as_bytes(), Filters::default(), folder.path()).map_or(0, |games| games.len());
    assert_eq!(count(game(" 1-0")), 1);
    for end in [" 1-0 {resigns}", " 1-0 ; resigns", " 1-0\n% a line for programs", " 1-0 {a { b}"] {
        assert_eq!(count(game(end)), 1, "{end}");
    }
    assert_eq!(count(game(" ; drawn 1/2-1/2")), 0);
    // Before another game, the tag is enough.
    assert_eq!(count(game("") + &game(" Nc6 1-0")), 2);
    assert_eq!(count(game("")), 0);
}

#[test]
fn the_tag_termination_names_faults() {
    let folder = TempDir::new().unwrap();
    let end = |termination: &str, result: &str| {
        let text = format!("[Result \"{result}\"]\n[Termination \"{termination}\"]\n\n1. e4 e5 {result}\n");
        let games = import(text.as_bytes(), Filters::default(), folder.path()).unwrap();
        (games[0].end.name(), games[0].fault.as_ref().map(|fault| fault.player))
    };
    // lichess, cutechess and chess.com.
    for (termination, name) in [
        ("Time forfeit", "time-loss"),
        ("time forfeit", "time-loss"),
        ("alice won on time", "time-loss"),
        ("Abandoned", "crash"),
        ("bob won - game abandoned", "crash"),
        ("illegal move", "illegal-move"),
    ] {
        assert_eq!(end(termination, "1-0"), (name, Some(1)), "{termination}");
    }
    for termination in ["Normal", "adjudication", "alice won by resignation", "alice won by checkmate"] {
        assert_eq!(end(termination, "0-1"), ("resignation", None), "{termination}");
    }
    let drawn = "Game drawn by timeout vs insufficient material";
    assert_eq!(end(drawn, "1/2-1/2"), ("draw-adjudication", None));
}

#[test]
fn imported_games_cannot_be_continued_or_overwritten() {
    let folder = TempDir::new().unwrap();
    import(GAMES.as_bytes(), Filters::default(), folder.path()).unwrap();
    let before = fs::read(folder.path().join("out.db")).unwrap();
    for (arguments, expected) in [
        (
            &["generate", "chess", "--games", "2", "--data", "out.db"][..],
            "found imported games, which cannot be continued",
        ),
        (&["import", "in.pgn", "--data", "out.db"], "out.db: the file exists; choose another file"),
        (&["import", "in.pgn", "--data", "in.pgn"], "found an input file"),
        (&["import", "in.pgn", "--data", "new.db", "--strict"], "game 7, line 55"),
        (
            &["import", "in.pgn", "--data", "new.db", "--min-elo", "2800"],
            "found no game to import in in.pgn (left out: 7 --min-elo, ",
        ),
        (&["import", "none.pgn", "--data", "new.db"], "none.pgn: No such file"),
        (&["import", "in.pgn", "--data", "new.db", "--cluster", "opening:0"], "expected `opening:N`"),
        (&["import", "out.db", "--data", "new.db"], "found no game to import"),
    ] {
        let output = assay_selfplay(arguments, folder.path());
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && text.contains(expected), "{arguments:?}: {text}");
    }
    assert_eq!(fs::read(folder.path().join("out.db")).unwrap(), before);
    let names = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
    assert_eq!(names.count(), 2, "no part of a file is left");
}

#[test]
fn filters_and_clusters() {
    let folder = TempDir::new().unwrap();
    let count = |filters: Filters| import(GAMES.as_bytes(), filters, folder.path()).map_or(0, |games| games.len());
    let none = Filters::default();
    for (filters, expected) in [
        (Filters { min_elo: Some(2_000), ..none.clone() }, 1),
        (Filters { min_depth: Some(10), ..none.clone() }, 1),
        (Filters { min_depth: Some(40), ..none.clone() }, 0),
        (Filters { time_controls: vec!["180+2".into()], ..none.clone() }, 1),
        (Filters { results: vec!["1-0".into()], ..none.clone() }, 2),
        (Filters { min_plies: Some(5), ..none.clone() }, 1),
        (Filters { max_plies: Some(5), ..none.clone() }, 2),
        (Filters { event: Some("RATED".into()), ..none.clone() }, 1),
    ] {
        assert_eq!(count(filters.clone()), expected, "{filters}");
    }
    let text = |plies: &str| {
        format!(
            "[White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 {plies} 1-0\n\n"
        )
    };
    let games = format!("{}{}1. d4 d5 1-0\n", text("5. O-O"), text("5. d3"));
    let games = import(games.as_bytes(), none, folder.path()).unwrap();
    let clusters: Vec<u64> = games.iter().map(|game| game.pair).collect();
    assert_eq!(clusters, [0, 0, 1]);
}

#[test]
fn compressed_files_are_read_to_the_end_of_their_last_part() {
    let folder = TempDir::new().unwrap();
    let half = GAMES.find("[Event \"cute").unwrap();
    let parts = [&GAMES[..half], &GAMES[half..]];
    let expected = import(GAMES.as_bytes(), Filters::default(), folder.path()).unwrap();
    let gzip = parts.map(|part| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(part.as_bytes()).unwrap();
        encoder.finish().unwrap()
    });
    let zstd = parts.map(|part| {
        let frame = ruzstd::encoding::compress_to_vec(part.as_bytes(), ruzstd::encoding::CompressionLevel::Fastest);
        // Parallel compressors put a frame to be skipped before each one.
        [&[0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0, 9, 9, 9, 9][..], &frame].concat()
    });
    for bytes in [gzip.concat(), zstd.concat()] {
        assert_eq!(import(&bytes, Filters::default(), folder.path()).unwrap(), expected);
        let torn = import(&bytes[..bytes.len() - 30], Filters::default(), folder.path()).unwrap_err();
        assert!(torn.to_string().contains("in.pgn: "), "{torn}");
        assert!(!folder.path().join("out.db").exists());
    }
}

/// What programs write is read by the engine's generator; with a comment to the end of a line by
/// the reference.
#[test]
fn both_readers_read_the_same() {
    let folder = TempDir::new().unwrap();
    for game in ["chess", "crazyhouse", "gunnery", "fischerandom", "apothecary2", "atomic"] {
        let run = ["generate", game, "--games", "6", "--nodes", "60", "--hash", "1", "--data", "played.db"];
        printed(&run, folder.path());
        let store = Store::open_read(&folder.path().join("played.db")).unwrap();
        let of = |game: GameRecord| (game.start_fen, game.moves, game.result, game.end);
        let played: Vec<_> = store.games().map(|game| of(game.unwrap())).collect();
        let plain = printed(&["export", "played.db", "--pgn", "-"], folder.path());
        let annotated = plain.replace("\"]\n\n", "\"]\n\n; by the reference\n");
        for text in [&plain, &annotated] {
            let games = import(text.as_bytes(), Filters::default(), folder.path()).unwrap();
            let same = games.into_iter().map(of).eq(played.iter().cloned());
            assert!(same, "{game}: {}", text == &plain);
        }
        fs::remove_file(folder.path().join("played.db")).unwrap();
    }
}

#[test]
fn changed_tags_are_found() {
    let folder = TempDir::new().unwrap();
    import(GAMES.as_bytes(), Filters::default(), folder.path()).unwrap();
    let path = folder.path().join("out.db");
    let database = rusqlite::Connection::open(&path).unwrap();
    database.execute_batch("UPDATE tags SET tags = replace(tags, '2100', '2700')").unwrap();
    drop(database);
    let info: Value =
        serde_json::from_slice(&assay_selfplay(&["info", "out.db", "--json"], folder.path()).stdout).unwrap();
    assert!(info["problems"][0].as_str().unwrap().contains("the tags have changed"), "{info}");
}

/// An import that is stopped leaves nothing, and one that is killed only files that say that they
/// are incomplete.
#[test]
#[cfg(unix)]
fn signals_end_an_import_without_a_run_file() {
    use std::io::Write as _;
    use std::os::unix::process::ExitStatusExt as _;
    use std::process::{Command, Stdio};
    for (name, is_stopped) in [("TERM", true), ("HUP", true), ("QUIT", false)] {
        let folder = TempDir::new().unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_assay-selfplay"));
        command.args(["import", "-", "--data", "games.db"]).current_dir(folder.path());
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = assay_cli::testing::reset_signals(&mut command).spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        // Until the program has ended.
        let writer = std::thread::spawn(move || while input.write_all(b"1. e4 e5 2. Nf3 *\n").is_ok() {});
        let files = || fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
        crate::common::wait_until(|| files().count() > 0);
        std::thread::sleep(std::time::Duration::from_millis(200));
        crate::common::signal(&child, name);
        let status = child.wait().unwrap();
        writer.join().unwrap();
        let left: Vec<String> = files().map(|name| name.into_string().unwrap()).collect();
        if is_stopped {
            assert_eq!((status.code(), left.len()), (Some(130), 0), "{name}: {left:?}");
        } else {
            assert!(status.signal().is_some() && left.iter().all(|name| name.contains(".part")), "{name}: {left:?}");
        }
    }
}
