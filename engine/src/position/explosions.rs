//! Captures that explode.

use assay_rules::piece::Kind;
use assay_rules::{Color, Square};

use super::attacks::MovedPieces;
use super::check::BoardAfter;
use super::state::State;
use super::{AttackView, CompiledPosition, PackedPiece, Position};
use crate::bitboard::{Bitboard, BitboardWord};
use crate::moves::Move;
use crate::ruleset::Mechanics;
use crate::tables::Explosions;

/// The pieces that an explosion has removed, in ascending order of the squares around its center.
pub(super) type Debris = [PackedPiece; 9];

impl<R: CompiledPosition> Position<R> {
    #[inline(always)]
    pub(super) fn explosions(&self) -> Option<&Explosions<R::Word>> {
        if self.tables.has(Mechanics::EXPLOSIONS) { self.tables.explosions.as_deref() } else { None }
    }

    /// Squares that a move clears by an explosion, its target if the piece, which the move makes
    /// one of `kind`, explodes. None if the move does not capture.
    #[inline(always)]
    pub(crate) fn blast(&self, kind: Kind, mv: Move) -> Bitboard<R::Word> {
        match self.explosions() {
            Some(rule) if self.is_capture(mv) => self.blast_of_capture(rule, kind, mv),
            _ => Bitboard::EMPTY,
        }
    }

    fn blast_of_capture(&self, rule: &Explosions<R::Word>, kind: Kind, mv: Move) -> Bitboard<R::Word> {
        let (origin, target) = (Bitboard::of(mv.from()), Bitboard::of(mv.to()));
        let blast = rule.zone(mv.to()) & self.all_pieces() & !(origin | target | self.survivors(rule));
        if rule.immune.contains(&kind) { blast } else { blast | target }
    }

    /// Pieces that survive explosions next to them.
    fn survivors(&self, rule: &Explosions<R::Word>) -> Bitboard<R::Word> {
        let both = |kind: Kind| self.pieces(Color::White, kind) | self.pieces(Color::Black, kind);
        let immune = rule.immune.iter();
        immune.fold(both(self.pawn_kind()), |found, &kind| found | both(kind))
    }

    /// Removes what the last capture of a piece of `kind`, now on `center`, explodes. Returns the
    /// change of the board key.
    pub(super) fn explode(&mut self, kind: Kind, center: Square, next: &mut State) -> u64 {
        let tables = self.tables.clone();
        let Some(rule) = &tables.explosions else { return 0 };
        let mut blast = rule.zone(center) & self.all_pieces() & !(self.survivors(rule) | Bitboard::of(center));
        if !rule.immune.contains(&kind) {
            blast |= Bitboard::of(center);
        }
        let mut debris = Debris::default();
        let mut change = 0;
        for (slot, square) in debris.iter_mut().zip(rule.zone(center)) {
            *slot = R::Word::at(&self.mailbox, square);
            if let Some(piece) = slot.piece().filter(|_| blast.contains(square)) {
                change ^= self.remove(square, piece);
                next.rights &= R::Word::at(&tables.kept_rights, square);
            } else {
                *slot = PackedPiece::EMPTY;
            }
        }
        self.debris.push(debris);
        change
    }

    /// Puts back what the last explosion, around `center`, has removed.
    pub(super) fn restore_debris(&mut self, center: Square) {
        let tables = self.tables.clone();
        if let (Some(rule), Some(debris)) = (&tables.explosions, self.debris.pop()) {
            for (packed, square) in debris.into_iter().zip(rule.zone(center)) {
                if let Some(piece) = packed.piece() {
                    self.put(square, piece);
                }
            }
        }
    }

    /// A view for attacks of `by`, whose royal pieces are on `royals`, on royal pieces: these do
    /// not capture, because they would explode.
    #[inline(always)]
    pub(super) fn view_without_royals(
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
    pub(super) fn touches(&self, target: Square, royals: Bitboard<R::Word>) -> bool {
        self.explosions().is_some_and(|rule| (rule.zone(target) & royals).any())
    }

    /// Tests whether a move of the side to move that puts the given pieces on new squares attacks a
    /// royal piece that is left. `view` is that of the board after the move.
    pub(super) fn attacks_royal_after(
        &self,
        mut moved: [(Kind, Option<Square>); 3],
        after: &BoardAfter<R::Word>,
        view: AttackView<R::Word>,
    ) -> bool {
        let us = self.side_to_move();
        let mut ours = self.royals(us) & !after.left;
        for (_, square) in moved.iter_mut().filter(|(kind, _)| self.tables.royal_kinds.contains(kind)) {
            ours |= square.take().map_or(Bitboard::EMPTY, Bitboard::of);
        }
        let view = self.view_without_royals(view, ours);
        let mut theirs = (self.royals(!us) & !after.captured).into_iter();
        theirs.any(|square| !self.touches(square, ours) && self.is_attacked_impl(square, us, view, &MovedPieces(moved)))
    }

    /// Whether a move takes the last royal piece of the opponent by an explosion, so that the
    /// safety of the mover's, which are on `ours` after it, does not matter. `None` if it explodes
    /// one of these.
    pub(super) fn royals_after(&self, mv: Move, after: &BoardAfter<R::Word>, ours: Bitboard<R::Word>) -> Option<bool> {
        let us = self.side_to_move();
        let theirs = self.royals(!us);
        if !self.tables.has(Mechanics::EXPLOSIONS) || !self.is_capture(mv) {
            return Some(false);
        }
        let are_spared = ours.count() >= self.royals(us).count();
        are_spared.then_some(theirs.any() && (theirs & !after.captured).is_empty())
    }

    /// Returns true if a move captures an immune piece by one of its kind.
    pub(super) fn captures_its_like(&self, kind: Kind, mv: Move) -> bool {
        let is_immune = self.explosions().is_some_and(|rule| rule.immune.contains(&kind));
        is_immune && !mv.is_castle() && self.pieces(!self.side_to_move(), kind).contains(mv.to())
    }
}
