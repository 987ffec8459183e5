//! `bench`: speed of the generators.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Result;
use assay_cli::args::{JsonArg, ThreadsArg, seconds};
use assay_cli::{Exit, Progress, format, interrupt, output};
use assay_rules::def::BUILTIN_NAMES;
use assay_rules::{GameDef, Position};
use serde::Serialize;

use super::common::thread_pool;
use crate::divide::divide;
use crate::generator::{self, CountOptions, Generator, GeneratorKind};
use crate::run_header::RunHeader;
use crate::walk::positions::after_random_moves;
use crate::walk::random_player::GameRng;

/// Positions per game, including the start position.
const POSITIONS: u64 = 5;
/// Plies of the random games that lead to the other positions.
const PLIES: u64 = 30;
/// Size of the hash table in the mode `hash`, in MiB.
const HASH_MB: usize = 256;

#[derive(clap::Args, Clone, Debug)]
#[command(after_help = "Modes:
  bulk     the legal moves of the last ply are counted, not made
  full     every move is made
  hash     bulk with a hash table of 256 MiB; the rate is in nodes counted, not visited
  rules    the reference generator

Each mode runs with one thread and with all threads, from the start position and four positions of \
random games, at the greatest depth that the time allows. The ratio to the first row (\"of bulk\") is \
more stable than the rate, which depends on the machine and its load.

Examples:
  assay-perft bench
  assay-perft bench --games chess gamma2 --seconds 2 --json")]
pub struct Args {
    /// Games: built-in names or paths of definition files [default: all built-in games]
    #[arg(long, value_name = "GAME", num_args = 1.., value_delimiter = ',')]
    pub games: Vec<String>,
    /// Seconds per row
    #[arg(long, value_name = "S", default_value = "1", value_parser = seconds, allow_negative_numbers = true)]
    pub seconds: Duration,
    #[command(flatten)]
    pub threads: ThreadsArg,
    #[command(flatten)]
    pub output: JsonArg,
}

/// A way to count.
#[derive(Clone, Copy)]
struct Mode {
    name: &'static str,
    generator: GeneratorKind,
    options: CountOptions,
}

const MODES: [Mode; 4] = [
    Mode::new("bulk", GeneratorKind::Engine, false, 0),
    Mode::new("full", GeneratorKind::Engine, true, 0),
    Mode::new("hash", GeneratorKind::Engine, false, HASH_MB),
    Mode::new("rules", GeneratorKind::Rules, false, 0),
];

impl Mode {
    const fn new(name: &'static str, generator: GeneratorKind, full: bool, hash_mb: usize) -> Mode {
        Mode { name, generator, options: CountOptions { full, hash_mb } }
    }
}

#[derive(Serialize)]
struct Row {
    game: String,
    generator: &'static str,
    mode: &'static str,
    threads: usize,
    nodes: u64,
    seconds: f64,
    nodes_per_second: f64,
    /// Ratio to the rate of the game's first row: bulk with one thread.
    of_bulk: f64,
}

impl Row {
    fn text(&self) -> String {
        format!(
            "{:<14} {:<7} {:>7} {:>16} {:>9.2} {:>10} {:>8.3}",
            self.game,
            self.mode,
            self.threads,
            format::grouped(self.nodes),
            self.seconds,
            format::rate(self.nodes_per_second),
            self.of_bulk
        )
    }
}

#[derive(Serialize)]
struct Report {
    rows: Vec<Row>,
    interrupted: bool,
}

/// Runs `bench`.
///
/// # Errors
/// If a game is unknown or wrong.
pub fn run(args: &Args) -> Result<Exit> {
    interrupt::stop_flag();
    let names: Vec<&str> =
        if args.games.is_empty() { BUILTIN_NAMES.to_vec() } else { args.games.iter().map(String::as_str).collect() };
    let games = names.iter().map(|name| assay_engine::load_game(name)).collect::<Result<Vec<_>, _>>()?;
    let threads = args.threads.count();
    let mut pools = vec![thread_pool(1)?];
    if threads > 1 {
        pools.push(thread_pool(threads)?);
    }
    let header = RunHeader::new("bench")
        .with("games", &names)
        .with("seconds", args.seconds.as_secs_f64())
        .with("threads", threads);
    if !args.output.json {
        header.print();
        output::line(format!(
            "{:<14} {:<7} {:>7} {:>16} {:>9} {:>10} {:>8}",
            "game", "mode", "threads", "nodes", "seconds", "nodes/s", "of bulk"
        ))?;
    }
    let mut report = Report { rows: Vec::new(), interrupted: false };
    for game in &games {
        bench_game(game, args, &pools, &mut report)?;
    }
    if args.output.json {
        output::json(&header.json(report))?;
    }
    Ok(Exit::Success)
}

/// Adds the rows of a game, and prints them unless the output is JSON.
fn bench_game(game: &Arc<GameDef>, args: &Args, pools: &[rayon::ThreadPool], report: &mut Report) -> Result<()> {
    let start = Position::start(game);
    // The same positions in every run.
    let random = (1..POSITIONS).map(|index| after_random_moves(start.clone(), PLIES, &mut GameRng::new(0, index)));
    let positions: Vec<Position> = std::iter::once(start.clone()).chain(random).collect();
    let mut bulk_rate = None;
    for mode in MODES {
        for pool in pools {
            let generator = generator::new(mode.generator, game);
            let threads = format::count(pool.current_num_threads(), "thread", "threads");
            let progress = Progress::spinner(format!("{}, {}, {threads}", game.name, mode.name));
            let (nodes, time) = pool.install(|| measure(generator.as_ref(), mode.options, &positions, args.seconds))?;
            progress.finish();
            if interrupt::requested() {
                report.interrupted = true;
                return Ok(());
            }
            let rate = format::per_second(nodes, time);
            let row = Row {
                game: game.name.clone(),
                generator: mode.generator.name(),
                mode: mode.name,
                threads: pool.current_num_threads(),
                nodes,
                seconds: time.as_secs_f64(),
                nodes_per_second: rate,
                of_bulk: rate / *bulk_rate.get_or_insert(rate),
            };
            if !args.output.json {
                output::line(row.text())?;
            }
            report.rows.push(row);
        }
    }
    Ok(())
}

/// Counts each position at increasing depths for its share of the time, at least once. Returns
/// nodes and time of the greatest depths.
fn measure(
    generator: &dyn Generator,
    options: CountOptions,
    positions: &[Position],
    time: Duration,
) -> Result<(u64, Duration)> {
    let share = time / positions.len() as u32;
    let (mut total_nodes, mut total_time) = (0, Duration::ZERO);
    for position in positions {
        let start = Instant::now();
        let mut depth = 1;
        let (mut nodes, mut time) = (0, Duration::ZERO);
        loop {
            let division = divide(generator, position, depth, options, interrupt::stop_flag(), &|_| {})?;
            nodes += division.total();
            time += division.time;
            if start.elapsed() >= share || interrupt::requested() {
                break;
            }
            // The next depth takes about thirty times as long. If that exceeds the share by far,
            // this depth is repeated.
            if division.time * 15 < share {
                depth += 1;
                (nodes, time) = (0, Duration::ZERO);
            }
        }
        total_nodes += nodes;
        total_time += time;
    }
    Ok((total_nodes, total_time))
}
