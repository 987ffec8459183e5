//! Claims about scores: the first move, starts, handicaps. Standard errors are clustered by opening pair.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::compare::{count_pairs, difference, mean_effect};
use super::run_cache::{GameResult, Run, RunCache};
use super::verdict::TOLERANCE;
use super::{Claimed, Effect, NumberResult, TestResult};
use crate::values::inference::clustered_mean::{ClusterSums, ClusteredMean};
use crate::values::inference::distributions::{CONFIDENCE_LEVEL, chi_square_quantile, f_survival};
use crate::values::inference::fieller::ConfidenceRegion;

/// Minimum number of opening pairs of each start for a comparison of starts.
const MIN_PAIRS: usize = 10;

/// The side that a handicap favors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Receiver {
    /// White in the first game of a pair, Black in the second, where the armies are swapped.
    White,
    /// Black in the first game of a pair, White in the second.
    Black,
    /// White in both games: an extra move does not change sides with the armies.
    WhiteInBothGames,
    /// Black in both games.
    BlackInBothGames,
}

/// A handicap: one or more starts with equal weight.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Handicap {
    /// Name in reports.
    pub name: String,
    /// Names of the starts.
    pub starts: Vec<String>,
    /// The favored side.
    #[serde(rename = "favors")]
    pub receiver: Receiver,
    /// For an extra pawn: distance from the center of the board, in files.
    #[serde(default)]
    pub from_center: f64,
}

impl Handicap {
    /// The setup without the handicap, if its games are needed: an extra move is measured against the side's score without it.
    pub fn base(&self) -> Option<&str> {
        let setup = self.starts.first()?.split('+').next();
        let is_extra_move = matches!(self.receiver, Receiver::WhiteInBothGames | Receiver::BlackInBothGames);
        setup.filter(|_| is_extra_move)
    }
}

fn too_few() -> String {
    "fewer than two openings".to_owned()
}

/// White's mean score.
pub(super) fn white_score(games: &[GameResult]) -> Result<ClusteredMean, String> {
    let mut sums = ClusterSums::default();
    for game in games {
        sums.add(game.pair as usize, 1.0, game.white.as_f64());
    }
    sums.mean().ok_or_else(too_few)
}

/// Tests that White's mean score is 0.5.
pub fn first_move(game: &str, cache: &RunCache) -> TestResult {
    let effect = cache.scores(&Run::equal(game)).and_then(|games| {
        let mean = white_score(&games)?;
        mean_effect(&mean, count_pairs(games.iter().map(|game| game.pair)))
    });
    TestResult::Number(NumberResult {
        claim: "White and Black have equal chances".to_owned(),
        unit: "White's mean score".to_owned(),
        claimed: Claimed::Near {
            value: 0.5,
            within: TOLERANCE,
        },
        effect,
        note: Some("with equal armies, from all setups, after random opening moves".to_owned()),
    })
}

/// White's mean score with the rule minus that without it, paired by opening: both definitions have the same openings.
pub(super) fn paired_difference(with: &[GameResult], without: &[GameResult]) -> Result<Effect, String> {
    let by_pair = |games: &[GameResult]| {
        let mut scores: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
        for game in games {
            scores.entry(game.pair).or_default().push(game.white.as_f64());
        }
        scores.into_iter().map(|(pair, scores)| {
            let count = scores.len() as f64;
            (pair, scores.iter().sum::<f64>() / count)
        })
    };
    let without: BTreeMap<u64, f64> = by_pair(without).collect();
    let mut sums = ClusterSums::default();
    let (mut common, mut differing) = (0, 0);
    for (pair, score) in by_pair(with) {
        if let Some(other) = without.get(&pair) {
            sums.add(pair as usize, 1.0, score - other);
            common += 1;
            differing += usize::from((score - other).abs() > 0.0);
        }
    }
    let mean = sums.mean().ok_or_else(too_few)?;
    if differing < 2 {
        return Err(format!(
            "of {common} openings {differing} scored differently without the rule"
        ));
    }
    Ok(Effect {
        games: 4 * common as u64,
        ..mean_effect(&mean, common)?
    })
}

/// Tests that a rule lowers White's mean score.
pub fn rule_helps_black(with: &str, without: &str, cache: &RunCache) -> TestResult {
    let effect = cache
        .scores(&Run::equal(with))
        .and_then(|one| paired_difference(&one, &cache.scores(&Run::equal(without))?));
    TestResult::Number(NumberResult {
        claim: "the rule reduces White's advantage".to_owned(),
        unit: "White's mean score, minus the score without the rule".to_owned(),
        claimed: Claimed::LessThan {
            value: 0.0,
            margin: TOLERANCE,
        },
        effect,
        note: Some(format!(
            "{with} compared with {without} from the same openings, both played with weights computed from the pieces' movement"
        )),
    })
}

/// Standard deviation of White's expected score across starts, with its interval, the p-value of a deviation within [`TOLERANCE`], and a test that
/// it is zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Spread {
    pub(super) effect: Effect,
    pub(super) f: f64,
    pub(super) p: f64,
    pub(super) starts: usize,
}

/// Compares starts by one-way analysis of variance of the pairs' mean scores.
///
/// The interval contains all standard deviations that a chi-square test of the starts' means does not reject (Q-profile method:
/// Viechtbauer 2007).
pub(super) fn spread(games: &[GameResult]) -> Result<Spread, String> {
    let mut by_start: BTreeMap<usize, BTreeMap<u64, Vec<f64>>> = BTreeMap::new();
    for game in games {
        let pairs = by_start.entry(game.start).or_default();
        pairs.entry(game.pair).or_default().push(game.white.as_f64());
    }
    let groups: Vec<Vec<f64>> = by_start
        .into_values()
        .map(|pairs| {
            let means = pairs
                .into_values()
                .map(|scores| scores.iter().sum::<f64>() / scores.len() as f64);
            means.collect()
        })
        .collect();
    let starts = groups.len();
    let fewest = groups.iter().map(Vec::len).min().unwrap_or(0);
    if starts < 2 || fewest < MIN_PAIRS {
        return Err(format!(
            "found a start with {fewest} openings, expected at least {MIN_PAIRS} openings of each start"
        ));
    }
    let all: usize = groups.iter().map(Vec::len).sum();
    let means: Vec<f64> = groups
        .iter()
        .map(|group| group.iter().sum::<f64>() / group.len() as f64)
        .collect();
    let within: f64 = groups
        .iter()
        .zip(&means)
        .flat_map(|(group, mean)| group.iter().map(move |score| (score - mean).powi(2)))
        .sum();
    let degrees_of_freedom = all - starts;
    let variance = within / degrees_of_freedom as f64;
    if variance <= 0.0 {
        return Err("all games have the same result".to_owned());
    }
    // Cochran's Q of the starts' means if their expected scores have the variance `between`.
    let statistic = |between: f64| -> f64 {
        let weights: Vec<f64> = groups
            .iter()
            .map(|group| 1.0 / (variance / group.len() as f64 + between))
            .collect();
        let whole: f64 = weights.iter().sum();
        let mean = weights
            .iter()
            .zip(&means)
            .map(|(weight, mean)| weight * mean)
            .sum::<f64>()
            / whole;
        let squares = weights
            .iter()
            .zip(&means)
            .map(|(weight, at)| weight * (at - mean).powi(2));
        squares.sum()
    };
    let tail = (1.0 - CONFIDENCE_LEVEL) / 2.0;
    let at = |target: f64| root(statistic, target).sqrt();
    let f = statistic(0.0) / (starts - 1) as f64;
    let value = at((starts - 1) as f64);
    // The interval ends at 0 if the starts differ little, so its ends give no p-value. Twice the tail, like an end of the interval.
    let p_of_tolerance = if value > TOLERANCE {
        let f = statistic(TOLERANCE.powi(2)) / (starts - 1) as f64;
        (2.0 * f_survival(f, starts - 1, degrees_of_freedom)).min(1.0)
    } else {
        1.0
    };
    Ok(Spread {
        effect: Effect {
            value,
            interval: ConfidenceRegion::Bounded {
                low: at(chi_square_quantile(1.0 - tail, starts - 1)),
                high: at(chi_square_quantile(tail, starts - 1)),
            },
            p: Some(p_of_tolerance),
            clusters: all,
            games: games.len() as u64,
        },
        f,
        p: f_survival(f, starts - 1, degrees_of_freedom),
        starts,
    })
}

/// Solves `decreasing(x) = target` for a variance of scores, 0 to 1, by bisection. Returns 0 if `decreasing(0)` is at most `target`.
fn root(decreasing: impl Fn(f64) -> f64, target: f64) -> f64 {
    if decreasing(0.0) <= target {
        return 0.0;
    }
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..100 {
        let middle = f64::midpoint(low, high);
        if decreasing(middle) > target {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

/// Tests that White's expected score is the same from all starts.
pub fn fair_starts(game: &str, cache: &RunCache) -> TestResult {
    let found = cache.scores(&Run::equal(game)).and_then(|games| spread(&games));
    TestResult::Number(NumberResult {
        claim: "White has equal chances from all setups".to_owned(),
        unit: "standard deviation of White's expected score across setups".to_owned(),
        claimed: Claimed::Near {
            value: 0.0,
            within: TOLERANCE,
        },
        note: found.as_ref().ok().map(|found| {
            format!(
                "test of equality of all {} setups: F = {:.2}, p = {:.3}",
                found.starts, found.f, found.p
            )
        }),
        effect: found.map(|found| found.effect),
    })
}

/// Mean score of the favored side minus 0.5, in points per game.
pub(super) fn gain(receiver: Receiver, games: &[GameResult]) -> Result<Effect, String> {
    let mut sums = ClusterSums::default();
    for game in games {
        let is_white = match receiver {
            Receiver::White => !game.swapped,
            Receiver::Black => game.swapped,
            Receiver::WhiteInBothGames => true,
            Receiver::BlackInBothGames => false,
        };
        let score = if is_white { game.white } else { game.white.flipped() };
        sums.add(game.pair as usize, 1.0, score.as_f64() - 0.5);
    }
    let mean = sums.mean().ok_or_else(too_few)?;
    mean_effect(&mean, count_pairs(games.iter().map(|game| game.pair)))
}

/// Mean gain over a handicap's starts. The side's score without a handicap is subtracted if the same side always receives it.
fn handicap_gain(game: &str, handicap: &Handicap, cache: &RunCache) -> Result<Effect, String> {
    let gains: Vec<Effect> = handicap
        .starts
        .iter()
        .map(|start| gain(handicap.receiver, &cache.scores(&Run::from_start(game, start))?))
        .collect::<Result<_, String>>()?;
    let mean = mean(&gains);
    if let Some(base) = handicap.base() {
        let games = cache.scores(&Run::from_start(game, base))?;
        let base = gain(handicap.receiver, &games)?;
        return Ok(difference(&mean, &base));
    }
    Ok(mean)
}

/// Unweighted mean of independent effects.
fn mean(effects: &[Effect]) -> Effect {
    let count = effects.len() as f64;
    let weights: Vec<f64> = effects.iter().map(|_| 1.0 / count).collect();
    combine(effects, &weights)
}

/// Weighted sum of independent effects with bounded, symmetric intervals.
fn combine(effects: &[Effect], weights: &[f64]) -> Effect {
    let value = effects
        .iter()
        .zip(weights)
        .map(|(effect, weight)| weight * effect.value)
        .sum();
    let squares = effects.iter().zip(weights).map(|(effect, weight)| {
        let half = effect.interval.width().unwrap_or(f64::INFINITY) / 2.0;
        (weight * half).powi(2)
    });
    let half = squares.sum::<f64>().sqrt();
    Effect {
        value,
        interval: ConfidenceRegion::Bounded {
            low: value - half,
            high: value + half,
        },
        p: None,
        clusters: effects.iter().map(|effect| effect.clusters).min().unwrap_or(0),
        games: effects.iter().map(|effect| effect.games).sum(),
    }
}

fn compare_handicaps(
    claim: String,
    more: (&Handicap, Result<Effect, String>),
    less: (&Handicap, Result<Effect, String>),
) -> TestResult {
    let both = more.1.and_then(|one| Ok((one, less.1?)));
    TestResult::Number(NumberResult {
        claim,
        unit: "difference of the gains in points per game".to_owned(),
        claimed: Claimed::MoreThan {
            value: 0.0,
            margin: TOLERANCE,
        },
        note: both.as_ref().ok().map(|(one, other)| {
            format!(
                "gains: {} {:+.3}, {} {:+.3}",
                more.0.name, one.value, less.0.name, other.value
            )
        }),
        effect: both.map(|(one, other)| difference(&one, &other)),
    })
}

/// Tests that each handicap is larger than the one before.
pub fn in_order(game: &str, handicaps: &[Handicap], cache: &RunCache) -> Vec<TestResult> {
    let gains: Vec<Result<Effect, String>> = handicaps
        .iter()
        .map(|handicap| handicap_gain(game, handicap, cache))
        .collect();
    let two = handicaps.windows(2).zip(gains.windows(2));
    two.map(|(names, gains)| {
        let claim = format!("{} is a larger handicap than {}", names[1].name, names[0].name);
        compare_handicaps(claim, (&names[1], gains[1].clone()), (&names[0], gains[0].clone()))
    })
    .collect()
}

/// Tests that one handicap is larger than another.
pub fn larger_handicap(game: &str, claim: &str, more: &Handicap, less: &Handicap, cache: &RunCache) -> TestResult {
    let [one, other] = [more, less].map(|handicap| handicap_gain(game, handicap, cache));
    compare_handicaps(claim.to_owned(), (more, one), (less, other))
}

/// Least-squares slope of effects per file closer to the center.
pub(super) fn slope(effects: &[Effect], from_center: &[f64]) -> Effect {
    let count = effects.len() as f64;
    let center = from_center.iter().sum::<f64>() / count;
    let squares: f64 = from_center.iter().map(|at| (at - center).powi(2)).sum();
    let weights: Vec<f64> = from_center.iter().map(|at| (center - at) / squares).collect();
    combine(effects, &weights)
}

/// Tests that an extra pawn is a larger handicap, the closer it is to the center.
pub fn central_pawns(game: &str, handicaps: &[Handicap], cache: &RunCache) -> TestResult {
    let gains: Result<Vec<Effect>, String> = handicaps
        .iter()
        .map(|handicap| handicap_gain(game, handicap, cache))
        .collect();
    let from_center: Vec<f64> = handicaps.iter().map(|handicap| handicap.from_center).collect();
    TestResult::Number(NumberResult {
        claim: "an extra pawn is a larger handicap, the closer it is to the center".to_owned(),
        unit: "points per game for each file closer to the center".to_owned(),
        claimed: Claimed::MoreThan {
            value: 0.0,
            margin: TOLERANCE / 4.0,
        },
        note: gains.as_ref().ok().map(|gains| {
            let each = handicaps
                .iter()
                .zip(gains)
                .map(|(handicap, gain)| format!("{} {:+.3}", handicap.name, gain.value));
            each.collect::<Vec<_>>().join(", ")
        }),
        effect: gains.map(|gains| slope(&gains, &from_center)),
    })
}
