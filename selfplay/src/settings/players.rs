use super::{EngineSettings, Tournament, TournamentFormat};

/// The players of a run.
#[expect(clippy::large_enum_variant, reason = "there is one per run")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayerSlots {
    /// Self-play: one built-in engine with one transposition table plays both sides of a game, and
    /// the second game of a pair exchanges the armies.
    Shared(EngineSettings),
    /// A match of two players or a tournament of more: results are those of the first player of a
    /// pairing, and the second game of a pair exchanges the colors.
    Tournament(Tournament),
}

impl PlayerSlots {
    /// The players of a match.
    pub fn of_match(players: [EngineSettings; 2]) -> PlayerSlots {
        let Ok(tournament) = Tournament::new(players.into(), TournamentFormat::RoundRobin) else {
            unreachable!("two players are enough");
        };
        PlayerSlots::Tournament(tournament)
    }

    /// The players: one in self-play, two in a match, more in a tournament.
    pub fn all(&self) -> &[EngineSettings] {
        match self {
            PlayerSlots::Shared(player) => std::slice::from_ref(player),
            PlayerSlots::Tournament(tournament) => tournament.players(),
        }
    }

    /// The numbers of the players of sides 0 and 1 in each pairing of a round.
    pub fn pairings(&self) -> &[[usize; 2]] {
        self.tournament().map_or(&[[0, 0]], Tournament::pairings)
    }

    pub fn pairing_count(&self) -> u64 {
        self.pairings().len() as u64
    }

    /// The numbers of the players of sides 0 and 1 in the games of a pair.
    pub fn of_pair(&self, pair: u64) -> [usize; 2] {
        self.pairings()[(pair % self.pairing_count()) as usize]
    }

    /// The match or tournament; `None` in self-play.
    pub fn tournament(&self) -> Option<&Tournament> {
        match self {
            PlayerSlots::Tournament(tournament) => Some(tournament),
            PlayerSlots::Shared(_) => None,
        }
    }

    pub fn is_self_play(&self) -> bool {
        matches!(self, PlayerSlots::Shared(_))
    }
}
