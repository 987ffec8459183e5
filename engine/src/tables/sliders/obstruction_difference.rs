//! ObstructionDifference difference: subtracting the nearest blocker below from the blockers above flips exactly the bits from the one
//! to the nearest of the others. Small tables, any word, any cpu_features.

use assay_rules::{Board, Square};

use super::{UPWARD, ray};
use crate::bitboard::Bitboard;
use crate::bitboard::BitboardWord;

/// The squares of one line below and above a square, in square numbers.
#[derive(Clone, Copy, Debug)]
struct Line<W> {
    lower: W,
    upper: W,
}

/// The four lines through every square.
#[derive(Clone, Debug)]
pub(super) struct ObstructionDifference<W: BitboardWord> {
    lines: W::PerSquare<[Line<W>; 4]>,
}

impl<W: BitboardWord> ObstructionDifference<W> {
    pub(super) fn new(board: &Board, ends: Bitboard<W>) -> Self {
        let mut lines = W::per_square(
            [Line {
                lower: W::ZERO,
                upper: W::ZERO,
            }; 4],
        );
        for square in board.squares() {
            lines[square.index()] = UPWARD.map(|(file, rank)| Line {
                lower: ray(board, square, (-file, -rank), ends).0,
                upper: ray(board, square, (file, rank), ends).0,
            });
        }
        ObstructionDifference { lines }
    }

    #[inline(always)]
    fn along(line: &Line<W>, occupied: W) -> W {
        let below = line.lower & occupied;
        let above = line.upper & occupied;
        (above ^ above.wrapping_sub(below.msb())) & (line.lower | line.upper)
    }

    #[inline(always)]
    pub(super) fn orthogonal(&self, square: Square, occupied: Bitboard<W>) -> Bitboard<W> {
        let [rank, file, _, _] = W::entry(&self.lines, square);
        Bitboard(Self::along(rank, occupied.0) | Self::along(file, occupied.0))
    }

    #[inline(always)]
    pub(super) fn diagonal(&self, square: Square, occupied: Bitboard<W>) -> Bitboard<W> {
        let [_, _, rising, falling] = W::entry(&self.lines, square);
        Bitboard(Self::along(rising, occupied.0) | Self::along(falling, occupied.0))
    }
}
