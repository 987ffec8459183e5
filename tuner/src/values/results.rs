//! Result of a measurement in the form in which `--json` prints it. Text and HTML are rendered from
//! this alone.

pub(in crate::values) mod checks;
pub mod reading;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use assay_rules::{GameDef, Kind};
use nalgebra::{DMatrix, DVector};
use serde::{Deserialize, Serialize};

use self::reading::{Stored, parse, read_text};
use crate::values::data::material::kind_named;
use crate::values::data::{DataError, DataFile, SampleGame};
use crate::values::design::PhaseModel;
use crate::values::estimate::ByMoves;
use crate::values::inference::scale::judge;
use crate::values::inference::{
    Bootstrap, Convergence, CrossValidation, Diagnostics, Estimate, Feedback, Fit, GivenMaterial, JointTest,
    MeasuredValue, PhaseSlice, RankedPiece, Sample, Unit, ValueTable, range,
};
use crate::values::model::{Logit, THRESHOLD, logistic};
use crate::values::playtest::Playtest;
use crate::values::playtest::agreement::{self, Agreement};

/// Measured values of one game's pieces, with diagnostics and metadata.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct MeasurementReport {
    pub assay: String,
    /// The game's protocol name.
    pub game: String,
    pub title: String,
    /// Source of the published values.
    pub source: String,
    /// Expected score of a side that is a pawn ahead, and the values of the move and of playing
    /// White.
    pub scale: ScoreScale,
    /// Joint test of the published values; `None` if too few values are published or too few games
    /// were played.
    pub joint_test: Option<JointTest>,
    /// Log-loss on held-out games; `None` if a fold cannot be predicted because the other games
    /// cannot be fitted.
    pub cross_validation: Option<CrossValidation>,
    /// Interval widths by number of games.
    pub convergence: Convergence,
    /// Bootstrap check of the standard errors; `None` if disabled.
    pub bootstrap: Option<Bootstrap>,
    /// Calibration, residuals and collinearity.
    pub diagnostics: Diagnostics,
    /// Names of regressors that are zero in every position and were not measured.
    pub omitted: Vec<String>,
    pub games: GameSummary,
    pub fit: FitSummary,
    pub files: Vec<DataFile>,
    /// Values measured by playtest; `None` if disabled.
    pub playtest: Option<Playtest>,
    /// Agreement of regression and playtest.
    pub agreement: Option<Agreement>,
    /// The command that repeats the measurement, if there is one.
    pub command: Option<String>,
    /// Values in slices of the game, each fitted by itself.
    pub slices: Vec<PhaseSlice>,
    /// Instructive games.
    pub sample_games: Vec<SampleGame>,
    /// The text of a user's definition; `None` for a built-in game.
    pub definition: Option<String>,
    /// Values by other defensible models. Their spread is the model uncertainty, which the
    /// intervals leave out.
    pub alternatives: Vec<AlternativeModel>,
    /// Values on the published scale, if at least two are published, and in three units.
    pub tables: Vec<ValueTable>,
    /// Effects of pairs, second pieces and hands, in pawns.
    pub bonuses: Vec<MeasuredValue>,
    /// The pieces by value, with ranks; `None` if all values are published. Computed anew when a
    /// file is read.
    #[serde(default)]
    pub ranking: Option<Vec<RankedPiece>>,
    /// Pieces without a published value, by their moves and together with the games; empty unless
    /// the published values are those of the atlas.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub by_moves: Vec<ByMoves>,
    /// Whether material given by the opening and material won in play are worth the same.
    pub given_material: Option<GivenMaterial>,
}

impl MeasurementReport {
    /// Adds a playtest of the same game and compares the two.
    pub fn add_playtest(&mut self, playtest: Playtest) {
        self.agreement = agreement::compare(&self.fitted(), &playtest);
        self.playtest = Some(playtest);
    }

    /// The game's rules.
    ///
    /// # Panics
    /// Never for a report that was computed or read from a file, because reading checks the definition.
    pub fn rules(&self) -> Arc<GameDef> {
        self.checked_rules().expect("the definition was checked")
    }

    fn checked_rules(&self) -> Result<Arc<GameDef>, String> {
        match &self.definition {
            Some(text) => GameDef::from_toml(text, "definition").map(Arc::new).map_err(|error| error.to_string()),
            None => GameDef::builtin(&self.game).ok_or_else(|| {
                format!(
                    "game: found `{}`, expected a built-in game, or its text in `definition`",
                    self.game.escape_debug()
                )
            }),
        }
    }

    /// The fit, without feedback, from which the values follow.
    ///
    /// # Panics
    /// As [`MeasurementReport::rules`].
    pub fn fitted(&self) -> Fit {
        let (game, fit) = (self.rules(), &self.fit);
        let size = fit.coefficients.len();
        let covariance = DMatrix::from_fn(size, size, |row, column| fit.covariance[row][column]);
        let sample = Sample::new(covariance, self.games.pairs, self.games.games as u64);
        let own = fit.feedback.as_ref().map(|feedback| &feedback.own);
        let found = Fit {
            columns: Fit::columns_by_name(&fit.columns, &game).expect("the names were checked"),
            game,
            coefficients: DVector::from_column_slice(&fit.coefficients),
            sample,
            phase_model: fit.phase_model,
            mean_left: fit.pieces_left,
            feedback: None,
        };
        found.without_feedback(own)
    }

    /// Expected score, 0 to 1, of a side with this advantage in log-odds.
    pub fn expected_score(&self, log_odds: f64) -> f64 {
        let model = Logit::of_scores(self.games.results.iter().map(|result| result.white));
        let named = self.fit.columns.iter().zip(&self.fit.coefficients);
        let thresholds = named.filter(|(name, _)| name.starts_with(THRESHOLD));
        let thresholds: Vec<f64> = thresholds.map(|(_, &threshold)| threshold).collect();
        if thresholds.len() == model.threshold_names().len() {
            model.expected(log_odds, &thresholds)
        } else {
            logistic(log_odds)
        }
    }

    /// Reads the JSON of a measurement.
    ///
    /// # Errors
    /// If the file cannot be read or has other contents, numbers are out of range, lists that belong together have different lengths, or
    /// the definition of a user's game is wrong.
    pub fn read(path: &Path) -> Result<MeasurementReport, DataError> {
        MeasurementReport::parse(&read_text(path)?, path)
    }

    /// A measurement from its JSON. `path` is the name of the text in errors.
    ///
    /// # Errors
    /// As [`MeasurementReport::read`].
    pub fn parse(text: &str, path: &Path) -> Result<MeasurementReport, DataError> {
        let mut report: MeasurementReport = parse(text, path)?;
        // The verdicts follow from the numbers, so that stored ones could only contradict them.
        report.set_margin(None);
        let playtest = report.playtest.as_ref();
        report.agreement = playtest.and_then(|playtest| agreement::compare(&report.fitted(), playtest));
        report.ranking = report.fitted().ranking();
        Ok(report)
    }

    /// Judges all pieces anew, with another margin on the published scale; `None` is the default.
    pub fn set_margin(&mut self, margin: Option<f64>) {
        let published = self.tables.iter_mut().filter(|table| table.unit.is_none());
        published.for_each(|table| table.set_margin(margin));
        judge(&mut self.tables);
    }

    /// The values in a unit, or without one on the published scale; `None` if the game does not have
    /// it.
    pub fn table(&self, unit: Option<Unit>) -> Option<&ValueTable> {
        ValueTable::in_unit(&self.tables, unit)
    }

    /// The kinds that these games do not measure, except the king, which no games measure.
    pub fn unmeasured(&self) -> Vec<Kind> {
        let game = self.rules();
        let is_measured = |kind: Kind| self.tables.iter().any(|table| table.of(&game.kind(kind).name).is_some());
        game.kinds.all().filter(|&kind| Some(kind) != game.kinds.king() && !is_measured(kind)).collect()
    }
}

impl Stored for MeasurementReport {
    const COMMAND: &'static str = "validate";

    fn check(&self) -> Result<(), String> {
        checks::measurement(self)?;
        let rules = self.checked_rules()?;
        if let Some(feedback) = &self.fit.feedback {
            let mut names = feedback.own.0.keys();
            if let Some(name) = names.find(|name| kind_named(&rules, name).is_none()) {
                let (found, title) = (name.escape_debug(), &rules.title);
                return Err(format!("fit.feedback.own: found `{found}`, expected pieces of {title}"));
            }
        }
        Fit::columns_by_name(&self.fit.columns, &rules).map(drop)
    }
}

/// Expected scores of advantages.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct ScoreScale {
    /// Expected score, 0 to 1, of the side that is a pawn ahead, averaged over the game; `None` if
    /// these games do not measure the pawn.
    pub pawn_score: Option<Estimate>,
    /// Expected score on a full board.
    #[serde(deserialize_with = "range::share")]
    pub pawn_score_full_board: f64,
    /// Expected score with a quarter of the pieces left.
    #[serde(deserialize_with = "range::share")]
    pub pawn_score_few_pieces: f64,
    /// Value of the move in pawns; `None` if the same side is to move in all positions.
    pub side_to_move: Option<Estimate>,
    /// Value of playing White in pawns.
    pub white: Option<Estimate>,
    /// Value of 400 rating points more than the opponent in pawns, in imported games with ratings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<Estimate>,
}

/// Statistics of the games.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct GameSummary {
    #[serde(deserialize_with = "range::count")]
    pub games: usize,
    /// Number of opening pairs, the clusters.
    #[serde(deserialize_with = "range::count")]
    pub pairs: usize,
    /// Pairs of which one game is missing.
    #[serde(deserialize_with = "range::count")]
    pub incomplete_pairs: usize,
    /// Games without a quiet position with at least a quarter of the pieces left, which are not
    /// fitted.
    #[serde(deserialize_with = "range::count")]
    pub without_positions: usize,
    /// Quiet positions fitted.
    #[serde(deserialize_with = "range::count")]
    pub positions: usize,
    /// Mean length in plies.
    #[serde(deserialize_with = "range::non_negative")]
    pub mean_plies: f64,
    /// White's mean score, 0 to 1 point.
    #[serde(deserialize_with = "range::share")]
    pub white_score: f64,
    /// Games by result, wins first.
    pub results: Vec<ResultCount>,
    /// Games by termination, most frequent first.
    pub terminations: Vec<TerminationCount>,
    /// Games that ended because both sides saw them decided; `None` if all were played to the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decided: Option<DecidedGames>,
}

/// Games that both sides saw decided.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
pub struct DecidedGames {
    /// Games that ended there.
    pub ended: usize,
    /// Games that were played on to see how they end.
    pub played_on: usize,
    /// Games played on that ended otherwise.
    pub otherwise: usize,
}

/// Number of games with one result.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
pub struct ResultCount {
    /// White's score in points, 0 to 1.
    #[serde(deserialize_with = "range::share")]
    pub white: f64,
    #[serde(deserialize_with = "range::count")]
    pub games: usize,
}

/// Values by another model.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct AlternativeModel {
    /// Short name (`constant`).
    pub model: String,
    /// How it differs from the model of the fit.
    pub definition: String,
    /// Mean log-loss on held-out games, as that of the fit; `None` if it was not computed.
    #[serde(deserialize_with = "range::any")]
    pub log_loss: Option<f64>,
    /// By piece, the value averaged over the game in the unit [`Unit::Army`].
    #[serde(deserialize_with = "range::any")]
    pub values: BTreeMap<String, f64>,
    /// For a model of the same scale, tests the hypothesis that the log-odds of all kinds are those
    /// of the fit.
    pub same_log_odds: Option<JointTest>,
}

/// Number of games with one termination.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct TerminationCount {
    /// Name of the termination (`checkmate`).
    pub termination: String,
    #[serde(deserialize_with = "range::count")]
    pub games: usize,
}

/// Regression model and its coefficients.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct FitSummary {
    pub model: String,
    /// How values depend on the game phase.
    pub phase_model: PhaseModel,
    /// Share of pieces left at which values are their averages over the positions: the mean share,
    /// in which shares above the first knot of the phase model count as that knot.
    #[serde(deserialize_with = "range::share")]
    pub pieces_left: f64,
    /// Largest difference between the coefficients reached from two starting points.
    #[serde(deserialize_with = "range::any")]
    pub start_difference: Option<f64>,
    /// Coefficients that separate the results: the side that has more never does worse. The fit is
    /// penalized then; empty if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub separated: Vec<String>,
    /// Log-likelihood in nats per game and phase, with the penalty if there is one.
    #[serde(deserialize_with = "range::any")]
    pub log_likelihood: f64,
    /// Confidence level of intervals; those on the published scale are wider, so that all of them
    /// hold together at this level.
    #[serde(deserialize_with = "range::share")]
    pub level: f64,
    /// Half-width of the intervals of means in standard errors: Student's t with one degree of
    /// freedom less than opening pairs. Values have degrees of freedom of their own.
    #[serde(deserialize_with = "range::critical_value")]
    pub critical_value: f64,
    /// Newton–Raphson steps taken.
    #[serde(deserialize_with = "range::count")]
    pub iterations: usize,
    /// Largest component of the remaining gradient.
    #[serde(deserialize_with = "range::any")]
    pub gradient: f64,
    /// Names of the coefficients.
    pub columns: Vec<String>,
    /// Coefficients: log-odds of White's score per unit.
    #[serde(deserialize_with = "range::any")]
    pub coefficients: Vec<f64>,
    /// Standard errors, clustered by opening pair.
    #[serde(deserialize_with = "range::non_negative")]
    pub standard_errors: Vec<f64>,
    /// Covariance matrix by rows.
    #[serde(deserialize_with = "range::covariance")]
    pub covariance: Vec<Vec<f64>>,
    /// How much of the players' own values came back in the coefficients, which the values are
    /// corrected for; `None` if the players' values are not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub feedback: Option<Feedback>,
}
