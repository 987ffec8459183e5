//! Leaving out what is said twice, so that each target is reached by one path.
//!
//! A path that may do two things is two *claims*: "can move there" and "can capture there" are covered separately.

use std::num::NonZeroU8;

use crate::movement::{Delta, Modality, Path, PathKind};

/// One thing that can be done at the end of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    /// Going to an empty square.
    Move,
    /// Capturing the piece there.
    Capture,
    /// Capturing en passant.
    EnPassant,
}

/// A path with one action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Claim {
    /// As in [`Path`].
    pub(super) delta: Delta,
    /// As in [`Path`].
    pub(super) kind: PathKind,
    /// As in [`Path`].
    pub(super) initial: bool,
    /// What may be done on arrival.
    pub(super) action: Action,
}

/// The paths that say what `claims` say, in the order of their first mention.
pub(super) fn paths(claims: Vec<Claim>) -> Vec<Path> {
    let claims = without_covered(split_initial_rides(claims));
    let mut paths: Vec<Path> = Vec::new();
    for Claim {
        delta,
        kind,
        initial,
        action,
    } in claims
    {
        let known = paths
            .iter()
            .position(|p| p.delta == delta && p.initial == initial && p.kind == kind);
        let index = known.unwrap_or(paths.len());
        if known.is_none() {
            paths.push(Path {
                delta,
                kind,
                modality: Modality::default(),
                initial,
            });
        }
        let modality = &mut paths[index].modality;
        match action {
            Action::Move => modality.moves = true,
            Action::Capture => modality.captures = true,
            Action::EnPassant => modality.en_passant = true,
        }
    }
    paths
}

/// Takes apart the limited first-move rides whose beginning the piece always has, so that the rest of them can stay: in
/// `fmWifmW2` the ride becomes the double step alone, as `fmWifmnD` has it.
fn split_initial_rides(claims: Vec<Claim>) -> Vec<Claim> {
    let lasting: Vec<Claim> = claims.iter().filter(|claim| !claim.initial).cloned().collect();
    let mut split = Vec::with_capacity(claims.len());
    for claim in claims {
        let squares = single_squares(&claim);
        let has_known_part = squares
            .iter()
            .any(|square| lasting.iter().any(|other| other.covers(square)));
        if has_known_part {
            split.extend(squares);
        } else {
            split.push(claim);
        }
    }
    split
}

/// A limited first-move ride as one leap for each of its squares; nothing for any other claim.
fn single_squares(claim: &Claim) -> Vec<Claim> {
    let Claim {
        delta,
        kind: PathKind::Ride { range: Some(range) },
        initial: true,
        action,
    } = *claim
    else {
        return Vec::new();
    };
    let mut passed = Vec::new();
    let mut squares = Vec::new();
    // A multiple that is no displacement is beyond every board.
    for target in (1..=range.get()).map_while(|steps| multiple(delta, steps)) {
        let kind = if passed.is_empty() {
            PathKind::Leap
        } else {
            PathKind::LameLeap { via: passed.clone() }
        };
        squares.push(Claim {
            delta: target,
            kind,
            initial: true,
            action,
        });
        passed.push(target);
    }
    squares
}

/// Leaves out each claim that another one covers; of two equal ones the earlier stays.
fn without_covered(mut claims: Vec<Claim>) -> Vec<Claim> {
    // One at a time, so that two claims which cover each other do not both go.
    for index in (0..claims.len()).rev() {
        let claim = &claims[index];
        let covered = claims
            .iter()
            .enumerate()
            .any(|(other, by)| other != index && by.covers(claim));
        if covered {
            claims.remove(index);
        }
    }
    claims
}

impl Claim {
    /// Is whatever `other` allows on any board allowed by this claim as well?
    fn covers(&self, other: &Claim) -> bool {
        self.action == other.action && (other.initial || !self.initial) && self.reaches_whatever(other)
    }

    /// Does it reach every target of `other`, under the same or weaker conditions?
    fn reaches_whatever(&self, other: &Claim) -> bool {
        let same_delta = self.delta == other.delta;
        match (&self.kind, &other.kind) {
            (PathKind::Leap, PathKind::Leap | PathKind::LameLeap { .. } | PathKind::HopLeap { .. })
            | (PathKind::Ride { .. }, PathKind::Leap) => same_delta,
            (PathKind::Ride { range }, PathKind::Ride { range: other })
            | (PathKind::HopRide { range }, PathKind::HopRide { range: other }) => {
                same_delta && longer_or_equal(*range, *other)
            }
            (PathKind::Ride { range }, PathKind::LameLeap { via }) => {
                (1..=range.map_or(u8::MAX, NonZeroU8::get))
                    .map_while(|steps| multiple(self.delta, steps))
                    // The ride is as lame as the leap, or less.
                    .take_while(|target| *target == other.delta || via.contains(target))
                    .any(|target| target == other.delta)
            }
            (PathKind::LameLeap { via }, PathKind::LameLeap { via: other }) => {
                same_delta && via.iter().all(|square| other.contains(square))
            }
            (PathKind::HopRide { .. }, PathKind::HopLeap { over }) => *over == self.delta,
            (PathKind::HopLeap { over }, PathKind::HopRide { range }) => {
                *over == other.delta && range.is_some_and(|range| range.get() == 2)
            }
            (one, another) => same_delta && one == another,
        }
    }
}

/// `delta` so many times over, if that is a displacement at all.
fn multiple(delta: Delta, times: u8) -> Option<Delta> {
    let times = i16::from(times);
    let file = i8::try_from(i16::from(delta.file) * times).ok()?;
    let rank = i8::try_from(i16::from(delta.rank) * times).ok()?;
    Some(Delta::new(file, rank))
}

/// Is `range` at least `other`, `None` being no limit?
fn longer_or_equal(range: Option<NonZeroU8>, other: Option<NonZeroU8>) -> bool {
    range.is_none_or(|range| other.is_some_and(|other| range >= other))
}
