//! `run`: counts of each depth up to one.

use anyhow::Result;
use serde::Serialize;

use super::CountArgs;
use crate::{Verdict, numbers, output, typed};

/// The arguments of `run`.
#[derive(clap::Args, Clone, Debug)]
#[command(after_help = "Examples:
  assay-perft run chess --depth 6
  assay-perft run apothecary2 --setup 14 --depth 4 --threads 2 --hash 256
  assay-perft run gunnery --depth 4 --generator rules
  assay-perft run berolina --depth 4 --fen '4k3/8/8/8/5pP1/8/8/4K3 b - f3g4 0 1'
  assay-perft run my-game.toml --depth 4 --json")]
pub struct Args {
    /// The greatest depth, in plies
    #[arg(long, short, value_name = "N", value_parser = typed::depth, allow_negative_numbers = true)]
    pub depth: u32,
    /// What to count and how.
    #[command(flatten)]
    pub count: CountArgs,
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
    let count = args.count.ready("run", args.depth)?;
    if !args.count.json {
        output::line(format!(
            "{:>5} {:>22} {:>12} {:>12}",
            "depth", "nodes", "seconds", "nodes/s"
        ))?;
    }
    let mut report = Report {
        fen: count.position.fen(),
        depths: Vec::new(),
        complete: true,
    };
    for depth in 1..=args.depth {
        let divided = count.divide(depth)?;
        let row = Row {
            depth,
            nodes: divided.total(),
            seconds: divided.time.as_secs_f64(),
            nodes_per_second: numbers::per_second(divided.total(), divided.time),
            complete: divided.complete,
        };
        if !args.count.json {
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
    if args.count.json {
        output::json(&count.banner.json(report))?;
    }
    Ok(verdict)
}
