//! `assay-tuner simulate`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use assay_cli::args::{self, GameArg, JsonArg, SeedArg};
use assay_cli::format::{count, decimals};
use assay_cli::text::wrap;
use assay_cli::{Align, Exit, Progress, Table, output};
use assay_rules::{GameDef, Position};
use assay_selfplay::Store;
use assay_selfplay::openings::Plan;
use assay_tuner::report::format;
use assay_tuner::values::data::positions::{Ply, values};
use assay_tuner::values::data::regressor::Regressor;
use assay_tuner::values::design::phase::PhaseModel;
use assay_tuner::values::inference::monte_carlo::CoverageVerdict;
use assay_tuner::values::simulate::coverage::{Coverage, trials};
use assay_tuner::values::simulate::{SimulatedOpening, Simulation, near_published_values, opening_from_armies};
use serde::Serialize;

const EXAMPLES: &str = "\
Examples:
  assay-tuner simulate gamma2
  assay-tuner simulate chess --openings assay-chess.db --pairs 4000 --sets 500 --json

The values are checked in the unit army and in pawns.

Exit status: 0 if every coverage lies in 0.93 to 0.97, the values of pieces averaged over the game are biased by at most 0.1 standard \
deviations, both up to Monte Carlo error (Bonferroni for all values), and the control fails for them; 1 if not, or if there are too few data sets to detect a \
coverage of 0.90; 2 if the command line or an input is wrong.

Keys of --json: game, seed, pairs, positions, pawn, correlation, openings (number), verdict (passed, undecided, failed), sets, \
failed, first_error, values (a row for each unit, piece and phase: piece, unit (army, pawns), phase, true_value, mean, standard_deviation, standardized_bias, \
coverage, half_width, unbounded, naive_coverage)
";

#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArg,
    /// Use the openings of this file of games instead of the planned imbalances
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Opening pairs per data set
    #[arg(long, value_name = "N", default_value_t = 4_000, value_parser = args::whole_number(10..=100_000_u32), allow_negative_numbers = true)]
    pairs: u32,
    /// Number of data sets
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = args::whole_number(2..=100_000_u32), allow_negative_numbers = true)]
    sets: u32,
    #[command(flatten)]
    seed: SeedArg,
    /// Log-odds of a pawn on a full board
    #[arg(long, value_name = "X", default_value_t = 0.4, value_parser = pawn_log_odds, allow_negative_numbers = true)]
    pawn: f64,
    /// Correlation of White's luck in the two games of a pair, 0 to 1; `coverage` measures it
    #[arg(long, value_name = "R", default_value_t = 0.02, value_parser = args::share, allow_negative_numbers = true)]
    correlation: f64,
    /// Mean number of quiet positions per game
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = args::whole_number(2..=1_000_u32), allow_negative_numbers = true)]
    positions: u32,
    /// How measured values may depend on the game phase
    #[arg(long, value_enum, default_value_t)]
    phase_model: PhaseModel,
    #[command(flatten)]
    json: JsonArg,
}

fn pawn_log_odds(text: &str) -> Result<f64, String> {
    let number = args::positive(text).ok().filter(|&number| number <= 5.0);
    number.ok_or_else(|| "expected a number above 0, at most 5".to_owned())
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
    verdict: CoverageVerdict,
    #[serde(flatten)]
    coverage: Coverage,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Exit> {
    let game = assay_engine::load_game(&args.game.game)?;
    let starts = match &args.openings {
        Some(path) => stored(&game, path)?,
        None => planned(&game)?,
    };
    let five = game.endings.stalemate != assay_rules::Points::DRAW || game.endings.material_count.is_some();
    let simulation = Simulation {
        truth: near_published_values(&game, args.pawn),
        given: Vec::new(),
        thresholds: if five { vec![0.6, 0.9] } else { vec![0.7] },
        correlation: args.correlation,
        openings: starts,
        pairs: args.pairs as usize,
        positions: args.positions,
        game,
    };
    let progress = Progress::new(u64::from(args.sets), "data sets");
    let trials = trials(
        &simulation,
        args.phase_model,
        args.sets as usize,
        args.seed.seed,
        || {
            progress.inc(1);
        },
    )?;
    progress.finish();
    let found = trials.coverage();
    let verdict = found.verdict(&simulation.game);
    let report = Report {
        game: simulation.game.name.clone(),
        seed: args.seed.seed,
        pairs: args.pairs,
        positions: args.positions,
        pawn: args.pawn,
        correlation: args.correlation,
        openings: simulation.openings.len(),
        verdict,
        coverage: found,
    };
    if args.json.json {
        output::json(&report)?;
    } else {
        output::print(text(&report, &simulation))?;
    }
    Ok(Exit::success_if(report.verdict == CoverageVerdict::Passed))
}

/// Material of the planned openings.
fn planned(game: &Arc<GameDef>) -> anyhow::Result<Vec<SimulatedOpening>> {
    let position = Position::start(game);
    let plan = Plan::values(&position)?;
    let regressors = Regressor::all(game);
    let starts = plan.comparisons().iter();
    let starts = starts.map(|comparison| opening_from_armies(game, &regressors, &comparison.armies(&position)));
    Ok(starts.collect())
}

/// Material of the openings of a file.
fn stored(game: &Arc<GameDef>, path: &Path) -> anyhow::Result<Vec<SimulatedOpening>> {
    let store = Store::open_read(path)?;
    let source = &store.source().game;
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
            let values = values(&ply, &regressors);
            let start = SimulatedOpening {
                start: values.clone(),
                values,
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

fn text(report: &Report, simulation: &Simulation) -> String {
    let found = &report.coverage;
    let mut text = format!(
        "{}: {} of {} ({}), seed {}\n\n",
        simulation.game.title,
        count(found.sets, "data set", "data sets"),
        count(report.pairs, "opening pair", "opening pairs"),
        count(report.openings, "different opening", "different openings"),
        report.seed
    );
    let numbers = ["true value", "mean", "bias/SD", "half-width", "coverage", "control"];
    let columns = ["piece", "unit", "phase"]
        .map(|heading| (heading, Align::Left))
        .into_iter();
    let mut table = Table::new(columns.chain(numbers.map(|heading| (heading, Align::Right))));
    for row in &found.values {
        let numbers = [
            row.true_value,
            row.mean,
            row.standardized_bias,
            row.half_width,
            row.coverage,
            row.naive_coverage,
        ];
        let numbers = numbers.map(|number| {
            if number.is_finite() {
                decimals(number, 3)
            } else {
                format::NONE.to_owned()
            }
        });
        let start = [row.piece.clone(), row.unit.name().to_owned(), row.phase.to_owned()];
        table.row(start.into_iter().chain(numbers));
    }
    text += &format!("{table}\n");
    if let Some(error) = &found.first_error {
        text += &wrap(
            "",
            &format!(
                "{} could not be fitted. First error: {error}",
                count(found.failed, "data set", "data sets")
            ),
        );
    }
    let error = (0.95_f64 * 0.05 / found.sets as f64).sqrt();
    let verdict = match report.verdict {
        CoverageVerdict::Passed => {
            "Passed: for every value, coverage is within 0.93 to 0.97 up to Monte Carlo error, and the bias of every piece's value averaged over the game \
             is within 0.1 standard deviations. The control, which treats positions as independent, fails."
        }
        CoverageVerdict::Undecided => "Undecided: too few data sets to detect a coverage of 0.90.",
        CoverageVerdict::Failed => {
            "Failed: a data set could not be fitted, the coverage of a value or the bias of a piece's value averaged over the game is off by more than \
             Monte Carlo error, or the control passes."
        }
    };
    text + &wrap("", &format!("Monte Carlo error of a coverage: {error:.3}. {verdict}"))
}
