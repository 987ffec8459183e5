//! Selection of leap directions by direction letters.

use super::ast::{Direction, Side, Span, Spanned};
use super::error::SpannedError;
use crate::types::movement::Delta;

/// Symmetry class of a leap, which determines the number of its directions and the meaning of
/// direction letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Symmetry {
    /// (n,0): four directions, one to each side.
    Orthogonal,
    /// (n,n): four directions, two to each side.
    Diagonal,
    /// All other leaps: eight directions.
    Oblique,
}

impl Symmetry {
    pub(super) const fn of(short: i8, long: i8) -> Symmetry {
        match short {
            0 => Symmetry::Orthogonal,
            _ if short == long => Symmetry::Diagonal,
            _ => Symmetry::Oblique,
        }
    }
}

/// Displacements of the leap `(short, long)` selected by `groups`, clockwise from straight forward.
/// No group selects all.
pub(super) fn select(short: i8, long: i8, groups: &[Spanned<Direction>]) -> Result<Vec<Delta>, SpannedError> {
    let symmetry = Symmetry::of(short, long);
    for group in groups {
        check_group(symmetry, *group)?;
    }
    let mut deltas = Vec::new();
    for delta in clockwise(short, long) {
        let selected = groups.is_empty() || groups.iter().any(|group| selects(symmetry, group.node, delta));
        if selected && !deltas.contains(&delta) {
            deltas.push(delta);
        }
    }
    Ok(deltas)
}

/// The eight leaps `(short, long)`, clockwise from straight forward. With four directions, each is
/// in the list twice.
const fn clockwise(short: i8, long: i8) -> [Delta; 8] {
    [
        Delta::new(short, long),
        Delta::new(long, short),
        Delta::new(long, -short),
        Delta::new(short, -long),
        Delta::new(-short, -long),
        Delta::new(-long, -short),
        Delta::new(-long, short),
        Delta::new(-short, long),
    ]
}

/// Turns a king's step by eighths of a circle to the right, or an oblique leap by as many places
/// among its eight directions.
pub(super) fn turn(delta: Delta, eighths: usize) -> Delta {
    let (files, ranks) = (delta.file.abs(), delta.rank.abs());
    let (short, long) = (files.min(ranks), files.max(ranks));
    let mut circle = clockwise(short, long);
    if Symmetry::of(short, long) != Symmetry::Oblique {
        let (straight, diagonal) = (clockwise(0, long), clockwise(long, long));
        for (index, step) in circle.iter_mut().enumerate() {
            *step = if index % 2 == 0 { straight[index] } else { diagonal[index - 1] };
        }
    }
    let place = circle.iter().position(|&step| step == delta).unwrap_or(0);
    circle[(place + eighths) % circle.len()]
}

/// Rejects a group that has no meaning for this symmetry, or on which implementations of `XBetza`
/// disagree.
fn check_group(symmetry: Symmetry, group: Spanned<Direction>) -> Result<(), SpannedError> {
    match group.node {
        Direction::Half(_) | Direction::Rotational(_) if symmetry != Symmetry::Oblique => Err(misplaced_half(group)),
        Direction::Pair(first, second) if symmetry != Symmetry::Orthogonal && first.is_double() => {
            Err(wrong_order(first, second, group.span))
        }
        _ => Ok(()),
    }
}

/// Error for an `h` before an atom that is not oblique.
pub(super) fn misplaced_half(group: Spanned<Direction>) -> SpannedError {
    let message = "found `h`, expected it only before an oblique leap (N C L J Z or unequal numbers, none 0)";
    SpannedError::new(message, group.span)
}

/// Error for a pair that begins with `v` or `s` where the order matters.
pub(super) fn wrong_order(first: Side, second: Side, span: Span) -> SpannedError {
    let (first, second) = (first.letter(), second.letter());
    let expected = format!("`{second}{first}` or two atoms: `{first}` must not begin a pair here");
    SpannedError::new(format!("found `{first}{second}`, expected {expected}"), span)
}

fn selects(symmetry: Symmetry, group: Direction, delta: Delta) -> bool {
    match group {
        Direction::Single(side) => is_mostly(delta, side),
        Direction::Pair(first, second) if symmetry == Symmetry::Orthogonal => {
            is_mostly(delta, first) || is_mostly(delta, second)
        }
        Direction::Pair(first, second) => is_toward(delta, first) && is_mostly(delta, second),
        Direction::Half(side) => is_toward(delta, side),
        Direction::Rotational(hand) => {
            let forward = Delta::new(delta.file.abs().min(delta.rank.abs()), delta.file.abs().max(delta.rank.abs()));
            let first = if hand == Side::Left { Delta::new(-forward.file, forward.rank) } else { forward };
            let rotations = [first, rotate_clockwise(first), first.times(-1), rotate_clockwise(first).times(-1)];
            rotations.contains(&delta)
        }
    }
}

/// Returns true if `delta` has a component toward `side`.
const fn is_toward(delta: Delta, side: Side) -> bool {
    match side {
        Side::Forward => delta.rank > 0,
        Side::Backward => delta.rank < 0,
        Side::Left => delta.file < 0,
        Side::Right => delta.file > 0,
        Side::Vertical => delta.rank != 0,
        Side::Sideways => delta.file != 0,
    }
}

/// Returns true if the component of `delta` toward `side` is at least as long as the other one. For
/// each side, this holds for two of eight oblique leaps, two of four diagonal ones and one of four
/// orthogonal ones.
const fn is_mostly(delta: Delta, side: Side) -> bool {
    let (files, ranks) = (delta.file.abs(), delta.rank.abs());
    is_toward(delta, side) && if side.is_vertical() { ranks >= files } else { files >= ranks }
}

const fn rotate_clockwise(delta: Delta) -> Delta {
    Delta::new(delta.rank, -delta.file)
}
