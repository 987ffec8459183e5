//! Helpers that several subcommands use.

use anyhow::{Context, Error, Result, anyhow};
use assay_cli::output;

/// Upper limit of numbers of games, positions and differences.
pub(super) const MAX_COUNT: u64 = 1_000_000_000_000;

/// Starts a pool of `threads` threads.
pub(super) fn thread_pool(threads: usize) -> Result<rayon::ThreadPool> {
    let builder = rayon::ThreadPoolBuilder::new().num_threads(threads);
    builder.build().context("cannot start threads")
}

/// Prints all errors but the last, each on its line, and returns the last.
pub(super) fn report_all(mut errors: Vec<Error>) -> Error {
    let last = errors.pop();
    for error in &errors {
        output::note(assay_cli::error_line(error));
    }
    last.unwrap_or_else(|| anyhow!("no error was given"))
}
