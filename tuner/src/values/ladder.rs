//! Values as functions of the players' strength: the same game measured at several node limits.
//!
//! Two curves are fitted to the measured values of a piece by weighted least squares: a straight
//! line in the logarithm of the nodes, and one that levels off with the square root of the nodes.
//! Nothing in the data says how values go on beyond the strongest player measured, so the interval
//! at the target covers the intervals of both.

mod allocation;
pub mod references;

use std::collections::BTreeMap;

use assay_selfplay::statistics::{EloEstimate, ResultCounts};
use serde::{Deserialize, Serialize};
use statrs::distribution::{ChiSquared, ContinuousCDF};

pub use self::allocation::allocate;
use self::references::Reference;
use crate::values::data::DataError;
use crate::values::inference::{
    Estimate, Fit, LARGEST, NO_ERROR, Quantity, Unit, ValueTable, normal_critical_value, range,
};
use crate::values::results::MeasurementReport;
use crate::values::results::checks::length;
use crate::values::results::reading::Stored;

/// A quantity with its 95% interval for normal errors, by the delta method, as curves need them.
fn measured(quantity: &Quantity) -> Estimate {
    Estimate::around(quantity.value, normal_critical_value(1) * quantity.standard_error())
}

/// The standard error behind a [`measured`] number.
fn standard_error(measured: &Estimate) -> f64 {
    measured.half_width().unwrap_or(f64::INFINITY) / normal_critical_value(1)
}

/// A curve through a piece's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Curve {
    /// A straight line in log2 of the nodes.
    Logarithm,
    /// A straight line in 1 / sqrt(nodes), which levels off.
    LevelsOff,
}

impl Curve {
    const ALL: [Curve; 2] = [Curve::Logarithm, Curve::LevelsOff];

    fn at(self, nodes: u64) -> f64 {
        match self {
            Curve::Logarithm => (nodes as f64).log2(),
            Curve::LevelsOff => (nodes as f64).sqrt().recip(),
        }
    }
}

/// A curve fitted to a piece's values.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
pub struct FittedCurve {
    pub curve: Curve,
    /// Value at the target.
    pub at_target: Estimate,
    /// Weighted squared distance of the measured values from the curve.
    #[serde(deserialize_with = "range::non_negative")]
    pub chi_square: f64,
    #[serde(deserialize_with = "range::count")]
    pub degrees_of_freedom: usize,
    /// Probability of so large a distance if the curve is right; `None` with two levels, which
    /// every curve fits.
    #[serde(deserialize_with = "range::share")]
    pub p: Option<f64>,
}

/// How a piece's value depends on strength.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct PieceLadder {
    pub piece: String,
    /// True if the piece is measured together with half of its pair's bonus, because one value is
    /// published for both pieces of the pair.
    pub with_half_pair: bool,
    #[serde(deserialize_with = "range::any")]
    pub published: Option<f64>,
    /// Values in the order of the levels.
    pub values: Vec<Estimate>,
    /// Change of the value for each doubling of the nodes, by the straight line in their
    /// logarithm.
    pub per_doubling: Estimate,
    /// Value at the highest level minus value at the lowest.
    pub change: Estimate,
    pub curves: Vec<FittedCurve>,
    /// Mean of the curves at the target, with the smallest interval that contains the 95% intervals
    /// of all curves.
    pub at_target: Estimate,
    /// Values of the ladder's references, in their order; `None` where a reference has no value of
    /// the piece in the unit.
    pub references: Vec<Option<ReferenceValue>>,
}

/// A value that others published, held against the measured ones.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct ReferenceValue {
    /// In the ladder's unit.
    #[serde(deserialize_with = "range::any")]
    pub value: f64,
    /// Measured minus published value in standard errors, by level; `None` if the piece is the
    /// unit.
    #[serde(deserialize_with = "range::any")]
    pub distances: Option<Vec<f64>>,
    /// The same of the value at the target. Half the interval that contains those of both curves
    /// counts as 1.96 standard errors.
    #[serde(deserialize_with = "range::any")]
    pub at_target: Option<f64>,
}

impl ReferenceValue {
    fn of(value: f64, piece: &PieceLadder) -> ReferenceValue {
        let is_unit = piece.values.iter().any(|measured| standard_error(measured) <= NO_ERROR);
        let distance = |measured: &Estimate| (measured.value - value) / standard_error(measured);
        ReferenceValue {
            value,
            distances: (!is_unit).then(|| piece.values.iter().map(distance).collect()),
            at_target: (!is_unit).then(|| distance(&piece.at_target)),
        }
    }
}

/// A match between two neighboring levels.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct LevelMatch {
    #[serde(deserialize_with = "range::count")]
    pub games: u64,
    /// Pairs of games by their score, from the higher level's point of view, lowest first.
    #[serde(deserialize_with = "range::count")]
    pub pentanomial: Vec<u64>,
    /// Elo of the higher level over the lower; `None` if the interval is unbounded: one of them
    /// won every game, or lost so few points that a score of 1 is within the interval.
    pub elo: Option<Estimate>,
}

impl LevelMatch {
    /// The match with these outcomes of pairs.
    pub fn of(counts: &ResultCounts) -> LevelMatch {
        let elo = EloEstimate::from_counts(counts).map(|estimate| estimate.elo);
        let is_bounded = |elo: &Estimate| elo.bounds().iter().all(|end| end.is_finite());
        LevelMatch { games: counts.games(), pentanomial: counts.counts().to_vec(), elo: elo.filter(is_bounded) }
    }
}

/// A level of the ladder.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Level {
    /// Nodes per move.
    #[serde(deserialize_with = "range::any")]
    pub nodes: u64,
    #[serde(deserialize_with = "range::count")]
    pub games: usize,
    /// Elo over the lowest level; `None` where a match is missing or has an unbounded interval.
    pub elo: Option<Estimate>,
    /// The match against the level below.
    pub match_below: Option<LevelMatch>,
}

/// A game's values at several strengths.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Ladder {
    pub assay: String,
    pub game: String,
    pub title: String,
    pub unit: Unit,
    /// Definition of the unit in this game.
    pub definition: String,
    /// Nodes per move to which values are extrapolated.
    #[serde(deserialize_with = "range::any")]
    pub target: u64,
    /// In ascending order of nodes.
    pub levels: Vec<Level>,
    pub pieces: Vec<PieceLadder>,
    /// Pieces that some level does not measure.
    #[serde(default)]
    pub unmeasured: Vec<String>,
    /// Pieces whose own interval is unbounded at some level: by the delta method, their intervals
    /// here are too narrow.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub uncertain: Vec<String>,
    /// Values that others published.
    pub references: Vec<Reference>,
    /// p of the joint test that all values of a reference are right, by reference and level; `None`
    /// where no value can be tested. Empty in files of earlier versions.
    #[serde(default, deserialize_with = "range::share")]
    pub joint_p: Vec<Vec<Option<f64>>>,
    /// Command that repeats the measurement.
    pub command: Option<String>,
}

impl Stored for Ladder {
    const COMMAND: &'static str = "validate --nodes N,N";

    fn check(&self) -> Result<(), String> {
        let levels = self.levels.len();
        if levels < 2 {
            return Err(format!("levels: found {levels} levels, expected at least 2"));
        }
        for (index, pair) in self.levels.windows(2).enumerate() {
            let (below, nodes) = (pair[0].nodes, pair[1].nodes);
            if nodes <= below {
                return Err(format!(
                    "levels[{}].nodes: found {nodes}, expected more than the {below} of the level below",
                    index + 1
                ));
            }
        }
        for (index, by_level) in self.joint_p.iter().enumerate() {
            length(format!("joint_p[{index}]"), by_level, "levels", levels)?;
        }
        for (index, piece) in self.pieces.iter().enumerate() {
            let place = |list: &str| format!("pieces[{index}].{list}");
            length(place("values"), &piece.values, "levels", levels)?;
            if piece.values.iter().chain([&piece.at_target]).any(|value| value.interval.is_none()) {
                return Err(format!("{}: found an unbounded interval, expected its ends", place("values")));
            }
            length(place("curves"), &piece.curves, "curves", Curve::ALL.len())?;
            let references = self.references.len();
            length(place("references"), &piece.references, "references", references)?;
            for (reference, found) in piece.references.iter().flatten().enumerate() {
                if let Some(distances) = &found.distances {
                    let list = format!("references[{reference}].distances");
                    length(place(&list), distances, "levels", levels)?;
                }
            }
        }
        Ok(())
    }
}

impl Ladder {
    /// The ladder of two or more measurements of one game in ascending order of strength, each
    /// with its nodes per move. `matches[i]` is the match of level `i + 1` against level `i`.
    ///
    /// # Errors
    /// If a level does not measure the unit.
    pub fn of(
        reports: &[(u64, MeasurementReport)],
        matches: &[Option<LevelMatch>],
        unit: Unit,
        target: u64,
    ) -> Result<Ladder, DataError> {
        let first = &reports[0].1;
        let fits: Vec<Fit> = reports.iter().map(|(_, report)| report.fitted()).collect();
        // All levels have the same unit.
        let mut common = fits[0].kinds();
        common.retain(|kind| fits.iter().all(|fit| fit.kinds().contains(kind)));
        let table = |((nodes, report), fit): (&(u64, MeasurementReport), &Fit)| {
            let table = if fit.kinds().len() == common.len() {
                report.table(Some(unit)).cloned()
            } else {
                fit.of_some(&common).unit_table(unit)
            };
            let table = table.ok_or_else(|| {
                DataError::Contents(format!(
                    "the unit {} is not measured at {nodes} nodes per move, expected more games or another --unit",
                    unit.name()
                ))
            });
            table.map(|table| (*nodes, table))
        };
        let tables: Vec<(u64, ValueTable)> = reports.iter().zip(&fits).map(table).collect::<Result<_, _>>()?;
        let is_builtin = first.definition.is_none();
        let references = if is_builtin { Reference::of_game(&first.game) } else { Vec::new() };
        let fit = fits[0].of_some(&common);
        let published = |reference: &Reference| {
            let published = fit.published_in(unit, |kind| reference.with_half_pair(&fit.game, kind));
            published.unwrap_or_default()
        };
        let published: Vec<BTreeMap<String, f64>> = references.iter().map(published).collect();
        let piece = |name: &str| {
            let at_level = |(nodes, table): &(u64, ValueTable)| {
                let mut named = table.values.iter().zip(table.quantities(usize::MAX));
                let (value, quantity) = named.find(|(other, _)| other.piece == name)?;
                // Of a ratio to a number that may be zero, the delta method may know the error, or
                // nothing.
                let error = quantity.standard_error();
                let is_known = value.measured.ends().is_some() || (error > 0.0 && error < LARGEST);
                is_known.then_some((*nodes, quantity))
            };
            let value = tables[0].1.of(name)?;
            let values: Vec<(u64, Quantity)> = tables.iter().map(at_level).collect::<Option<_>>()?;
            let mut piece = PieceLadder::of(name, value.published, &values, target);
            piece.with_half_pair = value.with_half_pair;
            let of_piece =
                |values: &BTreeMap<String, f64>| Some(ReferenceValue::of(*values.get(&piece.piece)?, &piece));
            piece.references = published.iter().map(of_piece).collect();
            Some(piece)
        };
        let all_right = |values: &BTreeMap<String, f64>, table: &ValueTable, pairs: usize| {
            let measured = table.values.iter().zip(table.quantities(pairs));
            let published = measured.filter_map(|(value, quantity)| Some((quantity, *values.get(&value.piece)?)));
            let differences = published.map(|(quantity, value)| &quantity - &Quantity::constant(value));
            Some(Quantity::joint_test(&differences.collect::<Vec<_>>())?.p)
        };
        let by_level = |values| {
            let levels = tables.iter().zip(reports);
            let tests = levels.map(|((_, table), (_, report))| all_right(values, table, report.games.pairs));
            tests.collect()
        };
        let first_table = &tables[0].1;
        let in_table = first_table.values.iter().map(|value| &value.piece);
        let others = fits[0].kinds().into_iter().chain(first.unmeasured());
        let others = others.map(|kind| &fits[0].game.kind(kind).name).filter(|name| first_table.of(name).is_none());
        let (mut pieces, mut unmeasured) = (Vec::new(), Vec::new());
        for name in in_table.chain(others) {
            match piece(name) {
                Some(piece) => pieces.push(piece),
                None => unmeasured.push(name.clone()),
            }
        }
        let is_bounded =
            |name: &str, table: &ValueTable| table.of(name).is_some_and(|value| value.measured.interval.is_some());
        let names = pieces.iter().map(|piece: &PieceLadder| piece.piece.clone());
        let uncertain = names.filter(|name| !tables.iter().all(|(_, table)| is_bounded(name, table))).collect();
        let mut elo = Some(Estimate::around(0.0, 0.0));
        let levels = reports.iter().enumerate().map(|(index, (nodes, report))| {
            let match_below = index.checked_sub(1).and_then(|below| matches.get(below)?.clone());
            if index > 0 {
                let step = match_below.as_ref().and_then(|found| found.elo);
                elo = elo.zip(step).and_then(|(sum, step)| sum.plus(&step));
            }
            Level { nodes: *nodes, games: report.games.games, elo, match_below }
        });
        Ok(Ladder {
            assay: env!("CARGO_PKG_VERSION").to_owned(),
            game: first.game.clone(),
            title: first.title.clone(),
            unit,
            definition: first_table.definition.clone(),
            target,
            levels: levels.collect(),
            pieces,
            unmeasured,
            uncertain,
            references,
            joint_p: published.iter().map(by_level).collect(),
            command: None,
        })
    }
}

impl FittedCurve {
    /// Fits a straight line in the curve's function of the nodes by weighted least squares. Returns
    /// its slope, too.
    fn of(curve: Curve, values: &[(u64, Quantity)], target: u64) -> (FittedCurve, Quantity) {
        // The piece that is the unit of the scale has no errors.
        let is_unit = values.iter().any(|(_, value)| value.has_no_error());
        let weight = |value: &Quantity| if is_unit { 1.0 } else { value.standard_error().powi(-2) };
        let weights: Vec<f64> = values.iter().map(|(_, value)| weight(value)).collect();
        let total: f64 = weights.iter().sum();
        let x = || values.iter().map(|&(nodes, _)| curve.at(nodes));
        let center = x().zip(&weights).map(|(x, weight)| x * weight).sum::<f64>() / total;
        let squares: f64 = x().zip(&weights).map(|(x, weight)| weight * (x - center).powi(2)).sum();
        let sum = |weight: &dyn Fn(f64, f64) -> f64| {
            let terms = x().zip(&weights).map(|(x, &own)| weight(x, own));
            Quantity::weighted_sum(values.iter().map(|(_, value)| value).zip(terms))
        };
        let (level, slope) = (sum(&|_, own| own / total), sum(&|x, own| own * (x - center) / squares));
        let at = |nodes: u64| Quantity::weighted_sum([(&level, 1.0), (&slope, curve.at(nodes) - center)]);
        let distance = |(nodes, value): &(u64, Quantity)| (value.value - at(*nodes).value) / value.standard_error();
        let chi_square = if is_unit { 0.0 } else { values.iter().map(|value| distance(value).powi(2)).sum() };
        let degrees_of_freedom = values.len() - 2;
        let distribution = ChiSquared::new(degrees_of_freedom as f64).ok();
        let p = distribution.map(|distribution| distribution.sf(chi_square));
        (FittedCurve { curve, at_target: measured(&at(target)), chi_square, degrees_of_freedom, p }, slope)
    }
}

impl PieceLadder {
    /// The ladder of a piece's values by nodes per move.
    fn of(piece: &str, published: Option<f64>, values: &[(u64, Quantity)], target: u64) -> PieceLadder {
        let [(straight, slope), (levels_off, _)] = Curve::ALL.map(|curve| FittedCurve::of(curve, values, target));
        let curves = [straight, levels_off];
        let (lowest, highest) = (&values[0].1, &values[values.len() - 1].1);
        let at_target = curves.map(|curve| curve.at_target);
        let ends = || at_target.iter().filter_map(|at| at.interval);
        let low = ends().map(|[low, _]| low).fold(f64::INFINITY, f64::min);
        let high = ends().map(|[_, high]| high).fold(f64::NEG_INFINITY, f64::max);
        PieceLadder {
            piece: piece.to_owned(),
            with_half_pair: false,
            published,
            per_doubling: measured(&slope),
            change: measured(&(highest - lowest)),
            at_target: Estimate {
                value: at_target.iter().map(|at| at.value).sum::<f64>() / at_target.len() as f64,
                interval: Some([low, high]),
            },
            curves: curves.to_vec(),
            values: values.iter().map(|value| measured(&value.1)).collect(),
            references: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-9, "{found}, expected {expected}");
    }

    fn piece(nodes: &[u64], curve: impl Fn(u64) -> f64, target: u64) -> PieceLadder {
        let values: Vec<_> =
            nodes.iter().map(|&nodes| (nodes, Quantity::single(curve(nodes), 0.1, usize::MAX, 0))).collect();
        PieceLadder::of("queen", Some(9.0), &values, target)
    }

    #[test]
    fn finds_planted_curves() {
        let nodes = [100, 400, 1600, 6400];
        let straight = piece(&nodes, |nodes| 10.0 - 0.1 * (nodes as f64).log2(), 25_600);
        near(straight.per_doubling.value, -0.1);
        near(straight.change.value, -0.6);
        near(straight.curves[0].chi_square, 0.0);
        near(straight.curves[0].at_target.value, 10.0 - 0.1 * 25_600_f64.log2());
        let levels_off = piece(&nodes, |nodes| 8.0 + 20.0 / (nodes as f64).sqrt(), 25_600);
        near(levels_off.curves[1].at_target.value, 8.125);
        near(levels_off.curves[1].chi_square, 0.0);
        assert!(levels_off.curves[0].p.unwrap() < 0.01, "{levels_off:?}");
        for found in [&straight, &levels_off] {
            for curve in &found.curves {
                let (outer, inner) = (found.at_target.interval.unwrap(), curve.at_target.interval.unwrap());
                assert!(outer[0] <= inner[0] && outer[1] >= inner[1]);
            }
        }
    }

    #[test]
    fn errors_are_those_of_two_measurements() {
        let found = piece(&[100, 400], |_| 5.0, 1600);
        // The straight line puts weights -1 and 2 on the two values.
        near(standard_error(&found.curves[0].at_target), 0.1 * 5_f64.sqrt());
        near(standard_error(&found.per_doubling), 0.1 * 2_f64.sqrt() / 2.0);
        assert_eq!(found.curves[0].p, None);
    }

    #[test]
    fn elo_of_a_match() {
        let even = LevelMatch::of(&ResultCounts::from_counts(&[10, 20, 40, 20, 10]).unwrap());
        near(even.elo.unwrap().value, 0.0);
        assert_eq!(even.games, 200);
        // All games won, and all but two, which were drawn.
        for one_sided in [[0, 0, 0, 0, 10], [0, 0, 0, 2, 148]] {
            let found = LevelMatch::of(&ResultCounts::from_counts(&one_sided).unwrap());
            assert_eq!(found.elo, None, "{one_sided:?}");
        }
    }
}
