use super::{EngineSettings, Tournament};

/// The players of a run.
#[expect(clippy::large_enum_variant, reason = "there is one per run")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayerSlots {
    /// Self-play: one built-in engine with one transposition table plays both sides of a game, and
    /// the second game of a pair exchanges the armies.
    Shared(EngineSettings),
    /// A match: results are the first player's, and the second game of a pair exchanges the colors.
    Separate([EngineSettings; 2]),
    /// A tournament of more than two players: each pairing of a round is played as a match is.
    Tournament(Tournament),
}

impl PlayerSlots {
    /// The players: one in self-play, two in a match, more in a tournament.
    pub fn all(&self) -> &[EngineSettings] {
        match self {
            PlayerSlots::Shared(player) => std::slice::from_ref(player),
            PlayerSlots::Separate(players) => players,
            PlayerSlots::Tournament(tournament) => tournament.players(),
        }
    }

    /// The numbers of the players of sides 0 and 1 in each pairing of a round.
    pub fn pairings(&self) -> &[[usize; 2]] {
        match self {
            PlayerSlots::Shared(_) => &[[0, 0]],
            PlayerSlots::Separate(_) => &[[0, 1]],
            PlayerSlots::Tournament(tournament) => tournament.pairings(),
        }
    }

    pub fn pairing_count(&self) -> u64 {
        self.pairings().len() as u64
    }

    /// The numbers of the players of sides 0 and 1 in the games of a pair.
    pub fn of_pair(&self, pair: u64) -> [usize; 2] {
        self.pairings()[(pair % self.pairing_count()) as usize]
    }

    /// The tournament; `None` in self-play and matches.
    pub fn tournament(&self) -> Option<&Tournament> {
        match self {
            PlayerSlots::Tournament(tournament) => Some(tournament),
            PlayerSlots::Shared(_) | PlayerSlots::Separate(_) => None,
        }
    }

    pub fn is_self_play(&self) -> bool {
        matches!(self, PlayerSlots::Shared(_))
    }
}
