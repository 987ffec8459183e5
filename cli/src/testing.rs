//! Snapshots of help and error texts, and signal handling of child processes, for the tests of
//! programs.
//!
//! A snapshot is a file of `tests/snapshots/`. With `UPDATE_SNAPSHOTS=1` in the environment, tests
//! rewrite the files instead of comparing them; review the diff before committing it.
//!
//! ```ignore
//! use assay_cli::testing::Program;
//!
//! #[test]
//! fn help_texts_match_snapshots() {
//!     Program::new(env!("CARGO_BIN_EXE_assay-perft"), concat!(env!("CARGO_MANIFEST_DIR"), "/tests/snapshots")).check_help();
//! }
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
#[cfg(unix)]
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde::Deserialize;

/// Restores the default actions of SIGHUP and SIGQUIT in a child process, so that these signals end
/// it even if the tests run under `nohup` or in the background of a script.
#[cfg(unix)]
pub fn reset_signals(command: &mut Command) -> &mut Command {
    use std::os::unix::process::CommandExt;

    use nix::sys::signal::{SigHandler, Signal, signal};

    // SAFETY: `signal` may be called between fork and exec, and the default action is no handler of
    // ours.
    unsafe {
        command.pre_exec(|| {
            for ignored in [Signal::SIGHUP, Signal::SIGQUIT] {
                signal(ignored, SigHandler::SigDfl)?;
            }
            Ok(())
        })
    }
}

/// Width of help texts in snapshots.
const COLUMNS: &str = "100";

/// Width of the lines of help texts that are broken by hand. Clap wraps paragraphs at the width of
/// the terminal, and would break a longer line a second time.
const HELP_WIDTH: usize = 90;

/// Checks that the tables and examples in the help of a command and its subcommands have no line of
/// more than 90 columns.
///
/// # Panics
/// If a line is longer.
pub fn check_help_lines(command: &clap::Command) {
    let arguments = command.get_arguments();
    let texts =
        [command.get_about(), command.get_long_about(), command.get_after_help(), command.get_after_long_help()]
            .into_iter()
            .chain(arguments.flat_map(|argument| [argument.get_help(), argument.get_long_help()]));
    for text in texts.flatten().map(ToString::to_string) {
        // A paragraph of one line is left to clap.
        let paragraphs = text.split("\n\n").map(str::trim_end);
        let broken = paragraphs.filter(|paragraph| paragraph.contains('\n'));
        for line in broken.flat_map(str::lines) {
            let width = line.chars().count();
            assert!(width <= HELP_WIDTH, "{}: {width} columns: {line}", command.get_name());
        }
    }
    command.get_subcommands().for_each(check_help_lines);
}

/// A program under test and the folder of its snapshots.
#[derive(Clone, Debug)]
pub struct Program {
    path: PathBuf,
    snapshots: PathBuf,
}

impl Program {
    /// The program at `path`, with its snapshots in the folder `snapshots`.
    pub fn new(path: impl Into<PathBuf>, snapshots: impl Into<PathBuf>) -> Program {
        Program { path: path.into(), snapshots: snapshots.into() }
    }

    /// Compares `--help` of the program and of all its subcommands with the snapshots `help.txt`
    /// and `help-SUBCOMMAND.txt`.
    ///
    /// # Panics
    /// If a text differs from its snapshot, a snapshot has no subcommand, or the program fails.
    pub fn check_help(&self) {
        let mut names = BTreeSet::new();
        self.check_help_of(&[], &mut names);
        let files = fs::read_dir(&self.snapshots).expect("a folder of snapshots");
        for file in files.map(|file| file.expect("a readable folder").file_name()) {
            let name = file.to_string_lossy().into_owned();
            let is_obsolete = name.starts_with("help") && !names.contains(&name);
            assert!(!is_obsolete, "{name}: no such subcommand, delete the snapshot");
        }
    }

    fn check_help_of(&self, subcommand: &[&str], names: &mut BTreeSet<String>) {
        let output = self.run(&[subcommand, &["--help"]].concat());
        assert!(output.status.success(), "{subcommand:?} --help fails");
        let help = String::from_utf8(output.stdout).expect("help is UTF-8");
        let name = [&["help"], subcommand].concat().join("-") + ".txt";
        self.check(&name, &help);
        names.insert(name);
        for next in subcommands(&help) {
            self.check_help_of(&[subcommand, &[next]].concat(), names);
        }
    }

    /// Runs the program with `arguments` and compares its exit status and standard error with the
    /// snapshot `NAME.txt`.
    ///
    /// # Panics
    /// If they differ, or the program cannot be run.
    pub fn check_error(&self, name: &str, arguments: &[&str]) {
        let output = self.run(arguments);
        let status = output.status.code().expect("the program ends by itself");
        let text = format!("{}[exit status {status}]\n", String::from_utf8_lossy(&output.stderr));
        self.check(&format!("{name}.txt"), &text);
    }

    /// Runs the program with no terminal and a fixed width.
    ///
    /// # Panics
    /// If it cannot be run.
    pub fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(&self.path);
        command.args(arguments).env("COLUMNS", COLUMNS).stdin(Stdio::null());
        command.output().expect("the program runs")
    }

    /// Runs each command, words separated by spaces, with a standard output whose reader leaves at
    /// once or after a line, and with one on a full disk: quiet success, and an error that names
    /// standard output.
    ///
    /// # Panics
    /// If a command ends otherwise.
    #[cfg(unix)]
    pub fn check_lost_output(&self, folder: &Path, commands: &[&str]) {
        for command in commands {
            for lines in [0, 1] {
                let mut child = Command::new(&self.path)
                    .args(command.split(' '))
                    .current_dir(folder)
                    .stdin(Stdio::null())
                    .stdout(Stdio::piped())
                    .stderr(Stdio::piped())
                    .spawn()
                    .expect("the program runs");
                let stdout = BufReader::new(child.stdout.take().expect("a pipe"));
                stdout.lines().take(lines).for_each(drop);
                let output = child.wait_with_output().expect("the program ends");
                let stderr = String::from_utf8_lossy(&output.stderr);
                let is_quiet = !stderr.contains("panicked") && !stderr.contains("error: ");
                assert!(output.status.success() && is_quiet, "{command} | head -n {lines}: {stderr}");
            }
            // Elsewhere no device is always full.
            if cfg!(target_os = "linux") {
                let output = self.run_in_shell(folder, "exec \"$@\" > /dev/full", command);
                let device = if command.contains("/dev/stdout") { "/dev/stdout" } else { "standard output" };
                assert_error(command, &output, &[&format!("{device}: No space left on device")]);
            }
        }
    }

    /// Runs each command where no file can grow. Standard error must name the file, which must be
    /// as before, or missing if it was, and nothing may be left beside it.
    ///
    /// # Panics
    /// If a command ends otherwise.
    #[cfg(unix)]
    pub fn check_full_disk(&self, folder: &Path, commands: &[(&str, &str)]) {
        for (command, file) in commands {
            // A new run file stays, empty.
            let contents = || contents(folder).into_iter().filter(|(_, bytes)| !bytes.is_empty());
            let before: BTreeMap<PathBuf, Vec<u8>> = contents().collect();
            let output = self.run_in_shell(folder, "trap '' XFSZ; ulimit -f 0; exec \"$@\"", command);
            assert_error(command, &output, &[file]);
            assert!(contents().eq(before), "{command} changed files");
        }
    }

    /// Runs the bad requests of `testdata/bad/NAME.toml`. Each must end with its status and an error
    /// that has its words, with nothing before it but warnings, and change no file.
    ///
    /// # Panics
    /// If a request ends otherwise.
    pub fn check_bad_requests(&self, name: &str, folder: &Path) {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../testdata/bad/{name}.toml"));
        let text = fs::read_to_string(path).expect("a file of bad requests");
        let requests: BadRequests = toml::from_str(&text).expect("a file of bad requests");
        let before = contents(folder);
        for BadRequest { args, stderr, status } in requests.case {
            let output = Command::new(&self.path).args(&args).current_dir(folder).output().expect("the program runs");
            let found = String::from_utf8(output.stderr).expect("errors are UTF-8");
            assert_eq!(output.status.code(), Some(status), "{args:?}: {found}");
            for expected in &stderr {
                assert!(found.contains(expected), "{args:?}: found\n{found}\nexpected\n{expected}");
            }
            let first = found.lines().find(|line| !line.starts_with("warning: "));
            assert!(first.is_some_and(|line| line.starts_with("error: ")), "{args:?}: {found}");
            assert!(contents(folder) == before, "{args:?} changed a file");
        }
    }

    /// Runs each command, which must end within ten seconds with an error that has these words.
    ///
    /// # Panics
    /// If a command ends otherwise.
    #[cfg(unix)]
    pub fn check_rejections(&self, folder: &Path, commands: &[(&str, &str)]) {
        for (command, words) in commands {
            let output = self.run_in_shell(folder, "exec timeout 10 \"$@\"", command);
            assert_error(command, &output, &[words]);
        }
    }

    /// Runs each command with 300 MB of memory. It must end with this status, and an error must say
    /// that memory is missing.
    ///
    /// # Panics
    /// If a command ends otherwise.
    #[cfg(target_os = "linux")]
    pub fn check_little_memory(&self, folder: &Path, commands: &[(&str, i32)]) {
        for (command, status) in commands {
            let output = self.run_in_shell(folder, "ulimit -v 300000; exec \"$@\"", command);
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(*status), "{command}: {stderr}");
            assert!(*status == 0 || stderr.to_lowercase().contains("memory"), "{command}: {stderr}");
        }
    }

    /// Runs a command, words separated by spaces, as `"$@"` of a shell script.
    #[cfg(unix)]
    fn run_in_shell(&self, folder: &Path, script: &str, command: &str) -> Output {
        let mut shell = Command::new("sh");
        shell.args(["-c", script, "sh"]).arg(&self.path).args(command.split(' '));
        shell.current_dir(folder).stdin(Stdio::null());
        shell.output().expect("a shell")
    }

    /// Compares a text with the snapshot of this name.
    ///
    /// # Panics
    /// If they differ.
    pub fn check(&self, name: &str, found: &str) {
        assert_snapshot(&self.snapshots.join(name), found);
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BadRequests {
    case: Vec<BadRequest>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BadRequest {
    args: Vec<String>,
    stderr: Vec<String>,
    status: i32,
}

/// The files of a folder and their contents.
///
/// # Panics
/// If they cannot be read.
pub fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let entries = fs::read_dir(folder).expect("a folder");
    let files = entries.map(|entry| entry.expect("a readable folder").path()).filter(|path| path.is_file());
    files.map(|path| (path.clone(), fs::read(path).expect("a readable file"))).collect()
}

/// Checks that a program ended with status 2 and a last line on standard error that has these
/// words.
///
/// # Panics
/// If it did not.
pub fn assert_error(command: &str, output: &Output, words: &[&str]) {
    let stderr = String::from_utf8_lossy(&output.stderr);
    let last = stderr.lines().next_back().unwrap_or_default();
    assert_eq!(output.status.code(), Some(2), "{command}: {stderr}");
    assert!(!stderr.contains("panicked"), "{command}: {stderr}");
    for word in words {
        assert!(last.contains(word), "{command}: found\n{stderr}\nexpected\n{word}");
    }
}

/// Compares a text with the snapshot in the file `path`, or writes the file if `UPDATE_SNAPSHOTS`
/// is set.
///
/// # Panics
/// If they differ, or the file cannot be read or written.
pub fn assert_snapshot(path: &Path, found: &str) {
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        fs::create_dir_all(path.parent().expect("a file in a folder")).expect("a folder of snapshots");
        fs::write(path, found).expect("a snapshot is written");
        return;
    }
    // A checkout on Windows may have other line ends.
    let expected = fs::read_to_string(path).unwrap_or_default().replace("\r\n", "\n");
    let found = found.replace("\r\n", "\n").replace(".exe", "");
    if found != expected {
        let line = found.lines().zip(expected.lines()).take_while(|(a, b)| a == b).count() + 1;
        panic!(
            "{}: differs from line {line} on; run with UPDATE_SNAPSHOTS=1 if this is right\n\nexpected:\n{expected}\nfound:\n{found}",
            path.display()
        );
    }
}

/// Names in the section `Commands:` of a help text, `help` excepted.
fn subcommands(help: &str) -> Vec<&str> {
    help.lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.strip_prefix("  ").filter(|rest| !rest.starts_with(' ')))
        .filter_map(|line| line.split([' ', ',']).next())
        .filter(|name| *name != "help")
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_subcommands_in_help() {
        let help =
            "About\n\nCommands:\n  run   Count\n        and more\n  walk  Play\n  help  Print help\n\nOptions:\n  -h\n";
        assert_eq!(subcommands(help), ["run", "walk"]);
        assert_eq!(subcommands("Options:\n  -h\n"), Vec::<&str>::new());
    }

    #[test]
    #[should_panic(expected = "differs from line 2 on")]
    fn different_text_fails() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        fs::write(&path, "one\ntwo\n").unwrap();
        assert_snapshot(&path, "one\nthree\n");
    }
}
