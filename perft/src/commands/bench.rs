//! `bench`: speed of the generators.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Result;
use assay_cli::args::{JsonArg, ThreadsArg, seconds};
use assay_cli::{Exit, Progress, format, interrupt, output};
use assay_rules::def::BUILTIN_NAMES;
use assay_rules::{GameDef, Position};
use serde_json::{Value, json};

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
#[command(after_help = include_str!("help/bench.txt").trim_ascii_end())]
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

/// Ways to count: the name, the generator and its options.
const MODES: [(&str, GeneratorKind, CountOptions); 4] = [
    ("bulk", GeneratorKind::Engine, CountOptions { full: false, hash_mb: 0 }),
    ("full", GeneratorKind::Engine, CountOptions { full: true, hash_mb: 0 }),
    ("hash", GeneratorKind::Engine, CountOptions { full: false, hash_mb: HASH_MB }),
    ("rules", GeneratorKind::Rules, CountOptions { full: false, hash_mb: 0 }),
];

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
    let mut rows = Vec::new();
    for game in &games {
        bench_game(game, args, &pools, &mut rows)?;
    }
    if args.output.json {
        output::json(&header.json(json!({ "rows": rows, "interrupted": interrupt::requested() })))?;
    }
    Ok(Exit::Success)
}

/// Adds the rows of a game, or prints them unless the output is JSON.
fn bench_game(game: &Arc<GameDef>, args: &Args, pools: &[rayon::ThreadPool], rows: &mut Vec<Value>) -> Result<()> {
    let start = Position::start(game);
    // The same positions in every run.
    let random = (1..POSITIONS).map(|index| after_random_moves(start.clone(), PLIES, &mut GameRng::new(0, index)));
    let positions: Vec<Position> = std::iter::once(start.clone()).chain(random).collect();
    let mut bulk_rate = None;
    for (mode, kind, options) in MODES {
        for pool in pools {
            let generator = generator::new(kind, game);
            let threads = pool.current_num_threads();
            let shown_threads = format::count(threads, "thread", "threads");
            let progress = Progress::spinner(format!("{}, {mode}, {shown_threads}", game.name));
            let (nodes, time) = pool.install(|| measure(generator.as_ref(), options, &positions, args.seconds))?;
            progress.finish();
            if interrupt::requested() {
                return Ok(());
            }
            let (rate, seconds) = (format::per_second(nodes, time), time.as_secs_f64());
            // Ratio to the rate of the game's first row: bulk with one thread.
            let of_bulk = rate / *bulk_rate.get_or_insert(rate);
            if args.output.json {
                rows.push(json!({
                    "game": game.name,
                    "generator": kind.name(),
                    "mode": mode,
                    "threads": threads,
                    "nodes": nodes,
                    "seconds": seconds,
                    "nodes_per_second": rate,
                    "of_bulk": of_bulk,
                }));
            } else {
                let (name, nodes, rate) = (&game.name, format::grouped(nodes), format::rate(rate));
                output::line(format_args!(
                    "{name:<14} {mode:<7} {threads:>7} {nodes:>16} {seconds:>9.2} {rate:>10} {of_bulk:>8.3}"
                ))?;
            }
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
