//! Checks the coverage of the intervals: the share of 95% intervals that contain the true value,
//! in simulated games with known values, or in random subsets of real games.
//!
//! ```text
//! cargo run --release --example coverage -- chess --games 2000 --sets 500
//! cargo run --release --example coverage -- gamma2 --data gamma2.db --games 600,1500
//! ```
//!
//! Simulated games are measured as real ones are. Every game has one result and many positions, and
//! the two games of a pair share an opening. As a control, the same intervals are computed as if all
//! positions were independent: these must fail.
//!
//! With `--data`, the value of all games stands for the true one, and the intervals allow for its own
//! error. A bias is seen only if it depends on the number of games.
//!
//! Exit status: 0 if every set can be fitted, no coverage lies outside 0.93 to 0.97 and no share of
//! sets with a greater value than the true one outside 0.46 to 0.54 by more than its Monte Carlo
//! error (Bonferroni for all values), and the control fails for all pieces; 1 if not, or if there are
//! too few sets to detect a coverage of 0.90.

#[path = "mod.rs"]
pub mod coverage;
#[path = "../simulation.rs"]
pub mod simulation;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use assay_cli::args::{self, GameArg, SeedArg};
use assay_cli::format::{count, decimals, grouped};
use assay_cli::text::wrap;
use assay_cli::{Align, Exit, Progress, Table, output};
use assay_rules::{GameDef, Points, Position};
use assay_selfplay::openings::Plan;
use assay_selfplay::{RecordedRun, Store};
use assay_tuner::report::format;
use assay_tuner::values::data::{Dataset, Regressor};
use assay_tuner::values::design::PhaseModel;
use clap::Parser;

use coverage::{Coverage, CoverageVerdict, Trials, WholeSet, simulated};
use simulation::{SimulatedOpening, Simulation, near_published_values, opening_from_armies, win_pieces_in_play};

/// Check how often 95% intervals contain the true value.
#[derive(Debug, Parser)]
struct Args {
    #[command(flatten)]
    game: GameArg,
    /// Use random subsets of the games of these run files instead of simulated games
    #[arg(long, value_name = "FILE", num_args = 1..)]
    data: Vec<PathBuf>,
    /// Games of a set; several sizes are separated by commas
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_value = "8000", value_parser = args::whole_number(2..=200_000_u32))]
    games: Vec<u32>,
    /// Sets of each size
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = args::whole_number(2..=100_000_u32))]
    sets: u32,
    #[command(flatten)]
    seed: SeedArg,
    /// How measured values may depend on the game phase
    #[arg(long, value_parser = args::one_of::<PhaseModel>(PhaseModel::NAMES), default_value_t)]
    phase_model: PhaseModel,
}

fn main() -> ExitCode {
    assay_cli::run(|| {
        let args = Args::try_parse()?;
        let game = assay_engine::load_game(&args.game.game)?;
        let (origin, sizes) =
            if args.data.is_empty() { of_simulated_games(&args, &game)? } else { of_real_games(&args)? };
        output::print(text(&game, args.seed.seed, &origin, &sizes))?;
        Ok(Exit::success_if(sizes.iter().all(|size| size.verdict == CoverageVerdict::Passed)))
    })
}

/// The coverage of sets of each size. `measure` measures as many sets of as many games, and calls
/// a function after each.
fn by_size(
    args: &Args,
    game: &GameDef,
    measure: impl Fn(usize, usize, &(dyn Fn() + Sync)) -> anyhow::Result<Trials>,
) -> anyhow::Result<Vec<Coverage>> {
    let of_size = |&games: &u32| {
        let progress = Progress::new(u64::from(args.sets), "sets");
        progress.set_message(format!("{} games each", grouped(games)));
        let trials = measure(games as usize, args.sets as usize, &|| progress.inc(1));
        progress.finish();
        Ok(trials?.coverage(game))
    };
    args.games.iter().map(of_size).collect()
}

fn of_simulated_games(args: &Args, game: &Arc<GameDef>) -> anyhow::Result<(String, Vec<Coverage>)> {
    let has_quarters = game.endings.stalemate != Points::DRAW || game.endings.material_count.is_some();
    let simulation = Simulation {
        thresholds: if has_quarters { vec![0.6, 0.9] } else { vec![0.7] },
        correlation: 0.02,
        openings: planned_openings(game)?,
        positions: 20,
        ..Simulation::synthetic(game, near_published_values(game, 0.4), 0)
    };
    let sizes = by_size(args, game, |games, sets, done| {
        let simulation = Simulation { pairs: games / 2, ..simulation.clone() };
        Ok(simulated(&simulation, args.phase_model, sets, args.seed.seed, done)?)
    });
    Ok(("simulated".to_owned(), sizes?))
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

fn of_real_games(args: &Args) -> anyhow::Result<(String, Vec<Coverage>)> {
    let stores = Store::open_all(&args.data)?;
    let runs: Vec<&dyn RecordedRun> = stores.iter().map(|store| store as &dyn RecordedRun).collect();
    let data = Dataset::read(&runs)?;
    let all = count(data.games.len() as u64, "game", "games");
    let whole = WholeSet::fit(&data, args.phase_model)?;
    let sizes = by_size(args, &data.game, |games, sets, done| {
        anyhow::ensure!(games <= data.games.len() / 2, "--games: found {games}, expected at most half of the {all}");
        Ok(whole.subsets(games, sets, args.seed.seed, done)?)
    });
    let correlation = decimals(whole.pair_correlation(), 3);
    let origin =
        format!("subsets of {all}, whose values count as true; residuals of a pair correlate by {correlation}");
    Ok((origin, sizes?))
}

fn text(game: &GameDef, seed: u64, origin: &str, sizes: &[Coverage]) -> String {
    let mut text = format!("{}: share of the 95% intervals that contain the true value, seed {seed}\n", game.title);
    for size in sizes {
        let sets = count(size.sets as u64, "set", "sets");
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
        let error = format!("Monte Carlo error of a coverage: {error:.3} (design effect {:.2})", size.design_effect);
        text += &wrap("", &format!("{failures}{error}. {verdict}."));
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
