//! Where generated moves go: a list, a count, or a search for one of them.

use assay_rules::Square;
use assay_rules::piece::Kind;

use crate::bitboard::Bitboard;
use crate::bitboard::BitboardWord;
use crate::moves::MoveList;
use crate::moves::{Move, MoveKind};
use crate::tables::Promotion;

/// Takes legal moves, many at a time.
pub(crate) trait Sink<W: BitboardWord> {
    /// Is generation worth compiling once more for positions where the king's safety demands nothing?
    const SPLITS: bool = false;
    /// Steps of one piece to each of the squares.
    fn steps(&mut self, from: Square, to: Bitboard<W>);
    /// Steps of one piece, each with a drop on the square left.
    fn drops(&mut self, from: Square, to: Bitboard<W>, kind: Kind);
    /// Moves of many pawns by the same displacement.
    fn shifted(&mut self, kind: MoveKind, to: Bitboard<W>, places: i32);
    /// One pawn's step onto a promotion square; `leaving` is false for captures-only lists, where a pawn that stays a pawn
    /// without capturing is left out.
    fn promote(&mut self, from: Square, to: Square, promotion: &Promotion, staying: bool);
    /// One move.
    fn one(&mut self, mv: Move);
    /// The pieces whose moves are wanted.
    #[inline(always)]
    fn scope(&self) -> Bitboard<W> {
        !Bitboard::EMPTY
    }
    /// Is there no need for more?
    #[inline(always)]
    fn is_satisfied(&self) -> bool {
        false
    }
}

#[inline(always)]
fn origin(to: Square, places: i32) -> Square {
    Square((i32::from(to.0) - places) as u8)
}

/// Writes moves into a list, whose length it keeps at hand meanwhile.
pub(crate) struct Writer<'l> {
    list: &'l mut MoveList,
    len: usize,
}

impl<'l> Writer<'l> {
    /// Appends to `list`, which [`Writer::finish`] must bring up to date.
    #[inline(always)]
    pub(crate) fn new(list: &'l mut MoveList) -> Writer<'l> {
        let len = list.len();
        Writer { list, len }
    }

    #[inline(always)]
    fn push(&mut self, mv: Move) {
        self.list.write(self.len, mv);
        self.len += 1;
    }

    /// Makes what was written part of the list.
    #[inline(always)]
    pub(crate) fn finish(self) {
        // SAFETY: `push` has written every entry from the list's own length on. Measured: with the length kept in the list
        // itself, perft that makes every leaf loses a tenth and more.
        unsafe { self.list.grow_to(self.len) };
    }
}

impl<W: BitboardWord> Sink<W> for Writer<'_> {
    #[inline(always)]
    fn steps(&mut self, from: Square, to: Bitboard<W>) {
        for to in to {
            self.push(Move::new(MoveKind::Step, from, to));
        }
    }

    #[inline(always)]
    fn drops(&mut self, from: Square, to: Bitboard<W>, kind: Kind) {
        for to in to {
            self.push(Move::new(MoveKind::Step, from, to).gating(kind));
        }
    }

    #[inline(always)]
    fn shifted(&mut self, kind: MoveKind, to: Bitboard<W>, places: i32) {
        for to in to {
            self.push(Move::new(kind, origin(to, places), to));
        }
    }

    #[inline(always)]
    fn promote(&mut self, from: Square, to: Square, promotion: &Promotion, staying: bool) {
        let step = Move::new(MoveKind::Step, from, to);
        for &kind in &promotion.kinds {
            self.push(step.promoting(kind));
        }
        if staying && promotion.stay {
            self.push(step);
        }
    }

    #[inline(always)]
    fn one(&mut self, mv: Move) {
        self.push(mv);
    }
}

/// Counts moves without naming them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Count(pub(crate) u64);

impl<W: BitboardWord> Sink<W> for Count {
    const SPLITS: bool = true;

    #[inline(always)]
    fn steps(&mut self, _from: Square, to: Bitboard<W>) {
        self.0 += u64::from(to.count());
    }

    #[inline(always)]
    fn drops(&mut self, _from: Square, to: Bitboard<W>, _kind: Kind) {
        self.0 += u64::from(to.count());
    }

    #[inline(always)]
    fn shifted(&mut self, _sort: MoveKind, to: Bitboard<W>, _places: i32) {
        self.0 += u64::from(to.count());
    }

    #[inline(always)]
    fn promote(&mut self, _from: Square, _to: Square, promotion: &Promotion, staying: bool) {
        self.0 += promotion.kinds.len() as u64 + u64::from(staying && promotion.stay);
    }

    #[inline(always)]
    fn one(&mut self, _mv: Move) {
        self.0 += 1;
    }
}

/// Notices whether there is a move at all.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Any(pub(crate) bool);

impl<W: BitboardWord> Sink<W> for Any {
    #[inline(always)]
    fn steps(&mut self, _from: Square, to: Bitboard<W>) {
        self.0 |= to.any();
    }

    #[inline(always)]
    fn drops(&mut self, _from: Square, to: Bitboard<W>, _kind: Kind) {
        self.0 |= to.any();
    }

    #[inline(always)]
    fn shifted(&mut self, _sort: MoveKind, to: Bitboard<W>, _places: i32) {
        self.0 |= to.any();
    }

    #[inline(always)]
    fn promote(&mut self, _from: Square, _to: Square, promotion: &Promotion, staying: bool) {
        self.0 |= !promotion.kinds.is_empty() || staying && promotion.stay;
    }

    #[inline(always)]
    fn one(&mut self, _mv: Move) {
        self.0 |= true;
    }

    #[inline(always)]
    fn is_satisfied(&self) -> bool {
        self.0
    }
}

/// Looks for one move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Search {
    wanted: Move,
    found: bool,
}

impl Search {
    /// Looks for `wanted`.
    pub(crate) fn new(wanted: Move) -> Search {
        Search { wanted, found: false }
    }

    /// Has it come by?
    pub(crate) fn found(self) -> bool {
        self.found
    }
}

impl<W: BitboardWord> Sink<W> for Search {
    fn steps(&mut self, from: Square, to: Bitboard<W>) {
        let step = Move::new(MoveKind::Step, from, self.wanted.to());
        self.found |= step == self.wanted && to.contains(step.to());
    }

    fn drops(&mut self, from: Square, to: Bitboard<W>, kind: Kind) {
        let drop = Move::new(MoveKind::Step, from, self.wanted.to()).gating(kind);
        self.found |= drop == self.wanted && to.contains(drop.to());
    }

    fn shifted(&mut self, kind: MoveKind, to: Bitboard<W>, places: i32) {
        let target = self.wanted.to();
        self.found |= to.contains(target) && Move::new(kind, origin(target, places), target) == self.wanted;
    }

    fn promote(&mut self, from: Square, to: Square, promotion: &Promotion, staying: bool) {
        let step = Move::new(MoveKind::Step, from, to);
        self.found |= promotion.kinds.iter().any(|&kind| step.promoting(kind) == self.wanted);
        self.found |= staying && promotion.stay && step == self.wanted;
    }

    fn one(&mut self, mv: Move) {
        self.found |= mv == self.wanted;
    }

    #[inline(always)]
    fn scope(&self) -> Bitboard<W> {
        Bitboard::of(self.wanted.from())
    }

    #[inline(always)]
    fn is_satisfied(&self) -> bool {
        self.found
    }
}
