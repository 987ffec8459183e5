//! XBetza: errors point into the text, movements stay within their limits, and a mirrored text is
//! the mirrored movement.

use std::collections::HashSet;

use assay_rules::betza::{self, MAX_LEAP};
use assay_rules::movement::{Delta, Movement, Path, PathKind};

use crate::seeds;

pub fn target(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let movement = match betza::parse(&text) {
        Ok(movement) => movement,
        Err(error) => {
            let span = error.span;
            assert!(error.text.get(span.start..span.end).is_some(), "{span:?} is not a span");
            assert_eq!(error.caret().lines().count(), 2);
            assert!(!error.to_string().is_empty());
            return;
        }
    };
    for path in &movement.paths {
        assert!(path.delta != Delta::new(0, 0) && !is_too_long(path.delta), "{path:?}");
        let modality = path.modality;
        assert!(modality.moves || modality.captures || modality.en_passant, "{path:?}");
        if let PathKind::Ride { range } | PathKind::HopRide { range } = &path.kind {
            assert!(range.is_none_or(|range| range.get() >= 2), "{path:?}");
        }
    }
    assert!(!movement.paths.is_empty() || movement.castling.is_some());
    let mirrored = betza::parse(&mirror_text(&text)).expect("the mirrored text is valid");
    let mirror = mirror(&movement);
    let (expected, found) = (sorted(mirror.paths), sorted(mirrored.paths));
    assert_eq!(paths(&expected), paths(&found));
    assert_eq!(mirror.castling, mirrored.castling);
}

fn is_too_long(delta: Delta) -> bool {
    delta.file.unsigned_abs().max(delta.rank.unsigned_abs()) > MAX_LEAP.unsigned_abs()
}

fn paths(list: &[Path]) -> HashSet<&Path> {
    let paths: HashSet<&Path> = list.iter().collect();
    assert_eq!(paths.len(), list.len(), "a path is listed twice");
    paths
}

/// Of two ways over the same squares, the movement has only the first.
fn sorted(mut paths: Vec<Path>) -> Vec<Path> {
    for path in &mut paths {
        if let PathKind::LameLeap { via } = &mut path.kind {
            via.sort_unstable();
        }
    }
    paths
}

fn mirror_text(text: &str) -> String {
    let swap = |letter| match letter {
        'l' => 'r',
        'r' => 'l',
        other => other,
    };
    text.chars().map(swap).collect()
}

fn mirror(movement: &Movement) -> Movement {
    let delta = |delta: Delta| Delta::new(-delta.file, delta.rank);
    let mut mirrored = movement.clone();
    for path in &mut mirrored.paths {
        path.delta = delta(path.delta);
        match &mut path.kind {
            PathKind::LameLeap { via } => via.iter_mut().for_each(|square| *square = delta(*square)),
            PathKind::HopLeap { over } => *over = delta(*over),
            PathKind::Leap | PathKind::Ride { .. } | PathKind::HopRide { .. } | PathKind::Grasshop => {}
        }
    }
    if let Some(castling) = &mut mirrored.castling {
        std::mem::swap(&mut castling.left, &mut castling.right);
    }
    mirrored
}

pub fn seeds() -> Vec<Vec<u8>> {
    let diagrams = seeds::read("testdata/betza/diagrams.txt");
    let valid = diagrams.lines().filter_map(|line| line.strip_prefix("= ")?.split(' ').next());
    let errors = seeds::read("testdata/betza/errors.txt");
    let invalid = errors.split("\n\n").filter_map(|case| case.lines().next());
    valid.chain(invalid).map(|text| text.as_bytes().to_vec()).collect()
}
