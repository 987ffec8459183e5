//! Counts of results.

use thiserror::Error;

/// How often each score occurred: the observations are games, or pairs of games.
///
/// The scores are equally spaced from 0 to 1, as a share of what an observation can bring: three of them for games with
/// three results, five for pairs of such games or for games with five results, nine for pairs of the latter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    counts: Vec<u64>,
    games_each: u32,
}

/// Why counts are no sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SampleError {
    /// A number of counts that no game has.
    #[error(
        "found {found} counts, expected 3 (losses, draws, wins), 5 (pairs worth 0, 0.5, 1, 1.5, 2 points) or 9 (pairs by quarter points)"
    )]
    Length {
        /// How many there are.
        found: usize,
    },
}

impl Sample {
    /// Single games with that many different results (3 or 5), none played yet.
    pub fn of_games(results: usize) -> Sample {
        Sample {
            counts: vec![0; results],
            games_each: 1,
        }
    }

    /// Pairs of games with that many different results (3 or 5) each, none played yet.
    pub fn of_pairs(results: usize) -> Sample {
        Sample {
            counts: vec![0; 2 * results - 1],
            games_each: 2,
        }
    }

    /// Counts as they are written: three of single games, or five or nine of pairs, the least score first.
    ///
    /// # Errors
    /// When there is any other number of them.
    pub fn from_counts(counts: &[u64]) -> Result<Sample, SampleError> {
        let games_each = match counts.len() {
            3 => 1,
            5 | 9 => 2,
            found => return Err(SampleError::Length { found }),
        };
        Ok(Sample {
            counts: counts.to_vec(),
            games_each,
        })
    }

    /// One more observation with the score of that number, counted from 0 for the least.
    ///
    /// # Panics
    /// When there is no such score.
    pub fn add(&mut self, score: usize) {
        self.counts[score] += 1;
    }

    /// How often each score occurred, the least first.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Observations.
    pub fn observations(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Games in an observation: 1 or 2.
    pub fn games_each(&self) -> u32 {
        self.games_each
    }

    /// Games in all observations.
    pub fn games(&self) -> u64 {
        self.observations() * u64::from(self.games_each)
    }

    /// The scores, from 0 to 1.
    pub fn scores(&self) -> impl ExactSizeIterator<Item = f64> + Clone + use<> {
        let last = (self.counts.len() - 1) as f64;
        (0..self.counts.len()).map(move |number| number as f64 / last)
    }

    /// The mean score, 0 to 1; `None` without observations.
    pub fn mean(&self) -> Option<f64> {
        let observations = self.observations();
        (observations > 0).then(|| {
            let sum: f64 = self
                .scores()
                .zip(&self.counts)
                .map(|(score, &count)| score * count as f64)
                .sum();
            sum / observations as f64
        })
    }

    /// The variance of an observation's score around the mean (divided by the number, not one less); `None` without
    /// observations.
    pub fn variance(&self) -> Option<f64> {
        let mean = self.mean()?;
        let sum: f64 = self
            .scores()
            .zip(&self.counts)
            .map(|(score, &count)| (score - mean).powi(2) * count as f64)
            .sum();
        Some(sum / self.observations() as f64)
    }

    /// Points won in all games.
    pub fn points(&self) -> f64 {
        self.mean().map_or(0.0, |mean| mean * self.games() as f64)
    }

    /// The share of observations with the middle score: drawn games, or pairs without a winner.
    pub fn draw_ratio(&self) -> Option<f64> {
        let observations = self.observations();
        (observations > 0).then(|| self.counts[self.counts.len() / 2] as f64 / observations as f64)
    }

    /// Observations above the middle score for each one below it; infinite without the latter, `None` without any of both.
    pub fn win_ratio(&self) -> Option<f64> {
        let middle = self.counts.len() / 2;
        let below: u64 = self.counts[..middle].iter().sum();
        let above: u64 = self.counts[middle + 1..].iter().sum();
        match (above, below) {
            (0, 0) => None,
            (_, 0) => Some(f64::INFINITY),
            _ => Some(above as f64 / below as f64),
        }
    }

    /// The sample seen from the other side.
    #[must_use]
    pub fn flipped(&self) -> Sample {
        Sample {
            counts: self.counts.iter().rev().copied().collect(),
            games_each: self.games_each,
        }
    }

    /// The share of each score, with as good as nothing in place of nothing: a score that has not occurred yet is unlikely,
    /// not impossible. Without that one improbable result decides a sequential test.
    pub(super) fn shares(&self) -> Vec<f64> {
        let counts = self.counts.iter().map(|&count| (count as f64).max(LEAST));
        let sum: f64 = counts.clone().sum();
        counts.map(|count| count / sum).collect()
    }

    /// The number of observations that [`Sample::shares`] are shares of.
    pub(super) fn weight(&self) -> f64 {
        self.counts.iter().map(|&count| (count as f64).max(LEAST)).sum()
    }
}

/// What counts as nothing: the value is the one that public testing frameworks use, so that figures agree.
const LEAST: f64 = 1e-3;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_those_of_the_counts() {
        let sample = Sample::from_counts(&[1, 0, 2, 0, 1]).unwrap();
        assert_eq!((sample.observations(), sample.games()), (4, 8));
        assert_eq!(sample.mean(), Some(0.5));
        assert_eq!(sample.variance(), Some(0.125));
        assert!((sample.points() - 4.0).abs() < 1e-12);
        assert_eq!(sample.draw_ratio(), Some(0.5));
        assert_eq!(sample.win_ratio(), Some(1.0));
    }

    #[test]
    fn nothing_is_known_of_nothing() {
        let sample = Sample::of_pairs(3);
        assert_eq!(sample.counts().len(), 5);
        assert_eq!(
            (sample.mean(), sample.variance(), sample.win_ratio()),
            (None, None, None)
        );
    }

    #[test]
    fn two_games_of_five_results_make_nine() {
        let mut sample = Sample::of_pairs(5);
        sample.add(3);
        assert_eq!(sample.counts().len(), 9);
        assert_eq!(sample.mean(), Some(0.375));
    }

    #[test]
    fn other_numbers_of_counts_are_refused() {
        let error = Sample::from_counts(&[1, 2]).unwrap_err().to_string();
        assert!(error.starts_with("found 2 counts, expected 3"), "{error}");
    }
}
