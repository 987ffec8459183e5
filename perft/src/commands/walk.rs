//! `walk`: random games that prove the generators against each other.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use anyhow::Result;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rayon::prelude::*;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::banner::Banner;
use crate::generator::Pair;
use crate::walk::mechanism::{Coverage, Mechanism};
use crate::walk::prove::{self, Failure, Proved, Settings};
use crate::{Verdict, counting, interrupt, numbers, output, typed};

/// The arguments of `walk`.
#[derive(clap::Args, Clone, Debug)]
#[command(after_help = "Examples:
  assay-perft walk chess --games 1000 --seed 1
  assay-perft walk apothecary2 --games 50 --seed 7 --max-plies 400
  assay-perft walk my-game.toml --games 100 --seed 1 --json")]
pub struct Args {
    /// A built-in game, or the path of a definition file
    pub game: String,
    /// How many games
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = typed::some, allow_negative_numbers = true)]
    pub games: u64,
    /// The seed
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = typed::any, allow_negative_numbers = true)]
    pub seed: u64,
    /// The longest game, in plies
    #[arg(long, value_name = "P", default_value_t = 200, value_parser = typed::plies, allow_negative_numbers = true)]
    pub max_plies: usize,
    /// Threads to play with [default: all]
    #[arg(long, value_name = "T", value_parser = typed::threads)]
    pub threads: Option<usize>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Serialize)]
struct Report {
    agree: bool,
    interrupted: bool,
    games_played: u64,
    positions: u64,
    successors: u64,
    coverage: Map<String, Value>,
    difference: Option<Failure>,
}

/// Does it.
///
/// # Errors
/// When the game is unknown or wrong.
pub fn run(args: &Args) -> Result<Verdict> {
    let game = assay_engine::load_game(&args.game)?;
    let pool = counting::pool(args.threads)?;
    let banner = Banner::new("walk")
        .with("game", &game.name)
        .with("games", args.games)
        .with("seed", args.seed)
        .with("max_plies", args.max_plies);
    if !args.json {
        banner.print();
    }
    let began = Instant::now();
    let pair = Pair::new(&game);
    let settings = Settings {
        seed: args.seed,
        max_plies: args.max_plies,
    };
    let bar = progress(args.games);
    // Games behind the first that fails need not be played; those before it must be, since one of them may fail too.
    let failing = AtomicU64::new(u64::MAX);
    let proved: Vec<(u64, Proved)> = pool.install(|| {
        let games = (0..args.games).into_par_iter();
        games
            .filter_map(|index| {
                if index > failing.load(Ordering::Relaxed) || interrupt::requested() {
                    return None;
                }
                let proved = prove::play(&game, &pair, &settings, index);
                if proved.failure.is_some() {
                    failing.fetch_min(index, Ordering::Relaxed);
                }
                bar.inc(1);
                Some((index, proved))
            })
            .collect()
    });
    bar.finish_and_clear();
    let last = failing.load(Ordering::Relaxed);
    let counted = || {
        proved
            .iter()
            .filter(|(index, _)| *index <= last)
            .map(|(_, proved)| proved)
    };
    let mut coverage = Coverage::default();
    for proved in counted() {
        coverage.add(&proved.coverage);
    }
    let difference = counted().find_map(|proved| proved.failure.clone());
    let rows = || {
        Mechanism::ALL
            .into_iter()
            .filter(|mechanism| mechanism.is_in(&game))
            .map(|m| (m.name(), coverage.get(m)))
    };
    let report = Report {
        agree: difference.is_none(),
        interrupted: interrupt::requested(),
        games_played: counted().count() as u64,
        positions: counted().map(|proved| proved.positions).sum(),
        successors: counted().map(|proved| proved.successors).sum(),
        coverage: rows().map(|(name, count)| (name.to_owned(), json!(count))).collect(),
        difference,
    };
    let verdict = match (report.agree, report.interrupted) {
        (false, _) => Verdict::Differ,
        (true, true) => Verdict::Interrupted,
        (true, false) => Verdict::Agree,
    };
    if args.json {
        output::json(&banner.json(report))?;
        return Ok(verdict);
    }
    output::note(format_args!("{}", numbers::seconds(began.elapsed())));
    output::line(format!("{:<22} {:>10}", "mechanism", "occurred"))?;
    for (name, count) in rows() {
        output::line(format!("{name:<22} {:>10}", numbers::grouped(count)))?;
    }
    if let Some(failure) = &report.difference {
        print_failure(failure, args.seed)?;
    }
    let head = match verdict {
        Verdict::Agree => "all agree",
        Verdict::Differ => "DIFFER",
        Verdict::Interrupted => "interrupted, agree so far",
    };
    output::line(format!(
        "{head}: {}, {} compared, {}",
        numbers::of(report.games_played, "game"),
        numbers::of(report.positions, "position"),
        numbers::of(report.successors, "successor")
    ))?;
    Ok(verdict)
}

fn print_failure(failure: &Failure, seed: u64) -> Result<()> {
    output::line(format!(
        "difference in game {} of seed {seed}: {}",
        failure.game_index, failure.what
    ))?;
    for (name, moves) in [("missing from", &failure.missing), ("extra in", &failure.extra)] {
        if !moves.is_empty() {
            output::line(format!("  {name} the engine: {}", moves.join(" ")))?;
        }
    }
    output::line(format!("  at: {}", failure.fen))?;
    output::line(format!("  start: {}", failure.start))?;
    output::line(format!("  moves: {}", failure.moves.join(" ")))
}

fn progress(games: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(games), ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("walk [{bar:30}] {pos}/{len} games  {elapsed} gone, {eta} to go") {
        bar.set_style(style.progress_chars("=> "));
    }
    bar
}
