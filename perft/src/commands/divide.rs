//! `divide`: counts below each legal move.

use anyhow::Result;
use assay_cli::args::whole_number;
use assay_cli::{Exit, format, output};
use assay_rules::uci;
use serde::Serialize;

use super::count_args::CountArgs;
use crate::suite::MAX_DEPTH;

#[derive(clap::Args, Clone, Debug)]
#[command(after_help = "Examples:
  assay-perft divide chess --depth 4
  assay-perft divide scorpion --depth 2 --generator rules
  assay-perft divide apothecary2 --setup 14+pawn:e4 --depth 3 --json")]
pub struct Args {
    /// Depth in plies, including the listed move
    #[arg(long, short, value_name = "N", value_parser = whole_number(1..=MAX_DEPTH), allow_negative_numbers = true)]
    pub depth: u32,
    /// Position and options of a count.
    #[command(flatten)]
    pub count: CountArgs,
}

#[derive(Serialize)]
struct Row {
    uci: String,
    nodes: u64,
}

#[derive(Serialize)]
struct Report {
    fen: String,
    moves: Vec<Row>,
    nodes: u64,
    seconds: f64,
    complete: bool,
}

/// Runs `divide`.
///
/// # Errors
/// If the game, the position or an argument is wrong.
pub fn run(args: &Args) -> Result<Exit> {
    let count = args.count.prepare("divide", args.depth)?;
    let division = count.divide(args.depth)?;
    let report = Report {
        fen: count.position.fen(),
        moves: division.counts.iter().map(|&(mv, nodes)| Row { uci: uci::format(&count.game, mv), nodes }).collect(),
        nodes: division.total(),
        seconds: division.time.as_secs_f64(),
        complete: division.complete,
    };
    if args.count.output.json {
        output::json(&count.header.json(report))?;
    } else {
        output::print(report.text())?;
    }
    Ok(division.exit())
}

impl Report {
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
