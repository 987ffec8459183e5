//! Time controls, limits of a search, and clocks.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use assay_rules::ByColor;
use serde::{Deserialize, Serialize};

/// A time control: `moves/time+increment`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// The time is added again after this many moves; `None` for sudden death.
    pub moves: Option<u32>,
    pub time: Duration,
    /// Added before each move, also the first: Fischer's clock, as in fastchess and cutechess-cli.
    pub increment: Duration,
}

/// Errors for a text that is not a time.
const CONTROL_FORM: &str = "expected moves/time+increment in seconds, like 10+0.1, 40/60 or 2:30+1";
const SECONDS_FORM: &str = "expected seconds above 0, like 1 or 0.25";

/// The longest time accepted: ten days.
const MAX_SECONDS: f64 = 864_000.0;

/// Parses seconds, with or without their unit (`2`, `2s`), or minutes and seconds as `1:30`.
fn seconds(text: &str) -> Option<Duration> {
    let text = text.strip_suffix('s').unwrap_or(text);
    let part = |text: &str| {
        let plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        plain.then(|| text.parse::<f64>().ok()).flatten()
    };
    let seconds = match text.split_once(':') {
        Some((minutes, seconds)) => part(minutes)? * 60.0 + part(seconds)?,
        None => part(text)?,
    };
    (seconds <= MAX_SECONDS).then(|| Duration::from_secs_f64(seconds))
}

/// Parses a time above zero, in seconds.
///
/// # Errors
/// If the text is not one.
pub fn parse_seconds(text: &str) -> Result<Duration, &'static str> {
    let time = seconds(text).filter(|time| !time.is_zero());
    time.ok_or(SECONDS_FORM)
}

impl FromStr for TimeControl {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<TimeControl, &'static str> {
        let parse = || {
            let (moves, rest) = match text.split_once('/') {
                Some(("inf", rest)) => (None, rest),
                // 0 moves are all moves.
                Some((moves, rest)) => (Some(moves.parse::<u32>().ok()?).filter(|&moves| moves > 0), rest),
                None => (None, text),
            };
            let (time, increment) = match rest.split_once('+') {
                Some((time, increment)) => (seconds(time)?, seconds(increment)?),
                None => (seconds(rest)?, Duration::ZERO),
            };
            let control = TimeControl { moves, time, increment };
            (!(time + increment).is_zero()).then_some(control)
        };
        parse().ok_or(CONTROL_FORM)
    }
}

assay_cli::serde_by_text!(TimeControl);

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

/// Limits of a player's search. Those that are given apply together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineLimits {
    #[serde(rename = "tc")]
    pub clock: Option<TimeControl>,
    /// Time per move.
    #[serde(rename = "movetime_ms", with = "optional_millis")]
    pub movetime: Option<Duration>,
    /// Nodes per move. Not enforced: an engine may exceed it.
    pub nodes: Option<u64>,
    /// Search depth in plies. Not enforced.
    pub depth: Option<u32>,
    /// How late an answer may arrive. It covers the runner's own delays and is never added to a
    /// clock.
    #[serde(rename = "margin_ms", with = "millis")]
    pub margin: Duration,
}

/// The default of [`EngineLimits::margin`].
pub const DEFAULT_MARGIN: Duration = Duration::from_millis(20);

impl Default for EngineLimits {
    fn default() -> EngineLimits {
        EngineLimits { clock: None, movetime: None, nodes: None, depth: None, margin: DEFAULT_MARGIN }
    }
}

impl EngineLimits {
    /// Returns true if there is any limit but the margin.
    pub fn is_bounded(&self) -> bool {
        self.clock.is_some() || self.movetime.is_some() || self.nodes.is_some() || self.depth.is_some()
    }

    /// The time in which a player with this clock must answer, margin included; `None` without a
    /// limit.
    pub fn allowed(&self, clock: Option<&Clock>) -> Option<Duration> {
        let remaining = clock.map(|clock| clock.remaining);
        let shortest = remaining.into_iter().chain(self.movetime).min();
        shortest.map(|time| time + self.margin)
    }
}

/// Without the margin: `10+0.1, 4000 nodes`.
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

/// The clock of one player in one game.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    pub control: TimeControl,
    pub remaining: Duration,
    /// Moves until the time is added again; `None` for sudden death.
    pub to_go: Option<u32>,
}

impl Clock {
    pub fn new(control: TimeControl) -> Clock {
        Clock { control, remaining: control.time + control.increment, to_go: control.moves }
    }

    /// Subtracts the time of a move and adds the increment of the next one, and the next period's
    /// time when it begins. A move that was late within the margin leaves nothing of the old time.
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

/// The clocks of a game. A player without a time control has none.
pub type Clocks = ByColor<Option<Clock>>;

/// Serializes a duration as whole milliseconds.
pub mod millis {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    /// # Errors
    /// Those of the serializer.
    pub fn serialize<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
        (time.as_millis() as u64).serialize(serializer)
    }

    /// # Errors
    /// If the value is not a whole number.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
        u64::deserialize(deserializer).map(Duration::from_millis)
    }
}

mod optional_millis {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[expect(clippy::ref_option, reason = "the signature that serde calls")]
    pub(super) fn serialize<S: Serializer>(time: &Option<Duration>, serializer: S) -> Result<S::Ok, S::Error> {
        time.map(|time| time.as_millis() as u64).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Duration>, D::Error> {
        Ok(Option::<u64>::deserialize(deserializer)?.map(Duration::from_millis))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_round_trip() {
        for (text, written) in [
            ("10+0.1", "10+0.1"),
            ("40/60", "40/60"),
            ("40/1:30+2", "40/90+2"),
            ("0.5", "0.5"),
            ("2:00", "120"),
            ("2+0.02s", "2+0.02"),
            ("40/60s+1s", "40/60+1"),
            ("0+1", "0+1"),
            ("0/20+0.2", "20+0.2"),
            ("inf/5", "5"),
            ("6:00+4", "360+4"),
            ("30+.3", "30+0.3"),
        ] {
            assert_eq!(text.parse::<TimeControl>().unwrap().to_string(), written);
        }
        for text in [
            "", "+1", "0", "0+0", "s", "2ss", "2ms", "-1/10", "x", "10+", "10+x", "-5", "1e3", "nan", "inf", "99999999",
        ] {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
        assert_eq!(
            "ten".parse::<TimeControl>().unwrap_err(),
            "expected moves/time+increment in seconds, like 10+0.1, 40/60 or 2:30+1"
        );
    }

    #[test]
    fn clocks_count_down_and_start_new_periods() {
        let ms = Duration::from_millis;
        let mut clock = Clock::new("2/1+0.1".parse().unwrap());
        assert_eq!(clock.remaining, ms(1100));
        clock.spend(ms(300));
        assert_eq!((clock.remaining, clock.to_go), (ms(900), Some(1)));
        clock.spend(ms(1000));
        // Late within the margin: nothing is left but the increment and the new period.
        assert_eq!((clock.remaining, clock.to_go), (ms(1100), Some(2)));
        let mut clock = Clock::new("1+0.5".parse().unwrap());
        clock.spend(ms(250));
        assert_eq!((clock.remaining, clock.to_go), (ms(1750), None));
    }
}
