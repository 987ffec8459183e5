//! A game as PGN.

use assay_rules::pgn::PgnGame;

use super::game_id;
use crate::store::{GameRecord, PlayedMove, ReplayError, StoredRun};

/// The game as PGN, without date and place: equal games have equal texts.
pub(super) fn text(run: &StoredRun, record: &GameRecord) -> Result<String, ReplayError> {
    let settings = &run.settings;
    let replayed = record.replay(&settings.source.game)?;
    let mut pgn = PgnGame::new(replayed.positions()[0].clone());
    let mut tag = |name: &str, value: &str| pgn.set_tag(name, value).expect("these names are made of letters");
    tag("Event", "Assay self-play");
    tag("Round", &format!("{}.{}", record.pair + 1, record.index % 2 + 1));
    tag("White", &run.player);
    tag("Black", &run.player);
    tag("PlyCount", &record.moves.len().to_string());
    tag("Ending", record.reason.name());
    tag("GameId", &game_id(run, record));
    if let Some(material) = &record.material {
        tag("Material", material);
    }
    for (&mv, played) in replayed.moves().iter().zip(&record.moves) {
        pgn.push(mv);
        pgn.add_comment(&comment(played));
    }
    pgn.set_result(Some(record.result));
    Ok(pgn.to_string())
}

/// `+0.35/9 2000n`: evaluation in pawns from the mover's point of view, depth, nodes. `+M3` mates in 3, `-M3` is mated in 3.
fn comment(played: &PlayedMove) -> String {
    let eval = played.eval.map(|eval| eval.to_string()).unwrap_or_default();
    format!("{eval}/{} {}n", played.depth, played.nodes)
}
