//! A worker: runs one target on seeds and mutated seeds until its time is up or it finds a bug.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::time::{Duration, Instant};

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use rustix::time::{ClockId, clock_gettime};

use crate::memory::{self, FINDING};
use crate::mutate::Mutator;
use crate::targets::Target;

/// Processor time that one input may take.
const TIME_LIMIT: Duration = Duration::from_secs(1);

/// Number of runs between two reads of the clock.
const RUNS_PER_CLOCK: u64 = 64;

/// Bytes of the state file before the input.
const HEADER: usize = 16;

pub(super) fn run(target: &Target, seed: u64, time: Duration, state: &Path) -> Result<(), String> {
    report_panics();
    let mut state = State::create(state).map_err(|error| format!("{}: {error}", state.display()))?;
    let seeds = target.inputs();
    let mutator = Mutator::new(seeds.clone());
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let began = Instant::now();
    let mut seeds = seeds.into_iter();
    for run in 0.. {
        let input = match seeds.next() {
            Some(seed) => seed,
            None if run % RUNS_PER_CLOCK == 0 && began.elapsed() >= time => break,
            None => mutator.next(&mut rng),
        };
        state.write(run, &input).map_err(|error| error.to_string())?;
        check(target, &input);
    }
    Ok(())
}

pub(super) fn replay(target: &Target, file: &Path) -> Result<(), String> {
    let input = std::fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
    check(target, &input);
    Ok(())
}

/// Runs the target on one input. Ends the process if the input takes too long.
fn check(target: &Target, input: &[u8]) {
    memory::begin_input();
    let began = processor_time();
    (target.run)(input);
    let taken = processor_time().saturating_sub(began);
    if taken > TIME_LIMIT {
        eprintln!("finding: an input takes {:.1} s of processor time", taken.as_secs_f64());
        std::process::exit(FINDING);
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
        let message = panic
            .payload_as_str()
            .unwrap_or_default()
            .lines()
            .next()
            .unwrap_or_default();
        eprintln!("finding: panic at {place}: {message}");
        std::process::exit(FINDING);
    }));
}

/// The state file, from which the supervisor reads which input is running.
struct State {
    file: File,
    buffer: Vec<u8>,
}

impl State {
    fn create(path: &Path) -> io::Result<State> {
        let file = OpenOptions::new().write(true).create(true).truncate(true).open(path)?;
        Ok(State {
            file,
            buffer: Vec::new(),
        })
    }

    fn write(&mut self, run: u64, input: &[u8]) -> io::Result<()> {
        self.buffer.clear();
        self.buffer.extend(run.to_le_bytes());
        self.buffer.extend((input.len() as u64).to_le_bytes());
        self.buffer.extend(input);
        self.file.write_all_at(&self.buffer, 0)
    }
}

/// Reads the number of the run and its input; `None` before the first run.
pub(super) fn read_state(path: &Path) -> Option<(u64, Vec<u8>)> {
    let bytes = std::fs::read(path).ok()?;
    let (header, rest) = bytes.split_at_checked(HEADER)?;
    let number = |at: usize| header[at..at + 8].try_into().map(u64::from_le_bytes).ok();
    let (run, length) = (number(0)?, number(8)? as usize);
    Some((run, rest.get(..length)?.to_vec()))
}
