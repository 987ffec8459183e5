//! Moves made while they are generated, without a move list, for perft.
//!
//! Each ply has a board of its own, so that a move is never unmade piece by piece: the board below
//! a node is copied once, and between two moves only the words that the last one changed are
//! written again. Such a board has bitboards, kings and the state that generation needs, but
//! neither a mailbox nor hashes.

use assay_rules::piece::{Kind, Piece};
use assay_rules::position::EnPassant;
use assay_rules::{Color, Square};

use super::generate::move_sink::{MoveSink, origin};
use super::make::move_pieces;
use super::mechanism::{Mechanism, mechanisms, pocket};
use super::move_board::MoveBoard;
use super::state::State;
use super::{CompiledPosition, Position, Wanted};
use crate::bitboard::{Bitboard, BitboardWord};
use crate::moves::{Move, MoveKind, MoveList};
use crate::ruleset::Mechanics;
use crate::tables::{DoubleStep, piece_index};

/// Makes each generated move of `us` on the board of the next ply, and adds up what `visit` returns
/// for the positions reached.
pub(crate) struct MoveMaker<'b, R: CompiledPosition, V> {
    parent: &'b Position<R>,
    child: &'b mut Position<R>,
    us: Color,
    visit: V,
    sum: u64,
}

impl<R: CompiledPosition> Position<R> {
    /// Returns true if the drop of a piece of `kind` gives checkmate. Needs neither mailbox nor
    /// hashes.
    pub(super) fn drop_mates(&self, kind: Kind, to: Square) -> bool {
        let mut after = self.ply_board();
        after.copy_board(self);
        move_pieces::<R, false>(&mut after, Move::drop(kind, to), Piece { color: self.side_to_move(), kind });
        if !after.in_check() {
            return false;
        }
        let mut replies = MoveList::new();
        // Drops come last: whether they are legal may depend on drops that answer them.
        let occupied = after.occupied();
        for wanted in [occupied, !occupied] {
            R::generate_into(&after, &mut replies, wanted, Wanted::EvenIfDecided);
            if !replies.is_empty() {
                return false;
            }
        }
        true
    }

    /// A position for [`MoveMaker`], which overwrites its board before use.
    pub(crate) fn ply_board(&self) -> Position<R> {
        Position { tables: self.tables.clone(), previous: Vec::new(), changes: Vec::new(), ..*self }
    }

    /// Copies the board of `parent`, with the turn passed on.
    #[inline(always)]
    pub(super) fn copy_board(&mut self, parent: &Position<R>) {
        let pieces = 2 * parent.number_of_kinds();
        self.pieces[..pieces].copy_from_slice(&parent.pieces[..pieces]);
        self.colors = parent.colors;
        self.kings = parent.kings;
        if self.tables.has(Mechanics::DROPS) || self.tables.has(Mechanics::GATING) {
            self.pockets = parent.pockets;
        }
        if self.tables.has(Mechanics::WALLS) {
            self.walls = parent.walls;
        }
        self.state = State { en_passant: None, ..parent.state };
        Self::end_turn(&mut self.state);
    }
}

impl<'b, R: CompiledPosition, V: FnMut(&mut Position<R>) -> u64> MoveMaker<'b, R, V> {
    /// `us` is the side to move in `parent`; `child` is any position of the same game.
    #[inline(always)]
    pub(crate) fn new(us: Color, parent: &'b Position<R>, child: &'b mut Position<R>, visit: V) -> Self {
        child.copy_board(parent);
        MoveMaker { parent, child, us, visit, sum: 0 }
    }

    #[inline(always)]
    pub(crate) fn sum(self) -> u64 {
        self.sum
    }

    #[inline(always)]
    fn has_rights() -> bool {
        let mechanics = R::MECHANICS;
        mechanics.contains(Mechanics::CASTLING)
            || mechanics.contains(Mechanics::GATING)
            || mechanics.contains(Mechanics::INITIAL_MOVES)
    }

    #[inline(always)]
    fn visit_child(&mut self) {
        mechanisms!(self.child, |M| M::after_turn(self.child, &self.parent.state));
        self.sum += (self.visit)(self.child);
    }

    /// Moves a piece of `kind` from `from` to `to`.
    #[inline(always)]
    fn relocate(&mut self, kind: Kind, from: Square, to: Square) {
        let (index, us) = (piece_index(self.us, kind), self.us.index());
        let moved = Bitboard::of(from) | Bitboard::of(to);
        self.child.pieces[index] = self.parent.pieces[index] ^ moved;
        self.child.colors[us] = self.parent.colors[us] ^ moved;
        if Self::has_rights() {
            let kept = &self.parent.tables.kept_rights;
            self.child.state.rights = self.parent.state.rights & R::Word::at(kept, from) & R::Word::at(kept, to);
        }
        self.child.record_king(Piece { color: self.us, kind }, to);
    }

    /// Removes the enemy piece on `square`, and puts back one that an earlier move captured.
    #[inline(always)]
    fn capture(&mut self, square: Square) {
        let (them, keep) = (!self.us, !Bitboard::of(square));
        for kind in 0..self.parent.number_of_kinds() {
            let index = piece_index(them, Kind(kind as u8));
            self.child.pieces[index] = self.parent.pieces[index] & keep;
        }
        self.child.colors[them.index()] = self.parent.colors[them.index()] & keep;
        if self.parent.tables.has(Mechanics::DROPS) {
            self.child.pockets = self.parent.pockets;
            pocket(&mut MoveBoard::<R, false>(self.child), self.parent.find_piece(square));
        }
    }

    #[inline(always)]
    fn restore_enemies(&mut self) {
        let them = !self.us;
        for kind in 0..self.parent.number_of_kinds() {
            let index = piece_index(them, Kind(kind as u8));
            self.child.pieces[index] = self.parent.pieces[index];
        }
        self.child.colors[them.index()] = self.parent.colors[them.index()];
        if self.parent.tables.has(Mechanics::DROPS) {
            self.child.pockets = self.parent.pockets;
        }
    }

    /// Restores what [`MoveMaker::relocate`] changed.
    #[inline(always)]
    fn restore(&mut self, kind: Kind) {
        let (index, us) = (piece_index(self.us, kind), self.us.index());
        self.child.pieces[index] = self.parent.pieces[index];
        self.child.colors[us] = self.parent.colors[us];
        if Self::has_rights() {
            self.child.state.rights = self.parent.state.rights;
        }
        if Some(kind) == self.parent.king_kind() {
            self.child.kings[us] = self.parent.kings[us];
        }
    }

    /// Moves of pieces of one kind, each to one of the squares.
    #[inline(always)]
    fn moves(&mut self, kind: Kind, to: Bitboard<R::Word>, from: impl Fn(Square) -> Square) {
        if to.is_empty() {
            return;
        }
        self.child.record_last_moved_as(Piece { color: self.us, kind });
        let enemy = self.parent.by_color(!self.us);
        for square in to & !enemy {
            self.relocate(kind, from(square), square);
            self.visit_child();
        }
        let captures = to & enemy;
        if captures.any() {
            let mut changes_more = false;
            mechanisms!(self.parent, |M| changes_more |= M::extends_captures(self.parent, kind));
            for square in captures {
                if changes_more {
                    self.restore(kind);
                    self.make_single(kind, Move::new(MoveKind::Normal, from(square), square));
                    continue;
                }
                self.relocate(kind, from(square), square);
                self.capture(square);
                self.visit_child();
            }
            self.restore_enemies();
        }
        self.restore(kind);
    }

    #[inline(never)]
    fn make_single(&mut self, kind: Kind, mv: Move) {
        self.apply(kind, mv);
        self.visit_child();
        self.child.copy_board(self.parent);
    }

    /// Makes any move on the child, which has the board of the parent.
    #[inline(always)]
    fn apply(&mut self, kind: Kind, mv: Move) {
        self.child.state.en_passant = self.parent.state.en_passant;
        move_pieces::<R, false>(self.child, mv, Piece { color: self.us, kind });
    }
}

impl<R: CompiledPosition, V: FnMut(&mut Position<R>) -> u64> MoveSink<R::Word> for MoveMaker<'_, R, V> {
    #[inline(always)]
    fn piece_moves(&mut self, kind: Kind, from: Square, to: Bitboard<R::Word>) {
        self.moves(kind, to, |_| from);
    }

    #[inline(always)]
    fn pawn_moves(&mut self, kind: Kind, to: Bitboard<R::Word>, offset: i32) {
        self.moves(kind, to, |to| origin(to, offset));
    }

    #[inline(always)]
    fn double_steps(&mut self, kind: Kind, to: Bitboard<R::Word>, double: &DoubleStep<R::Word>) {
        if to.is_empty() {
            return;
        }
        self.child.record_last_moved_as(Piece { color: self.us, kind });
        for to in to {
            let from = origin(to, double.offset);
            self.relocate(kind, from, to);
            // The generator decides if a capture is legal when it generates the moves of the other
            // side.
            self.child.state.en_passant = Some(EnPassant { passed: origin(from, -double.over), victim: to });
            self.visit_child();
        }
        self.child.state.en_passant = None;
        self.restore(kind);
    }

    #[inline(always)]
    fn single_move(&mut self, kind: Kind, mv: Move) {
        self.make_single(kind, mv);
    }

    fn walled_moves(&mut self, kind: Kind, mv: Move, walls: Bitboard<R::Word>) {
        self.apply(kind, mv);
        let others = self.child.walls;
        for square in walls {
            self.child.walls = others | Bitboard::of(square);
            self.visit_child();
        }
        self.child.copy_board(self.parent);
    }
}
