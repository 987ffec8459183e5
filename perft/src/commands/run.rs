//! `run`: counts of each depth up to a limit, or below each move.

use anyhow::{Result, ensure};
use assay_cli::args::{GameArg, JsonArg, ThreadsArg, whole_number};
use assay_cli::{Exit, Progress, format, interrupt, output};
use assay_rules::uci;
use serde_json::{Value, json};

use super::common::thread_pool;
use crate::divide::{DivideProgress, Division, divide};
use crate::generator::{self, CountOptions, GeneratorKind};
use crate::position_args::PositionArgs;
use crate::run_header::RunHeader;
use crate::suite::MAX_DEPTH;

#[derive(clap::Args, Clone, Debug)]
#[command(after_help = include_str!("help/run.txt").trim_ascii_end())]
pub struct Args {
    /// Greatest depth in plies
    #[arg(long, short, value_name = "N", value_parser = whole_number(1..=MAX_DEPTH), allow_negative_numbers = true)]
    pub depth: u32,
    /// Count below each move, at this depth only
    ///
    /// Prints `move: count` lines, an empty line and the total, the format that perft tools read.
    #[arg(long)]
    pub divide: bool,
    #[command(flatten)]
    pub game: GameArg,
    #[command(flatten)]
    pub position: PositionArgs,
    /// Generator to count with
    #[arg(long, value_enum, default_value = "engine")]
    pub generator: GeneratorKind,
    #[command(flatten)]
    pub threads: ThreadsArg,
    /// Size of the perft hash table in MiB; 0 for none (engine only)
    #[arg(long, value_name = "MiB", default_value_t = 0, value_parser = whole_number(0..=1_usize << 20), allow_negative_numbers = true)]
    pub hash: usize,
    /// Make every move of the last ply too, instead of counting the legal moves before it (no bulk
    /// counting)
    #[arg(long)]
    pub full: bool,
    #[command(flatten)]
    pub output: JsonArg,
}

/// Runs `run`.
///
/// # Errors
/// If the game, the position or an argument is wrong.
pub fn run(args: &Args) -> Result<Exit> {
    interrupt::stop_flag();
    let game = assay_engine::load_game(&args.game.game)?;
    let position = args.position.position(&game)?;
    let options = args.options()?;
    let pool = thread_pool(args.threads.count())?;
    let header = RunHeader::new("run")
        .with("game", &game.name)
        .with("generator", args.generator.name())
        .with("depth", args.depth)
        .with("threads", pool.current_num_threads())
        .with("hash_mb", args.hash)
        .with("full", args.full);
    let (fen, is_json) = (position.fen(), args.output.json);
    if !is_json {
        header.print();
        output::note(format_args!("position: {fen}"));
    }
    let generator = generator::new(args.generator, &game);
    let count = |depth: u32| {
        let bar = Progress::new(0, "parts");
        let show = |progress: DivideProgress| {
            let rate = format::rate(format::per_second(progress.nodes, progress.elapsed));
            bar.set_total(progress.total);
            bar.set(progress.done);
            bar.set_message(format!("depth {depth}, {rate} nodes/s"));
        };
        pool.install(|| divide(generator.as_ref(), &position, depth, options, interrupt::stop_flag(), &show))
    };
    if args.divide {
        let division = count(args.depth)?;
        let moves = division.counts.iter().map(|&(mv, nodes)| (uci::format(&game, mv), nodes));
        if is_json {
            let moves: Vec<Value> = moves.map(|(uci, nodes)| json!({ "uci": uci, "nodes": nodes })).collect();
            output::json(&header.json(json!({
                "fen": fen,
                "moves": moves,
                "nodes": division.total(),
                "seconds": division.time.as_secs_f64(),
                "complete": division.complete,
            })))?;
        } else {
            let moves: String = moves.map(|(uci, nodes)| format!("{uci}: {nodes}\n")).collect();
            output::print(format!("{moves}\n{}\n", total_line(&division)))?;
        }
        return Ok(division.exit());
    }
    if !is_json {
        output::line(format!("{:>5} {:>22} {:>12} {:>12}", "depth", "nodes", "seconds", "nodes/s"))?;
    }
    let (mut rows, mut exit) = (Vec::new(), Exit::Success);
    for depth in 1..=args.depth {
        let division = count(depth)?;
        exit = division.exit();
        if is_json {
            rows.push(json!({
                "depth": depth,
                "nodes": division.total(),
                "seconds": division.time.as_secs_f64(),
                "nodes_per_second": format::per_second(division.total(), division.time),
                "complete": division.complete,
            }));
        } else {
            output::line(row_text(depth, &division))?;
        }
        if exit != Exit::Success {
            break;
        }
    }
    if is_json {
        output::json(&header.json(json!({ "fen": fen, "depths": rows, "complete": exit == Exit::Success })))?;
    }
    Ok(exit)
}

/// Perft tools read these numbers, so their digits are not grouped.
fn total_line(division: &Division) -> String {
    if division.complete {
        format!("Nodes searched: {}", division.total())
    } else {
        format!("Interrupted: {} finished, {} nodes", finished_moves(division), division.total())
    }
}

fn row_text(depth: u32, division: &Division) -> String {
    let note =
        if division.complete { String::new() } else { format!("  interrupted: {} finished", finished_moves(division)) };
    format!(
        "{:>5} {:>22} {:>12.3} {:>12}{note}",
        format!("D{depth}"),
        format::grouped(division.total()),
        division.time.as_secs_f64(),
        format::rate(format::per_second(division.total(), division.time))
    )
}

fn finished_moves(division: &Division) -> String {
    format::count(division.counts.len(), "root move", "root moves")
}

impl Args {
    fn options(&self) -> Result<CountOptions> {
        if self.hash > 0 {
            ensure!(
                self.generator == GeneratorKind::Engine,
                "--hash {}: the rules generator has no hash table, expected --generator engine",
                self.hash
            );
            ensure!(
                !self.full,
                "--hash {}: a hash table skips moves and --full makes all of them, expected one of the two",
                self.hash
            );
        }
        Ok(CountOptions { full: self.full, hash_mb: self.hash })
    }
}
