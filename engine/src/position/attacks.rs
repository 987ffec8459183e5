//! Where pieces reach, and who attacks a square.

use assay_rules::piece::Kind;
use assay_rules::{Color, Square};

use super::CompiledPosition;
use super::Position;
use crate::bitboard::Bitboard;
use crate::bitboard::BitboardWord;
use crate::ruleset::each_kind;
use crate::ruleset::{Lines, PieceMovement};

/// The board as an attack test sees it: perhaps after a move that has not been made.
#[derive(Clone, Copy, Debug)]
pub struct View<W: BitboardWord> {
    /// Squares on which pieces stand.
    pub(super) occupied: Bitboard<W>,
    /// Squares whose pieces of the attacking side are gone.
    pub(super) gone: Bitboard<W>,
    /// The pawns of the side that is attacked, which shield against cannons.
    pub(super) shields: Bitboard<W>,
    /// The power of the side that is attacked, which the attacker's jokers have.
    pub(super) power: Option<Kind>,
}

/// Pieces of the attacking side that stand where they do not stand yet.
pub(crate) trait Arrivals<W: BitboardWord> {
    /// Those of one kind.
    fn of(&self, kind: Kind) -> Bitboard<W>;
    /// All of them.
    fn all(&self) -> Bitboard<W>;
}

/// Nobody has moved.
pub(crate) struct Nobody;

impl<W: BitboardWord> Arrivals<W> for Nobody {
    #[inline(always)]
    fn of(&self, _kind: Kind) -> Bitboard<W> {
        Bitboard::EMPTY
    }

    #[inline(always)]
    fn all(&self) -> Bitboard<W> {
        Bitboard::EMPTY
    }
}

/// The pieces that a move brings to new squares: the mover, and a castling partner or a piece dropped.
pub(super) struct Movers(pub(super) [(Kind, Option<Square>); 2]);

impl<W: BitboardWord> Arrivals<W> for Movers {
    #[inline(always)]
    fn of(&self, kind: Kind) -> Bitboard<W> {
        self.0
            .iter()
            .filter(|mover| mover.0 == kind)
            .filter_map(|mover| mover.1)
            .collect()
    }

    #[inline(always)]
    fn all(&self) -> Bitboard<W> {
        self.0.iter().filter_map(|mover| mover.1).collect()
    }
}

/// The pieces that capture along lines, gathered kind by kind so that each line is looked at once.
#[derive(Clone, Copy, Debug)]
pub(super) struct OnLines<W: BitboardWord> {
    pub(super) straight: Bitboard<W>,
    pub(super) diagonal: Bitboard<W>,
    pub(super) straight_hoppers: Bitboard<W>,
    pub(super) diagonal_hoppers: Bitboard<W>,
}

impl<W: BitboardWord> OnLines<W> {
    #[inline(always)]
    pub(super) fn add(&mut self, recipe: PieceMovement, pieces: Bitboard<W>) {
        if recipe.slide_captures.straight {
            self.straight |= pieces;
        }
        if recipe.slide_captures.diagonal {
            self.diagonal |= pieces;
        }
        if recipe.hop_captures.straight {
            self.straight_hoppers |= pieces;
        }
        if recipe.hop_captures.diagonal {
            self.diagonal_hoppers |= pieces;
        }
    }
}

impl<R: CompiledPosition> Position<R> {
    /// The board as it is, seen by attackers of `color`.
    #[inline(always)]
    pub(super) fn view(&self, color: Color) -> View<R::Word> {
        View {
            occupied: self.occupied(),
            gone: Bitboard::EMPTY,
            shields: self.pawns(color),
            power: self.power(color),
        }
    }

    /// Every piece and every empty square that blocks slides.
    #[inline(always)]
    pub(super) fn blockers(&self, occupied: Bitboard<R::Word>) -> Bitboard<R::Word> {
        let walls =
            self.tables.mechanics().hanging && (self.tables.mechanics().hoppers || self.tables.mechanics().others);
        if walls { occupied | self.tables.walls } else { occupied }
    }

    /// Every piece and every empty hanging square: what conditional leaps and crooked rides cannot pass.
    pub(super) fn impassable(&self, occupied: Bitboard<R::Word>) -> Bitboard<R::Word> {
        occupied | self.tables.hanging
    }

    /// Has the piece on this square, no pawn, the powers of an unmoved piece?
    #[inline(always)]
    pub(super) fn has_first_move(&self, square: Square) -> bool {
        R::Word::at(&self.tables.first_right, square) & self.state().rights != 0
    }

    /// The pieces of `by` that could capture whatever stands on `target`.
    #[inline(always)]
    pub(crate) fn find_attackers(&self, target: Square, by: Color, view: View<R::Word>) -> Bitboard<R::Word> {
        let mut found = self.leaping_attackers(target, by, view, &Nobody);
        let lines = self.pieces_on_lines(by, view, &Nobody);
        found |= self.attackers_on_lines(target, view.occupied, lines);
        if self.tables.mechanics().others {
            found |= self.other_attackers(target, by, view, &Nobody);
        }
        if self.has_cannon() {
            found |= self.cannons(target, by, view, &Nobody);
        }
        found
    }

    /// Could a piece of `by` capture whatever stands on `target`?
    #[inline(always)]
    pub(super) fn is_attacked(&self, target: Square, by: Color, view: View<R::Word>) -> bool {
        R::is_attacked(self, target, by, &view)
    }

    /// Could a piece of `by`, newly arrived ones among them, capture whatever stands on `target`?
    #[inline(always)]
    pub(crate) fn test_attack(
        &self,
        target: Square,
        by: Color,
        view: View<R::Word>,
        arrivals: &impl Arrivals<R::Word>,
    ) -> bool {
        if self.leaping_attackers(target, by, view, arrivals).any() {
            return true;
        }
        let lines = self.pieces_on_lines(by, view, arrivals);
        self.attackers_on_lines(target, view.occupied, lines).any()
            || self.tables.mechanics().others && self.other_attackers(target, by, view, arrivals).any()
            || self.has_cannon() && self.cannons(target, by, view, arrivals).any()
    }

    /// The pieces of one kind of `by` in a view.
    #[inline(always)]
    fn seen(&self, by: Color, kind: Kind, view: View<R::Word>, arrivals: &impl Arrivals<R::Word>) -> Bitboard<R::Word> {
        (self.pieces(by, kind) & !view.gone) | arrivals.of(kind)
    }

    #[inline(always)]
    fn seen_jokers(&self, by: Color, view: View<R::Word>, arrivals: &impl Arrivals<R::Word>) -> Bitboard<R::Word> {
        self.joker_kind()
            .map_or(Bitboard::EMPTY, |joker| self.seen(by, joker, view, arrivals))
    }

    #[inline(always)]
    fn leaping_attackers(
        &self,
        target: Square,
        by: Color,
        view: View<R::Word>,
        arrivals: &impl Arrivals<R::Word>,
    ) -> Bitboard<R::Word> {
        let mut found = Bitboard::EMPTY;
        each_kind!(R, self.tables, leapers, |kind, recipe| {
            if recipe.leap_captures {
                let from = &self.tables.kind(kind, by).leaps.captured_from;
                found |= R::Word::at(from, target) & self.seen(by, kind, view, arrivals);
            }
        });
        if self.tables.mechanics().joker
            && let Some(power) = view.power
        {
            let from = &self.tables.kind(power, by).leaps.captured_from;
            found |= R::Word::at(from, target) & self.seen_jokers(by, view, arrivals);
        }
        found
    }

    /// The leapers among the pieces, jokers apart, that could capture on `target` now.
    #[inline(always)]
    pub(super) fn plain_leapers(&self, target: Square, by: Color) -> Bitboard<R::Word> {
        let mut found = Bitboard::EMPTY;
        each_kind!(R, self.tables, leapers, |kind, recipe| {
            if recipe.leap_captures {
                let from = &self.tables.kind(kind, by).leaps.captured_from;
                found |= R::Word::at(from, target) & self.pieces(by, kind);
            }
        });
        found
    }

    #[inline(always)]
    fn pieces_on_lines(&self, by: Color, view: View<R::Word>, arrivals: &impl Arrivals<R::Word>) -> OnLines<R::Word> {
        let mut lines = OnLines {
            straight: Bitboard::EMPTY,
            diagonal: Bitboard::EMPTY,
            straight_hoppers: Bitboard::EMPTY,
            diagonal_hoppers: Bitboard::EMPTY,
        };
        each_kind!(R, self.tables, liners, |kind, recipe| {
            if recipe.slide_captures.any() || recipe.hop_captures.any() {
                lines.add(recipe, self.seen(by, kind, view, arrivals));
            }
        });
        if self.tables.mechanics().joker
            && let Some(power) = view.power
        {
            lines.add(self.tables.recipe(power), self.seen_jokers(by, view, arrivals));
        }
        lines
    }

    #[inline(always)]
    fn attackers_on_lines(
        &self,
        target: Square,
        occupied: Bitboard<R::Word>,
        pieces: OnLines<R::Word>,
    ) -> Bitboard<R::Word> {
        let sliders = &self.tables.sliders;
        let blockers = self.blockers(occupied);
        let mut found = Bitboard::EMPTY;
        if (pieces.straight & sliders.lines(Lines::STRAIGHT, target)).any() {
            found |= sliders.straight(target, blockers) & pieces.straight;
        }
        if (pieces.diagonal & sliders.lines(Lines::DIAGONAL, target)).any() {
            found |= sliders.diagonal(target, blockers) & pieces.diagonal;
        }
        if self.tables.mechanics().hoppers {
            if (pieces.straight_hoppers & sliders.lines(Lines::STRAIGHT, target)).any() {
                found |= sliders.hop(Lines::STRAIGHT, target, blockers, occupied) & pieces.straight_hoppers;
            }
            if (pieces.diagonal_hoppers & sliders.lines(Lines::DIAGONAL, target)).any() {
                found |= sliders.hop(Lines::DIAGONAL, target, blockers, occupied) & pieces.diagonal_hoppers;
            }
        }
        found
    }

    /// Sliders and hoppers of `color`, jokers apart.
    #[inline(always)]
    pub(super) fn line_pieces(&self, color: Color) -> OnLines<R::Word> {
        let view = View {
            occupied: Bitboard::EMPTY,
            gone: Bitboard::EMPTY,
            shields: Bitboard::EMPTY,
            power: None,
        };
        self.pieces_on_lines(color, view, &Nobody)
    }

    fn other_attackers(
        &self,
        target: Square,
        by: Color,
        view: View<R::Word>,
        arrivals: &impl Arrivals<R::Word>,
    ) -> Bitboard<R::Word> {
        let mut found = Bitboard::EMPTY;
        for &kind in &self.tables.lists.odd {
            let pieces = self.seen(by, kind, view, arrivals);
            if pieces.any() {
                found |= self.others_of_kind(target, by, kind, pieces, view.occupied);
            }
        }
        if let Some(power) = view.power {
            let jokers = self.seen_jokers(by, view, arrivals);
            if jokers.any() {
                found |= self.others_of_kind(target, by, power, jokers, view.occupied);
            }
        }
        found
    }

    fn others_of_kind(
        &self,
        target: Square,
        by: Color,
        kind: Kind,
        pieces: Bitboard<R::Word>,
        occupied: Bitboard<R::Word>,
    ) -> Bitboard<R::Word> {
        // Initial powers never capture: definitions refuse it.
        let others = self
            .tables
            .kind(kind, by)
            .others
            .iter()
            .filter(|other| other.modality.captures);
        others.fold(Bitboard::EMPTY, |found, other| {
            found | (other.origins(target, occupied, self.impassable(occupied)) & pieces)
        })
    }

    /// Do pawns capture by cannon?
    #[inline(always)]
    pub(super) fn has_cannon(&self) -> bool {
        self.tables.mechanics().cannon
    }

    /// The pawns of `by` that could hit `target` by cannon: exactly one piece of theirs between, and nothing of the other side
    /// before it nor any of the other side's pawns behind it.
    #[inline(always)]
    fn cannons(
        &self,
        target: Square,
        by: Color,
        view: View<R::Word>,
        arrivals: &impl Arrivals<R::Word>,
    ) -> Bitboard<R::Word> {
        let behind = R::Word::at(&self.tables.pawns(!by).ahead, target);
        let pawns = behind & self.seen(by, self.pawn_kind(), view, arrivals);
        if pawns.is_empty() {
            return Bitboard::EMPTY;
        }
        let pieces = (self.by_color(by) & !view.gone) | arrivals.all();
        let mut found = Bitboard::EMPTY;
        for pawn in pawns {
            let ahead = R::Word::at(&self.tables.pawns(by).ahead, pawn);
            let between = behind & ahead;
            let screen = between & pieces;
            if !screen.single() || (between & view.shields).any() {
                continue;
            }
            let before_screen = ahead & R::Word::at(&self.tables.pawns(!by).ahead, screen.first());
            let wall = self.tables.mechanics().hanging && (between & self.tables.hanging & !view.occupied).any();
            if (before_screen & view.occupied).is_empty() && !wall {
                found |= Bitboard::of(pawn);
            }
        }
        found
    }

    /// The pieces of `color` that could capture whatever stands on `square` if the board were occupied as given; pieces that are
    /// not in `occupied` do not attack.
    pub fn attackers_to(&self, square: Square, occupied: Bitboard<R::Word>, color: Color) -> Bitboard<R::Word> {
        let view = View {
            occupied,
            gone: !occupied,
            ..self.view(!color)
        };
        R::attackers(
            self,
            square,
            color,
            &View {
                shields: view.shields & occupied,
                ..view
            },
        )
    }
}
