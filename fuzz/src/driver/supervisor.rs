//! Starts workers, watches them, and saves what they find.

use std::collections::HashSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::worker::read_state;
use crate::targets::Target;

/// A worker that spends this long on one input has hung.
const HANG: Duration = Duration::from_mins(1);

/// Number of failures after which a target is abandoned.
const MAX_FAILURES: u64 = 20;

/// Longest reason that is shown, in characters.
const MAX_REASON: usize = 240;

const POLL: Duration = Duration::from_millis(50);
const PROGRESS: Duration = Duration::from_secs(10);

/// Runs the targets, `jobs` at a time, and prints what they found. Returns the number of findings.
pub(super) fn run(targets: &[Target], seed: u64, time: Duration, jobs: usize) -> Result<usize, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let next = AtomicUsize::new(0);
    let reports = Mutex::new(Vec::new());
    thread::scope(|scope| {
        let work = || -> Result<(), String> {
            while let Some(target) = targets.get(next.fetch_add(1, Ordering::Relaxed)) {
                let report = Supervisor {
                    target,
                    time,
                    state: folder.path().join(target.name),
                }
                .run(seed)?;
                reports
                    .lock()
                    .unwrap_or_else(std::sync::PoisonError::into_inner)
                    .push(report);
            }
            Ok(())
        };
        let workers: Vec<_> = (0..jobs.clamp(1, targets.len())).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| {
            worker
                .join()
                .unwrap_or_else(|_| Err("a supervisor panicked".to_owned()))
        })
    })?;
    let reports = reports.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    println!(
        "{:<14} {:>12} {:>8} {:>9} {:>9}",
        "target", "runs", "seconds", "runs/s", "findings"
    );
    for report in &reports {
        println!("{report}");
    }
    let runs: u64 = reports.iter().map(|report| report.runs).sum();
    let findings: usize = reports.iter().map(|report| report.findings.len()).sum();
    println!("{:<14} {runs:>12} {:>28}", "total", findings);
    for finding in reports.iter().flat_map(|report| &report.findings) {
        println!("{finding}");
    }
    Ok(findings)
}

struct Supervisor<'t> {
    target: &'t Target,
    time: Duration,
    state: PathBuf,
}

struct Report {
    target: &'static str,
    runs: u64,
    elapsed: Duration,
    findings: Vec<String>,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.elapsed.as_secs_f64();
        let speed = self.runs as f64 / seconds.max(0.001);
        let findings = self.findings.len();
        write!(
            f,
            "{:<14} {:>12} {seconds:>8.1} {speed:>9.0} {findings:>9}",
            self.target, self.runs
        )
    }
}

impl Supervisor<'_> {
    fn run(&self, seed: u64) -> Result<Report, String> {
        let began = Instant::now();
        let mut report = Report {
            target: self.target.name,
            runs: 0,
            elapsed: Duration::ZERO,
            findings: Vec::new(),
        };
        let mut places = HashSet::new();
        // The first worker runs even if the time is 0, to check the seeds.
        for failures in 0.. {
            let rest = self.time.saturating_sub(began.elapsed());
            let why = self.watch(seed.wrapping_add(failures), rest, &report)?;
            let state = read_state(&self.state);
            report.runs += state.as_ref().map_or(0, |(run, _)| run + 1);
            report.elapsed = began.elapsed();
            let Some(why) = why else { break };
            // Many inputs fail at the same place.
            let place = why.split(": ").next().unwrap_or_default();
            if places.insert(place.to_owned()) {
                let input = state.map(|(_, input)| input).unwrap_or_default();
                let finding = self.save(&why, &input)?;
                eprintln!("{finding}");
                report.findings.push(finding);
            }
            if began.elapsed() >= self.time || failures == MAX_FAILURES {
                break;
            }
        }
        Ok(report)
    }

    /// Runs a worker to its end. Returns what it found.
    fn watch(&self, seed: u64, time: Duration, report: &Report) -> Result<Option<String>, String> {
        let errors = self.state.with_extension("stderr");
        let mut child = self.start(seed, time, &errors).map_err(|error| error.to_string())?;
        let (mut last_run, mut since, mut shown) = (None, Instant::now(), Instant::now());
        loop {
            if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
                return match status.code() {
                    Some(0) => Ok(None),
                    _ => Ok(Some(describe(status, &errors))),
                };
            }
            let run = read_state(&self.state).map(|(run, _)| run);
            if run != last_run {
                (last_run, since) = (run, Instant::now());
            } else if since.elapsed() > HANG {
                // The worker may have ended in the meantime.
                let _ = child.kill();
                let _ = child.wait();
                return Ok(Some(format!("an input runs for more than {} s", HANG.as_secs())));
            }
            if shown.elapsed() > PROGRESS {
                shown = Instant::now();
                eprintln!("{}: {} runs", self.target.name, report.runs + run.unwrap_or(0));
            }
            thread::sleep(POLL);
        }
    }

    fn start(&self, seed: u64, time: Duration, errors: &Path) -> std::io::Result<Child> {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["--seed", &seed.to_string(), "--seconds", &time.as_secs().to_string()]);
        command.arg("--worker").arg(&self.state).arg(self.target.name);
        let errors = std::fs::File::create(errors)?;
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(errors)
            .spawn()
    }

    /// Saves an input and describes the finding in one line.
    fn save(&self, why: &str, input: &[u8]) -> Result<String, String> {
        let name = self.target.name;
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("artifacts").join(name);
        let file = folder.join(&blake3::hash(input).to_hex()[..12]);
        let write = || -> std::io::Result<()> {
            std::fs::create_dir_all(&folder)?;
            std::fs::write(&file, input)
        };
        write().map_err(|error| format!("{}: {error}", file.display()))?;
        let why: String = why.chars().take(MAX_REASON).collect();
        Ok(format!(
            "{name}: {why}; replay: fuzz-stable {name} --replay {}",
            file.display()
        ))
    }
}

/// The worker's own message, or how it ended.
fn describe(status: ExitStatus, errors: &Path) -> String {
    let text = std::fs::read(errors).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let own = text.lines().find_map(|line| line.strip_prefix("finding: "));
    own.map_or_else(
        || format!("{status}: {}", text.lines().last().unwrap_or_default()),
        str::to_owned,
    )
}
