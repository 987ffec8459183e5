//! Parser of the parameters of `go`.

use std::time::Duration;

use assay_rules::Color;

use crate::protocol::number::parse_number;
use crate::protocol::search_request::SearchRequest;

const PARAMETERS: [&str; 12] = [
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

/// Parses the parameters of `go`. Unknown words are ignored, as UCI requires, and returned as a message for the user.
///
/// # Errors
/// Returns a message for the user if a parameter has a missing or invalid value.
pub(super) fn parse(text: &str) -> Result<(SearchRequest, Option<String>), String> {
    let mut request = SearchRequest::default();
    let mut unknown = Vec::new();
    let mut words = text.split_whitespace().peekable();
    while let Some(word) = words.next() {
        let place = format!("go {word}");
        let mut value = || words.next();
        match word {
            "depth" => request.depth = Some(positive(&place, parse_number(&place, value())?)?),
            "nodes" => request.nodes = Some(parse_number(&place, value())?),
            "mate" => request.mate = Some(positive(&place, parse_number(&place, value())?)?),
            "movetime" => request.movetime = Some(milliseconds(&place, value())?),
            "wtime" => request.time[Color::White] = Some(milliseconds(&place, value())?),
            "btime" => request.time[Color::Black] = Some(milliseconds(&place, value())?),
            "winc" => request.increment[Color::White] = milliseconds(&place, value())?,
            "binc" => request.increment[Color::Black] = milliseconds(&place, value())?,
            // Some GUIs send 0 for no limit.
            "movestogo" => request.moves_to_go = Some(parse_number(&place, value())?).filter(|&moves| moves > 0),
            "infinite" => request.infinite = true,
            "ponder" => request.ponder = true,
            "searchmoves" => {
                while let Some(mv) = words.next_if(|word| !PARAMETERS.contains(word)) {
                    request.search_moves.push(mv.to_owned());
                }
                if request.search_moves.is_empty() {
                    return Err("go searchmoves: found no move, expected moves like `e2e4`".to_owned());
                }
            }
            other => unknown.push(format!("`{other}`")),
        }
    }
    let note = (!unknown.is_empty()).then(|| {
        format!(
            "go: found {}, expected {}, perft; ignored",
            unknown.join(" "),
            PARAMETERS.join(", ")
        )
    });
    Ok((request, note))
}

fn positive(place: &str, value: u32) -> Result<u32, String> {
    if value == 0 {
        Err(format!("{place}: found `0`, expected at least 1"))
    } else {
        Ok(value)
    }
}

/// Parses milliseconds. Negative times count as 0.
fn milliseconds(place: &str, text: Option<&str>) -> Result<Duration, String> {
    let milliseconds: i64 = parse_number(place, text)?;
    Ok(Duration::from_millis(u64::try_from(milliseconds).unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_all_limits() {
        let request =
            parse("searchmoves e2e4 d2d4 wtime 1000 btime -5 winc 10 binc 20 movestogo 7 depth 8 nodes 9 mate 3")
                .unwrap()
                .0;
        assert_eq!(request.search_moves, ["e2e4", "d2d4"]);
        let white = request.limits(Color::White, Vec::new());
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
            request.limits(Color::Black, Vec::new()).clock.unwrap().remaining,
            Duration::ZERO
        );
        assert!(parse("").unwrap().0.limits(Color::White, Vec::new()).infinite);
        let ponder = parse("ponder wtime 1000 btime 1000").unwrap().0;
        assert!(ponder.ponder && !ponder.is_bounded() && !ponder.limits(Color::White, Vec::new()).infinite);
        assert!(!parse("").unwrap().0.is_bounded() && parse("movetime 5").unwrap().0.is_bounded());
    }

    #[test]
    fn rejects_invalid_limits() {
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
        let (request, note) = parse("quickly movetime 7").unwrap();
        assert_eq!(request.movetime, Some(Duration::from_millis(7)));
        assert!(note.unwrap().starts_with("go: found `quickly`, expected searchmoves"));
    }
}
