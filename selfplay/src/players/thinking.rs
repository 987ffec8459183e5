//! Waiting for the moves of a program, and its faults.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use assay_client::connection::{Connection, EngineError, POLL_INTERVAL, exit_text};

use super::NoAnswer;
use crate::game::{EngineFault, FaultKind};

/// An engine without clock may search this many stall times if it keeps printing.
const MAX_STALLS: u32 = 10;

/// Maximum time that an engine gets to answer after its time has run out, to distinguish a late
/// engine from a hanging one.
const MAX_GRACE: Duration = Duration::from_secs(10);

/// How an engine is told to think, and for how long it may.
#[derive(Clone, Copy, Debug)]
pub(super) struct Thinking {
    pub(super) started: Instant,
    /// The time for the move, with the margin; `None` without a limit.
    pub(super) limit: Option<Duration>,
    /// How long the engine may be silent beyond its time, or without a limit.
    pub(super) stall: Duration,
    /// The command that makes it answer at once.
    pub(super) stop: &'static str,
}

/// Waits for the answer of an engine that thinks: reads its output until `take` returns an answer.
/// Returns it with the time from the start.
///
/// # Errors
/// If the answer is late, none comes, or the wait is stopped.
pub(super) fn answer<T>(
    connection: &mut Connection,
    thinking: Thinking,
    stop: &AtomicBool,
    mut take: impl FnMut(&Connection, &str) -> Option<T>,
) -> Result<(T, Duration), NoAnswer> {
    let Thinking { started, limit, stall, .. } = thinking;
    let poll = POLL_INTERVAL.min(limit.unwrap_or(POLL_INTERVAL)).max(Duration::from_millis(1));
    let mut is_stopped = false;
    let mut last_output = started;
    loop {
        let line = connection.read_line("go", poll);
        if let Some(line) = line.map_err(|error| no_answer(connection, error, "searching"))? {
            last_output = line.at;
            if let Some(answer) = take(connection, &line.text) {
                let elapsed = line.at.saturating_duration_since(started);
                return match limit.filter(|&limit| elapsed > limit) {
                    Some(limit) => {
                        let stderr = connection.stderr_tail();
                        Err(NoAnswer::Fault(EngineFault::late(elapsed, limit, stderr)))
                    }
                    None => Ok((answer, elapsed)),
                };
            }
        }
        if stop.load(Ordering::Relaxed) {
            return Err(NoAnswer::Stopped);
        }
        let now = Instant::now();
        let elapsed = now.saturating_duration_since(started);
        if let Some(limit) = limit {
            let late = elapsed.saturating_sub(limit);
            if !late.is_zero() && !is_stopped {
                // The game is lost; an answer distinguishes a time loss from a stall.
                connection.send(thinking.stop);
                is_stopped = true;
            }
            if late > stall.min(MAX_GRACE) {
                let what = format!("no answer {:.1} s after its time ran out", late.as_secs_f64());
                return Err(fault(connection, FaultKind::Stall, what));
            }
        } else if now.saturating_duration_since(last_output) > stall || elapsed > MAX_STALLS * stall {
            let what = format!("no answer within {:.1} s", elapsed.as_secs_f64());
            return Err(fault(connection, FaultKind::Stall, what));
        }
    }
}

/// A fault of the engine, with the end of its error output.
pub(super) fn fault(connection: &Connection, kind: FaultKind, what: String) -> NoAnswer {
    NoAnswer::Fault(EngineFault { kind, what, dispute: None, stderr: connection.stderr_tail() })
}

/// Classifies an error as a crash or a stall.
pub(super) fn no_answer(connection: &Connection, error: EngineError, activity: &str) -> NoAnswer {
    match error {
        EngineError::Stopped => NoAnswer::Stopped,
        EngineError::Exited { status, .. } => {
            fault(connection, FaultKind::Crash, format!("{} while {activity}", exit_text(status)))
        }
        error => fault(connection, FaultKind::Stall, error.to_string()),
    }
}
