//! Result counts of games or game pairs.

use assay_cli::format::grouped;
use thiserror::Error;

/// The largest count that [`ResultCounts::from_counts`] accepts: sums of counts and points do not
/// overflow.
pub const MAX_COUNT: u64 = 1_000_000_000_000;

/// The number of times each result occurred among independent observations, which are single games
/// or game pairs.
///
/// Results are equally spaced from 0 (all games lost) to 1 (all games won). There are three for
/// games with win, draw and loss; five for pairs of such games (the pentanomial counts) or for
/// single games with five results; nine for pairs of the latter.
///
/// ```
/// use assay_selfplay::statistics::ResultCounts;
///
/// // Pairs that scored 0, 0.5, 1, 1.5 and 2 points.
/// let counts = ResultCounts::from_counts(&[10, 20, 40, 25, 5])?;
/// assert_eq!((counts.observations(), counts.games()), (100, 200));
/// assert_eq!(counts.mean(), Some(0.4875));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultCounts {
    counts: Vec<u64>,
    games_per_observation: u32,
}

/// Why a list of numbers is not a list of result counts.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("found {found}, expected {expected}")]
pub struct CountsError {
    pub found: String,
    pub expected: String,
}

impl ResultCounts {
    /// Empty counts of single games with `results` different results (3 or 5).
    pub fn of_games(results: usize) -> ResultCounts {
        ResultCounts { counts: vec![0; results], games_per_observation: 1 }
    }

    /// Empty counts of game pairs; each game has `results` different results (3 or 5).
    pub fn of_pairs(results: usize) -> ResultCounts {
        ResultCounts { counts: vec![0; 2 * results - 1], games_per_observation: 2 }
    }

    /// The same kind of counts before the first observation.
    #[must_use]
    pub fn emptied(&self) -> ResultCounts {
        ResultCounts { counts: vec![0; self.counts.len()], ..*self }
    }

    /// Counts in ascending order of score: three of single games, or five or nine of pairs.
    ///
    /// # Errors
    /// If the list has any other length, or a count exceeds [`MAX_COUNT`].
    pub fn from_counts(counts: &[u64]) -> Result<ResultCounts, CountsError> {
        let games_per_observation = match counts.len() {
            3 => 1,
            5 | 9 => 2,
            length => {
                return Err(CountsError {
                    found: format!("{length} counts"),
                    expected: "3 (losses, draws, wins), 5 (pairs worth 0, 0.5, 1, 1.5, 2 points) or 9 (pairs by quarter points)"
                        .to_owned(),
                });
            }
        };
        if let Some(&found) = counts.iter().find(|&&count| count > MAX_COUNT) {
            return Err(CountsError {
                found: format!("{} in the counts", grouped(found)),
                expected: format!("at most {}", grouped(MAX_COUNT)),
            });
        }
        Ok(ResultCounts { counts: counts.to_vec(), games_per_observation })
    }

    /// Adds one observation. `result` is an index into [`ResultCounts::counts`], 0 for the lowest
    /// score.
    ///
    /// # Panics
    /// If the index is out of range.
    pub fn add(&mut self, result: usize) {
        self.counts[result] += 1;
    }

    /// The counts, lowest score first.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Number of observations: games or pairs.
    pub fn observations(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// 1 for single games, 2 for pairs.
    pub fn games_per_observation(&self) -> u32 {
        self.games_per_observation
    }

    pub fn games(&self) -> u64 {
        self.observations() * u64::from(self.games_per_observation)
    }

    /// The score of each result, 0 to 1.
    pub fn scores(&self) -> impl ExactSizeIterator<Item = f64> + Clone + use<> {
        let last = (self.counts.len() - 1) as f64;
        (0..self.counts.len()).map(move |index| index as f64 / last)
    }

    /// Mean score, 0 to 1; `None` without observations.
    pub fn mean(&self) -> Option<f64> {
        let observations = self.observations();
        (observations > 0).then(|| {
            let sum: f64 = self.scores().zip(&self.counts).map(|(score, &count)| score * count as f64).sum();
            sum / observations as f64
        })
    }

    /// Variance of the score of one observation (sum of squares divided by n, not n - 1); `None`
    /// without observations.
    pub fn variance(&self) -> Option<f64> {
        let mean = self.mean()?;
        let sum: f64 =
            self.scores().zip(&self.counts).map(|(score, &count)| (score - mean).powi(2) * count as f64).sum();
        Some(sum / self.observations() as f64)
    }

    /// Points scored in all games.
    pub fn points(&self) -> f64 {
        // One division, so that a number of points is exact and prints as 56.5, not as
        // 56.50000000000001.
        let steps: u64 = self.counts.iter().zip(0..).map(|(&count, index)| count * index).sum();
        (steps * u64::from(self.games_per_observation)) as f64 / (self.counts.len() - 1) as f64
    }

    /// Fraction of observations with a score of one half: drawn games, or pairs without a winner.
    pub fn draw_ratio(&self) -> Option<f64> {
        let observations = self.observations();
        (observations > 0).then(|| self.counts[self.counts.len() / 2] as f64 / observations as f64)
    }

    /// Observations won per observation lost (fastchess's `PairsRatio`): infinite if none was lost,
    /// `None` if none was decided.
    pub fn win_loss_ratio(&self) -> Option<f64> {
        let middle = self.counts.len() / 2;
        let lost: u64 = self.counts[..middle].iter().sum();
        let won: u64 = self.counts[middle + 1..].iter().sum();
        match (won, lost) {
            (0, 0) => None,
            (_, 0) => Some(f64::INFINITY),
            _ => Some(won as f64 / lost as f64),
        }
    }

    /// The counts from the opponent's point of view.
    #[must_use]
    pub fn flipped(&self) -> ResultCounts {
        ResultCounts {
            counts: self.counts.iter().rev().copied().collect(),
            games_per_observation: self.games_per_observation,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_and_ratios_follow_from_the_counts() {
        let counts = ResultCounts::from_counts(&[1, 0, 2, 0, 1]).unwrap();
        assert_eq!((counts.observations(), counts.games()), (4, 8));
        assert_eq!(counts.mean(), Some(0.5));
        assert_eq!(counts.variance(), Some(0.125));
        assert_eq!(counts.points().to_string(), "4");
        assert_eq!(counts.draw_ratio(), Some(0.5));
        assert_eq!(counts.win_loss_ratio(), Some(1.0));
    }

    #[test]
    fn points_are_exact() {
        let counts = ResultCounts::from_counts(&[0, 1, 4, 3, 3]).unwrap();
        assert_eq!(counts.points().to_string(), "15");
    }

    #[test]
    fn empty_counts_have_no_moments() {
        let counts = ResultCounts::of_pairs(3);
        assert_eq!(counts.counts().len(), 5);
        assert_eq!((counts.mean(), counts.variance(), counts.win_loss_ratio()), (None, None, None));
    }

    #[test]
    fn pairs_of_games_with_five_results_have_nine() {
        let mut counts = ResultCounts::of_pairs(5);
        counts.add(3);
        assert_eq!(counts.counts().len(), 9);
        assert_eq!(counts.mean(), Some(0.375));
    }

    #[test]
    fn rejects_lists_of_other_lengths() {
        let error = ResultCounts::from_counts(&[1, 2]).unwrap_err().to_string();
        assert!(error.starts_with("found 2 counts, expected 3"), "{error}");
    }

    #[test]
    fn sums_of_the_largest_counts_do_not_overflow() {
        let counts = ResultCounts::from_counts(&[MAX_COUNT; 9]).unwrap();
        assert_eq!((counts.games(), counts.mean()), (18 * MAX_COUNT, Some(0.5)));
        assert_eq!(counts.points().to_string(), (9 * MAX_COUNT).to_string());
        let error = ResultCounts::from_counts(&[0, MAX_COUNT + 1, 0]).unwrap_err();
        assert_eq!(error.to_string(), "found 1,000,000,000,001 in the counts, expected at most 1,000,000,000,000");
    }
}
