//! What a piece is worth by its moves alone: a regression on the pieces of an atlas, as a
//! random-effects meta-regression (Thompson and Sharp 1999) with the variance between pieces by the
//! method of Paule and Mandel (1982).
//!
//! A measured value is `x'b (1 + u) + e`. `x` are the [`features`] of the piece on its board, `e`
//! is the error of the measurement, which is known, and `u`, with standard deviation `spread`, is
//! what the features do not tell about the piece. The interval of a prediction includes the `u` of
//! a piece that nobody has measured. It is tested on pieces that are held out ([`HeldOut`]).

use assay_engine::eval::mobility::{AverageMobility, EMPTY};
use assay_rules::{GameDef, Kind};
use nalgebra::{DMatrix, DVector, RowDVector};
use serde::{Deserialize, Serialize};
use statrs::statistics::{Data, OrderStatistics};

use crate::values::candidate::{Host, HostArmy};
use crate::values::data::material::kind_named;
#[cfg(doc)]
use crate::values::inference::Unit;
use crate::values::inference::{CONFIDENCE_LEVEL, Estimate, MeasuredValue, ValueTable, t_critical_value};
use assay_selfplay::statistics::range;

/// Names of the [`features`], in their order.
pub const FEATURES: [&str; 5] = ["moves", "captures", "forward captures", "square", "color-bound"];

/// Errors are relative to the predicted value, but not to less than this: a formula may predict
/// that a bad piece is worth nothing.
const LEAST_VALUE: f64 = 0.5;

/// Singular values of a design below this one are rounding errors: the features are of the size of
/// 1.
const LEAST_SINGULAR_VALUE: f64 = 1e-6;

/// Weights and spread have converged when no prediction changes by more than this, in pawns. Real
/// data take a few rounds.
const MOST_CHANGE: f64 = 1e-6;
const MAX_ROUNDS: usize = 200;

/// A piece varies by at most this share of its predicted value.
const MOST_SPREAD: f64 = 10.0;

/// What a piece can do on its board when 30% of the squares are occupied: the average number of
/// squares that it moves to, of those that it attacks, and of the attacked ones that are nearer to
/// the opponent's side; a tenth of the square of the mean of the first two, because the moves of
/// strong pieces help each other; and this mean again if the piece never leaves squares of one
/// color, else 0.
pub fn features(game: &GameDef, kind: Kind) -> [f64; FEATURES.len()] {
    let all = AverageMobility::new(game, kind);
    let forward = AverageMobility::of_paths(game, kind, EMPTY, |path| path.delta.rank > 0);
    let mean = f64::midpoint(all.moves, all.captures);
    let bound = if game.kinds.is_color_bound(kind) { mean } else { 0.0 };
    [all.moves, all.captures, forward.captures, mean * mean / 10.0, bound]
}

/// A measured piece.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// Movement in XBetza; the same one may be measured on several boards.
    pub movement: String,
    pub features: [f64; FEATURES.len()],
    pub value: f64,
    pub standard_error: f64,
}

/// The coefficients of the [`features`] and how far they are to be trusted. Values are on the scale
/// of the atlas.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct EstimateModel {
    /// Measured values that it is fitted to.
    #[serde(deserialize_with = "range::count")]
    pub values: usize,
    pub coefficients: Vec<Coefficient>,
    /// Covariance of the coefficients, by rows.
    #[serde(deserialize_with = "range::covariance")]
    pub covariance: Vec<Vec<f64>>,
    /// Standard deviation of a piece's value around its prediction, as a share of the prediction.
    #[serde(deserialize_with = "range::non_negative")]
    pub spread: f64,
    /// `None` if no piece can be predicted by the others.
    pub held_out: Option<HeldOut>,
}

#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Coefficient {
    pub feature: String,
    #[serde(deserialize_with = "range::any")]
    pub value: f64,
    #[serde(deserialize_with = "range::non_negative")]
    pub standard_error: f64,
}

/// Pieces predicted by a model of the other pieces, on all boards; without those that alone
/// determine a coefficient.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct HeldOut {
    /// Measured values that were predicted.
    #[serde(deserialize_with = "range::count")]
    pub values: usize,
    /// Those that are within the interval of their prediction, with their own error included.
    #[serde(deserialize_with = "range::count")]
    pub covered: usize,
    /// Median of the deviations, as shares of the predictions.
    #[serde(deserialize_with = "range::non_negative")]
    pub median_deviation: f64,
}

impl EstimateModel {
    /// The model of the atlas that Assay was built with.
    ///
    /// # Panics
    /// Never: a test reads it.
    pub fn of_atlas() -> EstimateModel {
        serde_json::from_str(include_str!("estimate/model.json")).expect("the file is valid")
    }

    /// Fits measured values, which were also [predicted by the others](predict_by_others); `None`
    /// if they do not determine the coefficients, or weights and spread do not converge.
    pub fn new(known: &[Known], predictions: &[Option<Estimate>]) -> Option<EstimateModel> {
        let mut model = EstimateModel::fit(&known.iter().collect::<Vec<_>>())?;
        model.held_out = HeldOut::of(known, predictions);
        Some(model)
    }

    fn fit(known: &[&Known]) -> Option<EstimateModel> {
        let design = DMatrix::from_fn(known.len(), FEATURES.len(), |row, column| known[row].features[column]);
        if known.len() <= FEATURES.len() || design.rank(LEAST_SINGULAR_VALUE) < FEATURES.len() {
            return None;
        }
        let values = DVector::from_iterator(known.len(), known.iter().map(|piece| piece.value));
        let weighted = |weights: &DVector<f64>| {
            let scaled =
                DMatrix::from_fn(known.len(), FEATURES.len(), |row, column| design[(row, column)] * weights[row]);
            let covariance = (scaled.transpose() * &design).cholesky()?.inverse();
            let coefficients = &covariance * scaled.transpose() * &values;
            Some((coefficients, covariance))
        };
        let errors = DVector::from_iterator(known.len(), known.iter().map(|piece| piece.standard_error));
        let weights = |spread: f64, predicted: &DVector<f64>| {
            errors.zip_map(predicted, |error, predicted| variance(error, spread, predicted).recip())
        };
        // Paule and Mandel: the weighted squares are then what they are expected to be.
        let expected = (known.len() - FEATURES.len()) as f64;
        let excess = |spread: f64, predicted: &DVector<f64>| {
            let weights = weights(spread, predicted);
            let (coefficients, _) = weighted(&weights)?;
            let residuals = &values - &design * coefficients;
            Some(residuals.component_mul(&residuals).dot(&weights) - expected)
        };
        let mut predicted = values.clone();
        let mut spread = 0.0;
        let mut has_converged = false;
        for _ in 0..MAX_ROUNDS {
            spread = root(|spread| excess(spread, &predicted))?;
            let next = &design * weighted(&weights(spread, &predicted))?.0;
            has_converged = (&next - &predicted).amax() < MOST_CHANGE;
            predicted = next;
            if has_converged {
                break;
            }
        }
        if !has_converged {
            return None;
        }
        let (coefficients, covariance) = weighted(&weights(spread, &predicted))?;
        let coefficient = |(index, feature): (usize, &str)| Coefficient {
            feature: feature.to_owned(),
            value: coefficients[index],
            standard_error: covariance[(index, index)].sqrt(),
        };
        Some(EstimateModel {
            values: known.len(),
            coefficients: FEATURES.into_iter().enumerate().map(coefficient).collect(),
            covariance: covariance.row_iter().map(|row| row.iter().copied().collect()).collect(),
            spread,
            held_out: None,
        })
    }

    /// The value of a piece that is not measured, with an interval that contains it with 95%
    /// probability.
    pub fn predict(&self, features: &[f64; FEATURES.len()]) -> Estimate {
        self.predict_measured(features, 0.0)
    }

    /// The prediction of a measurement with this standard error.
    fn predict_measured(&self, features: &[f64; FEATURES.len()], standard_error: f64) -> Estimate {
        let row = RowDVector::from_row_slice(features);
        let covariance = DMatrix::from_fn(FEATURES.len(), FEATURES.len(), |row, column| self.covariance[row][column]);
        let coefficients = self.coefficients.iter().map(|coefficient| coefficient.value);
        let value: f64 = coefficients.zip(features).map(|(coefficient, feature)| coefficient * feature).sum();
        let of_coefficients = (&row * covariance * row.transpose())[(0, 0)];
        let error = (variance(standard_error, self.spread, value) + of_coefficients).sqrt();
        let half_width = t_critical_value((self.values - FEATURES.len()) as f64, CONFIDENCE_LEVEL) * error;
        Estimate::around(value, half_width)
    }
}

/// An estimate of what a piece is worth.
#[derive(Clone, Debug, Serialize)]
pub struct PieceEstimate {
    /// Movement in XBetza.
    pub piece: String,
    /// On the scale of the atlas.
    pub value: Estimate,
    /// True for a piece of the armies of the atlas, whose value the scale defines.
    pub defines_scale: bool,
}

/// What the moves of a measured piece say about its value.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct ByMoves {
    pub piece: String,
    /// Its value by its moves alone, in the unit [`Unit::Army`].
    pub moves: Estimate,
    /// By its moves and the games together; `None` if they contradict each other, or if the games
    /// set no bound.
    pub together: Option<Estimate>,
}

impl ByMoves {
    /// Of the pieces without a published value. Empty unless the published values of the game are
    /// those of the atlas, whose scale the estimates have.
    ///
    /// # Panics
    /// Never: a test reads the armies.
    pub fn of(game: &GameDef, shares: &ValueTable) -> Vec<ByMoves> {
        let armies = Host::from(HostArmy::Wide).game().expect("a test reads it");
        let is_of_atlas = |kind: Kind| {
            let piece = game.kind(kind);
            let known = armies.kinds.iter().find(|known| known.movement == piece.movement);
            piece.value.is_none() || known.is_some_and(|known| known.value == piece.value)
        };
        if !game.kinds.all().all(is_of_atlas) {
            return Vec::new();
        }
        let model = EstimateModel::of_atlas();
        let of_piece = |value: &MeasuredValue| {
            let kind = kind_named(game, &value.piece).filter(|&kind| game.kind(kind).value.is_none())?;
            let moves = model.predict(&features(game, kind));
            Some(ByMoves { piece: value.piece.clone(), moves, together: together(moves, value.measured) })
        };
        shares.values.iter().filter_map(of_piece).collect()
    }
}

/// The mean of the estimates by moves and by games, weighted by their precision, where the
/// variation of pieces around the model is the prior of the piece (empirical Bayes). `None` if the
/// two differ by more than their errors allow: then the piece is not like those of the atlas.
fn together(moves: Estimate, games: Estimate) -> Option<Estimate> {
    let (of_moves, of_games) = (moves.half_width()?, games.half_width()?);
    let weight = of_moves.powi(2) / (of_moves.powi(2) + of_games.powi(2));
    let is_alike = (moves.value - games.value).abs() <= of_moves.hypot(of_games);
    let value = weight * games.value + (1.0 - weight) * moves.value;
    is_alike.then(|| Estimate::around(value, weight.sqrt() * of_games))
}

/// Estimated values of some pieces of a game, by their names. `armies` has the pieces that define
/// the scale, with their values.
pub fn estimates(model: &EstimateModel, game: &GameDef, armies: &GameDef, pieces: &[String]) -> Vec<PieceEstimate> {
    let kinds = game.kinds.all().filter(|&kind| pieces.contains(&game.kind(kind).name));
    let estimate = |kind: Kind| {
        let piece = game.kind(kind);
        let anchor = armies.kinds.iter().find(|known| known.movement == piece.movement).and_then(|known| known.value);
        let predicted = || model.predict(&features(game, kind));
        PieceEstimate {
            piece: piece.name.clone(),
            value: anchor.map_or_else(predicted, |value| Estimate::around(value, 0.0)),
            defines_scale: anchor.is_some(),
        }
    };
    kinds.map(estimate).collect()
}

/// Variance of a measured value around its prediction.
fn variance(standard_error: f64, spread: f64, predicted: f64) -> f64 {
    standard_error.powi(2) + (spread * predicted.max(LEAST_VALUE)).powi(2)
}

/// The root of a decreasing function; 0 if the function is negative at 0.
fn root(function: impl Fn(f64) -> Option<f64>) -> Option<f64> {
    let (mut low, mut high) = (0.0, MOST_SPREAD);
    if function(low)? <= 0.0 {
        return Some(0.0);
    }
    while high - low > 1e-9 {
        let middle = f64::midpoint(low, high);
        if function(middle)? > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some(high)
}

/// Each measured value as the pieces with other movements predict it; `None` if they do not.
pub fn predict_by_others(known: &[Known]) -> Vec<Option<Estimate>> {
    let predict = |piece: &Known| {
        let others: Vec<&Known> = known.iter().filter(|other| other.movement != piece.movement).collect();
        Some(EstimateModel::fit(&others)?.predict_measured(&piece.features, piece.standard_error))
    };
    known.iter().map(predict).collect()
}

impl HeldOut {
    fn of(known: &[Known], predictions: &[Option<Estimate>]) -> Option<HeldOut> {
        let predictions: Vec<(&Known, Estimate)> =
            known.iter().zip(predictions).filter_map(|(piece, &predicted)| Some((piece, predicted?))).collect();
        let deviation = |(piece, predicted): &(&Known, Estimate)| {
            (piece.value - predicted.value).abs() / predicted.value.max(LEAST_VALUE)
        };
        let deviations: Vec<f64> = predictions.iter().map(deviation).collect();
        let is_covered = |(piece, predicted): &&(&Known, Estimate)| predicted.contains(piece.value);
        (!deviations.is_empty()).then(|| HeldOut {
            values: deviations.len(),
            covered: predictions.iter().filter(is_covered).count(),
            median_deviation: Data::new(deviations).median(),
        })
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::SeedableRng;
    use statrs::distribution::{ContinuousCDF, Normal};

    use super::*;
    use crate::values::atlas::Atlas;

    const TRUE: [f64; FEATURES.len()] = [0.2, 0.25, 0.15, 0.6, -0.05];
    const SPREAD: f64 = 0.1;
    const ERROR: f64 = 0.15;

    fn normal(random: &mut Xoshiro256PlusPlus) -> f64 {
        Normal::standard().inverse_cdf(random.random_range(f64::EPSILON..1.0))
    }

    /// A piece with random features, whose value follows the model, and this value before it is
    /// measured.
    fn piece(number: usize, random: &mut Xoshiro256PlusPlus) -> (Known, f64) {
        let [moves, captures] = [(); 2].map(|()| random.random_range(2.0..15.0));
        let mean = f64::midpoint(moves, captures);
        let forward = captures * random.random_range(0.2..0.8);
        let bound = if random.random_bool(0.3) { mean } else { 0.0 };
        let features = [moves, captures, forward, mean * mean / 10.0, bound];
        let terms = features.iter().zip(TRUE).map(|(feature, coefficient)| feature * coefficient);
        let truth = terms.sum::<f64>() * (1.0 + SPREAD * normal(random));
        let known = Known {
            movement: number.to_string(),
            features,
            value: truth + ERROR * normal(random),
            standard_error: ERROR,
        };
        (known, truth)
    }

    fn measured(count: usize, random: &mut Xoshiro256PlusPlus) -> Vec<Known> {
        (0..count).map(|number| piece(number, random).0).collect()
    }

    #[test]
    fn intervals_contain_new_pieces_as_often_as_they_say() {
        const MODELS: usize = 40;
        const NEW: usize = 50;
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let (mut covered, mut spreads) = (0, 0.0);
        for _ in 0..MODELS {
            let known = measured(60, &mut random);
            let model = EstimateModel::fit(&known.iter().collect::<Vec<_>>()).unwrap();
            spreads += model.spread / MODELS as f64;
            for _ in 0..NEW {
                let (piece, truth) = piece(0, &mut random);
                covered += usize::from(model.predict(&piece.features).contains(truth));
            }
        }
        let share = covered as f64 / (MODELS * NEW) as f64;
        assert!((0.93..0.97).contains(&share), "{share}");
        assert!((spreads - SPREAD).abs() < 0.02, "{spreads}");
    }

    #[test]
    fn pieces_held_out_are_predicted_by_the_others() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(2);
        let mut known = measured(60, &mut random);
        let held_out =
            |known: &[Known]| EstimateModel::new(known, &predict_by_others(known)).unwrap().held_out.unwrap();
        let all = held_out(&known);
        assert!((52..=60).contains(&all.covered), "{all:?}");
        // A piece that no other is like.
        known[0].value *= 3.0;
        let with_one = held_out(&known);
        assert!(with_one.covered < 60, "{with_one:?}");
    }

    #[test]
    fn too_few_or_equal_pieces_determine_nothing() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
        let known = measured(5, &mut random);
        assert!(EstimateModel::new(&known, &[]).is_none());
        let equal = vec![known[0].clone(); 20];
        assert!(EstimateModel::new(&equal, &[]).is_none());
    }

    #[test]
    fn the_model_is_that_of_the_committed_atlas() {
        let atlas: Atlas = serde_json::from_str(include_str!("../../../testdata/atlas/atlas.json")).unwrap();
        assert_eq!(Some(EstimateModel::of_atlas()), atlas.estimate);
    }

    /// Pieces of the atlas with small errors, as if they were measured anew with large ones: each
    /// is predicted by the others.
    #[test]
    fn moves_and_games_together_cover_pieces_that_are_held_out() {
        const DRAWS: usize = 40;
        let atlas: Atlas = serde_json::from_str(include_str!("../../../testdata/atlas/atlas.json")).unwrap();
        let known: Vec<Known> = atlas.pieces.iter().map(|piece| piece.known().unwrap()).collect();
        let predictions = predict_by_others(&known);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(4);
        let (mut covered, mut shown, mut narrower) = (0, 0, 0.0);
        for (piece, predicted) in known.iter().zip(predictions) {
            if piece.standard_error > 0.1 * piece.value {
                continue;
            }
            // Without the error of the atlas itself, which is small.
            let error = 0.15 * piece.value;
            for _ in 0..DRAWS {
                let games = Estimate::around(piece.value + error * normal(&mut random), 1.96 * error);
                let Some(together) = together(predicted.unwrap(), games) else { continue };
                shown += 1;
                covered += usize::from(together.contains(piece.value));
                narrower += together.width().unwrap() / games.width().unwrap();
            }
        }
        let (coverage, ratio) = (f64::from(covered as u32) / f64::from(shown), narrower / f64::from(shown));
        println!("{shown} measurements: coverage {coverage:.3}, width {ratio:.2}");
        assert!(coverage > 0.93 && ratio < 0.9, "{shown} measurements: coverage {coverage}, width {ratio}");
    }

    #[test]
    fn features_count_squares() {
        let game = GameDef::builtin("chess").unwrap();
        let of = |letter| features(&game, game.kinds.by_letter(letter).unwrap());
        let [moves, captures, forward, square, bound] = of('N');
        assert!((moves - 5.25).abs() < 1e-9 && (captures - 5.25).abs() < 1e-9 && (forward - 2.625).abs() < 1e-9);
        assert!((square - 5.25 * 5.25 / 10.0).abs() < 1e-9 && bound == 0.0);
        assert!(of('B')[4] > 5.0);
    }
}
