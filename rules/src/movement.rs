//! What a piece's movement means: the validated meaning of an XBetza text, as both generators read it.
//!
//! All directions are seen by the piece's owner: `rank` counts forward, `file` to White's right for both sides
//! (Black's board is White's mirrored top to bottom, as its set-up is).

use std::num::NonZeroU8;

/// A displacement on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Delta {
    /// Files to the right (towards the last letter), negative to the left.
    pub file: i8,
    /// Ranks forward as the piece's owner sees it, negative backward.
    pub rank: i8,
}

impl Delta {
    /// The displacement of `file` files and `rank` ranks.
    pub const fn new(file: i8, rank: i8) -> Delta {
        Delta { file, rank }
    }

    /// This displacement `times` over.
    #[must_use]
    pub const fn times(self, times: i8) -> Delta {
        Delta::new(self.file * times, self.rank * times)
    }
}

/// How a piece gets from its square to the target.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PathKind {
    /// Straight onto the square `delta` away, whatever stands between.
    Leap,
    /// A leap that needs every square of `via` (displacements from the origin, in the order of passing) to be an empty
    /// square that can be entered.
    LameLeap {
        /// The squares passed over.
        via: Vec<Delta>,
    },
    /// A leap that needs a piece of either colour on the square `over` (displacement from the origin).
    HopLeap {
        /// The square of the piece leapt over.
        over: Delta,
    },
    /// Again and again by `delta`, through empty squares, up to `range` steps (`None`: as far as the board goes).
    Ride {
        /// The most steps, at least 2.
        range: Option<NonZeroU8>,
    },
    /// Like a ride to the first piece met, of either colour (the screen); then on beyond it in the same direction through
    /// empty squares to the target, which is an empty square or the first piece met there; `range` counts all steps.
    HopRide {
        /// The most steps in all, at least 2.
        range: Option<NonZeroU8>,
    },
}

/// What a piece may do at the end of a path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Modality {
    /// May go to an empty square.
    pub moves: bool,
    /// May capture an enemy piece.
    pub captures: bool,
    /// May capture en passant by going to the square that was passed over.
    pub en_passant: bool,
}

/// One direction of a piece's movement.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Path {
    /// The displacement of the leap, or of one step of the ride.
    pub delta: Delta,
    /// How it travels.
    pub kind: PathKind,
    /// What it may do on arrival.
    pub modality: Modality,
    /// Only as the piece's first move of the game (`i`). For pawns: only from the pawn's home rank.
    pub initial: bool,
}

/// Castling as the king's movement states it (`O`): the king goes `distance` files towards its partner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CastlingStep {
    /// Files the king travels, at least 2.
    pub distance: u8,
    /// To the left (the a-file's side).
    pub left: bool,
    /// To the right.
    pub right: bool,
}

/// A piece's whole movement. Paths are distinct, in the order of the text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Movement {
    /// All directions.
    pub paths: Vec<Path>,
    /// Castling, when the text has `O`.
    pub castling: Option<CastlingStep>,
}

impl Path {
    /// For a pawn's double step (an initial lame leap over one square): the square passed over, where it can be captured
    /// en passant.
    pub fn passed_offset(&self) -> Option<Delta> {
        match &self.kind {
            PathKind::LameLeap { via } if self.initial && self.modality.moves => match via.as_slice() {
                [passed] => Some(*passed),
                _ => None,
            },
            _ => None,
        }
    }

    /// Can this path end `files` to the right or the left on the same rank, if nothing is in its way?
    pub fn reaches_sideways(&self, files: u8) -> bool {
        let (step, wanted) = (self.delta.file.unsigned_abs(), files);
        if self.delta.rank != 0 || step == 0 {
            return false;
        }
        match self.kind {
            PathKind::Leap | PathKind::LameLeap { .. } | PathKind::HopLeap { .. } => step == wanted,
            PathKind::Ride { range } | PathKind::HopRide { range } => {
                wanted.is_multiple_of(step) && range.is_none_or(|most| wanted / step <= most.get())
            }
        }
    }
}
