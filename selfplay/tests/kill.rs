//! Runs that are stopped at any moment, by a signal or a full disk, lose only the games in
//! progress.
#![cfg(unix)]

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use crate::common::fake::{assert_none_left, fake_engine, some_are_there};
use crate::common::{printed, signal, wait_until};
use assay_cli::testing::reset_signals;
use assay_selfplay::seed::{Purpose, Stream};
use assay_selfplay::{GameRecord, Store};
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

/// The run files in a folder.
fn databases(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files.filter(|path| path.extension().is_some_and(|end| end == "db"))
}

/// Forgets the looks at runs that ended before a signal came. `claims` has wider intervals for a
/// later look at a larger run.
fn forget_looks(folder: &Path) {
    for path in databases(folder) {
        let database = rusqlite::Connection::open(path).unwrap();
        database.execute("DELETE FROM run WHERE key = 'looks'", []).unwrap();
    }
}

/// The games of all files in a folder, by file.
fn all_games(folder: &Path) -> Vec<(String, Vec<GameRecord>)> {
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    let mut all: Vec<_> = databases(folder).map(|path| (name(&path), games(&path))).collect();
    all.sort_by(|one, other| one.0.cmp(&other.0));
    all
}

fn count(folder: &Path) -> usize {
    all_games(folder).iter().map(|(_, games)| games.len()).sum()
}

/// A command that plays games. `words` are its arguments, separated by `|`, for a run of this many
/// games or openings.
struct PlayingCommand<'c> {
    name: &'c str,
    program: &'c Path,
    words: &'c dyn Fn(usize) -> String,
    /// Enough for a complete result.
    least: usize,
}

impl PlayingCommand<'_> {
    fn command(&self, size: usize, folder: &Path) -> Command {
        let mut command = Command::new(self.program);
        // There is nothing to resume before the first call, or after one that was killed before it
        // created the file.
        let can_resume = folder.join("match.db").exists();
        let words = (self.words)(size);
        let words = words.split('|').filter(|&word| word != "-resume" || can_resume);
        command.args(words).current_dir(folder);
        command
    }

    fn spawn(&self, size: usize, folder: &Path) -> Child {
        let mut command = self.command(size, folder);
        reset_signals(&mut command).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    }

    /// Runs the command to its end; returns what it prints.
    fn finish(&self, size: usize, folder: &Path) -> String {
        finish(&mut self.command(size, folder))
    }
}

/// Runs a command to its end; returns what it prints.
fn finish(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(matches!(output.status.code(), Some(0 | 1)), "{command:?}: {stderr}");
    String::from_utf8(output.stdout).unwrap()
}

/// What happened to the games of a command that was killed again and again.
#[derive(Default)]
struct Damage {
    /// Games that were in a file before a kill and not after it, or with other moves.
    lost: usize,
    /// Games that were twice in a file.
    doubled: usize,
}

impl Damage {
    fn add(&mut self, before: &[(String, Vec<GameRecord>)], after: &[(String, Vec<GameRecord>)]) {
        for (name, games) in before {
            let kept = after.iter().find(|(other, _)| other == name);
            let kept = kept.map_or(&[][..], |(_, games)| games);
            self.lost += games.iter().filter(|game| !kept.contains(game)).count();
        }
        for (_, games) in after {
            let indexes: BTreeSet<u64> = games.iter().map(|game| game.index).collect();
            self.doubled += games.len() - indexes.len();
        }
    }
}

/// Stops a command at random moments by each signal in turn, continues it to its end, and compares
/// it with a run that was never stopped. A run that ends before it is stopped is continued to twice
/// the size, so a fast machine has as many kills as a slow one. `word` is on the command line of
/// its engines. Returns a line of the table.
fn kill_and_resume(played: &PlayingCommand<'_>, word: &str, kills: usize) -> String {
    let name = played.name;
    let folders = [TempDir::new().unwrap(), TempDir::new().unwrap()];
    let [whole, killed] = [folders[0].path(), folders[1].path()];
    let mut random = Stream::new(Purpose::Test, 2_026, kills as u64);
    let (mut size, mut seen, mut done) = (played.least, Vec::new(), [0; SIGNALS.len()]);
    let (mut at_last_kill, mut damage) = (0, Damage::default());
    for number in (0..SIGNALS.len()).cycle().take(kills) {
        loop {
            let mut child = played.spawn(size, killed);
            // At a random moment of the start, or some games later.
            if random.below(4) > 0 {
                let goal = at_last_kill + random.below(4);
                wait_until(|| count(killed) >= goal || child.try_wait().unwrap().is_some());
            }
            sleep(Duration::from_millis(random.below(60) as u64));
            let is_over = child.try_wait().unwrap().is_some();
            if !is_over {
                signal(&child, SIGNALS[number]);
            }
            let status = child.wait().unwrap();
            let now = all_games(killed);
            damage.add(&seen, &now);
            at_last_kill = now.iter().map(|(_, games)| games.len()).sum();
            seen = now;
            // Engines that ignore the end of their input are also killed.
            assert_none_left(word);
            // Before the handler is installed, the signal itself ends the process.
            if status.signal().is_some() || status.code() == Some(130) {
                done[number] += 1;
                break;
            }
            // Too few games to measure anything are an error of the tuner.
            assert!(matches!(status.code(), Some(0..=2)), "{name}: {status}");
            size *= 2;
            assert!(size < played.least << 16, "{name}: no signal stops the run: {status}");
        }
    }
    forget_looks(killed);
    let expected = played.finish(size, whole);
    let printed = played.finish(size, killed);
    damage.add(&seen, &all_games(killed));
    assert_eq!((damage.lost, damage.doubled), (0, 0), "{name}: lost and doubled games");
    assert!(all_games(whole) == all_games(killed), "{name}: other games");
    assert_eq!(without_times(&expected), without_times(&printed), "{name}");
    let logs = fs::read_dir(killed).unwrap().map(|entry| entry.unwrap().path());
    assert_eq!(logs.filter(|path| path.extension().is_some_and(|end| end == "db-wal")).count(), 0);
    let [kill, term, int, hup] = done;
    format!(
        "{name:<10} {kill:>5} {term:>5} {int:>5} {hup:>5} {at_last_kill:>18} {:>9} {:>5} {:>8}",
        count(killed),
        damage.lost,
        damage.doubled
    )
}

/// The lines of a JSON report that do not depend on times and on how many games the last call
/// played.
fn without_times(json: &str) -> Vec<&str> {
    let varies = [
        "\"played\"",
        "\"seconds\"",
        "\"games_per_second\"",
        "\"new_games\"",
        "\"nodes_per_second\"",
        "\"seconds_per_move\"",
    ];
    json.lines().filter(|line| !varies.iter().any(|key| line.contains(key))).collect()
}

/// The tuner, which plays its games with this runner. It is built with the workspace, but not with
/// this package alone.
fn tuner() -> Option<PathBuf> {
    Some(Path::new(SELFPLAY).with_file_name("assay-tuner")).filter(|path| path.exists())
}

/// Kills each command so many times and prints a table.
fn kill_commands(kills: usize) {
    let word = format!("word-kill-{}", std::process::id());
    let fake = fake_engine().display();
    let generate = |games: usize| {
        format!(
            "generate|gamma2|--games|{games}|--nodes|150|--hash|1|--material|values|--threads|2|--json|--data|games.db"
        )
    };
    let play = |rounds: usize| {
        format!(
            "match|chess|-engine|builtin|name=good|nodes=150|option.Hash=1\
             |-engine|cmd={fake}|args=deaf 0 {word}|name=fake|nodes=1\
             |-rounds|{rounds}|-concurrency|2|-seed|9|-maxmoves|40|-json|-resume|-data|match.db"
        )
    };
    let validate = |games: usize| {
        format!(
            "validate|chess|--games|{games}|--nodes|30|--threads|2|--phase-model|constant|--playtest|0|--resamples|20|--json"
        )
    };
    let claims = |games: usize| format!("claims|berolina|--games|{games}|--nodes|30|--threads|2|--json");
    let tournament = |rounds: usize| {
        format!(
            "match|chess|-engine|builtin|name=deep|nodes=150|-engine|builtin|name=flat|nodes=30|-each|option.Hash=1\
             |-engine|cmd={fake}|args=deaf 0 {word}|name=fake|nodes=1\
             |-rounds|{rounds}|-concurrency|2|-seed|9|-maxmoves|40|-json|-resume|-data|match.db"
        )
    };
    let commands: [(&str, Option<PathBuf>, &dyn Fn(usize) -> String, usize); 5] = [
        ("generate", Some(PathBuf::from(SELFPLAY)), &generate, 40),
        ("match", Some(PathBuf::from(SELFPLAY)), &play, 100),
        ("tournament", Some(PathBuf::from(SELFPLAY)), &tournament, 30),
        ("validate", tuner(), &validate, 400),
        ("claims", tuner(), &claims, 200),
    ];
    println!("{:<10} {:^23} {:>18} {:>9}", "", "kills by signal", "games at", "games");
    println!(
        "{:<10} {:>5} {:>5} {:>5} {:>5} {:>18} {:>9} {:>5} {:>8}",
        "command", "KILL", "TERM", "INT", "HUP", "the last kill", "at last", "lost", "doubled"
    );
    for (name, program, words, least) in commands {
        let Some(program) = program else { continue };
        let played = PlayingCommand { name, program: &program, words, least };
        println!("{}", kill_and_resume(&played, &word, kills));
    }
}

#[test]
fn killed_runs_are_continued_to_the_same_games() {
    kill_commands(SIGNALS.len());
}

/// Prints a table: `cargo build --release --bins`, then `cargo test --release -p assay-selfplay
/// --test all kill -- --ignored --nocapture`.
#[test]
#[ignore = "takes minutes"]
fn a_hundred_kills() {
    assert!(tuner().is_some(), "build assay-tuner first: two of the commands are its own");
    kill_commands(25);
}

/// A file may not grow beyond a limit, as if the disk became full at different moments, from the
/// creation of the file to the middle of the run.
#[test]
fn a_run_on_a_full_disk_is_continued_when_there_is_space() {
    let folder = TempDir::new().unwrap();
    let words = |db: &str| format!("generate|chess|--games|24|--nodes|20|--hash|1|--json|--data|{db}");
    let play = |db: &str| finish(Command::new(SELFPLAY).args(words(db).split('|')).current_dir(folder.path()));
    play("whole.db");
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
        play(&db);
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
        .args(["generate", "chess", "--games", "1099511627776", "--nodes", "200", "--data", "games.db"])
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
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "quiet where nobody watches");
    let printed_text = String::from_utf8_lossy(&output.stdout);
    assert!(printed_text.contains("stopped; the same command plays the remaining games"), "{printed_text}");
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
         |-rounds|100000000|-concurrency|2|-maxmoves|40|-data|match.db"
    );
    let mut child = Command::new(SELFPLAY)
        .args(words.split('|'))
        .current_dir(folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    wait_until(|| count(folder.path()) > 0);
    if Path::new("/proc").exists() {
        assert!(some_are_there(&word), "the test looks for the right processes");
    }
    signal(&child, "INT");
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_none_left(&word);
    assert!(count(folder.path()) > 0);
}
