//! Movements in XBoard's dialect of Betza notation.
//!
//! XBoard accepts modifiers in a fixed order only (`i`, directions, then `m c e p n`), has no leaps
//! in parentheses, and interprets some groups of directions differently from Assay's definitions.
//! The text is therefore generated from the [`Movement`] in forms that mean the same in both
//! dialects.

use std::num::NonZeroU8;

use assay_rules::movement::{Delta, Movement, Path, PathKind};

/// A movement in XBoard's notation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Description {
    /// `None` if XBoard can express no part of the movement.
    pub(super) text: Option<String>,
    /// Paths that XBoard cannot express.
    pub(super) omitted: Vec<Path>,
}

pub(super) fn describe(movement: &Movement) -> Description {
    let mut groups: Vec<(AtomGroup, Vec<Delta>)> = Vec::new();
    let mut omitted = Vec::new();
    for path in &movement.paths {
        let Some(group) = AtomGroup::of(path) else {
            omitted.push(path.clone());
            continue;
        };
        match groups.iter_mut().find(|(known, _)| *known == group) {
            Some((_, deltas)) => deltas.push(path.delta),
            None => groups.push((group, vec![path.delta])),
        }
    }
    let mut text: String = groups.iter().map(|(group, deltas)| group.text(deltas)).collect();
    if let Some(castling) = movement.castling {
        let sides = match (castling.left, castling.right) {
            (true, true) => "s",
            (true, false) => "l",
            _ => "r",
        };
        text += &format!("i{sides}O{}", castling.distance);
    }
    Description { text: (!text.is_empty()).then_some(text), omitted }
}

/// Common properties of paths that are written as one atom with directions.
#[derive(Clone, Debug, PartialEq, Eq)]
struct AtomGroup {
    initial: bool,
    modes: String,
    letter: char,
    range: String,
    /// Lengths of the leap, shorter first.
    lengths: (i8, i8),
}

impl AtomGroup {
    /// Returns the group of a path; `None` if XBoard cannot express the path.
    fn of(path: &Path) -> Option<AtomGroup> {
        let (file, rank) = (path.delta.file.abs(), path.delta.rank.abs());
        let lengths = (file.min(rank), file.max(rank));
        let straight = lengths.0 == 0 || lengths.0 == lengths.1;
        let letter = atom(lengths)?;
        let slides = lengths.1 == 1;
        let (letter, range) = match (&path.kind, slides) {
            (PathKind::Leap | PathKind::LameLeap { .. }, _) => (letter, String::new()),
            (PathKind::Ride { range: None } | PathKind::HopRide { range: None }, true) => {
                (if lengths.0 == 0 { 'R' } else { 'B' }, String::new())
            }
            (PathKind::Ride { range } | PathKind::HopRide { range }, _) => {
                (letter, range.map_or(0, NonZeroU8::get).to_string())
            }
            // Leaps over a piece mean something else in XBoard.
            (PathKind::HopLeap { .. }, _) => return None,
            (PathKind::Grasshop, _) => (if lengths.0 == 0 { 'R' } else { 'B' }, String::new()),
        };
        // XBoard uses other blocking squares for oblique lame leaps, and has no hops by longer
        // steps.
        let is_inexpressible = matches!(path.kind, PathKind::LameLeap { .. }) && (!straight || path.is_bent())
            || matches!(path.kind, PathKind::HopRide { .. }) && !slides;
        if is_inexpressible {
            return None;
        }
        let modality = path.modality;
        let mut modes = String::new();
        if modality.en_passant || modality.moves != modality.captures {
            for (set, mode) in [(modality.moves, 'm'), (modality.captures, 'c'), (modality.en_passant, 'e')] {
                if set {
                    modes.push(mode);
                }
            }
        }
        match path.kind {
            PathKind::HopRide { .. } => modes.push('p'),
            PathKind::Grasshop => modes.push('g'),
            PathKind::LameLeap { .. } => modes.push('n'),
            _ => {}
        }
        Some(AtomGroup { initial: path.initial, modes, letter, range, lengths })
    }

    /// Formats the atom with these directions, with as few terms as possible.
    fn text(&self, deltas: &[Delta]) -> String {
        let initial = if self.initial { "i" } else { "" };
        let term = |directions: &str| format!("{initial}{directions}{}{}{}", self.modes, self.letter, self.range);
        let all = if self.lengths.0 == 0 || self.lengths.0 == self.lengths.1 { 4 } else { 8 };
        if deltas.len() == all {
            return term("");
        }
        if self.lengths.0 == 0 {
            // Orthogonal atoms: every letter is a direction.
            let letters: String = deltas.iter().map(|&delta| orthogonal_direction(delta)).collect();
            return term(&letters);
        }
        let both = |letter: char| {
            let side: Vec<Delta> =
                deltas.iter().copied().filter(|&delta| vertical_direction(delta) == letter).collect();
            (side.len(), side)
        };
        if all == 4 && deltas.len() == 2 && ['f', 'b'].into_iter().any(|letter| both(letter).0 == 2) {
            return term(&vertical_direction(deltas[0]).to_string());
        }
        deltas.iter().map(|&delta| term(&direction_pair(delta))).collect()
    }
}

/// Returns the atom of a leap, given its lengths.
fn atom(lengths: (i8, i8)) -> Option<char> {
    Some(match lengths {
        (0, 1) => 'W',
        (1, 1) => 'F',
        (0, 2) => 'D',
        (1, 2) => 'N',
        (2, 2) => 'A',
        (0, 3) => 'H',
        (1, 3) => 'C',
        (2, 3) => 'Z',
        (3, 3) => 'G',
        _ => return None,
    })
}

fn vertical_direction(delta: Delta) -> char {
    if delta.rank > 0 { 'f' } else { 'b' }
}

fn sideways_direction(delta: Delta) -> char {
    if delta.file > 0 { 'r' } else { 'l' }
}

/// Direction of an orthogonal leap.
fn orthogonal_direction(delta: Delta) -> char {
    if delta.file == 0 { vertical_direction(delta) } else { sideways_direction(delta) }
}

/// Direction of any other leap. The longer component of an oblique leap comes last.
fn direction_pair(delta: Delta) -> String {
    let (vertical, sideways) = (vertical_direction(delta), sideways_direction(delta));
    if delta.rank.abs() > delta.file.abs() { format!("{sideways}{vertical}") } else { format!("{vertical}{sideways}") }
}

#[cfg(test)]
mod tests {
    use assay_rules::GameDef;
    use assay_rules::betza::parse;

    use super::*;

    fn text(betza: &str) -> String {
        let described = describe(&parse(betza).unwrap());
        assert_eq!(described.omitted, [], "{betza}");
        described.text.unwrap()
    }

    #[test]
    fn orders_modifiers_for_xboard() {
        assert_eq!(text("mfFcfeWimfnA"), "fmFfceWifmnA");
        assert_eq!(text("fmWfceFifmnD"), "fmWfceFifmnD");
        assert_eq!(text("N"), "N");
        assert_eq!(text("Q"), "RB");
        assert_eq!(text("KisO3"), "WFisO3");
        assert_eq!(text("mfsN"), "frmNflmN");
        assert_eq!(text("KmRcpR"), "cWFmRcpR");
        assert_eq!(text("W3NN"), "W3N0");
        assert_eq!(text("rfN"), "rfN");
        assert_eq!(text("flF"), "flF");
    }

    #[test]
    fn text_parses_to_same_movement() {
        // XBoard's forms mean the same in Assay's notation.
        for name in assay_rules::def::BUILTIN_NAMES {
            let game = GameDef::builtin(name).unwrap();
            for kind in game.kinds.iter() {
                let described = describe(&kind.movement);
                let Some(text) = described.text else { continue };
                let again = parse(&text).unwrap_or_else(|error| panic!("{name} {}: {text}: {error}", kind.name));
                let mut expressible: Vec<Path> = kind.movement.paths.clone();
                expressible.retain(|path| !described.omitted.contains(path));
                for path in &expressible {
                    assert!(again.paths.contains(path), "{name} {}: {text}: {path:?}", kind.name);
                }
                assert_eq!(again.paths.len(), expressible.len(), "{name} {}: {text}", kind.name);
                assert_eq!(again.castling, kind.movement.castling);
            }
        }
    }

    #[test]
    fn reports_inexpressible_paths() {
        let described = describe(&parse("FAmHimf(4,0)imff(4,1)").unwrap());
        assert_eq!(described.text.as_deref(), Some("FAmH"));
        assert_eq!(described.omitted.len(), 3);
        assert_eq!(describe(&parse("nN").unwrap()).text, None);
        assert_eq!(describe(&parse("pD").unwrap()).omitted.len(), 4);
    }
}
