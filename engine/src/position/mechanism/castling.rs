//! Castling.

use assay_rules::def::CastlingWing;

use super::prelude::*;
use crate::tables::{CastlingTables, Tables};

pub(in crate::position) enum FromAnyFileHooks {}

impl Mechanism for FromAnyFileHooks {
    const MECHANIC: Mechanics = Mechanics::CASTLING_FROM_ANY_FILE;

    /// The king takes rights away that do not belong to its square.
    #[inline(always)]
    fn changes_hash<R: CompiledPosition>(position: &Position<R>, _victim: Option<Piece>) -> bool {
        position.state.rights != 0
    }
}

impl<R: CompiledPosition> Position<R> {
    /// Records the new square of a piece if it is a king.
    #[inline(always)]
    pub(in crate::position) fn record_king(&mut self, piece: Piece, square: Square) {
        if Some(piece.kind) == self.king_kind() {
            self.kings[piece.color.index()] = square;
            if self.tables.has(Mechanics::CASTLING_FROM_ANY_FILE) {
                self.state.rights &= !self.tables.castling_rights[piece.color.index()];
            }
        }
    }
}

impl<'p, R: CompiledPosition, S: MoveSink<R::Word>, const UNRESTRICTED: bool> Generator<'p, R, S, UNRESTRICTED> {
    /// Castlings whose right is intact and whose squares are empty; attacks are not yet considered.
    #[inline(always)]
    pub(in crate::position) fn open_castlings(&self) -> [Option<&'p CastlingTables<R::Word>>; 2] {
        let mut open = [None; 2];
        if !self.tables.has(Mechanics::CASTLING) || self.sink.captures_only() || self.pins.in_check {
            return open;
        }
        let tables: &'p Tables<R> = self.tables;
        let rights = self.position.state().rights;
        let mut slots = open.iter_mut();
        for castling in &tables.castlings[self.us.index()] {
            let is_at_home = !tables.has(Mechanics::CASTLING_FROM_ANY_FILE) || castling.wing.king_from == self.king;
            if rights & castling.right != 0 && is_at_home && (self.occupied & castling.empty).is_empty() {
                *slots.next().expect("the king castles to each side once") = Some(castling);
            }
        }
        open
    }

    /// Castling moves, testing each square that the king crosses.
    #[inline(always)]
    pub(in crate::position) fn castle(&mut self, kind: Kind) {
        let lifted = self.occupied & !Bitboard::of(self.king);
        let view = self.position.view(self.us);
        // The restrictions know of no check by a joker.
        if self.tables.has(Mechanics::JOKER) && self.position.is_attacked(self.king, !self.us, view) {
            return;
        }
        for tables in self.open_castlings().into_iter().flatten() {
            let wing = &tables.wing;
            let is_crossed_safely = |&square: &Square| {
                let occupied = lifted | Bitboard::of(square);
                !self.position.is_attacked(square, !self.us, AttackView { occupied, ..view })
            };
            if wing.crossed.iter().all(is_crossed_safely) {
                self.push_castlings(kind, wing, true);
            }
        }
    }

    /// Castling of a piece that is no king. Unless it is royal, attacks do not matter.
    pub(in crate::position) fn castle_without_king(&mut self) {
        let game = self.tables.game();
        let Some(king) = game.kinds.castling_king() else { return };
        let theirs = self.position.royals(!self.us);
        let view = self.position.view_without_royals(self.position.view(self.us), theirs);
        for tables in self.open_castlings().into_iter().flatten() {
            let wing = &tables.wing;
            let lifted = self.occupied & !Bitboard::of(wing.king_from);
            let is_safe = |&square: &Square| {
                let occupied = lifted | Bitboard::of(square);
                self.position.touches(square, theirs)
                    || !self.position.is_attacked(square, !self.us, AttackView { occupied, ..view })
            };
            let is_crossed_safely = is_safe(&wing.king_from) && wing.crossed.iter().all(is_safe);
            let is_wanted = self.sink.origins().contains(wing.king_from);
            if is_wanted && (!game.kinds.is_royal(king) || is_crossed_safely) {
                self.push_castlings(king, wing, false);
            }
        }
    }

    /// Castling, without and with each piece that can be gated on a square left; `must_test` if the
    /// king may not be safe.
    #[inline(always)]
    pub(in crate::position) fn push_castlings(&mut self, kind: Kind, wing: &CastlingWing, must_test: bool) {
        let castling = |kind| Move::new(kind, wing.king_from, wing.target);
        if !must_test || self.is_safe_castled(wing, None) {
            self.sink.single_move(kind, castling(MoveKind::Castle));
        }
        if !self.tables.has(Mechanics::GATING) {
            return;
        }
        let gates = [(wing.king_from, MoveKind::Castle), (wing.partner_from, MoveKind::CastleGatingPartner)];
        for (square, move_kind) in gates {
            let is_safe_without =
                !self.tables.has(Mechanics::FORBIDS_SHIELDING) || !must_test || self.is_safe_castled(wing, None);
            let can_gate = wing.vacates(square) && self.may_gate(square) && is_safe_without;
            if can_gate && (!must_test || self.is_safe_castled(wing, Some(square))) {
                for gated in self.pocket() {
                    self.sink.single_move(kind, castling(move_kind).gating(gated));
                }
            }
        }
    }

    /// Returns true if the king is safe after castling, with a piece gated on `gated`.
    fn is_safe_castled(&self, wing: &CastlingWing, gated: Option<Square>) -> bool {
        let left = Bitboard::of(self.king) | Bitboard::of(wing.partner_from);
        let entered = [Some(wing.king_to), Some(wing.partner_to), gated];
        let occupied = (self.occupied & !left) | entered.into_iter().flatten().collect::<Bitboard<R::Word>>();
        let kind = self.position.king_kind().expect("a king castles");
        // Nothing is captured, so `removed` may be any square without an enemy piece.
        self.is_safe(wing.king_to, occupied, wing.king_to, self.position.pawns(self.us), kind)
    }
}
