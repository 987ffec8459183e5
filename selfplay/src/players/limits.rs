//! How long an engine may think, and its clock.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use thiserror::Error;

/// A game's clock: `moves/time+increment`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// After so many moves the time is given anew; `None`: once for the whole game.
    pub moves: Option<u32>,
    /// The time.
    pub time: Duration,
    /// What each move adds.
    pub increment: Duration,
}

/// Why a text is no time.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("found `{found}`, expected {expected}")]
pub struct TimeError {
    found: String,
    expected: &'static str,
}

const CONTROL_FORM: &str = "moves/time+increment in seconds, like 10+0.1, 40/60 or 2:30+1";
const SECONDS_FORM: &str = "seconds above 0, like 1 or 0.25";

/// The longest time that makes sense: ten days.
const MOST_SECONDS: f64 = 864_000.0;

/// Reads seconds, `1:30` included.
fn seconds(text: &str) -> Option<Duration> {
    let part = |text: &str| {
        let plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        plain.then(|| text.parse::<f64>().ok()).flatten()
    };
    let seconds = match text.split_once(':') {
        Some((minutes, seconds)) => part(minutes)? * 60.0 + part(seconds)?,
        None => part(text)?,
    };
    (seconds <= MOST_SECONDS).then(|| Duration::from_secs_f64(seconds))
}

/// Reads a time above zero.
///
/// # Errors
/// When the text is none.
pub fn parse_seconds(text: &str) -> Result<Duration, TimeError> {
    let time = seconds(text).filter(|time| !time.is_zero());
    time.ok_or_else(|| TimeError {
        found: text.to_owned(),
        expected: SECONDS_FORM,
    })
}

impl FromStr for TimeControl {
    type Err = TimeError;

    fn from_str(text: &str) -> Result<TimeControl, TimeError> {
        let parse = || {
            let (moves, rest) = match text.split_once('/') {
                Some((moves, rest)) => (Some(moves.parse::<u32>().ok().filter(|&moves| moves > 0)?), rest),
                None => (None, text),
            };
            let (time, increment) = match rest.split_once('+') {
                Some((time, increment)) => (seconds(time)?, seconds(increment)?),
                None => (seconds(rest)?, Duration::ZERO),
            };
            let control = TimeControl { moves, time, increment };
            (!time.is_zero()).then_some(control)
        };
        parse().ok_or_else(|| TimeError {
            found: text.to_owned(),
            expected: CONTROL_FORM,
        })
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.time.as_secs_f64())?;
        if !self.increment.is_zero() {
            write!(f, "+{}", self.increment.as_secs_f64())?;
        }
        Ok(())
    }
}

/// When an engine has to move: all limits that are given hold together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineLimits {
    /// The game's clock.
    pub clock: Option<TimeControl>,
    /// Time for each move.
    pub movetime: Option<Duration>,
    /// Nodes for each move; it is up to the engine to keep this.
    pub nodes: Option<u64>,
    /// Plies of each search; it is up to the engine to keep this.
    pub depth: Option<u32>,
    /// How much later than its time an answer may come. It pays for the runner's own delays and is never added to a clock.
    pub margin: Duration,
}

/// The usual [`EngineLimits::margin`].
pub const USUAL_MARGIN: Duration = Duration::from_millis(20);

impl Default for EngineLimits {
    fn default() -> EngineLimits {
        EngineLimits {
            clock: None,
            movetime: None,
            nodes: None,
            depth: None,
            margin: USUAL_MARGIN,
        }
    }
}

impl EngineLimits {
    /// Does it say when to move at all?
    pub fn is_bounded(&self) -> bool {
        self.clock.is_some() || self.movetime.is_some() || self.nodes.is_some() || self.depth.is_some()
    }

    /// Does the time that passes decide nothing?
    pub fn is_timeless(&self) -> bool {
        self.clock.is_none() && self.movetime.is_none()
    }
}

/// As a command line says it, the margin apart.
impl fmt::Display for EngineLimits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        parts.extend(self.clock.map(|clock| clock.to_string()));
        parts.extend(self.movetime.map(|time| format!("{}s/move", time.as_secs_f64())));
        parts.extend(self.nodes.map(|nodes| format!("{nodes} nodes")));
        parts.extend(self.depth.map(|depth| format!("depth {depth}")));
        f.write_str(&parts.join(", "))
    }
}

/// A running clock of one engine in one game.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    control: TimeControl,
    remaining: Duration,
    /// Moves until the time is given anew.
    to_go: Option<u32>,
}

impl Clock {
    /// The clock at the start.
    pub fn new(control: TimeControl) -> Clock {
        Clock {
            control,
            remaining: control.time,
            to_go: control.moves,
        }
    }

    /// What is left.
    pub fn remaining(&self) -> Duration {
        self.remaining
    }

    /// What each move adds.
    pub fn increment(&self) -> Duration {
        self.control.increment
    }

    /// Moves until the time is given anew.
    pub fn moves_to_go(&self) -> Option<u32> {
        self.to_go
    }

    /// Takes the time of a move off and adds what the move brings. A move that was late by no more than the margin leaves
    /// nothing but that.
    pub fn spend(&mut self, elapsed: Duration) {
        self.remaining = self.remaining.saturating_sub(elapsed) + self.control.increment;
        if let Some(to_go) = &mut self.to_go {
            *to_go -= 1;
            if *to_go == 0 {
                self.remaining += self.control.time;
                *to_go = self.control.moves.unwrap_or(1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_are_read_and_written() {
        for (text, written) in [
            ("10+0.1", "10+0.1"),
            ("40/60", "40/60"),
            ("40/1:30+2", "40/90+2"),
            ("0.5", "0.5"),
            ("2:00", "120"),
        ] {
            assert_eq!(text.parse::<TimeControl>().unwrap().to_string(), written);
        }
        for text in [
            "", "+1", "0", "0/10", "x", "10+", "10+x", "-5", "1e3", "nan", "inf", "99999999",
        ] {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
        assert_eq!(
            "ten".parse::<TimeControl>().unwrap_err().to_string(),
            "found `ten`, expected moves/time+increment in seconds, like 10+0.1, 40/60 or 2:30+1"
        );
    }

    #[test]
    fn clocks_run_down_and_are_given_anew() {
        let ms = Duration::from_millis;
        let mut clock = Clock::new("2/1+0.1".parse().unwrap());
        clock.spend(ms(300));
        assert_eq!((clock.remaining(), clock.moves_to_go()), (ms(800), Some(1)));
        clock.spend(ms(900));
        // Too late within the margin: nothing was left, the increment and the new time came.
        assert_eq!((clock.remaining(), clock.moves_to_go()), (ms(1100), Some(2)));
        let mut clock = Clock::new("1+0.5".parse().unwrap());
        clock.spend(ms(250));
        assert_eq!((clock.remaining(), clock.moves_to_go()), (ms(1250), None));
    }
}
