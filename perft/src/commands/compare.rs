//! `compare`: counts against another program's.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use assay_rules::{GameDef, Position};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;

use crate::banner::Banner;
use crate::compare::part::{self, Difference};
use crate::compare::peer::{Dialect, Interrupted, Peer};
use crate::generator::{self, Which};
use crate::suite::{self, Games};
use crate::walk::choice::{self, Dice, Player};
use crate::{Verdict, counting, numbers, output, typed};

/// The arguments of `compare`.
#[derive(clap::Args, Clone, Debug)]
#[command(
    after_help = "Missing moves are those that the other program has and Assay has not; extra moves are the other way round.

Examples:
  assay-perft compare chess --against stockfish
  assay-perft compare berolina --against fairy-stockfish --positions 200 --seed 3 --depth 3
  assay-perft compare gamma2 --against 'nice fairy-stockfish' --variant-path gamma2.ini
  assay-perft compare capablanca.toml --against fairy-stockfish --suite capablanca.epd"
)]
pub struct Args {
    /// A built-in game, or the path of a definition file
    pub game: String,
    /// The other program, with its arguments
    #[arg(long, value_name = "COMMAND")]
    pub against: String,
    /// How many random positions
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = typed::some, allow_negative_numbers = true)]
    pub positions: u64,
    /// The seed of the random games
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = typed::any, allow_negative_numbers = true)]
    pub seed: u64,
    /// How deep to count
    #[arg(long, short, value_name = "D", default_value_t = 3, value_parser = typed::depth, allow_negative_numbers = true)]
    pub depth: u32,
    /// Compare the positions of this suite instead (its counts are not looked at)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["positions", "seed"])]
    pub suite: Option<PathBuf>,
    /// The game's name there [default: its name here]
    #[arg(long, value_name = "NAME")]
    pub variant: Option<String>,
    /// A file of definitions that the other program shall read first
    #[arg(long, value_name = "FILE")]
    pub variant_path: Option<PathBuf>,
    /// Which generator of ours counts
    #[arg(long, value_enum, default_value = "engine")]
    pub generator: Which,
    /// How long to wait for one answer
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, value_parser = typed::seconds, allow_negative_numbers = true)]
    pub timeout: f64,
    /// Stop after this many differences (each of the programs that run at a time)
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = typed::some, allow_negative_numbers = true)]
    pub max_differences: u64,
    /// Other programs to run at a time
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = typed::threads)]
    pub threads: usize,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Serialize)]
struct Report {
    agree: bool,
    interrupted: bool,
    compared: u64,
    nodes: u64,
    seconds: f64,
    differences: Vec<Difference>,
}

/// Does it.
///
/// # Errors
/// When the game, the suite or an option is wrong, or the other program fails.
pub fn run(args: &Args) -> Result<Verdict> {
    let mut games = Games::default();
    let game = games.load(&args.game)?;
    if let Some(path) = &args.variant_path {
        std::fs::File::open(path).with_context(|| format!("--variant-path {}", path.display()))?;
    }
    let positions = match &args.suite {
        Some(path) => {
            let suites = suite::read_all(std::slice::from_ref(path), Some(&game), &mut games)?;
            suites
                .into_iter()
                .flat_map(|suite| suite.entries)
                .map(|entry| entry.position)
                .collect()
        }
        None => random_positions(&game, args.seed, args.positions),
    };
    ensure!(!positions.is_empty(), "no position of {} in the suite", game.name);
    let dialect = Dialect {
        variant: args.variant.clone().unwrap_or_else(|| game.name.clone()),
        variant_path: args.variant_path.as_ref().map(|path| path.display().to_string()),
    };
    let banner = Banner::new("compare")
        .with("game", &game.name)
        .with("against", &args.against)
        .with("variant", &dialect.variant)
        .with("positions", positions.len())
        .with("seed", args.suite.is_none().then_some(args.seed))
        .with("depth", args.depth)
        .with("generator", args.generator.name());
    if !args.json {
        banner.print();
    }
    let began = Instant::now();
    let mut report = compare_all(args, &game, &dialect, &positions)?;
    report.seconds = began.elapsed().as_secs_f64();
    let verdict = match (report.agree, report.interrupted) {
        (false, _) => Verdict::Differ,
        (true, true) => Verdict::Interrupted,
        (true, false) => Verdict::Agree,
    };
    if args.json {
        output::json(&banner.json(report))?;
    } else {
        print(&report)?;
    }
    Ok(verdict)
}

/// A position from each of `count` random games, after a random number of plies.
fn random_positions(game: &Arc<GameDef>, seed: u64, count: u64) -> Vec<Position> {
    const MOST_PLIES: u64 = 120;
    (0..count)
        .map(|index| {
            let mut dice = Dice::new(seed, index);
            let mut player = Player::lively();
            let mut position = choice::start(game, &mut dice);
            for _ in 0..dice.below(MOST_PLIES) {
                let legal = position.legal_moves();
                if legal.is_empty() {
                    break;
                }
                let next = position.play(player.choose(&position, &legal, &mut dice));
                // A position without moves would show nothing.
                if !next.has_legal_move() {
                    break;
                }
                position = next;
            }
            position
        })
        .collect()
}

fn compare_all(args: &Args, game: &Arc<GameDef>, dialect: &Dialect, positions: &[Position]) -> Result<Report> {
    let timeout = Duration::from_secs_f64(args.timeout);
    let generator = generator::new(args.generator, game);
    let bar = progress(positions.len());
    let pool = counting::pool(Some(args.threads))?;
    let share = positions.len().div_ceil(args.threads);
    let shares: Vec<&[Position]> = positions.chunks(share).collect();
    let results: Vec<Result<Report>> = pool.install(|| {
        use rayon::prelude::*;
        shares
            .par_iter()
            .map(|share| {
                let mut report = Report {
                    agree: true,
                    interrupted: false,
                    compared: 0,
                    nodes: 0,
                    seconds: 0.0,
                    differences: Vec::new(),
                };
                let outcome = compare_share(args, generator.as_ref(), dialect, timeout, share, &mut report, &bar);
                match outcome {
                    Err(error) if error.downcast_ref::<Interrupted>().is_some() => report.interrupted = true,
                    Err(error) => return Err(error),
                    Ok(()) => {}
                }
                report.agree = report.differences.is_empty();
                Ok(report)
            })
            .collect()
    });
    bar.finish_and_clear();
    let mut all = Report {
        agree: true,
        interrupted: false,
        compared: 0,
        nodes: 0,
        seconds: 0.0,
        differences: Vec::new(),
    };
    for report in results {
        let report = report?;
        all.agree &= report.agree;
        all.interrupted |= report.interrupted;
        all.compared += report.compared;
        all.nodes += report.nodes;
        all.differences.extend(report.differences);
    }
    Ok(all)
}

fn compare_share(
    args: &Args,
    generator: &dyn generator::Generator,
    dialect: &Dialect,
    timeout: Duration,
    positions: &[Position],
    report: &mut Report,
    bar: &ProgressBar,
) -> Result<()> {
    let mut peer = Peer::start(&args.against, dialect, timeout)?;
    for position in positions {
        let compared = part::compare(generator, &mut peer, position, args.depth)?;
        report.compared += 1;
        report.nodes += compared.nodes;
        report.differences.extend(compared.difference);
        bar.inc(1);
        if report.differences.len() as u64 >= args.max_differences {
            break;
        }
    }
    Ok(())
}

fn print(report: &Report) -> Result<()> {
    let list = |moves: &[String]| {
        if moves.is_empty() {
            "none".to_owned()
        } else {
            moves.join(" ")
        }
    };
    for difference in &report.differences {
        output::line(format!("difference from {}", difference.from))?;
        output::line(format!("  after: {}", list(&difference.path)))?;
        output::line(format!("  at: {}", difference.fen))?;
        output::line(format!("  missing: {}", list(&difference.missing)))?;
        output::line(format!("  extra: {}", list(&difference.extra)))?;
        output::line(format!("  ours: {}", list(&difference.ours)))?;
        output::line(format!("  theirs: {}", list(&difference.theirs)))?;
    }
    let head = match (report.differences.len() as u64, report.interrupted) {
        (0, false) => "all agree".to_owned(),
        (0, true) => "interrupted, agree so far".to_owned(),
        (some, _) => numbers::of(some, "difference"),
    };
    let (positions, nodes) = (
        numbers::of(report.compared, "position"),
        numbers::of(report.nodes, "node"),
    );
    output::line(format!("{head}: {positions}, {nodes}, {:.1} s", report.seconds))
}

fn progress(positions: usize) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(positions as u64), ProgressDrawTarget::stderr());
    if let Ok(style) =
        ProgressStyle::with_template("compare [{bar:30}] {pos}/{len} positions  {elapsed} gone, {eta} to go")
    {
        bar.set_style(style.progress_chars("=> "));
    }
    bar
}
