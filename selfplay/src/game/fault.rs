use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// What an engine did wrong. Every fault loses the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FaultKind {
    /// A move that the rules do not allow.
    IllegalMove,
    /// An answer that is not a move.
    Malformed,
    /// A claim to have no move (`bestmove (none)`, `0000`) or a result while there are legal moves,
    /// or that the opponent's legal move is illegal.
    WrongClaim,
    /// An answer after the time limit and the margin.
    TimeLoss,
    /// No answer long after the time limit.
    Stall,
    /// The engine exited or closed its output.
    Crash,
}

impl FaultKind {
    /// All of them, in the order of reports.
    pub const ALL: [FaultKind; 6] = [
        FaultKind::IllegalMove,
        FaultKind::Malformed,
        FaultKind::WrongClaim,
        FaultKind::TimeLoss,
        FaultKind::Stall,
        FaultKind::Crash,
    ];

    /// The name in data, and the plural, for the heading of a table.
    const fn names(self) -> (&'static str, &'static str) {
        match self {
            FaultKind::IllegalMove => ("illegal-move", "illegal moves"),
            FaultKind::Malformed => ("malformed-answer", "malformed answers"),
            FaultKind::WrongClaim => ("wrong-claim", "wrong claims"),
            FaultKind::TimeLoss => ("time-loss", "time losses"),
            FaultKind::Stall => ("stall", "stalls"),
            FaultKind::Crash => ("crash", "crashes"),
        }
    }

    /// The name in data.
    pub const fn name(self) -> &'static str {
        self.names().0
    }

    /// The plural, for the heading of a table.
    pub const fn plural(self) -> &'static str {
        self.names().1
    }

    /// Returns true if the process can no longer be used.
    pub const fn needs_restart(self) -> bool {
        matches!(self, FaultKind::Stall | FaultKind::Crash)
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A fault when it is detected, before it is assigned to a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineFault {
    pub kind: FaultKind,
    /// What happened, in one line.
    pub what: String,
    /// Both sides' views if the fault concerns the rules.
    pub dispute: Option<Box<Dispute>>,
    /// The last lines of the engine's error output.
    pub stderr: Vec<String>,
}

impl EngineFault {
    /// An answer after its time limit.
    pub(crate) fn late(elapsed: Duration, limit: Duration, stderr: Vec<String>) -> EngineFault {
        let (elapsed, limit) = (elapsed.as_secs_f64(), limit.as_secs_f64());
        EngineFault {
            kind: FaultKind::TimeLoss,
            what: format!("answered after {elapsed:.3} s, expected at most {limit:.3} s"),
            dispute: None,
            stderr,
        }
    }
}

/// A disagreement about the rules between an engine and Assay.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dispute {
    /// The ply of the move in question, from 1.
    pub ply: usize,
    /// The position before it.
    pub fen: String,
    /// The engine's answer.
    pub found: String,
    /// All moves that are legal by Assay's rules.
    pub legal: Vec<String>,
}

/// The fault that ended a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaultRecord {
    /// The side at fault: 0 or 1.
    pub player: usize,
    /// What happened, in one line.
    pub what: String,
    pub dispute: Option<Dispute>,
    /// The last lines of the engine's error output.
    pub stderr: Vec<String>,
}
