//! Bad requests from `testdata/bad/tuner.toml`.

use std::fs;
use std::path::Path;

use assay_cli::testing::{Program, contents};
use assay_rules::Points;
use assay_selfplay::store::NewRun;
use assay_selfplay::{GameRecord, RunOptions, Store};
use serde_json::Value;
use tempfile::TempDir;

use crate::common::{assay_tuner, error};

/// Writes the games of `chess.db` to a new file after changing them.
fn rewritten(folder: &Path, name: &str, change: impl FnOnce(&mut Vec<GameRecord>)) {
    let store = Store::open_read(&folder.join("chess.db")).unwrap();
    let mut games: Vec<GameRecord> = store.games().collect::<Result<_, _>>().unwrap();
    change(&mut games);
    let run = store.header();
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
        let play = format!("validate {game} --games 4 --nodes 100 --playtest 0 --data {file}");
        let output = assay_tuner(&play, folder);
        assert!(folder.join(&file).exists(), "{}", String::from_utf8_lossy(&output.stderr));
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
        for (game, result) in games.iter_mut().zip([Points::WIN, Points::DRAW, Points::LOSS, Points::WIN]) {
            game.result = result;
        }
    });
    let whole = fs::read(folder.join("chess.db")).unwrap();
    fs::write(folder.join("torn.db"), &whole[..whole.len() - 4_096]).unwrap();
    fs::write(folder.join("text.db"), "a text, and a longer one than the sixteen bytes that a database begins with")
        .unwrap();
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    for (name, text) in [
        ("label.epd", format!("{start} c9 \"1-0\";\n\n{start} c9 \"*\";\n")),
        ("position.epd", format!("{start} [1.0]\nrnbqkbnr/pppppppp/8/8/8/9/PPPPPPPP/RNBQKBNR w KQkq - [0.5]\n")),
        ("played.epd", format!("{start} sm Nf4; c9 \"1-0\";\n")),
        ("variant.epd", format!("{start} c0 \"variant gamma2\"; c9 \"1-0\";\n")),
        ("score.txt", format!("{start} 0 1 | high | 1.0\n")),
        ("torn.plain", format!("fen {start} 0 1\nscore 5\n")),
        ("long.csv", format!("fen,result\n{start},{}\n", "1".repeat(20_000))),
        ("columns.csv", format!("fen,eval\n{start},5\n")),
        ("few.epd", format!("{start} c9 \"1-0\";\n").repeat(4)),
    ] {
        fs::write(folder.join(name), text).unwrap();
    }
    fs::write(folder.join("binary.data"), [0xff, 0xfe, 0, 1, b'\n']).unwrap();
    fs::write(folder.join("torn.epd.gz"), [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1]).unwrap();
    fs::write(folder.join("torn.epd.zst"), [0x28, 0xb5, 0x2f, 0xfd, 4]).unwrap();
    fs::write(folder.join("bad-game.toml"), "name = \"mine\"\n").unwrap();
    let definition = "name = 'my-game'\ntitle = 'My Game'\nbase = 'chess'\nsource = 'nobody'\n\n[pieces.pawn]\nvalue = 1\n\n[pieces.queen]\nvalue = 9\n";
    fs::write(folder.join("my-game.toml"), definition).unwrap();
    fs::create_dir(folder.join("folder")).unwrap();
}

#[test]
fn bad_requests_fail_with_an_explanation() {
    let folder = TempDir::new().unwrap();
    prepare(folder.path());
    Program::new(env!("CARGO_BIN_EXE_assay-tuner"), "").check_bad_requests("tuner", folder.path());
    // Help instead of an error.
    let output = assay_tuner("", folder.path());
    assert!(output.status.code() == Some(2) && String::from_utf8_lossy(&output.stderr).contains("Usage"));
}

/// Lists that reports go through in parallel and counts that no run reaches, in a saved
/// measurement, each with the expected error.
const WRONG_SPOTS: [(&str, &str, &str); 26] = [
    ("/files/0/hash", r#""abc""#, "files[0].hash: found `abc`, expected at least 16 hexadecimal digits"),
    ("/files/0/hash", r#""éééééééééééééééééé""#, "expected at least 16 hexadecimal digits"),
    ("/playtest/files/0/hash", r#""""#, "playtest.files[0].hash: found ``"),
    ("/convergence/steps/1/half_widths", "[]", "convergence.steps[1].half_widths: found 0 pieces, expected 8"),
    ("/fit/columns", "[]", "fit.coefficients: found 19 numbers, expected 0"),
    ("/fit/coefficients", "[]", "fit.coefficients: found 0 numbers, expected 19"),
    ("/fit/standard_errors", "[1]", "fit.standard_errors: found 1 numbers, expected 19"),
    ("/fit/covariance", "[]", "fit.covariance: found 0 rows, expected 19"),
    ("/fit/covariance/0", "[]", "fit.covariance[0]: found 0 numbers, expected 19"),
    ("/fit/covariance/18", "[1, 2]", "fit.covariance[18]: found 2 numbers, expected 19"),
    ("/tables/0/values", "[]", "tables[0].covariance: found 5 rows, expected 0"),
    ("/tables/1/values", "[]", "tables[1].values: found 0 pieces, expected 5"),
    ("/tables/1/values/0/piece", r#""cat""#, "tables[1].values[0].piece: found `cat`, expected `queen`"),
    ("/tables/0/covariance", "[]", "tables[0].covariance: found 0 rows, expected 5"),
    ("/tables/0/covariance/4", "[0]", "tables[0].covariance[4]: found 1 numbers, expected 5"),
    ("/playtest/tables/0/covariance", "[[1]]", "playtest.tables[0].covariance: found 1 rows, expected 5"),
    ("/playtest/tables/2/values", "[]", "playtest.tables[2].values: found 0 pieces, expected 5"),
    (
        "/diagnostics/calibration/0/residual/clusters",
        "1000000000",
        "diagnostics.calibration[0].residual.clusters: found 1000000000, expected at most the 2000 pairs",
    ),
    (
        "/diagnostics/by_material/3/residual/clusters",
        "1000000000",
        "diagnostics.by_material[3].residual.clusters: found 1000000000, expected at most the 2000 pairs",
    ),
    ("/playtest/comparisons/3/pairs", "1000000000", "playtest.comparisons[3].pairs: found 1000000000, expected"),
    ("/games/pairs", "1000000000", "games.pairs: found 1000000000, expected at most the 4000 games"),
    ("/games/pairs", "1000000000000000", "games.pairs: found 1000000000000000, expected at most the 4000 games"),
    ("/games/white_score", "1.5", "games.white_score: found 1.5e0, expected a number from 0 to 1"),
    (
        "/tables/0/values/0/measured/value",
        "-1",
        "tables[0].values[0].measured: found -1, expected a number in its interval, ",
    ),
    ("/games/results/0/games", "4000", "games.results: found "),
    ("/sample_games/0/evals", "[]", "sample_games[0].evals: found 0 evaluations, expected 157"),
];

#[test]
fn lists_and_counts_of_a_saved_measurement_belong_together() {
    let folder = TempDir::new().unwrap();
    let values = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/values");
    let good: Value = serde_json::from_str(&fs::read_to_string(values.join("chess.json")).unwrap()).unwrap();
    let other = values.join("berolina.json").display().to_string();
    for (place, changed, expected) in WRONG_SPOTS {
        let mut report = good.clone();
        *report.pointer_mut(place).expect(place) = serde_json::from_str(changed).unwrap();
        fs::write(folder.path().join("chess.json"), report.to_string()).unwrap();
        for args in ["", " --html new.html", &format!(" {other} --svg new.svg")] {
            let stderr = error(&format!("report chess.json{args}"), folder.path());
            assert!(
                stderr.starts_with("error: chess.json: ") && stderr.contains(expected),
                "{place},{args}: found\n{stderr}\nexpected\n{expected}"
            );
        }
    }
}

/// A matrix that is no covariance gives wrong numbers, but no panic.
#[test]
fn a_covariance_with_negative_variances_can_be_reported() {
    let folder = TempDir::new().unwrap();
    let values = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/values");
    let mut report: Value = serde_json::from_str(&fs::read_to_string(values.join("chess.json")).unwrap()).unwrap();
    let other = report.clone();
    for place in ["/fit/covariance", "/tables/0/covariance"] {
        let rows = report.pointer_mut(place).and_then(Value::as_array_mut).unwrap();
        for (index, row) in rows.iter_mut().enumerate() {
            row[index] = (-1.0).into();
        }
    }
    report["files"][0]["hash"] = "0123456789abcdef".into();
    fs::write(folder.path().join("chess.json"), report.to_string()).unwrap();
    fs::write(folder.path().join("other.json"), other.to_string()).unwrap();
    for args in ["", " --html new.html", " other.json --svg new.svg"] {
        let output = assay_tuner(&format!("report chess.json{args}"), folder.path());
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(matches!(output.status.code(), Some(0 | 2)), "{args}: {stderr}");
    }
}

/// A FIFO would wait for a writer forever, and a device has no games.
#[test]
#[cfg(unix)]
fn pipes_and_devices_hold_no_games() {
    let folder = TempDir::new().unwrap();
    let status = std::process::Command::new("mkfifo").arg(folder.path().join("pipe")).status();
    assert!(status.unwrap().success());
    for file in ["pipe", "/dev/null"] {
        for command in [
            "export --csv new.csv",
            "fit",
            "validate chess --data",
            "stats chess --from",
            "stats chess --data",
            "claims gunnery --from",
            "playtest chess --from",
            "tune",
        ] {
            let stderr = error(&format!("{command} {file}"), folder.path());
            let expected = format!("{file}: found a device or pipe, expected a regular file");
            assert!(stderr.contains(&expected), "{command}: {stderr}");
        }
    }
    assert!(contents(folder.path()).is_empty());
}
