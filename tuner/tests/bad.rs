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
    rewritten(folder, "pair.db", |games| {
        games.truncate(2);
        (games[0].result, games[1].result) = (Points::WIN, Points::LOSS);
    });
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
    ("/fit/columns", "[]", "fit.coefficients: found 20 numbers, expected 0"),
    ("/fit/coefficients", "[]", "fit.coefficients: found 0 numbers, expected 20"),
    ("/fit/standard_errors", "[1]", "fit.standard_errors: found 1 numbers, expected 20"),
    ("/fit/covariance", "[]", "fit.covariance: found 0 rows, expected 20"),
    ("/fit/covariance/0", "[]", "fit.covariance: [0]: found 0 numbers, expected 20"),
    ("/fit/covariance/18", "[1, 2]", "fit.covariance: [18]: found 2 numbers, expected 20"),
    ("/tables/0/values", "[]", "tables[0].covariance: found 5 rows, expected 0"),
    ("/tables/1/values", "[]", "tables[1].values: found 0 pieces, expected 5"),
    ("/tables/1/values/0/piece", r#""cat""#, "tables[1].values[0].piece: found `cat`, expected `queen`"),
    ("/tables/0/covariance", "[]", "tables[0].covariance: found 0 rows, expected 5"),
    ("/tables/0/covariance/4", "[0]", "tables[0].covariance: [4]: found 1 numbers, expected 5"),
    ("/playtest/tables/0/covariance", "[[1]]", "playtest.tables[0].covariance: found 1 rows, expected 5"),
    ("/playtest/tables/2/values", "[]", "playtest.tables[2].values: found 0 pieces, expected 5"),
    (
        "/diagnostics/calibration/0/residual/clusters",
        "1000000000",
        "diagnostics.calibration[0].residual.clusters: found 1000000000, expected at most the 5000 pairs",
    ),
    (
        "/diagnostics/by_material/3/residual/clusters",
        "1000000000",
        "diagnostics.by_material[3].residual.clusters: found 1000000000, expected at most the 5000 pairs",
    ),
    ("/playtest/comparisons/3/pairs", "1000000000", "playtest.comparisons[3].pairs: found 1000000000, expected"),
    ("/games/pairs", "1000000000", "games.pairs: found 1000000000, expected at most the 10000 games"),
    ("/games/pairs", "1000000000000000", "games.pairs: found 1000000000000000, expected a count from 0 to 2^42"),
    ("/games/white_score", "1.5", "games.white_score: found 1.5, expected a number from 0 to 1"),
    (
        "/tables/0/values/0/measured/value",
        "-1",
        "tables[0].values[0].measured: found -1, expected a number in its interval, ",
    ),
    ("/games/results/0/games", "10000", "games.results: found "),
    ("/sample_games/0/evals", "[]", "sample_games[0].evals: found 0 evaluations, expected 43"),
];

/// Numbers and hashes of a saved measurement that are out of their ranges.
const WRONG_NUMBERS: [(&str, &str, &str); 39] = [
    // Probabilities, scores and shares.
    ("/joint_test/p", "1.5", "joint_test.p: found 1.5, expected a number from 0 to 1"),
    ("/given_material/overall/p", "-0.5", "given_material: found -0.5, expected a number from 0 to 1"),
    ("/given_material/stages/0/p", "2", "given_material: found 2.0, expected a number from 0 to 1"),
    ("/playtest/goodness_of_fit/p", "2", "playtest.goodness_of_fit.p: found 2.0, expected a number from 0 to 1"),
    ("/scale/pawn_score_few_pieces", "-0.1", "scale.pawn_score_few_pieces: found -0.1, expected a number from 0 to 1"),
    ("/fit/level", "95", "fit.level: found 95.0, expected a number from 0 to 1"),
    ("/fit/pieces_left", "2", "fit.pieces_left: found 2.0, expected a number from 0 to 1"),
    ("/slices/3/left", "1.5", "slices[3].left: found 1.5, expected a number from 0 to 1"),
    ("/games/results/0/white", "2", "games.results[0].white: found 2.0, expected a number from 0 to 1"),
    ("/sample_games/0/white", "-1", "sample_games[0].white: found -1.0, expected a number from 0 to 1"),
    ("/diagnostics/calibration/1/expected", "7", "diagnostics.calibration[1].expected: found 7.0, expected a number"),
    // Numbers that are never negative.
    ("/fit/standard_errors/1", "-0.1", "fit.standard_errors[1]: found -0.1, expected 0 or more"),
    ("/playtest/unit_log_odds_standard_error", "-1", "playtest.unit_log_odds_standard_error: found -1.0, expected 0"),
    (
        "/diagnostics/by_kind/0/residual/standard_error",
        "-1",
        "diagnostics.by_kind[0].residual.standard_error: found -1.0, expected 0 or more",
    ),
    (
        "/diagnostics/by_phase/0/residual/weight",
        "-1",
        "diagnostics.by_phase[0].residual.weight: found -1.0, expected 0 or more",
    ),
    ("/slices/0/weight", "-1", "slices[0].weight: found -1.0, expected 0 or more"),
    (
        "/playtest/goodness_of_fit/chi_square",
        "-1",
        "playtest.goodness_of_fit.chi_square: found -1.0, expected 0 or more",
    ),
    ("/tables/0/total", "0", "tables[0].total: found 0.0, expected more than 0"),
    ("/tables/0/values/0/published", "-9", "tables[0].values[0].published: found -9.0, expected more than 0"),
    // Counts.
    ("/bootstrap/replicates", "10000000000000", "bootstrap.replicates: found 10000000000000, expected a count from 0"),
    ("/playtest/comparisons/0/counts/1", "10000000000000", "playtest.comparisons[0].counts[1]: found 10000000000000"),
    ("/convergence/games_to_halve", "0", "convergence.games_to_halve: found 0, expected a count from 1 to 2^42"),
    ("/files/0/games", "1e13", "files[0].games: "),
    // Critical values.
    ("/fit/critical_value", "1e9", "fit.critical_value: found 1000000000.0, expected a number from 0 to 100"),
    ("/agreement/critical_z", "101", "agreement.critical_z: found 101.0, expected a number from 0 to 100"),
    // Numbers that are too large for anything.
    ("/bonuses/0/published", "-9", "bonuses[0].published: found -9.0, expected more than 0"),
    ("/alternatives/0/values/rook", "-1e16", "alternatives[0].values.rook: found -1e16, expected a number between"),
    (
        "/bonuses/0/measured/interval/1",
        "1e16",
        "bonuses[0].measured.interval[1]: found 1e16, expected a number between",
    ),
    // Intervals.
    ("/bootstrap/sd_ratio", "[1.1, 0.9]", "bootstrap.sd_ratio: found 1.1 to 0.9, expected the lower end first"),
    ("/scale/pawn_score/interval", "[0.7, 0.6]", "scale.pawn_score.interval: found 0.7 to 0.6, expected the lower end"),
    ("/slices/0/low", "1", "slices[0]: found low = 1 and high = 0.875, expected low <= high"),
    // Variances.
    ("/fit/covariance/0/0", "-1", "fit.covariance: [0][0]: found -1, expected a variance of 0 or more"),
    ("/fit/covariance/2/1", "7", "fit.covariance: [2][1]: found 7, expected "),
    // Parts of a whole.
    ("/games/incomplete_pairs", "99999999", "games.incomplete_pairs: found 99999999, expected at most the "),
    (
        "/games/decided",
        r#"{"ended": 1, "played_on": 2, "otherwise": 3}"#,
        "games.decided.otherwise: found 3, expected at most the 2 games of the whole",
    ),
    (
        "/games/decided",
        r#"{"ended": 99999999, "played_on": 2, "otherwise": 1}"#,
        "games.decided.ended: found 99999999, expected at most the ",
    ),
    ("/playtest/tables/1/covariance/4/4", "-1", "playtest.tables[1].covariance: [4][4]: found -1, expected a variance"),
    // What the players believe.
    (
        "/fit/feedback",
        r#"{"run": null, "prior": {"mean": 0.15, "standard_deviation": 0.08}, "used": {"value": 0.15, "interval": null},
            "own": {"queen": {"value": 9, "varied": 9}, "cat": {"value": 1, "varied": 1}}}"#,
        "fit.feedback.own: found `cat`, expected pieces of Orthodox chess",
    ),
    (
        "/fit/feedback",
        r#"{"run": null, "prior": {"mean": 0.15, "standard_deviation": 0.08}, "used": {"value": 0.15, "interval": null},
            "own": {"queen": {"value": 0, "varied": 9}}}"#,
        "fit.feedback.own.queen.value: found 0.0, expected more than 0",
    ),
];

/// The same of other results, with the file.
const WRONG_OTHERS: [(&str, &str, &str, &str); 18] = [
    (LADDER, "/joint_p/0/1", "1.5", "joint_p[0][1]: found 1.5, expected a number from 0 to 1"),
    (LADDER, "/pieces/0/curves/0/p", "-1", "pieces[0].curves[0].p: found -1.0, expected a number from 0 to 1"),
    (LADDER, "/pieces/0/curves/1/chi_square", "-1", "pieces[0].curves[1].chi_square: found -1.0, expected 0 or more"),
    (LADDER, "/levels/1/match_below/pentanomial/2", "10000000000000", "levels[1].match_below.pentanomial[2]: found 1"),
    (LADDER, "/references/0/values/rook", "1e300", "references[0].values.rook: found 1e300, expected a number between"),
    (LADDER, "/pieces/0/change/interval", "[2, 1]", "pieces[0].change.interval: found 2 to 1, expected the lower end"),
    (LADDER, "/target", "10000000000000000", "target: found 10000000000000000, expected a number between"),
    (ATLAS, "/pieces/3/standard_error", "-1", "pieces[3].standard_error: found -1.0, expected 0 or more"),
    (ATLAS, "/estimate/covariance/1", "[1]", "estimate.covariance: [1]: found 1 numbers, expected"),
    (
        ATLAS,
        "/estimate/covariance/1/1",
        "-1",
        "estimate.covariance: [1][1]: found -1, expected a variance of 0 or more",
    ),
    (ATLAS, "/files/1/hash", r#""abc""#, "files[1].hash: found `abc`, expected at least 16 hexadecimal digits"),
    (CLAIMS, "/findings/0/p", "1.5", "findings[0].p: found 1.5, expected a number from 0 to 1"),
    (CLAIMS, "/findings/0/corrected_p", "-1", "findings[0].corrected_p: found -1.0, expected a number from 0 to 1"),
    (
        CLAIMS,
        "/findings/0/interval",
        "[0.7, 0.3]",
        "findings[0].interval: found 0.7 to 0.3, expected the lower end first",
    ),
    (CLAIMS, "/findings/0/interval", "[1e6, 2e6]", "findings[0].measured: found "),
    (CLAIMS, "/findings/0/claimed/value", "1e300", "findings[0].claimed: found 1e300, expected a number between"),
    (CLAIMS, "/findings/0/games", "10000000000000", "findings[0].games: found 10000000000000, expected a count from 0"),
    (CLAIMS, "/files/0/hash", r#""""#, "files[0].hash: found ``, expected at least 16 hexadecimal digits"),
];

const LADDER: &str = "testdata/values/ladders/chess.json";
const ATLAS: &str = "testdata/atlas/atlas.json";
const CLAIMS: &str = "tuner/tests/claims.json";

/// A file of the repository with another value in one place.
fn forged(file: &str, place: &str, changed: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(file);
    let mut result: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let changed = serde_json::from_str(changed).unwrap();
    let (parent, key) = place.rsplit_once('/').unwrap();
    match result.pointer_mut(parent).expect(place) {
        Value::Object(entries) => entries.insert(key.to_owned(), changed),
        list => Some(std::mem::replace(&mut list[key.parse::<usize>().unwrap()], changed)),
    };
    result.to_string()
}

#[test]
fn numbers_of_saved_results_are_in_their_ranges() {
    let folder = TempDir::new().unwrap();
    let chess = |(place, changed, expected)| ("testdata/values/chess.json", place, changed, expected);
    for (file, place, changed, expected) in WRONG_NUMBERS.map(chess).into_iter().chain(WRONG_OTHERS) {
        fs::write(folder.path().join("result.json"), forged(file, place, changed)).unwrap();
        let stderr = error("report result.json", folder.path());
        assert!(
            stderr.starts_with(&format!("error: result.json: {expected}")),
            "{file}{place}: found\n{stderr}\nexpected\n{expected}"
        );
    }
}

#[test]
fn lists_and_counts_of_a_saved_measurement_belong_together() {
    let folder = TempDir::new().unwrap();
    let values = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/values");
    let other = values.join("berolina.json").display().to_string();
    for (place, changed, expected) in WRONG_SPOTS {
        fs::write(folder.path().join("chess.json"), forged("testdata/values/chess.json", place, changed)).unwrap();
        for args in ["", " --html new.html", &format!(" {other} --svg new.svg")] {
            let stderr = error(&format!("report chess.json{args}"), folder.path());
            assert!(
                stderr.starts_with("error: chess.json: ") && stderr.contains(expected),
                "{place},{args}: found\n{stderr}\nexpected\n{expected}"
            );
        }
    }
}

/// Verdicts follow from the numbers beside them, whatever is stored.
#[test]
fn forged_verdicts_are_not_believed() {
    let folder = TempDir::new().unwrap();
    for (file, place, changed) in [
        (CLAIMS, "/findings/0/verdict", r#""does-not-hold""#),
        (CLAIMS, "/findings/1/verdict", r#""does-not-hold""#),
        ("testdata/values/chess.json", "/agreement/values/0/verdict", r#""less""#),
        ("testdata/values/chess.json", "/tables/0/values/0/verdict", r#""less""#),
    ] {
        let text = |result: String| {
            fs::write(folder.path().join("result.json"), result).unwrap();
            let output = assay_tuner("report result.json --details", folder.path());
            assert!(output.status.success(), "{place}: {}", String::from_utf8_lossy(&output.stderr));
            String::from_utf8(output.stdout).unwrap()
        };
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(file);
        assert_eq!(text(forged(file, place, changed)), text(fs::read_to_string(path).unwrap()), "{place}");
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
        for command in ["fit", "validate chess --data", "claims gunnery --from", "tune"] {
            let stderr = error(&format!("{command} {file}"), folder.path());
            let expected = format!("{file}: found a device or pipe, expected a regular file");
            assert!(stderr.contains(&expected), "{command}: {stderr}");
        }
    }
    assert!(contents(folder.path()).is_empty());
}
