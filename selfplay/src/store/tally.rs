//! Counts of results, kept while games come in.

use assay_rules::{Points, Termination};

use crate::store::GameRecord;

/// How games ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    results: [u64; 5],
    reasons: Vec<(Termination, u64)>,
    plies: u64,
}

impl Tally {
    /// Counts a game.
    pub fn add(&mut self, game: &GameRecord) {
        self.count(game.result, game.reason, 1, game.moves.len() as u64);
    }

    /// Counts so many games that ended alike, with all their plies.
    pub(crate) fn count(&mut self, result: Points, reason: Termination, games: u64, plies: u64) {
        self.results[usize::from(result.quarters())] += games;
        match self.reasons.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, count)) => *count += games,
            None => self.reasons.push((reason, games)),
        }
        self.plies += plies;
    }

    /// All games.
    pub fn games(&self) -> u64 {
        self.results.iter().sum()
    }

    /// Games in which White's score was this.
    pub fn with(&self, result: Points) -> u64 {
        self.results[usize::from(result.quarters())]
    }

    /// Games that ended for this reason.
    pub fn by(&self, reason: Termination) -> u64 {
        self.reasons
            .iter()
            .find(|(known, _)| *known == reason)
            .map_or(0, |(_, count)| *count)
    }

    /// Plies of all games.
    pub fn plies(&self) -> u64 {
        self.plies
    }

    /// Plies of the average game; `None` without games.
    pub fn average_plies(&self) -> Option<f64> {
        (self.games() > 0).then(|| self.plies as f64 / self.games() as f64)
    }

    /// White's mean score in points; `None` without games.
    pub fn white_mean(&self) -> Option<f64> {
        let quarters: u64 = (0..)
            .zip(self.results)
            .map(|(quarters, games): (u64, u64)| quarters * games)
            .sum();
        (self.games() > 0).then(|| quarters as f64 / 4.0 / self.games() as f64)
    }
}
