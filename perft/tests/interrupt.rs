//! Ctrl-C: a run stops, prints the finished part and exits with status 130.

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use assay_cli::testing::reset_signals;
use rustix::process::{Pid, Signal, kill_process};

const PROGRAM: &str = env!("CARGO_BIN_EXE_assay-perft");

/// Waits until a process has computed for 100 ms.
fn wait_until_busy(process: u32) {
    let Some(start) = cpu_time(process) else {
        return sleep(Duration::from_millis(300));
    };
    let end = Instant::now() + Duration::from_mins(1);
    while cpu_time(process) < Some(start + Duration::from_millis(100)) {
        assert!(Instant::now() < end, "the process does not compute anything");
        sleep(Duration::from_millis(5));
    }
}

/// CPU time of all threads of a process; `None` on systems other than Linux.
fn cpu_time(process: u32) -> Option<Duration> {
    let tasks = std::fs::read_dir(format!("/proc/{process}/task")).ok()?;
    let nanoseconds = tasks
        .filter_map(|task| std::fs::read_to_string(task.ok()?.path().join("schedstat")).ok())
        .filter_map(|text| text.split(' ').next()?.parse::<u64>().ok())
        .sum();
    Some(Duration::from_nanos(nanoseconds))
}

/// Starts a command, waits for its first line on standard error and for `until` on standard output,
/// sends it the signals while it computes, and returns exit status and standard output.
fn signaled(command: &mut Command, until: &str, signals: &[Signal]) -> (i32, String) {
    let mut child =
        command.current_dir(crate::common::root()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut errors = BufReader::new(child.stderr.take().unwrap());
    errors.read_line(&mut String::new()).unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut out = String::new();
    while !out.contains(until) {
        assert!(output.read_line(&mut out).unwrap() > 0, "ended before `{until}`: {out}");
    }
    let pid = Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
    for &signal in signals {
        wait_until_busy(child.id());
        assert!(child.try_wait().unwrap().is_none(), "ended before {signal:?}");
        kill_process(pid, signal).unwrap();
    }
    output.read_to_string(&mut out).unwrap();
    (child.wait().unwrap().code().expect("not killed by a signal"), out)
}

fn interrupted(args: &[&str], until: &str) -> (i32, String) {
    signaled(Command::new(PROGRAM).args(args), until, &[Signal::INT])
}

#[test]
fn run_prints_finished_depths() {
    for generator in ["engine", "rules"] {
        let run = ["run", "chess", "--depth", "12", "--generator", generator, "--threads", "2"];
        let (status, out) = interrupted(&run, "8,902");
        assert_eq!(status, 130, "{out}");
        assert!(out.lines().last().unwrap().contains("interrupted: "), "{out}");
    }
}

#[test]
fn divide_prints_finished_moves() {
    let (status, out) = interrupted(&["run", "chess", "--divide", "--depth", "12", "--hash", "1"], "");
    assert_eq!(status, 130);
    assert!(out.contains("\nInterrupted: 0 root moves finished"), "{out}");
}

#[test]
fn walk_and_bench_print_the_finished_part() {
    let (status, out) = interrupted(&["walk", "berolina", "--games", "1000000000000"], "");
    assert_eq!(status, 130);
    assert!(out.contains("interrupted, all agree so far: "), "{out}");
    let (status, out) = interrupted(&["bench", "--games", "chess", "--seconds", "30"], "");
    assert_eq!(status, 130, "{out}");
}

#[test]
fn hangup_stops_a_run_unless_it_was_ignored_at_the_start() {
    let (status, out) =
        signaled(reset_signals(Command::new(PROGRAM).args(["run", "chess", "--depth", "12"])), "8,902", &[Signal::HUP]);
    assert_eq!(status, 130, "{out}");
    // As under `nohup`: the hangup is ignored, and only the interrupt stops the run.
    let script = format!("trap '' HUP; exec {PROGRAM} walk berolina --games 100000");
    let mut nohup = Command::new("sh");
    let (status, out) = signaled(nohup.args(["-c", &script]), "", &[Signal::HUP, Signal::INT]);
    assert_eq!(status, 130, "{out}");
    assert!(out.contains("interrupted, all agree so far: "), "{out}");
}
