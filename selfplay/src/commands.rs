//! The subcommands, one file each, and what they share.

pub(crate) mod export;
pub(crate) mod generate;
pub(crate) mod import;
pub(crate) mod info;
pub(crate) mod matches;
pub(crate) mod merge;
pub(crate) mod sprt;

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use assay_cli::args::ThreadsArg;
use assay_cli::format::{self, count, grouped};
use assay_cli::{Exit, output, output_file};
use assay_selfplay::RunError;
use assay_selfplay::settings::Shard;

/// Sets the number of threads that read and write games.
///
/// # Errors
/// If they cannot be started.
pub(crate) fn start_threads(threads: ThreadsArg) -> Result<()> {
    // Not the variable RAYON_NUM_THREADS, which knows no limit.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.count());
    pool.build_global().context("--threads")
}

/// The exit status of a run that ended with an error.
pub(crate) fn exit_of_error(error: RunError) -> Result<Exit> {
    match error {
        RunError::Stopped => {
            output::note(error);
            Ok(Exit::Interrupted)
        }
        RunError::TooManyFaults { .. } => {
            output::note(format_args!("error: {error}"));
            Ok(Exit::Abandoned)
        }
        error => Err(error.into()),
    }
}

/// Fails if writing the outputs of a command would fail or destroy something: one of `inputs`,
/// another output or, without `force`, any file. An output is an option with its path, if it is
/// given.
pub(crate) fn check_outputs<'p>(
    outputs: &[(&str, Option<&Path>)],
    inputs: impl IntoIterator<Item = &'p Path, IntoIter: Clone>,
    force: bool,
) -> Result<()> {
    output_file::check_places(outputs, inputs)?;
    for (option, path) in outputs {
        if let Some(path) = path
            && path.is_file()
            && !force
        {
            bail!("{option} {}: the file exists; --force overwrites it", path.display());
        }
    }
    Ok(())
}

/// `4 of 6 games of shard 2/4`; `4 games, 2 requested` if the file has more games than were
/// requested.
pub(crate) fn games_done(done: u64, requested: u64, shard: Option<Shard>) -> String {
    let shard = shard.map_or_else(String::new, |shard| format!(" of shard {shard}"));
    if done > requested {
        format!("{}{shard}, {} requested", count(done, "game", "games"), grouped(requested))
    } else {
        format!("{} of {}{shard}", grouped(done), count(requested, "game", "games"))
    }
}

/// `4 new in 1.2 s (3.3/s)`.
pub(crate) fn new_games(new: u64, elapsed: Duration) -> String {
    let rate = format::rate(format::per_second(new, elapsed));
    format!("{} new in {} ({rate}/s)", grouped(new), format::duration(elapsed))
}

/// The largest evaluation of an opening, in centipawns; `off` accepts all.
pub(crate) fn balance(text: &str) -> Result<Option<u32>, String> {
    if text == "off" {
        return Ok(None);
    }
    let limit = text.parse().ok().filter(|&limit| limit <= 30_000);
    limit.map(Some).ok_or_else(|| "expected centipawns up to 30000, like 150, or `off`".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_may_have_more_games_than_requested() {
        assert_eq!(games_done(4, 6, None), "4 of 6 games");
        assert_eq!(games_done(1, 1, None), "1 of 1 game");
        assert_eq!(games_done(1_000, 2, None), "1,000 games, 2 requested");
        let shard = Some("2/4".parse().unwrap());
        assert_eq!(games_done(4, 6, shard), "4 of 6 games of shard 2/4");
        assert_eq!(games_done(4, 2, shard), "4 games of shard 2/4, 2 requested");
    }
}
