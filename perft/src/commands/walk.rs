//! `walk`: random games that check the generators against each other.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use anyhow::Result;
use assay_cli::args::{GameArg, JsonArg, SeedArg, ThreadsArg, whole_number};
use assay_cli::{Exit, Progress, format, interrupt, output};
use assay_rules::GameDef;
use rayon::prelude::*;

use super::common::{MAX_COUNT, thread_pool};
use crate::generator::Generators;
use crate::run_header::RunHeader;
use crate::suite::MAX_DEPTH;
use crate::walk::lockstep::{GameResult, WalkSettings, play_game};
use crate::walk::report::Report;

/// Arguments of `walk`.
#[derive(clap::Args, Clone, Debug)]
#[command(after_help = include_str!("help/walk.txt").trim_ascii_end())]
pub struct Args {
    /// The game.
    #[command(flatten)]
    pub game: GameArg,
    /// Number of games
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = whole_number(1..=MAX_COUNT), allow_negative_numbers = true)]
    pub games: u64,
    /// Index of the first game, to continue an earlier run
    #[arg(long, value_name = "INDEX", default_value_t = 0, value_parser = whole_number(0..=MAX_COUNT), allow_negative_numbers = true)]
    pub first_game: u64,
    /// `--seed`.
    #[command(flatten)]
    pub seed: SeedArg,
    /// Length of the longest game in plies
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = whole_number(1..=10_000_usize), allow_negative_numbers = true)]
    pub max_plies: usize,
    /// Depth of the perft that both generators count every 16 plies
    #[arg(long, value_name = "DEPTH", default_value_t = 2, value_parser = whole_number(1..=MAX_DEPTH), allow_negative_numbers = true)]
    pub perft: u32,
    /// `--threads`.
    #[command(flatten)]
    pub threads: ThreadsArg,
    /// `--json`.
    #[command(flatten)]
    pub output: JsonArg,
}

/// Runs `walk`.
///
/// # Errors
/// If the game is unknown or wrong.
pub fn run(args: &Args) -> Result<Exit> {
    interrupt::stop_flag();
    let game = assay_engine::load_game(&args.game.game)?;
    let pool = thread_pool(args.threads.count())?;
    let header = RunHeader::new("walk")
        .with("game", &game.name)
        .with("games", args.games)
        .with("seed", args.seed.seed)
        .with("max_plies", args.max_plies)
        .with("perft", args.perft)
        .with("first_game", args.first_game);
    if !args.output.json {
        header.print();
    }
    let start = Instant::now();
    let settings = WalkSettings { seed: args.seed.seed, max_plies: args.max_plies, perft_depth: args.perft };
    let games = args.first_game..args.first_game + args.games;
    let results = pool.install(|| play_games(&settings, games, &game));
    let report = Report::new(&game, &results, interrupt::requested());
    if args.output.json {
        output::json(&header.json(&report))?;
    } else {
        output::note(format::duration(start.elapsed()));
        output::print(report.text(args.seed.seed))?;
    }
    Ok(Exit::success_if(report.agree))
}

/// Plays the games and returns their results in order, up to the first difference.
pub(super) fn play_games(settings: &WalkSettings, games: Range<u64>, game: &Arc<GameDef>) -> Vec<GameResult> {
    let generators = Generators::new(game);
    let progress = Progress::new(games.end - games.start, "games");
    // Games after the first difference need not be played. Those before it must be: they may
    // differ, too. Threads take the games in order, so that after a difference or an interruption
    // only those under way are left.
    let first_difference = AtomicU64::new(u64::MAX);
    let is_wanted = |index: &u64| *index <= first_difference.load(Ordering::Relaxed) && !interrupt::requested();
    let mut results: Vec<(u64, GameResult)> = games
        .take_while(is_wanted)
        .par_bridge()
        .map(|index| {
            let result = play_game(game, &generators, settings, index, interrupt::stop_flag());
            if result.difference.is_some() {
                first_difference.fetch_min(index, Ordering::Relaxed);
            }
            progress.inc(1);
            (index, result)
        })
        .collect();
    results.sort_unstable_by_key(|(index, _)| *index);
    progress.finish();
    let last = first_difference.into_inner();
    let up_to_last = results.into_iter().filter(|(index, _)| *index <= last);
    up_to_last.map(|(_, result)| result).collect()
}
