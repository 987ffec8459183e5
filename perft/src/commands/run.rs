//! `run`: counts of each depth up to a limit, or below each move.

use std::sync::Arc;

use anyhow::{Result, ensure};
use assay_cli::args::{GameArg, JsonArg, ThreadsArg, whole_number};
use assay_cli::{Exit, Progress, format, interrupt, output};
use assay_rules::{GameDef, Position, uci};
use serde::Serialize;

use super::common::thread_pool;
use crate::divide::{DivideProgress, Division, divide};
use crate::generator::{self, CountOptions, Generator, GeneratorKind};
use crate::position_args::PositionArgs;
use crate::run_header::RunHeader;
use crate::suite::MAX_DEPTH;

#[derive(clap::Args, Clone, Debug)]
#[command(after_help = "Examples:
  assay-perft run chess --depth 6
  assay-perft run apothecary2 --setup 14 --depth 4 --threads 2 --hash 256
  assay-perft run gunnery --depth 4 --generator rules
  assay-perft run berolina --depth 4 --fen '4k3/8/8/8/5pP1/8/8/4K3 b - f3g4 0 1'
  assay-perft run scorpion --depth 2 --divide
  assay-perft run my-game.toml --depth 4 --json")]
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

#[derive(Serialize)]
struct MoveCount {
    uci: String,
    nodes: u64,
}

#[derive(Serialize)]
struct DivideReport {
    fen: String,
    moves: Vec<MoveCount>,
    nodes: u64,
    seconds: f64,
    complete: bool,
}

#[derive(Serialize)]
struct Row {
    depth: u32,
    nodes: u64,
    seconds: f64,
    nodes_per_second: f64,
    complete: bool,
}

#[derive(Serialize)]
struct Report {
    fen: String,
    depths: Vec<Row>,
    complete: bool,
}

/// Runs `run`.
///
/// # Errors
/// If the game, the position or an argument is wrong.
pub fn run(args: &Args) -> Result<Exit> {
    let count = args.prepare()?;
    let is_json = args.output.json;
    if args.divide {
        return print_division(&count, args.depth, is_json);
    }
    if !is_json {
        output::line(format!("{:>5} {:>22} {:>12} {:>12}", "depth", "nodes", "seconds", "nodes/s"))?;
    }
    let mut report = Report { fen: count.position.fen(), depths: Vec::new(), complete: true };
    let mut exit = Exit::Success;
    for depth in 1..=args.depth {
        let division = count.divide(depth)?;
        let row = Row {
            depth,
            nodes: division.total(),
            seconds: division.time.as_secs_f64(),
            nodes_per_second: format::per_second(division.total(), division.time),
            complete: division.complete,
        };
        if !is_json {
            output::line(row.text(division.counts.len()))?;
        }
        report.complete = row.complete;
        report.depths.push(row);
        exit = division.exit();
        if exit != Exit::Success {
            break;
        }
    }
    if is_json {
        output::json(&count.header.json(report))?;
    }
    Ok(exit)
}

fn print_division(count: &Count, depth: u32, is_json: bool) -> Result<Exit> {
    let division = count.divide(depth)?;
    let report = DivideReport {
        fen: count.position.fen(),
        moves: division
            .counts
            .iter()
            .map(|&(mv, nodes)| MoveCount { uci: uci::format(&count.game, mv), nodes })
            .collect(),
        nodes: division.total(),
        seconds: division.time.as_secs_f64(),
        complete: division.complete,
    };
    if is_json {
        output::json(&count.header.json(report))?;
    } else {
        output::print(report.text())?;
    }
    Ok(division.exit())
}

impl DivideReport {
    fn text(&self) -> String {
        let mut text = String::new();
        for row in &self.moves {
            text += &format!("{}: {}\n", row.uci, row.nodes);
        }
        // Perft tools read these numbers, so their digits are not grouped.
        text + &if self.complete {
            format!("\nNodes searched: {}\n", self.nodes)
        } else {
            let moves = format::count(self.moves.len(), "root move", "root moves");
            format!("\nInterrupted: {moves} finished, {} nodes\n", self.nodes)
        }
    }
}

impl Row {
    fn text(&self, finished_moves: usize) -> String {
        let note = if self.complete {
            String::new()
        } else {
            let moves = format::count(finished_moves, "root move", "root moves");
            format!("  interrupted: {moves} finished")
        };
        format!(
            "{:>5} {:>22} {:>12.3} {:>12}{note}",
            format!("D{}", self.depth),
            format::grouped(self.nodes),
            self.seconds,
            format::rate(self.nodes_per_second)
        )
    }
}

/// A count that is ready to run.
struct Count {
    game: Arc<GameDef>,
    position: Position,
    header: RunHeader,
    options: CountOptions,
    pool: rayon::ThreadPool,
    generator: Box<dyn Generator>,
}

impl Count {
    /// Counts below each root move.
    fn divide(&self, depth: u32) -> Result<Division> {
        let bar = Progress::new(0, "parts");
        let show = |progress: DivideProgress| {
            let rate = format::rate(format::per_second(progress.nodes, progress.elapsed));
            bar.set_total(progress.total);
            bar.set(progress.done);
            bar.set_message(format!("depth {depth}, {rate} nodes/s"));
        };
        let (generator, stop) = (self.generator.as_ref(), interrupt::stop_flag());
        self.pool.install(|| divide(generator, &self.position, depth, self.options, stop, &show))
    }
}

impl Args {
    /// Loads the game and the position and builds the generator; prints the settings unless the
    /// output is JSON.
    fn prepare(&self) -> Result<Count> {
        interrupt::stop_flag();
        let game = assay_engine::load_game(&self.game.game)?;
        let position = self.position.position(&game)?;
        let options = self.options()?;
        let pool = thread_pool(self.threads.count())?;
        let header = RunHeader::new("run")
            .with("game", &game.name)
            .with("generator", self.generator.name())
            .with("depth", self.depth)
            .with("threads", pool.current_num_threads())
            .with("hash_mb", self.hash)
            .with("full", self.full);
        if !self.output.json {
            header.print();
            output::note(format_args!("position: {}", position.fen()));
        }
        let generator = generator::new(self.generator, &game);
        Ok(Count { game, position, header, options, pool, generator })
    }

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
