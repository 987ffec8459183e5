//! From games to everything that is said about them.

use std::collections::BTreeMap;

use assay_rules::{Points, Termination};
use thiserror::Error;

use crate::values::data::Dataset;
use crate::values::data::regressor::Regressor;
use crate::values::design::matrix::DesignMatrix;
use crate::values::design::phase::{FEW, PhaseModel};
use crate::values::design::spec::{Column, DesignSpec};
use crate::values::inference::bootstrap::{Bootstrap, cluster_bootstrap};
use crate::values::inference::convergence::{self, HalfWidth};
use crate::values::inference::cross_validation::{self, CrossValidation};
use crate::values::inference::diagnostics::diagnose;
use crate::values::inference::distributions;
use crate::values::inference::estimate::{Estimate, PieceValue};
use crate::values::inference::joint_test;
use crate::values::inference::sandwich;
use crate::values::model::{self, FitError, FractionalLogit, ModelFit, ProportionalOdds, RegressionModel};
use crate::values::results::{
    Analysis, FitSummary, GameSummary, MeasurementReport, ResultCount, ScoreScale, TerminationCount,
};

/// Why there is no answer.
#[derive(Debug, Error)]
pub enum AnalysisError {
    /// The model cannot be fitted.
    #[error("{files}: {why}")]
    ModelFit {
        /// The files of games.
        files: String,
        /// Why not.
        why: FitError,
    },
    /// Values at the stages of the game cannot be told apart.
    #[error(
        "{files}: {why}; these games do not tell the stages of the game apart: more games are needed, or ask for fewer values \
         (--phase-model linear) or for one over the whole game (--phase-model constant)"
    )]
    PhaseModel {
        /// The files of games.
        files: String,
        /// Why not.
        why: FitError,
    },
}

/// How games are analysed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnalysisOptions {
    /// How values may depend on the course of the game; none for as closely as the games tell.
    pub phase_model: Option<PhaseModel>,
    /// How often opening pairs are resampled; 0 for not at all.
    pub resamples: usize,
    /// The seed of that.
    pub seed: u64,
}

impl Default for AnalysisOptions {
    fn default() -> AnalysisOptions {
        AnalysisOptions {
            phase_model: None,
            resamples: 1_000,
            seed: 1,
        }
    }
}

/// Fits proportional odds and says everything that follows.
///
/// # Errors
/// When the games cannot answer.
pub fn analyze(data: &Dataset, options: &AnalysisOptions) -> Result<Analysis, AnalysisError> {
    let fit = |phase_model: PhaseModel| fitted(data, &DesignSpec::of(data, phase_model), options);
    options
        .phase_model
        .map_or_else(|| as_close_as_told(fit), fit)
        .map_err(|why| {
            let files: Vec<String> = data.files.iter().map(|file| file.path.display().to_string()).collect();
            let files = files.join(", ");
            // Is it the course of the game that cannot be told, or is there no answer anyhow?
            let flat = DesignSpec::of(data, PhaseModel::Constant);
            let design = flat.design(&data.games);
            if options.phase_model.is_some() && measure(&design, &flat, 1.0, &ProportionalOdds::of(&design)).is_ok() {
                AnalysisError::PhaseModel { files, why }
            } else {
                AnalysisError::ModelFit { files, why }
            }
        })
}

/// The fit with the most values over the course of the game that has an answer.
fn as_close_as_told<T>(fit: impl Fn(PhaseModel) -> Result<T, FitError>) -> Result<T, FitError> {
    fit(PhaseModel::PiecewiseLinear)
        .or_else(|_| fit(PhaseModel::Linear))
        .or_else(|_| fit(PhaseModel::Constant))
}

/// The values alone, without anything that checks them: over the course of the game where the games tell it, else one value a
/// kind.
///
/// # Errors
/// When the games cannot answer.
pub fn values_alone(data: &Dataset) -> Result<Estimate, FitError> {
    let fit = |phase_model: PhaseModel| {
        let columns = DesignSpec::of(data, phase_model);
        let design = columns.design(&data.games);
        measure(
            &design,
            &columns,
            columns.mean_pieces_left(&data.games),
            &ProportionalOdds::of(&design),
        )
    };
    as_close_as_told(fit)
}

fn fitted(data: &Dataset, columns: &DesignSpec, options: &AnalysisOptions) -> Result<Analysis, FitError> {
    let design = columns.design(&data.games);
    let mean_left = columns.mean_pieces_left(&data.games);
    let model = ProportionalOdds::of(&design);
    let fit = model::fit(&model, &design)?;
    let estimate = estimate(&design, columns, mean_left, &fit);
    let clusters = design.cluster_count();
    let game = &data.game;
    let bootstrap = (options.resamples > 0).then(|| {
        cluster_bootstrap(
            &model,
            &design,
            &fit,
            &estimate.covariance,
            options.resamples,
            options.seed,
        )
    });
    let report = MeasurementReport {
        assay: env!("CARGO_PKG_VERSION").to_owned(),
        game: game.name.clone(),
        title: game.title.clone(),
        source: game.source.clone(),
        values: values(data, &design, &estimate, bootstrap.as_ref()),
        scale: scale(data, &estimate, &model),
        joint_test: joint_test::joint_test(&estimate, game, clusters),
        cross_validation: cross_validation(data, &design, &estimate, &model),
        convergence: convergence::measure_convergence(&design, data.games.len(), |part| {
            let estimate = measure(part, columns, mean_left, &model).ok()?;
            Some(half_widths(&estimate.values(game)))
        }),
        diagnostics: diagnose(&model, columns, &design, &fit, &columns.pieces_left_by_row(&data.games)),
        bootstrap,
        omitted: columns.omitted.iter().map(|term| term.name(game)).collect(),
        games: describe(data),
        fit: FitSummary {
            model: model.name().to_owned(),
            phase_model: columns.phase_model,
            pieces_left: mean_left,
            start_difference: fit.start_difference,
            log_likelihood: fit.log_likelihood / design.total_weight(),
            level: distributions::CONFIDENCE_LEVEL,
            critical_value: estimate.critical_value,
            iterations: fit.iterations,
            gradient: fit.gradient,
            columns: design.columns().iter().cloned().chain(model.nuisance_names()).collect(),
            coefficients: estimate.coefficients.iter().copied().collect(),
            standard_errors: sandwich::standard_errors(&estimate.covariance)
                .iter()
                .copied()
                .collect(),
            covariance: estimate
                .covariance
                .row_iter()
                .map(|row| row.iter().copied().collect())
                .collect(),
        },
        files: data.files.clone(),
        playtest: None,
        agreement: None,
        command: None,
    };
    Ok(Analysis { report, estimate })
}

/// The table of values with its cross-checks.
fn values(
    data: &Dataset,
    design: &DesignMatrix,
    estimate: &Estimate,
    bootstrap: Option<&Bootstrap>,
) -> Vec<PieceValue> {
    let game = &data.game;
    let columns = &estimate.columns;
    let fractional = measure(design, columns, estimate.mean_left, &FractionalLogit).ok();
    let fractional = fractional.map(|estimate| estimate.values(game)).unwrap_or_default();
    let mut values = estimate.values(game);
    let regressors: Vec<(String, Regressor)> = columns
        .fitted_regressors()
        .map(|term| (term.name(game), term))
        .collect();
    for value in values.iter_mut().filter(|value| value.interval.is_some()) {
        value.fractional_logit = fractional
            .iter()
            .find(|other| other.piece == value.piece)
            .and_then(|other| other.measured);
        value.games_needed = games_needed(value, data.games.len());
        let term = regressors
            .iter()
            .find(|(name, _)| *name == value.piece)
            .map(|&(_, term)| term);
        let parameters = estimate.coefficients.len();
        let above = term.and_then(|term| columns.contrast(term, estimate.mean_left, parameters));
        let below = columns.contrast(Regressor::Kind(game.pawn), estimate.mean_left, parameters);
        if let (Some(bootstrap), Some(above), Some(below)) = (bootstrap, above, below) {
            value.bootstrap_interval = bootstrap.interval(|parameters| above.dot(parameters) / below.dot(parameters));
        }
    }
    values
}

/// By the square-root law.
fn games_needed(value: &PieceValue, games: usize) -> Option<u64> {
    let half_width = value.interval?.width()? / 2.0;
    let wanted = (0.02 * value.measured?.abs()).max(0.1);
    let times = (half_width / wanted).powi(2).max(1.0);
    Some((games as f64 * times).ceil() as u64)
}

fn estimate(design: &DesignMatrix, columns: &DesignSpec, mean_left: f64, fit: &ModelFit) -> Estimate {
    Estimate {
        columns: columns.clone(),
        covariance: sandwich::cluster_robust_covariance(fit),
        coefficients: fit.coefficients.clone(),
        critical_value: distributions::critical_value(design.cluster_count()),
        mean_left,
    }
}

/// The estimate of a model from one start.
fn measure(
    design: &DesignMatrix,
    columns: &DesignSpec,
    mean_left: f64,
    model: &dyn RegressionModel,
) -> Result<Estimate, FitError> {
    Ok(estimate(
        design,
        columns,
        mean_left,
        &model::fit_from(model, design, None)?,
    ))
}

fn half_widths(values: &[PieceValue]) -> Vec<HalfWidth> {
    let with_interval = values.iter().filter_map(|value| Some((value, value.interval?)));
    with_interval
        .map(|(value, region)| HalfWidth {
            piece: value.piece.clone(),
            pawns: region.width().map(|width| width / 2.0),
        })
        .collect()
}

fn scale(data: &Dataset, estimate: &Estimate, model: &dyn RegressionModel) -> ScoreScale {
    let pawn = Regressor::Kind(data.game.pawn);
    let nuisance = &estimate.coefficients.as_slice()[estimate.columns.len()..];
    let score = |log_odds: f64| model.expected(log_odds, nuisance);
    let at = |left: f64| estimate.log_odds(pawn, left).unwrap_or_default();
    let (log_odds, error) = at(estimate.mean_left);
    let critical_value = estimate.critical_value;
    ScoreScale {
        pawn_score: score(log_odds),
        pawn_score_interval: [
            score(log_odds - critical_value * error),
            score(log_odds + critical_value * error),
        ],
        pawn_score_full_board: score(at(1.0).0),
        pawn_score_few_pieces: score(at(FEW).0),
        side_to_move: estimate.value(&data.game, Regressor::SideToMove),
        white: estimate.value(&data.game, Regressor::White),
    }
}

/// Compares with the constant and, when the inventor has values, with those at the best scale (one for each stage of the game at
/// which values are measured).
fn cross_validation(
    data: &Dataset,
    design: &DesignMatrix,
    estimate: &Estimate,
    model: &dyn RegressionModel,
) -> Option<CrossValidation> {
    let columns = &estimate.columns;
    let white = columns.index(Column::Constant(Regressor::White))?;
    let constant = design.transformed(vec![Regressor::White.name(&data.game)], |_, old| old[white]);
    let pawn = Regressor::Kind(data.game.pawn);
    let has_claims = columns
        .fitted_regressors()
        .any(|term| term != pawn && term.inventor_in_pawns(&data.game).is_some());
    let claim = |term: Regressor| term.inventor_in_pawns(&data.game).unwrap_or(0.0);
    // What each column adds to the inventor's material, by the stage.
    let claims: Vec<(usize, f64)> = columns
        .columns
        .iter()
        .map(|&column| match column {
            Column::FewPieces(term) => (2, claim(term)),
            Column::BareBoard(term) => (1, claim(term)),
            Column::FullBoard(term) | Column::Constant(term) => (0, claim(term)),
        })
        .collect();
    let nuisances: Vec<usize> = [Regressor::SideToMove, Regressor::White]
        .into_iter()
        .filter_map(|term| columns.index(Column::Constant(term)))
        .collect();
    let scales = match columns.phase_model {
        PhaseModel::Constant => 1,
        PhaseModel::Linear => 2,
        PhaseModel::PiecewiseLinear => 3,
    };
    let names = (0..scales)
        .map(|scale| format!("the inventor's values ({scale})"))
        .chain(nuisances.iter().map(|&index| design.columns()[index].clone()));
    let inventor = has_claims.then(|| {
        design.transformed(names.collect(), |column, old| {
            if column >= scales {
                return old[nuisances[column - scales]];
            }
            let parts = old.iter().zip(&claims).filter(|(_, claim)| claim.0 == column);
            parts.map(|(number, claim)| number * claim.1).sum()
        })
    });
    cross_validation::cross_validate(model, design, &constant, inventor.as_ref(), estimate.critical_value).ok()
}

fn describe(data: &Dataset) -> GameSummary {
    let mut results: BTreeMap<Points, usize> = BTreeMap::new();
    let mut terminations: BTreeMap<&'static str, usize> = BTreeMap::new();
    let mut pairs: BTreeMap<usize, usize> = BTreeMap::new();
    for game in &data.games {
        *results.entry(game.white).or_default() += 1;
        *terminations.entry(Termination::name(game.reason)).or_default() += 1;
        *pairs.entry(game.cluster).or_default() += 1;
    }
    let mut terminations: Vec<TerminationCount> = terminations
        .into_iter()
        .map(|(name, games)| TerminationCount {
            termination: name.to_owned(),
            games,
        })
        .collect();
    terminations.sort_by_key(|count| std::cmp::Reverse(count.games));
    let count = data.games.len() as f64;
    GameSummary {
        games: data.games.len(),
        pairs: pairs.len(),
        incomplete_pairs: pairs.values().filter(|&&games| games < 2).count(),
        without_positions: data.games.iter().filter(|game| game.samples.is_empty()).count(),
        positions: data.games.iter().map(|game| game.positions() as usize).sum(),
        mean_plies: data.games.iter().map(|game| game.plies as f64).sum::<f64>() / count,
        white_score: data.games.iter().map(|game| game.white.as_f64()).sum::<f64>() / count,
        results: results
            .into_iter()
            .rev()
            .map(|(score, games)| ResultCount {
                white: score.as_f64(),
                games,
            })
            .collect(),
        terminations,
    }
}
