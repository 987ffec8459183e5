//! Claims on one game against another, each measured from games of its own with the same settings.

use nalgebra::{DMatrix, DVector};

use super::run_cache::{FittedValues, GameResult, Run, RunCache};
use super::values::{among, effect, most_width};
use super::{Claimed, Effect, JointResult, NumberResult, TestResult};
use crate::values::data::regressor::Regressor;
use crate::values::inference::clustered_mean::{ClusterSums, ClusteredMean};
use crate::values::inference::distributions::f_survival;
use crate::values::inference::fieller::{ConfidenceRegion, RatioEstimate};
use crate::values::playtest::PawnCost;

/// What one independent number is more than another one, by the limits of both: exact where each is, and as lopsided as they are.
pub(super) fn difference(one: &Effect, other: &Effect) -> Effect {
    let value = one.value - other.value;
    let interval = match (one.interval, other.interval) {
        (ConfidenceRegion::Bounded { low: a, high: b }, ConfidenceRegion::Bounded { low: c, high: d }) => {
            ConfidenceRegion::Bounded {
                low: value - (one.value - a).hypot(d - other.value),
                high: value + (b - one.value).hypot(other.value - c),
            }
        }
        _ => ConfidenceRegion::WholeLine,
    };
    Effect {
        value,
        interval,
        games: one.games + other.games,
    }
}

/// The kinds of one game that another one has by the same name, but pawn and king.
fn common(one: &FittedValues, other: &FittedValues) -> Vec<String> {
    let (def, known) = (&one.game, &other.game);
    let names = def.all_kinds().filter(|&kind| kind != def.pawn && kind != def.king);
    names
        .map(|kind| def.kind(kind).name.clone())
        .filter(|name| {
            known
                .all_kinds()
                .any(|kind| known.kind(kind).name == *name && kind != known.pawn && kind != known.king)
        })
        .collect()
}

/// A kind in pawns.
fn in_pawns(on: &FittedValues, kind: &str) -> Result<Effect, String> {
    let pawn = &on.game.kind(on.game.pawn).name;
    let ratio = among(on, kind, &[pawn], on.estimate.mean_left)?;
    Ok(effect(on, ratio, 1.0))
}

/// Each kind in pawns less the same in the other game, and all together.
pub fn same_values(game: &str, other: &str, cache: &RunCache) -> Vec<TestResult> {
    let both = cache.values(game).and_then(|one| Ok((one, cache.values(other)?)));
    let (one, two) = match both {
        Ok(both) => both,
        Err(why) => {
            return vec![TestResult::Joint(
                format!("all pieces are worth as many pawns as in {other}"),
                Err(why),
            )];
        }
    };
    let kinds = common(&one, &two);
    let mut is_sharp = true;
    let mut outcomes = Vec::new();
    for kind in &kinds {
        let both = in_pawns(&one, kind).and_then(|here| Ok((here, in_pawns(&two, kind)?)));
        let there = both.as_ref().map_or(0.0, |(_, there)| there.value);
        let found = both.as_ref().map(|(here, there)| difference(here, there));
        is_sharp &= found
            .as_ref()
            .is_ok_and(|found| found.interval.width().is_some_and(|width| width <= most_width(there)));
        outcomes.push(TestResult::Number(NumberResult {
            claim: format!("the {kind} is worth as much as in {other}"),
            unit: format!("pawns more than in {other}"),
            claimed: Claimed::Equal {
                value: 0.0,
                most_width: most_width(there),
            },
            note: both
                .as_ref()
                .ok()
                .map(|(here, there)| format!("{:.2} pawns here, {:.2} in {other}", here.value, there.value)),
            effect: found.map_err(Clone::clone),
        }));
    }
    outcomes.push(TestResult::Joint(
        format!("all pieces are worth as many pawns as in {other}"),
        same_together(&one, &two, &kinds, is_sharp),
    ));
    outcomes
}

/// Tests that all kinds are worth as many pawns in both games (Wald, errors to first order).
fn same_together(
    one: &FittedValues,
    two: &FittedValues,
    kinds: &[String],
    is_sharp: bool,
) -> Result<JointResult, String> {
    let (here, spread_here) = ratios(one, kinds)?;
    let (there, spread_there) = ratios(two, kinds)?;
    let apart = here - there;
    let covariance = spread_here + spread_there;
    let values = kinds.len();
    let clusters = one.clusters.min(two.clusters);
    let inverse = covariance.cholesky().filter(|_| clusters > values && values > 0);
    let inverse = inverse.ok_or("too few games to test all values together")?;
    let wald = apart.dot(&inverse.solve(&apart));
    let degrees_of_freedom = clusters - values;
    let f = wald * degrees_of_freedom as f64 / (values as f64 * (clusters as f64 - 1.0));
    Ok(JointResult {
        values,
        f,
        p: f_survival(f, values, degrees_of_freedom),
        games: one.games + two.games,
        is_sharp,
    })
}

/// Kinds in pawns with their covariance.
fn ratios(on: &FittedValues, kinds: &[String]) -> Result<(DVector<f64>, DMatrix<f64>), String> {
    let estimate = &on.estimate;
    let parameters = estimate.coefficients.len();
    let at = |term: Regressor| estimate.spec.contrast(term, estimate.mean_left, parameters);
    let pawn = at(Regressor::Kind(on.game.pawn)).ok_or("the pawn is not measured")?;
    let unit = pawn.dot(&estimate.coefficients);
    let mut values = DVector::zeros(kinds.len());
    let mut gradients = DMatrix::zeros(kinds.len(), parameters);
    for (row, kind) in kinds.iter().enumerate() {
        let above = super::values::term(&on.game, kind).and_then(at);
        let above = above.ok_or_else(|| format!("{kind} is not measured"))?;
        values[row] = above.dot(&estimate.coefficients) / unit;
        gradients.set_row(row, &((above - &pawn * values[row]) / unit).transpose());
    }
    let covariance = &gradients * &estimate.covariance * gradients.transpose();
    Ok((values, covariance))
}

/// The share of drawn games, in pairs.
pub(super) fn draws(games: &[GameResult]) -> Result<ClusteredMean, String> {
    let mut sums = ClusterSums::default();
    for game in games {
        let is_draw = game.white == assay_rules::Points::DRAW;
        sums.add(game.pair as usize, 1.0, f64::from(u8::from(is_draw)));
    }
    sums.mean().ok_or_else(|| "fewer than two openings".to_owned())
}

/// A clustered mean as an effect.
pub(super) fn of_mean(mean: &ClusteredMean, clusters: usize) -> Effect {
    Effect::from_error(mean.mean, mean.standard_error, clusters, mean.weight as u64)
}

/// Opening pairs of some games.
pub(super) fn pairs(games: &[GameResult]) -> usize {
    let pairs: std::collections::BTreeSet<u64> = games.iter().map(|game| game.pair).collect();
    pairs.len()
}

/// The share of drawn games less that of the other game.
pub fn fewer_draws(game: &str, other: &str, cache: &RunCache) -> TestResult {
    let share = |name: &str| {
        let games = cache.scores(&Run::equal(name))?;
        Ok::<Effect, String>(of_mean(&draws(&games)?, pairs(&games)))
    };
    let both = share(game).and_then(|here| Ok((here, share(other)?)));
    TestResult::Number(NumberResult {
        claim: format!("fewer games are drawn than in {other}"),
        unit: format!("share of drawn games, less that of {other}"),
        claimed: Claimed::LessThan { value: 0.0 },
        note: both.as_ref().ok().map(|(here, there)| {
            format!(
                "{:.1}% here, {:.1}% in {other}, from equal armies",
                100.0 * here.value,
                100.0 * there.value
            )
        }),
        effect: both.map(|(here, there)| difference(&here, &there)),
    })
}

/// The ratio of two independent costs.
pub(super) fn over(here: &PawnCost, there: &PawnCost) -> Effect {
    let ratio = RatioEstimate {
        numerator: here.log_odds,
        denominator: there.log_odds,
        numerator_variance: here.standard_error.powi(2),
        denominator_variance: there.standard_error.powi(2),
        covariance: 0.0,
    };
    let critical_value =
        crate::values::inference::distributions::critical_value((here.pairs.min(there.pairs) as usize).max(2));
    Effect {
        value: ratio.estimate(),
        interval: ratio.fieller_region(critical_value),
        games: 2 * (here.pairs + there.pairs),
    }
}

/// What a missing pawn costs over what it costs in the other game.
pub fn pawn_cost(game: &str, other: &str, claimed: Claimed, says: &str, cache: &RunCache) -> TestResult {
    let both = cache
        .pawn_cost(game)
        .and_then(|here| Ok((here, cache.pawn_cost(other)?)));
    TestResult::Number(NumberResult {
        claim: says.to_owned(),
        unit: format!("log-odds of the score that a missing pawn costs, over those in {other}"),
        claimed,
        note: both.as_ref().ok().map(|(here, there)| {
            format!(
                "a missing pawn costs {:.3} log-odds here, {:.3} in {other}, at the same number of nodes",
                here.log_odds, there.log_odds
            )
        }),
        effect: both.map(|(here, there)| over(&here, &there)),
    })
}

/// A pawn in units of other kinds, less the same in the other game.
pub fn pawn_among_pieces(game: &str, other: &str, others: &[&str], cache: &RunCache) -> TestResult {
    let share = |name: &str| {
        let on = cache.values(name)?;
        let pawn = on.game.kind(on.game.pawn).name.clone();
        let ratio = among(&on, &pawn, others, on.estimate.mean_left)?;
        Ok::<Effect, String>(effect(&on, ratio, 1.0))
    };
    let both = share(game).and_then(|here| Ok((here, share(other)?)));
    let names = others.join(" and ");
    TestResult::Number(NumberResult {
        claim: format!("a pawn is worth more against {names} than in {other}"),
        unit: format!("units of {names}, less those in {other}"),
        claimed: Claimed::MoreThan { value: 0.0 },
        note: both
            .as_ref()
            .ok()
            .map(|(here, there)| format!("{:.3} here, {:.3} in {other}", here.value, there.value)),
        effect: both.map(|(here, there)| difference(&here, &there)),
    })
}
