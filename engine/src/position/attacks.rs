//! Attacks on a square.

use assay_rules::piece::Kind;
use assay_rules::{Color, Square};

use super::{AttackView, CompiledPosition, Position};
use crate::bitboard::{Bitboard, BitboardWord};
use crate::ruleset::{Lines, Mechanics, PieceMovement, for_each_kind};

/// Pieces of the attacking side on squares to which a move that has not been made would put them.
pub(crate) trait AddedPieces<W: BitboardWord> {
    fn of(&self, kind: Kind) -> Bitboard<W>;
    fn all(&self) -> Bitboard<W>;
}

pub(crate) struct NoAddedPieces;

impl<W: BitboardWord> AddedPieces<W> for NoAddedPieces {
    #[inline(always)]
    fn of(&self, _kind: Kind) -> Bitboard<W> {
        Bitboard::EMPTY
    }

    #[inline(always)]
    fn all(&self) -> Bitboard<W> {
        Bitboard::EMPTY
    }
}

/// Pieces that a move puts on new squares.
#[derive(Clone, Copy)]
pub(super) struct MovedPieces {
    /// Kind of the moving piece after the move.
    pub(super) kind: Kind,
    /// Square of the moving piece after the move; `None` if it vanishes.
    pub(super) square: Option<Square>,
    /// The castling partner.
    pub(super) partner: Option<(Kind, Square)>,
    pub(super) gated: Option<(Kind, Square)>,
}

impl MovedPieces {
    #[inline(always)]
    fn iter(&self) -> impl Iterator<Item = (Kind, Square)> {
        let moving = self.square.map(|square| (self.kind, square));
        [moving, self.partner, self.gated].into_iter().flatten()
    }
}

impl<W: BitboardWord> AddedPieces<W> for MovedPieces {
    #[inline(always)]
    fn of(&self, kind: Kind) -> Bitboard<W> {
        self.iter().filter(|&(moved, _)| moved == kind).map(|(_, square)| square).collect()
    }

    #[inline(always)]
    fn all(&self) -> Bitboard<W> {
        self.iter().map(|(_, square)| square).collect()
    }
}

/// Pieces that capture along lines, merged over all kinds, so that each line is looked up once.
#[derive(Clone, Copy, Debug)]
pub(super) struct LinePieces<W: BitboardWord> {
    pub(super) orthogonal: Bitboard<W>,
    pub(super) diagonal: Bitboard<W>,
    pub(super) orthogonal_hoppers: Bitboard<W>,
    pub(super) diagonal_hoppers: Bitboard<W>,
}

impl<W: BitboardWord> LinePieces<W> {
    #[inline(always)]
    pub(super) fn add(&mut self, movement: PieceMovement, pieces: Bitboard<W>) {
        if movement.slide_captures.orthogonal {
            self.orthogonal |= pieces;
        }
        if movement.slide_captures.diagonal {
            self.diagonal |= pieces;
        }
        if movement.hop_captures.orthogonal {
            self.orthogonal_hoppers |= pieces;
        }
        if movement.hop_captures.diagonal {
            self.diagonal_hoppers |= pieces;
        }
    }
}

impl<R: CompiledPosition> Position<R> {
    /// The current board, for attacks on `color`.
    #[inline(always)]
    pub(super) fn view(&self, color: Color) -> AttackView<R::Word> {
        AttackView {
            occupied: self.occupied(),
            removed: Bitboard::EMPTY,
            shields: self.pawns(color),
            joker_kind: self.last_moved_as(color),
        }
    }

    /// All squares that block sliders: pieces, and hanging squares where they block lines.
    #[inline(always)]
    pub(super) fn blockers(&self, occupied: Bitboard<R::Word>) -> Bitboard<R::Word> {
        let hanging_blocks = self.tables.has(Mechanics::HANGING)
            && (self.tables.has(Mechanics::HOPPERS) || self.tables.has(Mechanics::IRREGULAR));
        if hanging_blocks { occupied | self.tables.hanging_blockers } else { occupied }
    }

    /// All squares that block irregular paths: pieces and hanging squares.
    pub(super) fn impassable(&self, occupied: Bitboard<R::Word>) -> Bitboard<R::Word> {
        occupied | self.tables.hanging
    }

    /// Returns true if the piece on `square`, which is no pawn, still has its initial paths.
    #[inline(always)]
    pub(super) fn has_initial_moves(&self, square: Square) -> bool {
        R::Word::at(&self.tables.initial_move_right, square) & self.state().rights != 0
    }

    /// Pieces of `by` that attack `target`.
    #[inline(always)]
    pub(crate) fn attackers_impl(&self, target: Square, by: Color, view: AttackView<R::Word>) -> Bitboard<R::Word> {
        let mut found = self.leaping_attackers(target, by, view, &NoAddedPieces);
        let lines = self.line_pieces_in(by, view, &NoAddedPieces);
        found |= self.attackers_on_lines(target, view.occupied, lines);
        if self.tables.has(Mechanics::IRREGULAR) {
            found |= self.irregular_attackers(target, by, view, &NoAddedPieces);
        }
        if self.has_cannon() {
            found |= self.cannons(target, by, view, &NoAddedPieces);
        }
        found
    }

    /// Returns true if a piece of `by` attacks `target`.
    #[inline(always)]
    pub(super) fn is_attacked(&self, target: Square, by: Color, view: AttackView<R::Word>) -> bool {
        R::is_attacked(self, target, by, &view)
    }

    /// Returns true if a piece of `by` attacks `target`, counting the added pieces.
    #[inline(always)]
    pub(crate) fn is_attacked_impl(
        &self,
        target: Square,
        by: Color,
        view: AttackView<R::Word>,
        added: &impl AddedPieces<R::Word>,
    ) -> bool {
        if self.leaping_attackers(target, by, view, added).any() {
            return true;
        }
        let lines = self.line_pieces_in(by, view, added);
        self.attackers_on_lines(target, view.occupied, lines).any()
            || self.tables.has(Mechanics::IRREGULAR) && self.irregular_attackers(target, by, view, added).any()
            || self.has_cannon() && self.cannons(target, by, view, added).any()
            || self.tables.has(Mechanics::FLYING_GENERAL) && self.faces_king(target, by, view)
    }

    /// Returns true if the king of `by` is on the file of `target`, without pieces between them.
    /// After a legal move, the kings never face each other, so a king that a move would put on
    /// another square does not count.
    fn faces_king(&self, target: Square, by: Color, view: AttackView<R::Word>) -> bool {
        let king = self.king(by);
        let board = &self.game().board;
        let lines = || self.tables.sliders.orthogonal(target, self.blockers(view.occupied));
        board.file(king) == board.file(target) && !view.removed.contains(king) && lines().contains(king)
    }

    #[inline(always)]
    pub(super) fn pieces_in(
        &self,
        by: Color,
        kind: Kind,
        view: AttackView<R::Word>,
        added: &impl AddedPieces<R::Word>,
    ) -> Bitboard<R::Word> {
        (self.pieces(by, kind) & !view.removed) | added.of(kind)
    }

    #[inline(always)]
    fn jokers_in(&self, by: Color, view: AttackView<R::Word>, added: &impl AddedPieces<R::Word>) -> Bitboard<R::Word> {
        self.joker_kind().map_or(Bitboard::EMPTY, |joker| self.pieces_in(by, joker, view, added))
    }

    #[inline(always)]
    fn leaping_attackers(
        &self,
        target: Square,
        by: Color,
        view: AttackView<R::Word>,
        added: &impl AddedPieces<R::Word>,
    ) -> Bitboard<R::Word> {
        let mut found = Bitboard::EMPTY;
        for_each_kind!(R, self.tables, leapers, |kind, movement| {
            if movement.leap_captures {
                let from = &self.tables.kind(kind, by).leaps.captured_from;
                found |= R::Word::at(from, target) & self.pieces_in(by, kind, view, added);
            }
        });
        if self.tables.has(Mechanics::JOKER)
            && let Some(kind) = view.joker_kind
        {
            let from = &self.tables.kind(kind, by).leaps.captured_from;
            found |= R::Word::at(from, target) & self.jokers_in(by, view, added);
        }
        found
    }

    /// Leapers of `by`, jokers apart, that attack `target`.
    #[inline(always)]
    pub(super) fn leaping_checkers(&self, target: Square, by: Color) -> Bitboard<R::Word> {
        self.leaping_attackers(target, by, AttackView::default(), &NoAddedPieces)
    }

    #[inline(always)]
    fn line_pieces_in(
        &self,
        by: Color,
        view: AttackView<R::Word>,
        added: &impl AddedPieces<R::Word>,
    ) -> LinePieces<R::Word> {
        let mut lines = LinePieces {
            orthogonal: Bitboard::EMPTY,
            diagonal: Bitboard::EMPTY,
            orthogonal_hoppers: Bitboard::EMPTY,
            diagonal_hoppers: Bitboard::EMPTY,
        };
        for_each_kind!(R, self.tables, line_pieces, |kind, movement| {
            if movement.slide_captures.any() || movement.hop_captures.any() {
                lines.add(movement, self.pieces_in(by, kind, view, added));
            }
        });
        if self.tables.has(Mechanics::JOKER)
            && let Some(kind) = view.joker_kind
        {
            lines.add(self.tables.movement(kind), self.jokers_in(by, view, added));
        }
        lines
    }

    #[inline(always)]
    fn attackers_on_lines(
        &self,
        target: Square,
        occupied: Bitboard<R::Word>,
        pieces: LinePieces<R::Word>,
    ) -> Bitboard<R::Word> {
        let sliders = &self.tables.sliders;
        let blockers = self.blockers(occupied);
        let mut found = Bitboard::EMPTY;
        if (pieces.orthogonal & sliders.lines(Lines::ORTHOGONAL, target)).any() {
            found |= sliders.orthogonal(target, blockers) & pieces.orthogonal;
        }
        if (pieces.diagonal & sliders.lines(Lines::DIAGONAL, target)).any() {
            found |= sliders.diagonal(target, blockers) & pieces.diagonal;
        }
        if self.tables.has(Mechanics::HOPPERS) {
            if (pieces.orthogonal_hoppers & sliders.lines(Lines::ORTHOGONAL, target)).any() {
                found |= sliders.hop(Lines::ORTHOGONAL, target, blockers, occupied) & pieces.orthogonal_hoppers;
            }
            if (pieces.diagonal_hoppers & sliders.lines(Lines::DIAGONAL, target)).any() {
                found |= sliders.hop(Lines::DIAGONAL, target, blockers, occupied) & pieces.diagonal_hoppers;
            }
        }
        found
    }

    /// Sliders and hoppers of `color`, jokers apart.
    #[inline(always)]
    pub(super) fn line_pieces(&self, color: Color) -> LinePieces<R::Word> {
        self.line_pieces_in(color, AttackView::default(), &NoAddedPieces)
    }

    fn irregular_attackers(
        &self,
        target: Square,
        by: Color,
        view: AttackView<R::Word>,
        added: &impl AddedPieces<R::Word>,
    ) -> Bitboard<R::Word> {
        let mut found = Bitboard::EMPTY;
        for &kind in &self.tables.lists.irregular {
            let pieces = self.pieces_in(by, kind, view, added);
            if pieces.any() {
                let unmoved = pieces & !added.all() & self.unmoved(by);
                found |= self.irregular_attackers_of_kind(target, by, kind, [pieces, unmoved], view.occupied);
            }
        }
        if let Some(kind) = view.joker_kind {
            let jokers = self.jokers_in(by, view, added);
            if jokers.any() {
                let pieces = [jokers, Bitboard::EMPTY];
                found |= self.irregular_attackers_of_kind(target, by, kind, pieces, view.occupied);
            }
        }
        found
    }

    /// Squares of the pieces of `by`, pawns apart, that still have initial paths.
    fn unmoved(&self, by: Color) -> Bitboard<R::Word> {
        let rights = self.state().rights & self.tables.initial_move_rights[by.index()];
        if rights == 0 {
            Bitboard::EMPTY
        } else {
            self.by_color(by).into_iter().filter(|&square| self.has_initial_moves(square)).collect()
        }
    }

    /// Pieces that attack `target` by ordinary irregular paths, and unmoved pieces that attack it
    /// by any.
    fn irregular_attackers_of_kind(
        &self,
        target: Square,
        by: Color,
        kind: Kind,
        [pieces, unmoved]: [Bitboard<R::Word>; 2],
        occupied: Bitboard<R::Word>,
    ) -> Bitboard<R::Word> {
        let irregular = self.tables.kind(kind, by).irregular.iter().filter(|path| path.modality.captures);
        irregular.fold(Bitboard::EMPTY, |found, path| {
            let able = if path.initial { unmoved } else { pieces };
            found | (path.origins(target, occupied, self.impassable(occupied)) & able)
        })
    }

    /// Returns the pieces of `color` that attack `square` if the board is occupied as given. Pieces
    /// outside of `occupied` do not attack.
    pub fn attackers_to(&self, square: Square, occupied: Bitboard<R::Word>, color: Color) -> Bitboard<R::Word> {
        let view = AttackView { occupied, removed: !occupied, ..self.view(!color) };
        R::attackers(self, square, color, &AttackView { shields: view.shields & occupied, ..view })
    }
}
