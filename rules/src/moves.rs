//! Moves: one case for each rule that moves pieces.

use crate::piece::Kind;
use crate::square::Square;

/// A move of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Move {
    /// A piece goes from one square to another and takes what stands there.
    Normal {
        /// Where it stands.
        from: Square,
        /// Where it goes.
        to: Square,
        /// What the pawn becomes; `None` when it stays what it is.
        promotion: Option<Kind>,
        /// What is dropped from the pocket on the square just left.
        gate: Option<Kind>,
    },
    /// A pawn's first move over a square on which it can then be captured en passant.
    DoubleStep {
        /// Where it stands.
        from: Square,
        /// Where it goes.
        to: Square,
        /// The square passed over.
        passed: Square,
    },
    /// A pawn takes the pawn that has just passed over its target.
    EnPassant {
        /// Where it stands.
        from: Square,
        /// The square that was passed over.
        to: Square,
        /// Where the captured pawn stands.
        victim: Square,
    },
    /// King and partner move towards each other.
    Castle {
        /// Index into [`crate::def::Castling::wings`].
        wing: usize,
        /// The king's home.
        from: Square,
        /// Where the king ends.
        to: Square,
    },
    /// A pawn leaps over its screen, and it and its target are removed.
    Cannon {
        /// Where the pawn stands.
        from: Square,
        /// Where its target stands.
        target: Square,
    },
}

impl Move {
    /// The square that the moving piece (the king when castling) leaves.
    pub const fn from(self) -> Square {
        match self {
            Move::Normal { from, .. }
            | Move::DoubleStep { from, .. }
            | Move::EnPassant { from, .. }
            | Move::Castle { from, .. }
            | Move::Cannon { from, .. } => from,
        }
    }

    /// The square that it goes to (or, as a cannon shell, hits).
    pub const fn to(self) -> Square {
        match self {
            Move::Normal { to, .. }
            | Move::DoubleStep { to, .. }
            | Move::EnPassant { to, .. }
            | Move::Castle { to, .. }
            | Move::Cannon { target: to, .. } => to,
        }
    }

    /// What a pawn becomes.
    pub const fn promotion(self) -> Option<Kind> {
        match self {
            Move::Normal { promotion, .. } => promotion,
            _ => None,
        }
    }

    /// What is dropped on the square just left.
    pub const fn gate(self) -> Option<Kind> {
        match self {
            Move::Normal { gate, .. } => gate,
            _ => None,
        }
    }
}
