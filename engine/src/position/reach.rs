//! Where pieces go and where they capture.

use assay_rules::piece::Kind;
use assay_rules::{Color, Square};

use super::CompiledPosition;
use super::{Position, Reach};
use crate::bitboard::Bitboard;
use crate::bitboard::BitboardWord;
use crate::ruleset::each_kind;
use crate::ruleset::{PieceMovement, Role};

impl<R: CompiledPosition> Position<R> {
    /// The squares that a piece of `color` on `from`, moving as `kind`, could go to if they were empty, and those on which it
    /// could capture if an enemy stood there.
    #[inline(always)]
    pub(super) fn reach(
        &self,
        kind: Kind,
        recipe: PieceMovement,
        from: Square,
        color: Color,
        own_kind: bool,
    ) -> Reach<R> {
        let tables = self.tables.kind(kind, color);
        let occupied = self.occupied();
        let (mut moves, mut captures) = (Bitboard::EMPTY, Bitboard::EMPTY);
        if recipe.leap_moves {
            moves |= R::Word::at(&tables.leaps.moves, from);
        }
        if recipe.leap_captures {
            captures |= if recipe.leaps_alike {
                moves
            } else {
                R::Word::at(&tables.leaps.captures, from)
            };
        }
        let sliders = &self.tables.sliders;
        let blockers = self.blockers(occupied);
        if recipe.slide_moves.any() {
            let reached = sliders.slide(recipe.slide_moves, from, blockers);
            moves |= reached;
            if recipe.slide_captures == recipe.slide_moves {
                captures |= reached;
            }
        }
        if recipe.slide_captures.any() && recipe.slide_captures != recipe.slide_moves {
            captures |= sliders.slide(recipe.slide_captures, from, blockers);
        }
        if recipe.hop_moves.any() {
            moves |= sliders.hop(recipe.hop_moves, from, blockers, occupied);
        }
        if recipe.hop_captures.any() {
            captures |= sliders.hop(recipe.hop_captures, from, blockers, occupied);
        }
        if self.tables.mechanics().first_moves
            && recipe.first
            && own_kind
            && recipe.role != Role::Pawn
            && self.has_first_move(from)
            && let Some(first) = &tables.first
        {
            moves |= R::Word::at(&first.moves, from);
        }
        if self.tables.mechanics().others && tables.odd {
            let (more, more_captures) = self.reach_by_others(kind, from, color, own_kind);
            moves |= more;
            captures |= more_captures;
        }
        (moves, captures)
    }

    /// As [`Position::reach`], by the paths that no table of leaps or lines serves, and by a pawn's initial leaps. Double
    /// steps are left out.
    fn reach_by_others(&self, kind: Kind, from: Square, color: Color, own_kind: bool) -> Reach<R> {
        let tables = self.tables.kind(kind, color);
        let occupied = self.occupied();
        let is_pawn = kind == self.pawn_kind();
        let unmoved = own_kind
            && if is_pawn {
                self.tables.pawns(color).home.contains(from)
            } else {
                self.has_first_move(from)
            };
        let (mut moves, mut captures) = (Bitboard::EMPTY, Bitboard::EMPTY);
        if unmoved && let Some(first) = &tables.first {
            moves |= R::Word::at(&first.moves, from);
        }
        for other in tables.others.iter().filter(|other| unmoved || !other.initial) {
            let reached = other.targets(from, occupied, self.impassable(occupied));
            if other.modality.moves && !other.double {
                moves |= reached;
            }
            if other.modality.captures {
                captures |= reached;
            }
        }
        (moves, captures)
    }

    /// Squares that can be entered without capturing.
    #[inline(always)]
    pub(super) fn vacant(&self) -> Bitboard<R::Word> {
        let empty = self.tables.squares & !self.occupied();
        if self.tables.mechanics().hanging {
            empty & !self.tables.hanging
        } else {
            empty
        }
    }

    /// Both at once: the squares to which the piece on `square` could go if they were empty (and can be entered without
    /// capturing), and those of [`Position::attacks_from`].
    pub fn reach_from(&self, square: Square) -> Reach<R> {
        R::reach(self, square).unwrap_or((Bitboard::EMPTY, Bitboard::EMPTY))
    }

    /// The squares on which the piece on `square` could capture an enemy, kings' safety apart: pieces of either side may stand
    /// there now. A cannon's targets are not among them.
    pub fn attacks_from(&self, square: Square) -> Bitboard<R::Word> {
        R::reach(self, square).map_or(Bitboard::EMPTY, |(_, captures)| captures)
    }

    /// The squares to which the piece on `square` could move or capture now, kings' safety, castling, double steps, en
    /// passant and cannons apart.
    pub fn moves_from(&self, square: Square) -> Bitboard<R::Word> {
        let Some(color) = self.color_at(square) else {
            return Bitboard::EMPTY;
        };
        R::reach(self, square).map_or(Bitboard::EMPTY, |(moves, captures)| {
            (moves & self.vacant()) | (captures & self.by_color(!color))
        })
    }

    /// Where the piece on `square` could go if the target were empty, and where it could capture.
    #[inline(always)]
    pub(crate) fn reach_at(&self, square: Square) -> Option<Reach<R>> {
        let piece = self.piece_at(square)?;
        let mut reached = None;
        if self.tables.mechanics().joker && Some(piece.kind) == self.joker_kind() {
            let power = self.power(!piece.color)?;
            return Some(self.reach(power, self.tables.recipe(power), square, piece.color, false));
        }
        each_kind!(R, self.tables, all, |kind, recipe| {
            if kind == piece.kind {
                reached = Some(self.reach(kind, recipe, square, piece.color, true));
            }
        });
        reached
    }
}
