//! Runs all parts of an analysis: fit, values, tests, cross-validation, bootstrap, diagnostics.

mod alternatives;

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use crate::values::data::{DataError, Dataset, MaterialSample, Regressor, SampledGame, join_names};
use crate::values::design::{DesignMatrix, DesignSpec, FEW, PhaseModel};
use crate::values::estimate::ByMoves;
use crate::values::inference::bootstrap::cluster_bootstrap;
use crate::values::inference::convergence::measure_convergence;
use crate::values::inference::cross_validation;
use crate::values::inference::diagnostics::diagnose;
use crate::values::inference::given_material;
use crate::values::inference::scale::judge;
use crate::values::inference::slices::{SLICE, SLICES, is_in_slice};
use crate::values::inference::{CONFIDENCE_LEVEL, critical_value};
use crate::values::inference::{CrossValidation, Fit, JointTest, PhaseSlice, Quantity, Unit, ValueTable};
use crate::values::model::{self, FitError, Logit};
use crate::values::results::{
    DecidedGames, FitSummary, GameSummary, MeasurementReport, ResultCount, ScoreScale, TerminationCount,
};
use assay_rules::Points;
use assay_selfplay::game::GameEnd;

/// The end of the error if one value for each piece can be fitted, but not values that depend on
/// the game phase.
const CONSTANT_VALUES: &str = "; these games do not determine how values depend on the game phase: play more games, or measure one value \
                               for each piece, which averages over the phases (--phase-model constant)";

/// Options of the regression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnalysisOptions {
    /// Dependence of values on the game phase.
    pub phase_model: PhaseModel,
    /// Bootstrap replicates that check the intervals; 0 for none.
    pub resamples: usize,
}

impl Default for AnalysisOptions {
    fn default() -> AnalysisOptions {
        AnalysisOptions { phase_model: PhaseModel::default(), resamples: 1_000 }
    }
}

/// Fits the proportional odds model and computes everything that is reported.
///
/// # Errors
/// If the model cannot be fitted.
pub fn analyze(data: &Dataset, options: &AnalysisOptions) -> Result<MeasurementReport, DataError> {
    analyze_watched(data, options, &|| ControlFlow::Continue(()))
}

/// As [`analyze`]; `watch` is called between the parts of the analysis and may end it.
///
/// # Errors
/// As [`analyze`], and [`FitError::Stopped`] if `watch` ends the analysis.
pub fn analyze_watched(
    data: &Dataset,
    options: &AnalysisOptions,
    watch: &dyn Fn() -> ControlFlow<()>,
) -> Result<MeasurementReport, DataError> {
    fitted(data, &DesignSpec::of(data, options.phase_model), options, watch).map_err(|error| {
        let fits_constant_values = options.phase_model != PhaseModel::Constant
            && error != FitError::Stopped
            && Fit::of_games(data, PhaseModel::Constant).is_ok();
        let hint = if fits_constant_values { CONSTANT_VALUES } else { "" };
        DataError::at(join_names(&data.files), format_args!("{error}{hint}"))
    })
}

fn fitted(
    data: &Dataset,
    spec: &DesignSpec,
    options: &AnalysisOptions,
    watch: &dyn Fn() -> ControlFlow<()>,
) -> Result<MeasurementReport, FitError> {
    let go_on = || match watch() {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(FitError::Stopped),
    };
    let design = spec.design_matrix(&data.games);
    let mean_left = spec.mean_pieces_left(&data.games);
    let model = Logit::of(&design);
    go_on()?;
    let fitted = model::or_penalized(model::fit(&model, &design), &model, &design)?;
    go_on()?;
    let raw = Fit::new(&fitted, spec, mean_left);
    raw.measures_a_piece()?;
    let covariance = &raw.sample.covariance;
    let critical_value = critical_value(raw.sample.clusters);
    let game = &data.game;
    // Replicates of separated results have no maximum either.
    let bootstrap = (options.resamples > 0 && fitted.separated.is_empty())
        .then(|| cluster_bootstrap(&model, &design, &fitted, covariance, options.resamples))
        // Too few replicates could be fitted.
        .filter(|bootstrap| bootstrap.sd_ratio.iter().all(|ratio| ratio.is_finite()));
    go_on()?;
    let cross_validation = cross_validation(data, &design, spec, &model);
    go_on()?;
    let convergence =
        measure_convergence(&design, data.games.len(), |part| Fit::of_design(part, spec, mean_left, &model).ok());
    go_on()?;
    let slices = slices(data);
    go_on()?;
    let fit = raw.clone().without_feedback(data.own_values.as_ref());
    let mut tables = fit.tables();
    judge(&mut tables);
    let by_moves = ValueTable::in_unit(&tables, Some(Unit::Army)).map(|shares| ByMoves::of(game, shares));
    let given_material = Some(given_material::test(data, spec, &design, &raw));
    let alternatives = if options.resamples > 0 {
        go_on()?;
        alternatives::alternatives(data, spec.phase_model, &slices)
    } else {
        Vec::new()
    };
    Ok(MeasurementReport {
        assay: env!("CARGO_PKG_VERSION").to_owned(),
        game: game.name.clone(),
        title: game.title.clone(),
        source: game.source.clone(),
        scale: scale(&fit, &model),
        joint_test: test_published(&fit),
        cross_validation,
        convergence,
        diagnostics: diagnose(&model, spec, &design, &fitted, &spec.pieces_left_by_row(&data.games)),
        bootstrap,
        omitted: spec.omitted.iter().map(|term| term.name(game)).collect(),
        games: describe(data, spec),
        fit: FitSummary {
            model: Logit::NAME.to_owned(),
            phase_model: spec.phase_model,
            pieces_left: mean_left,
            start_difference: fitted.start_difference,
            separated: fitted.separated.clone(),
            log_likelihood: fitted.log_likelihood / design.total_weight(),
            level: CONFIDENCE_LEVEL,
            critical_value,
            iterations: fitted.iterations,
            gradient: fitted.gradient,
            columns: model.parameter_names(&design),
            coefficients: raw.coefficients.iter().copied().collect(),
            standard_errors: covariance.diagonal().map(f64::sqrt).iter().copied().collect(),
            covariance: covariance.row_iter().map(|row| row.iter().copied().collect()).collect(),
            feedback: fit.feedback.as_deref().cloned(),
        },
        files: data.files.clone(),
        playtest: None,
        agreement: None,
        command: None,
        alternatives,
        slices,
        sample_games: data.sample_games.clone(),
        definition: data.definition.clone(),
        tables,
        bonuses: fit.bonuses(),
        ranking: fit.ranking(),
        by_moves: by_moves.unwrap_or_default(),
        given_material,
    })
}

/// Tests the hypothesis that each piece is worth the published value times the pawn's, averaged
/// over the positions of the fit. `None` if there is nothing to test, or if there are too few
/// opening pairs.
fn test_published(fit: &Fit) -> Option<JointTest> {
    let pawn = Regressor::Kind(fit.game.first_pawn());
    let unit = fit.worth(pawn, fit.mean_left)?;
    let others = fit.regressors().into_iter().filter(|&regressor| regressor != pawn);
    let difference = |regressor: Regressor| {
        let worth = fit.worth(regressor, fit.mean_left)?;
        Some(fit.quantity(worth - &unit * regressor.published_in_pawns(&fit.game)?))
    };
    Quantity::joint_test(&others.filter_map(difference).collect::<Vec<_>>())
}

/// Values fitted to the positions of one slice of the game at a time, with one value for each
/// piece. Slices that cannot be fitted are left out.
fn slices(data: &Dataset) -> Vec<PhaseSlice> {
    let all = DesignSpec::all(&data.game, &Regressor::all(&data.game), PhaseModel::Constant);
    let slice = |&low: &f64| {
        let is_inside = |sample: &MaterialSample| is_in_slice(low, all.pieces_left(sample.pieces));
        let rows = data.games.iter().flat_map(|game| all.weights(game));
        let inside = rows.filter(|(sample, _)| is_inside(sample));
        let weight = inside.map(|(_, weight)| weight).sum();
        let games = data.games.iter().map(|game| {
            let mut game = game.clone();
            game.samples.retain(is_inside);
            game
        });
        let part = data.with_games(games.filter(|game| !game.samples.is_empty()).collect());
        let spec = DesignSpec::of_phases(&part, PhaseModel::Constant, 0.0);
        let design = spec.design_matrix(&part.games);
        let left = spec.mean_pieces_left(&part.games);
        let fit = Fit::of_design(&design, &spec, left, &Logit::of(&design)).ok()?;
        let fit = fit.without_feedback(data.own_values.as_ref());
        let values = fit.kinds().into_iter().map(|kind| {
            let piece = data.game.kind(kind).name.clone();
            let in_unit = |unit: Unit| Some((unit, fit.value_in(unit, &piece, left)?));
            (piece.clone(), Unit::ALL.into_iter().filter_map(in_unit).collect())
        });
        Some(PhaseSlice { low, high: low + SLICE, left, games: part.games.len(), weight, values: values.collect() })
    };
    SLICES.iter().filter_map(slice).collect()
}

fn scale(fit: &Fit, model: &Logit) -> ScoreScale {
    let pawn = Regressor::Kind(fit.game.first_pawn());
    let score = |log_odds: f64| model.expected(log_odds, model.thresholds(&fit.coefficients));
    let at = |left: f64| fit.log_odds(pawn, left).unwrap_or_default();
    let average = fit.contrast(pawn, fit.mean_left).map(|contrast| fit.quantity(contrast).estimate());
    let in_pawns = |regressor| fit.in_pawns(regressor, fit.mean_left).filter(|value| value.interval.is_some());
    ScoreScale {
        pawn_score: average.and_then(|average| average.map(score)),
        pawn_score_full_board: score(at(1.0).0),
        pawn_score_few_pieces: score(at(FEW).0),
        side_to_move: in_pawns(Regressor::SideToMove),
        white: in_pawns(Regressor::White),
        rating: in_pawns(Regressor::Rating),
    }
}

/// Cross-validates against a constant and against the published values, if there are any, with one
/// free scale for each knot of the phase model.
fn cross_validation(
    data: &Dataset,
    design: &DesignMatrix,
    spec: &DesignSpec,
    model: &Logit,
) -> Option<CrossValidation> {
    let white = spec.constant(Regressor::White)?;
    let constant = design.transformed(vec![Regressor::White.name(&data.game)], |_, old| old[white]);
    let pawn = Regressor::Kind(data.game.first_pawn());
    let has_claims = spec.fitted_regressors().any(|term| term != pawn && term.published_in_pawns(&data.game).is_some());
    let claim = |term: Regressor| term.published_in_pawns(&data.game).unwrap_or(0.0);
    // Each column's scale and published value.
    let claims: Vec<(usize, f64)> =
        spec.columns.iter().map(|column| (column.knot.unwrap_or(0), claim(column.regressor))).collect();
    let constants = Regressor::CONSTANTS.into_iter().filter_map(|term| spec.constant(term));
    let constants: Vec<usize> = constants.collect();
    let scales = spec.phase_model.knots().len();
    let names = (0..scales)
        .map(|scale| format!("published values ({scale})"))
        .chain(constants.iter().map(|&index| design.columns()[index].clone()));
    let published = has_claims.then(|| {
        design.transformed(names.collect(), |column, old| {
            if column >= scales {
                return old[constants[column - scales]];
            }
            let parts = old.iter().zip(&claims).filter(|(_, claim)| claim.0 == column);
            parts.map(|(number, claim)| number * claim.1).sum()
        })
    });
    cross_validation::cross_validate(model, design, &constant, published.as_ref()).ok()
}

fn describe(data: &Dataset, spec: &DesignSpec) -> GameSummary {
    let results = counts(data.games.iter().map(|game| game.white));
    let pairs = counts(data.games.iter().map(|game| game.cluster));
    let terminations = counts(data.games.iter().map(|game| game.end.name()));
    let terminations =
        terminations.into_iter().map(|(name, games)| TerminationCount { termination: name.to_owned(), games });
    let mut terminations: Vec<TerminationCount> = terminations.collect();
    terminations.sort_by_key(|count| std::cmp::Reverse(count.games));
    let count = data.games.len() as f64;
    let mean = |number: fn(&SampledGame) -> f64| data.games.iter().map(number).sum::<f64>() / count;
    let is_fitted = |game: &&SampledGame| spec.samples(game).next().is_some();
    let samples = data.games.iter().flat_map(|game| spec.samples(game));
    let result = |(score, games): (Points, usize)| ResultCount { white: score.as_f64(), games };
    GameSummary {
        games: data.games.len(),
        pairs: pairs.len(),
        incomplete_pairs: pairs.values().filter(|&&games| games < 2).count(),
        without_positions: data.games.len() - data.games.iter().filter(is_fitted).count(),
        positions: samples.map(|sample| sample.positions as usize).sum(),
        mean_plies: mean(|game| game.plies as f64),
        white_score: mean(|game| game.white.as_f64()),
        results: results.into_iter().rev().map(result).collect(),
        terminations,
        decided: decided(&data.games),
    }
}

fn decided(games: &[SampledGame]) -> Option<DecidedGames> {
    let mut found = DecidedGames { ended: 0, played_on: 0, otherwise: 0 };
    for (game, points) in games.iter().filter_map(|game| Some((game, game.decided?))) {
        if game.end == GameEnd::Resignation {
            found.ended += 1;
        } else {
            found.played_on += 1;
            found.otherwise += usize::from(game.white != points);
        }
    }
    (found.ended > 0).then_some(found)
}

/// How often each thing occurs.
fn counts<T: Ord>(things: impl Iterator<Item = T>) -> BTreeMap<T, usize> {
    let mut counts = BTreeMap::new();
    for thing in things {
        *counts.entry(thing).or_default() += 1;
    }
    counts
}
