//! Making and unmaking moves.

use std::sync::Arc;

use assay_rules::piece::{Kind, Piece};
use assay_rules::position::{EnPassant, MAX_COUNT};
use assay_rules::{Color, Square, Turn};

use super::state::{Clock, State};
use super::{CompiledPosition, PackedPiece, Position};
use crate::bitboard::BitboardWord;
use crate::moves::{Move, MoveKind};
use crate::ruleset::Mechanics;

impl<R: CompiledPosition> Position<R> {
    /// Makes a legal move.
    ///
    /// # Panics
    /// If there is no piece on the origin square.
    #[inline]
    pub fn make(&mut self, mv: Move) {
        R::make(self, mv);
    }

    /// Returns true for a promotion, unless the piece can turn back, and for a pawn's move that
    /// another one cannot undo, in most games.
    #[inline(always)]
    fn is_irreversible(&self, piece: Piece, mv: Move) -> bool {
        let (mechanics, is_pawn) = (self.tables.mechanics(), piece.kind == self.pawn_kind());
        if !mechanics.contains(Mechanics::REVERSIBLE_PAWNS) && !mechanics.contains(Mechanics::PIECE_PROMOTION) {
            return is_pawn;
        }
        let game = self.game();
        let returns =
            || mechanics.contains(Mechanics::REVERSIBLE_PAWNS) && game.can_pawn_return(piece.color, mv.from(), mv.to());
        mv.promotion().is_some_and(|kind| game.turned(kind) != Some(piece.kind))
            || is_pawn && game.endings.pawn_moves_reset && !returns()
    }

    #[inline(always)]
    pub(crate) fn make_impl(&mut self, mv: Move) {
        let (from, mut to) = (mv.from(), mv.to());
        let piece = self.moved_piece(mv);
        let mut next = *self.state();
        next.captured = PackedPiece::EMPTY;
        self.record_last_moved_as(&mut next, piece);
        next.rights &= R::Word::at(&self.tables.kept_rights, from) & R::Word::at(&self.tables.kept_rights, to);
        let mut resets_clock = self.is_irreversible(piece, mv);
        let mut passed = None;
        match mv.kind() {
            MoveKind::Normal => {
                resets_clock |= self.capture(to, &mut next);
                self.make_normal(mv, piece, &mut next);
            }
            MoveKind::DoubleStep => {
                next.board_key ^= self.relocate(from, to, piece);
                passed = self.tables.passed_by(piece.color, from, to);
            }
            MoveKind::EnPassant => {
                if let Some(ep) = next.en_passant {
                    next.rights &= R::Word::at(&self.tables.kept_rights, ep.victim);
                    resets_clock |= self.capture(ep.victim, &mut next);
                }
                next.board_key ^= self.relocate(from, to, piece);
            }
            MoveKind::Castle | MoveKind::CastleGatingPartner => {
                let tables = Arc::clone(&self.tables);
                let wing = tables.castling(piece.color, mv);
                let partner = Piece { color: piece.color, kind: wing.partner };
                next.board_key ^= self.remove(wing.partner_from, partner) ^ self.remove(from, piece);
                next.board_key ^= self.put(wing.king_to, piece) ^ self.put(wing.partner_to, partner);
                next.rights &= R::Word::at(&self.tables.kept_rights, wing.king_to)
                    & R::Word::at(&self.tables.kept_rights, wing.partner_from)
                    & R::Word::at(&self.tables.kept_rights, wing.partner_to);
                to = wing.king_to;
            }
            MoveKind::Cannon => {
                resets_clock |= self.capture(to, &mut next);
                next.board_key ^= self.remove(from, piece);
            }
            MoveKind::Drop => {
                resets_clock = true;
                next.board_key ^= self.put(to, piece) ^ self.change_hand(self.in_hand(piece), -1);
            }
        }
        if self.tables.has(Mechanics::EXPLOSIONS) && next.captured != PackedPiece::EMPTY {
            next.board_key ^= self.explode(mv.promotion().unwrap_or(piece.kind), to, &mut next);
        }
        if self.tables.has(Mechanics::WALLS) {
            next.board_key ^= self.make_walls(piece, mv, next.captured != PackedPiece::EMPTY);
        }
        if self.tables.has(Mechanics::DROPS)
            && let Some(pocketed) = self.pocketed(next.captured)
        {
            next.board_key ^= self.change_hand(pocketed, 1);
        }
        if self.tables.has(Mechanics::GATING)
            && let Some((kind, square)) = self.gated(piece.color, mv)
        {
            let color = piece.color;
            next.board_key ^= self.put(square, Piece { color, kind }) ^ self.tables.zobrist.pocket(color, kind, 1);
            next.pockets[color.index()] &= !(1 << kind.0);
        }
        if Some(piece.kind) == self.king_kind() {
            self.kings[piece.color.index()] = to;
            if self.tables.has(Mechanics::CASTLING_FROM_ANY_FILE) {
                next.rights &= !self.tables.castling_rights[piece.color.index()];
            }
        }
        next.clock = if resets_clock { Clock::new(0, None) } else { next.clock.ticked() };
        next.last_move = Some(mv);
        next.en_passant = None;
        Self::end_turn(&mut next);
        if self.tables.has(Mechanics::COUNTING) {
            self.update_count(&mut next);
        }
        self.update_repetition_rights(&mut next);
        next.hash = self.compute_hash(&next);
        self.previous.push(self.state);
        self.state = next;
        if self.tables.has(Mechanics::CHECK_COUNT) && self.in_check() {
            self.count_check(piece.color);
        }
        if self.tables.has(Mechanics::EN_PASSANT)
            && let Some(passed) = passed
        {
            self.set_en_passant(EnPassant { passed, victim: to });
        }
        debug_assert!(self.state().board_key == self.board_key_from_scratch(), "wrong incremental hash after {mv:?}");
    }

    /// Removes the piece on `square`, if any; returns true if there was one.
    #[inline(always)]
    fn capture(&mut self, square: Square, next: &mut State) -> bool {
        next.captured = R::Word::at(&self.mailbox, square);
        let Some(victim) = next.captured.piece() else {
            return false;
        };
        next.board_key ^= self.remove(square, victim);
        true
    }

    /// The piece that a captured piece becomes in a pocket.
    #[inline(always)]
    fn pocketed(&self, captured: PackedPiece) -> Option<Piece> {
        self.tables.drops.as_ref()?.pocketed(captured.piece()?)
    }

    /// The piece that leaves the pocket when `dropped` is dropped.
    #[inline(always)]
    fn in_hand(&self, dropped: Piece) -> Piece {
        let drops = self.tables.drops.as_ref();
        let kind = drops.map_or(dropped.kind, |drops| drops.in_pocket(dropped.kind));
        Piece { kind, ..dropped }
    }

    /// Changes the number of pieces of a kind in a pocket. Returns the change of the board key.
    #[inline(always)]
    fn change_hand(&mut self, piece: Piece, change: i8) -> u64 {
        let count = &mut self.hands[piece.color.index()][piece.kind.index()];
        let before = *count;
        *count = before.wrapping_add_signed(change);
        let zobrist = &self.tables.zobrist;
        zobrist.pocket(piece.color, piece.kind, u32::from(before))
            ^ zobrist.pocket(piece.color, piece.kind, u32::from(*count))
    }

    /// Records an en passant capture, if it is legal.
    #[inline(always)]
    fn set_en_passant(&mut self, ep: EnPassant) {
        self.state.en_passant = Some(ep);
        if self.has_legal_en_passant(ep) {
            self.state.hash ^= self.tables.zobrist.en_passant(Some(ep));
        } else {
            self.state.en_passant = None;
        }
    }

    /// Counts a check that `color` has given.
    fn count_check(&mut self, color: Color) {
        let before = self.state.checks_left;
        let after = before.after_check(color);
        let zobrist = &self.tables.zobrist;
        self.state.hash ^= zobrist.checks_left(color, before.of(color)) ^ zobrist.checks_left(color, after.of(color));
        self.state.checks_left = after;
    }

    #[inline(always)]
    fn make_normal(&mut self, mv: Move, piece: Piece, next: &mut State) {
        match mv.promotion() {
            None => next.board_key ^= self.relocate(mv.from(), mv.to(), piece),
            Some(kind) => {
                if self.tables.has(Mechanics::PIECE_PROMOTION) {
                    next.promoted = PackedPiece::of(piece);
                }
                next.board_key ^= self.remove(mv.from(), piece);
                next.board_key ^= self.put(mv.to(), Piece { color: piece.color, kind });
            }
        }
    }

    /// Records the kind that a piece moved as, which the other side's jokers imitate.
    #[inline(always)]
    pub(super) fn record_last_moved_as(&self, next: &mut State, piece: Piece) {
        if self.tables.has(Mechanics::JOKER) {
            let moved_as = if Some(piece.kind) == self.joker_kind() {
                next.last_moved_as[(!piece.color).index()]
            } else {
                Some(self.game().original(piece.kind))
            };
            next.last_moved_as[piece.color.index()] = moved_as.filter(|_| self.joker_kind().is_some());
        }
    }

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
        let State { last_move, captured, promoted, .. } = *self.state();
        let mv = last_move.expect("the last turn was a move");
        self.state = self.previous.pop().expect("a state before the last move");
        let State { side: color, en_passant, .. } = *self.state();
        let (from, mut to) = (mv.from(), mv.to());
        // The key changes are ignored: the previous state still holds its hash.
        if self.tables.has(Mechanics::GATING)
            && let Some((kind, square)) = self.gated(color, mv)
        {
            self.remove(square, Piece { color, kind });
        }
        if self.tables.has(Mechanics::DROPS)
            && let Some(pocketed) = self.pocketed(captured)
        {
            self.change_hand(pocketed, -1);
        }
        if self.tables.has(Mechanics::EXPLOSIONS) && captured != PackedPiece::EMPTY {
            self.restore_debris(to);
        }
        if self.tables.has(Mechanics::WALLS) {
            self.unmake_walls(to);
        }
        match mv.kind() {
            MoveKind::Normal => {
                if let Some(kind) = mv.promotion() {
                    self.remove(to, Piece { color, kind });
                    let pawn = Piece { color, kind: self.pawn_kind() };
                    let promoted = promoted.piece().filter(|_| self.tables.has(Mechanics::PIECE_PROMOTION));
                    self.put(from, promoted.unwrap_or(pawn));
                } else {
                    self.relocate(to, from, self.placed_piece(to));
                }
                self.restore(to, captured);
            }
            MoveKind::DoubleStep => {
                self.relocate(to, from, self.placed_piece(to));
            }
            MoveKind::EnPassant => {
                self.relocate(to, from, self.placed_piece(to));
                if let Some(ep) = en_passant {
                    self.restore(ep.victim, captured);
                }
            }
            MoveKind::Castle | MoveKind::CastleGatingPartner => {
                let tables = Arc::clone(&self.tables);
                let wing = tables.castling(color, mv);
                let (king, kind) = (self.placed_piece(wing.king_to), wing.partner);
                self.remove(wing.partner_to, Piece { color, kind });
                self.remove(wing.king_to, king);
                self.put(from, king);
                self.put(wing.partner_from, Piece { color, kind });
                to = wing.king_to;
            }
            MoveKind::Cannon => {
                self.put(from, Piece { color, kind: self.pawn_kind() });
                self.restore(to, captured);
            }
            MoveKind::Drop => {
                let piece = self.placed_piece(to);
                self.remove(to, piece);
                self.change_hand(self.in_hand(piece), 1);
            }
        }
        if self.kings[color.index()] == to && self.kind_at(from) == self.king_kind() {
            self.kings[color.index()] = from;
        }
        debug_assert!(
            self.state().board_key == self.board_key_from_scratch(),
            "wrong incremental hash after unmaking {mv:?}"
        );
    }

    /// Puts a captured piece back.
    #[inline(always)]
    fn restore(&mut self, square: Square, captured: PackedPiece) {
        if let Some(victim) = captured.piece() {
            self.put(square, victim);
        }
    }

    #[inline(always)]
    fn placed_piece(&self, square: Square) -> Piece {
        self.piece_at(square).expect("the last move put a piece there")
    }

    /// The kind that a move of `color` gates, and its square.
    #[inline(always)]
    pub(super) fn gated(&self, color: Color, mv: Move) -> Option<(Kind, Square)> {
        let kind = mv.gate()?;
        let square = match mv.kind() {
            MoveKind::CastleGatingPartner => self.tables.castling(color, mv).partner_from,
            _ => mv.from(),
        };
        Some((kind, square))
    }

    /// Makes a null move. Not allowed in check or within a two-move handicap.
    pub fn make_null(&mut self) {
        debug_assert!(self.turn() == Turn::Single(self.side_to_move()));
        let mut next = State { last_move: None, captured: PackedPiece::EMPTY, en_passant: None, ..*self.state() };
        next.clock = next.clock.ticked();
        Self::end_turn(&mut next);
        self.update_repetition_rights(&mut next);
        next.hash = self.compute_hash(&next);
        self.previous.push(self.state);
        self.state = next;
    }

    /// Unmakes the null move that led here.
    ///
    /// # Panics
    /// If the position has no previous one.
    pub fn unmake_null(&mut self) {
        debug_assert!(self.state().last_move.is_none() && self.ply() > 0);
        self.state = self.previous.pop().expect("a state before the null move");
    }
}
