//! Which of an atom's directions the direction letters choose.

use super::ast::{Direction, Side, Spanned};
use super::error::{BetzaErrorKind, SpannedError};
use crate::movement::Delta;

/// The symmetry of a leap: how many directions it has, and how letters choose among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    /// (n,0): four directions, one to each side.
    Orthogonal,
    /// (n,n): four directions, two to each side.
    Diagonal,
    /// All other leaps: eight directions.
    Oblique,
}

impl Family {
    /// The family of the leap `(short, long)`.
    pub(super) const fn of(short: i8, long: i8) -> Family {
        match short {
            0 => Family::Orthogonal,
            _ if short == long => Family::Diagonal,
            _ => Family::Oblique,
        }
    }
}

/// The displacements of the leap `(short, long)` that `groups` choose (all, if there is no group), clockwise from straight
/// forward.
pub(super) fn chosen(short: i8, long: i8, groups: &[Spanned<Direction>]) -> Result<Vec<Delta>, SpannedError> {
    let family = Family::of(short, long);
    for group in groups {
        refuse_meaningless(family, *group)?;
    }
    let clockwise = [
        Delta::new(short, long),
        Delta::new(long, short),
        Delta::new(long, -short),
        Delta::new(short, -long),
        Delta::new(-short, -long),
        Delta::new(-long, -short),
        Delta::new(-long, short),
        Delta::new(-short, long),
    ];
    let mut deltas = Vec::with_capacity(clockwise.len());
    for delta in clockwise {
        let wanted = groups.is_empty() || groups.iter().any(|group| chooses(family, group.node, delta));
        // With four directions each stands in the list twice.
        if wanted && !deltas.contains(&delta) {
            deltas.push(delta);
        }
    }
    Ok(deltas)
}

/// Refuses a group that says nothing about a leap of `family`, or on which the notation's readers disagree.
fn refuse_meaningless(family: Family, group: Spanned<Direction>) -> Result<(), SpannedError> {
    let kind = match group.node {
        Direction::Half(_) | Direction::Turning(_) if family != Family::Oblique => BetzaErrorKind::HalfNotOblique,
        Direction::Pair(first, second) if family != Family::Orthogonal && first.is_double() => {
            BetzaErrorKind::PairOrder {
                first: first.letter(),
                second: second.letter(),
            }
        }
        _ => return Ok(()),
    };
    Err(SpannedError::new(kind, group.span))
}

/// Does `group` choose `delta`, a leap of `family`?
fn chooses(family: Family, group: Direction, delta: Delta) -> bool {
    match group {
        Direction::Alone(side) => mostly(delta, side),
        Direction::Pair(one, other) if family == Family::Orthogonal => mostly(delta, one) || mostly(delta, other),
        Direction::Pair(whole, most) => toward(delta, whole) && mostly(delta, most),
        Direction::Half(side) => toward(delta, side),
        Direction::Turning(hand) => {
            let forward = Delta::new(
                delta.file.abs().min(delta.rank.abs()),
                delta.file.abs().max(delta.rank.abs()),
            );
            let first = if hand == Side::Left {
                Delta::new(-forward.file, forward.rank)
            } else {
                forward
            };
            let turns = [
                first,
                quarter_turn(first),
                first.times(-1),
                quarter_turn(first).times(-1),
            ];
            turns.contains(&delta)
        }
    }
}

/// Does `delta` go to `side` at all?
const fn toward(delta: Delta, side: Side) -> bool {
    match side {
        Side::Forward => delta.rank > 0,
        Side::Backward => delta.rank < 0,
        Side::Left => delta.file < 0,
        Side::Right => delta.file > 0,
        Side::Vertical => delta.rank != 0,
        Side::Sideways => delta.file != 0,
    }
}

/// Does `delta` go to `side` at least as far as across it? So go the outermost two of eight leaps, two of four diagonal
/// ones, one of four orthogonal ones.
const fn mostly(delta: Delta, side: Side) -> bool {
    let (files, ranks) = (delta.file.abs(), delta.rank.abs());
    toward(delta, side)
        && if side.is_vertical() {
            ranks >= files
        } else {
            files >= ranks
        }
}

/// `delta` turned clockwise.
const fn quarter_turn(delta: Delta) -> Delta {
    Delta::new(delta.rank, -delta.file)
}
