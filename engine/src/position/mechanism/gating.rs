//! Gating of pieces from a pocket onto squares that other pieces leave.

use super::prelude::*;
use crate::tables::PIECE_INDICES;

pub(in crate::position) enum GatingHooks {}

impl Mechanism for GatingHooks {
    const MECHANIC: Mechanics = Mechanics::GATING;

    #[inline(always)]
    fn after_move<R: CompiledPosition, const FULL: bool>(board: &mut MoveBoard<R, FULL>, mv: Move, piece: Piece) {
        let color = piece.color;
        if let Some((kind, square)) = board.0.gated(color, mv) {
            board.put(square, Piece { color, kind });
            board.change(Change::Pocket(Piece { color, kind }, -1));
        }
    }

    /// A turn that passes can end the right to gate.
    #[inline(always)]
    fn changes_hash<R: CompiledPosition>(position: &Position<R>, _victim: Option<Piece>) -> bool {
        position.state.rights != 0 && Color::ALL.into_iter().any(|color| position.has_pocket(color))
    }
}

impl<R: CompiledPosition> Position<R> {
    /// The kind that a move of `color` gates, and its square.
    #[inline(always)]
    pub(in crate::position) fn gated(&self, color: Color, mv: Move) -> Option<(Kind, Square)> {
        let kind = mv.gate()?;
        let square = match mv.kind() {
            MoveKind::CastleGatingPartner => self.tables.castling(color, mv).partner_from,
            _ => mv.from(),
        };
        Some((kind, square))
    }

    #[inline(always)]
    fn has_pocket(&self, color: Color) -> bool {
        self.pockets[color.index()] != [0; PIECE_INDICES / 2]
    }

    /// Returns true if `color` has a piece in its pocket and will not have passed the last move for
    /// gating at its next turn.
    #[inline(always)]
    pub(in crate::position) fn can_still_gate(&self, state: &State, color: Color) -> bool {
        if !self.tables.has(Mechanics::GATING) || !self.has_pocket(color) {
            return false;
        }
        let after_black = state.side == Color::Black && color == Color::White;
        let next = state.fullmove_number + u32::from(after_black);
        self.game().mechanisms.gating.as_ref().is_some_and(|gating| next <= gating.last_move[color])
    }

    /// Rights that distinguish positions under the repetition rule: gating rights count only while
    /// gating is possible.
    #[inline(always)]
    pub(in crate::position) fn repetition_rights(&self, state: &State) -> u64 {
        let mut rights = state.rights;
        if self.tables.has(Mechanics::GATING) && rights != 0 {
            for color in Color::ALL {
                if !self.can_still_gate(state, color) {
                    rights &= !self.tables.gate_rights[color.index()];
                }
            }
        }
        rights
    }
}

impl<R: CompiledPosition, S: MoveSink<R::Word>, const UNRESTRICTED: bool> Generator<'_, R, S, UNRESTRICTED> {
    /// Returns true if a move of the piece on `from` may gate a piece from the pocket.
    #[inline(always)]
    pub(in crate::position) fn may_gate(&self, from: Square) -> bool {
        self.tables.has(Mechanics::GATING)
            && R::Word::at(&self.tables.gate_right, from) & self.position.state().rights != 0
            && self.position.can_still_gate(self.position.state(), self.us)
    }

    #[inline(always)]
    pub(in crate::position) fn gate(&mut self, kind: Kind, from: Square, to: Bitboard<R::Word>) {
        for gated in self.pocket() {
            self.sink.gating_moves(kind, from, to, gated);
        }
    }

    /// Kinds in the pocket of the side to move, in ascending order.
    #[inline(always)]
    pub(super) fn pocket(&self) -> impl Iterator<Item = Kind> + use<R, S, UNRESTRICTED> {
        let pocket = self.position.pockets[self.us.index()];
        (0..self.position.number_of_kinds() as u8).filter(move |&kind| pocket[usize::from(kind)] > 0).map(Kind)
    }
}
