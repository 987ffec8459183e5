//! The scores of all pairings of a run.

use crate::game::GameRecord;
use crate::settings::{RunSettings, Tournament};
use crate::statistics::SprtDecision;
use crate::tournament::score::MatchScore;

/// The score of each pairing. A match has one pairing, self-play none.
#[derive(Clone, Debug)]
pub struct Standings {
    pairings: Vec<([usize; 2], MatchScore)>,
}

impl Standings {
    /// The standings before the first game.
    pub fn new(settings: &RunSettings) -> Standings {
        let pairings = settings.players.tournament().map_or(&[][..], Tournament::pairings);
        Standings { pairings: pairings.iter().map(|&players| (players, settings.new_score())).collect() }
    }

    /// Adds a finished game. Each pairing plays one pair of games in each round.
    pub fn add(&mut self, game: &GameRecord) {
        let count = self.pairings.len().max(1) as u64;
        if let Some((_, score)) = self.pairings.get_mut((game.pair % count) as usize) {
            score.add_to_pair(game, game.pair / count);
        }
    }

    /// The numbers of the players of each pairing, and their score from the first one's point of
    /// view.
    pub fn pairings(&self) -> impl ExactSizeIterator<Item = ([usize; 2], &MatchScore)> + Clone {
        self.pairings.iter().map(|(players, score)| (*players, score))
    }

    /// The score of a match; `None` in self-play and with more than two players.
    pub fn match_score(&self) -> Option<&MatchScore> {
        match self.pairings.as_slice() {
            [(_, score)] => Some(score),
            _ => None,
        }
    }

    /// The decision of the test of a match; `Continue` without a test.
    pub fn decision(&self) -> SprtDecision {
        self.match_score().map_or(SprtDecision::Continue, |score| score.decision)
    }

    /// Pairs (or games) that repeat an earlier one of the same pairing.
    pub fn repeated(&self) -> u64 {
        self.pairings.iter().map(|(_, score)| score.repeated).sum()
    }
}
