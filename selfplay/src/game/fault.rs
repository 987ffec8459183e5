//! What an engine can do wrong. Each of these loses the game.

use std::fmt;

/// The sort of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FaultKind {
    /// A move that the rules do not allow.
    IllegalMove,
    /// An answer that is no move at all.
    Garbled,
    /// `bestmove (none)`, `0000` or a resignation while there are legal moves and the game goes on.
    WrongClaim,
    /// An answer, but after its time and the margin.
    TimeLoss,
    /// No answer, though its time is long past.
    Stall,
    /// It ended, or closed its output, before the game was over.
    Crash,
}

impl FaultKind {
    /// All of them, in the order of reports.
    pub const ALL: [FaultKind; 6] = [
        FaultKind::IllegalMove,
        FaultKind::Garbled,
        FaultKind::WrongClaim,
        FaultKind::TimeLoss,
        FaultKind::Stall,
        FaultKind::Crash,
    ];

    /// Its name in data.
    pub const fn name(self) -> &'static str {
        match self {
            FaultKind::IllegalMove => "illegal-move",
            FaultKind::Garbled => "garbled-move",
            FaultKind::WrongClaim => "wrong-claim",
            FaultKind::TimeLoss => "time-loss",
            FaultKind::Stall => "stall",
            FaultKind::Crash => "crash",
        }
    }

    /// The one of that name.
    pub fn from_name(name: &str) -> Option<FaultKind> {
        FaultKind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// In words, as a table's heading.
    pub const fn words(self) -> &'static str {
        match self {
            FaultKind::IllegalMove => "illegal moves",
            FaultKind::Garbled => "garbled answers",
            FaultKind::WrongClaim => "wrong claims",
            FaultKind::TimeLoss => "time losses",
            FaultKind::Stall => "stalls",
            FaultKind::Crash => "crashes",
        }
    }

    /// Is the process no good any more?
    pub const fn needs_restart(self) -> bool {
        matches!(self, FaultKind::Stall | FaultKind::Crash)
    }

    /// Do the two sides disagree about the rules?
    pub const fn is_dispute(self) -> bool {
        matches!(
            self,
            FaultKind::IllegalMove | FaultKind::Garbled | FaultKind::WrongClaim
        )
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A fault with what is known of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Its sort.
    pub kind: FaultKind,
    /// What happened, in one line.
    pub what: String,
    /// The last lines that the engine wrote to its error output.
    pub stderr: Vec<String>,
}

impl Fault {
    /// A fault that the error output tells nothing of.
    pub fn new(kind: FaultKind, what: impl Into<String>) -> Fault {
        Fault {
            kind,
            what: what.into(),
            stderr: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for kind in FaultKind::ALL {
            assert_eq!(FaultKind::from_name(kind.name()), Some(kind));
        }
        assert_eq!(FaultKind::from_name("checkmate"), None);
    }
}
