//! The subcommands, a file each, and what they share.

pub(crate) mod atlas;
pub(crate) mod claims;
pub(crate) mod coverage;
pub(crate) mod export;
pub(crate) mod fit;
pub(crate) mod ladder;
pub(crate) mod playing;
pub(crate) mod playtest;
pub(crate) mod report;
pub(crate) mod stats;
pub(crate) mod train;
pub(crate) mod validate;
pub(crate) mod weigh;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::Context;
use assay_cli::args::{self, ThreadsArg};
use assay_cli::interrupt::without_stop_flag;
use assay_cli::text::wrap;
use assay_cli::{Progress, output, output_file};
use assay_selfplay::settings::Material;
use clap::ValueEnum;
use serde::Serialize;

use crate::report::{Page, measurement, summary};
use crate::values::analysis::{AnalysisOptions, analyze};
use crate::values::data::{Dataset, ReadWatch, count_games, material_of};
use crate::values::design::export::write_csv;
use crate::values::inference::Unit;
use crate::values::playtest::measure as measure_playtest;
use crate::values::results::MeasurementReport;

pub(crate) const EXAMPLES: &str = "\
Examples:
  assay-tuner validate gamma2
      plays for about two minutes and prints each piece's value beside the published one
  assay-tuner validate gamma2 --games 20000 --html gamma2.html
      continues to 20,000 games and writes a report with charts
  assay-tuner fit one.db two.db --json
      measures values from existing games
  assay-tuner tune gamma2.db --out gamma2.toml
      tunes the weights of the engine's evaluation
  assay-tuner network gamma2.db --out gamma2.network
      trains a small neural network to replace the evaluation

Exit status: 0 on success; 1 if `coverage` finds the intervals wrong; 2 if the command line or an input is wrong; 130 \
after Ctrl-C, also if values were measured from the games played so far.";

/// Keys of the JSON of a measurement. A test compares it with what is printed.
pub(crate) const JSON_HELP: &str = "\
Keys of --json:
  assay        version of Assay
  game, title, source
               name of the game, its title, and the source of the published values
  values       one entry per piece: piece, with_half_pair (measured with half of the
               pair's bonus), letter, published_raw (as published), published (in
               pawns), measured (in pawns), interval, verdict; full_board and
               few_pieces (value and interval with at least 3/4 and with 1/4 of the pieces
               left); fractional_logit (value by fractional logit regression),
               bootstrap_interval.
               interval: {shape: bounded, low, high}, {shape: complement, below, above},
               {shape: whole-line}, or null if nothing was measured.
               verdict on the published scale (see published_scales), without one on
               the value in pawns: agrees, above, below, inconclusive, unpublished, unit,
               unmeasurable
  scale        expected score, 0 to 1, of the side that is a pawn ahead: pawn_score,
               pawn_score_interval, pawn_score_full_board, pawn_score_few_pieces (1/4 of
               the pieces left); side_to_move and white: entries like those of values
  joint_test   F test of all published values together: f, values, denominator_df, p; or
               null
  cross_validation
               mean log-loss on held-out games, in nats per game and phase: folds,
               constant, published, fitted; gain_over_constant and gain_over_published:
               mean, standard_error, low, high (positive if the measured values predict
               better); or null
  convergence  steps (pairs, games, half_widths by piece: army, pawns), exponent (of the
               widths in the unit army), games_to_halve
  bootstrap    replicates, failed, sd_ratio (smallest and largest ratio of bootstrap
               standard deviation to cluster-robust standard error), one_step_error
               (largest difference of one-step replicates from full refits, in standard
               errors), full_refits; or null
  diagnostics  calibration: groups by predicted score, each with games, expected and
               residual (mean, standard_error, weight, clusters); by_phase and by_kind:
               group, phase, residual (actual minus predicted score of the side with
               more); by_material: left, log_odds, expected, residual of the side ahead,
               in groups by difference; collinearity: condition_number,
               variance_inflation (column, factor)
  omitted      names of what occurs in no position
  games        games, pairs, incomplete_pairs, without_positions, positions, mean_plies,
               white_score, results, terminations
  fit          model, phase_model (piecewise, linear, constant), pieces_left (share at
               which values are averages over the positions), start_difference,
               separated (coefficients that separate the results, if any: the fit is
               penalized then), log_likelihood (nats per game and phase), level,
               critical_value, iterations, gradient, columns, coefficients,
               standard_errors, covariance (log-odds)
  published_scales
               the pieces on the published scale: average, full_board, few_pieces (or
               null); each with log_odds (of one unit of the scale), margin (share of the
               published value up to which a piece is worth about the same), values
               (piece, with_half_pair, published, rounded, measured, verdict), covariance;
               changes: piece, difference (full board less few pieces, with its interval);
               or null if fewer than two values are published
  ranking      the pieces by descending value, if one has no published value: piece, ranks
               (highest and lowest; all hold together in 95% of measurements); or null
  files        path, shard (if it is one), games, hash, seed, nodes, hash_mb (MiB), setup,
               opening_plies, balance, material, jitter, player, program; players: name,
               identity, evaluation (linear, network, or null for other programs),
               settings, limits
  playtest     the JSON of `playtest`; or null
  agreement    value of the first piece of a kind that a full army loses, by both methods,
               in the unit army: values (piece; regression, playtest and difference:
               value, interval; z: the difference in standard errors; verdict: agree,
               differ, not-distinguished, not-measured; difference and z are null if an
               interval is unbounded), critical_z (largest z that is not significant);
               or null
  units        the values in four units (army, pawns, minor-pieces, elo): unit,
               definition, total (of the pieces that define it), values (piece,
               with_half_pair, published, measured, full_board, few_pieces, verdict),
               covariance of the measured values
  alternatives values by other models, to judge how much depends on the choice: model,
               definition, log_loss (on held-out games, in nats; null for slices), values
               (piece, value in the unit army), same_log_odds (with five results, model
               wins: joint test that log-odds of pieces are those of the fit)
  command      command that repeats the measurement
  slices       values fitted to one slice of the game at a time: low, high (share of
               pieces left), left (mean), games, weight (in the fit), values (piece,
               log_odds, standard_error, units)
  sample_games instructive games: reason, file, number, material, start_fen, moves, evals
               (centipawns, White's point of view), white, termination
  definition   the text of a user's definition; null for a built-in game
  given_material
               test of whether a piece given by the opening and one won in play are worth
               the same: outcome (tested, not-possible); overall and stages (one for each
               stage of the phase model): F tests like joint_test; factor (factor: given
               over won, if it is the same for all; test of that); differences (piece,
               stage, log_odds, standard_error; army: value given minus won and its
               interval), never_given; or reason";

/// A choice as part of a command; empty for the default.
fn flag<T: ValueEnum + Default + PartialEq>(option: &str, choice: &T) -> String {
    if *choice == T::default() {
        String::new()
    } else {
        format!(" --{option} {}", args::name_of(choice))
    }
}

/// Options of the text and the page about a measurement.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct TextArgs {
    /// Unit of the first table of --details and of pictures [default: the published scale in the first picture, else army]
    #[arg(long, value_enum)]
    unit: Option<Unit>,
    /// Largest deviation from a published value that is called about the same [default: 10, or up to 25 if the intervals are wide]
    #[arg(long, value_name = "PERCENT", value_parser = margin, allow_negative_numbers = true)]
    margin: Option<f64>,
    /// Print everything that was measured: other units, tests, diagnostics
    #[arg(long)]
    details: bool,
}

impl TextArgs {
    /// The measurement as text. The first screen says how to get narrower intervals, and names the other output.
    fn text(&self, report: &MeasurementReport, narrower: Option<String>) -> String {
        if self.details {
            return measurement(report, self.unit, None).text();
        }
        let more = "More: --details (all units, tests, diagnostics), --html FILE.html (charts), --json".to_owned();
        summary(report, &narrower.into_iter().chain([more]).collect::<Vec<_>>())
    }
}

/// A percentage as a share.
fn margin(text: &str) -> Result<f64, String> {
    let is_valid = |percent: &f64| *percent > 0.0 && *percent < 100.0;
    args::number(text, is_valid, "expected a percentage above 0 and below 100").map(|percent| percent / 100.0)
}

/// How a result is written.
#[derive(Debug, clap::Args)]
pub(crate) struct ReportArgs {
    /// Write a report with charts as one HTML file
    #[arg(long, value_name = "FILE.html")]
    html: Option<PathBuf>,
    /// Print the results as JSON
    #[arg(long)]
    json: bool,
}

impl ReportArgs {
    /// Writes the page to --html and prints the result, as text or as JSON.
    fn write(&self, page: impl FnOnce() -> String, mut text: String, result: &impl Serialize) -> anyhow::Result<()> {
        if let Some(path) = &self.html {
            write_file("--html", path, page())?;
            text += &format!("Report: {}\n", path.display());
        }
        if self.json {
            return output::json(result);
        }
        output::print(text)
    }

    /// Writes a report with the same sections as a page and as text.
    fn write_page(&self, page: &Page, result: &impl Serialize) -> anyhow::Result<()> {
        self.write(|| page.html(), page.text(), result)
    }
}

/// Output options of a measurement.
#[derive(Debug, clap::Args)]
pub(crate) struct Output {
    #[command(flatten)]
    report: ReportArgs,
    /// Write the design matrix as CSV, to repeat the regression with another program
    #[arg(long, value_name = "FILE.csv")]
    csv: Option<PathBuf>,
    #[command(flatten)]
    text: TextArgs,
}

impl Output {
    /// Fails before any game is played or read if a file could not be written afterwards or would overwrite one of `inputs`.
    fn check(&self, inputs: impl IntoIterator<Item = impl AsRef<Path>, IntoIter: Clone>) -> anyhow::Result<()> {
        let outputs = [("--html", self.report.html.as_deref()), ("--csv", self.csv.as_deref())];
        output_file::check(&outputs, inputs)
    }

    /// `narrower` tells how to continue the measurement, and `notes` are sentences about this run that end the text.
    fn write(&self, report: &mut MeasurementReport, narrower: Option<String>, notes: &[String]) -> anyhow::Result<()> {
        report.set_margin(self.text.margin);
        let mut text = self.text.text(report, narrower);
        text.extend(notes.iter().map(|note| wrap("", note)));
        self.report
            .write(|| measurement(report, self.text.unit, None).html(), text, report)
    }
}

/// Checks that files hold games of the requested game.
fn check_game(files: &[PathBuf], expected: &str, found: &str) -> anyhow::Result<()> {
    anyhow::ensure!(
        found == expected,
        "{}: found games of {found}, expected {expected}",
        files[0].display()
    );
    Ok(())
}

/// Sets the number of threads of the whole program.
fn use_threads(threads: ThreadsArg) -> anyhow::Result<()> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.count());
    Ok(pool.build_global()?)
}

/// Writes a file named by `option`.
fn write_file(option: &str, path: &Path, contents: impl AsRef<[u8]>) -> anyhow::Result<()> {
    output_file::write(path, |out| Ok(out.write_all(contents.as_ref())?))
        .with_context(|| format!("{option} {}", path.display()))
}

/// File names without their folders, each after a space.
fn file_names(paths: &[PathBuf]) -> String {
    let name = |path: &PathBuf| {
        let name = path.file_name().unwrap_or(path.as_os_str());
        format!(" {}", name.to_string_lossy())
    };
    paths.iter().map(name).collect()
}

/// Shows a bar while the games of files are read.
fn read_games<T, E: Into<anyhow::Error>>(
    paths: &[PathBuf],
    read: impl FnOnce(ReadWatch<'_>) -> Result<T, E>,
) -> anyhow::Result<T> {
    let progress = Progress::new(count_games(paths)?, "games");
    progress.set_message("reading");
    let read = read(&mut |games| {
        progress.inc(games);
        ControlFlow::Continue(())
    });
    progress.finish();
    read.map_err(Into::into)
}

/// Reads games and measures their values, those of a playtest by the second method; shows progress on a terminal. A signal ends the
/// program immediately. `csv` is the file for the design matrix.
fn measure(paths: &[PathBuf], options: &AnalysisOptions, csv: Option<&Path>) -> anyhow::Result<MeasurementReport> {
    without_stop_flag(|| {
        let (mut values, mut playtest) = (Vec::new(), Vec::new());
        for path in paths {
            match material_of(path)? {
                Material::Playtest => playtest.push(path.clone()),
                _ => values.push(path.clone()),
            }
        }
        anyhow::ensure!(
            !values.is_empty() || playtest.is_empty(),
            "{}: found only files of a playtest, expected games for the regression, too; `assay-tuner playtest` measures from those",
            paths[0].display()
        );
        let data = read_games(&values, |watch| Dataset::read_watched(&values, watch))?;
        let progress = Progress::spinner("fitting");
        let mut report = analyze(&data, options)?;
        if let Some(path) = csv {
            output_file::write(path, |out| Ok(write_csv(&data, report.fit.phase_model, out)?))
                .with_context(|| format!("--csv {}", path.display()))?;
        }
        progress.finish();
        if !playtest.is_empty() {
            let progress = Progress::spinner("measuring from the games of the playtest");
            let found = measure_playtest(&playtest);
            progress.finish();
            match found {
                Ok(found) => {
                    check_game(&playtest, &data.game.name, &found.game)?;
                    report.add_playtest(found);
                }
                // The regression is valid without the playtest.
                Err(error) => output::warning(format_args!("no playtest: {error}")),
            }
        }
        Ok(report)
    })
}
