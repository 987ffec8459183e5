//! The subcommands, a file each, and what they share.

pub(crate) mod claims;
pub(crate) mod export;
pub(crate) mod fit;
pub(crate) mod network;
pub(crate) mod overview;
pub(crate) mod playing;
pub(crate) mod playtest;
pub(crate) mod report;
pub(crate) mod simulate;
pub(crate) mod stats;
pub(crate) mod tune;
pub(crate) mod validate;
pub(crate) mod weigh;

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use assay_tuner::report::{html, text};
use assay_tuner::values::analysis::{AnalysisOptions, analyze};
use assay_tuner::values::data::Dataset;
use assay_tuner::values::design::phase::PhaseModel;
use assay_tuner::values::results::{Analysis, MeasurementReport};
use indicatif::{ProgressBar, ProgressStyle};

/// Exit status: nothing could be done as it was asked.
pub(crate) const MISUSE: u8 = 2;

pub(crate) const EXAMPLES: &str = "\
Examples:
  assay-tuner validate gamma2
      plays some five minutes, prints each piece's value beside the inventor's
  assay-tuner validate gamma2 --games 20000 --report gamma2.html
      plays on to 20,000 games, and writes a report to look at in a browser
  assay-tuner fit one.db two.db --json
      measures again from games that are there
  assay-tuner tune gamma2.db --out gamma2.toml
      tunes the engine's evaluation to games, and writes a weights file for it
  assay-tuner network gamma2.db --out gamma2.network
      trains a small neural network that judges positions in the evaluation's place

Exit status: 0 when the values are measured, whatever the verdicts; 2 when something was wrong with the request or the data.";

/// What `--json` prints: one line for each key. A test compares it with what is printed.
pub(crate) const JSON_HELP: &str = "\
Keys of --json:
  assay        the version
  game         the game's name; `title` its proper name; `source` where its values are from
  values       the table, a row each: piece, letter, inventor_raw (as published),
               inventor (in pawns), measured (in pawns), interval, verdict; full_board,
               few_pieces and bare_board (value and interval with at least 3/4 of the pieces, with 1/4, with none),
               fractional_logit (the value by fractional logit), bootstrap_interval (95%, over resampled pairs),
               games_needed (in all, until the interval reaches 0.1 pawns or 2% to each side).
               interval: {shape: bounded, low, high}, {shape: complement, below, above},
               {shape: whole-line}, or null where nothing is measured.
               verdict: inside, above, below, too-wide, unpublished, unit, unmeasurable
  scale        pawn_score and pawn_score_interval (expected score, 0 to 1, of being a pawn
               ahead), pawn_score_full_board and pawn_score_few_pieces (full board, 1/4 of the pieces);
               side_to_move and white as rows of values
  joint_test   F test of all published values together: f, values, denominator_df, p;
               or null
  cross_validation
               held-out log-loss (nats for each game and phase): folds, constant, inventor, fitted;
               gain_over_constant and gain_over_inventor: mean, standard_error, low, high
               (positive when the measured values are better); or null
  convergence  steps (pairs, games, half_widths of each piece in pawns), exponent,
               games_to_halve
  bootstrap    replicates, failed, sd_ratio (smallest and largest ratio of bootstrap standard deviation to
               cluster-robust standard error), one_step_error (largest difference between one-step
               replicates and full refits, in standard errors), full_refits; or null
  diagnostics  calibration: bins of expected score, each with games, expected and residual
               (mean, standard_error, weight); by_phase and by_kind: group, phase, residual
               (score of the side that has more, less what was expected); collinearity:
               condition_number, variance_inflation (column, factor)
  omitted      names of what no position shows
  games        games, pairs, incomplete_pairs, without_positions, positions, mean_plies,
               white_score, results, terminations
  fit          model, phase_model (piecewise, linear or constant), pieces_left (mean share), start_difference,
               log_likelihood (nats for each game and stage), level, critical_value, iterations, gradient, columns, coefficients,
               standard_errors, covariance (log-odds)
  playtest     what `playtest --json` prints; or null
  agreement    values by both methods on a full board (piece, regression, playtest: value,
               standard_error, low, high; z, agrees), critical_z (largest difference in standard
               errors that still agrees), agrees; or null
  files        path, games, hash, seed, nodes, hash_mb, setup, opening_plies, balance,
               material, jitter, player, program
  command      the command that repeats this; null for `fit`";

/// Where the results go.
#[derive(Debug, clap::Args)]
pub(crate) struct Output {
    /// Write a report with charts as one HTML file
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,
    /// Print the results as JSON
    #[arg(long)]
    json: bool,
}

impl Output {
    /// Fails before any game is played if the report could not be written afterwards.
    fn check(&self) -> anyhow::Result<()> {
        let Some(path) = &self.report else { return Ok(()) };
        check_writable("--report", path)
    }

    fn write(&self, report: &MeasurementReport) -> anyhow::Result<()> {
        if let Some(path) = &self.report {
            write_file("--report", path, html::measurement(report).into_string())?;
        }
        if self.json {
            return print(&(serde_json::to_string_pretty(report)? + "\n"));
        }
        let mut text = text::measurement(report);
        if let Some(path) = &self.report {
            text += &format!("Report: {}\n", path.display());
        }
        print(&text)
    }
}

/// Writes a file named by `option`.
fn write_file(option: &str, path: &Path, contents: impl AsRef<[u8]>) -> anyhow::Result<()> {
    fs::write(path, contents).with_context(|| format!("{option} {}", path.display()))
}

/// Fails before any work is done if the file named by `option` could not be written afterwards.
fn check_writable(option: &str, path: &Path) -> anyhow::Result<()> {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    anyhow::ensure!(
        folder.is_dir(),
        "{option} {}: found no folder {}, expected one that exists",
        path.display(),
        folder.display()
    );
    anyhow::ensure!(
        !path.is_dir(),
        "{option} {}: found a folder, expected the name of a file",
        path.display()
    );
    Ok(())
}

/// The names of files, a blank before each, wherever they are.
fn names(paths: &[PathBuf]) -> String {
    let name = |path: &PathBuf| {
        let name = path.file_name().unwrap_or(path.as_os_str());
        format!(" {}", name.to_string_lossy())
    };
    paths.iter().map(name).collect()
}

/// A bar that counts epochs, on a terminal.
fn epochs_bar(epochs: usize) -> ProgressBar {
    let bar = ProgressBar::new(epochs as u64);
    let template = "{bar:30} {pos}/{len} epochs, {eta} left  {msg}";
    bar.set_style(ProgressStyle::with_template(template).expect("the template is well formed"));
    if io::stderr().is_terminal() {
        bar.enable_steady_tick(Duration::from_millis(200));
    }
    bar
}

fn share(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err("expected a share from 0 to 1".to_owned()),
    }
}

/// How games are measured.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Method {
    /// How values may depend on the game phase [default: piecewise, or the next simpler model that can be fitted]
    #[arg(long, value_enum)]
    phase_model: Option<PhaseModelArg>,
    /// How often opening pairs are resampled to check the intervals; 0 for not at all
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(0..=100_000))]
    resamples: u32,
    /// Also write the regression's rows as CSV, so that any other program can repeat the fit
    #[arg(long, value_name = "FILE.csv")]
    csv: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(crate) enum PhaseModelArg {
    /// Three values a piece: with 3/4 of the pieces and more, with 1/4, on a bare board; straight lines between
    Piecewise,
    /// Two values a piece: with 3/4 of the pieces and more, and on a bare board; needs fewer games, and is further from the truth
    Linear,
    /// One value a piece
    Constant,
}

impl From<PhaseModelArg> for PhaseModel {
    fn from(choice: PhaseModelArg) -> PhaseModel {
        match choice {
            PhaseModelArg::Linear => PhaseModel::Linear,
            PhaseModelArg::Piecewise => PhaseModel::PiecewiseLinear,
            PhaseModelArg::Constant => PhaseModel::Constant,
        }
    }
}

impl Method {
    /// The course as a command names it; nothing when it is the usual one.
    fn phase_model_flag(&self) -> &'static str {
        match self.phase_model {
            None => "",
            Some(PhaseModelArg::Piecewise) => " --phase-model piecewise",
            Some(PhaseModelArg::Linear) => " --phase-model linear",
            Some(PhaseModelArg::Constant) => " --phase-model constant",
        }
    }

    /// A quick look: nothing but the fit.
    fn quick(&self) -> Method {
        Method {
            resamples: 0,
            csv: None,
            ..*self
        }
    }

    fn options(&self) -> AnalysisOptions {
        AnalysisOptions {
            phase_model: self.phase_model.map(PhaseModel::from),
            resamples: self.resamples as usize,
            ..AnalysisOptions::default()
        }
    }
}

/// Reads games and measures their values; shows progress on a terminal.
fn measure(paths: &[PathBuf], method: &Method) -> anyhow::Result<Analysis> {
    let spinner = ProgressBar::new_spinner();
    if io::stderr().is_terminal() {
        spinner.set_style(ProgressStyle::with_template("{spinner} {msg}")?);
        spinner.enable_steady_tick(Duration::from_millis(100));
    }
    spinner.set_message("reading games");
    let data = Dataset::read(paths)?;
    spinner.set_message(format!("fitting {} games", data.games.len()));
    let analysis = analyze(&data, &method.options())?;
    if let Some(path) = &method.csv {
        let write = || {
            assay_tuner::values::design::export::write_csv(
                &data,
                analysis.report.fit.phase_model,
                &mut io::BufWriter::new(fs::File::create(path)?),
            )
        };
        write().with_context(|| format!("--csv {}", path.display()))?;
    }
    spinner.finish_and_clear();
    Ok(analysis)
}

fn print(text: &str) -> anyhow::Result<()> {
    Ok(io::stdout().lock().write_all(text.as_bytes())?)
}

pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let io_errors = error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>());
    io_errors
        .into_iter()
        .any(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
