//! `show`: a position in full.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use assay_cli::args::{JsonArg, definition_file, game_help};
use assay_cli::{Align, Exit, Table, output, output_file, text};
use assay_rules::def::game_names;
use assay_rules::moves_diagram::{TEXT_LEGEND, svg_moves, text_moves};
use assay_rules::svg::{SvgOptions, svg_board};
use assay_rules::{Game, GameDef, Position, betza, diagram, parse_move, san, uci};
use clap::ValueHint;
use serde::Serialize;

use crate::position_args::PositionArgs;
use crate::run_header::RunHeader;

#[derive(clap::Args, Clone, Debug)]
#[command(after_help = "Examples:
  assay-perft show
      lists the built-in games
  assay-perft show gamma2
  assay-perft show apothecary2 --setup 14 --moves e0e4 Nd7
  assay-perft show gunnery --fen '4k3/4p3/8/8/8/4N3/4P3/4K3 w - - 0 1' --json
  assay-perft show berolina --moves e2g4 --svg board.svg
  assay-perft show --piece mRcpR --svg cannon.svg
      draws the moves of a piece instead")]
pub struct Args {
    /// Name or path.
    #[arg(value_name = "GAME", value_hint = ValueHint::FilePath, help = game_help())]
    pub game: Option<String>,
    /// Draw the moves of a piece, given in XBetza (mRcpR), from the middle and from the corner of a
    /// board
    #[arg(long, value_name = "XBETZA", conflicts_with_all = ["game", "setup", "fen", "moves", "json"])]
    pub piece: Option<String>,
    #[command(flatten)]
    pub position: PositionArgs,
    /// Moves to play first
    #[arg(long, value_name = "MOVE", num_args = 1..)]
    pub moves: Vec<String>,
    /// Write the board as an SVG image
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    #[command(flatten)]
    pub output: JsonArg,
}

#[derive(Serialize)]
struct Ending {
    reason: &'static str,
    /// White's points, 0 to 1.
    score: f64,
}

#[derive(Serialize)]
struct MoveTexts {
    uci: String,
    san: String,
}

#[derive(Serialize)]
struct Report {
    fen: String,
    check: bool,
    outcome: Option<Ending>,
    moves: Vec<MoveTexts>,
}

/// Runs `show`.
///
/// # Errors
/// If the game, the position or a move is wrong, or the image cannot be written.
pub fn run(args: &Args) -> Result<Exit> {
    let name = match (&args.piece, &args.game) {
        (Some(piece), _) => return draw_piece(piece, args.svg.as_deref()),
        (None, Some(name)) => name,
        (None, None) => return list_games(args),
    };
    let game = assay_engine::load_game(name)?;
    output_file::check(&[("--svg", args.svg.as_deref())], definition_file(name))?;
    let mut played = Game::new(args.position.position(&game)?);
    for (index, text) in args.moves.iter().enumerate() {
        let mv = parse_move(played.position(), text).with_context(|| format!("--moves, move {}", index + 1))?;
        played.play(mv);
    }
    let position = played.position();
    let report = Report {
        fen: position.fen(),
        check: position.in_check(),
        outcome: played
            .outcome()
            .map(|outcome| Ending { reason: outcome.termination.name(), score: outcome.white.as_f64() }),
        moves: position
            .legal_moves()
            .into_iter()
            .map(|mv| MoveTexts { uci: uci::format(&game, mv), san: san::format(position, mv) })
            .collect(),
    };
    if let Some(path) = &args.svg {
        let options = SvgOptions { last_move: played.moves().last().copied(), ..SvgOptions::default() };
        output_file::write_contents("--svg", path, svg_board(position, &options))?;
    }
    let header = RunHeader::new("show").with("game", &game.name).with("played", &args.moves);
    if args.output.json {
        output::json(&header.json(report))?;
    } else {
        header.print();
        output::line(report.text(position))?;
    }
    Ok(Exit::Success)
}

#[derive(Serialize)]
struct GameRow {
    name: String,
    title: String,
    files: u8,
    ranks: u8,
}

fn list_games(args: &Args) -> Result<Exit> {
    let PositionArgs { fen, setup } = &args.position;
    ensure!(
        fen.is_none() && setup.is_none() && args.moves.is_empty() && args.svg.is_none(),
        "found no game, expected one for --fen, --setup, --moves and --svg"
    );
    let games = game_names().filter_map(GameDef::builtin);
    let rows = games.map(|game| GameRow {
        name: game.name.clone(),
        title: game.title.clone(),
        files: game.board.files(),
        ranks: game.board.ranks(),
    });
    if args.output.json {
        output::json(&rows.collect::<Vec<_>>())?;
    } else {
        let mut table = Table::new([("name", Align::Left), ("title", Align::Left), ("board", Align::Right)]);
        rows.for_each(|row| table.row([row.name, row.title, format!("{}x{}", row.files, row.ranks)]));
        output::print(table)?;
    }
    Ok(Exit::Success)
}

/// Draws the moves of a piece.
fn draw_piece(movement: &str, svg: Option<&Path>) -> Result<Exit> {
    // An error in the definition would name a line that nobody wrote.
    betza::parse(movement).with_context(|| format!("--piece `{movement}`"))?;
    let definition = format!(
        "name = \"piece\"\ntitle = \"A piece\"\nsource = \"--piece\"\nbase = \"chess\"\n[pieces.piece]\nletter = \"X\"\nmove = \"{movement}\"\n"
    );
    let game = GameDef::from_toml(&definition, "--piece")?;
    let kind = game.kinds.by_letter('X').context("--piece")?;
    if let Some(path) = svg {
        output_file::check(&[("--svg", Some(path))], [] as [&Path; 0])?;
        output_file::write_contents("--svg", path, svg_moves(&game, kind, false))?;
    }
    let [middle, corner] = [false, true].map(|in_corner| text_moves(&game, kind, in_corner));
    let legend = text::wrap("", &format!("{TEXT_LEGEND}."));
    output::print(format!("{legend}\n{middle}\nIn the corner:\n{corner}"))?;
    Ok(Exit::Success)
}

impl Report {
    fn text(&self, position: &Position) -> String {
        let mut text = diagram::text_board(position);
        text += &format!("FEN: {}\n", self.fen);
        text += &format!("Check: {}\n", if self.check { "yes" } else { "no" });
        text += &match &self.outcome {
            None => "Outcome: none, the game goes on\n".to_owned(),
            Some(ending) => format!("Outcome: {}, White scores {}\n", ending.reason, ending.score),
        };
        text += &format!("Legal moves: {}{}", self.moves.len(), move_columns(&self.moves));
        text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
    }
}

/// Moves as `e2e4 (e4)` in columns, on new lines.
fn move_columns(moves: &[MoveTexts]) -> String {
    let cells: Vec<String> = moves.iter().map(|mv| format!("{} ({})", mv.uci, mv.san)).collect();
    let width = cells.iter().map(String::len).max().unwrap_or(1);
    let columns = (text::width().saturating_sub(2) / (width + 2)).max(1);
    cells
        .chunks(columns)
        .map(|row| {
            let cells: String = row.iter().map(|cell| format!("  {cell:width$}")).collect();
            format!("\n{cells}")
        })
        .collect()
}
