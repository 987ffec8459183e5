//! Kinds of pieces that Fairy-Stockfish has names for, and the keys for a rule that definitions have as one.

use crate::types::movement::{Path, PathKind};

/// Movements of the named kinds of pieces, in XBetza; that of a pawn depends on other keys.
pub(super) const KINDS: [(&str, &str); 35] = [
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
    ("janggiCannon", "pR"),
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

/// The keys that together make a bare king lose.
pub(super) const BARE_KING: [(&str, &str); 5] = [
    ("extinctionValue", "loss"),
    ("extinctionClaim", "true"),
    ("extinctionPieceTypes", "*"),
    ("extinctionPieceCount", "1"),
    ("extinctionOpponentPieceCount", "2"),
];

/// Returns true for a path that Fairy-Stockfish has: leaps of up to three files and ranks, rides along ranks, files and diagonals and by
/// the knight's leap, hops along ranks, files and diagonals, and some leaps that others can block. It reads others as no move.
pub(super) fn is_known(path: &Path) -> bool {
    let (file, rank) = (path.delta.file.unsigned_abs(), path.delta.rank.unsigned_abs());
    let (near, far) = (file.min(rank), file.max(rank));
    match path.kind {
        PathKind::Leap => far <= 3,
        PathKind::LameLeap { .. } => [(0, 2), (2, 2), (1, 2), (2, 3)].contains(&(near, far)),
        PathKind::Ride { .. } => far == 1 || (near, far) == (1, 2),
        PathKind::HopRide { .. } => far == 1,
        PathKind::HopLeap { .. } => false,
    }
}
