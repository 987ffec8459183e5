//! Games of a match as PGN.

use std::io::{self, Write};
use std::sync::Arc;

use assay_rules::pgn::PgnGame;
use assay_rules::{GameDef, Points, Position, uci};
use thiserror::Error;

use crate::game::match_record::{MatchGame, PlayedHere};
use crate::store::StoreError;
use crate::store::match_store::MatchStore;

/// Why games could not be exported.
#[derive(Debug, Error)]
pub enum MatchExportError {
    /// The file of games cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A game breaks the rules.
    #[error("game {game}: {why}")]
    Replay {
        /// Its index, from 0.
        game: u64,
        why: String,
    },
    /// The output cannot be written.
    #[error("cannot write: {0}")]
    Write(#[from] io::Error),
}

/// Writes the games whose index `includes` accepts, in ascending order, and returns their number.
///
/// # Errors
/// If games cannot be read, break the rules, or cannot be written.
pub fn export(
    store: &MatchStore,
    includes: impl Fn(u64) -> bool,
    out: &mut dyn Write,
) -> Result<u64, MatchExportError> {
    let game = store.game()?;
    let mut written = 0;
    for record in store.games()?.iter().filter(|record| includes(record.index)) {
        let text = match &game {
            Some(source) => with_rules(store, &source.game, record)?,
            None => without_rules(store, record),
        };
        out.write_all(text.as_bytes())?;
        written += 1;
    }
    Ok(written)
}

/// The tags other than Result, Variant, SetUp and FEN.
fn tags(store: &MatchStore, record: &MatchGame) -> Vec<(&'static str, String)> {
    let row = |key: &str| store.row(key).unwrap_or("?").to_owned();
    let engines = [row("engine-1-name"), row("engine-2-name")];
    let limits = [row("engine-1-limits"), row("engine-2-limits")];
    let black = 1 - record.white;
    let mut tags = vec![
        ("Event", row("event")),
        ("Site", "?".to_owned()),
        ("Date", record.ended.get(..10).unwrap_or("????-??-??").replace('-', ".")),
        ("Round", format!("{}.{}", record.round + 1, record.index % 2 + 1)),
        ("White", engines[record.white].clone()),
        ("Black", engines[black].clone()),
        ("WhiteTimeControl", limits[record.white].clone()),
        ("BlackTimeControl", limits[black].clone()),
        ("Termination", record.ending.termination().to_owned()),
        ("Ending", record.ending.name().to_owned()),
        ("PlyCount", record.moves.len().to_string()),
        ("OpeningSource", record.opening.clone()),
        ("Seed", row("seed")),
        ("GameEndTime", record.ended.clone()),
        ("GameNumber", (record.index + 1).to_string()),
    ];
    if limits[0] == limits[1] {
        tags.push(("TimeControl", limits[0].clone()));
    }
    if let Some(culprit) = record.culprit {
        tags.push(("Fault", format!("{}: {}", engines[culprit], record.ending)));
    }
    tags
}

fn with_rules(store: &MatchStore, game: &Arc<GameDef>, record: &MatchGame) -> Result<String, MatchExportError> {
    let fail = |why: String| MatchExportError::Replay {
        game: record.index,
        why,
    };
    let start = Position::from_fen(game, &record.start).map_err(|error| fail(error.to_string()))?;
    let mut pgn = PgnGame::new(start);
    for (name, value) in tags(store, record) {
        pgn.set_tag(name, &value).map_err(|error| fail(error.to_string()))?;
    }
    for played in &record.moves {
        let mv = uci::parse(pgn.end(), &played.uci).map_err(|error| fail(error.to_string()))?;
        pgn.push(mv);
        pgn.add_comment(&comment(played));
    }
    if let Some(text) = last_comment(record) {
        pgn.add_comment(&text);
    }
    pgn.set_result(Some(record.result));
    Ok(pgn.to_string())
}

/// Without rules there is no SAN: the moves are as the engines wrote them.
fn without_rules(store: &MatchStore, record: &MatchGame) -> String {
    let mut text = String::new();
    let escaped = |value: &str| {
        value
            .replace('\\', "\\\\")
            .replace('"', "\\\"")
            .replace(['\n', '\r'], " ")
    };
    let marker = match record.result {
        Points::WIN => "1-0",
        Points::LOSS => "0-1",
        _ => "1/2-1/2",
    };
    let mut all = tags(store, record);
    all.insert(6, ("Result", marker.to_owned()));
    all.insert(7, ("Variant", store.row("game").unwrap_or("?").to_owned()));
    if record.start != "startpos" {
        all.push(("SetUp", "1".to_owned()));
        all.push(("FEN", record.start.clone()));
    }
    for (name, value) in all {
        text += &format!("[{name} \"{}\"]\n", escaped(&value));
    }
    text.push('\n');
    for (ply, played) in record.moves.iter().enumerate() {
        if ply % 2 == 0 {
            text += &format!("{}. ", ply / 2 + 1);
        }
        text += &format!("{} {{{}}}\n", played.uci, comment(played));
    }
    if let Some(last) = last_comment(record) {
        text += &format!("{{{}}}\n", last.replace('}', ")"));
    }
    text + marker + "\n\n"
}

/// `+0.35/12 1.204s`: evaluation in pawns from the mover's point of view, depth, time. `+M3` mates in 3, `-M3` is mated in 3.
fn comment(played: &PlayedHere) -> String {
    let eval = played.eval.map(|eval| eval.to_string()).unwrap_or_default();
    format!(
        "{eval}/{} {}.{:03}s",
        played.depth,
        played.millis / 1000,
        played.millis % 1000
    )
}

/// Details of a fault; for an illegal move, the position and the legal moves.
fn last_comment(record: &MatchGame) -> Option<String> {
    let detail = record.detail.as_ref()?;
    let mut text = format!("{}: {}", record.ending, detail.what);
    if let Some(dispute) = &detail.dispute {
        text += &format!(
            "; in {} the engine answered `{}`; legal moves: {}",
            dispute.fen,
            dispute.found,
            dispute.legal.join(" ")
        );
    }
    Some(text)
}
