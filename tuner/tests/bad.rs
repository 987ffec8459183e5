//! Bad requests from `testdata/bad/tuner.toml`.

use std::fs;
use std::path::Path;

use assay_rules::Points;
use assay_selfplay::store::NewRun;
use assay_selfplay::{GameRecord, RunOptions, Store};
use assert_cmd::Command;
use serde::Deserialize;
use tempfile::TempDir;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    args: Vec<String>,
    stderr: Vec<String>,
    status: i32,
}

fn assay_tuner(args: &[&str], folder: &Path) -> std::process::Output {
    Command::cargo_bin("assay-tuner")
        .unwrap()
        .args(args)
        .current_dir(folder)
        .output()
        .unwrap()
}

/// Writes the games of `chess.db` to a new file after changing them.
fn rewritten(folder: &Path, name: &str, change: impl FnOnce(&mut Vec<GameRecord>)) {
    let store = Store::open_read(&folder.join("chess.db")).unwrap();
    let mut games: Vec<GameRecord> = store.games().collect::<Result<_, _>>().unwrap();
    change(&mut games);
    let run = store.run();
    let new = NewRun {
        settings: &run.settings,
        options: &RunOptions::self_play(run.games, 1),
        identities: &run.identities,
        book_hash: None,
    };
    let mut copy = Store::open_run(&folder.join(name), &new, false).unwrap();
    copy.add(&games).unwrap();
    copy.close().unwrap();
}

/// Makes the files that the cases use.
fn prepare(folder: &Path) {
    for game in ["chess", "berolina"] {
        let file = format!("{game}.db");
        // So few games cannot be measured, but they are played and kept.
        let output = assay_tuner(
            &[
                "validate",
                game,
                "--games",
                "4",
                "--nodes",
                "20",
                "--playtest",
                "0",
                "--data",
                &file,
            ],
            folder,
        );
        assert!(
            folder.join(&file).exists(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
    fs::copy(folder.join("chess.db"), folder.join("copy.db")).unwrap();
    rewritten(folder, "result.db", |games| games[2].result = Points::ADVANTAGE);
    rewritten(folder, "move.db", |games| games[1].moves = games[3].moves.clone());
    rewritten(folder, "equal.db", |games| {
        for game in games.iter_mut() {
            game.result = Points::DRAW;
        }
    });
    rewritten(folder, "nothing.db", Vec::clear);
    rewritten(folder, "pair.db", |games| games.truncate(2));
    rewritten(folder, "few.db", |games| {
        for (game, result) in games
            .iter_mut()
            .zip([Points::WIN, Points::DRAW, Points::LOSS, Points::WIN])
        {
            game.result = result;
        }
    });
    let whole = fs::read(folder.join("chess.db")).unwrap();
    fs::write(folder.join("torn.db"), &whole[..whole.len() - 4_096]).unwrap();
    fs::write(
        folder.join("text.db"),
        "a text, and a longer one than the sixteen bytes that a database begins with",
    )
    .unwrap();
    fs::write(folder.join("bad-game.toml"), "name = \"mine\"\n").unwrap();
    fs::create_dir(folder.join("folder")).unwrap();
}

/// Names and contents of all files in a folder.
fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.path().is_file())
        .map(|entry| {
            (
                entry.file_name().into_string().unwrap(),
                fs::read(entry.path()).unwrap(),
            )
        })
        .collect();
    files.sort();
    files
}

#[test]
fn bad_requests_fail_with_an_explanation() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../testdata/bad/tuner.toml");
    let cases: Cases = toml::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    let folder = TempDir::new().unwrap();
    prepare(folder.path());
    let before = contents(folder.path());
    for case in cases.case {
        let args: Vec<&str> = case.args.iter().map(String::as_str).collect();
        let output = assay_tuner(&args, folder.path());
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(case.status), "{args:?}: {stderr}");
        for expected in &case.stderr {
            assert!(
                stderr.contains(expected),
                "{args:?}: found\n{stderr}\nexpected\n{expected}"
            );
        }
        assert_eq!(contents(folder.path()), before, "{args:?} changed a file");
    }
}
