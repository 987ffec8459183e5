//! What a piece is worth by its moves alone: a regression on the pieces of an atlas, as a
//! random-effects meta-regression (Thompson and Sharp 1999) with the variance between pieces by the
//! method of Paule and Mandel (1982).
//!
//! A measured value is `exp(x'b + u) + e`. `x` are the [`features`] of the piece on its board, `e`
//! is the error of the measurement, which is known, and `u` is what the features do not tell about
//! the piece. Effects are multiplied, so no piece is predicted to be worth less than nothing. The
//! variance of `u` is inverse to the value, as for a sum of many small parts: the values of strong
//! pieces vary more in pawns, but less in percent. The interval of a prediction includes the `u` of
//! a piece that nobody has measured. It is tested on pieces that are held out ([`HeldOut`]).

use assay_engine::eval::mobility::{AverageMobility, EMPTY};
use assay_rules::movement::PathKind;
use assay_rules::{GameDef, Kind};
use nalgebra::{DMatrix, DVector, RowDVector};
use serde::{Deserialize, Serialize};
use statrs::statistics::{Data, OrderStatistics};

use crate::values::candidate::{Host, HostArmy};
use crate::values::data::material::kind_named;
use crate::values::distinct;
#[cfg(doc)]
use crate::values::inference::Unit;
use crate::values::inference::{CONFIDENCE_LEVEL, Estimate, MeasuredValue, ValueTable, range, t_critical_value};

/// Names of the [`features`], in their order.
pub const FEATURES: [&str; 7] =
    ["constant", "log moves", "captures", "forward captures", "color-bound", "log files", "hopping captures"];

/// Index of the share of captures by hops.
const HOPPING: usize = 6;

/// A piece counts as moving to at least so many squares: the logarithm needs a number above 0.
const LEAST_MOVES: f64 = 0.1;

/// Values below this one, in pawns, are raised to it before the first round of the fit.
const LEAST_START: f64 = 0.5;

/// Singular values of a design below this one are rounding errors: the features are of the size of
/// 1.
const LEAST_SINGULAR_VALUE: f64 = 1e-6;

/// Weights and spread have converged when no prediction changes by more than this share. Real data
/// take a few rounds.
const MOST_CHANGE: f64 = 1e-6;
const MAX_ROUNDS: usize = 200;

/// A piece worth a pawn varies by at most this share of its predicted value.
const MOST_SPREAD: f64 = 10.0;

/// Ends of the ranges of estimates, in pawns, of which [`HeldOut`] tells.
const RANGES: [f64; 5] = [0.0, 1.5, 3.0, 5.0, f64::INFINITY];

/// What a piece can do on its board when 30% of the squares are occupied.
///
/// They are 1; the logarithm of the mean of the squares that it moves to and of those that it
/// attacks; the share of the attacked ones in both; the share of the attacked ones that are nearer
/// to the opponent's side; 1 if the piece never leaves squares of one color, else 0; the logarithm
/// of the board's files divided by 8, because long moves, with which the army that gives the scale
/// is rich, gain on a wide board; and the share of the attacked squares that it attacks by hopping.
pub fn features(game: &GameDef, kind: Kind) -> [f64; FEATURES.len()] {
    let all = AverageMobility::new(game, kind);
    let forward = AverageMobility::of_paths(game, kind, EMPTY, |path| path.delta.rank > 0);
    let hopping = AverageMobility::of_paths(game, kind, EMPTY, |path| {
        matches!(path.kind, PathKind::HopLeap { .. } | PathKind::HopRide { .. } | PathKind::Grasshop)
    });
    let mean = f64::midpoint(all.moves, all.captures).max(LEAST_MOVES);
    let of_captures = |part: f64| if all.captures > 0.0 { part / all.captures } else { 0.0 };
    [
        1.0,
        mean.ln(),
        all.captures / (2.0 * mean),
        of_captures(forward.captures),
        f64::from(u8::from(game.kinds.is_color_bound(kind))),
        (f64::from(game.board.files()) / 8.0).ln(),
        of_captures(hopping.captures),
    ]
}

/// A measured piece.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// Movement in XBetza; the same one may be measured on several boards.
    pub movement: String,
    pub board: String,
    pub features: [f64; FEATURES.len()],
    pub value: f64,
    pub standard_error: f64,
}

/// The coefficients of the [`features`] and how far they are to be trusted. Their sum is the
/// logarithm of the value on the scale of the atlas.
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
    /// Standard deviation of the logarithm of a piece's value around its prediction, for a piece
    /// worth a pawn; for others divided by the root of the value.
    #[serde(deserialize_with = "range::non_negative")]
    pub spread: f64,
    /// Of all pieces, and then of some; empty if no piece can be predicted by the others.
    pub held_out: Vec<HeldOut>,
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
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct HeldOut {
    /// Which pieces: all, those on one board, hoppers, or others with an estimate in some range.
    pub pieces: String,
    /// Measured values that were predicted.
    #[serde(deserialize_with = "range::count")]
    pub values: usize,
    /// Those that are within the interval of their prediction, with their own error included.
    #[serde(deserialize_with = "range::count")]
    pub covered: usize,
    /// Median of the deviations, as shares of the predictions.
    #[serde(deserialize_with = "range::non_negative")]
    pub median_deviation: f64,
    /// Median of the measured values minus their predictions, as shares of the predictions.
    #[serde(deserialize_with = "range::any")]
    pub median_bias: f64,
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
        model.held_out = HeldOut::all(known, predictions);
        Some(model)
    }

    /// Fits the coefficients by iteratively reweighted least squares of the logarithms, linearized
    /// around the predictions, because measured values may be negative.
    fn fit(known: &[&Known]) -> Option<EstimateModel> {
        let design = DMatrix::from_fn(known.len(), FEATURES.len(), |row, column| known[row].features[column]);
        if known.len() <= FEATURES.len() || design.rank(LEAST_SINGULAR_VALUE) < FEATURES.len() {
            return None;
        }
        let values = DVector::from_iterator(known.len(), known.iter().map(|piece| piece.value));
        let errors = DVector::from_iterator(known.len(), known.iter().map(|piece| piece.standard_error));
        let weights = |spread: f64, predicted: &DVector<f64>| {
            errors.zip_map(predicted, |error, predicted| {
                ((error / predicted).powi(2) + spread.powi(2) / predicted).recip()
            })
        };
        let weighted = |weights: &DVector<f64>, logs: &DVector<f64>| {
            let scaled =
                DMatrix::from_fn(known.len(), FEATURES.len(), |row, column| design[(row, column)] * weights[row]);
            let covariance = (scaled.transpose() * &design).cholesky()?.inverse();
            let coefficients = &covariance * scaled.transpose() * logs;
            Some((coefficients, covariance))
        };
        // Paule and Mandel: the weighted squares are then what they are expected to be.
        let expected = (known.len() - FEATURES.len()) as f64;
        let mut logs = values.map(|value| value.max(LEAST_START).ln());
        for _ in 0..MAX_ROUNDS {
            let predicted = logs.map(f64::exp);
            let linearized = &logs + (&values - &predicted).component_div(&predicted);
            let excess = |spread: f64| {
                let weights = weights(spread, &predicted);
                let residuals = &linearized - &design * weighted(&weights, &linearized)?.0;
                Some(residuals.component_mul(&residuals).dot(&weights) - expected)
            };
            let spread = root(excess)?;
            let (coefficients, covariance) = weighted(&weights(spread, &predicted), &linearized)?;
            let next = &design * &coefficients;
            let has_converged = (&next - &logs).amax() < MOST_CHANGE;
            logs = next;
            if has_converged {
                let coefficient = |(index, feature): (usize, &str)| Coefficient {
                    feature: feature.to_owned(),
                    value: coefficients[index],
                    standard_error: covariance[(index, index)].sqrt(),
                };
                return Some(EstimateModel {
                    values: known.len(),
                    coefficients: FEATURES.into_iter().enumerate().map(coefficient).collect(),
                    covariance: covariance.row_iter().map(|row| row.iter().copied().collect()).collect(),
                    spread,
                    held_out: Vec::new(),
                });
            }
        }
        None
    }

    /// The value of a piece that is not measured, with an interval that contains it with 95%
    /// probability.
    pub fn predict(&self, features: &[f64; FEATURES.len()]) -> Estimate {
        let row = RowDVector::from_row_slice(features);
        let covariance = DMatrix::from_fn(FEATURES.len(), FEATURES.len(), |row, column| self.covariance[row][column]);
        let coefficients = self.coefficients.iter().map(|coefficient| coefficient.value);
        let log: f64 = coefficients.zip(features).map(|(coefficient, feature)| coefficient * feature).sum();
        let of_coefficients = (&row * covariance * row.transpose())[(0, 0)];
        let error = (self.spread.powi(2) / log.exp() + of_coefficients).sqrt();
        around_log(log, self.critical_value() * error)
    }

    /// The prediction of a measurement with this standard error.
    fn predict_measured(&self, features: &[f64; FEATURES.len()], standard_error: f64) -> Option<Estimate> {
        self.predict(features).minus(&Estimate::around(0.0, self.critical_value() * standard_error))
    }

    fn critical_value(&self) -> f64 {
        t_critical_value((self.values - FEATURES.len()) as f64, CONFIDENCE_LEVEL)
    }
}

/// A number above 0 from its logarithm and the half-width of the logarithm's interval.
fn around_log(log: f64, half_width: f64) -> Estimate {
    Estimate { value: log.exp(), interval: Some([(log - half_width).exp(), (log + half_width).exp()]) }
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
    /// Of the pieces without a published value, except a joker. Empty unless the game has published
    /// values, of more than pawns, and they are those of the atlas, whose scale the estimates have.
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
        let sets_scale = |kind: Kind| game.kind(kind).value.is_some() && !game.pawns.contains(kind);
        if !game.kinds.all().any(sets_scale) || !game.kinds.all().all(is_of_atlas) {
            return Vec::new();
        }
        let model = EstimateModel::of_atlas();
        let of_piece = |value: &MeasuredValue| {
            let kind = kind_named(game, &value.piece)?;
            if game.kind(kind).value.is_some() || game.kinds.joker() == Some(kind) {
                return None;
            }
            let moves = model.predict(&features(game, kind));
            Some(ByMoves { piece: value.piece.clone(), moves, together: together(moves, value.measured) })
        };
        shares.values.iter().filter_map(of_piece).collect()
    }
}

/// The most probable value by moves and games, where the variation of pieces around the model is
/// the prior of the piece (empirical Bayes); by Newton's method on its logarithm, whose interval is
/// Laplace's approximation. `None` if the two differ by more than their errors allow: then the
/// piece is not like those of the atlas.
fn together(moves: Estimate, games: Estimate) -> Option<Estimate> {
    let [low, high] = moves.interval?;
    let (of_moves, of_games) = ((high / low).ln() / 2.0, games.half_width()?);
    if !moves.minus(&games)?.contains(0.0) {
        return None;
    }
    let (prior, mut log) = (moves.value.ln(), moves.value.ln());
    let precision = |log: f64| of_moves.powi(-2) + (log.exp() / of_games).powi(2);
    for _ in 0..MAX_ROUNDS {
        let slope = (log - prior) / of_moves.powi(2) + log.exp() * (log.exp() - games.value) / of_games.powi(2);
        log -= slope / precision(log);
    }
    Some(around_log(log, precision(log).sqrt().recip()))
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
        EstimateModel::fit(&others)?.predict_measured(&piece.features, piece.standard_error)
    };
    known.iter().map(predict).collect()
}

impl HeldOut {
    /// Those of all pieces, of those on each board, of hoppers, and of others with an estimate in
    /// each of the [`RANGES`], if there are any.
    fn all(known: &[Known], predictions: &[Option<Estimate>]) -> Vec<HeldOut> {
        let is_hopper = |piece: &Known| piece.features[HOPPING] > 0.0;
        let of = |name: &str, is_in: &dyn Fn(&Known, f64) -> bool| HeldOut::of(name, known, predictions, is_in);
        let boards = distinct(known.iter().map(|piece| &piece.board)).into_iter();
        let boards = boards.map(|board| of(board, &|piece, _| piece.board == *board));
        let ranges = RANGES.windows(2).map(|ends| {
            let (low, high) = (ends[0], ends[1]);
            let name =
                if high.is_finite() { format!("others, {low} to {high}") } else { format!("others, from {low}") };
            of(&name, &|piece, estimate| !is_hopper(piece) && (low..high).contains(&estimate))
        });
        let hoppers = of("hoppers", &|piece, _| is_hopper(piece));
        std::iter::once(of("all", &|_, _| true)).chain(boards).chain([hoppers]).chain(ranges).flatten().collect()
    }

    /// Of the pieces for which `is_in` is true of the piece and its estimate.
    fn of(
        name: &str,
        known: &[Known],
        predictions: &[Option<Estimate>],
        is_in: &dyn Fn(&Known, f64) -> bool,
    ) -> Option<HeldOut> {
        let predictions = known.iter().zip(predictions).filter_map(|(piece, &predicted)| Some((piece, predicted?)));
        let predictions: Vec<(&Known, Estimate)> =
            predictions.filter(|(piece, predicted)| is_in(piece, predicted.value)).collect();
        let bias = |(piece, predicted): &(&Known, Estimate)| piece.value / predicted.value - 1.0;
        let biases: Vec<f64> = predictions.iter().map(bias).collect();
        let is_covered = |(piece, predicted): &&(&Known, Estimate)| predicted.contains(piece.value);
        (!biases.is_empty()).then(|| HeldOut {
            pieces: name.to_owned(),
            values: biases.len(),
            covered: predictions.iter().filter(is_covered).count(),
            median_deviation: Data::new(biases.iter().map(|bias| bias.abs()).collect::<Vec<_>>()).median(),
            median_bias: Data::new(biases).median(),
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

    const TRUE: [f64; FEATURES.len()] = [-0.3, 1.4, 1.5, 0.8, -0.1, -0.6, 0.4];
    const SPREAD: f64 = 0.2;
    const ERROR: f64 = 0.15;

    fn normal(random: &mut Xoshiro256PlusPlus) -> f64 {
        Normal::standard().inverse_cdf(random.random_range(f64::EPSILON..1.0))
    }

    /// A piece with random features, whose value follows the model, and this value before it is
    /// measured.
    fn piece(number: usize, random: &mut Xoshiro256PlusPlus) -> (Known, f64) {
        let is = |random: &mut Xoshiro256PlusPlus| f64::from(u8::from(random.random_bool(0.3)));
        let features = [
            1.0,
            random.random_range(2.0_f64..15.0).ln(),
            random.random_range(0.3..0.7),
            random.random_range(0.2..0.8),
            is(random),
            random.random_range(0.0..0.4),
            is(random),
        ];
        let log: f64 = features.iter().zip(TRUE).map(|(feature, coefficient)| feature * coefficient).sum();
        let truth = (log + SPREAD / (log / 2.0).exp() * normal(random)).exp();
        let known = Known {
            movement: number.to_string(),
            board: "8x8".to_owned(),
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
        assert!((spreads - SPREAD).abs() < 0.04, "{spreads}");
    }

    #[test]
    fn pieces_held_out_are_predicted_by_the_others() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(2);
        let mut known = measured(60, &mut random);
        let held_out =
            |known: &[Known]| EstimateModel::new(known, &predict_by_others(known)).unwrap().held_out.swap_remove(0);
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

    /// `UPDATE_SNAPSHOTS=1` fits the model again, and writes it.
    #[test]
    fn the_model_is_that_of_the_committed_atlas() {
        let mut json: serde_json::Value =
            serde_json::from_str(include_str!("../../../testdata/atlas/atlas.json")).unwrap();
        // The stored model may be of another form while it is written again.
        let stored = json["estimate"].take();
        let mut atlas: Atlas = serde_json::from_value(json).unwrap();
        atlas.judge();
        let fitted = atlas.estimate.clone().unwrap();
        if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
            let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
            let write = |path: &str, json: String| std::fs::write(root.join(path), json + "\n").unwrap();
            write("../testdata/atlas/atlas.json", serde_json::to_string_pretty(&atlas).unwrap());
            write("src/values/estimate/model.json", serde_json::to_string_pretty(&fitted).unwrap());
            return;
        }
        let model = EstimateModel::of_atlas();
        assert_eq!(model, serde_json::from_value(stored).unwrap());
        let off = |(one, other): (&Coefficient, &Coefficient)| (one.value - other.value).abs();
        assert!(model.coefficients.iter().zip(&fitted.coefficients).map(off).all(|off| off < 1e-6), "{fitted:?}");
        let covered = |model: &EstimateModel| model.held_out.iter().map(|held| held.covered).collect::<Vec<_>>();
        assert_eq!(covered(&model), covered(&fitted));
    }

    #[test]
    fn no_estimate_is_negative() {
        let model = EstimateModel::of_atlas();
        let game = GameDef::builtin("chess").unwrap();
        let pawn = features(&game, game.kinds.by_letter('P').unwrap());
        let mut immobile = pawn;
        (immobile[1], immobile[2]) = (LEAST_MOVES.ln(), 0.0);
        for features in [pawn, immobile] {
            let moves = model.predict(&features);
            let together = together(moves, Estimate::around(0.2, 0.5)).unwrap();
            for estimate in [moves, together] {
                assert!(estimate.interval.unwrap()[0] > 0.0, "{estimate:?}");
            }
        }
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
        let of = |name: &str, letter| {
            let game = GameDef::builtin(name).unwrap();
            features(&game, game.kinds.by_letter(letter).unwrap())
        };
        let [one, moves, captures, forward, bound, files, hopping] = of("chess", 'N');
        assert!((one, bound, files, hopping) == (1.0, 0.0, 0.0, 0.0));
        assert!((moves - 5.25_f64.ln()).abs() < 1e-9 && (captures - 0.5).abs() < 1e-9 && (forward - 0.5).abs() < 1e-9);
        assert!(of("chess", 'B')[4] > 0.5);
        // A ship captures like a cannon or a king.
        let [_, _, captures, _, _, files, hopping] = of("gamma2", 'S');
        assert!(captures < 0.5 && (files - 1.25_f64.ln()).abs() < 1e-9 && (0.1..0.9).contains(&hopping));
    }
}
