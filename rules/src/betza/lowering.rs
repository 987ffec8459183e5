//! Lowering: from the syntax tree to a [`Movement`].

use std::num::NonZeroU8;

use super::MAX_LEAP;
use super::ast::{Atom, Direction, Flag, Range, Side, Spanned, Term};
use super::directions::{self, Symmetry};
use super::error::{BetzaErrorKind, SpannedError};
use super::merge::{self, Action, PathAction};
use crate::types::movement::{CastlingStep, Delta, Movement, PathKind};

/// Converts all terms to a movement.
pub(super) fn lower(terms: &[Term]) -> Result<Movement, SpannedError> {
    let mut actions = Vec::new();
    let mut castling = None;
    for term in terms {
        if term.atom.node == Atom::Castling {
            if castling.is_some() {
                return Err(SpannedError::new(BetzaErrorKind::DuplicateCastling, term.atom.span));
            }
            castling = Some(lower_castling(term)?);
        } else {
            lower_term(term, &mut actions)?;
        }
    }
    Ok(Movement {
        paths: merge::merge_paths(actions),
        castling,
    })
}

/// How often a leap may be repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Steps {
    One,
    /// At least two; `None` for no limit.
    Many(Option<NonZeroU8>),
}

/// The leaps `(short, long)` of an atom, and their default range.
fn expand_atom(atom: Atom) -> (Vec<(i8, i8)>, Steps) {
    const WAZIR: (i8, i8) = (0, 1);
    const FERZ: (i8, i8) = (1, 1);
    match atom {
        Atom::Leap { short, long } => (vec![(short, long)], Steps::One),
        Atom::King => (vec![WAZIR, FERZ], Steps::One),
        Atom::Queen => (vec![WAZIR, FERZ], Steps::Many(None)),
        Atom::Rook => (vec![WAZIR], Steps::Many(None)),
        Atom::Bishop => (vec![FERZ], Steps::Many(None)),
        Atom::Castling => (Vec::new(), Steps::One),
    }
}

/// Lowers one term other than castling.
fn lower_term(term: &Term, out: &mut Vec<PathAction>) -> Result<(), SpannedError> {
    let (leaps, default_steps) = expand_atom(term.atom.node);
    let steps = match term.range.map(|range| range.node) {
        None => default_steps,
        Some(Range::Doubled | Range::Steps(0)) => Steps::Many(None),
        Some(Range::Steps(1)) => Steps::One,
        Some(Range::Steps(limit)) => Steps::Many(NonZeroU8::new(limit)),
    };
    let initial = term.flag(Flag::Initial).is_some();
    let actions = actions(term);
    for (short, long) in leaps {
        for delta in directions::select(short, long, &term.directions)? {
            let kind = path_kind(term, delta, steps)?;
            if let (Some(span), true) = (term.flag(Flag::EnPassant), kind != PathKind::Leap) {
                return Err(SpannedError::new(BetzaErrorKind::EnPassantNotLeap, span));
            }
            out.extend(actions.iter().map(|&action| PathAction {
                delta,
                kind: kind.clone(),
                initial,
                action,
            }));
        }
    }
    Ok(())
}

/// Actions allowed at the end of a path: those that the term names, or moving and capturing if it names none.
fn actions(term: &Term) -> Vec<Action> {
    let named = [
        (Flag::Move, Action::Move),
        (Flag::Capture, Action::Capture),
        (Flag::EnPassant, Action::EnPassant),
    ];
    let named: Vec<Action> = named
        .into_iter()
        .filter(|&(flag, _)| term.flag(flag).is_some())
        .map(|(_, action)| action)
        .collect();
    if named.is_empty() {
        vec![Action::Move, Action::Capture]
    } else {
        named
    }
}

fn path_kind(term: &Term, delta: Delta, steps: Steps) -> Result<PathKind, SpannedError> {
    let is_single_step = delta.file.abs().max(delta.rank.abs()) == 1;
    match (term.flag(Flag::Lame), term.flag(Flag::Hop), steps) {
        (None, None, Steps::One) => Ok(PathKind::Leap),
        (None, None, Steps::Many(range)) => Ok(PathKind::Ride { range }),
        (Some(lame), Some(hop), _) => {
            let later = if lame.start > hop.start { lame } else { hop };
            Err(SpannedError::new(BetzaErrorKind::LameAndHop, later))
        }
        (Some(lame), None, Steps::One) if is_single_step => {
            Err(SpannedError::new(BetzaErrorKind::NothingToBlock, lame))
        }
        (Some(_), None, Steps::One) => Ok(PathKind::LameLeap {
            via: passed_squares(delta),
        }),
        (Some(lame), None, Steps::Many(_)) => {
            let kind = if is_single_step {
                BetzaErrorKind::LameSlide
            } else {
                BetzaErrorKind::LameRide
            };
            Err(SpannedError::new(kind, lame))
        }
        (None, Some(hop), Steps::One) if is_single_step => Err(SpannedError::new(BetzaErrorKind::HopOnStep, hop)),
        (None, Some(_), Steps::Many(range)) if is_single_step => Ok(PathKind::HopRide { range }),
        (None, Some(_), Steps::One) if is_straight_leap_of_two(delta) => Ok(PathKind::HopLeap {
            over: Delta::new(delta.file / 2, delta.rank / 2),
        }),
        (None, Some(hop), _) => Err(SpannedError::new(BetzaErrorKind::HopOnLeap, hop)),
    }
}

/// Returns true if the midpoint of `delta` is the one square that it passes.
fn is_straight_leap_of_two(delta: Delta) -> bool {
    let (short, long) = components(delta);
    long == 2 && Symmetry::of(short, long) != Symmetry::Oblique
}

/// Squares that a lame leap by `delta` passes over, in order.
///
/// A multiple of a shorter oblique leap passes over the squares where the shorter leaps end. Every other leap takes king steps:
/// straight along its longer axis as far as possible, then diagonally.
fn passed_squares(delta: Delta) -> Vec<Delta> {
    let (short, long) = components(delta);
    let divisor = greatest_common_divisor(long, short);
    if Symmetry::of(short, long) == Symmetry::Oblique && divisor > 1 {
        let step = Delta::new(delta.file / divisor, delta.rank / divisor);
        return (1..divisor).map(|times| step.times(times)).collect();
    }
    let along_rank = delta.rank.abs() == long;
    (1..long)
        .map(|along| {
            let across = (along - (long - short)).max(0);
            let (files, ranks) = if along_rank { (across, along) } else { (along, across) };
            Delta::new(files * delta.file.signum(), ranks * delta.rank.signum())
        })
        .collect()
}

/// Absolute values of both components, the shorter first.
fn components(delta: Delta) -> (i8, i8) {
    let (files, ranks) = (delta.file.abs(), delta.rank.abs());
    (files.min(ranks), files.max(ranks))
}

fn greatest_common_divisor(a: i8, b: i8) -> i8 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

fn lower_castling(term: &Term) -> Result<CastlingStep, SpannedError> {
    const DEFAULT_DISTANCE: u8 = 2;
    if let Some(other) = term.flags.iter().find(|flag| flag.node != Flag::Initial) {
        return Err(SpannedError::new(
            BetzaErrorKind::CastlingModifier {
                found: other.node.letter(),
            },
            other.span,
        ));
    }
    if term.flag(Flag::Initial).is_none() {
        return Err(SpannedError::new(BetzaErrorKind::CastlingNotInitial, term.atom.span));
    }
    // Without direction letters, an atom goes in all its directions.
    let both = term.directions.is_empty();
    let (mut left, mut right) = (both, both);
    for group in &term.directions {
        match group.node {
            Direction::Single(Side::Left) => left = true,
            Direction::Single(Side::Right) => right = true,
            Direction::Single(Side::Sideways) => (left, right) = (true, true),
            _ => return Err(castling_direction_error(*group)),
        }
    }
    let distance = match term.range {
        None => DEFAULT_DISTANCE,
        Some(Spanned {
            node: Range::Steps(distance),
            ..
        }) if (2..=MAX_LEAP as u8).contains(&distance) => distance,
        Some(range) => return Err(SpannedError::new(BetzaErrorKind::CastlingDistance, range.span)),
    };
    Ok(CastlingStep { distance, left, right })
}

/// Error for a direction group other than left or right.
fn castling_direction_error(group: Spanned<Direction>) -> SpannedError {
    let found = match group.node {
        Direction::Single(side) => side.letter(),
        Direction::Pair(one, other) => if one.is_vertical() { one } else { other }.letter(),
        Direction::Half(_) | Direction::Rotational(_) => 'h',
    };
    SpannedError::new(BetzaErrorKind::CastlingModifier { found }, group.span)
}
