//! A worker: runs one target on seeds and mutated seeds until its time is up or it finds a bug.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use rustix::time::{ClockId, clock_gettime};

use crate::memory::{self, FINDING};
use crate::mutate::Mutator;
use crate::targets::Target;

/// Processor time that one input may take.
const TIME_LIMIT: Duration = Duration::from_secs(1);

/// A worker that spends this long on one input has hung.
const HANG: Duration = Duration::from_mins(1);

/// Number of runs between two reads of the clock.
const RUNS_PER_CLOCK: u64 = 64;

/// Bytes of the state file before the input.
const HEADER: usize = 16;

/// The number of inputs that have begun to run.
static BEGUN: AtomicU64 = AtomicU64::new(0);

pub(super) fn run(target: &Target, seed: u64, time: Duration, state: &Path) -> io::Result<()> {
    report_panics();
    std::thread::spawn(end_if_hung);
    let state = File::create(state)?;
    let seeds = target.inputs();
    let mutator = Mutator::new(seeds.clone());
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let began = Instant::now();
    let mut seeds = seeds.into_iter();
    for run in 0_u64.. {
        let input = match seeds.next() {
            Some(seed) => seed,
            None if run % RUNS_PER_CLOCK == 0 && began.elapsed() >= time => break,
            None => mutator.next(&mut rng),
        };
        let header = [run, input.len() as u64].map(u64::to_le_bytes);
        state.write_all_at(&[header.as_flattened(), &input].concat(), 0)?;
        check(target, &input);
    }
    Ok(())
}

pub(super) fn replay(target: &Target, file: &Path) -> io::Result<()> {
    let input =
        std::fs::read(file).map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", file.display())))?;
    check(target, &input);
    Ok(())
}

/// Runs the target on one input. Ends the process if the input takes too long.
fn check(target: &Target, input: &[u8]) {
    BEGUN.fetch_add(1, Ordering::Relaxed);
    memory::begin_input();
    let began = processor_time();
    (target.run)(input);
    let taken = processor_time().saturating_sub(began);
    if taken > TIME_LIMIT {
        end(&format!(
            "an input takes {:.1} s of processor time",
            taken.as_secs_f64()
        ));
    }
}

fn end(finding: &str) -> ! {
    eprintln!("finding: {finding}");
    std::process::exit(FINDING)
}

/// Ends the process when one input runs for too long.
fn end_if_hung() {
    loop {
        let before = BEGUN.load(Ordering::Relaxed);
        std::thread::sleep(HANG);
        if before > 0 && BEGUN.load(Ordering::Relaxed) == before {
            end(&format!("an input runs for more than {} s", HANG.as_secs()));
        }
    }
}

/// Processor time of this thread: other programs on the machine do not count.
fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Makes a panic of any thread end the process with one line on standard error.
fn report_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        let message = panic.payload_as_str().unwrap_or_default().lines().next();
        end(&format!("panic at {place}: {}", message.unwrap_or_default()));
    }));
}

/// Reads the number of the run and its input from a state file; `None` before the first run.
pub(super) fn read_state(path: &Path) -> Option<(u64, Vec<u8>)> {
    let bytes = std::fs::read(path).ok()?;
    let (header, rest) = bytes.split_at_checked(HEADER)?;
    let number = |at: usize| header[at..at + 8].try_into().map(u64::from_le_bytes).ok();
    let (run, length) = (number(0)?, number(8)? as usize);
    Some((run, rest.get(..length)?.to_vec()))
}
