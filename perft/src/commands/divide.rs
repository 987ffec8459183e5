//! `divide`: counts below each move.

use anyhow::Result;
use assay_rules::uci;
use serde::Serialize;

use super::CountArgs;
use crate::{Verdict, output, typed};

/// The arguments of `divide`.
#[derive(clap::Args, Clone, Debug)]
#[command(after_help = "Examples:
  assay-perft divide chess --depth 4
  assay-perft divide scorpion --depth 2 --generator rules
  assay-perft divide apothecary2 --setup 14+pawn:e4 --depth 3 --json")]
pub struct Args {
    /// The depth in plies, the divided move included
    #[arg(long, short, value_name = "N", value_parser = typed::depth, allow_negative_numbers = true)]
    pub depth: u32,
    /// What to count and how.
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

/// Does it.
///
/// # Errors
/// When the game, the position or the options are wrong.
pub fn run(args: &Args) -> Result<Verdict> {
    let count = args.count.ready("divide", args.depth)?;
    let divided = count.divide(args.depth)?;
    let rows: Vec<Row> = divided
        .rows
        .iter()
        .map(|&(mv, nodes)| Row {
            uci: uci::format(&count.game, mv),
            nodes,
        })
        .collect();
    if args.count.json {
        let report = Report {
            fen: count.position.fen(),
            moves: rows,
            nodes: divided.total(),
            seconds: divided.time.as_secs_f64(),
            complete: divided.complete,
        };
        output::json(&count.banner.json(report))?;
    } else {
        let mut text = String::new();
        for row in &rows {
            text += &format!("{}: {}\n", row.uci, row.nodes);
        }
        text += &if divided.complete {
            format!("\nNodes searched: {}", divided.total())
        } else {
            format!(
                "\nInterrupted: {} root moves done, {} nodes",
                rows.len(),
                divided.total()
            )
        };
        output::line(text)?;
    }
    Ok(if divided.complete {
        Verdict::Agree
    } else {
        Verdict::Interrupted
    })
}
