//! How a game of a match ends: by the rules, by somebody's fault, or by agreement.

use std::fmt;

use assay_rules::Termination;

use crate::game::fault::FaultKind;

/// Why a game of a match is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// By the rules of the game, as Assay knows them.
    Rules(Termination),
    /// One engine did something wrong and lost.
    Fault(FaultKind),
    /// The engines agreed long enough on who wins (`-resign`).
    Resignation,
    /// The engines agreed long enough that nobody wins (`-draw`).
    DrawAgreed,
    /// The game was as long as games may be (`-maxmoves`).
    TooLong,
    /// The side to move said that it has no move, and the scores said that it is mated; only without an arbiter.
    ClaimedMate,
    /// The side to move said that it has no move, and the scores did not say that it is mated; only without an arbiter.
    ClaimedStalemate,
    /// The same moves were played over and over; only without an arbiter.
    Shuffling,
}

const REASONS: [Termination; 5] = [
    Termination::Checkmate,
    Termination::Stalemate,
    Termination::DeadPosition,
    Termination::Repetition,
    Termination::MoveRule,
];

const OTHERS: [Ending; 6] = [
    Ending::Resignation,
    Ending::DrawAgreed,
    Ending::TooLong,
    Ending::ClaimedMate,
    Ending::ClaimedStalemate,
    Ending::Shuffling,
];

impl Ending {
    /// All of them, in the order of reports.
    pub fn all() -> impl Iterator<Item = Ending> {
        let rules = REASONS.into_iter().map(Ending::Rules);
        rules.chain(OTHERS).chain(FaultKind::ALL.into_iter().map(Ending::Fault))
    }

    /// Its name in data and reports.
    pub const fn name(self) -> &'static str {
        match self {
            Ending::Rules(reason) => reason.name(),
            Ending::Fault(kind) => kind.name(),
            Ending::Resignation => "resignation",
            Ending::DrawAgreed => "draw-adjudication",
            Ending::TooLong => "max-moves",
            Ending::ClaimedMate => "claimed-mate",
            Ending::ClaimedStalemate => "claimed-stalemate",
            Ending::Shuffling => "shuffling",
        }
    }

    /// The one of that name.
    pub fn from_name(name: &str) -> Option<Ending> {
        Ending::all().find(|ending| ending.name() == name)
    }

    /// The PGN tag `Termination`.
    pub const fn termination(self) -> &'static str {
        match self {
            Ending::Rules(_) | Ending::ClaimedMate | Ending::ClaimedStalemate | Ending::Shuffling => "normal",
            Ending::Resignation | Ending::DrawAgreed | Ending::TooLong => "adjudication",
            Ending::Fault(FaultKind::TimeLoss) => "time forfeit",
            Ending::Fault(FaultKind::Stall | FaultKind::Crash) => "abandoned",
            Ending::Fault(_) => "rules infraction",
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_ending_has_a_name_of_its_own() {
        for ending in Ending::all() {
            assert_eq!(Ending::from_name(ending.name()), Some(ending));
        }
        assert_eq!(Ending::all().count(), 17);
    }
}
