//! Kinds of pieces that Fairy-Stockfish has names for, and the keys of extinction.

use crate::betza;
use crate::types::movement::{Movement, Path, PathKind};

/// Number of keys `customPiece1`, `customPiece2` and so on.
pub(super) const CUSTOM_PIECES: usize = 25;

/// Movements of the named kinds of pieces, in XBetza; the movement of a pawn depends on other keys.
pub(super) const KINDS: [(&str, &str); 34] = [
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

/// The keys of the squares that the pieces of a kind may move to, White's and Black's.
pub(super) fn zone_keys(kind: &str) -> [String; 2] {
    let (first, rest) = kind.split_at(kind.len().min(1));
    ["White", "Black"].map(|side| format!("mobilityRegion{side}{}{rest}", first.to_ascii_uppercase()))
}

/// The pawn of chess without it.
pub(super) const PAWN_WITHOUT_DOUBLE_STEP: &str = "fmWfcF";

/// Keys of extinction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ExtinctionKeys {
    /// `extinctionValue`: `win`, `loss` or `none`.
    pub(super) value: String,
    pub(super) claim: bool,
    pub(super) pseudo_royal: bool,
    /// Upper-case letters, or `*` for all pieces together.
    pub(super) types: String,
    pub(super) count: u32,
    pub(super) opponent_count: u32,
}

impl ExtinctionKeys {
    /// No extinction.
    pub(super) fn none() -> ExtinctionKeys {
        ExtinctionKeys {
            value: "none".to_owned(),
            claim: false,
            pseudo_royal: false,
            types: String::new(),
            count: 0,
            opponent_count: 0,
        }
    }

    /// A bare king loses.
    pub(super) fn bare_king() -> ExtinctionKeys {
        ExtinctionKeys {
            value: "loss".to_owned(),
            claim: true,
            pseudo_royal: false,
            types: "*".to_owned(),
            count: 1,
            opponent_count: 2,
        }
    }

    /// All pieces of some kinds are royal.
    pub(super) fn royal(types: String) -> ExtinctionKeys {
        ExtinctionKeys {
            value: "loss".to_owned(),
            pseudo_royal: true,
            types,
            count: ALL_ROYAL,
            ..ExtinctionKeys::none()
        }
    }

    pub(super) fn text(&self) -> String {
        format!(
            "extinctionValue = {}\nextinctionClaim = {}\nextinctionPseudoRoyal = {}\nextinctionPieceTypes = {}\n\
             extinctionPieceCount = {}\nextinctionOpponentPieceCount = {}\n",
            self.value,
            self.claim,
            self.pseudo_royal,
            self.types.to_lowercase(),
            self.count,
            self.opponent_count
        )
    }
}

/// A number of pieces that no side has: all of them are royal.
pub(super) const ALL_ROYAL: u32 = 64;

/// Returns true for a movement that Fairy-Stockfish has and reads alike. It skips the modifiers of
/// bent moves.
pub(super) fn is_known(text: &str, movement: &Movement) -> bool {
    let is_named = KINDS.iter().any(|(_, named)| *named == text);
    !text.contains(['a', 'q', 'y', 'z'])
        && movement.paths.iter().all(is_known_path)
        && (is_named || !has_mixed_directions(text) && !mixes_ranges(text))
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

/// Returns true if a piece rides or hops in one way along a line in different ways: its ranges are
/// then mixed up.
fn mixes_ranges(text: &str) -> bool {
    // Each atom alone, as ranges along a line are one path in a movement.
    let ends =
        |(before, after): (char, char)| !before.is_ascii_lowercase() && before != after && !after.is_ascii_digit();
    let cuts = text.char_indices().zip(text.chars().skip(1));
    let cuts =
        cuts.filter(|&((_, before), after)| ends((before, after))).map(|((at, before), _)| at + before.len_utf8());
    let cuts: Vec<usize> = [0].into_iter().chain(cuts).chain([text.len()]).collect();
    let atoms = cuts.windows(2).filter_map(|cut| betza::parse(&text[cut[0]..cut[1]]).ok());
    let paths: Vec<Path> = atoms.flat_map(|atom| atom.paths).collect();
    let is_diagonal = |path: &Path| path.delta.file != 0 && path.delta.rank != 0;
    let is_hop = |path: &Path| matches!(path.kind, PathKind::HopRide { .. } | PathKind::Grasshop);
    let is_mixed = |one: &Path, other: &Path| {
        let (first, second) = (one.modality, other.modality);
        let is_alike = first.moves && second.moves || first.captures && second.captures;
        let is_hop_and_ride = is_hop(one) != is_hop(other) && is_diagonal(one) == is_diagonal(other);
        is_alike && (is_hop_and_ride || one.delta == other.delta && one.kind != other.kind)
    };
    let riding: Vec<&Path> = paths.iter().filter(|path| path.rides()).collect();
    riding.iter().any(|one| riding.iter().any(|other| is_mixed(one, other)))
}

/// Leaps of up to three files and ranks, rides along ranks, files and diagonals and by the knight's
/// leap, hops along ranks, files and diagonals of any length, and some leaps that others can block.
/// Fairy-Stockfish reads other paths as no move, or without a limit.
fn is_known_path(path: &Path) -> bool {
    let (file, rank) = (path.delta.file.unsigned_abs(), path.delta.rank.unsigned_abs());
    let (near, far) = (file.min(rank), file.max(rank));
    match path.kind {
        PathKind::Leap => far <= 3,
        PathKind::LameLeap { .. } => !path.is_bent() && [(0, 2), (2, 2), (1, 2), (2, 3)].contains(&(near, far)),
        PathKind::Ride { .. } => far == 1 || (near, far) == (1, 2),
        PathKind::HopRide { range: None } | PathKind::Grasshop => far == 1,
        PathKind::HopRide { .. } | PathKind::HopLeap { .. } => false,
    }
}
