//! Moves of several legs (`mafsW`, `yafsF`).
//!
//! A piece does nothing on the squares between two legs but to find them empty or occupied, so each
//! route is a leap that can be blocked, or that needs a screen.

use super::MAX_LEAP;
use super::ast::{Direction, Flag, Leg, Side, Spanned, Term};
use super::directions;
use super::error::SpannedError;
use crate::types::movement::{Delta, PathKind};

/// A displacement, and how the piece travels to it.
pub(super) type Way = (Delta, PathKind);

/// A leap that other pieces can block on some squares, if there are any.
pub(super) fn leap_via(via: &[Delta]) -> PathKind {
    if via.is_empty() { PathKind::Leap } else { PathKind::LameLeap { via: via.to_vec() } }
}

/// Message for legs of another atom than a king's step, or with a range.
pub(super) const LEG_ATOM: &str = "found legs with another atom than W, F or K or with a range, expected a single step for each leg, or `y` for a last leg that slides";
/// Message for legs of which one hops, beside another that hops or needs an empty square.
const MIXED_LEGS: &str =
    "found a leg that hops (`p`) and another that hops or can be blocked, expected `mp` for one of them, or two terms";

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
        return Err(SpannedError::new(LEG_ATOM, term.atom.span));
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
            let message = "found a second leg without directions, expected them, relative to the leg before, like mafsW: programs differ in whether it may turn back";
            return Err(SpannedError::new(message, term.atom.span));
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
                Some(_) => return Err(SpannedError::new(MIXED_LEGS, term.atom.span)),
            };
            ways.push((route.at, kind));
            route.empty.push(route.at);
            route.at = route.at + route.last_step;
        }
    }
    if ways.is_empty() {
        let message = "found legs that only lead back, expected a move to another square";
        return Err(SpannedError::new(message, term.atom.span));
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
                let expected = "`m`, `p` or `y` before `a`, `i` in the first leg, `m`, `c` or `e` in the last one";
                let found = format!("found `{}` in a leg where it is not supported", flag.node.letter());
                return Err(SpannedError::new(format!("{found}, expected {expected}"), flag.span));
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
            Some(span) if self.screen.is_some() => return Err(SpannedError::new(MIXED_LEGS, span)),
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
        Direction::Pair(first, second) => Err(directions::wrong_order(first, second, group.span)),
        Direction::Half(_) | Direction::Rotational(_) => Err(directions::misplaced_half(group)),
    }
}
