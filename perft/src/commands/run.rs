//! `run`: counts of each depth up to a limit.

use anyhow::Result;
use assay_cli::args::whole_number;
use assay_cli::{Exit, format, output};
use serde::Serialize;

use super::count_args::CountArgs;
use crate::suite::MAX_DEPTH;

#[derive(clap::Args, Clone, Debug)]
#[command(after_help = "Examples:
  assay-perft run chess --depth 6
  assay-perft run apothecary2 --setup 14 --depth 4 --threads 2 --hash 256
  assay-perft run gunnery --depth 4 --generator rules
  assay-perft run berolina --depth 4 --fen '4k3/8/8/8/5pP1/8/8/4K3 b - f3g4 0 1'
  assay-perft run my-game.toml --depth 4 --json")]
pub struct Args {
    /// Greatest depth in plies
    #[arg(long, short, value_name = "N", value_parser = whole_number(1..=MAX_DEPTH), allow_negative_numbers = true)]
    pub depth: u32,
    /// Position and options of a count.
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

/// Runs `run`.
///
/// # Errors
/// If the game, the position or an argument is wrong.
pub fn run(args: &Args) -> Result<Exit> {
    let count = args.count.prepare("run", args.depth)?;
    let is_json = args.count.output.json;
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
