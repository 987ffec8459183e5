use thiserror::Error;

/// Reason for rejecting an opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Rejected {
    /// The random walk met a position without quiet moves.
    #[error("no quiet move was left")]
    NoQuietMove,
    /// The game is over, or ends with the next move.
    #[error("the game would be over")]
    Over,
    /// A side is in check or can be mated in one move.
    #[error("a king is in danger")]
    Danger,
    /// A pawn can be captured en passant, which has no counterpart after exchanging the armies.
    #[error("a pawn could be captured en passant")]
    EnPassant,
    /// One side is ahead by more than the limit.
    #[error("it is unbalanced")]
    Unbalanced,
    /// The engine would start with a capture.
    #[error("the first move would be a capture")]
    Hanging,
    /// The pieces to be removed do not exist, or the position is impossible without them.
    #[error("the pieces to be removed are missing")]
    Material,
}
