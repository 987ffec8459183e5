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
use super::state::State;
use super::{CompiledPosition, Position, Wanted};
use crate::bitboard::{Bitboard, BitboardWord};
use crate::moves::{Move, MoveKind, MoveList};
use crate::ruleset::{Mechanics, Role, is_general, movement_of};
use crate::tables::{DoubleStep, Promotion, piece_index};

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
    /// A position for [`MoveMaker`], which overwrites its board before use.
    pub(crate) fn ply_board(&self) -> Position<R> {
        Position {
            tables: self.tables.clone(),
            previous: Vec::new(),
            debris: Vec::new(),
            earlier_walls: Vec::new(),
            ..*self
        }
    }

    #[inline(always)]
    fn number_of_kinds(&self) -> usize {
        if is_general::<R>() { self.tables.movements.len() } else { R::KINDS.len() }
    }

    /// Copies the board of `parent`, with the turn passed on.
    #[inline(always)]
    fn copy_board(&mut self, parent: &Position<R>) {
        let pieces = 2 * parent.number_of_kinds();
        self.pieces[..pieces].copy_from_slice(&parent.pieces[..pieces]);
        self.colors = parent.colors;
        self.kings = parent.kings;
        if self.tables.has(Mechanics::DROPS) {
            self.hands = parent.hands;
        }
        if self.tables.has(Mechanics::WALLS) {
            self.walls = parent.walls;
        }
        self.state = State { en_passant: None, ..parent.state };
        Self::end_turn(&mut self.state);
    }

    /// Removes the piece of `color` on `square`, of whichever kind.
    #[inline(always)]
    fn clear_square(&mut self, color: Color, square: Square) {
        let keep = !Bitboard::of(square);
        for kind in 0..self.number_of_kinds() {
            self.pieces[piece_index(color, Kind(kind as u8))] &= keep;
        }
        self.colors[color.index()] &= keep;
    }

    #[inline(always)]
    fn place(&mut self, color: Color, kind: Kind, square: Square) {
        self.pieces[piece_index(color, kind)] |= Bitboard::of(square);
        self.colors[color.index()] |= Bitboard::of(square);
    }

    /// Puts the piece of `color` that is captured on `square` into a pocket of this board, which
    /// has those of `parent`.
    #[inline(always)]
    fn pocket(&mut self, parent: &Position<R>, color: Color, square: Square) {
        let Some(drops) = parent.tables.drops.as_ref().filter(|_| parent.tables.has(Mechanics::DROPS)) else {
            return;
        };
        self.hands = parent.hands;
        let mut kinds = (0..self.number_of_kinds() as u8).map(Kind);
        let victim = kinds.find(|&kind| parent.pieces(color, kind).contains(square));
        if let Some(piece) = victim.and_then(|kind| drops.pocketed(Piece { color, kind })) {
            self.hands[piece.color.index()][piece.kind.index()] += 1;
        }
    }

    /// Returns true if the drop of a piece of `kind` gives checkmate. Needs neither mailbox nor
    /// hashes.
    pub(super) fn drop_mates(&self, kind: Kind, to: Square) -> bool {
        let us = self.side_to_move();
        let mut after = self.ply_board();
        after.copy_board(self);
        self.record_last_moved_as(&mut after.state, Piece { color: us, kind });
        after.place(us, kind, to);
        after.hands[us.index()][kind.index()] -= 1;
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

    #[inline(always)]
    fn kept_rights(&self, from: Square, to: Square) -> u64 {
        R::Word::at(&self.tables.kept_rights, from) & R::Word::at(&self.tables.kept_rights, to)
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
    fn is_king(&self, kind: Kind) -> bool {
        if is_general::<R>() {
            Some(kind) == self.parent.king_kind()
        } else {
            movement_of::<R>(kind.index()).role == Role::King
        }
    }

    /// Records that a piece of `kind` moves, for the joker.
    #[inline(always)]
    fn record_kind(&mut self, kind: Kind) {
        if self.parent.tables.has(Mechanics::JOKER) {
            let piece = Piece { color: self.us, kind };
            self.child.state.last_moved_as = self.parent.state.last_moved_as;
            self.parent.record_last_moved_as(&mut self.child.state, piece);
        }
    }

    #[inline(always)]
    fn visit_child(&mut self) {
        if self.parent.tables.has(Mechanics::CHECK_COUNT) {
            let before = self.parent.state.checks_left;
            let is_check = self.child.in_check();
            self.child.state.checks_left = if is_check { before.after_check(self.us) } else { before };
        }
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
            self.child.state.rights = self.parent.state.rights & self.parent.kept_rights(from, to);
        }
        if self.is_king(kind) {
            self.child.kings[us] = to;
            if self.parent.tables.has(Mechanics::CASTLING_FROM_ANY_FILE) {
                self.child.state.rights &= !self.parent.tables.castling_rights[us];
            }
        }
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
        self.child.pocket(self.parent, them, square);
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
            self.child.hands = self.parent.hands;
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
        if self.is_king(kind) {
            self.child.kings[us] = self.parent.kings[us];
        }
    }

    /// Moves of pieces of one kind, each to one of the squares.
    #[inline(always)]
    fn moves(&mut self, kind: Kind, to: Bitboard<R::Word>, from: impl Fn(Square) -> Square) {
        if to.is_empty() {
            return;
        }
        self.record_kind(kind);
        let enemy = self.parent.by_color(!self.us);
        for square in to & !enemy {
            self.relocate(kind, from(square), square);
            self.visit_child();
        }
        let captures = to & enemy;
        if captures.any() {
            let changes_more = self.parent.tables.has(Mechanics::EXPLOSIONS) || self.parent.is_petrified(kind);
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

    /// Any move but a double step.
    #[inline(never)]
    fn make_single(&mut self, kind: Kind, mv: Move) {
        self.apply(kind, mv);
        self.visit_child();
        self.child.copy_board(self.parent);
    }

    /// Makes any move on the child, which has the board of the parent.
    #[inline(always)]
    fn apply(&mut self, kind: Kind, mv: Move) {
        let (us, from, mut to) = (self.us, mv.from(), mv.to());
        let parent = self.parent;
        self.record_kind(kind);
        let child = &mut *self.child;
        child.clear_square(us, from);
        child.state.rights &= parent.kept_rights(from, to);
        match mv.kind() {
            MoveKind::Normal | MoveKind::DoubleStep => {
                child.clear_square(!us, to);
                child.pocket(parent, !us, to);
                child.place(us, mv.promotion().unwrap_or(kind), to);
            }
            MoveKind::EnPassant => {
                let ep = parent.state.en_passant.expect("there is a pawn to capture en passant");
                child.state.rights &= R::Word::at(&parent.tables.kept_rights, ep.victim);
                child.clear_square(!us, ep.victim);
                child.pocket(parent, !us, ep.victim);
                child.place(us, kind, to);
            }
            MoveKind::Castle | MoveKind::CastleGatingPartner => {
                let wing = parent.tables.castling(us, mv);
                child.state.rights &= parent.kept_rights(wing.partner_from, wing.partner_to);
                child.clear_square(us, wing.partner_from);
                child.place(us, kind, wing.king_to);
                child.place(us, wing.partner, wing.partner_to);
                to = wing.king_to;
            }
            MoveKind::Cannon => {
                child.clear_square(!us, to);
                child.pocket(parent, !us, to);
            }
            MoveKind::Drop => {
                let drops = parent.tables.drops.as_ref();
                let kind = drops.map_or(kind, |drops| drops.in_pocket(kind));
                child.hands[us.index()][kind.index()] -= 1;
            }
        }
        // A drop, too, puts its piece on the board here.
        if let Some((gated, square)) = parent.gated(us, mv) {
            child.place(us, gated, square);
            child.state.pockets[us.index()] &= !(1 << gated.0);
        }
        if parent.tables.has(Mechanics::WALLS) {
            child.walls = parent.walls_after(kind, mv, parent.is_capture(mv));
            if child.walls.contains(mv.to()) {
                child.clear_square(us, mv.to());
            }
        }
        for square in parent.blast(mv.promotion().unwrap_or(kind), mv) {
            child.state.rights &= R::Word::at(&parent.tables.kept_rights, square);
            child.clear_square(us, square);
            child.clear_square(!us, square);
        }
        if Some(kind) == parent.king_kind() {
            child.kings[us.index()] = to;
            if parent.tables.has(Mechanics::CASTLING_FROM_ANY_FILE) {
                child.state.rights &= !parent.tables.castling_rights[us.index()];
            }
        }
    }
}

impl<R: CompiledPosition, V: FnMut(&mut Position<R>) -> u64> MoveSink<R::Word> for MoveMaker<'_, R, V> {
    #[inline(always)]
    fn piece_moves(&mut self, kind: Kind, from: Square, to: Bitboard<R::Word>) {
        self.moves(kind, to, |_| from);
    }

    #[inline(always)]
    fn gating_moves(&mut self, kind: Kind, from: Square, to: Bitboard<R::Word>, gated: Kind) {
        for to in to {
            self.make_single(kind, Move::new(MoveKind::Normal, from, to).gating(gated));
        }
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
        self.record_kind(kind);
        for to in to {
            let from = origin(to, double.offset);
            self.relocate(kind, from, to);
            // Whether a capture is legal is decided when the moves of the other side are generated.
            self.child.state.en_passant = Some(EnPassant { passed: origin(from, -double.over), victim: to });
            self.visit_child();
        }
        self.child.state.en_passant = None;
        self.restore(kind);
    }

    #[inline(always)]
    fn promotions(&mut self, kind: Kind, from: Square, to: Square, promotion: &Promotion, may_stay: bool) {
        let step = Move::new(MoveKind::Normal, from, to);
        for &promoted in &promotion.kinds {
            self.make_single(kind, step.promoting(promoted));
        }
        if may_stay && promotion.is_optional {
            self.make_single(kind, step);
        }
    }

    #[inline(always)]
    fn drops(&mut self, kind: Kind, to: Bitboard<R::Word>) {
        for to in to {
            self.make_single(kind, Move::drop(kind, to));
        }
    }

    #[inline(always)]
    fn single_move(&mut self, kind: Kind, mv: Move) {
        self.make_single(kind, mv);
    }

    fn walled_moves(&mut self, kind: Kind, mv: Move, walls: Bitboard<R::Word>) {
        self.apply(kind, mv);
        if mv.is_double_step() {
            let passed = self.parent.tables.passed_by(self.us, mv.from(), mv.to());
            self.child.state.en_passant = passed.map(|passed| EnPassant { passed, victim: mv.to() });
        }
        let others = self.child.walls;
        for square in walls {
            self.child.walls = others | Bitboard::of(square);
            self.visit_child();
        }
        self.child.copy_board(self.parent);
    }
}
