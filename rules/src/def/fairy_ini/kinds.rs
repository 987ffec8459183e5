//! Kinds of pieces that Fairy-Stockfish has names for, and the keys for a rule that definitions have as one.

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
