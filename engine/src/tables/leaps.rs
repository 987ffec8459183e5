//! Unconditional leaps of a kind, by square.

use assay_rules::movement::{Movement, PathKind};
use assay_rules::{Board, Color};

use crate::bitboard::Bitboard;
use crate::bitboard::BitboardWord;

/// The leaps of one kind of one side, ordinary or initial.
#[derive(Clone, Debug)]
pub(crate) struct Leaps<W: BitboardWord> {
    /// Squares it may go to when they are empty.
    pub(crate) moves: W::PerSquare<Bitboard<W>>,
    /// Squares it may capture on.
    pub(crate) captures: W::PerSquare<Bitboard<W>>,
    /// The captures transposed: squares from which it captures on the index. Movement need not be symmetric.
    pub(crate) captured_from: W::PerSquare<Bitboard<W>>,
    /// The en passant leaps transposed.
    pub(crate) passant_from: W::PerSquare<Bitboard<W>>,
}

impl<W: BitboardWord> Leaps<W> {
    pub(crate) fn new(board: &Board, movement: &Movement, color: Color, initial: bool) -> Self {
        let none = W::per_square(Bitboard::<W>::EMPTY);
        let mut leaps: Leaps<W> = Leaps {
            moves: none,
            captures: none,
            captured_from: none,
            passant_from: none,
        };
        let paths = movement
            .paths
            .iter()
            .filter(|path| path.initial == initial && path.kind == PathKind::Leap);
        for path in paths {
            for from in board.squares() {
                let Some(to) = board.step(from, path.delta, color) else {
                    continue;
                };
                if path.modality.moves {
                    leaps.moves[from.index()].insert(to);
                }
                if path.modality.captures {
                    leaps.captures[from.index()].insert(to);
                    leaps.captured_from[to.index()].insert(from);
                }
                if path.modality.en_passant {
                    leaps.passant_from[to.index()].insert(from);
                }
            }
        }
        leaps
    }
}
