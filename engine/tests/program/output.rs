//! The program's arguments, and standard output that cannot be written.

use std::fs::File;
use std::process::{Command, Stdio};

use super::driver::Engine;

const COMMANDS: [&[&str]; 5] = [&["--help"], &["--version"], &["bench", "2"], &["d"], &["go", "depth", "5"]];

/// A reader that leaves ends the program quietly.
#[test]
fn a_closed_pipe_is_no_error() {
    for arguments in COMMANDS {
        let mut command = Command::new(env!("CARGO_BIN_EXE_assay"));
        command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut process = command.spawn().unwrap();
        drop(process.stdout.take());
        let output = process.wait_with_output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && stderr.is_empty(), "{arguments:?}: {stderr}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_an_error() {
    for arguments in COMMANDS {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_assay"));
        let output = command.args(arguments).stdout(full).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {stderr}");
        assert!(stderr.starts_with("assay: standard output: No space left on device"), "{arguments:?}: {stderr}");
    }
}

#[test]
fn an_argument_selects_the_protocol_of_xboard() {
    let mut engine = Engine::spawn(Command::new(env!("CARGO_BIN_EXE_assay")).arg("xboard"));
    engine.send("ping 1");
    assert_eq!(engine.wait_for_line("pong"), "pong 1");
}
