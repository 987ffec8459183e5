//! Tables of drops.

use assay_rules::piece::{Kind, Piece};
use assay_rules::{Color, GameDef, Square};

use crate::bitboard::{Bitboard, BitboardWord};

/// Zones of the pieces that may be dropped, and the pockets of captured pieces.
#[derive(Clone, Debug)]
pub(crate) struct Drops<W: BitboardWord> {
    /// Indexed by kind, then color.
    zones: Box<[[Bitboard<W>; 2]]>,
    /// Indexed by kind, then color of the captured piece.
    pocketed: Box<[[Option<Piece>; 2]]>,
    files: W::PerSquare<Bitboard<W>>,
    pub(crate) one_pawn_per_file: bool,
    pub(crate) pawn_mate: bool,
}

impl<W: BitboardWord> Drops<W> {
    /// `None` in games without drops.
    pub(crate) fn new(game: &GameDef) -> Option<Drops<W>> {
        let drops = game.drops.as_ref()?;
        let board = &game.board;
        let zone = |kind: Kind| Color::ALL.map(|color| Bitboard::from_set(drops.zones[kind.index()][color]));
        let pocketed = |kind| Color::ALL.map(|color| game.pocketed(Piece { color, kind }));
        let mut files = W::per_square(Bitboard::EMPTY);
        for square in board.squares() {
            let on_file = |&other: &Square| board.file(other) == board.file(square);
            files[square.index()] = board.squares().filter(on_file).collect();
        }
        Some(Drops {
            zones: game.all_kinds().map(zone).collect(),
            pocketed: game.all_kinds().map(pocketed).collect(),
            files,
            one_pawn_per_file: drops.one_pawn_per_file,
            pawn_mate: drops.pawn_mate,
        })
    }

    /// Squares on which a side may drop a kind.
    #[inline(always)]
    pub(crate) fn zone(&self, color: Color, kind: Kind) -> Bitboard<W> {
        self.zones[kind.index()][color.index()]
    }

    /// The piece that a captured piece becomes in a pocket; `None` if it goes to no pocket.
    #[inline(always)]
    pub(crate) fn pocketed(&self, captured: Piece) -> Option<Piece> {
        self.pocketed[captured.kind.index()][captured.color.index()]
    }

    /// All squares on the file of a square.
    #[inline(always)]
    pub(crate) fn file(&self, square: Square) -> Bitboard<W> {
        W::at(&self.files, square)
    }
}
