//! Kinds of pieces that Fairy-Stockfish has names for.

use std::ops::Index;

use indexmap::IndexMap;

use crate::betza;
use crate::types::color::Color;
use crate::types::movement::{Movement, Path, PathKind};
use crate::types::piece::Kind;

/// Name of a kind, which is also its key.
pub(super) type Name = &'static str;

/// Kinds whose keys give their movements.
#[rustfmt::skip]
pub(super) const CUSTOM_PIECES: [Name; 25] = [
    "customPiece1", "customPiece2", "customPiece3", "customPiece4", "customPiece5",
    "customPiece6", "customPiece7", "customPiece8", "customPiece9", "customPiece10",
    "customPiece11", "customPiece12", "customPiece13", "customPiece14", "customPiece15",
    "customPiece16", "customPiece17", "customPiece18", "customPiece19", "customPiece20",
    "customPiece21", "customPiece22", "customPiece23", "customPiece24", "customPiece25",
];

/// Movements of the named kinds of pieces, in XBetza; the movement of a pawn depends on other keys.
pub(super) const KINDS: [(Name, &str); 34] = [
    ("pawn", ""),
    ("knight", "N"),
    ("bishop", "B"),
    ("rook", "R"),
    ("queen", "Q"),
    ("fers", "F"),
    ("alfil", "A"),
    ("fersAlfil", "FA"),
    ("silver", "FfW"),
    ("aiwok", "RNF"),
    ("bers", "RF"),
    ("archbishop", "BN"),
    ("chancellor", "RN"),
    ("amazon", "QN"),
    ("knibis", "mNcB"),
    ("biskni", "mBcN"),
    ("kniroo", "mNcR"),
    ("rookni", "mRcN"),
    ("shogiPawn", "fW"),
    ("lance", "fR"),
    ("shogiKnight", "ffN"),
    ("gold", "WfF"),
    ("dragonHorse", "BW"),
    ("clobber", "cW"),
    ("breakthrough", "fmWfF"),
    ("cannon", "mRcpR"),
    ("soldier", "fsW"),
    ("horse", "nN"),
    ("elephant", "nA"),
    ("banner", "RcpRnN"),
    ("wazir", "W"),
    ("commoner", "K"),
    ("centaur", "KN"),
    ("king", "K"),
];

/// The pawn of chess, with its double step.
pub(super) const CHESS_PAWN: &str = "fmWfceFifmnD";

/// The pawn of chess, with double steps from all ranks.
pub(super) const TORPEDO_PAWN: &str = "fmWfceFfmnD";

/// The pawn of chess without double steps.
pub(super) const PAWN_WITHOUT_DOUBLE_STEP: &str = "fmWfcF";

/// A kind of piece. The movement of a kind called `pawn` is empty, as other keys say it.
#[derive(Clone)]
pub(super) struct FairyKind {
    /// Upper-case letter.
    pub(super) letter: char,
    /// Movement in XBetza.
    pub(super) movement: String,
}

/// The kinds of a variant, in the order in which a definition lists them. Rules name kinds, not
/// letters: a variant that gives a letter to another kind inherits no rule for it.
#[derive(Clone, Default)]
pub(super) struct FairyKinds(pub(super) IndexMap<Name, FairyKind>);

impl FairyKinds {
    /// The kind that has a letter, in either case.
    pub(super) fn with_letter(&self, letter: char) -> Option<Name> {
        self.0.iter().find(|(_, kind)| kind.letter == letter.to_ascii_uppercase()).map(|(name, _)| *name)
    }

    /// Letter of a kind, if the variant has it.
    pub(super) fn letter(&self, name: Name) -> Option<char> {
        self.0.get(name).map(|kind| kind.letter)
    }

    /// Letters of the kinds that the variant has.
    pub(super) fn letters(&self, names: &[Name]) -> String {
        names.iter().filter_map(|name| self.letter(name)).collect()
    }
}

/// All kinds in the order in which Fairy-Stockfish gives them their letters.
fn names() -> impl Iterator<Item = Name> {
    let named = KINDS.into_iter().map(|(name, _)| name).filter(|name| *name != "king");
    named.chain(CUSTOM_PIECES).chain(["king"])
}

/// The kind that a key names.
pub(super) fn kind_name(key: &str) -> Option<Name> {
    names().find(|name| *name == key)
}

/// Place of a kind in the order in which kinds get their letters.
pub(super) fn order(name: Name) -> Option<usize> {
    names().position(|known| known == name)
}

pub(super) fn is_custom(name: Name) -> bool {
    CUSTOM_PIECES.contains(&name)
}

/// The key of the squares that White's or Black's pieces of a kind may move to.
pub(super) fn zone_key(color: Color, name: Name) -> String {
    let (first, rest) = name.split_at(1);
    format!("mobilityRegion{color}{}{rest}", first.to_ascii_uppercase())
}

/// The side and the kind that such a key names.
pub(super) fn zone_of(key: &str) -> Option<(Color, Name)> {
    let named = key.strip_prefix("mobilityRegion")?;
    let named = Color::ALL.into_iter().find_map(|color| Some((color, named.strip_prefix(color.to_string().as_str())?)));
    let (color, kind) = named?;
    let name = kind_name(&format!("{}{}", kind.get(..1)?.to_ascii_lowercase(), kind.get(1..)?))?;
    Some((color, name))
}

/// Returns true for a movement that Fairy-Stockfish has and reads alike. It skips the modifiers of
/// bent moves.
pub(super) fn is_known(text: &str, movement: &Movement) -> bool {
    let is_named = KINDS.iter().any(|(_, named)| *named == text);
    // Each atom alone, as ranges along a line, and leaps to a square, are one path in a movement.
    let of_atoms: Vec<Path> =
        atoms(text).filter_map(|atom| betza::parse(atom).ok()).flat_map(|atom| atom.paths).collect();
    // It hops over any number of squares with `g` and a number, even 0.
    let is_numbered = |atom: &str| atom.contains('g') && atom.contains(|c: char| c.is_ascii_digit());
    !text.contains(['a', 'q', 'y', 'z'])
        && !atoms(text).any(is_numbered)
        && movement.paths.iter().chain(&of_atoms).all(is_known_path)
        && (is_named || !has_mixed_directions(text) && !mixes_ranges(&of_atoms))
}

/// The atoms of a movement, each with its modifiers and range.
fn atoms(text: &str) -> impl Iterator<Item = &str> {
    let ends =
        |(before, after): (char, char)| !before.is_ascii_lowercase() && before != after && !after.is_ascii_digit();
    let mut rest = text;
    std::iter::from_fn(move || {
        let mut pairs = rest.char_indices().zip(rest.chars().skip(1));
        let end = pairs.find(|&((_, before), after)| ends((before, after)));
        let end = end.map_or(rest.len(), |((at, before), _)| at + before.len_utf8());
        let (atom, others) = rest.split_at(end);
        rest = others;
        (!atom.is_empty()).then_some(atom)
    })
}

/// Returns true if a `K` or `Q` has a vertical and a horizontal direction: `fsK` is a soldier and a
/// fers that go forward, or only the latter.
fn has_mixed_directions(text: &str) -> bool {
    let parts = text.split_inclusive(|c: char| !c.is_ascii_lowercase());
    let mixed = |part: &str| {
        part.ends_with(['K', 'Q']) && part.contains(['f', 'b', 'v']) && part.contains(['l', 'r', 's', 'h'])
    };
    parts.into_iter().any(mixed)
}

/// Returns true if a piece rides or hops in one way along a line in different ways, as its ranges
/// are then mixed up, or if others can block only some of its leaps to a square, or of leaps and
/// rides by one leap: they can then block more of them, or fewer.
fn mixes_ranges(paths: &[Path]) -> bool {
    let is_diagonal = |path: &Path| path.delta.file != 0 && path.delta.rank != 0;
    let is_hop = |path: &Path| matches!(path.kind, PathKind::HopRide { .. } | PathKind::Grasshop);
    let is_mixed = |one: &Path, other: &Path| {
        let (first, second) = (one.modality, other.modality);
        let is_alike = first.moves && second.moves || first.captures && second.captures;
        let is_hop_and_ride = is_hop(one) != is_hop(other) && is_diagonal(one) == is_diagonal(other);
        is_alike
            && match (&one.kind, &other.kind) {
                (PathKind::LameLeap { .. }, PathKind::Leap) => one.delta == other.delta,
                (PathKind::LameLeap { .. }, PathKind::Ride { .. }) => distances(one) == distances(other),
                _ if one.rides() && other.rides() => {
                    is_hop_and_ride || one.delta == other.delta && one.kind != other.kind
                }
                _ => false,
            }
    };
    paths.iter().any(|one| paths.iter().any(|other| is_mixed(one, other)))
}

/// The distances in files and ranks of a step of a path, the smaller one first.
fn distances(path: &Path) -> (u8, u8) {
    let (file, rank) = (path.delta.file.unsigned_abs(), path.delta.rank.unsigned_abs());
    (file.min(rank), file.max(rank))
}

/// Leaps of up to three files and ranks, rides along ranks, files and diagonals and by the knight's
/// leap, hops along ranks, files and diagonals of any length, and some leaps that others can block.
/// Fairy-Stockfish reads other paths as no move, or without a limit.
fn is_known_path(path: &Path) -> bool {
    let (near, far) = distances(path);
    match path.kind {
        PathKind::Leap => far <= 3,
        PathKind::LameLeap { .. } => !path.is_bent() && [(0, 2), (2, 2), (1, 2), (2, 3)].contains(&(near, far)),
        PathKind::Ride { .. } => far == 1 || (near, far) == (1, 2),
        PathKind::HopRide { range: None } | PathKind::Grasshop => far == 1,
        PathKind::HopRide { .. } | PathKind::HopLeap { .. } => false,
    }
}

/// The names of the kinds of a game, by kind.
pub(super) struct Names(pub(super) Vec<Name>);

impl Names {
    pub(super) fn of(&self, kinds: &[Kind]) -> Vec<Name> {
        kinds.iter().map(|&kind| self[kind]).collect()
    }
}

impl Index<Kind> for Names {
    type Output = Name;

    fn index(&self, kind: Kind) -> &Name {
        &self.0[kind.index()]
    }
}
