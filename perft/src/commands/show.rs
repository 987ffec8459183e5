//! `show`: one position in full.

use std::path::PathBuf;

use anyhow::{Context, Result};
use assay_rules::svg::{SvgOptions, svg_board};
use assay_rules::{Game, Move, Position, diagram, san, uci};
use serde::Serialize;

use crate::banner::Banner;
use crate::start::StartArgs;
use crate::{Verdict, output};

/// The arguments of `show`.
#[derive(clap::Args, Clone, Debug)]
#[command(after_help = "Examples:
  assay-perft show gamma2
  assay-perft show apothecary2 --setup 14 --moves e0e4 Nd7
  assay-perft show gunnery --fen '4k3/4p3/8/8/8/4N3/4P3/4K3 w - - 0 1' --json
  assay-perft show berolina --moves e2g4 --svg board.svg")]
pub struct Args {
    /// A built-in game, or the path of a definition file
    pub game: String,
    /// Which position.
    #[command(flatten)]
    pub start: StartArgs,
    /// Play these moves first
    #[arg(long, value_name = "MOVE", num_args = 1..)]
    pub moves: Vec<String>,
    /// Write the board as an SVG picture
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Serialize)]
struct Ending {
    reason: &'static str,
    /// White's points, 0 to 1.
    score: f64,
}

#[derive(Serialize)]
struct Shown {
    uci: String,
    san: String,
}

#[derive(Serialize)]
struct Report {
    fen: String,
    check: bool,
    outcome: Option<Ending>,
    moves: Vec<Shown>,
}

/// Does it.
///
/// # Errors
/// When the game, the position or a move is wrong, or the picture cannot be written.
pub fn run(args: &Args) -> Result<Verdict> {
    let game = assay_engine::load_game(&args.game)?;
    let mut played = Game::new(args.start.position(&game)?);
    for (index, text) in args.moves.iter().enumerate() {
        let mv = read_move(played.position(), text).with_context(|| format!("--moves, move {}", index + 1))?;
        played.play(mv);
    }
    let position = played.position();
    let report = Report {
        fen: position.fen(),
        check: position.in_check(),
        outcome: played.outcome().map(|outcome| Ending {
            reason: outcome.termination.name(),
            score: outcome.white.as_f64(),
        }),
        moves: position
            .legal_moves()
            .into_iter()
            .map(|mv| Shown {
                uci: uci::format(&game, mv),
                san: san::format(position, mv),
            })
            .collect(),
    };
    if let Some(path) = &args.svg {
        let options = SvgOptions {
            last_move: played.moves().last().copied(),
            ..SvgOptions::default()
        };
        let picture = svg_board(position, &options);
        std::fs::write(path, picture).with_context(|| format!("--svg {}", path.display()))?;
    }
    let banner = Banner::new("show").with("game", &game.name).with("played", &args.moves);
    if args.json {
        output::json(&banner.json(report))?;
    } else {
        banner.print();
        output::line(text(position, &report))?;
    }
    Ok(Verdict::Agree)
}

/// Reads a legal move as UCI, and as SAN when it has not the form of UCI.
///
/// # Errors
/// When it is neither.
fn read_move(position: &Position, text: &str) -> Result<Move> {
    match uci::parse(position, text) {
        Ok(mv) => Ok(mv),
        // Texts like `exd5` are of both forms' letters; whichever reads it is right, and UCI's complaint is the better one
        // for texts of its form.
        Err(wrong @ uci::UciError::Illegal { .. }) => san::parse(position, text).map_err(|_| wrong.into()),
        Err(uci::UciError::Syntax { .. }) => Ok(san::parse(position, text)?),
    }
}

fn text(position: &Position, report: &Report) -> String {
    let mut text = diagram::text_board(position);
    text += &format!("FEN: {}\n", report.fen);
    text += &format!("Check: {}\n", if report.check { "yes" } else { "no" });
    text += &match &report.outcome {
        None => "Outcome: none, the game goes on\n".to_owned(),
        Some(ending) => format!("Outcome: {}, White scores {}\n", ending.reason, ending.score),
    };
    text += &format!("Legal moves: {}", report.moves.len());
    let width = report
        .moves
        .iter()
        .map(|mv| mv.uci.len() + mv.san.len() + 3)
        .max()
        .unwrap_or(1);
    let columns = (100 / (width + 2)).max(1);
    for (index, mv) in report.moves.iter().enumerate() {
        text += if index % columns == 0 { "\n  " } else { "  " };
        text += &format!("{:width$}", format!("{} ({})", mv.uci, mv.san));
    }
    text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}
