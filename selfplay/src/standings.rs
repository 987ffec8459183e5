//! The scores of all pairings of a run.

use crate::game::GameRecord;
use crate::settings::{BracketMatch, MAX_TIE_BREAKS, RunSettings, Tournament, TournamentFormat, known_pairings};
use crate::statistics::SprtDecision;
use crate::tournament::score::MatchScore;

/// The score of each pairing that is known. A match has one pairing, self-play none.
#[derive(Clone, Debug)]
pub struct Standings {
    pairings: Vec<([usize; 2], MatchScore)>,
    /// The number of all pairings.
    pairing_count: u64,
}

impl Standings {
    /// The standings before the first game.
    pub fn new(settings: &RunSettings) -> Standings {
        let mut standings = Standings { pairings: Vec::new(), pairing_count: settings.players.pairing_count() };
        if !settings.players.is_self_play() {
            standings.grow(settings);
        }
        standings
    }

    /// Adds the pairings that have become known.
    pub(crate) fn grow(&mut self, settings: &RunSettings) {
        let new = settings.players.pairings().iter().skip(self.pairings.len());
        self.pairings.extend(new.map(|&players| (players, settings.new_score())));
    }

    /// Adds a finished game. Each pairing plays one pair of games in each round.
    pub fn add(&mut self, game: &GameRecord) {
        let pairing = (game.pair % self.pairing_count) as usize;
        if let Some((_, score)) = self.pairings.get_mut(pairing) {
            score.add_to_pair(game, game.pair / self.pairing_count);
        }
    }

    /// The numbers of the players of each pairing, and their score from the first one's point of
    /// view.
    pub fn pairings(&self) -> impl ExactSizeIterator<Item = ([usize; 2], &MatchScore)> + Clone {
        self.pairings.iter().map(|(players, score)| (*players, score))
    }

    /// The numbers of the players of sides 0 and 1 in the games of a pair; `None` in self-play, and
    /// if they are not known.
    pub fn players_of(&self, pair: u64) -> Option<[usize; 2]> {
        let pairing = self.pairings.get((pair % self.pairing_count) as usize);
        pairing.map(|(players, _)| *players)
    }

    /// The score of a match; `None` in self-play and in tournaments.
    pub fn match_score(&self) -> Option<&MatchScore> {
        match self.pairings.as_slice() {
            [(_, score)] if self.pairing_count == 1 => Some(score),
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

    /// The bracket of a knockout; `None` in other tournaments.
    pub fn bracket(&self, tournament: &Tournament) -> Option<Vec<Vec<BracketMatch>>> {
        tournament.bracket(|pairing| self.winner(tournament, pairing))
    }

    /// The pairings of a knockout to which the results lead; `None` in other tournaments.
    ///
    /// # Errors
    /// If the known pairings are others.
    pub(crate) fn pairings_by_results(&self, tournament: &Tournament) -> Result<Option<Vec<[usize; 2]>>, String> {
        let Some(bracket) = self.bracket(tournament) else {
            return Ok(None);
        };
        let pairings = known_pairings(&bracket);
        // After games were lost, more pairings are known.
        let differs = |(_, (by_results, known)): &(usize, (&[usize; 2], &[usize; 2]))| by_results != known;
        match pairings.iter().zip(tournament.pairings()).enumerate().find(differs) {
            None => Ok(Some(pairings)),
            Some((pairing, _)) => {
                Err(format!("setting pairings: found other players of pairing {pairing} than the results give"))
            }
        }
    }

    /// The winner of a pairing of a knockout: by points, or if further openings have not broken the
    /// tie, the better seed. `None` if it is not decided.
    fn winner(&self, tournament: &Tournament, pairing: usize) -> Option<usize> {
        let (players, score) = self.pairings.get(pairing)?;
        if self.openings(tournament, pairing)? > score.finished() {
            return None;
        }
        Some(match lead(score) {
            0 => tournament.better_seed(*players),
            lead => players[usize::from(lead < 0)],
        })
    }

    /// The number of openings that a pairing of a knockout plays, as far as its results tell;
    /// `None` in other tournaments.
    pub(crate) fn openings(&self, tournament: &Tournament, pairing: usize) -> Option<u64> {
        let TournamentFormat::Knockout { openings, .. } = tournament.format() else {
            return None;
        };
        let Some((_, score)) = self.pairings.get(pairing) else {
            return Some(openings);
        };
        let finished = score.finished();
        let goes_on = finished >= openings && lead(score) == 0 && finished < openings + MAX_TIE_BREAKS;
        Some(finished.max(openings) + u64::from(goes_on))
    }
}

/// The sign of the first player's points above those of the second.
fn lead(score: &MatchScore) -> i32 {
    let counts = score.game_counts.counts();
    let last = counts.len() - 1;
    let lead = counts.iter().zip(0..).map(|(&count, step)| count as i64 * (2 * step - last as i64));
    lead.sum::<i64>().signum() as i32
}
