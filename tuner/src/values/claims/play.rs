//! Claims about the way games are played, measured in games between equal armies and compared with another game.

use serde::Deserialize;

use super::compare::count_pairs;
use super::played_games::PlayedGame;
use super::run_cache::{Run, RunCache};
use super::{Claimed, Effect, NumberResult, TestResult};
use crate::values::inference::clustered_mean::{ClusterSums, ClusteredMean};
use crate::values::inference::distributions::critical_value;
use crate::values::inference::fieller::RatioEstimate;

/// A measure of play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PlayMeasure {
    /// Share of the moves that capture or give check.
    ForcingMoves,
    /// Mean absolute change of the expected score from one of a player's moves to its next, in points. Scores become expected scores by a
    /// logistic curve that is fitted to the results of the same games, because a pawn decides more in one game than in another.
    ScoreChanges,
    /// Number of plies.
    Length,
}

impl PlayMeasure {
    const fn unit(self) -> &'static str {
        match self {
            PlayMeasure::ForcingMoves => "share of moves that capture or give check",
            PlayMeasure::ScoreChanges => {
                "mean absolute change of the expected score from one of a player's moves to its next"
            }
            PlayMeasure::Length => "length of a game in plies",
        }
    }

    /// The measure of one game; `None` if the game has too few moves or scores for it.
    fn of(self, game: &PlayedGame) -> Option<f64> {
        match self {
            PlayMeasure::ForcingMoves => game.forcing_moves,
            PlayMeasure::ScoreChanges => game.score_change,
            PlayMeasure::Length => Some(f64::from(game.plies)),
        }
    }

    /// The number in a note.
    fn text(self, number: f64) -> String {
        match self {
            PlayMeasure::ForcingMoves => format!("{:.1}%", 100.0 * number),
            PlayMeasure::ScoreChanges => format!("{number:.4} points"),
            PlayMeasure::Length => format!("{number:.1} plies"),
        }
    }
}

/// Mean of a measure over games, clustered by opening pair, and the number of pairs.
fn mean(games: &[PlayedGame], measure: PlayMeasure) -> Result<(ClusteredMean, usize), String> {
    let measured = games
        .iter()
        .filter_map(|game| Some((game.pair as usize, 1.0, measure.of(game)?)));
    let sums: ClusterSums = measured.collect();
    let mean = sums.mean().ok_or("fewer than two openings")?;
    if mean.half_width().is_none() {
        return Err("the measure is the same in all openings, so its error is unknown".to_owned());
    }
    let pairs = count_pairs(games.iter().map(|game| game.pair));
    Ok((mean, pairs))
}

/// Ratio of two independent means, with Fieller's interval.
fn ratio((here, here_pairs): (ClusteredMean, usize), (there, there_pairs): (ClusteredMean, usize)) -> Effect {
    let ratio = RatioEstimate {
        numerator: here.mean,
        denominator: there.mean,
        numerator_variance: here.standard_error.powi(2),
        denominator_variance: there.standard_error.powi(2),
        covariance: 0.0,
    };
    let clusters = here_pairs.min(there_pairs).max(2);
    Effect {
        value: ratio.estimate(),
        interval: ratio.fieller_region(critical_value(clusters)),
        p: None,
        clusters,
        games: (here.weight + there.weight) as u64,
    }
}

/// Tests how a game is played, compared with another game.
pub fn compare(
    game: &str,
    other: &str,
    measure: PlayMeasure,
    claimed: Claimed,
    claim: &str,
    cache: &RunCache,
) -> TestResult {
    let measured = |name: &str| mean(&cache.played(&Run::equal(name))?, measure);
    let both = measured(game).and_then(|here| Ok((here, measured(other)?)));
    TestResult::Number(NumberResult {
        claim: claim.to_owned(),
        unit: format!("{}, divided by that in {other}", measure.unit()),
        claimed,
        note: both.as_ref().ok().map(|(here, there)| {
            format!(
                "{} here, {} in {other}, with equal armies",
                measure.text(here.0.mean),
                measure.text(there.0.mean)
            )
        }),
        effect: both.map(|(here, there)| ratio(here, there)),
    })
}
