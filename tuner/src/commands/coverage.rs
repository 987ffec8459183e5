//! `assay-tuner coverage`.

use std::path::PathBuf;
use std::sync::Arc;

use assay_cli::args::{self, GameArg, JsonArg, SeedArg};
use assay_cli::format::{count, decimals, grouped};
use assay_cli::text::wrap;
use assay_cli::{Align, Exit, Progress, Table, output};
use assay_rules::{GameDef, Points, Position};
use assay_selfplay::openings::Plan;
use serde::Serialize;

use super::{check_game, read_games};
use crate::report::format;
use crate::values::coverage::{Coverage, CoverageVerdict, WholeSet, simulated};
use crate::values::data::{Dataset, Regressor};
use crate::values::design::PhaseModel;
use crate::values::simulate::{
    SimulatedOpening, Simulation, near_published_values, opening_from_armies, win_pieces_in_play,
};

#[derive(Debug, clap::Args)]
#[command(after_long_help = include_str!("help/coverage.txt"))]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArg,
    /// Use random subsets of the games of these run files instead of simulated games
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["pawn", "correlation", "positions"])]
    data: Vec<PathBuf>,
    /// Games of a set; several sizes are separated by commas [default: 8000; with --data 600,1500]
    #[arg(long, value_name = "N,...", value_delimiter = ',', value_parser = args::whole_number(2..=200_000_u32), allow_negative_numbers = true)]
    games: Vec<u32>,
    /// Sets of each size [default: 2000; with --data 400]
    #[arg(long, value_name = "N", value_parser = args::whole_number(2..=100_000_u32), allow_negative_numbers = true)]
    sets: Option<u32>,
    #[command(flatten)]
    seed: SeedArg,
    /// Log-odds of a pawn on a full board
    #[arg(long, value_name = "X", default_value_t = 0.4, value_parser = pawn_log_odds, allow_negative_numbers = true)]
    pawn: f64,
    /// Correlation of White's luck in the two games of a pair, 0 to 1; --data measures it
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
    all_games: Option<usize>,
    pair_correlation: f64,
    sizes: Vec<Coverage>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Exit> {
    let game = assay_engine::load_game(&args.game.game)?;
    let (all_games, pair_correlation, sizes) = if args.data.is_empty() {
        (None, args.correlation, of_simulated_games(args, &game)?)
    } else {
        of_real_games(args, &game)?
    };
    let report = Report { game: game.name.clone(), seed: args.seed.seed, all_games, pair_correlation, sizes };
    if args.json.json {
        output::json(&report)?;
    } else {
        output::print(text(&game.title, &report))?;
    }
    let passed = report.sizes.iter().all(|size| size.verdict == CoverageVerdict::Passed);
    Ok(Exit::success_if(passed))
}

/// The coverage of sets of each size. `measure` measures as many sets of as many games, and calls
/// a function after each.
fn by_size(
    args: &Args,
    (default_games, default_sets): (&[u32], u32),
    measure: impl Fn(usize, usize, &(dyn Fn() + Sync)) -> anyhow::Result<Coverage>,
) -> anyhow::Result<Vec<Coverage>> {
    let games = if args.games.is_empty() { default_games } else { &args.games };
    let sets = args.sets.unwrap_or(default_sets);
    let of_size = |&games: &u32| {
        anyhow::ensure!(games % 2 == 0, "--games: found {games}, expected an even number");
        let progress = Progress::new(u64::from(sets), "sets");
        progress.set_message(format!("{} games each", grouped(games)));
        let coverage = measure(games as usize, sets as usize, &|| progress.inc(1));
        progress.finish();
        coverage
    };
    games.iter().map(of_size).collect()
}

fn of_simulated_games(args: &Args, game: &Arc<GameDef>) -> anyhow::Result<Vec<Coverage>> {
    let has_quarters = game.endings.stalemate != Points::DRAW || game.endings.material_count.is_some();
    let openings = planned_openings(game)?;
    by_size(args, (&[8_000], 2_000), |games, sets, done| {
        let simulation = Simulation {
            truth: near_published_values(game, args.pawn),
            given: Vec::new(),
            thresholds: if has_quarters { vec![0.6, 0.9] } else { vec![0.7] },
            correlation: args.correlation,
            openings: openings.clone(),
            pairs: games / 2,
            positions: args.positions,
            game: Arc::clone(game),
        };
        let trials = simulated(&simulation, args.phase_model, sets, args.seed.seed, done)?;
        Ok(trials.coverage(game))
    })
}

/// Material of the planned openings and of play after them.
fn planned_openings(game: &Arc<GameDef>) -> anyhow::Result<Vec<SimulatedOpening>> {
    let position = Position::start(game);
    let plan = Plan::values(&position)?;
    let regressors = Regressor::all(game);
    let comparisons = plan.comparisons().iter();
    let openings = comparisons.map(|comparison| opening_from_armies(game, &regressors, &comparison.armies(&position)));
    let mut openings: Vec<SimulatedOpening> = openings.collect();
    win_pieces_in_play(&mut openings, &regressors);
    Ok(openings)
}

/// The number of games, the correlation of the residuals of a pair's two games, and the coverage.
fn of_real_games(args: &Args, game: &GameDef) -> anyhow::Result<(Option<usize>, f64, Vec<Coverage>)> {
    let data = read_games(&args.data, |watch| Dataset::read_watched(&args.data, watch))?;
    check_game(&args.data, &game.name, &data.game.name)?;
    let whole = WholeSet::fit(&data, args.phase_model)?;
    let sizes = by_size(args, (&[600, 1_500], 400), |games, sets, done| {
        anyhow::ensure!(
            games <= data.games.len() / 2,
            "--games: found {games} in a set, by default 600, expected at most half of the {}",
            count(data.games.len() as u64, "game", "games")
        );
        Ok(whole.subsets(games, sets, args.seed.seed, done)?.coverage(game))
    })?;
    Ok((Some(data.games.len()), whole.pair_correlation(), sizes))
}

fn text(title: &str, report: &Report) -> String {
    let mut text = format!("{title}: share of the 95% intervals that contain the true value, seed {}\n", report.seed);
    for size in &report.sizes {
        let sets = count(size.sets as u64, "set", "sets");
        let origin = match report.all_games {
            Some(all) => format!(
                "{} of {}; the true value is that of all of these",
                count(size.partitions as u64, "partition", "partitions"),
                count(all as u64, "game", "games")
            ),
            None => "simulated".to_owned(),
        };
        text += &format!("\n{sets} of {} games ({origin})\n\n{}\n", grouped(size.games as u64), table(size));
        let failures = size.first_error.as_ref().map_or_else(String::new, |error| {
            let failed = count(size.failed as u64, "set", "sets");
            format!("{failed} could not be fitted. First error: {error}. ")
        });
        let error = (0.95_f64 * 0.05 * size.design_effect / size.sets as f64).sqrt();
        let verdict = match size.verdict {
            CoverageVerdict::Passed => {
                "Passed: up to Monte Carlo error, all coverages are within 0.93 to 0.97 and all shares of greater values within 0.46 to 0.54"
            }
            CoverageVerdict::Undecided => "Undecided: too few sets to detect a coverage of 0.90",
            CoverageVerdict::Failed => {
                "Failed: a set could not be fitted, a coverage or a share of greater values is off by more than Monte Carlo error, or the control \
                 passes"
            }
        };
        text += &wrap(
            "",
            &format!(
                "{failures}Monte Carlo error of a coverage: {error:.3} (design effect {:.2}). {verdict}.",
                size.design_effect
            ),
        );
    }
    if report.all_games.is_some() {
        let correlation = decimals(report.pair_correlation, 3);
        text += &wrap("", &format!("The residuals of a pair's two games have a correlation of {correlation}."));
    }
    text
}

fn table(size: &Coverage) -> Table {
    let headings =
        ["piece", "unit", "phase", "true value", "mean", "bias/SD", "above", "half-width", "coverage", "control"];
    let has_control = size.values.iter().any(|row| row.control.is_some());
    let columns = headings.into_iter().enumerate().take(9 + usize::from(has_control));
    let mut table = Table::new(columns.map(|(index, heading)| {
        let align = if index < 3 { Align::Left } else { Align::Right };
        (heading, align)
    }));
    for row in &size.values {
        let numbers = [row.true_value, row.mean, row.standardized_bias, row.above, row.half_width, row.coverage];
        let numbers = numbers
            .into_iter()
            .chain(row.control)
            .map(|number| if number.is_finite() { decimals(number, 3) } else { format::NONE.to_owned() });
        let start = [row.piece.clone(), row.unit.name().to_owned(), row.phase.to_owned()];
        table.row(start.into_iter().chain(numbers));
    }
    table
}
