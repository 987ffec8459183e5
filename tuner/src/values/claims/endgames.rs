//! Claims about endgames against a bare king, decided by solving the endgame: exactly and without games.

use assay_cli::format::{count, grouped};
use assay_engine::endgame::EndgameTally;

use super::run_cache::RunCache;
use super::solved_endgames::{EndgameCounts, name};
use super::{Claimed, ExactNumber, ExactResult, TestResult};

/// Mate "cannot be forced" if that is so in all but this share of the positions. With two knights in chess, a few positions are mate in one
/// whatever the theory of the endgame says, because the bare king has just blundered into a corner.
pub const RARE: f64 = 0.001;

/// Tests for each endgame that the stronger side, on move, can force mate from less than [`RARE`] of the legal positions.
pub fn cannot_force_mate(game: &str, endgames: &[Vec<String>], cache: &RunCache) -> Vec<TestResult> {
    let results = endgames.iter().map(|pieces| {
        let counts = cache.endgame(game, pieces);
        TestResult::Exact(ExactResult {
            claim: format!("{} cannot force mate against a bare king", name(pieces)),
            unit: "share of all legal positions with the stronger side to move in which it can force mate".to_owned(),
            claimed: Claimed::LessThan {
                value: RARE,
                margin: 0.0,
            },
            note: counts.as_ref().map_or_else(|_| String::new(), |counts| note(counts)),
            number: counts.map(|counts| {
                let attacker = &counts.attacker_to_move;
                ExactNumber {
                    value: attacker.won() as f64 / attacker.legal.max(1) as f64,
                    positions: attacker.legal,
                }
            }),
        })
    });
    results.collect()
}

/// The exact counts in words.
fn note(counts: &EndgameCounts) -> String {
    let side = |tally: &EndgameTally, name: &str| {
        format!(
            "{name} to move, mate can be forced in {} of {}",
            grouped(tally.won()),
            count(tally.legal, "position", "positions")
        )
    };
    let mut text = side(&counts.attacker_to_move, "the stronger side");
    let by_moves = counts.attacker_to_move.mates.iter().enumerate();
    let by_moves: Vec<String> = by_moves
        .filter(|(_, positions)| **positions > 0)
        .map(|(moves, &positions)| format!("{} in {}", grouped(positions), count(moves as u64, "move", "moves")))
        .collect();
    if !by_moves.is_empty() {
        text += &format!(" ({})", by_moves.join(", "));
    }
    text += &format!("; {}", side(&counts.defender_to_move, "the bare king"));
    if let Some(checkmates) = counts.defender_to_move.mates.first() {
        text += &format!(", {} of them checkmate already", grouped(*checkmates));
    }
    if let Some(fen) = &counts.longest_mate {
        text += &format!("; a longest mate: {fen}");
    }
    text
}
