//! Helpers for the tests of the subcommands.
#![allow(dead_code, reason = "no test program uses all of them")]

use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::Value;

/// Folder of the workspace.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate is in the workspace").to_owned()
}

/// The program, to be run in the folder of the workspace.
pub(crate) fn perft(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_assay-perft"));
    command.current_dir(root()).args(args);
    command
}

/// Runs the program and returns exit status, standard output and standard error.
pub(crate) fn run(args: &[&str]) -> (i32, String, String) {
    let output = perft(args).output().expect("the program runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is UTF-8");
    (output.status.code().expect("not killed by a signal"), text(output.stdout), text(output.stderr))
}

/// Runs the program with `--json`, checks the exit status and parses the output.
pub(crate) fn json(args: &[&str], status: i32) -> Value {
    let args = [args, &["--json"]].concat();
    let (code, out, err) = run(&args);
    assert_eq!(code, status, "{args:?}\n{out}\n{err}");
    let value: Value = serde_json::from_str(&out).unwrap_or_else(|error| panic!("{args:?}: {error}\n{out}"));
    assert_eq!(value["program"], "assay-perft");
    assert_eq!(value["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(value["command"], args[0]);
    value
}
