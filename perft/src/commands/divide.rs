//! `divide`: counts below each move.

use anyhow::Result;
use assay_rules::uci;
use serde::Serialize;

use super::CountArgs;
use crate::banner::Banner;
use crate::start::StartArgs;
use crate::{Verdict, counting, generator, output, typed};

/// The arguments of `divide`.
#[derive(clap::Args, Clone, Debug)]
#[command(after_help = "Examples:
  assay-perft divide chess --depth 4
  assay-perft divide scorpion --depth 2 --generator rules
  assay-perft divide apothecary2 --setup 14+pawn:e4 --depth 3 --json")]
pub struct Args {
    /// A built-in game, or the path of a definition file
    pub game: String,
    /// The depth in plies, the divided move included
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
    let game = assay_engine::load_game(&args.game)?;
    let position = args.start.position(&game)?;
    let manner = args.count.manner()?;
    let pool = counting::pool(args.count.threads)?;
    let banner = Banner::new("divide")
        .with("game", &game.name)
        .with("generator", args.count.generator.name())
        .with("depth", args.depth)
        .with("threads", pool.current_num_threads())
        .with("hash_mb", args.count.hash)
        .with("full", args.count.full);
    if !args.json {
        banner.print();
        output::note(format_args!("position: {}", position.fen()));
    }
    let generator = generator::new(args.count.generator, &game);
    let divided = pool.install(|| counting::divide(generator.as_ref(), &position, args.depth, manner))?;
    let rows: Vec<Row> = divided
        .rows
        .iter()
        .map(|&(mv, nodes)| Row {
            uci: uci::format(&game, mv),
            nodes,
        })
        .collect();
    if args.json {
        let report = Report {
            fen: position.fen(),
            moves: rows,
            nodes: divided.total(),
            seconds: divided.time.as_secs_f64(),
            complete: divided.complete,
        };
        output::json(&banner.json(report))?;
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
