//! `assay-tuner simulate`.

use std::collections::BTreeMap;
use std::io::{IsTerminal, stderr};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use assay_rules::{GameDef, Position};
use assay_selfplay::Store;
use assay_selfplay::openings::Plan;
use assay_tuner::report::format;
use assay_tuner::values::data::positions::Ply;
use assay_tuner::values::data::regressor::Regressor;
use assay_tuner::values::simulate::coverage::{Coverage, CoverageRow, coverage};
use assay_tuner::values::simulate::{SimulatedStart, Simulation, near_published_values, start_of};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use super::{PhaseModelArg, print};

/// Coverage of a true 95% interval, seen in a few hundred data sets.
const COVERAGE: std::ops::RangeInclusive<f64> = 0.93..=0.97;

/// The most bias, in standard deviations of the estimate.
const BIAS: f64 = 0.1;

const LONG: &str = "\
Plants values in data sets and measures them as real games are measured: do the 95% intervals hold the planted values 95 \
times in 100?

Every data set has games of one result each, with many positions, in pairs that share an opening. The control counts every \
position as independent; its intervals must fail. Values are planted near the inventor's, a little higher or lower on a bare \
board than on a full one.";

const EXAMPLES: &str = "\
Examples:
  assay-tuner simulate gamma2
  assay-tuner simulate chess --openings assay-chess.db --pairs 4000 --sets 500 --json

Exit status: 0 when for every piece coverage is within 0.93 to 0.97, bias at most 0.1 standard deviations, and the control
fails (over the average of the game); 1 when not; 2 when something was wrong with the request.

Keys of --json: game, seed, pairs, positions, pawn, correlation, openings (how many there are), passed, sets, failed, first_error,
values (a row for each piece and phase: piece, phase, true_value, mean, standard_deviation, standardized_bias, coverage,
half_width, unbounded, naive_coverage)
";

/// What `simulate` is told.
#[derive(Debug, clap::Args)]
#[command(long_about = LONG, after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// A built-in game (chess, berolina, gamma2, gunnery, scorpion, apothecary2) or the path of a definition file
    game: String,
    /// Take the openings of this file of games, instead of the design that values are measured with
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Opening pairs of each data set
    #[arg(long, value_name = "N", default_value_t = 4_000, value_parser = clap::value_parser!(u32).range(10..=10_000_000))]
    pairs: u32,
    /// Data sets
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    sets: u32,
    /// The number that all random choices follow from
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// The log-odds of a pawn on a full board
    #[arg(long, value_name = "X", default_value_t = 0.4, value_parser = positive)]
    pawn: f64,
    /// The correlation of White's fortune in the two games of a pair, 0 to 1
    #[arg(long, value_name = "R", default_value_t = 0.4, value_parser = share)]
    correlation: f64,
    /// Quiet positions of a game, on average
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(2..=1_000))]
    positions: u32,
    /// How measured values may depend on the game phase
    #[arg(long, value_enum, default_value_t = PhaseModelArg::Piecewise)]
    phase_model: PhaseModelArg,
    /// Print everything as JSON
    #[arg(long)]
    json: bool,
}

fn positive(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| "expected a number".to_owned())?;
    if number > 0.0 && number <= 5.0 {
        Ok(number)
    } else {
        Err("expected a number above 0, at most 5".to_owned())
    }
}

fn share(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| "expected a number".to_owned())?;
    if (0.0..=1.0).contains(&number) {
        Ok(number)
    } else {
        Err("expected a number from 0 to 1".to_owned())
    }
}

#[derive(Serialize)]
struct Report {
    game: String,
    seed: u64,
    pairs: u32,
    positions: u32,
    pawn: f64,
    correlation: f64,
    openings: usize,
    passed: bool,
    #[serde(flatten)]
    coverage: Coverage,
}

/// Plants and measures.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let game = assay_engine::load_game(&args.game)?;
    let starts = match &args.openings {
        Some(path) => stored(&game, path)?,
        None => planned(&game)?,
    };
    let five = game.endings.stalemate != assay_rules::Points::DRAW || game.endings.material_count.is_some();
    let planted = Simulation {
        truth: near_published_values(&game, args.pawn),
        thresholds: if five { vec![0.6, 0.9] } else { vec![0.7] },
        correlation: args.correlation,
        starts,
        pairs: args.pairs as usize,
        positions: args.positions,
        game,
    };
    let bar = ProgressBar::new(u64::from(args.sets));
    bar.set_style(ProgressStyle::with_template(
        "{bar:30} {pos}/{len} data sets  {eta} left",
    )?);
    if !stderr().is_terminal() {
        bar.set_draw_target(indicatif::ProgressDrawTarget::hidden());
    }
    let found = coverage(&planted, args.phase_model.into(), args.sets as usize, args.seed, || {
        bar.inc(1);
    })?;
    bar.finish_and_clear();
    let passed = judged(&found, &planted).all(is_good);
    let report = Report {
        game: planted.game.name.clone(),
        seed: args.seed,
        pairs: args.pairs,
        positions: args.positions,
        pawn: args.pawn,
        correlation: args.correlation,
        openings: planted.starts.len(),
        passed,
        coverage: found,
    };
    if args.json {
        print(&(serde_json::to_string_pretty(&report)? + "\n"))?;
    } else {
        print(&text(&report, &planted))?;
    }
    Ok(if report.passed {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// The material that games for values begin with.
fn planned(game: &Arc<GameDef>) -> anyhow::Result<Vec<SimulatedStart>> {
    let position = Position::start(game);
    let plan = Plan::values(&position)?;
    let regressors = Regressor::all(game);
    let starts = plan.comparisons().iter();
    let starts = starts.map(|comparison| start_of(game, &regressors, &comparison.armies(&position)));
    Ok(starts.collect())
}

/// The material of each opening of a file.
fn stored(game: &Arc<GameDef>, path: &Path) -> anyhow::Result<Vec<SimulatedStart>> {
    let store = Store::open_read(path)?;
    let source = &store.settings().settings.source.game;
    anyhow::ensure!(
        **source == **game,
        "{}: found games of {}, expected {}",
        path.display(),
        source.name,
        game.name
    );
    let regressors = Regressor::all(game);
    let mut starts = BTreeMap::new();
    for record in store.games() {
        let record = record?;
        // The second game of a pair begins with the armies swapped.
        if record.index % 2 == 0 {
            let position = record.start(game)?;
            let ply = Ply::from(&position);
            let values = regressors.iter().map(|term| term.value(&ply.material, ply.side) as f32);
            let start = SimulatedStart {
                values: values.collect(),
                pieces: ply.material.pieces() as u16,
            };
            starts.insert(record.pair, start);
        }
    }
    anyhow::ensure!(
        !starts.is_empty(),
        "{}: found no game, expected at least one",
        path.display()
    );
    Ok(starts.into_values().collect())
}

/// What decides: the pieces, over the average of the game.
fn judged<'f>(found: &'f Coverage, planted: &'f Simulation) -> impl Iterator<Item = &'f CoverageRow> {
    let game = &planted.game;
    let is_kind = |name: &str| game.kinds.iter().any(|kind| kind.name == name);
    found
        .values
        .iter()
        .filter(move |value| value.phase == "average" && is_kind(&value.piece))
}

fn is_good(value: &CoverageRow) -> bool {
    COVERAGE.contains(&value.coverage)
        && value.standardized_bias.abs() <= BIAS
        && value.naive_coverage < *COVERAGE.start()
}

fn text(report: &Report, planted: &Simulation) -> String {
    let found = &report.coverage;
    let mut text = format!(
        "{}: {} data sets of {} opening pairs ({} openings), seed {}\n\n",
        planted.game.title,
        format::thousands(found.sets as u64),
        format::thousands(u64::from(report.pairs)),
        format::thousands(report.openings as u64),
        report.seed
    );
    text += "piece                   stage       planted  measured   bias/SD  half-width  coverage   control\n";
    for value in &found.values {
        text += &format!(
            "{:<22}  {:<10} {:>8.3}  {:>8.3}  {:>8.3}  {:>10.3}  {:>8.3}  {:>8.3}\n",
            value.piece,
            value.phase,
            value.true_value,
            value.mean,
            value.standardized_bias,
            value.half_width,
            value.coverage,
            value.naive_coverage
        );
    }
    if let Some(why) = &found.first_error {
        text += &format!("\n{} data sets could not be measured; the first: {why}\n", found.failed);
    }
    let bad: Vec<&str> = judged(found, planted)
        .filter(|value| !is_good(value))
        .map(|value| value.piece.as_str())
        .collect();
    text += &if bad.is_empty() {
        "\nEvery piece: coverage within 0.93 to 0.97, bias at most 0.1 standard deviations; counting positions as independent \
         fails.\n"
            .to_owned()
    } else {
        format!("\nNot as promised (average of the game): {}\n", bad.join(", "))
    };
    text
}
