//! Time controls, and the search limits that follow from them.

use std::time::Duration;

use assay_rules::Color;

use crate::protocol::session::search_request::SearchRequest;

/// A time control: `level MOVES BASE INCREMENT`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Level {
    /// Moves per time control; `None` if the base time is for the whole game.
    moves: Option<u32>,
    base: Duration,
    increment: Duration,
}

impl Level {
    /// Parses `40 5 0` (40 moves in 5 minutes), `40 0:30 0` (in 30 seconds) or `0 2 12` (2 minutes
    /// plus 12 seconds per move).
    pub(super) fn parse(text: &str) -> Option<Level> {
        let mut words = text.split_whitespace();
        let moves: u32 = words.next()?.parse().ok()?;
        let base = words.next()?;
        let increment = parse_seconds(words.next()?)?;
        // Ignores anything after the number.
        let digits = |text: &str| {
            let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
            parse_seconds(&text[..end])
        };
        let base = match base.split_once(':') {
            Some((minutes, rest)) => digits(minutes)? * 60 + digits(rest)?,
            None => digits(base)? * 60,
        };
        Some(Level { moves: Some(moves).filter(|&moves| moves > 0), base, increment })
    }
}

/// Time and depth settings of the game.
#[derive(Clone, Debug, Default)]
pub(super) struct Clock {
    level: Option<Level>,
    time_per_move: Option<Duration>,
    pub(super) depth: Option<u32>,
    /// Remaining time of the engine, from `time`.
    pub(super) remaining: Option<Duration>,
}

impl Clock {
    pub(super) fn set_level(&mut self, level: Level) {
        self.level = Some(level);
        self.time_per_move = None;
        self.remaining = None;
    }

    pub(super) fn set_time_per_move(&mut self, time: Duration) {
        self.time_per_move = Some(time);
        self.level = None;
    }

    /// Returns the limits for the engine's next move as `color`, after `moves_made` moves of the
    /// engine.
    pub(super) fn request(&self, color: Color, moves_made: u32) -> SearchRequest {
        let mut request = SearchRequest { depth: self.depth, movetime: self.time_per_move, ..SearchRequest::default() };
        if let Some(level) = self.level {
            request.time[color] = Some(self.remaining.unwrap_or(level.base));
            request.increment[color] = level.increment;
            request.moves_to_go = level.moves.map(|moves| moves - moves_made % moves);
        }
        if !request.limits(color, Vec::new()).is_bounded() {
            // No time control: use the remaining time if known, otherwise the default depth.
            request.time[color] = self.remaining;
            request.depth = if self.remaining.is_none() { Some(DEFAULT_DEPTH) } else { None };
        }
        request
    }
}

/// Depth in plies if neither time nor depth has been set.
const DEFAULT_DEPTH: u32 = 10;

/// Parses seconds, with or without a fraction. Negative times count as 0.
pub(super) fn parse_seconds(text: &str) -> Option<Duration> {
    let seconds: f64 = text.parse().ok().filter(|seconds: &f64| seconds.is_finite())?;
    Duration::try_from_secs_f64(seconds.max(0.0)).ok().filter(|time| time.as_secs() < 1 << 32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(text: &str) -> Option<(Option<u32>, u64, u64)> {
        Level::parse(text).map(|level| (level.moves, level.base.as_millis() as u64, level.increment.as_millis() as u64))
    }

    #[test]
    fn parses_time_controls() {
        assert_eq!(level("40 5 0"), Some((Some(40), 300_000, 0)));
        assert_eq!(level("40 0:30 0"), Some((Some(40), 30_000, 0)));
        assert_eq!(level("0 2 12"), Some((None, 120_000, 12_000)));
        assert_eq!(level("40 25+5 0"), Some((Some(40), 1_500_000, 0)));
        assert_eq!(level("0 0:01 0.01"), Some((None, 1000, 10)));
        for wrong in ["", "40", "40 5", "x 5 0", "40 x 0", "40 5 x"] {
            assert_eq!(level(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn counts_moves_to_next_time_control() {
        let mut clock = Clock::default();
        clock.set_level(Level::parse("40 5 0").unwrap());
        let request = |clock: &Clock, made| clock.request(Color::Black, made);
        assert_eq!(request(&clock, 0).moves_to_go, Some(40));
        assert_eq!(request(&clock, 39).moves_to_go, Some(1));
        assert_eq!(request(&clock, 40).moves_to_go, Some(40));
        assert_eq!(request(&clock, 0).time[Color::Black], Some(Duration::from_mins(5)));
        clock.remaining = Some(Duration::from_secs(7));
        assert_eq!(request(&clock, 0).time[Color::Black], Some(Duration::from_secs(7)));
        clock.set_time_per_move(Duration::from_secs(2));
        assert_eq!(request(&clock, 3).movetime, Some(Duration::from_secs(2)));
        assert_eq!(request(&clock, 3).moves_to_go, None);
    }

    #[test]
    fn search_for_a_move_is_always_bounded() {
        let mut clock = Clock::default();
        assert_eq!(clock.request(Color::White, 0).depth, Some(DEFAULT_DEPTH));
        clock.remaining = Some(Duration::from_mins(1));
        assert!(clock.request(Color::White, 0).time[Color::White].is_some());
    }
}
