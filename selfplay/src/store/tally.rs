use assay_rules::Points;

use crate::game::{GameEnd, GameRecord};

/// Counts of results and ends of games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    results: [u64; 5],
    ends: Vec<(GameEnd, u64)>,
    plies: u64,
}

impl Tally {
    pub fn add(&mut self, game: &GameRecord) {
        self.count(game.result, game.end, 1, game.moves.len() as u64);
    }

    /// Counts games with the same result and end, and their total number of plies.
    pub(crate) fn count(&mut self, result: Points, end: GameEnd, games: u64, plies: u64) {
        self.results[usize::from(result.quarters())] += games;
        match self.ends.iter_mut().find(|(known, _)| *known == end) {
            Some((_, count)) => *count += games,
            None => self.ends.push((end, games)),
        }
        self.plies = self.plies.saturating_add(plies);
    }

    pub fn games(&self) -> u64 {
        self.results.iter().sum()
    }

    /// Number of games with these points for White.
    pub fn games_with_result(&self, result: Points) -> u64 {
        self.results[usize::from(result.quarters())]
    }

    /// Number of games with this end.
    pub fn games_with_end(&self, end: GameEnd) -> u64 {
        self.ends
            .iter()
            .find(|(known, _)| *known == end)
            .map_or(0, |(_, count)| *count)
    }

    /// Mean number of plies per game; `None` without games.
    pub fn average_plies(&self) -> Option<f64> {
        (self.games() > 0).then(|| self.plies as f64 / self.games() as f64)
    }
}
