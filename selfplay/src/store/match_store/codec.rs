//! The moves of a game as text: one line for each, `e2e4 cp35 12 2000`, that is the move, what the engine said that the
//! position was worth (`-`, `cp` or `m` with a number), plies and nodes. Times are a text of their own, so that two games
//! with the same moves have the same text.

use crate::game::match_record::PlayedHere;
use crate::players::player::Eval;

/// The moves.
pub(super) fn moves(moves: &[PlayedHere]) -> String {
    let line = |played: &PlayedHere| {
        let eval = match played.eval {
            None => "-".to_owned(),
            Some(Eval::Centipawns(value)) => format!("cp{value}"),
            Some(Eval::Mate(value)) => format!("m{value}"),
        };
        format!("{} {eval} {} {}\n", played.uci, played.depth, played.nodes)
    };
    moves.iter().map(line).collect()
}

/// Their times, in milliseconds.
pub(super) fn times(moves: &[PlayedHere]) -> String {
    let times: Vec<String> = moves.iter().map(|played| played.millis.to_string()).collect();
    times.join(" ")
}

/// Reads both.
pub(super) fn read(moves: &str, times: &str) -> Result<Vec<PlayedHere>, String> {
    let mut times = times.split_whitespace();
    let mut all = Vec::new();
    for (line, number) in moves.lines().zip(1..) {
        let parse = || {
            let mut words = line.split(' ');
            let uci = words.next()?.to_owned();
            let eval = match words.next()? {
                "-" => None,
                text if text.starts_with("cp") => Some(Eval::Centipawns(text[2..].parse().ok()?)),
                text => Some(Eval::Mate(text.strip_prefix('m')?.parse().ok()?)),
            };
            let (depth, nodes) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
            Some((uci, eval, depth, nodes))
        };
        let (uci, eval, depth, nodes) = parse().ok_or_else(|| format!("found move {number} `{line}`"))?;
        let millis = times.next().and_then(|time| time.parse().ok());
        all.push(PlayedHere {
            uci,
            eval,
            depth,
            nodes,
            millis: millis.ok_or_else(|| format!("found no time of move {number}"))?,
        });
    }
    match times.next() {
        None => Ok(all),
        Some(_) => Err(format!("found more times than {} moves", all.len())),
    }
}
