//! A movement in XBoard's dialect of Betza's notation.
//!
//! XBoard reads modifiers in a fixed order only (`i`, directions, then `m c e p n`), knows no leaps in parentheses, and
//! understands some groups of directions otherwise than Assay's definitions do. So the text is not translated but made anew
//! from the [`Movement`], in forms that mean the same to everybody.

use std::num::NonZeroU8;

use assay_rules::movement::{Delta, Movement, Path, PathKind};

/// A movement as XBoard reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Description {
    /// The text; `None` when nothing of the movement can be said.
    pub(super) text: Option<String>,
    /// What of the movement cannot be said.
    pub(super) omitted: Vec<Path>,
}

/// Describes a movement.
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
    Description {
        text: (!text.is_empty()).then_some(text),
        omitted,
    }
}

/// What paths have in common that are written as one atom with directions.
#[derive(Clone, Debug, PartialEq, Eq)]
struct AtomGroup {
    initial: bool,
    modes: String,
    letter: char,
    range: String,
    /// The lengths of the leap, the shorter one first.
    lengths: (i8, i8),
}

impl AtomGroup {
    /// `None` when XBoard has no way to say it.
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
            // Leaping over a piece means something else there.
            (PathKind::HopLeap { .. }, _) => return None,
        };
        // An oblique leap that others can block, or a hop by such leaps, goes by other squares or none.
        let crooked = matches!(path.kind, PathKind::LameLeap { .. }) && !straight
            || matches!(path.kind, PathKind::HopRide { .. }) && !slides;
        if crooked {
            return None;
        }
        let modality = path.modality;
        let mut modes = String::new();
        if modality.en_passant || modality.moves != modality.captures {
            for (set, mode) in [
                (modality.moves, 'm'),
                (modality.captures, 'c'),
                (modality.en_passant, 'e'),
            ] {
                if set {
                    modes.push(mode);
                }
            }
        }
        match path.kind {
            PathKind::HopRide { .. } => modes.push('p'),
            PathKind::LameLeap { .. } => modes.push('n'),
            _ => {}
        }
        Some(AtomGroup {
            initial: path.initial,
            modes,
            letter,
            range,
            lengths,
        })
    }

    /// The atom with these directions; one term for each group of directions that one term can name.
    fn text(&self, deltas: &[Delta]) -> String {
        let initial = if self.initial { "i" } else { "" };
        let term = |directions: &str| format!("{initial}{directions}{}{}{}", self.modes, self.letter, self.range);
        let all = if self.lengths.0 == 0 || self.lengths.0 == self.lengths.1 {
            4
        } else {
            8
        };
        if deltas.len() == all {
            return term("");
        }
        if self.lengths.0 == 0 {
            // Straight: every letter is a direction.
            let letters: String = deltas.iter().map(|&delta| side(delta)).collect();
            return term(&letters);
        }
        let both = |letter: char| {
            let side: Vec<Delta> = deltas
                .iter()
                .copied()
                .filter(|&delta| vertical(delta) == letter)
                .collect();
            (side.len(), side)
        };
        if all == 4 && deltas.len() == 2 && ['f', 'b'].into_iter().any(|letter| both(letter).0 == 2) {
            return term(&vertical(deltas[0]).to_string());
        }
        deltas.iter().map(|&delta| term(&pair(delta))).collect()
    }
}

/// The atom of a leap with those lengths.
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

fn vertical(delta: Delta) -> char {
    if delta.rank > 0 { 'f' } else { 'b' }
}

fn sideways(delta: Delta) -> char {
    if delta.file > 0 { 'r' } else { 'l' }
}

/// The direction of a straight leap.
fn side(delta: Delta) -> char {
    if delta.file == 0 {
        vertical(delta)
    } else {
        sideways(delta)
    }
}

/// The direction of any other leap; the side that an oblique one goes furthest to stands last.
fn pair(delta: Delta) -> String {
    let (vertical, sideways) = (vertical(delta), sideways(delta));
    if delta.rank.abs() > delta.file.abs() {
        format!("{sideways}{vertical}")
    } else {
        format!("{vertical}{sideways}")
    }
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
    fn modifiers_stand_in_the_order_that_xboard_reads() {
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
    fn what_is_written_means_the_same() {
        // XBoard's forms are among those that our own notation reads, in the same sense.
        for name in assay_rules::def::BUILTIN_NAMES {
            let game = GameDef::builtin(name).unwrap();
            for kind in &game.kinds {
                let described = describe(&kind.movement);
                let Some(text) = described.text else { continue };
                let again = parse(&text).unwrap_or_else(|error| panic!("{name} {}: {text}: {error}", kind.name));
                let mut said: Vec<Path> = kind.movement.paths.clone();
                said.retain(|path| !described.omitted.contains(path));
                for path in &said {
                    assert!(again.paths.contains(path), "{name} {}: {text}: {path:?}", kind.name);
                }
                assert_eq!(again.paths.len(), said.len(), "{name} {}: {text}", kind.name);
                assert_eq!(again.castling, kind.movement.castling);
            }
        }
    }

    #[test]
    fn what_cannot_be_said_is_named() {
        let described = describe(&parse("FAmHimf(4,0)imff(4,1)").unwrap());
        assert_eq!(described.text.as_deref(), Some("FAmH"));
        assert_eq!(described.omitted.len(), 3);
        assert_eq!(describe(&parse("nN").unwrap()).text, None);
        assert_eq!(describe(&parse("pD").unwrap()).omitted.len(), 4);
    }
}
