//! `show`: a position in full.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use assay_cli::args::{JsonArg, definition_file, game_help};
use assay_cli::{Align, Exit, Table, output, output_file, text};
use assay_rules::def::game_names;
use assay_rules::moves_diagram::{TEXT_LEGEND, svg_moves, text_moves};
use assay_rules::svg::{SvgOptions, svg_board};
use assay_rules::{Game, GameDef, Outcome, Position, betza, diagram, parse_move, san, uci};
use clap::ValueHint;
use serde::Serialize;
use serde_json::{Value, json};

use crate::position_args::PositionArgs;
use crate::run_header::RunHeader;

#[derive(clap::Args, Clone, Debug)]
#[command(after_help = include_str!("help/show.txt").trim_ascii_end())]
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
    if let Some(path) = &args.svg {
        let options = SvgOptions { last_move: played.moves().last().copied(), ..SvgOptions::default() };
        output_file::write_contents("--svg", path, svg_board(position, &options))?;
    }
    let header = RunHeader::new("show").with("game", &game.name).with("played", &args.moves);
    if args.output.json {
        let ending = |end: Outcome| json!({ "reason": end.termination.name(), "score": end.white.as_f64() });
        let moves: Vec<Value> = move_texts(position).map(|(uci, san)| json!({ "uci": uci, "san": san })).collect();
        output::json(&header.json(json!({
            "fen": position.fen(),
            "check": position.in_check(),
            "outcome": played.outcome().map(ending),
            "moves": moves,
        })))?;
    } else {
        header.print();
        output::line(text_of(&played))?;
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

/// The legal moves as UCI and SAN write them.
fn move_texts(position: &Position) -> impl Iterator<Item = (String, String)> {
    let moves = position.legal_moves().into_iter();
    moves.map(move |mv| (uci::format(position.game(), mv), san::format(position, mv)))
}

fn text_of(played: &Game) -> String {
    let position = played.position();
    let outcome = match played.outcome() {
        None => "none, the game goes on".to_owned(),
        Some(end) => format!("{}, White scores {}", end.termination.name(), end.white.as_f64()),
    };
    let moves: Vec<String> = move_texts(position).map(|(uci, san)| format!("{uci} ({san})")).collect();
    let text = format!(
        "{}FEN: {}\nCheck: {}\nOutcome: {outcome}\nLegal moves: {}{}",
        diagram::text_board(position),
        position.fen(),
        if position.in_check() { "yes" } else { "no" },
        moves.len(),
        columns(&moves)
    );
    text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

/// Moves as `e2e4 (e4)` in columns, on new lines.
fn columns(cells: &[String]) -> String {
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
