//! Result of a measurement in the form in which `--json` prints it. Text and HTML are rendered from this alone.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use assay_rules::GameDef;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::values::data::DataFile;
use crate::values::design::phase::PhaseModel;
use crate::values::inference::bootstrap::Bootstrap;
use crate::values::inference::convergence::Convergence;
use crate::values::inference::cross_validation::CrossValidation;
use crate::values::inference::diagnostics::Diagnostics;
use crate::values::inference::estimate::{Estimate, PieceValue};
use crate::values::inference::joint_test::JointTest;
use crate::values::playtest::Playtest;
use crate::values::playtest::agreement::{self, Agreement};

/// A measurement, with the estimate it was made from.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// Everything to report.
    pub report: MeasurementReport,
    /// The estimate, for comparisons with other measurements.
    pub estimate: Estimate,
}

impl Analysis {
    /// Adds a playtest of the same game and compares the two.
    pub fn add_playtest(&mut self, game: &Arc<GameDef>, playtest: Playtest) {
        self.report.agreement = Some(agreement::compare(game, &self.estimate, &playtest));
        self.report.playtest = Some(playtest);
    }
}

/// Why a file cannot be read as a measurement.
#[derive(Debug, Error)]
pub enum ReadReportError {
    /// The file cannot be read.
    #[error("{}: {error}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The cause.
        error: std::io::Error,
    },
    /// The file has other contents.
    #[error("{}: {error}; expected the output of `assay-tuner validate --json`", .path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// Place and cause.
        error: serde_json::Error,
    },
}

/// Everything measured of one game.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct MeasurementReport {
    /// The version of Assay.
    pub assay: String,
    /// The game's protocol name.
    pub game: String,
    /// Its proper name.
    pub title: String,
    /// Source of the published values.
    pub source: String,
    /// The table of values.
    pub values: Vec<PieceValue>,
    /// What a pawn is worth, and what it is to be on the move.
    pub scale: ScoreScale,
    /// Joint test of the published values; `None` if too few values are published or too few games were played.
    pub joint_test: Option<JointTest>,
    /// Predictions of unseen games; none when a part of the games cannot be fitted alone.
    pub cross_validation: Option<CrossValidation>,
    /// How intervals narrow.
    pub convergence: Convergence,
    /// The errors checked by resampling; none when that was not asked for.
    pub bootstrap: Option<Bootstrap>,
    /// Whether the model describes the games.
    pub diagnostics: Diagnostics,
    /// What was not measured because no position shows it, by name.
    pub omitted: Vec<String>,
    /// The games.
    pub games: GameSummary,
    /// The fit itself.
    pub fit: FitSummary,
    /// The files that the games are from.
    pub files: Vec<DataFile>,
    /// The same measured by playtest; none when that was not asked for.
    pub playtest: Option<Playtest>,
    /// Whether the two agree.
    pub agreement: Option<Agreement>,
    /// The command that repeats this, where one does.
    pub command: Option<String>,
}

impl MeasurementReport {
    /// Reads the JSON of a measurement.
    ///
    /// # Errors
    /// If the file cannot be read or has other contents.
    pub fn read(path: &Path) -> Result<MeasurementReport, ReadReportError> {
        let text = fs::read_to_string(path).map_err(|error| ReadReportError::Read {
            path: path.to_owned(),
            error,
        })?;
        serde_json::from_str(&text).map_err(|error| ReadReportError::Format {
            path: path.to_owned(),
            error,
        })
    }
}

/// What units are worth in results.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct ScoreScale {
    /// The expected score, 0.5 to 1, of being a pawn ahead and otherwise equal.
    pub pawn_score: f64,
    /// Lower and upper end of its 95% interval.
    pub pawn_score_interval: [f64; 2],
    /// The same on a full board.
    pub pawn_score_full_board: f64,
    /// The same with a quarter of the pieces left.
    pub pawn_score_few_pieces: f64,
    /// Being to move, in pawns; none when all positions had the same side to move.
    pub side_to_move: Option<PieceValue>,
    /// Being White, in pawns.
    pub white: Option<PieceValue>,
}

/// What the games were like.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct GameSummary {
    /// All games.
    pub games: usize,
    /// Opening pairs: the independent units.
    pub pairs: usize,
    /// Pairs of which one game is missing.
    pub incomplete_pairs: usize,
    /// Games without a quiet position, which are not fitted.
    pub without_positions: usize,
    /// Quiet positions fitted.
    pub positions: usize,
    /// The mean length in plies.
    pub mean_plies: f64,
    /// White's mean score in points.
    pub white_score: f64,
    /// Games by White's score in points, best first.
    pub results: Vec<ResultCount>,
    /// Games by how they ended, most frequent first.
    pub terminations: Vec<TerminationCount>,
}

/// Games with one result.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
pub struct ResultCount {
    /// White's score in points, 0 to 1.
    pub white: f64,
    /// How many games.
    pub games: usize,
}

/// Games with one ending.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct TerminationCount {
    /// The ending's name (`checkmate`).
    pub termination: String,
    /// How many games.
    pub games: usize,
}

/// The fit in its own terms.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct FitSummary {
    /// The model's name.
    pub model: String,
    /// How values may depend on the course of the game.
    pub phase_model: PhaseModel,
    /// The mean share of pieces left, at which values are for the average of a game.
    pub pieces_left: f64,
    /// The largest difference between the coefficients that two starts led to.
    pub start_difference: Option<f64>,
    /// Log-likelihood in nats for each game and stage.
    pub log_likelihood: f64,
    /// The confidence level of all intervals.
    pub level: f64,
    /// Standard errors that an interval reaches to each side (Student's t).
    pub critical_value: f64,
    /// Newton steps.
    pub iterations: usize,
    /// What was left of the gradient.
    pub gradient: f64,
    /// The coefficients' names.
    pub columns: Vec<String>,
    /// Log-odds of White's score for each unit.
    pub coefficients: Vec<f64>,
    /// Their standard errors, clustered by opening pair.
    pub standard_errors: Vec<f64>,
    /// Their covariance, row by row.
    pub covariance: Vec<Vec<f64>>,
}

impl FitSummary {
    /// Log-odds of one more of a piece when this share of the pieces is left; `None` if the piece was not fitted.
    pub fn log_odds(&self, piece: &str, left: f64) -> Option<f64> {
        let coefficient = |name: String| {
            let index = self.columns.iter().position(|column| *column == name)?;
            self.coefficients.get(index).copied()
        };
        if let Some(constant) = coefficient(piece.to_owned()) {
            return Some(constant);
        }
        let stages = ["full board", "few pieces", "bare board"];
        let parts = stages.into_iter().zip(self.phase_model.knot_weights(left));
        parts
            .filter(|&(_, part)| part != 0.0)
            .map(|(stage, part)| Some(part * coefficient(format!("{piece} ({stage})"))?))
            .sum()
    }
}
