//! Tables of unconditional leaps.

use assay_rules::movement::PathKind;
use assay_rules::piece::Kind;
use assay_rules::{Color, GameDef};

use crate::bitboard::{Bitboard, BitboardWord};

/// Leaps of one kind and color, either ordinary or initial ones, indexed by square.
#[derive(Clone, Debug)]
pub(crate) struct Leaps<W: BitboardWord> {
    /// Targets if they are empty.
    pub(crate) moves: W::PerSquare<Bitboard<W>>,
    /// Squares that the kind captures on.
    pub(crate) captures: W::PerSquare<Bitboard<W>>,
    /// `captures` transposed: squares from which the kind captures on the index. Movement need not
    /// be symmetric.
    pub(crate) captured_from: W::PerSquare<Bitboard<W>>,
    /// En passant captures, transposed like `captured_from`.
    pub(crate) en_passant_from: W::PerSquare<Bitboard<W>>,
}

/// Squares that the movement of a kind can lead to.
pub(super) fn zone<W: BitboardWord>(game: &GameDef, kind: Kind, color: Color) -> Bitboard<W> {
    let zone = game.kind(kind).zone.as_ref();
    zone.map_or(!Bitboard::EMPTY, |zone| Bitboard::from_set(zone[color]))
}

impl<W: BitboardWord> Leaps<W> {
    pub(crate) fn new(game: &GameDef, kind: Kind, color: Color, initial: bool) -> Self {
        let (board, movement) = (&game.board, &game.kind(kind).movement);
        let zone: Bitboard<W> = zone(game, kind, color);
        let none = W::per_square(Bitboard::<W>::EMPTY);
        let mut leaps: Leaps<W> = Leaps { moves: none, captures: none, captured_from: none, en_passant_from: none };
        let paths = movement.paths.iter().filter(|path| path.initial == initial && path.kind == PathKind::Leap);
        for path in paths {
            for from in board.squares() {
                let Some(to) = board.step(from, path.delta, color).filter(|&to| zone.contains(to)) else {
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
                    leaps.en_passant_from[to.index()].insert(from);
                }
            }
        }
        leaps
    }
}
