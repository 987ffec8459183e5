//! `compare`: counts against another engine.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use assay_cli::args::{GameArg, JsonArg, SeedArg, seconds, whole_number};
use assay_cli::{Exit, Progress, format, interrupt, output};
use assay_engine::file;
use assay_rules::{GameDef, Position};
use assay_selfplay::players::uci::{EngineCommand, UciEngine, UciEngineError, Wait};
use rayon::prelude::*;
use serde::Serialize;

use super::common::{MAX_COUNT, report_all, thread_pool};
use crate::generator::{self, Generator, GeneratorKind};
use crate::peer_difference::{PeerDifference, compare_with_peer};
use crate::run_header::RunHeader;
use crate::suite::{self, Games, MAX_DEPTH};
use crate::walk::random_player::{GameRng, RandomPlayer, random_start};

#[derive(clap::Args, Clone, Debug)]
#[command(
    after_help = "Missing moves are moves that only the other engine has; extra moves are moves that only Assay has.

Examples:
  assay-perft compare chess --against stockfish
  assay-perft compare berolina --against fairy-stockfish --positions 200 --seed 3
  assay-perft compare gamma2 --against 'nice fairy-stockfish' --variant-path gamma2.ini
  assay-perft compare capablanca.toml --against fairy-stockfish --suite capablanca.epd"
)]
pub struct Args {
    #[command(flatten)]
    pub game: GameArg,
    /// Command line of the other engine
    #[arg(long, value_name = "COMMAND")]
    pub against: String,
    /// Number of random positions
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = whole_number(1..=MAX_COUNT), allow_negative_numbers = true)]
    pub positions: u64,
    #[command(flatten)]
    pub seed: SeedArg,
    /// Depth of the counts in plies
    #[arg(long, short, value_name = "N", default_value_t = 3, value_parser = whole_number(1..=MAX_DEPTH), allow_negative_numbers = true)]
    pub depth: u32,
    /// Suite of positions to compare instead of random ones (its counts are ignored)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["positions", "seed"])]
    pub suite: Option<PathBuf>,
    /// Name of the game in the other engine [default: the same name]
    #[arg(long, value_name = "NAME")]
    pub variant: Option<String>,
    /// File of variant definitions for the other engine to load first
    #[arg(long, value_name = "FILE")]
    pub variant_path: Option<PathBuf>,
    /// Assay's generator to count with
    #[arg(long, value_enum, default_value = "engine")]
    pub generator: GeneratorKind,
    /// Time limit for each answer of the other engine
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds, allow_negative_numbers = true)]
    pub timeout: Duration,
    /// Stop after this many differences (per process of the other engine)
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = whole_number(1..=MAX_COUNT), allow_negative_numbers = true)]
    pub max_differences: u64,
    /// Number of processes of the other engine to run in parallel
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole_number(1..=1024_usize))]
    pub threads: usize,
    #[command(flatten)]
    pub output: JsonArg,
}

impl Args {
    fn wait(&self) -> Wait<'static> {
        Wait {
            timeout: self.timeout,
            stop: interrupt::stop_flag(),
        }
    }
}

#[derive(Default, Serialize)]
struct Report {
    agree: bool,
    interrupted: bool,
    compared: u64,
    nodes: u64,
    seconds: f64,
    differences: Vec<PeerDifference>,
}

/// Runs `compare`.
///
/// # Errors
/// If the game, the suite or an argument is wrong, or the other engine fails.
pub fn run(args: &Args) -> Result<Exit> {
    interrupt::stop_flag();
    let mut games = Games::default();
    let game = games.load(&args.game.game)?;
    if let Some(path) = &args.variant_path {
        file::read(path, file::MAX_FILE).with_context(|| format!("--variant-path {}", path.display()))?;
    }
    let command: EngineCommand = args.against.parse().context("--against")?;
    let positions = Positions::new(args, &game, &mut games)?;
    let variant = args.variant.as_ref().unwrap_or(&game.name);
    let header = RunHeader::new("compare")
        .with("game", &game.name)
        .with("against", &args.against)
        .with("variant", variant)
        .with("positions", positions.count())
        .with("seed", args.suite.is_none().then_some(args.seed.seed))
        .with("depth", args.depth)
        .with("generator", args.generator.name());
    if !args.output.json {
        header.print();
    }
    let start = Instant::now();
    let mut report = compare_all(args, &game, &command, variant, &positions)?;
    report.seconds = start.elapsed().as_secs_f64();
    let exit = Exit::success_if(report.agree);
    if args.output.json {
        output::json(&header.json(report))?;
    } else {
        output::print(report.text())?;
    }
    Ok(exit)
}

/// The positions to compare. Random ones are generated when they are needed, since there may be any number of them.
enum Positions {
    Suite(Vec<Position>),
    Random { game: Arc<GameDef>, seed: u64, count: u64 },
}

impl Positions {
    fn new(args: &Args, game: &Arc<GameDef>, games: &mut Games) -> Result<Positions> {
        let Some(path) = &args.suite else {
            return Ok(Positions::Random {
                game: Arc::clone(game),
                seed: args.seed.seed,
                count: args.positions,
            });
        };
        let suites = suite::read_files(std::slice::from_ref(path), Some(game), games).map_err(report_all)?;
        let entries = suites.into_iter().flat_map(|suite| suite.entries);
        let positions: Vec<Position> = entries.map(|entry| entry.position).collect();
        ensure!(!positions.is_empty(), "no position of {} in the suite", game.name);
        Ok(Positions::Suite(positions))
    }

    fn count(&self) -> u64 {
        match self {
            Positions::Suite(positions) => positions.len() as u64,
            Positions::Random { count, .. } => *count,
        }
    }

    fn get(&self, index: u64) -> Position {
        match self {
            Positions::Suite(positions) => positions[index as usize].clone(),
            Positions::Random { game, seed, .. } => random_position(game, *seed, index),
        }
    }
}

/// A position with legal moves, after a random number of plies of a random game.
fn random_position(game: &Arc<GameDef>, seed: u64, index: u64) -> Position {
    const MAX_PLIES: u64 = 120;
    let mut rng = GameRng::new(seed, index);
    let mut player = RandomPlayer::of_rare_moves();
    let mut position = random_start(game, &mut rng);
    for _ in 0..rng.below(MAX_PLIES) {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        let next = position.play(player.choose(&position, &legal, &mut rng));
        if !next.has_legal_move() {
            break;
        }
        position = next;
    }
    position
}

/// Compares all positions, dealt in turn to the processes of the other engine.
fn compare_all(
    args: &Args,
    game: &Arc<GameDef>,
    command: &EngineCommand,
    variant: &str,
    positions: &Positions,
) -> Result<Report> {
    let generator = generator::new(args.generator, game);
    let progress = Progress::new(positions.count(), "positions");
    let pool = thread_pool(args.threads)?;
    let processes = (args.threads as u64).min(positions.count());
    let compare_share = |first: u64| -> Result<Report> {
        let mut report = Report::default();
        let share = (first..positions.count()).step_by(processes as usize);
        let share = share.map(|index| positions.get(index));
        match compare_share(
            args,
            generator.as_ref(),
            command,
            variant,
            share,
            &mut report,
            &progress,
        ) {
            Err(UciEngineError::Stopped) => report.interrupted = true,
            result => result.with_context(|| format!("--against `{}`", args.against))?,
        }
        Ok(report)
    };
    let reports: Vec<Result<Report>> = pool.install(|| (0..processes).into_par_iter().map(compare_share).collect());
    progress.finish();
    let mut sum = Report::default();
    for report in reports {
        let report = report?;
        sum.interrupted |= report.interrupted;
        sum.compared += report.compared;
        sum.nodes += report.nodes;
        sum.differences.extend(report.differences);
    }
    sum.agree = sum.differences.is_empty();
    Ok(sum)
}

fn compare_share(
    args: &Args,
    generator: &dyn Generator,
    command: &EngineCommand,
    variant: &str,
    positions: impl Iterator<Item = Position>,
    report: &mut Report,
    progress: &Progress,
) -> Result<(), UciEngineError> {
    let mut peer = start_peer(args, command, variant)?;
    for position in positions {
        let compared = compare_with_peer(generator, &mut peer, &position, args.depth, args.wait())?;
        report.compared += 1;
        report.nodes += compared.nodes;
        report.differences.extend(compared.difference);
        progress.inc(1);
        if report.differences.len() as u64 >= args.max_differences {
            break;
        }
    }
    Ok(())
}

fn start_peer(args: &Args, command: &EngineCommand, variant: &str) -> Result<UciEngine, UciEngineError> {
    let path = args.variant_path.as_ref().map(|path| path.display().to_string());
    let mut peer = UciEngine::start(command)?;
    peer.handshake(args.wait())?;
    peer.select_variant(variant, path.as_deref(), args.wait())?;
    peer.wait_ready(args.wait())?;
    Ok(peer)
}

impl Report {
    fn text(&self) -> String {
        let mut text = String::new();
        for difference in &self.differences {
            text += &format!("difference from {}\n", difference.from);
            text += &format!("  after: {}\n", list(&difference.path));
            text += &format!("  at: {}\n", difference.fen);
            text += &format!("  missing: {}\n", list(&difference.missing));
            text += &format!("  extra: {}\n", list(&difference.extra));
            text += &format!("  ours: {}\n", list(&difference.ours));
            text += &format!("  theirs: {}\n", list(&difference.theirs));
        }
        let verdict = match (self.differences.len(), self.interrupted) {
            (0, false) => "all agree".to_owned(),
            (0, true) => "interrupted, all agree so far".to_owned(),
            (differences, _) => format::count(differences, "difference", "differences"),
        };
        text + &format!(
            "{verdict}: {}, {}, {:.1} s\n",
            format::count(self.compared, "position", "positions"),
            format::count(self.nodes, "node", "nodes"),
            self.seconds
        )
    }
}

fn list(moves: &[String]) -> String {
    if moves.is_empty() {
        "none".to_owned()
    } else {
        moves.join(" ")
    }
}
