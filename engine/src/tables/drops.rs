//! Tables of drops.

use assay_rules::piece::{Kind, Piece};
use assay_rules::{Color, GameDef, Square};

use crate::bitboard::{Bitboard, BitboardWord};

/// Zones of the pieces that may be dropped, and the pockets of captured pieces.
#[derive(Clone, Debug)]
pub(crate) struct DropTables<W: BitboardWord> {
    /// Indexed by kind, then color.
    zones: Box<[[Bitboard<W>; 2]]>,
    /// Indexed by kind, then color of the captured piece.
    pocketed: Box<[[Option<Piece>; 2]]>,
    files: W::PerSquare<Bitboard<W>>,
    /// Kinds in a pocket, indexed by the kind dropped: another one if it is dropped promoted.
    in_pocket: Box<[Kind]>,
    /// Largest number of pawns of a side on a file on which it can drop one.
    pawns_per_file: Option<u32>,
    pub(crate) pawn_mate: bool,
    /// True if a side that has a legal drop must drop.
    pub(crate) forced: bool,
    /// True if drops give rights to castle.
    pub(crate) give_rights: bool,
    /// Kinds whose second piece is dropped on the other color of squares.
    pub(crate) opposite_colors: Box<[Kind]>,
    /// Squares of one color, then of the other.
    pub(crate) colors: [Bitboard<W>; 2],
}

impl<W: BitboardWord> DropTables<W> {
    /// `None` in games without drops.
    pub(crate) fn new(game: &GameDef) -> Option<DropTables<W>> {
        let drops = game.mechanisms.drops.as_ref()?;
        let board = &game.board;
        let zone = |kind: Kind| Color::ALL.map(|color| Bitboard::from_set(drops.zones[kind.index()][color]));
        let pocketed = |kind| Color::ALL.map(|color| game.pocketed(Piece { color, kind }));
        let mut files = W::per_square(Bitboard::EMPTY);
        for square in board.squares() {
            let on_file = |&other: &Square| board.file(other) == board.file(square);
            files[square.index()] = board.squares().filter(on_file).collect();
        }
        let castling = game.mechanisms.castling.as_ref();
        Some(DropTables {
            zones: game.kinds.all().map(zone).collect(),
            pocketed: game.kinds.all().map(pocketed).collect(),
            files,
            in_pocket: game.kinds.all().map(|kind| game.kinds.unpromoted(kind)).collect(),
            pawns_per_file: drops.pawns_per_file.map(u32::from),
            pawn_mate: drops.pawn_mate,
            forced: drops.forced,
            give_rights: castling.is_some_and(|castling| castling.by_drops),
            opposite_colors: drops.opposite_colors.as_slice().into(),
            colors: [true, false].map(|dark| board.squares().filter(|&square| board.is_dark(square) == dark).collect()),
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

    /// The kind that leaves the pocket when a piece of `kind` is dropped.
    #[inline(always)]
    pub(crate) fn in_pocket(&self, kind: Kind) -> Kind {
        self.in_pocket[kind.index()]
    }

    /// Squares of the files on which a side with these pawns may drop no other.
    #[inline(always)]
    pub(crate) fn full_files(&self, pawns: Bitboard<W>) -> Bitboard<W> {
        let Some(most) = self.pawns_per_file else {
            return Bitboard::EMPTY;
        };
        let files = pawns.into_iter().map(|pawn| W::at(&self.files, pawn));
        let full = files.filter(|&file| (file & pawns).count() >= most);
        full.fold(Bitboard::EMPTY, |all, file| all | file)
    }
}
