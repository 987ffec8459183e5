//! Checks random games and prints the games that fail, as definition files.

use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::Result;
use assay_cli::args::{ProgressArg, SeedArg, ThreadsArg, whole_number};
use assay_cli::{Exit, Progress, format, interrupt, output};
use assay_usergames::{Checks, check, definition};
use clap::Parser;
use rayon::prelude::*;

/// Make random game definitions and check them
///
/// Each game is played by both move generators, by the search and in self-play. Failures are
/// printed with the seed of the game and its definition, ready for testdata/games.
///
/// Exit status: 0 if all games pass, 1 if some fail, 2 for errors, 130 after Ctrl-C.
#[derive(Debug, Parser)]
#[command(name = "assay-usergames", version, max_term_width = assay_cli::MAX_WIDTH)]
struct Args {
    /// Number of games
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = whole_number(1..=1_000_000_000_u64))]
    games: u64,
    /// Seed of the first game; the others count up from it.
    #[command(flatten)]
    seed: SeedArg,
    /// `--threads`.
    #[command(flatten)]
    threads: ThreadsArg,
    /// `--progress`.
    #[command(flatten)]
    progress: ProgressArg,
}

fn main() -> ExitCode {
    assay_cli::run(|| {
        assay_engine::check_processor()?;
        run(&Args::try_parse()?)
    })
}

fn run(args: &Args) -> Result<Exit> {
    args.progress.apply()?;
    let threads = rayon::ThreadPoolBuilder::new().num_threads(args.threads.count()).build()?;
    let stop = interrupt::stop_flag();
    let checked = AtomicU64::new(0);
    let progress = Progress::new(args.games, "games");
    let failures: Vec<String> = threads.install(|| {
        (0..args.games)
            .into_par_iter()
            .filter_map(|index| {
                if stop.load(Ordering::Relaxed) {
                    return None;
                }
                let seed = args.seed.seed.wrapping_add(index);
                let text = definition(seed);
                let failure = check(&text, seed, &Checks::FULL).err();
                checked.fetch_add(1, Ordering::Relaxed);
                progress.inc(1);
                failure.map(|failure| format!("seed {seed}: {failure}\n\n{text}\n"))
            })
            .collect()
    });
    progress.finish();
    for failure in &failures {
        output::print(failure)?;
    }
    let checked = format::count(checked.into_inner(), "game", "games");
    output::print(format!("{checked}: {} failed\n", format::grouped(failures.len() as u64)))?;
    Ok(Exit::success_if(failures.is_empty()))
}
