//! The limits of a `go` command.

use std::time::Duration;

use assay_rules::Color;

use super::command::number;
use crate::protocol::request::Request;

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

/// Reads what stands behind `go`. Words that mean nothing are left out, with a note for the user, as the protocol wants it.
///
/// # Errors
/// A note for the user, when a word that has a meaning lacks its value.
pub(super) fn parse(text: &str) -> Result<(Request, Option<String>), String> {
    let mut go = Request::default();
    let mut unknown = Vec::new();
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
            "ponder" => go.ponder = true,
            "searchmoves" => {
                while let Some(mv) = words.next_if(|word| !WORDS.contains(word)) {
                    go.search_moves.push(mv.to_owned());
                }
                if go.search_moves.is_empty() {
                    return Err("go searchmoves: found no move, expected moves like `e2e4`".to_owned());
                }
            }
            other => unknown.push(format!("`{other}`")),
        }
    }
    let note = (!unknown.is_empty()).then(|| {
        format!(
            "go: found {}, expected words of {}, perft; left out",
            unknown.join(" "),
            WORDS.join(", ")
        )
    });
    Ok((go, note))
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
        let go = parse("searchmoves e2e4 d2d4 wtime 1000 btime -5 winc 10 binc 20 movestogo 7 depth 8 nodes 9 mate 3")
            .unwrap()
            .0;
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
        assert!(parse("").unwrap().0.limits(Color::White, Vec::new()).infinite);
        let ponder = parse("ponder wtime 1000 btime 1000").unwrap().0;
        assert!(ponder.ponder && !ponder.is_bounded() && !ponder.limits(Color::White, Vec::new()).infinite);
        assert!(!parse("").unwrap().0.is_bounded() && parse("movetime 5").unwrap().0.is_bounded());
    }

    #[test]
    fn wrong_limits_are_refused() {
        assert_eq!(
            parse("depth").unwrap_err(),
            "go depth: found nothing, expected a whole number"
        );
        assert_eq!(
            parse("depth 0").unwrap_err(),
            "go depth: found `0`, expected at least 1"
        );
        assert_eq!(
            parse("nodes many").unwrap_err(),
            "go nodes: found `many`, expected a whole number"
        );
        let (go, note) = parse("quickly movetime 7").unwrap();
        assert_eq!(go.movetime, Some(Duration::from_millis(7)));
        assert!(
            note.unwrap()
                .starts_with("go: found `quickly`, expected words of searchmoves")
        );
    }
}
