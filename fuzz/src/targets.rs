//! One module for each target: `target` checks one input, `seeds` returns the initial inputs.

mod common;

pub mod book;
pub mod cecp;
pub mod cecp_session;
pub mod definition;
pub mod engine_output;
pub mod fen;
pub mod generators;
pub mod import;
pub mod ini;
pub mod labelled;
pub mod network;
pub mod pgn;
pub mod record;
pub mod san;
pub mod store;
pub mod suite;
pub mod uci;
pub mod uci_move;
pub mod uci_session;
pub mod weights;
pub mod xbetza;

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

use crate::{memory, seeds};

/// Processor time that one input may take.
const TIME_LIMIT: Duration = Duration::from_secs(1);

/// A fuzz target.
#[derive(Clone, Copy)]
pub struct Target {
    pub name: &'static str,
    /// Checks one input; panics on a bug.
    pub run: fn(&[u8]),
    /// Initial inputs.
    pub seeds: fn() -> Vec<Vec<u8>>,
}

impl Target {
    /// The seeds, and the files in `regressions/`.
    pub fn inputs(&self) -> Vec<Vec<u8>> {
        let mut inputs = (self.seeds)();
        inputs.extend(seeds::files("", &[&format!("fuzz/regressions/{}", self.name)]));
        inputs
    }

    /// Checks one input and what it costs.
    pub fn check(&self, input: &[u8]) {
        memory::begin_input();
        let began = processor_time();
        (self.run)(input);
        let taken = processor_time().saturating_sub(began);
        assert!(taken <= TIME_LIMIT, "an input takes {taken:.1?} of processor time");
    }

    /// The folder `fuzz/NAME/TARGET/`, created if it does not exist.
    ///
    /// # Errors
    /// If it cannot be created.
    pub fn folder(&self, name: &str) -> io::Result<PathBuf> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(name).join(self.name);
        std::fs::create_dir_all(&folder)?;
        Ok(folder)
    }

    /// Writes the inputs to `fuzz/corpus/TARGET/`, where libFuzzer adds others, and their words to
    /// `fuzz/corpus/TARGET.dict`.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn write_corpus(&self) -> io::Result<()> {
        let folder = self.folder("corpus")?;
        let inputs = self.inputs();
        for (index, input) in inputs.iter().enumerate() {
            std::fs::write(folder.join(format!("seed-{index:04}")), input)?;
        }
        std::fs::write(folder.with_extension("dict"), seeds::dictionary(&inputs))
    }
}

/// Processor time of this thread: other programs on the machine do not count.
fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

macro_rules! targets {
    ($($name:ident)*) => {
        /// All targets.
        pub const TARGETS: &[Target] = &[
            $(Target { name: stringify!($name), run: $name::target, seeds: $name::seeds }),*
        ];
    };
}

targets! {
    xbetza definition ini fen generators uci_move san pgn import book labelled suite uci uci_session cecp cecp_session engine_output
    weights network record store
}

/// Returns the target of this name.
pub fn find(name: &str) -> Option<Target> {
    TARGETS.iter().copied().find(|target| target.name == name)
}
