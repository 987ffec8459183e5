//! Where another program's counts part from ours.

use anyhow::Result;
use assay_rules::{Position, uci};
use serde::Serialize;

use super::peer::Peer;
use crate::generator::{Counting, Generator};

/// A position in which the other program has other moves.
#[derive(Clone, Debug, Serialize)]
pub struct Difference {
    /// The position the comparison began at.
    pub from: String,
    /// The moves from there.
    pub path: Vec<String>,
    /// The position of the difference.
    pub fen: String,
    /// Moves of the other program that we do not have.
    pub missing: Vec<String>,
    /// Moves of ours that the other program does not have.
    pub extra: Vec<String>,
    /// All our moves there.
    pub ours: Vec<String>,
    /// All moves of the other program there.
    pub theirs: Vec<String>,
}

/// What a comparison gave.
#[derive(Clone, Debug, Default)]
pub struct Compared {
    /// Positions counted by ours.
    pub nodes: u64,
    /// The first difference.
    pub difference: Option<Difference>,
}

/// Compares perft by root moves, and goes down the first differing move to where the move lists differ.
///
/// # Errors
/// When the other program fails; see [`Peer::divide`].
pub fn compare(generator: &dyn Generator, peer: &mut Peer, start: &Position, depth: u32) -> Result<Compared> {
    let mut compared = Compared::default();
    let mut position = start.clone();
    let mut path = Vec::new();
    for rest in (1..=depth).rev() {
        let game = position.game();
        let theirs = peer.divide(&position.fen(), rest)?;
        let mut ours = Vec::new();
        let mut moves = Vec::new();
        generator.node(&position).each_child(&mut |mv, child| {
            let text = uci::format(game, mv);
            moves.push((text.clone(), mv));
            ours.push((text, child.count(rest - 1, &Counting::default()).unwrap_or_default()));
        });
        ours.sort();
        if path.is_empty() {
            compared.nodes = ours.iter().map(|(_, count)| count).sum();
        }
        if ours == theirs {
            return Ok(compared);
        }
        let names = |rows: &[(String, u64)]| rows.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
        let (our_names, their_names) = (names(&ours), names(&theirs));
        let differing = ours
            .iter()
            .find(|row| !theirs.contains(row))
            .filter(|_| our_names == their_names && rest > 1);
        let next = differing.and_then(|(name, _)| moves.iter().find(|(text, _)| text == name));
        if let Some((name, mv)) = next {
            path.push(name.clone());
            position = position.play(*mv);
            continue;
        }
        let but = |these: &[String], those: &[String]| {
            these
                .iter()
                .filter(|name| !those.contains(name))
                .cloned()
                .collect::<Vec<_>>()
        };
        compared.difference = Some(Difference {
            from: start.fen(),
            path,
            fen: position.fen(),
            missing: but(&their_names, &our_names),
            extra: but(&our_names, &their_names),
            ours: our_names,
            theirs: their_names,
        });
        return Ok(compared);
    }
    Ok(compared)
}
