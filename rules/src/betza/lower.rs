//! From the structure of the text to its meaning.

use std::num::NonZeroU8;

use super::MAX_LEAP;
use super::ast::{Atom, Direction, Flag, Repeat, Side, Spanned, Term};
use super::cover::{self, Action, Claim};
use super::directions::{self, Family};
use super::error::{BetzaErrorKind, SpannedError};
use crate::movement::{CastlingStep, Delta, Movement, PathKind};

/// What `terms` mean together.
pub(super) fn movement(terms: &[Term]) -> Result<Movement, SpannedError> {
    let mut claims = Vec::new();
    let mut castling = None;
    for term in terms {
        if term.atom.node == Atom::Castling {
            if castling.is_some() {
                return Err(SpannedError::new(BetzaErrorKind::CastlingTwice, term.atom.span));
            }
            castling = Some(castling_step(term)?);
        } else {
            claim_term(term, &mut claims)?;
        }
    }
    Ok(Movement {
        paths: cover::paths(claims),
        castling,
    })
}

/// How often a step may be repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Steps {
    One,
    /// At least two; `None` for no limit.
    Many(Option<NonZeroU8>),
}

/// What an atom is made of: leaps `(short, long)`, and how often they repeat when the text is silent.
fn parts(atom: Atom) -> (Vec<(i8, i8)>, Steps) {
    const STRAIGHT: (i8, i8) = (0, 1);
    const ASLANT: (i8, i8) = (1, 1);
    match atom {
        Atom::Leap { short, long } => (vec![(short, long)], Steps::One),
        Atom::King => (vec![STRAIGHT, ASLANT], Steps::One),
        Atom::Queen => (vec![STRAIGHT, ASLANT], Steps::Many(None)),
        Atom::Rook => (vec![STRAIGHT], Steps::Many(None)),
        Atom::Bishop => (vec![ASLANT], Steps::Many(None)),
        Atom::Castling => (Vec::new(), Steps::One),
    }
}

/// Adds everything that one term without castling allows to `claims`.
fn claim_term(term: &Term, claims: &mut Vec<Claim>) -> Result<(), SpannedError> {
    let (leaps, silent) = parts(term.atom.node);
    let steps = match term.repeat.map(|repeat| repeat.node) {
        None => silent,
        Some(Repeat::Doubled | Repeat::Number(0)) => Steps::Many(None),
        Some(Repeat::Number(1)) => Steps::One,
        Some(Repeat::Number(limit)) => Steps::Many(NonZeroU8::new(limit)),
    };
    let initial = term.flag(Flag::Initial).is_some();
    let actions = actions(term);
    for (short, long) in leaps {
        for delta in directions::chosen(short, long, &term.directions)? {
            let kind = kind(term, delta, steps)?;
            if let (Some(span), true) = (term.flag(Flag::EnPassant), kind != PathKind::Leap) {
                return Err(SpannedError::new(BetzaErrorKind::EnPassantNotLeap, span));
            }
            claims.extend(actions.iter().map(|&action| Claim {
                delta,
                kind: kind.clone(),
                initial,
                action,
            }));
        }
    }
    Ok(())
}

/// What the term allows at the end of a path: what it names, or moving and capturing if it names nothing.
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

/// How the term travels along `delta`.
fn kind(term: &Term, delta: Delta, steps: Steps) -> Result<PathKind, SpannedError> {
    let is_single_step = delta.file.abs().max(delta.rank.abs()) == 1;
    match (term.flag(Flag::Lame), term.flag(Flag::Hop), steps) {
        (None, None, Steps::One) => Ok(PathKind::Leap),
        (None, None, Steps::Many(range)) => Ok(PathKind::Ride { range }),
        (Some(lame), Some(hop), _) => {
            let later = if lame.start > hop.start { lame } else { hop };
            Err(SpannedError::new(BetzaErrorKind::LameHop, later))
        }
        (Some(lame), None, Steps::One) if is_single_step => Err(SpannedError::new(BetzaErrorKind::NothingToJump, lame)),
        (Some(_), None, Steps::One) => Ok(PathKind::LameLeap {
            via: passed_squares(delta),
        }),
        (Some(lame), None, Steps::Many(_)) => {
            let kind = if is_single_step {
                BetzaErrorKind::RideCannotJump
            } else {
                BetzaErrorKind::LameRide
            };
            Err(SpannedError::new(kind, lame))
        }
        (None, Some(hop), Steps::One) if is_single_step => Err(SpannedError::new(BetzaErrorKind::NoRoomForScreen, hop)),
        (None, Some(_), Steps::Many(range)) if is_single_step => Ok(PathKind::HopRide { range }),
        (None, Some(_), Steps::One) if is_straight_leap_of_two(delta) => Ok(PathKind::HopLeap {
            over: Delta::new(delta.file / 2, delta.rank / 2),
        }),
        (None, Some(hop), _) => Err(SpannedError::new(BetzaErrorKind::HopOnLeap, hop)),
    }
}

/// Is `delta` a leap whose middle is one square?
fn is_straight_leap_of_two(delta: Delta) -> bool {
    let (short, long) = components(delta);
    long == 2 && Family::of(short, long) != Family::Oblique
}

/// The squares that a lame leap by `delta` passes, in order.
///
/// A leap that is a shorter oblique leap several times over passes where the shorter leaps end. Every other leap goes like a
/// king: straight along its longer axis as long as it can, then aslant.
fn passed_squares(delta: Delta) -> Vec<Delta> {
    let (short, long) = components(delta);
    let divisor = greatest_common_divisor(long, short);
    if Family::of(short, long) == Family::Oblique && divisor > 1 {
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

/// The sizes of both components, the shorter first.
fn components(delta: Delta) -> (i8, i8) {
    let (files, ranks) = (delta.file.abs(), delta.rank.abs());
    (files.min(ranks), files.max(ranks))
}

fn greatest_common_divisor(a: i8, b: i8) -> i8 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

/// What a term with `O` means.
fn castling_step(term: &Term) -> Result<CastlingStep, SpannedError> {
    const PLAIN: u8 = 2;
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
    // An atom without directions goes in all it has, and castling has these two.
    let silent = term.directions.is_empty();
    let (mut left, mut right) = (silent, silent);
    for group in &term.directions {
        match group.node {
            Direction::Alone(Side::Left) => left = true,
            Direction::Alone(Side::Right) => right = true,
            Direction::Alone(Side::Sideways) => (left, right) = (true, true),
            _ => return Err(foreign_to_castling(*group)),
        }
    }
    let distance = match term.repeat {
        None => PLAIN,
        Some(Spanned {
            node: Repeat::Number(distance),
            ..
        }) if (2..=MAX_LEAP as u8).contains(&distance) => distance,
        Some(repeat) => return Err(SpannedError::new(BetzaErrorKind::CastlingDistance, repeat.span)),
    };
    Ok(CastlingStep { distance, left, right })
}

/// The fault of a direction group that castling does not have.
fn foreign_to_castling(group: Spanned<Direction>) -> SpannedError {
    let found = match group.node {
        Direction::Alone(side) => side.letter(),
        Direction::Pair(one, other) => if one.is_vertical() { one } else { other }.letter(),
        Direction::Half(_) | Direction::Turning(_) => 'h',
    };
    SpannedError::new(BetzaErrorKind::CastlingModifier { found }, group.span)
}
