//! The driver for stable Rust: every target runs in a process of its own, so that a crash, a stack overflow or an endless loop
//! costs one input, not the run.
//!
//! A worker writes each input to its state file before it runs it. If the worker ends early, the driver saves that input and
//! starts another worker.

mod worker;

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Output};
use std::time::{Duration, Instant};

use clap::Parser;
use rayon::prelude::*;

use crate::targets::{TARGETS, Target};
use worker::read_state;

/// Number of failures after which a target is abandoned.
const MAX_FAILURES: u64 = 20;

/// Longest reason that is shown, in characters.
const MAX_REASON: usize = 240;

/// Runs the fuzz targets of Assay on random changes of their seeds. Exit status: 0 nothing found, 1 findings, 2 misuse.
#[derive(Debug, Parser)]
struct Args {
    /// Targets; all by default. As many run at a time as there are processors
    #[arg(value_parser = parse_target)]
    targets: Vec<Target>,
    /// Time for each target
    #[arg(long, default_value_t = 10, value_name = "N")]
    seconds: u64,
    /// Seed of the random changes
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// Runs the target on this file only
    #[arg(long, value_name = "FILE")]
    replay: Option<PathBuf>,
    /// Writes the seeds of the targets to `fuzz/corpus/TARGET/`, for `cargo fuzz run`
    #[arg(long)]
    write_corpus: bool,
    /// Runs as a worker with this state file
    #[arg(long, hide = true)]
    worker: Option<PathBuf>,
}

impl std::fmt::Debug for Target {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

fn parse_target(name: &str) -> Result<Target, String> {
    crate::targets::find(name).ok_or_else(|| {
        let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
        format!("expected one of {}", names.join(", "))
    })
}

/// Runs the program on the arguments of the process.
pub fn main() -> ExitCode {
    let args = Args::parse();
    let targets = if args.targets.is_empty() {
        TARGETS
    } else {
        &args.targets
    };
    let time = Duration::from_secs(args.seconds);
    let findings = match (&args.replay, &args.worker, targets) {
        (Some(file), _, [target]) => worker::replay(target, file).map(|()| 0),
        (Some(_), _, _) => Err(io::Error::other("--replay: found no target or several, expected one")),
        (None, Some(state), [target]) => worker::run(target, args.seed, time, state).map(|()| 0),
        _ if args.write_corpus => targets.iter().try_for_each(write_corpus).map(|()| 0),
        _ => fuzz(targets, args.seed, time),
    };
    match findings {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn write_corpus(target: &Target) -> io::Result<()> {
    let folder = own_folder("corpus", target);
    std::fs::create_dir_all(&folder)?;
    for (index, seed) in target.inputs().into_iter().enumerate() {
        std::fs::write(folder.join(format!("seed-{index:04}")), seed)?;
    }
    Ok(())
}

fn own_folder(name: &str, target: &Target) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name).join(target.name)
}

/// Runs the targets and prints what they found. Returns the number of findings.
fn fuzz(targets: &[Target], seed: u64, time: Duration) -> io::Result<usize> {
    let folder = tempfile::tempdir()?;
    let run = |target: &Target| run_target(target, seed, time, &folder.path().join(target.name));
    // One at a time for each thread, however many are left.
    let reports: Vec<(u64, Vec<String>)> = targets.par_iter().with_max_len(1).map(run).collect::<io::Result<_>>()?;
    println!("{:<14} {:>12} {:>9}", "target", "runs", "findings");
    for (target, (runs, findings)) in targets.iter().zip(&reports) {
        println!("{:<14} {runs:>12} {:>9}", target.name, findings.len());
    }
    let findings: Vec<&String> = reports.iter().flat_map(|(_, findings)| findings).collect();
    for finding in &findings {
        println!("{finding}");
    }
    Ok(findings.len())
}

/// Runs workers of a target until the time is up. Returns the number of runs and what they found.
fn run_target(target: &Target, seed: u64, time: Duration, state: &Path) -> io::Result<(u64, Vec<String>)> {
    let began = Instant::now();
    let (mut runs, mut findings, mut places) = (0, Vec::new(), HashSet::new());
    // The first worker runs even if the time is 0, to check the seeds.
    for failures in 0..=MAX_FAILURES {
        let seconds = time.saturating_sub(began.elapsed()).as_secs();
        let mut worker = Command::new(std::env::current_exe()?);
        worker.arg(target.name).arg("--worker").arg(state);
        worker.arg(format!("--seed={}", seed.wrapping_add(failures)));
        let ended = worker.arg(format!("--seconds={seconds}")).output()?;
        let (run, input) = read_state(state).unwrap_or_default();
        runs += run + 1;
        if ended.status.success() {
            break;
        }
        // Many inputs fail at the same place.
        let why = reason(&ended);
        if places.insert(why.split(": ").next().unwrap_or_default().to_owned()) {
            let finding = save(target, &why, &input)?;
            eprintln!("{finding}");
            findings.push(finding);
        }
        if began.elapsed() >= time {
            break;
        }
    }
    Ok((runs, findings))
}

/// The worker's own message, or how it ended.
fn reason(ended: &Output) -> String {
    let text = String::from_utf8_lossy(&ended.stderr);
    let own = text.lines().find_map(|line| line.strip_prefix("finding: "));
    let last = || format!("{}: {}", ended.status, text.lines().last().unwrap_or_default());
    own.map_or_else(last, str::to_owned)
}

/// Saves an input and describes the finding in one line.
fn save(target: &Target, why: &str, input: &[u8]) -> io::Result<String> {
    let (name, folder) = (target.name, own_folder("artifacts", target));
    let file = folder.join(&blake3::hash(input).to_hex()[..12]);
    std::fs::create_dir_all(&folder)?;
    std::fs::write(&file, input)?;
    let why: String = why.chars().take(MAX_REASON).collect();
    let file = file.display();
    Ok(format!("{name}: {why}; replay: fuzz-stable {name} --replay {file}"))
}
