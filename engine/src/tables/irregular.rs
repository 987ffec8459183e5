//! Irregular paths: paths that are neither leaps nor complete lines, such as lame leaps and limited
//! or partial rides and hops.

use std::num::NonZeroU8;

use assay_rules::def::GameDef;
use assay_rules::movement::{Modality, Path, PathKind};
use assay_rules::piece::Kind;
use assay_rules::{Color, Square};

use crate::bitboard::{Bitboard, BitboardWord};
use crate::ruleset::PathGroups;

/// An irregular path of one kind and color.
#[derive(Clone, Debug)]
pub(crate) struct IrregularPath<W: BitboardWord> {
    pub(crate) modality: Modality,
    /// True if only unmoved pieces have the path (pawns: on their home rank).
    pub(crate) initial: bool,
    /// True for a pawn's double step.
    pub(crate) double: bool,
    zone: Bitboard<W>,
    forward: PathTable<W>,
    backward: PathTable<W>,
}

/// One direction of a path: from origins to targets, or from targets back to origins.
#[derive(Clone, Debug)]
enum PathTable<W: BitboardWord> {
    /// At most one target, if certain squares are passable and others occupied.
    Conditional(Box<[Option<Condition<W>>]>),
    /// Along a ray up to the first piece, or beyond it.
    Ray { targets: Box<W::PerSquare<Bitboard<W>>>, beyond: Box<W::PerSquare<Bitboard<W>>>, upward: bool, hop: Hop },
}

/// How a ray continues at its first piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hop {
    None,
    /// Continues up to the second piece.
    Beyond,
    /// Ends on the square behind it.
    Behind,
    /// The reverse of `Behind`: needs a piece on the next square, and continues up to the second
    /// piece.
    FromBehind,
}

#[derive(Clone, Copy, Debug)]
struct Condition<W: BitboardWord> {
    to: Square,
    passable: Bitboard<W>,
    occupied: Bitboard<W>,
}

impl<W: BitboardWord> IrregularPath<W> {
    /// All irregular paths of a kind, ordinary and initial.
    pub(crate) fn all(game: &GameDef, kind: Kind, color: Color) -> Box<[IrregularPath<W>]> {
        let movement = &game.kind(kind).movement;
        let ordinary = PathGroups::of(game.kind(kind), false).irregular.into_iter();
        // The tables of leaps and complete lines serve the ordinary paths, and initial leaps to
        // empty squares.
        let is_irregular = |path: &&Path| path.initial && (path.kind != PathKind::Leap || path.modality.captures);
        let initial = movement.paths.iter().filter(is_irregular);
        ordinary
            .chain(initial)
            .map(|path| IrregularPath::new(game, kind, path, color))
            .filter(IrregularPath::is_on_board)
            .collect()
    }

    fn new(game: &GameDef, kind: Kind, path: &Path, color: Color) -> IrregularPath<W> {
        let (forward, backward) = match &path.kind {
            PathKind::Leap | PathKind::LameLeap { .. } | PathKind::HopLeap { .. } => conditional(game, path, color),
            PathKind::Ride { range } => rays(game, path, color, range.map(NonZeroU8::get), [Hop::None; 2]),
            PathKind::HopRide { range } => rays(game, path, color, range.map(NonZeroU8::get), [Hop::Beyond; 2]),
            PathKind::Grasshop => rays(game, path, color, None, [Hop::Behind, Hop::FromBehind]),
        };
        IrregularPath {
            modality: path.modality,
            initial: path.initial,
            double: game.is_double_step(kind, path),
            zone: super::leaps::zone(game, kind, color),
            forward,
            backward,
        }
    }

    /// Returns true if there is a square on which the path begins and one on which it ends.
    fn is_on_board(&self) -> bool {
        match &self.forward {
            PathTable::Conditional(conditions) => conditions.iter().any(Option::is_some),
            PathTable::Ray { .. } => true,
        }
    }

    /// All squares on which it depends whether the path leads to `to`.
    pub(super) fn squares_before(&self, to: Square) -> Bitboard<W> {
        match &self.backward {
            PathTable::Conditional(conditions) => {
                conditions[to.index()].map_or(Bitboard::EMPTY, |condition| condition.passable | condition.occupied)
            }
            PathTable::Ray { targets, .. } => W::at(targets, to),
        }
    }

    /// Returns true if the path needs occupied squares on its way.
    pub(super) fn needs_pieces(&self) -> bool {
        match &self.backward {
            PathTable::Conditional(conditions) => conditions.iter().flatten().any(|condition| condition.occupied.any()),
            PathTable::Ray { hop, .. } => *hop != Hop::None,
        }
    }

    /// Targets from `from`. `blockers` contains all pieces and all hanging squares.
    pub(crate) fn targets(&self, from: Square, pieces: Bitboard<W>, blockers: Bitboard<W>) -> Bitboard<W> {
        self.forward.targets(from, pieces, blockers) & self.zone
    }

    /// Origins from which the path leads to `to`.
    pub(crate) fn origins(&self, to: Square, pieces: Bitboard<W>, blockers: Bitboard<W>) -> Bitboard<W> {
        if self.zone.contains(to) { self.backward.targets(to, pieces, blockers) } else { Bitboard::EMPTY }
    }
}

impl<W: BitboardWord> PathTable<W> {
    fn targets(&self, from: Square, pieces: Bitboard<W>, blockers: Bitboard<W>) -> Bitboard<W> {
        match self {
            PathTable::Conditional(conditions) => match conditions[from.index()] {
                Some(condition)
                    if (condition.passable & blockers).is_empty() && (condition.occupied & !pieces).is_empty() =>
                {
                    Bitboard::of(condition.to)
                }
                _ => Bitboard::EMPTY,
            },
            PathTable::Ray { targets, beyond, upward, hop } => {
                let first = |set: Bitboard<W>| if *upward { set.lsb() } else { set.msb() };
                let mut reachable = W::at(targets, from);
                if *hop != Hop::None {
                    let blocked = reachable & blockers;
                    if blocked.is_empty() || !pieces.contains(first(blocked)) {
                        return Bitboard::EMPTY;
                    }
                    let screen = first(blocked);
                    if *hop == Hop::FromBehind && screen != first(reachable) {
                        return Bitboard::EMPTY;
                    }
                    reachable &= W::at(beyond, screen);
                    if *hop == Hop::Behind && reachable.any() {
                        return Bitboard::of(first(reachable));
                    }
                }
                let blocked = reachable & blockers;
                if blocked.any() {
                    reachable &= !W::at(beyond, first(blocked));
                }
                reachable
            }
        }
    }
}

fn conditional<W: BitboardWord>(game: &GameDef, path: &Path, color: Color) -> (PathTable<W>, PathTable<W>) {
    let board = &game.board;
    let mut forward = vec![None; W::BITS].into_boxed_slice();
    let mut backward = forward.clone();
    for from in board.squares() {
        let Some(to) = board.step(from, path.delta, color) else {
            continue;
        };
        let (via, over) = match &path.kind {
            PathKind::LameLeap { via } => (via.as_slice(), None),
            PathKind::HopLeap { over } => (&[][..], Some(*over)),
            _ => (&[][..], None),
        };
        let squares = |deltas: &[_]| -> Option<Bitboard<W>> {
            deltas.iter().map(|&delta| board.step(from, delta, color)).collect()
        };
        let (Some(passable), Some(occupied)) = (squares(via), squares(over.as_slice())) else {
            continue;
        };
        forward[from.index()] = Some(Condition { to, passable, occupied });
        backward[to.index()] = Some(Condition { to: from, passable, occupied });
    }
    (PathTable::Conditional(forward), PathTable::Conditional(backward))
}

fn rays<W: BitboardWord>(
    game: &GameDef,
    path: &Path,
    color: Color,
    range: Option<u8>,
    hops: [Hop; 2],
) -> (PathTable<W>, PathTable<W>) {
    let ways = [(1, hops[0]), (-1, hops[1])].map(|(sign, hop)| {
        let step = path.delta.times(sign);
        let mut targets = Box::new(W::per_square(Bitboard::EMPTY));
        let mut beyond = targets.clone();
        for from in game.board.squares() {
            let mut square = from;
            let mut steps = 0;
            while let Some(next) = game.board.step(square, step, color) {
                steps += 1;
                beyond[from.index()].insert(next);
                if range.is_none_or(|most| steps <= most) {
                    targets[from.index()].insert(next);
                }
                square = next;
            }
        }
        let on_board = step.for_color(color);
        let upward = i32::from(on_board.rank) * i32::from(game.board.files()) + i32::from(on_board.file) > 0;
        PathTable::Ray { targets, beyond, upward, hop }
    });
    let [forward, backward] = ways;
    (forward, backward)
}
