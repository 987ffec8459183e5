//! The limits of a `go` command.

use std::time::Duration;

use assay_rules::{ByColor, Color};

use super::command::number;
use crate::mv::Move;
use crate::search::{ClockLimits, Limits};

/// A `go` command: limits, with both sides' clocks and with moves still as text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Go {
    depth: Option<u32>,
    nodes: Option<u64>,
    movetime: Option<Duration>,
    time: ByColor<Option<Duration>>,
    increment: ByColor<Duration>,
    until_new_time: Option<u32>,
    mate: Option<u32>,
    infinite: bool,
    pub(super) search_moves: Vec<String>,
}

const WORDS: [&str; 12] = [
    "searchmoves",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
    "ponder",
];

impl Go {
    /// Reads what stands behind `go`.
    ///
    /// # Errors
    /// A note for the user.
    pub(super) fn parse(text: &str) -> Result<Go, String> {
        let mut go = Go::default();
        let mut words = text.split_whitespace().peekable();
        while let Some(word) = words.next() {
            let what = format!("go {word}");
            let mut value = || words.next();
            match word {
                "depth" => go.depth = Some(at_least_one(&what, number(&what, value())?)?),
                "nodes" => go.nodes = Some(number(&what, value())?),
                "mate" => go.mate = Some(at_least_one(&what, number(&what, value())?)?),
                "movetime" => go.movetime = Some(milliseconds(&what, value())?),
                "wtime" => go.time[Color::White] = Some(milliseconds(&what, value())?),
                "btime" => go.time[Color::Black] = Some(milliseconds(&what, value())?),
                "winc" => go.increment[Color::White] = milliseconds(&what, value())?,
                "binc" => go.increment[Color::Black] = milliseconds(&what, value())?,
                // Some programs write 0 when there is no such limit.
                "movestogo" => go.until_new_time = Some(number(&what, value())?).filter(|&moves| moves > 0),
                "infinite" => go.infinite = true,
                "searchmoves" => {
                    while let Some(mv) = words.next_if(|word| !WORDS.contains(word)) {
                        go.search_moves.push(mv.to_owned());
                    }
                    if go.search_moves.is_empty() {
                        return Err("go searchmoves: found no move, expected moves like `e2e4`".to_owned());
                    }
                }
                other => {
                    return Err(format!(
                        "go: found `{other}`, expected one of {}, perft",
                        WORDS[..11].join(", ")
                    ));
                }
            }
        }
        Ok(go)
    }

    /// The limits for the side to move.
    pub(super) fn limits(&self, side: Color, search_moves: Vec<Move>) -> Limits {
        let clock = self.time[side].map(|remaining| ClockLimits {
            remaining,
            increment: self.increment[side],
            moves_to_go: self.until_new_time,
        });
        let mut limits = Limits {
            depth: self.depth,
            nodes: self.nodes,
            movetime: self.movetime,
            clock,
            mate: self.mate,
            infinite: self.infinite,
            search_moves,
        };
        // Nothing said: until `stop`.
        limits.infinite |= !limits.is_bounded() && limits.mate.is_none();
        limits
    }

    /// Will the search end by itself, whichever side is to move?
    pub(super) fn is_bounded(&self) -> bool {
        Color::ALL
            .into_iter()
            .all(|side| self.limits(side, Vec::new()).is_bounded())
    }
}

fn at_least_one(what: &str, value: u32) -> Result<u32, String> {
    if value == 0 {
        Err(format!("{what}: found `0`, expected at least 1"))
    } else {
        Ok(value)
    }
}

/// Milliseconds; a clock that has already run out is one without time.
fn milliseconds(what: &str, text: Option<&str>) -> Result<Duration, String> {
    let milliseconds: i64 = number(what, text)?;
    Ok(Duration::from_millis(u64::try_from(milliseconds).unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_limits_are_read() {
        let go =
            Go::parse("searchmoves e2e4 d2d4 wtime 1000 btime -5 winc 10 binc 20 movestogo 7 depth 8 nodes 9 mate 3")
                .unwrap();
        assert_eq!(go.search_moves, ["e2e4", "d2d4"]);
        let white = go.limits(Color::White, Vec::new());
        assert_eq!(
            (white.depth, white.nodes, white.mate, white.infinite),
            (Some(8), Some(9), Some(3), false)
        );
        let clock = white.clock.unwrap();
        assert_eq!(
            (
                clock.remaining.as_millis(),
                clock.increment.as_millis(),
                clock.moves_to_go
            ),
            (1000, 10, Some(7))
        );
        assert_eq!(
            go.limits(Color::Black, Vec::new()).clock.unwrap().remaining,
            Duration::ZERO
        );
        assert!(Go::parse("").unwrap().limits(Color::White, Vec::new()).infinite);
        assert!(!Go::parse("").unwrap().is_bounded() && Go::parse("movetime 5").unwrap().is_bounded());
    }

    #[test]
    fn wrong_limits_are_refused() {
        assert_eq!(
            Go::parse("depth").unwrap_err(),
            "go depth: found nothing, expected a whole number"
        );
        assert_eq!(
            Go::parse("depth 0").unwrap_err(),
            "go depth: found `0`, expected at least 1"
        );
        assert_eq!(
            Go::parse("nodes many").unwrap_err(),
            "go nodes: found `many`, expected a whole number"
        );
        assert!(
            Go::parse("ponder wtime 1")
                .unwrap_err()
                .starts_with("go: found `ponder`, expected one of searchmoves")
        );
    }
}
