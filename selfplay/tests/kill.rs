//! Runs that are stopped at any moment, by a signal or a full disk, lose only the games in progress.
#![cfg(unix)]

mod common;
#[path = "common/fake.rs"]
mod fake;

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use assay_selfplay::seed::{Purpose, Stream};
use assay_selfplay::{GameRecord, Store};
use common::{printed, signal, wait_until};
use fake::{assert_none_left, fake_engine, some_are_there};
use tempfile::TempDir;

const SELFPLAY: &str = env!("CARGO_BIN_EXE_assay-selfplay");

const SIGNALS: [&str; 4] = ["KILL", "TERM", "INT", "HUP"];

/// The parts of the games in a file that do not depend on time.
fn games(path: &Path) -> Vec<GameRecord> {
    // A file that was killed before its schema was complete is empty.
    let mut games: Vec<GameRecord> =
        Store::open_read(path).map_or_else(|_| Vec::new(), |store| store.games().collect::<Result<_, _>>().unwrap());
    for game in &mut games {
        game.ended = None;
        game.moves.iter_mut().for_each(|played| played.time_ms = None);
    }
    games
}

/// The games of all files in a folder, by file.
fn all_games(folder: &Path) -> Vec<(String, Vec<GameRecord>)> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let databases = files.filter(|path| path.extension().is_some_and(|end| end == "db"));
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    let mut all: Vec<_> = databases.map(|path| (name(&path), games(&path))).collect();
    all.sort_by(|one, other| one.0.cmp(&other.0));
    all
}

fn count(folder: &Path) -> usize {
    all_games(folder).iter().map(|(_, games)| games.len()).sum()
}

fn spawn(program: &Path, words: &str, folder: &Path) -> Child {
    let mut command = Command::new(program);
    command.args(words.split('|')).current_dir(folder);
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// Runs the command to its end; returns what it prints.
fn finish(program: &Path, words: &str, folder: &Path) -> String {
    let output = Command::new(program)
        .args(words.split('|'))
        .current_dir(folder)
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(matches!(output.status.code(), Some(0 | 1)), "{words}: {stderr}");
    String::from_utf8(output.stdout).unwrap()
}

/// Stops a command at random moments by each signal in turn, continues it to its end, and compares it with a run that was
/// never stopped. `word` is on the command line of its engines.
fn kill_and_resume(name: &str, program: &Path, words: &str, word: &str, kills: usize) {
    let folders = [TempDir::new().unwrap(), TempDir::new().unwrap()];
    let [whole, killed] = [folders[0].path(), folders[1].path()];
    let expected = finish(program, words, whole);
    let mut random = Stream::new(Purpose::Test, 2_026, kills as u64);
    let (mut seen, mut done) = (0, [0; SIGNALS.len()]);
    for kill in 0..kills {
        let mut child = spawn(program, words, killed);
        // At a random moment of the start, or some games later.
        if random.below(4) > 0 {
            let goal = seen + random.below(4);
            wait_until(|| count(killed) >= goal || !Path::new(&format!("/proc/{}/fd/0", child.id())).exists());
        }
        sleep(Duration::from_millis(random.below(60) as u64));
        if child.try_wait().unwrap().is_some() {
            break;
        }
        let number = kill % SIGNALS.len();
        signal(&child, SIGNALS[number]);
        let status = child.wait().unwrap();
        // Before the handler is installed, the signal itself ends the process. The tuner measures from the games that it has; too few
        // are an error.
        assert!(
            status.signal().is_some() || matches!(status.code(), Some(0 | 1 | 2 | 130)),
            "{name}: {status}"
        );
        done[number] += 1;
        let now = count(killed);
        assert!(now >= seen, "{name}: a game was lost: {now} where {seen} were");
        seen = now;
        // Engines that ignore the end of their input are also killed.
        assert_none_left(word);
    }
    assert!(
        done.iter().sum::<usize>() > kills / 2,
        "{name}: over too early: {done:?}"
    );
    let printed = finish(program, words, killed);
    assert!(all_games(whole) == all_games(killed), "{name}: other games");
    assert_eq!(without_times(&expected), without_times(&printed), "{name}");
    let logs = fs::read_dir(killed).unwrap().map(|entry| entry.unwrap().path());
    assert_eq!(
        logs.filter(|path| path.extension().is_some_and(|end| end == "db-wal"))
            .count(),
        0
    );
    let kills: Vec<String> = SIGNALS
        .iter()
        .zip(done)
        .map(|(name, times)| format!("{name} {times}"))
        .collect();
    let games = count(killed);
    println!(
        "{name:<10} {:<32} {seen:>4} of {games} games at the last kill, none lost, same games",
        kills.join(", ")
    );
}

/// The lines of a JSON report that do not depend on times and on how many games the last call played.
fn without_times(json: &str) -> Vec<&str> {
    let varies = ["\"played\"", "\"seconds\"", "\"games_per_second\"", "\"new_games\""];
    json.lines()
        .filter(|line| !varies.iter().any(|key| line.contains(key)))
        .collect()
}

fn kill_commands(kills: usize) {
    let word = format!("word-kill-{}", std::process::id());
    let (games, fake) = (20 + 12 * kills, fake_engine().display());
    // Games against the fake engine are short.
    let rounds = 3 * games;
    let generate = format!(
        "generate|gamma2|--games|{games}|--nodes|150|--hash|1|--material|odds|--threads|2|--json|--out|games.db"
    );
    kill_and_resume("generate", Path::new(SELFPLAY), &generate, &word, kills);
    let play = format!(
        "match|chess|-engine|builtin|name=good|nodes=150|option.Hash=1|-engine|cmd={fake}|args=deaf 0 {word}|name=fake|nodes=1\
         |-rounds|{rounds}|-concurrency|2|-seed|9|-maxmoves|40|-json|-resume|-db|match.db"
    );
    kill_and_resume("match", Path::new(SELFPLAY), &play, &word, kills);
    // The tuner plays its games with this runner. It is built with the workspace, but not with this package alone.
    let tuner: PathBuf = Path::new(SELFPLAY).with_file_name("assay-tuner");
    if tuner.exists() {
        let games = 10 * games;
        let validate = format!(
            "validate|chess|--games|{games}|--nodes|30|--threads|2|--phase-model|constant|--playtest|0|--resamples|20|--json"
        );
        kill_and_resume("validate", &tuner, &validate, &word, kills);
        let claims = format!("claims|berolina|--games|{games}|--nodes|30|--threads|2|--json");
        kill_and_resume("claims", &tuner, &claims, &word, kills);
    }
}

#[test]
fn killed_runs_are_continued_to_the_same_games() {
    kill_commands(4);
}

/// Prints a table: `cargo test --test kill -- --ignored --nocapture`.
#[test]
#[ignore = "takes minutes"]
fn a_hundred_kills() {
    kill_commands(25);
}

/// A file may not grow beyond a limit, as if the disk became full at different moments, from the creation of the file to the middle
/// of the run.
#[test]
fn a_run_on_a_full_disk_is_continued_when_there_is_space() {
    let folder = TempDir::new().unwrap();
    let words = |db: &str| format!("generate|chess|--games|24|--nodes|20|--hash|1|--json|--out|{db}");
    finish(Path::new(SELFPLAY), &words("whole.db"), folder.path());
    let whole = games(&folder.path().join("whole.db"));
    let mut failures = 0;
    // In blocks of 512 bytes.
    for limit in [1, 8, 24, 48, 63, 65, 72, 88, 104, 136] {
        let db = format!("full-{limit}.db");
        let script = format!("trap '' XFSZ; ulimit -f {limit}; exec \"$@\"");
        let limited = Command::new("sh")
            .args(["-c", &script, "sh", SELFPLAY])
            .args(words(&db).split('|'))
            .current_dir(folder.path())
            .output()
            .unwrap();
        let stderr = String::from_utf8_lossy(&limited.stderr);
        if limited.status.code() != Some(0) {
            assert_eq!(limited.status.code(), Some(2), "{limit}: {stderr}");
            assert!(stderr.starts_with(&format!("error: {db}: ")), "{limit}: {stderr}");
            assert_eq!(stderr.lines().count(), 1, "{limit}: {stderr}");
            failures += 1;
        }
        finish(Path::new(SELFPLAY), &words(&db), folder.path());
        assert!(games(&folder.path().join(&db)) == whole, "{limit}");
    }
    assert!(failures >= 8, "{failures}");
}

/// Plays more games than fit into memory, and is stopped after some of them.
fn play_until_interrupted(starter: &[&str]) {
    let folder = TempDir::new().unwrap();
    let words = [starter, &[SELFPLAY]].concat();
    let child = Command::new(words[0])
        .args(&words[1..])
        .args([
            "generate",
            "chess",
            "--games",
            "1099511627776",
            "--nodes",
            "200",
            "--out",
            "games.db",
        ])
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_until(|| count(folder.path()) >= 2);
    if !starter.is_empty() {
        signal(&child, "HUP");
        let before = count(folder.path());
        wait_until(|| count(folder.path()) > before + 1);
    }
    signal(&child, "INT");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "",
        "quiet where nobody watches"
    );
    let printed_text = String::from_utf8_lossy(&output.stdout);
    assert!(
        printed_text.contains("stopped; the same command plays the remaining games"),
        "{printed_text}"
    );
    let expected = format!("games.db: {} of 1,099,511,627,776 games", count(folder.path()));
    assert!(printed_text.contains(&expected), "{printed_text}");
    printed(&["info", "games.db", "--replay"], folder.path());
}

#[test]
fn an_interrupted_run_ends_cleanly() {
    play_until_interrupted(&[]);
}

#[test]
fn a_run_under_nohup_survives_the_end_of_its_terminal() {
    play_until_interrupted(&["nohup"]);
}

#[test]
fn an_interrupted_match_ends_cleanly_with_its_engines() {
    let folder = TempDir::new().unwrap();
    let word = format!("word-int-{}", std::process::id());
    let fake = fake_engine().display();
    let words = format!(
        "match|chess|-engine|builtin|nodes=150|option.Hash=1|-engine|cmd={fake}|args=child 0 {word}|nodes=1\
         |-rounds|100000000|-concurrency|2|-maxmoves|40|-db|match.db"
    );
    let mut child = spawn(Path::new(SELFPLAY), &words, folder.path());
    wait_until(|| count(folder.path()) > 0);
    if Path::new("/proc").exists() {
        assert!(some_are_there(&word), "the test looks for the right processes");
    }
    signal(&child, "INT");
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_none_left(&word);
    assert!(count(folder.path()) > 0);
}
