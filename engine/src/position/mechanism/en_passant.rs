//! Captures en passant.

use assay_rules::position::EnPassant;

use super::prelude::*;

pub(in crate::position) enum EnPassantCaptureHooks {}

impl Mechanism for EnPassantCaptureHooks {
    const MECHANIC: Mechanics = Mechanics::EN_PASSANT;

    #[inline(always)]
    fn key<R: CompiledPosition>(position: &Position<R>, state: &State) -> u64 {
        position.tables.zobrist.en_passant(state.en_passant)
    }
}

impl<R: CompiledPosition> Position<R> {
    /// Pawns of `us` of one kind that attack the square passed over by a path that captures en
    /// passant.
    #[inline(always)]
    fn en_passant_origins(&self, kind: Kind, us: Color, passed: Square) -> Bitboard<R::Word> {
        if self.tables.has(Mechanics::WALLS) && self.walls.contains(passed) {
            return Bitboard::EMPTY;
        }
        let tables = self.tables.kind(kind, us);
        let pawns = self.pieces(us, kind);
        let mut origins = R::Word::at(&tables.leaps.en_passant_from, passed) & pawns;
        if self.tables.has(Mechanics::IRREGULAR) {
            let home = self.tables.pawns_of(kind, us).home & pawns;
            if let Some(first) = &tables.initial_leaps {
                origins |= R::Word::at(&first.en_passant_from, passed) & home;
            }
            let blockers = self.occupied() | self.tables.hanging;
            for path in tables.irregular.iter().filter(|path| path.modality.en_passant) {
                let able = if path.initial { home } else { pawns };
                origins |= path.origins(passed, self.occupied(), blockers) & able;
            }
        }
        origins
    }

    /// Returns true if the en passant capture from `from` leaves the king safe.
    fn is_safe_en_passant(&self, kind: Kind, from: Square, ep: EnPassant) -> bool {
        let us = self.side_to_move();
        let (origin, target) = (Bitboard::of(from), Bitboard::of(ep.passed));
        let victim = Bitboard::of(ep.victim);
        let view = AttackView {
            occupied: (self.occupied() & !origin & !victim) | target,
            removed: victim,
            shields: (self.pawns(us) & !origin) | target,
            joker_kind: if self.tables.has(Mechanics::JOKER) { self.joker_kind().map(|_| kind) } else { None },
        };
        !self.has_king(us) || !self.is_attacked(self.king(us), !us, view)
    }

    /// Returns true if the side to move has a legal en passant capture of `ep`, the en passant
    /// square of the state.
    #[inline(always)]
    pub(in crate::position) fn has_legal_en_passant(&self, ep: EnPassant) -> bool {
        // Between two moves of a handicap turn, the pawn that passed belongs to the side to move.
        let is_enemy = self.color_at(ep.victim) == Some(!self.side_to_move());
        let capture = |from: Square| Move::new(MoveKind::EnPassant, from, ep.passed);
        let is_legal =
            |kind: Kind, from: Square| self.is_safe_en_passant(kind, from, ep) && self.is_allowed(kind, capture(from));
        let has_legal = |kind: Kind| {
            self.en_passant_origins(kind, self.side_to_move(), ep.passed).into_iter().any(|from| is_legal(kind, from))
        };
        is_enemy && self.turn().may_capture() && self.decided().is_none() && self.tables.pawn_kinds().any(has_legal)
    }
}

impl<R: CompiledPosition, S: MoveSink<R::Word>, const UNRESTRICTED: bool> Generator<'_, R, S, UNRESTRICTED> {
    /// Captures en passant of some pawns.
    #[inline(always)]
    pub(in crate::position) fn en_passant_moves(&mut self, pawns: Bitboard<R::Word>, kind: Kind) {
        let Some(ep) = self.position.en_passant() else { return };
        for from in self.position.en_passant_origins(kind, self.us, ep.passed) & pawns {
            if self.position.is_safe_en_passant(kind, from, ep) {
                self.sink.single_move(kind, Move::new(MoveKind::EnPassant, from, ep.passed));
            }
        }
    }
}
