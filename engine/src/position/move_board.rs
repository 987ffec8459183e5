//! The changes that moves make to a board.

use assay_rules::piece::{Kind, Piece};
use assay_rules::{Color, Square};

use super::{CompiledPosition, PackedPiece, Position};
use crate::bitboard::{Bitboard, BitboardWord};
use crate::ruleset::is_general;
use crate::tables::piece_index;

/// A change of the board that can be undone.
#[derive(Clone, Copy, Debug)]
pub(super) enum Change {
    /// A piece is put on an empty square or removed from its square.
    Piece(Square, Piece),
    /// The number of pieces in a pocket changes.
    Pocket(Piece, i8),
    /// A wall appears or vanishes.
    Wall(Square),
}

impl Change {
    #[inline(always)]
    pub(super) fn inverse(self) -> Change {
        if let Change::Pocket(piece, change) = self { Change::Pocket(piece, -change) } else { self }
    }
}

/// A position on which a move is being made. Unless it is `FULL`, its mailbox, hashes and list of
/// changes are not kept up to date.
pub(super) struct MoveBoard<'p, R: CompiledPosition, const FULL: bool>(pub(super) &'p mut Position<R>);

impl<R: CompiledPosition, const FULL: bool> MoveBoard<'_, R, FULL> {
    /// Makes a change that unmaking the move undoes.
    #[inline(always)]
    pub(super) fn change(&mut self, change: Change) {
        let position = &mut *self.0;
        if FULL {
            position.change_board(change);
            position.state.board_key ^= position.key_of(change);
            position.changes.push(change);
            position.state.changes += 1;
        } else {
            position.change_bitboards(change);
        }
    }

    /// Puts a piece on an empty square.
    #[inline(always)]
    pub(super) fn put(&mut self, square: Square, piece: Piece) {
        self.change(Change::Piece(square, piece));
    }

    /// Removes a piece from its square.
    #[inline(always)]
    pub(super) fn remove(&mut self, square: Square, piece: Piece) {
        self.change(Change::Piece(square, piece));
    }

    /// Removes and returns the piece on a square, if there is one.
    #[inline(always)]
    pub(super) fn take(&mut self, square: Square) -> PackedPiece {
        let piece = if FULL { self.0.piece_at(square) } else { self.0.find_piece(square) };
        let Some(piece) = piece else { return PackedPiece::EMPTY };
        self.remove(square, piece);
        PackedPiece::of(piece)
    }

    /// Moves a piece, and removes and returns the piece that it captures. These changes are not
    /// recorded: the move itself and the captured piece in the state suffice to undo them.
    #[inline(always)]
    pub(super) fn relocate(&mut self, from: Square, to: Square, piece: Piece) -> PackedPiece {
        if !FULL {
            let captured = self.take(to);
            self.remove(from, piece);
            self.put(to, piece);
            return captured;
        }
        let position = &mut *self.0;
        let captured = R::Word::at(&position.mailbox, to);
        if let Some(victim) = captured.piece() {
            position.flip(Bitboard::of(to), victim);
            position.state.board_key ^= position.key_of(Change::Piece(to, victim));
        }
        position.shift(from, to, piece);
        position.state.board_key ^=
            position.key_of(Change::Piece(from, piece)) ^ position.key_of(Change::Piece(to, piece));
        captured
    }

    /// Removes the rights that end when the piece on a square moves or is captured.
    #[inline(always)]
    pub(super) fn end_rights(&mut self, square: Square) {
        self.0.state.rights &= R::Word::at(&self.0.tables.kept_rights, square);
    }
}

impl<R: CompiledPosition> Position<R> {
    /// Makes a change on the bitboards and in the mailbox.
    #[inline(always)]
    pub(super) fn change_board(&mut self, change: Change) {
        self.change_bitboards(change);
        if let Change::Piece(square, piece) = change {
            // An empty square is zero.
            R::Word::entry_mut(&mut self.mailbox, square).0 ^= PackedPiece::of(piece).0;
        }
    }

    #[inline(always)]
    fn change_bitboards(&mut self, change: Change) {
        match change {
            Change::Piece(square, piece) => self.flip(Bitboard::of(square), piece),
            Change::Pocket(Piece { color, kind }, change) => {
                let count = &mut self.pockets[color.index()][kind.index()];
                *count = count.wrapping_add_signed(change);
            }
            Change::Wall(square) => self.walls ^= Bitboard::of(square),
        }
    }

    /// The change of the board key by a change that has been made.
    #[inline(always)]
    pub(super) fn key_of(&self, change: Change) -> u64 {
        let zobrist = &self.tables.zobrist;
        match change {
            Change::Piece(square, Piece { color, kind }) => zobrist.piece(color, kind, square),
            Change::Pocket(Piece { color, kind }, change) => {
                let count = self.pockets[color.index()][kind.index()];
                let earlier = count.wrapping_add_signed(-change);
                zobrist.pocket(color, kind, u32::from(count)) ^ zobrist.pocket(color, kind, u32::from(earlier))
            }
            Change::Wall(square) => zobrist.wall(square),
        }
    }

    /// Moves a piece to a square that is empty on the bitboards.
    #[inline(always)]
    pub(super) fn shift(&mut self, from: Square, to: Square, piece: Piece) {
        self.flip(Bitboard::of(from) | Bitboard::of(to), piece);
        *R::Word::entry_mut(&mut self.mailbox, from) = PackedPiece::EMPTY;
        *R::Word::entry_mut(&mut self.mailbox, to) = PackedPiece::of(piece);
    }

    #[inline(always)]
    fn flip(&mut self, squares: Bitboard<R::Word>, piece: Piece) {
        self.pieces[piece_index(piece.color, piece.kind)] ^= squares;
        self.colors[piece.color.index()] ^= squares;
    }

    #[inline(always)]
    pub(super) fn number_of_kinds(&self) -> usize {
        if is_general::<R>() { self.tables.movements.len() } else { R::KINDS.len() }
    }

    /// The piece on a square of a board that may have no mailbox.
    #[inline(always)]
    pub(super) fn find_piece(&self, square: Square) -> Option<Piece> {
        let color = Color::ALL.into_iter().find(|&color| self.by_color(color).contains(square))?;
        let mut kinds = (0..self.number_of_kinds() as u8).map(Kind);
        let kind = kinds.find(|&kind| self.pieces(color, kind).contains(square))?;
        Some(Piece { color, kind })
    }
}
