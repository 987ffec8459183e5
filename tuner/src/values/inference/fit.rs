//! Fitted coefficients with their covariance, keyed by what they belong to. Whatever is computed
//! from games follows from them: log-odds are linear combinations (contrasts) of coefficients, and
//! values are ratios of two of these.

use std::collections::BTreeMap;
use std::sync::Arc;

use assay_rules::{GameDef, Kind};
use nalgebra::{DMatrix, DVector};

use super::{Estimate, Feedback, Quantity, Sample};
use crate::values::data::regressor::is_published_with_half_pair;
use crate::values::data::{Dataset, Regressor};
use crate::values::design::{Column, DesignMatrix, DesignSpec, PhaseModel};
use crate::values::distinct;
use crate::values::model::{self, FitError, Logit, ModelFit, THRESHOLD};

/// Estimated coefficients with their covariance.
#[derive(Clone, Debug)]
pub struct Fit {
    pub game: Arc<GameDef>,
    /// The columns that the first coefficients belong to.
    pub columns: Vec<Column>,
    /// Log-odds of White's score for each unit of a column, then thresholds.
    pub coefficients: DVector<f64>,
    /// The cluster-robust covariance of the coefficients, and the games that it comes from.
    pub sample: Arc<Sample>,
    /// How values depend on the game phase.
    pub phase_model: PhaseModel,
    /// Share of pieces left at which values are averages over the positions of the fit
    /// ([`DesignSpec::mean_pieces_left`]).
    pub mean_left: f64,
    /// How much of the players' own values came back, if the coefficients are corrected for that
    /// ([`Fit::without_feedback`]).
    pub feedback: Option<Box<Feedback>>,
}

impl Fit {
    /// Fits the values of some games by proportional odds, without tests and diagnostics.
    ///
    /// # Errors
    /// If the model cannot be fitted.
    pub fn of_games(data: &Dataset, phase_model: PhaseModel) -> Result<Fit, FitError> {
        Fit::of_games_by(data, phase_model, |fit, _, _| fit).map(|(fit, _)| fit)
    }

    /// As [`Fit::of_games`], but with a penalty if the results are separated; also by which
    /// coefficients they are.
    ///
    /// # Errors
    /// If the model cannot be fitted.
    pub fn of_separated_games(data: &Dataset, phase_model: PhaseModel) -> Result<(Fit, Vec<String>), FitError> {
        Fit::of_games_by(data, phase_model, model::or_penalized)
    }

    fn of_games_by(
        data: &Dataset,
        phase_model: PhaseModel,
        checked: impl Fn(Result<ModelFit, FitError>, &Logit, &DesignMatrix) -> Result<ModelFit, FitError>,
    ) -> Result<(Fit, Vec<String>), FitError> {
        let spec = DesignSpec::of(data, phase_model);
        let design = spec.design_matrix(&data.games);
        let model = Logit::of(&design);
        let fitted = checked(model::fit_from(&model, &design, None), &model, &design)?;
        let mut fit = Fit::new(&fitted, &spec, spec.mean_pieces_left(&data.games));
        Arc::make_mut(&mut fit.sample).games = data.games.len() as u64;
        fit.measures_a_piece()?;
        Ok((fit.without_feedback(data.own_values.as_ref()), fitted.separated))
    }

    /// Fails if no piece is measured.
    ///
    /// # Errors
    /// [`FitError::NeverUnbalanced`].
    pub fn measures_a_piece(&self) -> Result<(), FitError> {
        let mut columns = self.columns.iter();
        let is_measured = columns.any(|column| matches!(column.regressor, Regressor::Kind(_)));
        is_measured.then_some(()).ok_or_else(|| FitError::NeverUnbalanced { column: "pieces".to_owned() })
    }

    /// Fits a model from one starting point.
    ///
    /// # Errors
    /// If the model cannot be fitted.
    pub fn of_design(design: &DesignMatrix, spec: &DesignSpec, mean_left: f64, model: &Logit) -> Result<Fit, FitError> {
        let fitted = model::fit_from(model, design, None)?;
        Ok(Fit::new(&fitted, spec, mean_left))
    }

    /// The coefficients of a fitted model, with their cluster-robust covariance. The number of
    /// games is left out.
    pub fn new(fitted: &ModelFit, spec: &DesignSpec, mean_left: f64) -> Fit {
        Fit::with(spec, fitted.coefficients.clone(), Sample::of_fit(fitted, 0), mean_left)
    }

    /// Any coefficients of the columns of `spec`, then of thresholds.
    pub fn with(spec: &DesignSpec, coefficients: DVector<f64>, sample: Arc<Sample>, mean_left: f64) -> Fit {
        Fit {
            game: Arc::clone(spec.game()),
            columns: spec.columns.clone(),
            coefficients,
            sample,
            phase_model: spec.phase_model,
            mean_left,
            feedback: None,
        }
    }

    /// One coefficient for each kind, which is what it is worth at any phase.
    pub fn of_kinds(game: &Arc<GameDef>, kinds: &[Kind], coefficients: DVector<f64>, sample: Arc<Sample>) -> Fit {
        let regressors: Vec<Regressor> = kinds.iter().copied().map(Regressor::Kind).collect();
        let spec = DesignSpec::all(game, &regressors, PhaseModel::Constant);
        Fit::with(&spec, coefficients, sample, 1.0)
    }

    /// The columns among coefficients with these names.
    ///
    /// # Errors
    /// The first name that the game does not have, with its index.
    pub(in crate::values) fn columns_by_name(names: &[String], game: &Arc<GameDef>) -> Result<Vec<Column>, String> {
        let knots = [None, Some(0), Some(1)];
        let regressors = Regressor::all(game).into_iter();
        let known = regressors.flat_map(|regressor| knots.map(|knot| Column { regressor, knot }));
        let known: BTreeMap<String, Column> = known.map(|column| (column.name(game), column)).collect();
        let columns = names.iter().enumerate().filter(|(_, name)| !name.starts_with(THRESHOLD));
        let column = |(index, name): (usize, &String)| {
            known.get(name).copied().ok_or_else(|| {
                let found = name.escape_debug();
                format!("fit.columns[{index}]: found `{found}`, expected a coefficient of {}", game.title)
            })
        };
        columns.map(column).collect()
    }

    /// Contrast of a regressor's log-odds when the share `left` of the pieces is left; `None` if
    /// the regressor was not fitted.
    pub fn contrast(&self, regressor: Regressor, left: f64) -> Option<DVector<f64>> {
        let weights = self.phase_model.knot_weights(left);
        let mut contrast = DVector::zeros(self.coefficients.len());
        let mut is_fitted = false;
        // Thresholds come last.
        for (entry, column) in contrast.iter_mut().zip(&self.columns) {
            if column.regressor == regressor {
                *entry = column.knot.map_or(1.0, |knot| weights[knot]);
                is_fitted = true;
            }
        }
        is_fitted.then_some(contrast)
    }

    /// Contrast of what the published value of a regressor means: the regressor's coefficient, and
    /// with it half of the pair's bonus if [`Fit::has_half_pair`]. `None` if the regressor was not
    /// fitted.
    pub fn worth(&self, regressor: Regressor, left: f64) -> Option<DVector<f64>> {
        let alone = self.contrast(regressor, left)?;
        Some(match self.half_pair(regressor, left) {
            Some(half_pair) => alone + half_pair,
            None => alone,
        })
    }

    /// Returns true if one value is published for both pieces of a pair, which then includes half
    /// of the pair's bonus.
    pub fn has_half_pair(&self, regressor: Regressor) -> bool {
        self.half_pair(regressor, 1.0).is_some()
    }

    /// Contrast of the bonus that [`Fit::worth`] includes.
    fn half_pair(&self, regressor: Regressor, left: f64) -> Option<DVector<f64>> {
        let Regressor::Kind(kind) = regressor else { return None };
        let pair = self.contrast(Regressor::Pair(kind), left)?;
        is_published_with_half_pair(&self.game, kind).then(|| pair / 2.0)
    }

    /// A linear combination of the coefficients.
    pub fn quantity(&self, contrast: DVector<f64>) -> Quantity {
        Quantity::linear(&self.sample, &self.coefficients, contrast)
    }

    /// Log-odds of one unit of a regressor with its standard error, when the share `left` of the
    /// pieces is left.
    pub fn log_odds(&self, regressor: Regressor, left: f64) -> Option<(f64, f64)> {
        let log_odds = self.quantity(self.contrast(regressor, left)?);
        Some((log_odds.value, log_odds.standard_error()))
    }

    /// Value of a regressor in pawns, when the share `left` of the pieces is left.
    pub fn in_pawns(&self, regressor: Regressor, left: f64) -> Option<Estimate> {
        let pawn = self.quantity(self.contrast(Regressor::Kind(self.game.first_pawn()), left)?);
        Some((&self.quantity(self.contrast(regressor, left)?) / &pawn).estimate())
    }

    /// The fitted regressor with the name that files and reports give it.
    pub fn regressor(&self, name: &str) -> Option<Regressor> {
        self.regressors().into_iter().find(|regressor| regressor.name(&self.game) == name)
    }

    /// The fitted regressors, in the order of their coefficients.
    pub fn regressors(&self) -> Vec<Regressor> {
        distinct(self.columns.iter().map(|column| column.regressor))
    }

    /// The measured kinds, by descending published (else measured) value.
    pub fn kinds(&self) -> Vec<Kind> {
        let value = |kind: Kind| {
            let average = self.worth(Regressor::Kind(kind), self.mean_left)?.dot(&self.coefficients);
            Some((self.game.kind(kind).value.unwrap_or(average), kind))
        };
        let mut kinds: Vec<(f64, Kind)> = self.game.kinds.all().filter_map(value).collect();
        kinds.sort_by(|one, other| other.0.total_cmp(&one.0));
        kinds.into_iter().map(|(_, kind)| kind).collect()
    }

    /// The fit with these kinds only. Their coefficients are the same, but the unit is made of
    /// fewer pieces.
    #[must_use]
    pub fn of_some(&self, kinds: &[Kind]) -> Fit {
        let is_kept = |index: &usize| match self.columns.get(*index).map(|column| column.regressor) {
            Some(Regressor::Kind(kind)) => kinds.contains(&kind),
            _ => true,
        };
        let kept: Vec<usize> = (0..self.coefficients.len()).filter(is_kept).collect();
        let chosen = DMatrix::identity(self.coefficients.len(), self.coefficients.len()).select_rows(&kept);
        Fit {
            columns: kept.iter().filter_map(|&index| self.columns.get(index).copied()).collect(),
            coefficients: self.coefficients.select_rows(&kept),
            sample: self.sample.of_combinations(&chosen),
            ..self.clone()
        }
    }

    /// The values of the first piece of each kind that a full army loses: the piece's value on a
    /// full board plus the pair bonus or half of the second piece's extra value, if the army has
    /// two of them. This is what a playtest measures. `army` has the number of pieces by kind.
    #[must_use]
    pub fn first_piece_lost(&self, army: &[usize]) -> Fit {
        let lost = |kind: Kind| {
            let at = |regressor: Regressor| self.contrast(regressor, 1.0);
            let mut contrast = at(Regressor::Kind(kind))?;
            if army[kind.index()] >= 2 {
                if let Some(pair) = at(Regressor::Pair(kind)) {
                    contrast += pair;
                }
                if let Some(second) = at(Regressor::SecondPiece(kind)) {
                    contrast += second / 2.0;
                }
            }
            Some((kind, contrast.transpose()))
        };
        let (kinds, rows): (Vec<Kind>, Vec<_>) = self.kinds().into_iter().filter_map(lost).unzip();
        let lost = DMatrix::from_rows(&rows);
        Fit::of_kinds(&self.game, &kinds, &lost * &self.coefficients, self.sample.of_combinations(&lost))
    }
}
