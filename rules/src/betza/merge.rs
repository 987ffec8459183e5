//! Removal of redundant paths, so that as far as possible only one path leads to each target.
//!
//! Moving, capturing and capturing en passant along the same path are separate [`PathAction`]s,
//! because another path may make only one of them redundant.

use std::num::NonZeroU8;

use super::MAX_LEAP;
use crate::types::movement::{Delta, Modality, Path, PathKind};

/// What a piece does at the end of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    Move,
    Capture,
    EnPassant,
}

/// A [`Path`] with a single action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PathAction {
    pub(super) delta: Delta,
    pub(super) kind: PathKind,
    pub(super) initial: bool,
    pub(super) action: Action,
}

/// Merges actions into paths without redundancy, in the order of first occurrence.
pub(super) fn merge_paths(actions: Vec<PathAction>) -> Vec<Path> {
    let actions = remove_redundant(split_initial_rides(actions));
    let mut paths: Vec<Path> = Vec::new();
    for PathAction { delta, kind, initial, action } in actions {
        let known = paths.iter().position(|p| p.delta == delta && p.initial == initial && p.kind == kind);
        let index = known.unwrap_or(paths.len());
        if known.is_none() {
            paths.push(Path { delta, kind, modality: Modality::default(), initial });
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

/// Splits initial rides of limited range into leaps if part of the ride is always available. The
/// redundant leaps are removed later: the ride in `fmWifmW2` becomes the lame double step of
/// `fmWifmnD`.
fn split_initial_rides(actions: Vec<PathAction>) -> Vec<PathAction> {
    let permanent: Vec<PathAction> = actions.iter().filter(|entry| !entry.initial).cloned().collect();
    let mut split = Vec::with_capacity(actions.len());
    for entry in actions {
        let leaps = split_ride(&entry);
        let is_partly_redundant = leaps.iter().any(|leap| permanent.iter().any(|other| other.covers(leap)));
        if is_partly_redundant {
            split.extend(leaps);
        } else {
            split.push(entry);
        }
    }
    split
}

/// Converts an initial ride of limited range to one leap per square; returns nothing for any other
/// action.
fn split_ride(entry: &PathAction) -> Vec<PathAction> {
    let PathAction { delta, kind: PathKind::Ride { range: Some(range) }, initial: true, action } = *entry else {
        return Vec::new();
    };
    let mut passed = Vec::new();
    let mut leaps = Vec::new();
    for target in (1..=range.get()).map_while(|steps| multiple(delta, steps)) {
        let kind = if passed.is_empty() { PathKind::Leap } else { PathKind::LameLeap { via: passed.clone() } };
        leaps.push(PathAction { delta: target, kind, initial: true, action });
        passed.push(target);
    }
    leaps
}

/// Removes each action that another one covers; of two equal ones the earlier remains.
fn remove_redundant(mut actions: Vec<PathAction>) -> Vec<PathAction> {
    // One at a time, so that two actions that cover each other are not both removed.
    for index in (0..actions.len()).rev() {
        let entry = &actions[index];
        let covered = actions.iter().enumerate().any(|(other, by)| other != index && by.covers(entry));
        if covered {
            actions.remove(index);
        }
    }
    actions
}

impl PathAction {
    /// Returns true if this action allows everything that `other` allows, on any board.
    fn covers(&self, other: &PathAction) -> bool {
        self.action == other.action && (other.initial || !self.initial) && self.reaches_targets_of(other)
    }

    /// Returns true if this path reaches every target of `other` under the same or weaker
    /// conditions.
    fn reaches_targets_of(&self, other: &PathAction) -> bool {
        let same_delta = self.delta == other.delta;
        match (&self.kind, &other.kind) {
            (PathKind::Leap, PathKind::Leap | PathKind::LameLeap { .. } | PathKind::HopLeap { .. })
            | (PathKind::Ride { .. }, PathKind::Leap)
            | (PathKind::HopRide { range: None }, PathKind::Grasshop) => same_delta,
            (PathKind::Ride { range }, PathKind::Ride { range: other })
            | (PathKind::HopRide { range }, PathKind::HopRide { range: other }) => {
                same_delta && is_at_least(*range, *other)
            }
            (PathKind::Ride { range }, PathKind::LameLeap { via }) => {
                (1..=range.map_or(u8::MAX, NonZeroU8::get))
                    .map_while(|steps| multiple(self.delta, steps))
                    // The ride must not need more empty squares than the leap.
                    .take_while(|target| *target == other.delta || via.contains(target))
                    .any(|target| target == other.delta)
            }
            (PathKind::LameLeap { via }, PathKind::LameLeap { via: other }) => {
                same_delta && via.iter().all(|square| other.contains(square))
            }
            (PathKind::HopRide { .. } | PathKind::Grasshop, PathKind::HopLeap { over }) => {
                *over == self.delta && other.delta == self.delta.times(2)
            }
            (PathKind::HopLeap { over }, PathKind::HopRide { range }) => {
                self.delta == other.delta.times(2)
                    && *over == other.delta
                    && range.is_some_and(|range| range.get() == 2)
            }
            (this, that) => same_delta && this == that,
        }
    }
}

/// Multiplies a displacement; `None` if the product is beyond every board.
fn multiple(delta: Delta, times: u8) -> Option<Delta> {
    let component = |number: i8| {
        let product = i16::from(number) * i16::from(times);
        i8::try_from(product).ok().filter(|product| product.unsigned_abs() <= MAX_LEAP.unsigned_abs())
    };
    Some(Delta::new(component(delta.file)?, component(delta.rank)?))
}

fn is_at_least(range: Option<NonZeroU8>, other: Option<NonZeroU8>) -> bool {
    range.is_none_or(|range| other.is_some_and(|other| range >= other))
}
