//! Claims on scores: the first move, starts, handicaps. All errors are by opening pair.

use std::collections::BTreeMap;

use super::compare::{difference, of_mean, pairs};
use super::run_cache::{GameResult, Run, RunCache};
use super::{Claimed, Effect, NumberResult, TestResult};
use crate::values::inference::clustered_mean::{ClusterSums, ClusteredMean};
use crate::values::inference::distributions::{CONFIDENCE_LEVEL, chi_square_quantile};
use crate::values::inference::fieller::ConfidenceRegion;

/// Scores this near to each other are called the same, in points a game.
pub const SAME: f64 = 0.02;

/// The start that handicaps are added to, without one.
pub const PLAIN: &str = "14";

/// Opening pairs that each start needs before starts are compared.
const LEAST_PAIRS: usize = 10;

/// Whom a handicap favours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Receiver {
    /// White in the first game of a pair, Black in the second, where the armies are swapped.
    FirstWhite,
    /// The other way round.
    FirstBlack,
    /// White in both: a move more does not change sides with the armies.
    AlwaysWhite,
}

/// A handicap: starts that all count as it, each the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Handicap {
    /// Its name.
    pub name: &'static str,
    /// Its starts.
    pub starts: &'static [&'static str],
    /// Whom it favours.
    pub receiver: Receiver,
    /// For pawns: files between the pawn and the middle of the board.
    pub from_middle: f64,
}

fn too_few() -> String {
    "fewer than two openings".to_owned()
}

/// White's mean score.
pub(super) fn white(games: &[GameResult]) -> Result<ClusteredMean, String> {
    let mut sums = ClusterSums::default();
    for game in games {
        sums.add(game.pair as usize, 1.0, game.white.as_f64());
    }
    sums.mean().ok_or_else(too_few)
}

/// White's mean score against one half.
pub fn first_move(game: &str, cache: &RunCache) -> TestResult {
    let effect = cache.scores(&Run::equal(game)).and_then(|games| {
        let mean = white(&games)?;
        Ok(of_mean(&mean, pairs(&games)))
    });
    TestResult::Number(NumberResult {
        claim: "White and Black have the same chances".to_owned(),
        unit: "White's mean score".to_owned(),
        claimed: Claimed::Near {
            value: 0.5,
            within: SAME,
        },
        effect,
        note: Some("from equal armies, all set-ups, after random opening moves".to_owned()),
    })
}

/// White's mean score with the rule less that without, opening by opening: both definitions have the same openings.
pub(super) fn less_white(with: &[GameResult], without: &[GameResult]) -> Result<Effect, String> {
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
        ..of_mean(&mean, common)
    })
}

/// Does a rule take something from White?
pub fn rule_helps_black(with: &str, without: &str, cache: &RunCache) -> TestResult {
    let effect = cache
        .scores(&Run::equal(with))
        .and_then(|one| less_white(&one, &cache.scores(&Run::equal(without))?));
    TestResult::Number(NumberResult {
        claim: "the rule takes from White's advantage".to_owned(),
        unit: "White's mean score, less that without the rule".to_owned(),
        claimed: Claimed::LessThan { value: 0.0 },
        effect,
        note: Some(format!(
            "{with} against {without}, the same openings, both played with weights computed from the pieces' movement"
        )),
    })
}

/// How far apart starts are: the standard deviation of White's expected score over them, with its interval and a test that there
/// is none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Spread {
    pub(super) effect: Effect,
    pub(super) f: f64,
    pub(super) p: f64,
    pub(super) starts: usize,
}

/// Compares starts by the means of their pairs (analysis of variance; the interval holds all spreads that a chi-square test of the
/// means does not reject).
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
    if starts < 2 || fewest < LEAST_PAIRS {
        return Err(format!(
            "a start has {fewest} openings, expected at least {LEAST_PAIRS} of each"
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
    // Squared distances of the means from their common mean, when starts differ with this variance.
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
    let at = |wanted: f64| root(statistic, wanted).sqrt();
    let f = statistic(0.0) / (starts - 1) as f64;
    Ok(Spread {
        effect: Effect {
            value: at((starts - 1) as f64),
            interval: ConfidenceRegion::Bounded {
                low: at(chi_square_quantile(1.0 - tail, starts - 1)),
                high: at(chi_square_quantile(tail, starts - 1)),
            },
            games: games.len() as u64,
        },
        f,
        p: crate::values::inference::distributions::f_survival(f, starts - 1, degrees_of_freedom),
        starts,
    })
}

/// Where a falling function of a variance (of scores, so at most 1) comes down to `wanted`; 0 where it begins below.
fn root(falling: impl Fn(f64) -> f64, wanted: f64) -> f64 {
    if falling(0.0) <= wanted {
        return 0.0;
    }
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..100 {
        let middle = f64::midpoint(low, high);
        if falling(middle) > wanted {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

/// Are all starts equally good for White?
pub fn fair_starts(game: &str, cache: &RunCache) -> TestResult {
    let found = cache.scores(&Run::equal(game)).and_then(|games| spread(&games));
    TestResult::Number(NumberResult {
        claim: "White has the same chances from all set-ups".to_owned(),
        unit: "standard deviation of White's expected score over the set-ups".to_owned(),
        claimed: Claimed::Near {
            value: 0.0,
            within: SAME,
        },
        note: found.as_ref().ok().map(|found| {
            format!(
                "test that all {} are alike: F = {:.2}, p = {:.3}",
                found.starts, found.f, found.p
            )
        }),
        effect: found.map(|found| found.effect),
    })
}

/// What a handicap gives its receiver beyond an even score, in points a game.
pub(super) fn gain(receiver: Receiver, games: &[GameResult]) -> Result<Effect, String> {
    let mut sums = ClusterSums::default();
    for game in games {
        let is_white = match receiver {
            Receiver::FirstWhite => !game.swapped,
            Receiver::FirstBlack => game.swapped,
            Receiver::AlwaysWhite => true,
        };
        let score = if is_white { game.white } else { game.white.flipped() };
        sums.add(game.pair as usize, 1.0, score.as_f64() - 0.5);
    }
    let mean = sums.mean().ok_or_else(too_few)?;
    Ok(of_mean(&mean, pairs(games)))
}

/// The mean over a handicap's starts; of a move more, beyond what White has anyhow.
fn gain_of(game: &str, handicap: &Handicap, cache: &RunCache) -> Result<Effect, String> {
    let gains: Vec<Effect> = handicap
        .starts
        .iter()
        .map(|start| gain(handicap.receiver, &cache.scores(&Run::from(game, start))?))
        .collect::<Result<_, String>>()?;
    let mean = mean(&gains);
    if handicap.receiver == Receiver::AlwaysWhite {
        let games = cache.scores(&Run::from(game, PLAIN))?;
        let anyhow = gain(Receiver::AlwaysWhite, &games)?;
        return Ok(difference(&mean, &anyhow));
    }
    Ok(mean)
}

/// The plain mean of independent effects.
fn mean(effects: &[Effect]) -> Effect {
    let count = effects.len() as f64;
    let weights: Vec<f64> = effects.iter().map(|_| 1.0 / count).collect();
    combine(effects, &weights)
}

/// A weighted sum of independent effects, all of them with bounded, even intervals.
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
        games: effects.iter().map(|effect| effect.games).sum(),
    }
}

fn compared(
    says: String,
    more: (&Handicap, Result<Effect, String>),
    less: (&Handicap, Result<Effect, String>),
) -> TestResult {
    let both = more.1.and_then(|one| Ok((one, less.1?)));
    TestResult::Number(NumberResult {
        claim: says,
        unit: "points a game that the receiver gains more".to_owned(),
        claimed: Claimed::MoreThan { value: 0.0 },
        note: both.as_ref().ok().map(|(one, other)| {
            format!(
                "{} gives {:+.3}, {} {:+.3}",
                more.0.name, one.value, less.0.name, other.value
            )
        }),
        effect: both.map(|(one, other)| difference(&one, &other)),
    })
}

/// Each handicap against the one before.
pub fn in_order(game: &str, handicaps: &[Handicap], cache: &RunCache) -> Vec<TestResult> {
    let gains: Vec<Result<Effect, String>> = handicaps
        .iter()
        .map(|handicap| gain_of(game, handicap, cache))
        .collect();
    let two = handicaps.windows(2).zip(gains.windows(2));
    two.map(|(names, gains)| {
        let says = format!("{} gives more than {}", names[1].name, names[0].name);
        compared(says, (&names[1], gains[1].clone()), (&names[0], gains[0].clone()))
    })
    .collect()
}

/// One handicap against another.
pub fn more_than(game: &str, says: &str, more: Handicap, less: Handicap, cache: &RunCache) -> TestResult {
    let gains = [&more, &less].map(|handicap| gain_of(game, handicap, cache));
    let [one, other] = gains;
    compared(says.to_owned(), (&more, one), (&less, other))
}

/// The least-squares slope of effects over how near the middle they are, for a file each.
pub(super) fn slope(effects: &[Effect], from_middle: &[f64]) -> Effect {
    let count = effects.len() as f64;
    let centre = from_middle.iter().sum::<f64>() / count;
    let squares: f64 = from_middle.iter().map(|at| (at - centre).powi(2)).sum();
    let weights: Vec<f64> = from_middle.iter().map(|at| (centre - at) / squares).collect();
    combine(effects, &weights)
}

/// Does a pawn give more, the nearer to the middle it stands?
pub fn nearer_the_middle(game: &str, handicaps: &[Handicap], cache: &RunCache) -> TestResult {
    let gains: Result<Vec<Effect>, String> = handicaps
        .iter()
        .map(|handicap| gain_of(game, handicap, cache))
        .collect();
    let from_middle: Vec<f64> = handicaps.iter().map(|handicap| handicap.from_middle).collect();
    TestResult::Number(NumberResult {
        claim: "a pawn more gives the more, the nearer to the middle it stands".to_owned(),
        unit: "points a game for each file nearer to the middle".to_owned(),
        claimed: Claimed::MoreThan { value: 0.0 },
        note: gains.as_ref().ok().map(|gains| {
            let each = handicaps
                .iter()
                .zip(gains)
                .map(|(handicap, gain)| format!("{} {:+.3}", handicap.name, gain.value));
            each.collect::<Vec<_>>().join(", ")
        }),
        effect: gains.map(|gains| slope(&gains, &from_middle)),
    })
}
