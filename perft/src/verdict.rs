//! What a run found, as the program's exit status.

use std::process::ExitCode;

/// What a run found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Everything was done, and everything agrees.
    Agree,
    /// Something differs.
    Differ,
    /// Somebody interrupted it.
    Interrupted,
}

impl Verdict {
    /// The exit status of a run that was asked something impossible.
    pub fn misuse() -> ExitCode {
        ExitCode::from(2)
    }

    /// The exit status.
    pub fn exit_code(self) -> ExitCode {
        ExitCode::from(match self {
            Verdict::Agree => 0,
            Verdict::Differ => 1,
            Verdict::Interrupted => 130,
        })
    }

    /// `Agree` when nothing differs.
    pub fn of(agrees: bool) -> Verdict {
        if agrees { Verdict::Agree } else { Verdict::Differ }
    }
}
