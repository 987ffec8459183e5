//! Output of `generate`, `info` and `export`.

use std::fs;

use crate::common::{assay_selfplay, games, printed};
use assay_rules::def::builtin_variant;
use assay_rules::fen::Epd;
use assay_rules::pgn::PgnReader;
use assay_rules::{GameDef, Points, san};
use assay_selfplay::Store;
use assay_selfplay::game::Eval;
use serde_json::Value;
use tempfile::TempDir;

const RUN: [&str; 10] =
    ["generate", "apothecary2", "--games", "6", "--nodes", "50", "--hash", "1", "--data", "games.db"];

#[test]
fn generate_summarizes_and_continues_a_run() {
    let folder = TempDir::new().unwrap();
    let first = printed(&RUN, folder.path());
    assert!(first.contains("apothecary2, seed 1, 50 nodes per move"), "{first}");
    assert!(first.contains("games.db: 6 of 6 games, 6 new in "), "{first}");
    let again = printed(&RUN, folder.path());
    assert!(again.contains("games.db: 6 of 6 games, 0 new in "), "{again}");
    let json: Value = serde_json::from_str(&printed(&[&RUN[..], &["--json"]].concat(), folder.path())).unwrap();
    assert_eq!((&json["done"], &json["played"]), (&6.into(), &0.into()));
    let fewer = printed(&RUN.map(|word| if word == "6" { "2" } else { word }), folder.path());
    assert!(fewer.contains("games.db: 6 games, 2 requested, 0 new in "), "{fewer}");
}

#[test]
fn info_summarizes_and_detects_damage() {
    let folder = TempDir::new().unwrap();
    printed(&RUN, folder.path());
    let text = printed(&["info", "games.db", "--replay"], folder.path());
    for expected in [
        "game           apothecary2\n",
        "games          6, 3 complete pairs",
        "intact, and every game follows the rules",
    ] {
        assert!(text.contains(expected), "{text}");
    }
    let info: Value = serde_json::from_str(&printed(&["info", "games.db", "--json"], folder.path())).unwrap();
    let of = |group: &str| info[group].as_object().unwrap().values().map(|count| count.as_u64().unwrap()).sum::<u64>();
    assert_eq!((of("results"), of("endings")), (6, 6));
    assert_eq!(info["run"]["players"][0]["settings"]["limits"]["nodes"], 50);
    assert_eq!(info["run"]["openings"]["start"], "random");
    assert_eq!(info["problems"], Value::Array(Vec::new()));

    let database = rusqlite::Connection::open(folder.path().join("games.db")).unwrap();
    database.execute_batch("UPDATE games SET result = (result + 1) % 5 WHERE idx = 3").unwrap();
    drop(database);
    let output = assay_selfplay(&["info", "games.db"], folder.path());
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("game 3: the record has changed since it was written"), "{text}");
}

#[test]
fn details_are_means_with_errors() {
    let folder = TempDir::new().unwrap();
    printed(&RUN, folder.path());
    let details = ["info", "games.db", "--details", "--max-pieces", "20", "--min-games", "2"];
    let info: Value = serde_json::from_str(&printed(&[&details[..], &["--json"]].concat(), folder.path())).unwrap();
    let details_of = &info["details"];
    assert_eq!(details_of["white_score"], info["white"]);
    assert_eq!((&info["white"]["weight"], &info["white"]["clusters"]), (&6.0.into(), &3.into()));
    assert_eq!(details_of["plies"]["mean"], info["plies"]["mean"]);
    for group in ["results", "endings"] {
        let games = details_of[group].as_array().unwrap().iter().map(|share| share["games"].as_u64().unwrap());
        assert_eq!(games.sum::<u64>(), 6, "{group}");
    }
    let text = printed(&details, folder.path());
    let tables = text.split_once("\ncheck          intact\n").unwrap().1;
    for expected in ["legal moves per position ", "Endgames with at most 20 pieces besides the kings"] {
        assert!(tables.contains(expected), "{text}");
    }
    assert!(text.starts_with(&printed(&["info", "games.db"], folder.path())), "{text}");
}

#[test]
fn pgn_reads_back_as_the_same_games() {
    let folder = TempDir::new().unwrap();
    printed(&[&RUN[..], &["--material", "values"]].concat(), folder.path());
    printed(&["export", "games.db", "--pgn", "games.pgn"], folder.path());
    let text = fs::read_to_string(folder.path().join("games.pgn")).unwrap();
    assert_eq!(text, printed(&["export", "games.db", "--pgn", "-"], folder.path()));
    let game = GameDef::builtin("apothecary2").unwrap();
    let read: Vec<_> = PgnReader::new(&text, &game, builtin_variant).collect::<Result<_, _>>().unwrap();
    let stored = games(&folder.path().join("games.db"));
    let run = Store::open_read(&folder.path().join("games.db")).unwrap().header().id();
    assert_eq!(read.len(), stored.len());
    for (read, stored) in read.iter().zip(&stored) {
        let replayed = stored.replay(&game).unwrap();
        assert_eq!(read.start(), &replayed.positions()[0]);
        assert_eq!(read.moves(), replayed.moves());
        assert_eq!(read.result(), Some(stored.result));
        assert_eq!(read.tag("Material"), stored.material.as_deref());
        assert_eq!(read.tag("GameId"), Some(format!("{run}-{}", stored.index).as_str()));
        assert!(read.comments().iter().all(|comment| comment.as_ref().is_some_and(|text| text.ends_with('n'))));
    }
}

#[test]
fn epd_has_one_line_per_position() {
    let folder = TempDir::new().unwrap();
    printed(&RUN, folder.path());
    let text = printed(&["export", "games.db", "--epd", "-", "--game-index", "1,4-"], folder.path());
    let stored = games(&folder.path().join("games.db"));
    let game = GameDef::builtin("apothecary2").unwrap();
    let run = Store::open_read(&folder.path().join("games.db")).unwrap().header().id();
    let mut lines = text.lines();
    for stored in [&stored[1], &stored[4], &stored[5]] {
        let replayed = stored.replay(&game).unwrap();
        for (ply, position) in replayed.positions().iter().enumerate() {
            let line = lines.next().unwrap();
            assert_eq!(Epd::read(&game, line).map(|epd| epd.position).as_ref(), Ok(position), "{line}");
            let operations = line.strip_suffix(';').unwrap().split("; ").skip(2);
            let played = replayed.moves().get(ply);
            let played = played.map(|&mv| format!("sm {}", san::format(position, mv)));
            let result = match stored.result {
                Points::WIN => "1-0",
                Points::LOSS => "0-1",
                _ => "1/2-1/2",
            };
            let comments = [
                "c0 \"variant apothecary2\"".to_owned(),
                format!("c1 \"result {result}\""),
                format!("c2 \"score {}\"", stored.result.as_f64()),
                format!("c3 \"game {run}-{}\"", stored.index),
                format!("c4 \"pair {run}-{}\"", stored.pair),
            ];
            let end = Some(format!("c5 \"end {}\"", stored.end)).filter(|_| played.is_none());
            let eval = stored.moves.get(ply).and_then(|played| played.eval).map(|eval| match eval {
                Eval::Centipawns(score) => format!("ce {score}"),
                Eval::Mate(moves) if moves > 0 => format!("ce {}", 32_768 - 2 * moves),
                Eval::Mate(moves) => format!("ce {}", -32_767 - 2 * moves),
            });
            let expected: Vec<String> = eval.into_iter().chain(played).chain(comments).chain(end).collect();
            assert!(operations.eq(expected), "{line}");
        }
    }
    assert_eq!(lines.next(), None);
}

#[test]
fn export_overwrites_only_with_force() {
    let folder = TempDir::new().unwrap();
    printed(&RUN, folder.path());
    let out = folder.path().join("out.pgn");
    fs::write(&out, "precious").unwrap();
    let args = ["export", "games.db", "--pgn", "out.pgn"];
    assert_eq!(assay_selfplay(&args, folder.path()).status.code(), Some(2));
    let no_games = [&args[..], &["--force", "--game-index", "6-"]].concat();
    assert_eq!(assay_selfplay(&no_games, folder.path()).status.code(), Some(2));
    assert_eq!(fs::read_to_string(&out).unwrap(), "precious");
    printed(&[&args[..], &["--force"]].concat(), folder.path());
    assert!(fs::read_to_string(&out).unwrap().starts_with("[Event "));
    assert!(!folder.path().join("out.pgn.part").exists());
}

#[cfg(not(feature = "parquet"))]
#[test]
fn export_without_parquet_writes_nothing() {
    let folder = TempDir::new().unwrap();
    printed(&RUN, folder.path());
    fs::write(folder.path().join("out.epd"), "precious").unwrap();
    let args = ["export", "games.db", "--epd", "out.epd", "--parquet", "out.parquet", "--force"];
    let output = assay_selfplay(&args, folder.path());
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert_eq!(stderr, "error: --parquet: this build cannot write Parquet; build it with --features parquet\n");
    assert_eq!(fs::read_to_string(folder.path().join("out.epd")).unwrap(), "precious");
}

#[test]
fn a_file_named_like_standard_output_does_not_matter() {
    let folder = TempDir::new().unwrap();
    printed(&RUN, folder.path());
    fs::write(folder.path().join("-"), "precious").unwrap();
    assert!(printed(&["export", "games.db", "--pgn", "-"], folder.path()).starts_with("[Event "));
    assert_eq!(fs::read_to_string(folder.path().join("-")).unwrap(), "precious");
}

#[test]
fn a_falsified_run_is_not_extended() {
    let folder = TempDir::new().unwrap();
    printed(&RUN, folder.path());
    let database = rusqlite::Connection::open(folder.path().join("games.db")).unwrap();
    database.execute_batch("UPDATE games SET result = (result + 1) % 5 WHERE idx = 3").unwrap();
    drop(database);
    let output = assay_selfplay(&RUN.map(|word| if word == "6" { "12" } else { word }), folder.path());
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("games.db: game 3: the record has changed since it was written"), "{stderr}");
    assert_eq!(assay_selfplay::Store::open_read(&folder.path().join("games.db")).unwrap().count().unwrap(), 6);
}

#[test]
fn usage_shows_alternatives() {
    let folder = TempDir::new().unwrap();
    for (args, expected) in [
        (&["sprt"][..], "--counts <N,N,...>"),
        (&["export", "games.db"], "<--pgn <OUT>|--epd <OUT>|--csv <OUT>|--parquet <OUT>|--bullet <OUT>|--plain <OUT>>"),
    ] {
        let output = assay_selfplay(args, folder.path());
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains(expected), "{stderr}");
    }
}

#[test]
fn counts_are_limited() {
    let folder = TempDir::new().unwrap();
    let output = assay_selfplay(&["sprt", "--counts", "9223372036854775807,1,1"], folder.path());
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "error: --counts: found 9,223,372,036,854,775,807 in the counts, expected at most 1,000,000,000,000\n"
    );
}

#[test]
fn help_has_examples() {
    let folder = TempDir::new().unwrap();
    for command in ["generate", "export", "info"] {
        assert!(printed(&[command, "--help"], folder.path()).contains("Examples:\n  assay-selfplay "), "{command}");
    }
    assert!(printed(&["--help"], folder.path()).contains("Exit status: "));
    assert!(printed(&["--version"], folder.path()).starts_with("assay-selfplay 0."));
}

#[cfg(unix)]
#[test]
fn tables_that_do_not_fit_into_memory_are_an_error() {
    let folder = TempDir::new().unwrap();
    let output = std::process::Command::new("sh")
        .args(["-c", "ulimit -v 8000000; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_assay-selfplay")])
        .args(["generate", "chess", "--games", "2", "--hash", "65536", "--threads", "1", "--data", "games.db"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "error: there is no memory for 1 game at a time, with transposition tables of 65,536 MiB each\n"
    );
    assert!(!folder.path().join("games.db").exists());
}

#[test]
fn progress_is_json_on_request() {
    let folder = TempDir::new().unwrap();
    let generate = "generate chess --games 4 --nodes 20 --hash 1 --progress";
    let stderr_of = |words: &str| {
        let words: Vec<&str> = words.split_whitespace().collect();
        let output = assay_selfplay(&words, folder.path());
        (String::from_utf8(output.stderr).unwrap(), output.status.code())
    };
    let (stderr, status) = stderr_of(&format!("{generate} json --data a.db"));
    assert_eq!(status, Some(0));
    let last: serde_json::Value = serde_json::from_str(stderr.lines().last().unwrap()).unwrap();
    assert_eq!((&last["done"], &last["total"]), (&4.into(), &4.into()), "{stderr}");
    assert_eq!((&last["unit"], &last["seconds_left"]), (&"games".into(), &0.0.into()), "{stderr}");
    assert!(last["per_second"].as_f64().unwrap() > 0.0, "{stderr}");
    // Errors are objects, too, and the flag may precede the command.
    let (stderr, status) =
        stderr_of("--progress json match chess -engine builtin -engine builtin -each nodes=20 -data a.db -rounds 1");
    assert_eq!(status, Some(2));
    for line in stderr.lines() {
        serde_json::from_str::<serde_json::Value>(line).unwrap();
    }
    assert!(stderr.contains(r#"{"note":"error: a.db: the file exists"#), "{stderr}");
    for mode in ["auto", "plain", "none"] {
        assert_eq!(stderr_of(&format!("{generate} {mode} --data {mode}.db")), (String::new(), Some(0)));
    }
}

#[test]
fn progress_of_a_match_has_the_precision() {
    let folder = TempDir::new().unwrap();
    let words = "match chess -engine builtin name=a nodes=40 -engine builtin name=b nodes=20 -each option.Hash=1 -rounds 20 -progress json";
    let words: Vec<&str> = words.split_whitespace().collect();
    let stderr = String::from_utf8(assay_selfplay(&words, folder.path()).stderr).unwrap();
    let last: serde_json::Value = serde_json::from_str(stderr.lines().last().unwrap()).unwrap();
    assert!(last["precision"].as_f64().unwrap() > 0.0, "{stderr}");
    assert_eq!(last["precision_unit"], "Elo");
}
