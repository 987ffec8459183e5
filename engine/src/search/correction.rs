//! What searches have found the evaluation to be wrong by, in positions with something in common.

use assay_rules::Color;

use super::history::{Before, Moved};
use super::parameters::{self as p, CORRECTION_LIMIT};
use crate::eval::Score;
use crate::position::Position;
use crate::search::CompiledSearch;

/// Entries of each table and colour; a power of two.
const ENTRIES: usize = 1 << 14;

/// Running differences between evaluations and what searches made of them, for the side to move.
#[derive(Clone, Debug)]
pub(super) struct CorrectionHistory {
    /// By colour and the pawns of both sides.
    pawns: Vec<i16>,
    /// By colour and the last two moves.
    moves: Vec<i16>,
}

/// Where a position's corrections are kept.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CorrectionKeys {
    pawns: usize,
    moves: Option<usize>,
}

impl CorrectionKeys {
    #[inline]
    pub(super) fn of<R: CompiledSearch>(position: &Position<R>, before: Before) -> CorrectionKeys {
        let base = match position.side_to_move() {
            Color::White => 0,
            Color::Black => ENTRIES,
        };
        let within = |hash: u64| base + (hash >> (64 - ENTRIES.trailing_zeros())) as usize;
        let pair = |reply: Moved, own: Moved| {
            let pair = (reply.number() << 16 | own.number()) + 1;
            within(pair.wrapping_mul(0x9e37_79b9_7f4a_7c15))
        };
        CorrectionKeys {
            pawns: within(position.pawn_hash()),
            moves: before.reply.zip(before.own).map(|(reply, own)| pair(reply, own)),
        }
    }
}

impl CorrectionHistory {
    pub(super) fn new() -> CorrectionHistory {
        CorrectionHistory {
            pawns: vec![0; 2 * ENTRIES],
            moves: vec![0; 2 * ENTRIES],
        }
    }

    pub(super) fn clear(&mut self) {
        self.pawns.fill(0);
        self.moves.fill(0);
    }

    /// The evaluation corrected.
    #[inline]
    pub(super) fn apply(&self, keys: CorrectionKeys, evaluation: Score) -> Score {
        let Some(centipawns) = evaluation.centipawns() else {
            return evaluation;
        };
        let pawns = i32::from(self.pawns[keys.pawns]) * p::pawn_correction_weight();
        let moves = keys.moves.map_or(0, |index| {
            i32::from(self.moves[index]) * p::continuation_correction_weight()
        });
        Score::from_centipawns(centipawns + (pawns + moves) / CORRECTION_LIMIT)
    }

    /// A search of `depth` plies has found `difference` centipawns more than the evaluation.
    pub(super) fn learn(&mut self, keys: CorrectionKeys, difference: i32, depth: i32) {
        let most = CORRECTION_LIMIT / 4;
        let bonus = (difference * depth / 4).clamp(-most, most);
        shift(&mut self.pawns[keys.pawns], bonus);
        if let Some(index) = keys.moves {
            shift(&mut self.moves[index], bonus);
        }
    }
}

#[inline]
fn shift(count: &mut i16, bonus: i32) {
    let old = i32::from(*count);
    *count = (old + bonus - old * bonus.abs() / CORRECTION_LIMIT) as i16;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corrections_are_learned_and_bounded() {
        let mut corrections = CorrectionHistory::new();
        let keys = CorrectionKeys {
            pawns: 3,
            moves: Some(5),
        };
        let zero = Score::DRAW;
        assert_eq!(corrections.apply(keys, zero), zero);
        for _ in 0..1000 {
            corrections.learn(keys, 300, 10);
        }
        let found = corrections.apply(keys, zero).centipawns().unwrap();
        assert!(
            found > 50 && found <= p::pawn_correction_weight() + p::continuation_correction_weight(),
            "{found}"
        );
        for _ in 0..1000 {
            corrections.learn(keys, -300, 10);
        }
        assert!(corrections.apply(keys, zero) < zero);
        assert_eq!(corrections.apply(keys, Score::mating(3)), Score::mating(3));
    }
}
