//! Tables of captures that explode.

use assay_rules::piece::Kind;
use assay_rules::{GameDef, Square};

use crate::bitboard::{Bitboard, BitboardWord};

#[derive(Clone, Debug)]
pub(crate) struct ExplosionTables<W: BitboardWord> {
    /// Squares that an explosion reaches, by its center, which is one of them.
    zones: Box<W::PerSquare<Bitboard<W>>>,
    pub(crate) immune: Box<[Kind]>,
}

impl<W: BitboardWord> ExplosionTables<W> {
    /// `None` in games without explosions.
    pub(crate) fn new(game: &GameDef) -> Option<ExplosionTables<W>> {
        let rule = game.mechanisms.explosions.as_ref()?;
        let board = &game.board;
        let mut zones = Box::new(W::per_square(Bitboard::EMPTY));
        for center in board.squares() {
            zones[center.index()] = board.squares().filter(|&square| board.distance(square, center) <= 1).collect();
        }
        Some(ExplosionTables { zones, immune: rule.immune.clone().into() })
    }

    #[inline(always)]
    pub(crate) fn zone(&self, center: Square) -> Bitboard<W> {
        W::at(&self.zones, center)
    }
}
