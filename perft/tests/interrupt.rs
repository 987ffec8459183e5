//! Ctrl-C: a run stops, prints what it has, and exits with status 130.
#![cfg(unix)]

mod common;

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};

/// Starts the program, interrupts it when it has said what it runs, and gives exit status and standard output.
fn interrupted(args: &[&str]) -> (i32, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_assay-perft"))
        .args(args)
        .current_dir(common::root())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut errors = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    errors.read_line(&mut line).unwrap();
    std::thread::sleep(std::time::Duration::from_millis(300));
    kill_process(Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap(), Signal::INT).unwrap();
    let mut out = String::new();
    child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    (child.wait().unwrap().code().expect("it exits by itself"), out)
}

#[test]
fn run_prints_the_finished_depths() {
    for generator in ["engine", "rules"] {
        let (status, out) = interrupted(&[
            "run",
            "chess",
            "--depth",
            "12",
            "--generator",
            generator,
            "--threads",
            "2",
        ]);
        assert_eq!(status, 130, "{out}");
        assert!(out.contains("8 902"), "{out}");
        assert!(out.lines().last().unwrap().contains("interrupted: "), "{out}");
    }
}

#[test]
fn divide_prints_the_finished_moves() {
    let (status, out) = interrupted(&["divide", "chess", "--depth", "12", "--hash", "1"]);
    assert_eq!(status, 130);
    assert!(out.contains("\nInterrupted: 0 root moves done"), "{out}");
}

#[test]
fn walk_and_bench_print_what_they_have() {
    let (status, out) = interrupted(&["walk", "berolina", "--games", "100000"]);
    assert_eq!(status, 130);
    assert!(out.contains("interrupted, agree so far: "), "{out}");
    let (status, out) = interrupted(&["bench", "--games", "chess", "--seconds", "30"]);
    assert_eq!(status, 130, "{out}");
}
