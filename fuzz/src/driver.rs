//! The driver for stable Rust: every target runs in a process of its own, so that a crash, a stack overflow or an endless loop
//! costs one input, not the run.
//!
//! A worker writes each input to its state file before it runs it. If the worker ends early, the supervisor saves that input
//! and starts another worker.

mod supervisor;
mod worker;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;

use crate::targets::{TARGETS, Target};

/// Runs the fuzz targets of Assay on random changes of their seeds. Exit status: 0 nothing found, 1 findings, 2 misuse.
#[derive(Debug, Parser)]
struct Args {
    /// Targets; all by default
    #[arg(value_parser = parse_target)]
    targets: Vec<Target>,
    /// Time for each target
    #[arg(long, default_value_t = 10, value_name = "N")]
    seconds: u64,
    /// Seed of the random changes
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// Targets that run at a time; one for each processor by default
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
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
    let done = match (&args.replay, &args.worker, targets) {
        (Some(file), _, [target]) => worker::replay(target, file),
        (Some(_), _, _) => Err("--replay: found no target or several, expected one".to_owned()),
        (None, Some(state), [target]) => worker::run(target, args.seed, time, state),
        _ if args.write_corpus => targets.iter().try_for_each(write_corpus),
        _ => {
            let jobs = args
                .jobs
                .unwrap_or_else(|| std::thread::available_parallelism().map_or(1, Into::into));
            return match supervisor::run(targets, args.seed, time, jobs) {
                Ok(0) => ExitCode::SUCCESS,
                Ok(_) => ExitCode::from(1),
                Err(error) => misuse(&error),
            };
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => misuse(&error),
    }
}

fn misuse(error: &str) -> ExitCode {
    eprintln!("error: {error}");
    ExitCode::from(2)
}

fn write_corpus(target: &Target) -> Result<(), String> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("corpus")
        .join(target.name);
    let with_path = |error: std::io::Error| format!("{}: {error}", folder.display());
    std::fs::create_dir_all(&folder).map_err(with_path)?;
    for (index, seed) in target.inputs().into_iter().enumerate() {
        std::fs::write(folder.join(format!("seed-{index:04}")), seed).map_err(with_path)?;
    }
    Ok(())
}
