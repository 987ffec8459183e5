//! Lowering: from the syntax tree to a [`Movement`].

use std::iter;
use std::num::NonZeroU8;

use super::ast::{Atom, Direction, Flag, Leg, Side, Span, Spanned, Term};
use super::directions::{self, Symmetry};
use super::error::SpannedError;
use super::legs::{self, LEG_ATOM, Way, leap_via};
use super::merge::{self, Action, PathAction};
use super::{MAX_LEAP, MAX_RANGE};
use crate::types::movement::{CastlingStep, Delta, Movement, PathKind};

/// Converts all terms to a movement.
pub(super) fn lower(terms: &[Term]) -> Result<Movement, SpannedError> {
    let mut actions = Vec::new();
    let mut castling = None;
    for term in terms {
        if term.atom.node == Atom::Castling {
            if castling.is_some() {
                let message = "found a second `O`, expected castling at most once";
                return Err(SpannedError::new(message, term.atom.span));
            }
            castling = Some(lower_castling(term)?);
        } else {
            lower_term(term, &mut actions)?;
        }
    }
    Ok(Movement { paths: merge::merge_paths(actions), castling })
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
        Some(1) => Steps::One,
        Some(limit) => Steps::Many(NonZeroU8::new(limit)),
    };
    let leg = &term.last_leg;
    let mut ways = Vec::new();
    if term.first_legs.is_empty() {
        for (short, long) in leaps {
            for delta in directions::select(short, long, &leg.directions)? {
                ways.extend(single_leg(leg, delta, steps)?);
            }
        }
    } else {
        ways = legs::lower(term, &leaps, steps == Steps::One)?;
    }
    let is_plain = ways.iter().all(|(_, kind)| *kind == PathKind::Leap);
    if let (Some(span), false) = (leg.flag(Flag::EnPassant), is_plain) {
        let message = "found `e` on a ride or with `n` or `p`, expected it only on plain leaps";
        return Err(SpannedError::new(message, span));
    }
    let initial = [leg].into_iter().chain(&term.first_legs).any(|leg| leg.flag(Flag::Initial).is_some());
    let actions = actions(leg);
    for (delta, kind) in ways {
        for &action in &actions {
            let path = PathAction { delta, kind: kind.clone(), initial, action };
            // Crooked and circular rides begin twice on the same squares.
            if !out.contains(&path) {
                out.push(path);
            }
        }
    }
    Ok(())
}

/// Actions allowed at the end of a path: the actions that its last leg names, or moving and
/// capturing if it names none.
fn actions(leg: &Leg) -> Vec<Action> {
    let named = [(Flag::Move, Action::Move), (Flag::Capture, Action::Capture), (Flag::EnPassant, Action::EnPassant)];
    let named: Vec<Action> =
        named.into_iter().filter(|&(flag, _)| leg.flag(flag).is_some()).map(|(_, action)| action).collect();
    if named.is_empty() { vec![Action::Move, Action::Capture] } else { named }
}

/// The paths of a move with one leg that begins in the direction of `delta`.
fn single_leg(leg: &Leg, delta: Delta, steps: Steps) -> Result<Vec<Way>, SpannedError> {
    let is_single_step = delta.file.abs().max(delta.rank.abs()) == 1;
    let travels = [Flag::Lame, Flag::Hop, Flag::Grasshopper, Flag::Crooked, Flag::Circular, Flag::Ride];
    let mut travels = leg.flags.iter().filter(|flag| travels.contains(&flag.node));
    let Some(&Spanned { node: travel, span }) = travels.next() else {
        let kind = match steps {
            Steps::One => PathKind::Leap,
            Steps::Many(range) => PathKind::Ride { range },
        };
        return Ok(vec![(delta, kind)]);
    };
    if let Some(later) = travels.next() {
        let (first, second) = (travel.letter(), later.node.letter());
        let message = format!("found `{first}` and `{second}` before one atom, expected only one of them");
        return Err(SpannedError::new(message, later.span));
    }
    let error = |message: &str| Err(SpannedError::new(message, span));
    let bent_ride = || {
        let expected = if travel == Flag::Crooked {
            "zB, zR or a range, like zF3"
        } else {
            "a repeated oblique leap, like qN0 or qN3"
        };
        let found = format!("found `{}` on another atom than a ride in all directions", travel.letter());
        error(&format!("{found}, expected {expected}: without a range, some read a single leap"))
    };
    let bends = matches!(travel, Flag::Crooked | Flag::Circular);
    if bends && (!leg.directions.is_empty() || steps == Steps::One) {
        return bent_ride();
    }
    let kind = match (travel, steps) {
        (Flag::Lame, Steps::One) if is_single_step => {
            return error("found `n` on a single step, which nothing can block: expected a longer leap");
        }
        (Flag::Lame, Steps::One) => PathKind::LameLeap { via: delta.passed_squares() },
        (Flag::Lame, Steps::Many(_)) if is_single_step => {
            return error("found `n` on a slide, which is blocked anyway: expected `n` on a leap, or no `n`");
        }
        (Flag::Lame, Steps::Many(range)) => return Ok(ride(iter::repeat(delta), range, true)),
        (Flag::Hop, Steps::One) if is_single_step => {
            return error("found `p` on a single step, which has no room for a screen: expected a slide, or D or A");
        }
        (Flag::Hop, Steps::Many(range)) if is_single_step => PathKind::HopRide { range },
        (Flag::Hop, Steps::One) if is_straight_leap_of_two(delta) => {
            PathKind::HopLeap { over: Delta::new(delta.file / 2, delta.rank / 2) }
        }
        (Flag::Hop, _) => {
            return error(
                "found `p` on a leap, which is not supported here: expected a slide (R B Q, W and F with a range), or D or A",
            );
        }
        (Flag::Grasshopper, Steps::Many(None)) if is_single_step => PathKind::Grasshop,
        (Flag::Grasshopper, _) => {
            return error(
                "found `g` on a leap or with a range, expected gQ, gR or gB: Fairy-Stockfish reads gW as gR and gR3 as pR3, XBoard changes the range beyond the screen",
            );
        }
        (Flag::Crooked, Steps::Many(range)) if is_single_step => {
            let turned =
                |eighths| iter::repeat_n([delta, directions::turn(delta, eighths)], usize::from(MAX_RANGE)).flatten();
            return Ok([2, 6].into_iter().flat_map(|eighths| ride(turned(eighths), range, false)).collect());
        }
        (Flag::Circular, Steps::Many(range)) if !is_straight(delta) => {
            let turned = |eighth: usize| (0..8).map(move |step| directions::turn(delta, step * eighth));
            return Ok([1, 7].into_iter().flat_map(|eighth| ride(turned(eighth), range, false)).collect());
        }
        (Flag::Crooked | Flag::Circular, _) => return bent_ride(),
        _ => return error("found `y` without a second leg, expected one that slides, like yafsF"),
    };
    Ok(vec![(delta, kind)])
}

/// Leaps to each square on the way of a ride whose steps need not be equal. Each leap can be
/// blocked on the squares where the earlier ones end, if `lame` also on those that the steps pass.
/// The ride ends where it began, or beyond the widest board.
fn ride(steps: impl Iterator<Item = Delta>, range: Option<NonZeroU8>, lame: bool) -> Vec<Way> {
    let (mut at, mut via, mut ways) = (Delta::default(), Vec::new(), Vec::new());
    for step in steps.take(range.map_or(usize::MAX, |range| usize::from(range.get()))) {
        if lame {
            via.extend(step.passed_squares().into_iter().map(|passed| at + passed));
        }
        at = at + step;
        if at == Delta::default() || at.file.abs().max(at.rank.abs()) > MAX_LEAP {
            break;
        }
        ways.push((at, leap_via(&via)));
        via.push(at);
    }
    ways
}

/// Returns true for a leap along a rank, a file or a diagonal.
fn is_straight(delta: Delta) -> bool {
    let (files, ranks) = (delta.file.abs(), delta.rank.abs());
    Symmetry::of(files.min(ranks), files.max(ranks)) != Symmetry::Oblique
}

/// Returns true if the midpoint of `delta` is the one square that it passes.
fn is_straight_leap_of_two(delta: Delta) -> bool {
    delta.file.abs().max(delta.rank.abs()) == 2 && is_straight(delta)
}

fn lower_castling(term: &Term) -> Result<CastlingStep, SpannedError> {
    const DEFAULT_DISTANCE: u8 = 2;
    let leg = &term.last_leg;
    if !term.first_legs.is_empty() {
        return Err(SpannedError::new(LEG_ATOM, term.atom.span));
    }
    if let Some(other) = leg.flags.iter().find(|flag| flag.node != Flag::Initial) {
        return Err(castling_modifier(other.node.letter(), other.span));
    }
    if leg.flag(Flag::Initial).is_none() {
        let message = "found `O` without `i`, expected castling as an initial move, like isO2";
        return Err(SpannedError::new(message, term.atom.span));
    }
    // Without direction letters, an atom goes in all its directions.
    let both = leg.directions.is_empty();
    let (mut left, mut right) = (both, both);
    for group in &leg.directions {
        match group.node {
            Direction::Single(Side::Left) => left = true,
            Direction::Single(Side::Right) => right = true,
            Direction::Single(Side::Sideways) => (left, right) = (true, true),
            Direction::Single(side) => return Err(castling_modifier(side.letter(), group.span)),
            Direction::Pair(one, other) => {
                let vertical = if one.is_vertical() { one } else { other };
                return Err(castling_modifier(vertical.letter(), group.span));
            }
            Direction::Half(_) | Direction::Rotational(_) => return Err(castling_modifier('h', group.span)),
        }
    }
    let distance = match term.range {
        None => DEFAULT_DISTANCE,
        Some(Spanned { node: distance, .. }) if (2..=MAX_LEAP as u8).contains(&distance) => distance,
        Some(range) => {
            let expected = "the number of files that the king travels";
            let message = format!("found a castling distance outside 2 to {MAX_LEAP}, expected {expected}");
            return Err(SpannedError::new(message, range.span));
        }
    };
    Ok(CastlingStep { distance, left, right })
}

/// Error for a modifier of `O` other than `i`, left or right.
fn castling_modifier(found: char, span: Span) -> SpannedError {
    SpannedError::new(format!("found `{found}` before `O`, expected only i l r s"), span)
}
