//! Making and unmaking moves.

use assay_rules::def::CastlingWing;
use assay_rules::piece::Piece;
use assay_rules::position::{EnPassant, MAX_COUNT};
use assay_rules::{Color, Turn};

use super::mechanism::{Mechanism, mechanisms};
use super::move_board::{Change, MoveBoard};
use super::state::{Clock, State};
use super::{CompiledPosition, PackedPiece, Position};
use crate::moves::{Move, MoveKind};
use crate::ruleset::Mechanics;

/// Makes the moves of pieces, captures, and what the mechanisms of the game add to them, but leaves
/// the turn and the clock alone. Whether a capture en passant that the move allows is legal,
/// remains to be decided.
#[inline(always)]
pub(super) fn move_pieces<R: CompiledPosition, const FULL: bool>(position: &mut Position<R>, mv: Move, piece: Piece) {
    let (from, to) = (mv.from(), mv.to());
    let earlier = position.state.en_passant.take();
    let board = &mut MoveBoard::<R, FULL>(position);
    board.end_rights(from);
    board.end_rights(to);
    let (mut captured, mut king_to) = (PackedPiece::EMPTY, to);
    match mv.kind() {
        MoveKind::Normal => match mv.promotion() {
            None => captured = board.relocate(from, to, piece),
            Some(kind) => {
                captured = board.take(to);
                board.remove(from, piece);
                board.put(to, Piece { kind, ..piece });
            }
        },
        MoveKind::DoubleStep => {
            board.relocate(from, to, piece);
            if board.0.tables.has(Mechanics::EN_PASSANT) {
                let passed = board.0.tables.passed_by(piece, from, to);
                board.0.state.en_passant = passed.map(|passed| EnPassant { passed, victim: to });
            }
        }
        MoveKind::EnPassant => {
            let victim = earlier.expect("there is a pawn to capture en passant").victim;
            board.end_rights(victim);
            captured = board.take(victim);
            board.remove(from, piece);
            board.put(to, piece);
        }
        MoveKind::Castle | MoveKind::CastleGatingPartner => {
            let &CastlingWing { partner: kind, partner_from, partner_to, king_to: target, .. } =
                board.0.tables.castling(piece.color, mv);
            let partner = Piece { kind, ..piece };
            board.end_rights(partner_from);
            board.end_rights(partner_to);
            board.remove(partner_from, partner);
            board.remove(from, piece);
            board.put(target, piece);
            board.put(partner_to, partner);
            king_to = target;
        }
        MoveKind::Cannon => {
            captured = board.take(to);
            board.remove(from, piece);
        }
        MoveKind::Drop => board.put(to, piece),
    }
    board.0.state.captured = captured;
    board.0.record_king(piece, king_to);
    mechanisms!(board.0, |M| M::after_move(board, mv, piece));
}

impl<R: CompiledPosition> Position<R> {
    /// Makes a legal move.
    ///
    /// # Panics
    /// If there is no piece on the origin square.
    #[inline]
    pub fn make(&mut self, mv: Move) {
        R::make(self, mv);
    }

    #[inline(always)]
    pub(crate) fn make_impl(&mut self, mv: Move) {
        let piece = self.moved_piece(mv);
        let before = self.state;
        self.previous.push(before);
        self.state.changes = 0;
        move_pieces::<R, true>(self, mv, piece);
        let resets_clock =
            self.state.captured != PackedPiece::EMPTY || self.is_irreversible(piece, mv) || mv.kind() == MoveKind::Drop;
        self.state.clock = if resets_clock { Clock::new(0, None) } else { before.clock.ticked() };
        self.state.last_move = Some(mv);
        Self::end_turn(&mut self.state);
        mechanisms!(self, |M| self.state.clock = M::clock(self, &before));
        mechanisms!(self, |M| M::after_turn(self, &before));
        if let Some(ep) = self.state.en_passant
            && !self.has_legal_en_passant(ep)
        {
            self.state.en_passant = None;
        }
        self.update_hash();
        debug_assert!(self.state.board_key == self.board_key_from_scratch(), "wrong incremental hash after {mv:?}");
    }

    /// See [`GameDef::is_irreversible`](assay_rules::GameDef::is_irreversible).
    #[inline(always)]
    fn is_irreversible(&self, piece: Piece, mv: Move) -> bool {
        let (mechanics, is_pawn) = (self.tables.mechanics(), self.tables.is_pawn(piece.kind));
        if !mechanics.contains(Mechanics::REVERSIBLE_PAWNS) && !mechanics.contains(Mechanics::PROMOTION_RULES) {
            return is_pawn;
        }
        self.game().is_irreversible(piece, [mv.from(), mv.to()], mv.promotion())
    }

    /// Passes the turn on.
    #[inline(always)]
    pub(super) fn end_turn(state: &mut State) {
        let before = state.side;
        if R::MECHANICS.contains(Mechanics::HANDICAPS) {
            state.turn = state.turn.next();
            state.side = state.turn.color();
        } else {
            state.side = !state.side;
        }
        let is_new_move = before == Color::Black && state.side == Color::White;
        state.fullmove_number = (state.fullmove_number + u32::from(is_new_move)).min(MAX_COUNT);
    }

    /// Unmakes the last move.
    ///
    /// # Panics
    /// If there is none, or it was a null move.
    #[inline]
    pub fn unmake(&mut self) {
        R::unmake(self);
    }

    #[inline(always)]
    pub(crate) fn unmake_impl(&mut self) {
        let State { last_move, captured, changes, .. } = self.state;
        let mv = last_move.expect("the last turn was a move");
        self.state = self.previous.pop().expect("a state before the last move");
        for _ in 0..changes {
            let change = self.changes.pop().expect("the move has recorded its changes");
            self.change_board(change.inverse());
        }
        let (from, to) = (mv.from(), mv.to());
        if matches!(mv.kind(), MoveKind::Normal | MoveKind::DoubleStep) && mv.promotion().is_none() {
            let piece = self.piece_at(to).expect("the last move put a piece there");
            self.shift(to, from, piece);
            if let Some(victim) = captured.piece() {
                self.change_board(Change::Piece(to, victim));
            }
        }
        if let Some(piece) = self.piece_at(from).filter(|piece| Some(piece.kind) == self.king_kind()) {
            self.kings[piece.color.index()] = from;
        }
        debug_assert!(
            self.state.board_key == self.board_key_from_scratch(),
            "wrong incremental hash after unmaking {mv:?}"
        );
    }

    /// Makes a null move. Not allowed in check or within a two-move handicap.
    pub fn make_null(&mut self) {
        debug_assert!(self.turn() == Turn::Single(self.side_to_move()));
        self.previous.push(self.state);
        let clock = self.state.clock.ticked();
        self.state = State { last_move: None, captured: PackedPiece::EMPTY, en_passant: None, clock, ..self.state };
        Self::end_turn(&mut self.state);
        self.update_hash();
    }

    /// Unmakes the null move that led here.
    ///
    /// # Panics
    /// If the position has no previous one.
    pub fn unmake_null(&mut self) {
        debug_assert!(self.state.last_move.is_none() && self.ply() > 0);
        self.state = self.previous.pop().expect("a state before the null move");
    }
}
