//! The pairings of a tournament.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::EngineSettings;

/// The largest number of engines of a tournament.
pub const MAX_PLAYERS: usize = 64;

/// Who plays whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "format", rename_all = "lowercase")]
pub enum TournamentFormat {
    /// Everyone plays everyone.
    RoundRobin,
    /// The first engines, the seeds, play all others.
    Gauntlet {
        /// From 1 to the number of engines less 1.
        seeds: usize,
    },
}

impl TournamentFormat {
    /// The players of each pairing of a round, in the order of play. The first one has White in the
    /// first game of a pair.
    ///
    /// Round robins follow the circle method: in each turn of the circle everyone plays once (but
    /// for a bye), so whenever a tournament is stopped, all engines have played about the same
    /// number of games.
    fn pairings(self, players: usize) -> Vec<[usize; 2]> {
        match self {
            TournamentFormat::Gauntlet { seeds } => {
                let opponents = seeds..players;
                opponents.flat_map(|opponent| (0..seeds).map(move |seed| [seed, opponent])).collect()
            }
            TournamentFormat::RoundRobin => {
                // With an odd number of players, the place that does not move round the circle is
                // empty.
                let places = players.next_multiple_of(2);
                let is_fixed = players == places;
                let player_at = |place: usize, turn: usize| match place {
                    0 => is_fixed.then_some(0),
                    place => Some((place - 1 + turn) % (places - 1) + usize::from(is_fixed)),
                };
                let turns = (0..places - 1).flat_map(|turn| (0..places / 2).map(move |place| (turn, place)));
                let pairings = turns.filter_map(|(turn, place)| {
                    let (first, second) = (player_at(place, turn)?, player_at(places - 1 - place, turn)?);
                    // Everyone is first in half of the pairings: by the place, and at the fixed
                    // place by the turn.
                    let is_turned = if place == 0 { turn } else { place } % 2 == 1;
                    Some(if is_turned { [second, first] } else { [first, second] })
                });
                pairings.collect()
            }
        }
    }
}

impl fmt::Display for TournamentFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TournamentFormat::RoundRobin => f.write_str("roundrobin"),
            TournamentFormat::Gauntlet { seeds } => write!(f, "gauntlet seeds={seeds}"),
        }
    }
}

/// The players of a match or tournament and its pairings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tournament {
    players: Vec<EngineSettings>,
    format: TournamentFormat,
    pairings: Vec<[usize; 2]>,
}

impl Tournament {
    /// A tournament of two or more players; of two, it is a match.
    ///
    /// # Errors
    /// If the number of players, or that of the seeds, is not possible.
    pub fn new(players: Vec<EngineSettings>, format: TournamentFormat) -> Result<Tournament, String> {
        let count = players.len();
        if !(2..=MAX_PLAYERS).contains(&count) {
            return Err(format!("found {count} engines, expected 2 to {MAX_PLAYERS}"));
        }
        if let TournamentFormat::Gauntlet { seeds } = format
            && !(1..count).contains(&seeds)
        {
            let most = count - 1;
            return Err(format!("found {seeds} of {count} engines, expected 1 to {most}: the seeds play all others"));
        }
        Ok(Tournament { pairings: format.pairings(count), players, format })
    }

    pub fn players(&self) -> &[EngineSettings] {
        &self.players
    }

    pub fn format(&self) -> TournamentFormat {
        self.format
    }

    /// The players of each pairing of a round, in the order of play. All pairings of a round have
    /// the same opening.
    pub fn pairings(&self) -> &[[usize; 2]] {
        &self.pairings
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn everyone_plays_everyone_once() {
        for players in 2..=MAX_PLAYERS {
            let pairings = TournamentFormat::RoundRobin.pairings(players);
            let distinct: BTreeSet<_> = pairings.iter().map(|&[one, two]| (one.min(two), one.max(two))).collect();
            assert_eq!((distinct.len(), pairings.len()), (players * (players - 1) / 2, distinct.len()));
            assert!(pairings.iter().all(|&[one, two]| one != two && one.max(two) < players));
            // Each turn of the circle has every player at most once.
            for turn in pairings.chunks(players / 2) {
                let seen: BTreeSet<usize> = turn.iter().flatten().copied().collect();
                assert_eq!(seen.len(), 2 * turn.len(), "{players}");
            }
            for player in 0..players {
                let firsts = pairings.iter().filter(|pairing| pairing[0] == player).count();
                assert!((2 * firsts).abs_diff(players - 1) <= 1, "{player} of {players} is first in {firsts}");
            }
        }
        let four = TournamentFormat::RoundRobin.pairings(4);
        assert_eq!(four, [[0, 3], [2, 1], [1, 0], [3, 2], [0, 2], [1, 3]]);
    }

    #[test]
    fn seeds_play_all_others() {
        let gauntlet = TournamentFormat::Gauntlet { seeds: 2 };
        assert_eq!(gauntlet.pairings(4), [[0, 2], [1, 2], [0, 3], [1, 3]]);
    }
}
