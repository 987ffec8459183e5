//! `assay-tuner validate`.

mod levels;

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::ensure;
use assay_cli::args::{self, GameArg, definition_file};
use assay_cli::format::count;
use assay_cli::{interrupt, output};
use assay_selfplay::Store;
use assay_selfplay::settings::{GameSource, Material};

use super::playing::{MAX_GAMES, RunArgs, budget_note, check_resumable, play, play_shard, random_openings};
use super::{AnalysisArgs, JSON_HELP, Output, fit, flag, measure};
use crate::values::analysis::AnalysisOptions;
use crate::values::inference::{Precision, next_round};

const EXAMPLES: &str = include_str!("help/validate.txt");

#[derive(Debug, clap::Args)]
#[command(after_long_help = format!("{EXAMPLES}\n{JSON_HELP}"))]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArg,
    #[command(flatten)]
    extent: Extent,
    #[command(flatten)]
    levels: levels::LevelArgs,
}

/// Arguments of `validate` and `weigh`.
#[derive(Debug, clap::Args)]
pub(crate) struct Extent {
    #[command(flatten)]
    pub(crate) run: RunArgs,
    /// Run file; created if missing, continued if it exists [default: assay-GAME.db or similar, in
    /// this folder]
    #[arg(long, value_name = "FILE")]
    pub(crate) data: Option<PathBuf>,
    /// Continue beyond --games until the half-width of every interval is at most this percentage
    /// of the army
    #[arg(long, value_name = "PERCENT", value_parser = percent, allow_negative_numbers = true)]
    precision: Option<f64>,
    /// Also measure by a second method, matches between unequal armies, from this many games
    #[arg(long, value_name = "N", value_parser = args::whole_number(0..=MAX_GAMES), allow_negative_numbers = true)]
    playtest: Option<u64>,
    #[command(flatten)]
    options: AnalysisArgs,
    #[command(flatten)]
    pub(crate) output: Output,
}

fn percent(text: &str) -> Result<f64, String> {
    args::positive(text).map_err(|_| "expected a percentage above 0".to_owned())
}

/// Share of the time budget for the games of the regression, if there are others.
const REGRESSION_TIME: f64 = 0.75;

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    args.check_levels()?;
    if args.extent.run.nodes.len() > 1 {
        return levels::run(args);
    }
    let source = GameSource::load(&args.game.game)?;
    let default_file = format!("assay-{}.db", source.game.name);
    let command = format!("validate {}", args.game.game);
    let definition = definition_file(&args.game.game);
    run_on(&source, definition, &default_file, &command, &args.extent)
}

/// Plays and measures a game. `definition` is the file of its definition, if it is read from one,
/// `default_file` keeps the games unless --data is given, and `command` is the command up to the
/// game.
pub(crate) fn run_on(
    source: &GameSource,
    definition: Option<&Path>,
    default_file: &str,
    command: &str,
    args: &Extent,
) -> anyhow::Result<()> {
    let path = args.data.clone().unwrap_or_else(|| default_file.into());
    let run = &args.run;
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let playtest_path = path.with_file_name(format!("{stem}-playtest.db"));
    args.output.check([path.as_path(), &playtest_path].into_iter().chain(definition))?;
    run.check_shard(&[
        ("--precision", args.precision.is_some()),
        ("--html", args.output.report.html.is_some()),
        ("--json", args.output.report.json),
        ("--csv", args.output.csv.is_some()),
    ])?;
    let playtest = args.playtest.filter(|&games| games > 0);
    let playtest = playtest
        .map(|games| run.plan(source, random_openings(Material::Playtest), games, &playtest_path))
        .transpose()?;
    if let Some(shard) = run.shard {
        let mut runs = vec![run.plan(source, random_openings(Material::Values), run.games(), &path)?];
        runs.extend(playtest);
        return play_shard(shard, &runs);
    }
    if let Some(planned) = &playtest {
        check_resumable(planned)?;
    }
    let start_time = Instant::now();
    let games = play_enough(args, source, &path, start_time)?;
    let note = budget_note(run.budget, games, run.games(), ("game", "games"));
    let mut notes: Vec<String> = note.into_iter().collect();
    let mut files = vec![path.clone()];
    let mut playtested = 0;
    if let Some(planned) = playtest {
        if !interrupt::requested() {
            let until = args.run.budget.map(|budget| start_time + budget);
            play(&planned, until, None)?;
        }
        if playtest_path.exists() {
            files.push(playtest_path);
            playtested = Store::open_read(&files[1])?.count()?;
            let of_playtest = ("game of the playtest", "games of the playtest");
            notes.extend(budget_note(run.budget, playtested, planned.options.games, of_playtest));
        } else {
            output::note("stopped before the playtest; the same command plays it");
        }
    }
    let mut report = measure(&files, &args.options.into(), args.output.csv.as_deref())?;
    if !interrupt::requested() {
        notes.iter().for_each(output::note);
    }
    report.command = Some(if args.run.budget.is_some() {
        // The number of games within a time budget depends on the machine, so only the files
        // repeat the measurement.
        fit::command(&files, args.options.phase_model)
    } else {
        let playtest = Some(format!(" --playtest {playtested}")).filter(|_| playtested > 0);
        format!(
            "assay-tuner {command} --games {games} --nodes {}{} --seed {} --data {}{}{}",
            run.nodes()?,
            run.evaluation_flag(),
            run.seed.seed,
            path.display(),
            playtest.unwrap_or_default(),
            flag("phase-model", &args.options.phase_model)
        )
    });
    let narrower = format!(
        "Narrower: four times as many games halve the intervals, --games {} (continues {})",
        4 * games,
        path.display()
    );
    args.output.write(&mut report, Some(narrower), &notes)
}

/// Plays the requested games, then more until the time is up or the intervals are narrow enough.
/// If the time is up before, it plays fewer. Returns the number of games in the file.
fn play_enough(args: &Extent, source: &GameSource, path: &Path, start_time: Instant) -> anyhow::Result<u64> {
    let share = if args.playtest.is_some_and(|games| games > 0) { REGRESSION_TIME } else { 1.0 };
    let until = args.run.budget.map(|budget| start_time + budget.mul_f64(share));
    let quick = AnalysisOptions { resamples: 0, ..args.options.into() };
    let mut games = args.run.games();
    loop {
        let planned = args.run.plan(source, random_openings(Material::Values), games, path)?;
        let done = play(&planned, until, Some(args.options.phase_model))?.done;
        let is_over = interrupt::requested() || until.is_some_and(|until| Instant::now() >= until);
        if is_over || (until.is_none() && args.precision.is_none()) {
            return Ok(done);
        }
        // Too few games to measure anything is not an error here.
        let found = args
            .precision
            .and_then(|_| measure(&[path.to_owned()], &quick, None).ok())
            .and_then(|report| Precision::of(&report.tables));
        let wanted = args.precision.unwrap_or_default();
        let known = |found: &Precision| format!("{} is known to \u{b1}{:.2}% of the army", found.piece, found.percent);
        if let Some(found) = &found {
            ensure!(
                found.games_needed(done, wanted) <= MAX_GAMES,
                "--precision: found {wanted}, which needs more than {}, expected a larger percentage ({} after {})",
                count(MAX_GAMES, "game", "games"),
                known(found),
                count(done, "game", "games")
            );
        }
        let Some(next) = next_round(found.as_ref(), done, games, wanted) else {
            return Ok(done);
        };
        if let Some(found) = &found {
            output::note(format_args!(
                "{}: {}; \u{b1}{wanted}% needs about {}",
                count(done, "game", "games"),
                known(found),
                count(found.games_needed(done, wanted), "game", "games")
            ));
        }
        games = next;
    }
}
