//! Games as PGN, with evaluation, depth, and time or nodes as comments.

use assay_rules::Position;
use assay_rules::pgn::PgnGame;

use crate::game::clock::EngineLimits;
use crate::game::{GameRecord, GameTags, PlayedMove, ReplayError};
use crate::openings::book_moves::book_moves;
use crate::run::RunHeader;

/// Optional parts of the comment of a PGN move, besides evaluation, depth and time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PgnDetails {
    /// Nodes searched: `n=4096`.
    pub nodes: bool,
    /// Selective search depth in plies: `sd=17`.
    pub seldepth: bool,
    /// Nodes per second: `nps=1250000`.
    pub nps: bool,
}

/// A game of a match or of self-play as PGN.
///
/// # Errors
/// If it breaks the rules.
pub fn game_text(run: &RunHeader, game: &GameRecord, details: PgnDetails) -> Result<String, ReplayError> {
    text(run, &run.id(), game, None, details)
}

/// Identifier of a game of the run with this identifier.
pub(crate) fn game_id(run: &str, game: &GameRecord) -> String {
    format!("{run}-{}", game.index)
}

/// A game as PGN. `id` is the run's identifier, and `imported` has the tags of an imported game.
pub(crate) fn text(
    run: &RunHeader,
    id: &str,
    record: &GameRecord,
    imported: Option<&GameTags>,
    details: PgnDetails,
) -> Result<String, ReplayError> {
    let game = run.settings.game();
    let replayed = record.replay(game)?;
    let book = book_moves(game, record);
    let start = if book.is_empty() { replayed.positions()[0].clone() } else { Position::start(game) };
    let mut pgn = PgnGame::new(start);
    if let Some(GameTags(tags)) = imported {
        for (name, value) in tags {
            // A name that is none was not imported from a PGN.
            let _ = pgn.set_tag(name, value);
        }
        pgn.set_tag("Ending", record.end.name()).expect("the name is made of letters");
    } else {
        let plies = book.len() + record.moves.len();
        let is_self_play = run.settings.players.is_self_play();
        let tags = if is_self_play { self_play_tags(run, id, record, plies) } else { match_tags(run, record, plies) };
        for (name, value) in tags {
            pgn.set_tag(name, &value).expect("these names are made of letters");
        }
    }
    for mv in book {
        pgn.push(mv);
        pgn.add_comment("book");
    }
    for (&mv, played) in replayed.moves().iter().zip(&record.moves) {
        pgn.push(mv);
        pgn.add_comment(&comment(played, details));
    }
    if let Some(text) = fault_comment(record) {
        pgn.add_closing_comment(&text);
    }
    pgn.set_result(Some(record.result));
    Ok(pgn.to_string())
}

/// `3.1`, round and game; in a tournament `3.2.1`, with the pairing between them.
fn round(run: &RunHeader, record: &GameRecord) -> String {
    let pairings = run.settings.players.pairing_count();
    let pairing = record.pair % pairings + 1;
    let pairing = if pairings == 1 { String::new() } else { format!(".{pairing}") };
    format!("{}{pairing}.{}", run.settings.round(record.pair) + 1, record.index % 2 + 1)
}

/// Tags of a self-play game, without date and place, so that equal games have equal texts.
fn self_play_tags(run: &RunHeader, id: &str, record: &GameRecord, plies: usize) -> Vec<(&'static str, String)> {
    let player = &run.identities[0];
    let mut tags = vec![
        ("Event", run.event.clone()),
        ("Round", round(run, record)),
        ("White", player.clone()),
        ("Black", player.clone()),
        ("PlyCount", plies.to_string()),
        ("Ending", record.end.name().to_owned()),
        ("GameId", game_id(id, record)),
    ];
    tags.extend(record.material.clone().map(|material| ("Material", material)));
    tags
}

fn match_tags(run: &RunHeader, record: &GameRecord, plies: usize) -> Vec<(&'static str, String)> {
    let players = (run.settings.players.of_pair(record.pair)).map(|player| &run.settings.players.all()[player]);
    let [white, black] = [record.white, 1 - record.white].map(|side| players[side]);
    let time_control = |side: usize| time_control(&players[side].limits);
    let limits = |side: usize| exact_limits(&players[side].limits);
    let ended = record.ended.clone().unwrap_or_default();
    let mut tags = vec![
        ("Event", run.event.clone()),
        ("Site", "?".to_owned()),
        ("Date", ended.get(..10).unwrap_or("????-??-??").replace('-', ".")),
        ("Round", round(run, record)),
        ("White", white.name.clone()),
        ("Black", black.name.clone()),
        ("WhiteTimeControl", time_control(record.white)),
        ("BlackTimeControl", time_control(1 - record.white)),
        ("Termination", record.end.pgn_termination().to_owned()),
        ("Ending", record.end.name().to_owned()),
        ("PlyCount", plies.to_string()),
        ("OpeningSource", record.opening.split(": ").next().unwrap_or_default().to_owned()),
        ("Seed", run.settings.seed.to_string()),
        ("GameEndTime", ended),
        ("GameNumber", (record.index + 1).to_string()),
    ];
    if white.limits == black.limits {
        tags.push(("TimeControl", time_control(0)));
        tags.push(("AssayLimits", limits(0)));
    } else {
        tags.push(("WhiteAssayLimits", limits(record.white)));
        tags.push(("BlackAssayLimits", limits(1 - record.white)));
    }
    if let Some(fault) = &record.fault {
        tags.push(("Fault", format!("{}: {}", players[fault.player].name, record.end)));
    }
    tags
}

/// The time control in the form of the PGN standard (`10+0.1`, `40/60`); `-` without a clock.
fn time_control(limits: &EngineLimits) -> String {
    limits.clock.map_or_else(|| "-".to_owned(), |clock| clock.to_string())
}

/// All limits, as they are given behind `-engine`: `tc=10+0.1 nodes=4000 margin=20ms`.
fn exact_limits(limits: &EngineLimits) -> String {
    let parts = [
        limits.clock.map(|clock| format!("tc={clock}")),
        limits.movetime.map(|time| format!("st={}", time.as_secs_f64())),
        limits.nodes.map(|nodes| format!("nodes={nodes}")),
        limits.depth.map(|depth| format!("depth={depth}")),
        Some(format!("margin={}ms", limits.margin.as_millis())),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    parts.join(" ")
}

/// `+0.35/12 1.204s`: evaluation in pawns from the mover's point of view, depth and time, or
/// `+0.35/9 2000n` with nodes if there is no time. Then the details that are known:
/// `, n=2000, sd=14, nps=1661`.
fn comment(played: &PlayedMove, details: PgnDetails) -> String {
    let eval = played.eval.map(|eval| eval.to_string()).unwrap_or_default();
    // Of a move of a person, nothing is known.
    if eval.is_empty() && (played.depth, played.nodes, played.time_ms) == (0, 0, None) {
        return String::new();
    }
    let mut text = match played.time_ms {
        Some(time) => format!("{eval}/{} {}.{:03}s", played.depth, time / 1000, time % 1000),
        None => format!("{eval}/{} {}n", played.depth, played.nodes),
    };
    if details.nodes && played.nodes > 0 {
        text += &format!(", n={}", played.nodes);
    }
    if details.seldepth && played.seldepth > 0 {
        text += &format!(", sd={}", played.seldepth);
    }
    let time = played.time_ms.filter(|&time| time > 0);
    if let Some(time) = time.filter(|_| details.nps && played.nodes > 0) {
        text += &format!(", nps={}", u128::from(played.nodes) * 1000 / u128::from(time));
    }
    text
}

fn fault_comment(record: &GameRecord) -> Option<String> {
    let fault = record.fault.as_ref()?;
    let mut text = format!("{}: {}", record.end, fault.what);
    if let Some(dispute) = &fault.dispute {
        text += &format!(
            "; in {} the engine answered `{}`; legal moves: {}",
            dispute.fen,
            dispute.found,
            dispute.legal.join(" ")
        );
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn limits_have_the_forms_of_pgn_and_of_assay() {
        let none = EngineLimits::default();
        let clock = |text: &str| EngineLimits { clock: Some(text.parse().unwrap()), ..none };
        let both = |limits| (time_control(&limits), exact_limits(&limits));
        let expected = |control: &str, limits: &str| (control.to_owned(), limits.to_owned());
        assert_eq!(both(clock("10+0.1")), expected("10+0.1", "tc=10+0.1 margin=20ms"));
        assert_eq!(both(clock("40/2+0.01")), expected("40/2+0.01", "tc=40/2+0.01 margin=20ms"));
        let movetime = Some(Duration::from_millis(50));
        assert_eq!(both(EngineLimits { movetime, ..none }), expected("-", "st=0.05 margin=20ms"));
        let (nodes, depth) = (Some(4_000), Some(9));
        assert_eq!(both(EngineLimits { nodes, depth, ..none }), expected("-", "nodes=4000 depth=9 margin=20ms"));
    }
}
