//! Captures that explode.

use super::prelude::*;
use crate::position::check::BoardAfter;
use crate::tables;

pub(in crate::position) enum ExplosionsHooks {}

impl Mechanism for ExplosionsHooks {
    const MECHANIC: Mechanics = Mechanics::EXPLOSIONS;

    #[inline(always)]
    fn after_move<R: CompiledPosition, const FULL: bool>(board: &mut MoveBoard<R, FULL>, mv: Move, piece: Piece) {
        if board.0.state.captured == PackedPiece::EMPTY {
            return;
        }
        let (position, center) = (&*board.0, mv.to());
        let Some(rule) = position.explosions() else { return };
        let kind = mv.promotion().unwrap_or(piece.kind);
        for square in position.blast_around(rule, kind, center, Bitboard::EMPTY) {
            board.take(square);
            board.end_rights(square);
        }
    }

    #[inline(always)]
    fn changes_hash<R: CompiledPosition>(_position: &Position<R>, victim: Option<Piece>) -> bool {
        victim.is_some()
    }

    #[inline(always)]
    fn extends_captures<R: CompiledPosition>(_position: &Position<R>, _kind: Kind) -> bool {
        true
    }
}

/// Effect of an explosion on royal pieces.
pub(in crate::position) enum RoyalsHit {
    /// It removes a royal piece of the side that moves: the move is illegal.
    Own,
    /// It removes the opponent's last royal piece: the move wins, even if it leaves the mover's
    /// royal pieces attacked.
    LastOfOpponent,
    Undecided,
}

impl<R: CompiledPosition> Position<R> {
    #[inline(always)]
    pub(in crate::position) fn explosions(&self) -> Option<&tables::ExplosionTables<R::Word>> {
        if self.tables.has(Mechanics::EXPLOSIONS) { self.tables.explosions.as_deref() } else { None }
    }

    /// Squares that a move clears by an explosion; none if it does not capture. The piece is one of
    /// `kind` after the move. Its target is among the squares unless it survives.
    #[inline(always)]
    pub(crate) fn blast(&self, kind: Kind, mv: Move) -> Bitboard<R::Word> {
        match self.explosions() {
            Some(rule) if self.is_capture(mv) => self.blast_around(rule, kind, mv.to(), Bitboard::of(mv.from())),
            _ => Bitboard::EMPTY,
        }
    }

    /// Squares that a capture of a piece of `kind` on `center` clears by an explosion, apart from
    /// the square that it leaves.
    fn blast_around(
        &self,
        rule: &tables::ExplosionTables<R::Word>,
        kind: Kind,
        center: Square,
        left: Bitboard<R::Word>,
    ) -> Bitboard<R::Word> {
        let center_square = Bitboard::of(center);
        let blast = rule.zone(center) & self.all_pieces() & !(left | center_square | self.survivors(rule));
        if rule.immune.contains(&kind) { blast } else { blast | center_square }
    }

    /// Pieces that survive explosions next to them.
    fn survivors(&self, rule: &tables::ExplosionTables<R::Word>) -> Bitboard<R::Word> {
        let both = |kind: Kind| self.pieces(Color::White, kind) | self.pieces(Color::Black, kind);
        let kinds = rule.immune.iter().copied().chain(self.tables.pawn_kinds());
        kinds.fold(Bitboard::EMPTY, |found, kind| found | both(kind))
    }

    /// A view for attacks of `by`, whose royal pieces are on `royals`, on royal pieces: these do
    /// not capture, because they would explode.
    #[inline(always)]
    pub(in crate::position) fn view_without_royals(
        &self,
        view: AttackView<R::Word>,
        royals: Bitboard<R::Word>,
    ) -> AttackView<R::Word> {
        if self.tables.has(Mechanics::EXPLOSIONS) {
            let removed = view.removed | royals;
            AttackView { removed, ..view }
        } else {
            view
        }
    }

    /// Returns true if a capture on `target` would explode one of `royals`.
    #[inline(always)]
    pub(in crate::position) fn touches(&self, target: Square, royals: Bitboard<R::Word>) -> bool {
        self.explosions().is_some_and(|rule| (rule.zone(target) & royals).any())
    }

    /// Tests whether a move of the side to move that puts the given pieces on new squares attacks a
    /// royal piece that is left. `view` is the view of the board after the move.
    pub(in crate::position) fn attacks_royal_after(
        &self,
        moved: MovedPieces,
        after: &BoardAfter<R::Word>,
        view: AttackView<R::Word>,
    ) -> bool {
        let us = self.side_to_move();
        let is_royal = |kind: Kind| self.tables.royal_kinds.contains(&kind);
        let arrived = self.tables.royal_kinds.iter().map(|&kind| moved.of(kind));
        let ours = arrived.fold(self.royals(us) & !after.left, |ours, arrived| ours | arrived);
        // Royal pieces do not capture, and games with explosions have no gating.
        let moved = MovedPieces {
            square: moved.square.filter(|_| !is_royal(moved.kind)),
            partner: moved.partner.filter(|&(kind, _)| !is_royal(kind)),
            ..moved
        };
        let view = self.view_without_royals(view, ours);
        let mut theirs = (self.royals(!us) & !after.captured).into_iter();
        theirs.any(|square| !self.touches(square, ours) && self.is_attacked_impl(square, us, view, &moved))
    }

    /// Returns the effect of a move's explosion on royal pieces. After the move, the royal pieces
    /// of the side that moves are on `ours`.
    pub(in crate::position) fn royals_after(
        &self,
        mv: Move,
        after: &BoardAfter<R::Word>,
        ours: Bitboard<R::Word>,
    ) -> RoyalsHit {
        let us = self.side_to_move();
        let theirs = self.royals(!us);
        if !self.tables.has(Mechanics::EXPLOSIONS) || !self.is_capture(mv) {
            RoyalsHit::Undecided
        } else if ours.count() < self.royals(us).count() {
            RoyalsHit::Own
        } else if theirs.any() && (theirs & !after.captured).is_empty() {
            RoyalsHit::LastOfOpponent
        } else {
            RoyalsHit::Undecided
        }
    }

    /// Returns true if a move captures an immune piece by one of its kind.
    pub(in crate::position) fn captures_its_like(&self, kind: Kind, mv: Move) -> bool {
        let is_immune = self.explosions().is_some_and(|rule| rule.immune.contains(&kind));
        is_immune && !mv.is_castle() && self.pieces(!self.side_to_move(), kind).contains(mv.to())
    }
}
