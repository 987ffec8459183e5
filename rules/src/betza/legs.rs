//! Moves of several legs (`mafsW`, `yafsF`).
//!
//! A piece does nothing on the squares between two legs but to find them empty or occupied, so each
//! route is a leap that can be blocked, or that needs a screen.

use super::MAX_LEAP;
use super::ast::{Direction, Flag, Leg, Side, Spanned, Term};
use super::directions;
use super::error::{BetzaErrorKind, SpannedError};
use crate::types::movement::{Delta, PathKind};

/// A displacement, and how the piece travels to it.
pub(super) type Way = (Delta, PathKind);

/// A leap that other pieces can block on some squares, if there are any.
pub(super) fn leap_via(via: &[Delta]) -> PathKind {
    if via.is_empty() { PathKind::Leap } else { PathKind::LameLeap { via: via.to_vec() } }
}

/// A way through the legs so far.
#[derive(Clone, Debug)]
struct Route {
    at: Delta,
    last_step: Delta,
    /// Squares that must be empty.
    empty: Vec<Delta>,
    /// Square that must be occupied.
    screen: Option<Delta>,
}

/// The paths of a term with more than one leg, each of which is one of `leaps` if the term has no
/// range.
pub(super) fn lower(term: &Term, leaps: &[(i8, i8)], is_single: bool) -> Result<Vec<Way>, SpannedError> {
    if !is_single || leaps.iter().any(|&(_, long)| long != 1) {
        return Err(SpannedError::new(BetzaErrorKind::LegAtom, term.atom.span));
    }
    let legs: Vec<&Leg> = term.first_legs.iter().chain([&term.last_leg]).collect();
    check_modes(&legs)?;
    let mut routes = Vec::new();
    for &(short, long) in leaps {
        for step in directions::select(short, long, &legs[0].directions)? {
            routes.push(Route { at: step, last_step: step, empty: Vec::new(), screen: None });
        }
    }
    let mut rides = false;
    for pair in legs.windows(2) {
        let [before, leg] = [pair[0], pair[1]];
        if leg.directions.is_empty() {
            return Err(SpannedError::new(BetzaErrorKind::LegDirections, term.atom.span));
        }
        rides = before.flag(Flag::Ride).is_some();
        let mut continued = Vec::new();
        for route in routes {
            let route = route.between(before)?;
            for &group in &leg.directions {
                for eighths in turns(group)? {
                    let step = directions::turn(route.last_step, eighths);
                    continued.push(Route { at: route.at + step, last_step: step, ..route.clone() });
                }
            }
        }
        routes = continued;
    }
    let mut ways = Vec::new();
    for mut route in routes {
        for _ in 0..if rides { MAX_LEAP } else { 1 } {
            if route.at == Delta::default() || route.at.file.abs().max(route.at.rank.abs()) > MAX_LEAP {
                break;
            }
            let kind = match route.screen {
                None => leap_via(&route.empty),
                Some(over) if route.empty.is_empty() => PathKind::HopLeap { over },
                Some(_) => return Err(SpannedError::new(BetzaErrorKind::MixedLegs, term.atom.span)),
            };
            ways.push((route.at, kind));
            route.empty.push(route.at);
            route.at = route.at + route.last_step;
        }
    }
    if ways.is_empty() {
        return Err(SpannedError::new(BetzaErrorKind::LegsLeadBack, term.atom.span));
    }
    Ok(ways)
}

/// Only the first leg has `i`, only the last one ends with an action, and only the leg before it
/// has `y`.
fn check_modes(legs: &[&Leg]) -> Result<(), SpannedError> {
    for (index, leg) in legs.iter().enumerate() {
        let to_last = legs.len() - 1 - index;
        for flag in &leg.flags {
            let is_allowed = match flag.node {
                Flag::Move => true,
                Flag::Initial => index == 0,
                Flag::Capture | Flag::EnPassant => to_last == 0,
                Flag::Hop => to_last > 0,
                Flag::Ride => to_last == 1,
                Flag::Lame | Flag::Grasshopper | Flag::Crooked | Flag::Circular => false,
            };
            if !is_allowed {
                let found = flag.node.letter();
                return Err(SpannedError::new(BetzaErrorKind::LegMode { found }, flag.span));
            }
        }
    }
    Ok(())
}

impl Route {
    /// Adds what the square after `leg` must be: empty, occupied (`p`), or either (`mp`). The piece
    /// itself has left its origin.
    fn between(mut self, leg: &Leg) -> Result<Route, SpannedError> {
        let hop = leg.flag(Flag::Hop);
        match hop {
            _ if self.at == Delta::default() => {}
            None => self.empty.push(self.at),
            Some(_) if leg.flag(Flag::Move).is_some() => {}
            Some(span) if self.screen.is_some() => return Err(SpannedError::new(BetzaErrorKind::MixedLegs, span)),
            Some(_) => self.screen = Some(self.at),
        }
        Ok(self)
    }
}

/// The turns of a leg after another one, in eighths of a circle to the right.
fn turns(group: Spanned<Direction>) -> Result<Vec<usize>, SpannedError> {
    let eighths = |side| match side {
        Side::Forward => vec![0],
        Side::Backward => vec![4],
        Side::Left => vec![6],
        Side::Right => vec![2],
        Side::Vertical => vec![0, 4],
        Side::Sideways => vec![2, 6],
    };
    match group.node {
        Direction::Single(side) => Ok(eighths(side)),
        Direction::Pair(first, second) if !first.is_double() => {
            // Halfway between both, on the shorter way around.
            let between = |one: usize, other: usize| {
                if one.abs_diff(other) > 4 { 7 } else { usize::midpoint(one, other) }
            };
            let pairs =
                eighths(first).into_iter().flat_map(|one| eighths(second).into_iter().map(move |other| (one, other)));
            Ok(pairs.map(|(one, other)| between(one, other)).collect())
        }
        Direction::Pair(first, second) => {
            let (first, second) = (first.letter(), second.letter());
            Err(SpannedError::new(BetzaErrorKind::PairOrder { first, second }, group.span))
        }
        Direction::Half(_) | Direction::Rotational(_) => {
            Err(SpannedError::new(BetzaErrorKind::HalfOnStraightAtom, group.span))
        }
    }
}
