use std::fmt;

use assay_rules::{Points, Termination};

use super::fault::FaultKind;

/// Counts by name, in a fixed order; an object in JSON.
pub type NamedCounts = indexmap::IndexMap<&'static str, u64>;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameEnd {
    Rules(Termination),
    /// A player lost through a fault.
    Fault(FaultKind),
    /// A player resigned, or its game was adjudicated as a loss (`-resign`).
    Resignation,
    /// Adjudicated as a draw (`-draw`).
    DrawAdjudication,
    /// Drawn by the limit on the number of moves (`-maxmoves`).
    MoveLimit,
}

const BY_RULES: [Termination; 9] = [
    Termination::Checkmate,
    Termination::Stalemate,
    Termination::DeadPosition,
    Termination::Repetition,
    Termination::MoveRule,
    Termination::Goal,
    Termination::Checks,
    Termination::BareKing,
    Termination::Extinction,
];

const OTHERS: [GameEnd; 3] = [GameEnd::Resignation, GameEnd::DrawAdjudication, GameEnd::MoveLimit];

impl GameEnd {
    /// All of them, in the order of reports.
    pub fn all() -> impl Iterator<Item = GameEnd> {
        let by_rules = BY_RULES.into_iter().map(GameEnd::Rules);
        by_rules.chain(OTHERS).chain(FaultKind::ALL.into_iter().map(GameEnd::Fault))
    }

    /// The name in data and reports.
    pub const fn name(self) -> &'static str {
        match self {
            GameEnd::Rules(termination) => termination.name(),
            GameEnd::Fault(kind) => kind.name(),
            GameEnd::Resignation => "resignation",
            GameEnd::DrawAdjudication => "draw-adjudication",
            GameEnd::MoveLimit => "max-moves",
        }
    }

    /// The end with this name.
    pub fn from_name(name: &str) -> Option<GameEnd> {
        GameEnd::all().find(|end| end.name() == name)
    }

    /// The value of the PGN tag `Termination`.
    pub const fn pgn_termination(self) -> &'static str {
        match self {
            GameEnd::Rules(_) => "normal",
            GameEnd::Resignation | GameEnd::DrawAdjudication | GameEnd::MoveLimit => "adjudication",
            GameEnd::Fault(FaultKind::TimeLoss) => "time forfeit",
            GameEnd::Fault(FaultKind::Stall | FaultKind::Crash) => "abandoned",
            GameEnd::Fault(_) => "rules infraction",
        }
    }
}

/// A result with White's points as PGN writes it: 0.75 and 0.25 points are a draw.
pub fn result_marker(white: Points) -> &'static str {
    match white {
        Points::WIN => "1-0",
        Points::LOSS => "0-1",
        _ => "1/2-1/2",
    }
}

impl fmt::Display for GameEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_end_has_a_unique_name() {
        for end in GameEnd::all() {
            assert_eq!(GameEnd::from_name(end.name()), Some(end));
        }
        assert_eq!(GameEnd::all().count(), 18);
    }
}
