use std::process::ExitStatus;
use std::time::Duration;

use thiserror::Error;

/// An error that makes an engine unusable.
#[derive(Debug, Error)]
pub enum EngineError {
    /// The engine exited, or closed its output, when it should have answered.
    #[error("{} before it answered `{command}`{}", exit_text(*.status), stderr_text(.stderr))]
    Exited {
        command: String,
        /// `None` if the process still runs.
        status: Option<ExitStatus>,
        /// The last lines of its standard error.
        stderr: Vec<String>,
    },
    /// The engine did not answer in time.
    #[error("no answer to `{command}` within {} s", .timeout.as_secs_f64())]
    Timeout { command: String, timeout: Duration },
    /// The caller stopped the wait.
    #[error("stopped")]
    Stopped,
    /// The engine supports variants, but not this one.
    #[error("does not support the game `{variant}`: expected one of its {known} games{suggestion}")]
    UnknownVariant {
        variant: String,
        /// Number of games that it supports.
        known: usize,
        /// The game with the most similar name, as in `; did you mean NAME?`; empty if there is
        /// none.
        suggestion: String,
        /// Whether the engine can load the definitions of games (`VariantPath`), and has loaded
        /// none.
        can_load: bool,
    },
    /// An XBoard engine cannot set up positions, which games that begin elsewhere than at the start
    /// need.
    #[error("{0}")]
    NoPositions(String),
    /// The program cannot be started, lacks a requested option or the game, reports an error of an
    /// option, or gives an answer that cannot be read.
    #[error("{0}")]
    Unusable(String),
}

/// `exited (exit status: 3)`, or `closed its output` for a process that still runs.
pub fn exit_text(status: Option<ExitStatus>) -> String {
    match status {
        Some(status) => format!("exited ({status})"),
        None => "closed its output".to_owned(),
    }
}

/// The end of an engine's standard error, in one line.
fn stderr_text(lines: &[String]) -> String {
    let last = &lines[lines.len().saturating_sub(3)..];
    if last.is_empty() { String::new() } else { format!("; its standard error ends with `{}`", last.join(" / ")) }
}
