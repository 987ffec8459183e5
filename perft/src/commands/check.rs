//! `check`: what a definition says, what is suspicious about it, and whether the generators agree
//! on it.

use std::path::PathBuf;

use anyhow::Result;
use assay_cli::args::{GameArg, JsonArg, SeedArg, ThreadsArg, definition_file, whole_number};
use assay_cli::text::wrap;
use assay_cli::{Exit, format, interrupt, output, output_file};
use assay_rules::description::sentences;
use assay_rules::moves_diagram::{TEXT_LEGEND, svg_all_moves, text_moves};
use assay_rules::{Color, GameDef, Kind, Position};
use serde::Serialize;
use serde_json::json;

use super::common::{MAX_COUNT, thread_pool};
use super::walk::play_games;
use crate::divide::divide;
use crate::generator::{CountOptions, Generators};
use crate::run_header::RunHeader;
use crate::suspicions::suspicions;
use crate::walk;
use crate::walk::lockstep::WalkSettings;

/// Depths that are counted.
const DEPTHS: u32 = 4;

/// A count beyond which no greater depth is counted: each move with every wall is a move.
const MANY: u64 = 10_000_000;

/// Arguments of `check`.
#[derive(clap::Args, Clone, Debug)]
#[command(after_help = include_str!("help/check.txt").trim_ascii_end())]
pub struct Args {
    /// The game.
    #[command(flatten)]
    pub game: GameArg,
    /// Number of random games in which the generators are compared; 0 to print the rules in
    /// sentences alone
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = whole_number(0..=MAX_COUNT), allow_negative_numbers = true)]
    pub games: u64,
    /// `--seed`.
    #[command(flatten)]
    pub seed: SeedArg,
    /// Write the moves of all pieces as an SVG image
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// `--threads`.
    #[command(flatten)]
    pub threads: ThreadsArg,
    /// `--json`.
    #[command(flatten)]
    pub output: JsonArg,
}

#[derive(Serialize)]
struct Piece {
    name: String,
    letter: String,
    movement: String,
    diagram: String,
}

#[derive(Serialize)]
struct Report {
    title: String,
    rules: Vec<String>,
    pieces: Vec<Piece>,
    suspicions: Vec<String>,
    /// Counts from the start position by depth, from 1; fewer if interrupted, or if there are
    /// [`MANY`].
    perft: Vec<u64>,
    walk: walk::report::Report,
}

/// Runs `check`.
///
/// # Errors
/// If the game is unknown or wrong, or the image cannot be written.
pub fn run(args: &Args) -> Result<Exit> {
    let stop = interrupt::stop_flag();
    let game = assay_engine::load_game(&args.game.game)?;
    output_file::check(&[("--svg", args.svg.as_deref())], definition_file(&args.game.game))?;
    let pool = thread_pool(args.threads.count())?;
    let header =
        RunHeader::new("check").with("game", &game.name).with("games", args.games).with("seed", args.seed.seed);
    if !args.output.json {
        header.print();
    }
    if let Some(path) = &args.svg {
        let svg = svg_all_moves(&game);
        output_file::write_contents("--svg", path, svg)?;
    }
    if args.games == 0 {
        let rules = sentences(&game);
        if args.output.json {
            output::json(&header.json(json!({ "title": game.title, "rules": rules })))?;
        } else {
            output::print(rules.iter().map(|rule| wrap("- ", rule)).collect::<String>())?;
        }
        return Ok(Exit::Success);
    }
    let generators = Generators::new(&game);
    let start = Position::start(&game);
    let mut perft = Vec::new();
    for depth in 1..=DEPTHS {
        if perft.last().is_some_and(|&count| count > MANY) {
            break;
        }
        let count = || divide(generators.engine.as_ref(), &start, depth, CountOptions::default(), stop, &|_| {});
        let counted = pool.install(count)?;
        if !counted.complete {
            break;
        }
        perft.push(counted.total());
    }
    let settings = WalkSettings::of_check(args.seed.seed);
    let results = pool.install(|| play_games(&settings, 0..args.games, &game));
    let originals = game.kinds.all().filter(|&kind| game.kinds.original(kind) == kind);
    let report = Report {
        title: game.title.clone(),
        rules: sentences(&game),
        pieces: originals.map(|kind| Piece::of(&game, kind)).collect(),
        suspicions: suspicions(&game),
        perft,
        walk: walk::report::Report::new(&game, &results, interrupt::requested()),
    };
    if args.output.json {
        output::json(&header.json(&report))?;
    } else {
        output::print(report.text(args.seed.seed))?;
    }
    Ok(Exit::success_if(report.walk.agree))
}

impl Piece {
    fn of(game: &GameDef, kind: Kind) -> Piece {
        let definition = game.kind(kind);
        Piece {
            name: definition.name.clone(),
            letter: game.kinds.symbol(kind, Color::White),
            movement: definition.betza.clone(),
            diagram: text_moves(game, kind, false),
        }
    }
}

impl Report {
    fn text(&self, seed: u64) -> String {
        let mut text = format!("{}\n\nRules\n", self.title);
        text.extend(self.rules.iter().map(|rule| wrap("- ", rule)));
        text += &format!("\nPieces\n{}", wrap("", &format!("{TEXT_LEGEND}.")));
        for piece in &self.pieces {
            let movement = if piece.movement.is_empty() { "no moves of its own" } else { &piece.movement };
            text += &format!("\n{} ({}): {movement}\n", piece.name, piece.letter);
            text.extend(piece.diagram.lines().map(|line| format!("    {line}\n")));
        }
        text += "\nSuspicious\n";
        if self.suspicions.is_empty() {
            text += "Nothing.\n";
        }
        text.extend(self.suspicions.iter().map(|suspicion| wrap("- ", suspicion)));
        text += "\nLegal games from the start position, by plies\n";
        let counts = self.perft.iter().zip(1..);
        text.extend(counts.map(|(count, depth)| format!("{depth}: {}\n", format::grouped(count))));
        text + "\nRandom games, both generators\n" + &self.walk.text(seed)
    }
}
