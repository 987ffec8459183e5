//! Squares on which a move of another piece can expose the king.

use assay_rules::{Color, GameDef, Square};

use super::{Forward, KindTables, Sliders};
use crate::bitboard::{Bitboard, BitboardWord};
use crate::ruleset::{Lines, PieceMovement};

/// Squares on which a move can expose a king that stands on one square.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KingExposure<W: BitboardWord> {
    /// A piece that leaves one of these squares can open a line to the king.
    pub(crate) on_leave: Bitboard<W>,
    /// A piece that enters one of these squares can expose the king: as a screen, or by capturing a
    /// surplus one.
    pub(crate) on_enter: Bitboard<W>,
}

/// Exposure of the king of `us`, indexed by its square.
pub(super) fn king_exposure<W: BitboardWord>(
    game: &GameDef,
    us: Color,
    movements: &[PieceMovement],
    kinds: &[[KindTables<W>; 2]],
    sliders: &Sliders<W>,
    forward: &[Forward<W>; 2],
) -> W::PerSquare<KingExposure<W>> {
    let none = KingExposure { on_leave: Bitboard::EMPTY, on_enter: Bitboard::EMPTY };
    let mut exposures = W::per_square(none);
    for king in game.board.squares() {
        let exposure: &mut KingExposure<W> = W::entry_mut(&mut exposures, king);
        for (movement, tables) in movements.iter().zip(kinds) {
            exposure.add_lines(movement, sliders, king);
            for path in tables[(!us).index()].irregular.iter().filter(|path| path.modality.captures) {
                let squares = path.squares_before(king);
                exposure.on_leave |= squares;
                if path.needs_pieces() {
                    exposure.on_enter |= squares;
                }
            }
        }
        if game.mechanisms.flying_general.is_some() {
            let on_file = |square: &Square| game.board.file(*square) == game.board.file(king);
            exposure.on_leave |= game.board.squares().filter(on_file).collect();
        }
        if game.mechanisms.cannon.is_some() {
            let file = W::at(&forward[us.index()].ahead, king);
            exposure.on_leave |= file;
            exposure.on_enter |= file;
        }
    }
    exposures
}

impl<W: BitboardWord> KingExposure<W> {
    fn add_lines(&mut self, movement: &PieceMovement, sliders: &Sliders<W>, king: Square) {
        let slides: Lines = movement.slide_captures;
        let hops: Lines = movement.hop_captures;
        self.on_leave |= sliders.lines(slides, king) | sliders.lines(hops, king);
        self.on_enter |= sliders.lines(hops, king);
    }
}
