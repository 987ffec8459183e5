//! Comparison of counts with another engine, and the search for the first differing position.

use assay_cli::interrupt;
use assay_rules::{Position, uci};
use assay_selfplay::players::uci::{UciEngine, UciEngineError, Wait};
use serde::Serialize;

use crate::generator::{CountMode, Generator};

/// A position in which the other engine has other legal moves or counts.
#[derive(Clone, Debug, Serialize)]
pub struct PeerDifference {
    /// FEN of the position where the comparison began.
    pub from: String,
    /// Moves from there, as UCI.
    pub path: Vec<String>,
    /// FEN of the position after these moves.
    pub fen: String,
    /// Moves that only the other engine has.
    pub missing: Vec<String>,
    /// Moves that only Assay has.
    pub extra: Vec<String>,
    /// Assay's moves.
    pub ours: Vec<String>,
    /// The other engine's moves.
    pub theirs: Vec<String>,
}

/// Result of comparing one position.
#[derive(Clone, Debug, Default)]
pub struct PeerComparison {
    /// Nodes that Assay counted at full depth.
    pub nodes: u64,
    /// First difference.
    pub difference: Option<PeerDifference>,
}

/// Compares perft by root moves, and follows the first differing move down to the position whose move lists differ.
///
/// # Errors
/// If the other engine fails; see [`UciEngine::perft`].
pub fn compare_with_peer(
    generator: &dyn Generator,
    peer: &mut UciEngine,
    start: &Position,
    depth: u32,
    wait: Wait<'_>,
) -> Result<PeerComparison, UciEngineError> {
    let mut result = PeerComparison::default();
    let mut position = start.clone();
    let mut path = Vec::new();
    for depth in (1..=depth).rev() {
        peer.set_position(&position.fen(), &[]);
        let theirs = peer.perft(depth, wait)?;
        let mut ours = Vec::new();
        let mut moves = Vec::new();
        generator.node(&position).for_each_child(&mut |mv, child| {
            let text = uci::format(position.game(), mv);
            moves.push((text.clone(), mv));
            ours.push((
                text,
                child
                    .perft(depth - 1, &CountMode::default(), interrupt::stop_flag())
                    .unwrap_or_default(),
            ));
        });
        ours.sort();
        if path.is_empty() {
            result.nodes = ours.iter().map(|(_, count)| count).sum();
        }
        if ours == theirs {
            return Ok(result);
        }
        let (our_names, their_names) = (names(&ours), names(&theirs));
        let has_same_moves = our_names == their_names;
        let differing = ours.iter().find(|row| has_same_moves && !theirs.contains(row));
        let next = differing.and_then(|(name, _)| moves.iter().find(|(text, _)| text == name));
        if let Some((name, mv)) = next.filter(|_| depth > 1) {
            path.push(name.clone());
            position = position.play(*mv);
            continue;
        }
        result.difference = Some(PeerDifference {
            from: start.fen(),
            path,
            fen: position.fen(),
            missing: not_in(&their_names, &our_names),
            extra: not_in(&our_names, &their_names),
            ours: our_names,
            theirs: their_names,
        });
        return Ok(result);
    }
    Ok(result)
}

fn names(rows: &[(String, u64)]) -> Vec<String> {
    rows.iter().map(|(name, _)| name.clone()).collect()
}

fn not_in(names: &[String], others: &[String]) -> Vec<String> {
    names.iter().filter(|name| !others.contains(name)).cloned().collect()
}
