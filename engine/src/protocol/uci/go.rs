//! Parser of the parameters of `go`.

use std::time::Duration;

use assay_rules::Color;

use crate::protocol::refusal::{Refusal, parse_limit};
use crate::protocol::session::search_request::SearchRequest;

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

/// Parses the parameters. Returns unknown words, which are ignored, as UCI requires.
pub(super) fn parse(text: &str) -> Result<(SearchRequest, Option<Refusal>), Refusal> {
    let mut request = SearchRequest::default();
    let mut unknown = Vec::new();
    let mut words = text.split_whitespace().peekable();
    while let Some(word) = words.next() {
        let place = format!("go {word}");
        let mut limit = |minimum| parse_limit(&place, words.next(), minimum);
        match word {
            "depth" => request.depth = Some(saturate(limit(1)?)),
            "nodes" => request.nodes = Some(limit(0)?),
            "mate" => request.mate = Some(saturate(limit(1)?)),
            // Some GUIs send 0 for no limit.
            "movestogo" => request.moves_to_go = Some(saturate(limit(0)?)).filter(|&moves| moves > 0),
            "movetime" => request.movetime = Some(milliseconds(&place, words.next())?),
            "wtime" => request.time[Color::White] = Some(milliseconds(&place, words.next())?),
            "btime" => request.time[Color::Black] = Some(milliseconds(&place, words.next())?),
            "winc" => request.increment[Color::White] = milliseconds(&place, words.next())?,
            "binc" => request.increment[Color::Black] = milliseconds(&place, words.next())?,
            "infinite" => request.infinite = true,
            "ponder" => request.ponder = true,
            "searchmoves" => {
                while let Some(mv) = words.next_if(|word| !PARAMETERS.contains(word)) {
                    request.search_moves.push(mv.to_owned());
                }
                if request.search_moves.is_empty() {
                    let why = "go searchmoves: found no move, expected moves like `e2e4`";
                    return Err(Refusal::because(why));
                }
            }
            other => unknown.push(other),
        }
    }
    let expected = format!("{}, perft; ignored", PARAMETERS.join(", "));
    let unknown = (!unknown.is_empty()).then(|| Refusal::new("go", &unknown.join(" "), expected));
    Ok((request, unknown))
}

fn saturate(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Longest time of a search, in milliseconds: a hundred years.
const MAX_TIME: u64 = 100 * 365 * 24 * 3_600_000;

/// Parses milliseconds. Negative times count as 0.
fn milliseconds(place: &str, text: Option<&str>) -> Result<Duration, Refusal> {
    let digits = text.and_then(|text| text.strip_prefix('-'));
    let milliseconds = parse_limit(place, digits.or(text), 0)?.min(MAX_TIME);
    Ok(match digits {
        Some(_) => Duration::ZERO,
        None => Duration::from_millis(milliseconds),
    })
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
        assert_eq!((white.depth, white.nodes, white.mate, white.infinite), (Some(8), Some(9), Some(3), false));
        let clock = white.clock.unwrap();
        assert_eq!((clock.remaining.as_millis(), clock.increment.as_millis(), clock.moves_to_go), (1000, 10, Some(7)));
        assert_eq!(request.limits(Color::Black, Vec::new()).clock.unwrap().remaining, Duration::ZERO);
        let opponent = parse("btime 1000 binc 10").unwrap().0.limits(Color::White, Vec::new());
        assert_eq!(opponent.clock.unwrap().remaining, Duration::ZERO);
        assert!(parse("").unwrap().0.limits(Color::White, Vec::new()).infinite);
        let ponder = parse("ponder wtime 1000 btime 1000").unwrap().0;
        assert!(ponder.ponder && !ponder.limits(Color::White, Vec::new()).infinite);
    }

    #[test]
    fn rejects_invalid_limits() {
        let error = |text| parse(text).unwrap_err().to_string();
        assert_eq!(error("depth"), "go depth: found nothing, expected a whole number of at least 1");
        assert_eq!(error("depth 0"), "go depth: found `0`, expected a whole number of at least 1");
        assert_eq!(error("nodes many"), "go nodes: found `many`, expected a whole number of at least 0");
        let (request, unknown) = parse("quickly movetime 7").unwrap();
        assert_eq!(request.movetime, Some(Duration::from_millis(7)));
        let unknown = unknown.unwrap().to_string();
        assert!(unknown.starts_with("go: found `quickly`, expected searchmoves"));
    }

    #[test]
    fn numbers_out_of_range_saturate() {
        let huge = "99999999999999999999";
        let text = ["depth", "nodes", "mate", "movestogo", "movetime", "wtime", "winc", "binc"]
            .map(|word| format!("{word} {huge}"))
            .join(" ");
        let request = parse(&format!("{text} btime -{huge}")).unwrap().0;
        assert_eq!((request.depth, request.nodes), (Some(u32::MAX), Some(u64::MAX)));
        assert_eq!((request.mate, request.moves_to_go), (Some(u32::MAX), Some(u32::MAX)));
        assert_eq!(request.movetime, Some(Duration::from_millis(MAX_TIME)));
        assert_eq!(request.time[Color::White], Some(Duration::from_millis(MAX_TIME)));
        assert_eq!(request.time[Color::Black], Some(Duration::ZERO));
    }
}
