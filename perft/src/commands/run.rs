//! `run`: counts of each depth up to one.

use anyhow::Result;
use serde::Serialize;

use super::CountArgs;
use crate::banner::Banner;
use crate::start::StartArgs;
use crate::{Verdict, counting, generator, numbers, output, typed};

/// The arguments of `run`.
#[derive(clap::Args, Clone, Debug)]
#[command(after_help = "Examples:
  assay-perft run chess --depth 6
  assay-perft run apothecary2 --setup 14 --depth 4 --threads 2 --hash 256
  assay-perft run gunnery --depth 4 --generator rules
  assay-perft run berolina --depth 4 --fen '4k3/8/8/8/5pP1/8/8/4K3 b - f3g4 0 1'
  assay-perft run my-game.toml --depth 4 --json")]
pub struct Args {
    /// A built-in game, or the path of a definition file
    pub game: String,
    /// The greatest depth, in plies
    #[arg(long, short, value_name = "N", value_parser = typed::depth, allow_negative_numbers = true)]
    pub depth: u32,
    /// Which position.
    #[command(flatten)]
    pub start: StartArgs,
    /// How to count.
    #[command(flatten)]
    pub count: CountArgs,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
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

/// Does it.
///
/// # Errors
/// When the game, the position or the options are wrong.
pub fn run(args: &Args) -> Result<Verdict> {
    let game = assay_engine::load_game(&args.game)?;
    let position = args.start.position(&game)?;
    let manner = args.count.manner()?;
    let pool = counting::pool(args.count.threads)?;
    let banner = Banner::new("run")
        .with("game", &game.name)
        .with("generator", args.count.generator.name())
        .with("depth", args.depth)
        .with("threads", pool.current_num_threads())
        .with("hash_mb", args.count.hash)
        .with("full", args.count.full);
    if !args.json {
        banner.print();
        output::note(format_args!("position: {}", position.fen()));
        output::line(format!(
            "{:>5} {:>22} {:>12} {:>12}",
            "depth", "nodes", "seconds", "nodes/s"
        ))?;
    }
    let generator = generator::new(args.count.generator, &game);
    let mut report = Report {
        fen: position.fen(),
        depths: Vec::new(),
        complete: true,
    };
    for depth in 1..=args.depth {
        let divided = pool.install(|| counting::divide(generator.as_ref(), &position, depth, manner))?;
        let row = Row {
            depth,
            nodes: divided.total(),
            seconds: divided.time.as_secs_f64(),
            nodes_per_second: numbers::per_second(divided.total(), divided.time),
            complete: divided.complete,
        };
        if !args.json {
            let label = format!("D{depth}");
            let (nodes, rate) = (numbers::grouped(row.nodes), numbers::short_rate(row.nodes_per_second));
            let note = if row.complete {
                String::new()
            } else {
                format!("  interrupted: {} root moves done", divided.rows.len())
            };
            output::line(format!("{label:>5} {nodes:>22} {:>12.3} {rate:>12}{note}", row.seconds))?;
        }
        let complete = row.complete;
        report.depths.push(row);
        if !complete {
            report.complete = false;
            break;
        }
    }
    let verdict = if report.complete {
        Verdict::Agree
    } else {
        Verdict::Interrupted
    };
    if args.json {
        output::json(&banner.json(report))?;
    }
    Ok(verdict)
}
