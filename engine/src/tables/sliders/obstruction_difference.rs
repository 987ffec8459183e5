//! Obstruction difference: subtracting the nearest blocker below from the blockers above flips
//! exactly the bits from that blocker to the nearest one above. It needs only small tables and
//! works with any word on any processor. Source: Chess Programming Wiki, "Obstruction Difference".

use assay_rules::{Board, Square};

use super::{UPWARD, ray};
use crate::bitboard::{Bitboard, BitboardWord};

/// One line through a square: its squares with lower and with higher numbers.
#[derive(Clone, Copy, Debug)]
struct Line<W> {
    lower: W,
    upper: W,
}

/// Masks of the four lines through every square.
#[derive(Clone, Debug)]
pub(super) struct ObstructionDifference<W: BitboardWord> {
    lines: W::PerSquare<[Line<W>; 4]>,
}

impl<W: BitboardWord> ObstructionDifference<W> {
    pub(super) fn new(board: &Board, ends: Bitboard<W>) -> Self {
        let mut lines = W::per_square([Line { lower: W::ZERO, upper: W::ZERO }; 4]);
        for square in board.squares() {
            lines[square.index()] = UPWARD.map(|(file, rank)| Line {
                lower: ray(board, square, (-file, -rank), ends).0,
                upper: ray(board, square, (file, rank), ends).0,
            });
        }
        ObstructionDifference { lines }
    }

    #[inline(always)]
    fn line_attacks(line: &Line<W>, occupied: W) -> W {
        let below = line.lower & occupied;
        let above = line.upper & occupied;
        (above ^ above.wrapping_sub(below.msb())) & (line.lower | line.upper)
    }

    #[inline(always)]
    pub(super) fn orthogonal(&self, square: Square, occupied: Bitboard<W>) -> Bitboard<W> {
        let [rank, file, _, _] = W::entry(&self.lines, square);
        Bitboard(Self::line_attacks(rank, occupied.0) | Self::line_attacks(file, occupied.0))
    }

    #[inline(always)]
    pub(super) fn diagonal(&self, square: Square, occupied: Bitboard<W>) -> Bitboard<W> {
        let [_, _, rising, falling] = W::entry(&self.lines, square);
        Bitboard(Self::line_attacks(rising, occupied.0) | Self::line_attacks(falling, occupied.0))
    }
}
