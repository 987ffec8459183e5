//! The squares that matter to a king: where a piece that leaves, or one that enters, can open a way to it.

use assay_rules::{Color, GameDef, Square};

use super::{KindTables, Pawns, Sliders};
use crate::bitboard::Bitboard;
use crate::bitboard::BitboardWord;
use crate::ruleset::{Lines, PieceMovement};

/// The squares that matter to a king on one square.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Zone<W: BitboardWord> {
    /// A piece that leaves one of these can open a way to the king.
    pub(crate) leaving: Bitboard<W>,
    /// A piece that enters one of these can: it may serve as a screen, or take a piece that was one too many.
    pub(crate) entering: Bitboard<W>,
}

/// The zones of the king of `us`, by its square.
pub(super) fn zones<W: BitboardWord>(
    game: &GameDef,
    us: Color,
    recipes: &[PieceMovement],
    kinds: &[[KindTables<W>; 2]],
    sliders: &Sliders<W>,
    pawns: &[Pawns<W>; 2],
) -> W::PerSquare<Zone<W>> {
    let none = Zone {
        leaving: Bitboard::EMPTY,
        entering: Bitboard::EMPTY,
    };
    let mut zones = W::per_square(none);
    for king in game.board.squares() {
        let zone: &mut Zone<W> = W::entry_mut(&mut zones, king);
        for (recipe, tables) in recipes.iter().zip(kinds) {
            zone.add_lines(recipe, sliders, king);
            for other in tables[(!us).index()]
                .others
                .iter()
                .filter(|other| other.modality.captures)
            {
                let squares = other.squares_before(king);
                zone.leaving |= squares;
                if other.needs_pieces() {
                    zone.entering |= squares;
                }
            }
        }
        if game.pawn_cannon {
            let file = W::at(&pawns[us.index()].ahead, king);
            zone.leaving |= file;
            zone.entering |= file;
        }
    }
    zones
}

impl<W: BitboardWord> Zone<W> {
    fn add_lines(&mut self, recipe: &PieceMovement, sliders: &Sliders<W>, king: Square) {
        let slides: Lines = recipe.slide_captures;
        let hops: Lines = recipe.hop_captures;
        self.leaving |= sliders.lines(slides, king) | sliders.lines(hops, king);
        self.entering |= sliders.lines(hops, king);
    }
}
