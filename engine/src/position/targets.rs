//! Pseudo-legal targets of pieces.

use assay_rules::piece::Kind;
use assay_rules::{Color, Square};

use super::{CompiledPosition, Position, Targets};
use crate::bitboard::{Bitboard, BitboardWord};
use crate::ruleset::{Mechanics, PieceMovement, Role, for_each_kind};

impl<R: CompiledPosition> Position<R> {
    /// Squares that a piece of `color` on `from`, moving as `kind`, can go to if they are empty,
    /// and squares on which it can capture. `own_kind` is false for a joker, which has no initial
    /// paths.
    #[inline(always)]
    pub(super) fn targets(
        &self,
        kind: Kind,
        movement: PieceMovement,
        from: Square,
        color: Color,
        own_kind: bool,
    ) -> Targets<R> {
        let tables = self.tables.kind(kind, color);
        let occupied = self.occupied();
        let (mut moves, mut captures) = (Bitboard::EMPTY, Bitboard::EMPTY);
        if movement.leap_moves {
            moves |= R::Word::at(&tables.leaps.moves, from);
        }
        if movement.leap_captures {
            captures |= if movement.same_leaps { moves } else { R::Word::at(&tables.leaps.captures, from) };
        }
        let sliders = &self.tables.sliders;
        let blockers = self.blockers(occupied);
        if movement.slide_moves.any() {
            let targets = sliders.slide(movement.slide_moves, from, blockers);
            moves |= targets;
            if movement.slide_captures == movement.slide_moves {
                captures |= targets;
            }
        }
        if movement.slide_captures.any() && movement.slide_captures != movement.slide_moves {
            captures |= sliders.slide(movement.slide_captures, from, blockers);
        }
        if movement.hop_moves.any() {
            moves |= sliders.hop(movement.hop_moves, from, blockers, occupied);
        }
        if movement.hop_captures.any() {
            captures |= sliders.hop(movement.hop_captures, from, blockers, occupied);
        }
        if self.tables.has(Mechanics::INITIAL_MOVES)
            && movement.has_initial
            && own_kind
            && movement.role != Role::Pawn
            && self.has_initial_moves(from)
            && let Some(first) = &tables.initial_leaps
        {
            moves |= R::Word::at(&first.moves, from);
        }
        if self.tables.has(Mechanics::IRREGULAR) && tables.has_irregular {
            let (more, more_captures) = self.irregular_targets(kind, from, color, own_kind);
            moves |= more;
            captures |= more_captures;
        }
        (moves, captures)
    }

    /// [`Position::targets`] by irregular paths and by a pawn's initial leaps, double steps
    /// excluded.
    fn irregular_targets(&self, kind: Kind, from: Square, color: Color, own_kind: bool) -> Targets<R> {
        let tables = self.tables.kind(kind, color);
        let occupied = self.occupied();
        let is_pawn = self.tables.is_pawn(kind);
        let unmoved = own_kind
            && if is_pawn {
                self.tables.pawns_of(kind, color).home.contains(from)
            } else {
                self.has_initial_moves(from)
            };
        let (mut moves, mut captures) = (Bitboard::EMPTY, Bitboard::EMPTY);
        if unmoved && let Some(first) = &tables.initial_leaps {
            moves |= R::Word::at(&first.moves, from);
        }
        for path in tables.irregular.iter().filter(|path| unmoved || !path.initial) {
            let targets = path.targets(from, occupied, self.impassable(occupied));
            if path.modality.moves && !path.double {
                moves |= targets;
            }
            if path.modality.captures {
                captures |= targets;
            }
        }
        (moves, captures)
    }

    /// Empty squares that can be entered without capturing.
    #[inline(always)]
    pub(super) fn vacant(&self) -> Bitboard<R::Word> {
        let empty = self.tables.squares & !self.occupied();
        if self.tables.has(Mechanics::HANGING) { empty & !self.tables.hanging } else { empty }
    }

    /// Returns the squares that the piece on `square` attacks, occupied or not. Ignores the king's
    /// safety and cannons.
    pub fn attacks_from(&self, square: Square) -> Bitboard<R::Word> {
        R::targets(self, square).map_or(Bitboard::EMPTY, |(_, captures)| captures)
    }

    /// Returns the pseudo-legal targets of the piece on `square`, without castling, double steps,
    /// en passant and cannons.
    pub fn pseudo_legal_targets(&self, square: Square) -> Bitboard<R::Word> {
        let Some(color) = self.color_at(square) else {
            return Bitboard::EMPTY;
        };
        R::targets(self, square)
            .map_or(Bitboard::EMPTY, |(moves, captures)| (moves & self.vacant()) | (captures & self.by_color(!color)))
    }

    #[inline(always)]
    pub(crate) fn targets_impl(&self, square: Square) -> Option<Targets<R>> {
        let piece = self.piece_at(square)?;
        let mut targets = None;
        if self.tables.has(Mechanics::JOKER) && Some(piece.kind) == self.joker_kind() {
            let kind = self.last_moved_as(!piece.color)?;
            return Some(self.targets(kind, self.tables.movement(kind), square, piece.color, false));
        }
        for_each_kind!(R, self.tables, all, |kind, movement| {
            if kind == piece.kind {
                targets = Some(self.targets(kind, movement, square, piece.color, true));
            }
        });
        targets
    }
}
