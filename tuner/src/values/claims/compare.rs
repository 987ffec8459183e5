//! Claims that compare two games, each measured from separate games with the same settings.

use assay_cli::text::{enumeration, with_article};
use nalgebra::{DMatrix, DVector};

use super::run_cache::{FittedValues, GameResult, Run, RunCache};
use super::values::{relative_to, scaled_effect, worth};
use super::verdict::TOLERANCE;
use super::{Claimed, Effect, JointResult, NumberResult, TestResult};
use crate::values::inference::clustered_mean::{ClusterSums, ClusteredMean};
use crate::values::inference::distributions::critical_value;
use crate::values::inference::fieller::{ConfidenceRegion, RatioEstimate};
use crate::values::inference::joint_test::JointTest;
use crate::values::inference::verdict::max_width;
use crate::values::playtest::PawnCost;

/// Difference of two independent effects.
///
/// The interval combines the limits of both (MOVER: Zou and Donner 2008), so it is asymmetric if theirs are.
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
        p: None,
        clusters: one.clusters.min(other.clusters),
        games: one.games + other.games,
    }
}

/// Names of the kinds that occur in both games, without pawn and king.
fn common_kinds(one: &FittedValues, other: &FittedValues) -> Vec<String> {
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

/// Value of a kind relative to the mean of all `kinds`, averaged over the game.
fn relative(fitted: &FittedValues, kind: &str, kinds: &[String]) -> Result<Effect, String> {
    let ratio = relative_to(fitted, kind, kinds, fitted.estimate.mean_left)?;
    Ok(scaled_effect(fitted, ratio, 1.0))
}

/// Tests that each kind without pawn and king is worth the same share of the army as in the other game, individually and jointly.
///
/// Values in pawns would all differ if only the pawn does.
pub fn same_values(game: &str, other: &str, cache: &RunCache) -> Vec<TestResult> {
    let both = cache.values(game).and_then(|one| Ok((one, cache.values(other)?)));
    let (one, two) = match both {
        Ok(both) => both,
        Err(reason) => {
            return vec![TestResult::Joint(
                format!("relative to each other, all pieces are worth as much as in {other}"),
                Err(reason),
            )];
        }
    };
    let kinds = common_kinds(&one, &two);
    let mut is_sharp = true;
    let mut results = Vec::new();
    for kind in &kinds {
        let both = relative(&one, kind, &kinds).and_then(|here| Ok((here, relative(&two, kind, &kinds)?)));
        let there = both.as_ref().map_or(0.0, |(_, there)| there.value);
        let found = both.as_ref().map(|(here, there)| difference(here, there));
        is_sharp &= found
            .as_ref()
            .is_ok_and(|found| found.interval.width().is_some_and(|width| width <= max_width(there)));
        results.push(TestResult::Number(NumberResult {
            claim: format!("relative to the others, the {kind} is worth as much as in {other}"),
            unit: format!(
                "value divided by the mean of {}, minus the same in {other}",
                kinds.join(", ")
            ),
            claimed: Claimed::Equal {
                value: 0.0,
                max_width: max_width(there),
            },
            note: both
                .as_ref()
                .ok()
                .map(|(here, there)| format!("{:.3} here, {:.3} in {other}", here.value, there.value)),
            effect: found.map_err(Clone::clone),
        }));
    }
    results.push(TestResult::Joint(
        format!("relative to each other, all pieces are worth as much as in {other}"),
        same_together(&one, &two, &kinds, is_sharp),
    ));
    results
}

/// Wald test that all kinds are worth the same share of the army in both games; the covariances are those of the delta method. The last
/// kind is left out: its share follows from the others.
fn same_together(
    one: &FittedValues,
    two: &FittedValues,
    kinds: &[String],
    is_sharp: bool,
) -> Result<JointResult, String> {
    let (here, spread_here) = ratios(one, kinds)?;
    let (there, spread_there) = ratios(two, kinds)?;
    let differences = here - there;
    let covariance = spread_here + spread_there;
    let test = Some(one.clusters.min(two.clusters))
        .filter(|_| !differences.is_empty())
        .and_then(|clusters| JointTest::of_zero(&differences, &covariance, clusters))
        .ok_or("too few games to test all values jointly")?;
    Ok(JointResult {
        values: test.values,
        f: test.f,
        p: test.p,
        games: one.games + two.games,
        is_sharp,
    })
}

/// Values of all kinds but the last, relative to the mean of all, with their covariance by the delta method.
fn ratios(fitted: &FittedValues, kinds: &[String]) -> Result<(DVector<f64>, DMatrix<f64>), String> {
    let estimate = &fitted.estimate;
    let parameters = estimate.coefficients.len();
    let contrasts: Vec<DVector<f64>> = kinds
        .iter()
        .map(|kind| worth(fitted, kind, estimate.mean_left).ok_or_else(|| format!("{kind} is not measured")))
        .collect::<Result<_, String>>()?;
    let mut mean = DVector::zeros(parameters);
    for contrast in &contrasts {
        mean += contrast / kinds.len() as f64;
    }
    let unit = mean.dot(&estimate.coefficients);
    let rows = kinds.len().saturating_sub(1);
    let mut values = DVector::zeros(rows);
    let mut gradients = DMatrix::zeros(rows, parameters);
    for (row, contrast) in contrasts.iter().take(rows).enumerate() {
        values[row] = contrast.dot(&estimate.coefficients) / unit;
        gradients.set_row(row, &((contrast - &mean * values[row]) / unit).transpose());
    }
    let covariance = &gradients * &estimate.covariance * gradients.transpose();
    Ok((values, covariance))
}

/// Tests for each kind of both games, pawns included, that one more of them changes the cumulative log-odds of the score (proportional odds) by more
/// than in the other game.
pub fn more_power(game: &str, other: &str, cache: &RunCache) -> Vec<TestResult> {
    let claim = |kind: &str| format!("{} changes the odds of a game more than in {other}", with_article(kind));
    let both = cache.values(game).and_then(|one| Ok((one, cache.values(other)?)));
    let (one, two) = match both {
        Ok(both) => both,
        Err(reason) => return vec![TestResult::Joint(claim("piece"), Err(reason))],
    };
    let pawn = |fitted: &FittedValues| fitted.game.kind(fitted.game.pawn).name.clone();
    let pawn = Some(pawn(&one)).filter(|name| *name == pawn(&two));
    let result = |kind: String| {
        let both = log_odds(&one, &kind).and_then(|here| Ok((here, log_odds(&two, &kind)?)));
        let critical_value = one.estimate.critical_value.max(two.estimate.critical_value);
        TestResult::Number(NumberResult {
            claim: claim(&kind),
            unit: format!(
                "log-odds of at least a given score (proportional odds) for one more {kind}, divided by those in {other}"
            ),
            claimed: Claimed::MoreThan {
                value: 1.0,
                margin: 0.05,
            },
            note: both.as_ref().ok().map(|((here, _), (there, _))| {
                format!("{here:.3} log-odds here, {there:.3} in {other}, at the same number of nodes")
            }),
            effect: both.map(|((here, here_variance), (there, there_variance))| {
                let ratio = RatioEstimate {
                    numerator: here,
                    denominator: there,
                    numerator_variance: here_variance,
                    denominator_variance: there_variance,
                    covariance: 0.0,
                };
                Effect {
                    value: ratio.estimate(),
                    interval: ratio.fieller_region(critical_value),
                    p: None,
                    clusters: one.clusters.min(two.clusters),
                    games: one.games + two.games,
                }
            }),
        })
    };
    common_kinds(&one, &two).into_iter().chain(pawn).map(result).collect()
}

/// Cumulative log-odds of one more piece of a kind, averaged over the game, with their variance.
fn log_odds(fitted: &FittedValues, kind: &str) -> Result<(f64, f64), String> {
    let estimate = &fitted.estimate;
    let contrast = worth(fitted, kind, estimate.mean_left).ok_or_else(|| format!("{kind} is not measured"))?;
    let variance = contrast.dot(&(&estimate.covariance * &contrast));
    Ok((contrast.dot(&estimate.coefficients), variance))
}

/// Share of drawn games, clustered by opening pair.
pub(super) fn draw_rate(games: &[GameResult]) -> Result<ClusteredMean, String> {
    let mut sums = ClusterSums::default();
    for game in games {
        let is_draw = game.white == assay_rules::Points::DRAW;
        sums.add(game.pair as usize, 1.0, f64::from(u8::from(is_draw)));
    }
    sums.mean().ok_or_else(|| "fewer than two openings".to_owned())
}

/// A mean over games with a t interval.
///
/// # Errors
/// If all clusters have the same mean.
pub(super) fn mean_effect(mean: &ClusteredMean, clusters: usize) -> Result<Effect, String> {
    Effect::from_error(mean.mean, mean.standard_error, clusters, mean.weight as u64)
}

/// Number of different opening pairs.
pub(super) fn count_pairs(pairs: impl Iterator<Item = u64>) -> usize {
    pairs.collect::<std::collections::BTreeSet<u64>>().len()
}

/// Tests that a smaller share of games is drawn than in the other game.
pub fn fewer_draws(game: &str, other: &str, cache: &RunCache) -> TestResult {
    let share = |name: &str| {
        let games = cache.scores(&Run::equal(name))?;
        mean_effect(&draw_rate(&games)?, count_pairs(games.iter().map(|game| game.pair)))
    };
    let both = share(game).and_then(|here| Ok((here, share(other)?)));
    TestResult::Number(NumberResult {
        claim: format!("fewer games are drawn than in {other}"),
        unit: format!("share of drawn games, minus the share in {other}"),
        claimed: Claimed::LessThan {
            value: 0.0,
            margin: TOLERANCE,
        },
        note: both.as_ref().ok().map(|(here, there)| {
            format!(
                "{:.1}% here, {:.1}% in {other}, with equal armies",
                100.0 * here.value,
                100.0 * there.value
            )
        }),
        effect: both.map(|(here, there)| difference(&here, &there)),
    })
}

/// Ratio of two independent costs, with Fieller's interval. The numerator may be any number: a pawn that costs nothing refutes that it costs more.
///
/// # Errors
/// If the denominator, the cost in the game `other`, is not significantly above zero.
pub(super) fn cost_ratio(here: &PawnCost, there: &PawnCost, other: &str) -> Result<Effect, String> {
    let clusters = (here.pairs.min(there.pairs) as usize).max(2);
    let critical_value = critical_value(clusters);
    if there.log_odds <= critical_value * there.standard_error {
        return Err(format!(
            "the cost of a missing pawn in {other} is not significantly above zero in these games"
        ));
    }
    let ratio = RatioEstimate {
        numerator: here.log_odds,
        denominator: there.log_odds,
        numerator_variance: here.standard_error.powi(2),
        denominator_variance: there.standard_error.powi(2),
        covariance: 0.0,
    };
    Ok(Effect {
        value: ratio.estimate(),
        interval: ratio.fieller_region(critical_value),
        p: None,
        clusters,
        games: 2 * (here.pairs + there.pairs),
    })
}

/// Tests the cost of a missing pawn divided by the cost in the other game.
pub fn pawn_cost(game: &str, other: &str, claimed: Claimed, claim: &str, cache: &RunCache) -> TestResult {
    let both = cache
        .pawn_cost(game)
        .and_then(|here| Ok((here, cache.pawn_cost(other)?)));
    TestResult::Number(NumberResult {
        claim: claim.to_owned(),
        unit: format!("cost of a missing pawn in log-odds of the score, divided by the cost in {other}"),
        claimed,
        note: both.as_ref().ok().map(|(here, there)| {
            format!(
                "a missing pawn costs {:.3} log-odds here, {:.3} in {other}, at the same number of nodes",
                here.log_odds, there.log_odds
            )
        }),
        effect: both.and_then(|(here, there)| cost_ratio(&here, &there, other)),
    })
}

/// Tests that a pawn is worth more relative to other kinds than in the other game.
pub fn pawn_among_pieces(game: &str, other: &str, others: &[String], cache: &RunCache) -> TestResult {
    let share = |name: &str| {
        let fitted = cache.values(name)?;
        let pawn = fitted.game.kind(fitted.game.pawn).name.clone();
        let ratio = relative_to(&fitted, &pawn, others, fitted.estimate.mean_left)?;
        Ok::<Effect, String>(scaled_effect(&fitted, ratio, 1.0))
    };
    let both = share(game).and_then(|here| Ok((here, share(other)?)));
    let names = enumeration(others);
    TestResult::Number(NumberResult {
        claim: format!("a pawn is worth more relative to {names} than in {other}"),
        unit: format!("value relative to {names}, minus the same in {other}"),
        claimed: Claimed::MoreThan {
            value: 0.0,
            margin: 0.02,
        },
        note: both
            .as_ref()
            .ok()
            .map(|(here, there)| format!("{:.3} here, {:.3} in {other}", here.value, there.value)),
        effect: both.map(|(here, there)| difference(&here, &there)),
    })
}
