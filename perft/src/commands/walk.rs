//! `walk`: random games that check the generators against each other.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use anyhow::Result;
use assay_cli::args::{GameArg, JsonArg, SeedArg, ThreadsArg, whole_number};
use assay_cli::{Align, Exit, Progress, Table, format, interrupt, output};
use assay_rules::GameDef;
use rayon::prelude::*;
use serde::{Serialize, Serializer};

use super::common::{MAX_COUNT, thread_pool};
use crate::generator::Generators;
use crate::run_header::RunHeader;
use crate::suite::MAX_DEPTH;
use crate::walk::lockstep::{GameDifference, GameResult, WalkSettings, play_game};
use crate::walk::mechanism::{Coverage, Mechanism};

/// Arguments of `walk`.
#[derive(clap::Args, Clone, Debug)]
#[command(after_help = "Examples:
  assay-perft walk chess --games 1000 --seed 1
  assay-perft walk apothecary2 --games 50 --seed 7 --max-plies 400
  assay-perft walk chess --games 100 --perft 4
      both generators count about a billion leaf nodes
  assay-perft walk chess --games 100 --perft 4 --first-game 100
      a hundred games more
  assay-perft walk my-game.toml --games 100 --seed 1 --json")]
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

#[derive(Serialize)]
pub(super) struct Report {
    pub(super) agree: bool,
    interrupted: bool,
    games_played: u64,
    positions: u64,
    successors: u64,
    leaf_nodes: u64,
    #[serde(serialize_with = "as_map")]
    coverage: Vec<(&'static str, u64)>,
    #[serde(skip)]
    warnings: String,
    difference: Option<GameDifference>,
}

fn as_map<S: Serializer>(rows: &[(&'static str, u64)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(rows.iter().copied())
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
            let result = play_game(game, &generators, settings, index);
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

impl Report {
    pub(super) fn new(game: &GameDef, results: &[GameResult], interrupted: bool) -> Report {
        let mut coverage = Coverage::default();
        for result in results {
            coverage.add(&result.coverage);
        }
        let mechanisms = || Mechanism::ALL.into_iter().filter(|mechanism| mechanism.is_in(game));
        let never = mechanisms().filter(|&mechanism| coverage.get(mechanism) == 0);
        let difference = results.iter().find_map(|result| result.difference.clone());
        Report {
            agree: difference.is_none(),
            interrupted,
            games_played: results.len() as u64,
            positions: results.iter().map(|result| result.positions).sum(),
            successors: results.iter().map(|result| result.successors).sum(),
            leaf_nodes: results.iter().map(|result| result.leaf_nodes).sum(),
            warnings: never.map(Mechanism::warning).collect(),
            coverage: mechanisms().map(|mechanism| (mechanism.name(), coverage.get(mechanism))).collect(),
            difference,
        }
    }

    pub(super) fn text(&self, seed: u64) -> String {
        let mut table = Table::new([("mechanism", Align::Left), ("occurred", Align::Right)]);
        for &(name, count) in &self.coverage {
            table.row([name.to_owned(), format::grouped(count)]);
        }
        let mut text = table.to_string();
        if let Some(found) = &self.difference {
            text += &format!("difference in game {} of seed {seed}: {}\n", found.game_index, found.difference.what);
            for line in found.difference.move_lines() {
                text += &format!("{line}\n");
            }
            text += &format!("  at: {}\n  start: {}\n  moves: {}\n", found.fen, found.start, found.moves.join(" "));
        }
        text += &self.warnings;
        let verdict = match (self.agree, self.interrupted) {
            (false, _) => "DIFFER",
            (true, true) => "interrupted, all agree so far",
            (true, false) => "all agree",
        };
        text + &format!(
            "{verdict}: {}, {}, {} and {} of perft compared\n",
            format::count(self.games_played, "game", "games"),
            format::count(self.positions, "position", "positions"),
            format::count(self.successors, "successor", "successors"),
            format::count(self.leaf_nodes, "leaf node", "leaf nodes")
        )
    }
}
