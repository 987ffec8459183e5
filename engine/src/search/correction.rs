//! Correction history: the average error of the static evaluation in positions with the same pawns,
//! the same other pieces of a side, or the same last moves.

use assay_rules::{ByColor, Color};

use super::ordering::history::{PieceTo, PreviousMoves, apply_gravity};
use super::parameters::{self as p, CORRECTION_MAX};
use crate::eval::Score;
use crate::position::{CompiledPosition, Position};

/// Entries of each table and color; a power of two.
const ENTRIES: usize = 1 << 14;

/// Running averages of search score minus static evaluation, from the point of view of the side to
/// move.
#[derive(Clone, Debug)]
pub(crate) struct CorrectionHistory {
    /// By color and the pawns of both sides.
    pawns: Vec<i16>,
    /// By the owner of the pieces; then by color and these pieces without pawns.
    non_pawns: ByColor<Vec<i16>>,
    /// By color and the last two moves.
    continuation: Vec<i16>,
}

/// Indices of a position's entries.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CorrectionKeys {
    pawns: usize,
    non_pawns: ByColor<usize>,
    continuation: Option<usize>,
}

impl CorrectionKeys {
    #[inline]
    pub(crate) fn new<R: CompiledPosition>(position: &Position<R>, previous: PreviousMoves) -> CorrectionKeys {
        let base = match position.side_to_move() {
            Color::White => 0,
            Color::Black => ENTRIES,
        };
        let index = |hash: u64| base + (hash >> (64 - ENTRIES.trailing_zeros())) as usize;
        let pair = |one: PieceTo, two: PieceTo| {
            let pair = ((one.index() as u64) << 16 | two.index() as u64) + 1;
            index(pair.wrapping_mul(0x9e37_79b9_7f4a_7c15))
        };
        CorrectionKeys {
            pawns: index(position.pawn_hash()),
            non_pawns: ByColor::new_with(|color| index(position.non_pawn_hash(color))),
            continuation: previous.one_ply_ago.zip(previous.two_plies_ago).map(|(one, two)| pair(one, two)),
        }
    }
}

impl CorrectionHistory {
    pub(crate) fn new() -> CorrectionHistory {
        CorrectionHistory {
            pawns: vec![0; 2 * ENTRIES],
            non_pawns: ByColor::new_with(|_| vec![0; 2 * ENTRIES]),
            continuation: vec![0; 2 * ENTRIES],
        }
    }

    pub(crate) fn clear(&mut self) {
        self.pawns.fill(0);
        for color in Color::ALL {
            self.non_pawns[color].fill(0);
        }
        self.continuation.fill(0);
    }

    /// Returns the corrected evaluation.
    #[inline]
    pub(crate) fn correct(&self, keys: CorrectionKeys, raw_eval: Score) -> Score {
        let Some(centipawns) = raw_eval.centipawns() else {
            return raw_eval;
        };
        let pawns = i32::from(self.pawns[keys.pawns]) * p::pawn_correction_weight();
        let non_pawns = Color::ALL.map(|color| i32::from(self.non_pawns[color][keys.non_pawns[color]]));
        let non_pawns = (non_pawns[0] + non_pawns[1]) * p::non_pawn_correction_weight();
        let continuation = keys
            .continuation
            .map_or(0, |index| i32::from(self.continuation[index]) * p::continuation_correction_weight());
        Score::from_centipawns(centipawns + (pawns + non_pawns + continuation) / CORRECTION_MAX)
    }

    /// Records that a search of `depth` plies scored `error` centipawns above the static
    /// evaluation.
    pub(crate) fn update(&mut self, keys: CorrectionKeys, error: i32, depth: i32) {
        let limit = CORRECTION_MAX / 4;
        let bonus = (error * depth / 4).clamp(-limit, limit);
        apply_gravity::<CORRECTION_MAX>(&mut self.pawns[keys.pawns], bonus);
        for color in Color::ALL {
            apply_gravity::<CORRECTION_MAX>(&mut self.non_pawns[color][keys.non_pawns[color]], bonus);
        }
        if let Some(index) = keys.continuation {
            apply_gravity::<CORRECTION_MAX>(&mut self.continuation[index], bonus);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corrections_are_learned_and_bounded() {
        let mut history = CorrectionHistory::new();
        let keys = CorrectionKeys { pawns: 3, non_pawns: ByColor::new_with(Color::index), continuation: Some(5) };
        let zero = Score::DRAW;
        assert_eq!(history.correct(keys, zero), zero);
        for _ in 0..1000 {
            history.update(keys, 300, 10);
        }
        let corrected = history.correct(keys, zero).centipawns().unwrap();
        let limit =
            p::pawn_correction_weight() + 2 * p::non_pawn_correction_weight() + p::continuation_correction_weight();
        assert!(corrected > limit / 2 && corrected <= limit, "{corrected}");
        for _ in 0..1000 {
            history.update(keys, -300, 10);
        }
        assert!(history.correct(keys, zero) < zero);
        assert_eq!(history.correct(keys, Score::mating(3)), Score::mating(3));
    }
}
