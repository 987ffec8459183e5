//! Moves: one variant for each rule that moves pieces. Where moves make walls, each has the square
//! of its wall.

use super::piece::Kind;
use super::square::Square;

/// A move of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Move {
    /// A piece moves from one square to another and captures any enemy piece there.
    Normal {
        from: Square,
        /// Destination.
        to: Square,
        /// Kind that the piece promotes to.
        promotion: Option<Kind>,
        /// Kind dropped from the pocket on the origin.
        gate: Option<Kind>,
        wall: Option<Square>,
    },
    /// A pawn's initial move over a square on which it can then be captured en passant.
    DoubleStep {
        from: Square,
        /// Destination.
        to: Square,
        passed: Square,
        wall: Option<Square>,
    },
    /// A pawn captures a pawn that has just passed over its destination.
    EnPassant {
        from: Square,
        /// Destination: the square that was passed over.
        to: Square,
        /// Square of the captured pawn.
        victim: Square,
        wall: Option<Square>,
    },
    /// King and partner castle.
    Castle {
        /// Index into [`Castling::wings`](crate::def::Castling::wings).
        wing: usize,
        /// Origin of the king.
        from: Square,
        /// The wing's [target](crate::def::CastlingWing::target): in most games the
        /// destination of the king.
        to: Square,
        /// Kind dropped from the pocket, and the square of king or partner that it is dropped on.
        gate: Option<(Kind, Square)>,
        wall: Option<Square>,
    },
    /// A pawn fires over its screen; the pawn and its target are removed.
    Cannon {
        /// Square of the pawn.
        from: Square,
        target: Square,
    },
    /// A piece from the pocket is put on an empty square.
    Drop { kind: Kind, to: Square },
}

impl Move {
    /// A move without promotion and gating.
    pub const fn normal(from: Square, to: Square) -> Move {
        Move::Normal { from, to, promotion: None, gate: None, wall: None }
    }

    /// Origin of the moving piece, of the king when castling. A drop begins where it ends, on an
    /// empty square.
    pub const fn from(self) -> Square {
        match self {
            Move::Normal { from, .. }
            | Move::DoubleStep { from, .. }
            | Move::EnPassant { from, .. }
            | Move::Castle { from, .. }
            | Move::Cannon { from, .. }
            | Move::Drop { to: from, .. } => from,
        }
    }

    /// Destination of the moving piece, when castling the wing's target; the target of a cannon.
    pub const fn to(self) -> Square {
        match self {
            Move::Normal { to, .. }
            | Move::DoubleStep { to, .. }
            | Move::EnPassant { to, .. }
            | Move::Castle { to, .. }
            | Move::Cannon { target: to, .. }
            | Move::Drop { to, .. } => to,
        }
    }

    /// Kind that a piece promotes to.
    pub const fn promotion(self) -> Option<Kind> {
        match self {
            Move::Normal { promotion, .. } => promotion,
            _ => None,
        }
    }

    /// Kind gated or dropped from the pocket.
    pub const fn gate(self) -> Option<Kind> {
        match self {
            Move::Normal { gate, .. } => gate,
            Move::Drop { kind, .. } | Move::Castle { gate: Some((kind, _)), .. } => Some(kind),
            _ => None,
        }
    }

    /// The same move, gating another kind on a square that it leaves, or none.
    #[must_use]
    pub fn with_gate(mut self, gated: Option<(Kind, Square)>) -> Move {
        match &mut self {
            Move::Normal { gate, .. } => *gate = gated.map(|(kind, _)| kind),
            Move::Castle { gate, .. } => *gate = gated,
            _ => {}
        }
        self
    }

    /// Square on which the move puts a [wall](crate::def::WallRule).
    pub const fn wall(self) -> Option<Square> {
        match self {
            Move::Normal { wall, .. }
            | Move::DoubleStep { wall, .. }
            | Move::EnPassant { wall, .. }
            | Move::Castle { wall, .. } => wall,
            Move::Cannon { .. } | Move::Drop { .. } => None,
        }
    }

    /// The same move with a wall on another square, or without one.
    #[must_use]
    pub const fn with_wall(mut self, square: Option<Square>) -> Move {
        match &mut self {
            Move::Normal { wall, .. }
            | Move::DoubleStep { wall, .. }
            | Move::EnPassant { wall, .. }
            | Move::Castle { wall, .. } => *wall = square,
            Move::Cannon { .. } | Move::Drop { .. } => {}
        }
        self
    }

    /// Square that a kind from the pocket is gated on.
    pub const fn gate_square(self) -> Option<Square> {
        match self {
            Move::Normal { from, gate: Some(_), .. } => Some(from),
            Move::Castle { gate: Some((_, square)), .. } => Some(square),
            _ => None,
        }
    }

    /// Origin and destination in UCI notation. They are the partner's and the king's squares for
    /// castling that gates on the partner's square (`h1e1h`).
    pub fn uci_squares(self) -> (Square, Square) {
        match self.gate_square() {
            Some(square) if square != self.from() => (square, self.from()),
            _ => (self.from(), self.to()),
        }
    }
}
