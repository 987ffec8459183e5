//! Movement of a piece, as parsed from its XBetza text.
//!
//! All displacements are relative to the piece's owner: forward and to the right, as the owner sees
//! the board.

use std::num::NonZeroU8;
use std::ops::Add;

use super::color::Color;

/// A displacement on the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Delta {
    /// Files to the owner's right; negative to the left.
    pub file: i8,
    /// Ranks forward; negative backward.
    pub rank: i8,
}

impl Delta {
    /// One square straight ahead.
    pub const FORWARD: Delta = Delta::new(0, 1);

    pub const fn new(file: i8, rank: i8) -> Delta {
        Delta { file, rank }
    }

    /// Multiplies both components.
    #[must_use]
    pub const fn times(self, times: i8) -> Delta {
        Delta::new(self.file * times, self.rank * times)
    }

    /// Squares that a lame leap by this displacement passes over, in order.
    ///
    /// A multiple of a shorter oblique leap passes over the squares where the shorter leaps end.
    /// Every other leap takes king steps: straight along its longer axis as far as possible, then
    /// diagonally.
    pub fn passed_squares(self) -> Vec<Delta> {
        let (files, ranks) = (self.file.abs(), self.rank.abs());
        let (short, long) = (files.min(ranks), files.max(ranks));
        let divisor = greatest_common_divisor(long, short);
        if short != 0 && short != long && divisor > 1 {
            let step = Delta::new(self.file / divisor, self.rank / divisor);
            return (1..divisor).map(|times| step.times(times)).collect();
        }
        (1..long)
            .map(|along| {
                let across = (along - (long - short)).max(0);
                let (files, ranks) = if ranks == long { (across, along) } else { (along, across) };
                Delta::new(files * self.file.signum(), ranks * self.rank.signum())
            })
            .collect()
    }

    /// The displacement on the board, as White sees it, of a piece of `color`.
    #[must_use]
    pub const fn for_color(self, color: Color) -> Delta {
        match color {
            Color::White => self,
            Color::Black => self.times(-1),
        }
    }
}

impl Add for Delta {
    type Output = Delta;

    fn add(self, other: Delta) -> Delta {
        Delta::new(self.file + other.file, self.rank + other.rank)
    }
}

fn greatest_common_divisor(a: i8, b: i8) -> i8 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

/// How a piece travels along a path.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PathKind {
    /// Jumps to the square `delta` away, regardless of the squares in between.
    Leap,
    /// A leap that other pieces can block: every square of `via` must be empty and enterable.
    LameLeap {
        /// Squares passed over, as displacements from the origin in order of passing.
        via: Vec<Delta>,
    },
    /// A leap that needs a piece of either color to jump over.
    HopLeap {
        /// Square of the piece jumped over, as a displacement from the origin.
        over: Delta,
    },
    /// Repeats `delta` through empty squares.
    Ride {
        /// Maximum number of steps, at least 2; `None` for no limit.
        range: Option<NonZeroU8>,
    },
    /// Rides to the first piece of either color (the screen), then continues beyond it through
    /// empty squares. Targets are the empty squares beyond the screen and the first piece met
    /// there.
    HopRide {
        /// Maximum number of steps in all, at least 2; `None` for no limit.
        range: Option<NonZeroU8>,
    },
    /// Rides to the first piece of either color (the screen), to the square behind it.
    Grasshop,
}

/// What a piece may do at the end of a path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Modality {
    /// May move to an empty square.
    pub moves: bool,
    /// May capture an enemy piece.
    pub captures: bool,
    /// May capture en passant by moving to the square passed over.
    pub en_passant: bool,
}

/// One direction of a piece's movement.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Path {
    /// Displacement of the leap, or of one step of the ride.
    pub delta: Delta,
    pub kind: PathKind,
    pub modality: Modality,
    /// True if the path is available only to an unmoved piece (`i`); for pawns, only on their home
    /// rank.
    pub initial: bool,
}

/// Castling as written in the king's movement (`O`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CastlingStep {
    /// Number of files the king travels, at least 2.
    pub distance: u8,
    /// True if the king can castle to its left, which for White is toward the a-file and for Black
    /// toward the last file.
    pub left: bool,
    /// True if the king can castle to its right.
    pub right: bool,
}

/// The complete movement of a piece.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Movement {
    /// All paths, without duplicates, in the order of the text.
    pub paths: Vec<Path>,
    /// Castling, if the text contains `O`.
    pub castling: Option<CastlingStep>,
}

impl Movement {
    /// Returns true if the movement to the left is that to the right. Castling is not considered.
    pub fn is_left_right_symmetric(&self) -> bool {
        let flipped = |delta: Delta| Delta::new(-delta.file, delta.rank);
        self.paths.iter().all(|path| {
            let mut mirrored = path.clone();
            mirrored.delta = flipped(path.delta);
            match &mut mirrored.kind {
                PathKind::LameLeap { via } => via.iter_mut().for_each(|delta| *delta = flipped(*delta)),
                PathKind::HopLeap { over } => *over = flipped(*over),
                PathKind::Leap | PathKind::Ride { .. } | PathKind::HopRide { .. } | PathKind::Grasshop => {}
            }
            self.paths.contains(&mirrored)
        })
    }
}

impl Path {
    /// Returns true if the path is a ride of any kind, not a leap.
    pub fn rides(&self) -> bool {
        matches!(self.kind, PathKind::Ride { .. } | PathKind::HopRide { .. } | PathKind::Grasshop)
    }

    /// Returns true if other pieces can block the path on other squares than
    /// [`Delta::passed_squares`], as if it were bent.
    pub fn is_bent(&self) -> bool {
        matches!(&self.kind, PathKind::LameLeap { via } if *via != self.delta.passed_squares())
            || matches!(self.kind, PathKind::HopLeap { over } if over.times(2) != self.delta)
    }

    /// For a pawn's double step (a lame leap over one square), the square passed over, where the
    /// pawn can be captured en passant. `None` for any other path.
    pub fn passed_offset(&self) -> Option<Delta> {
        match &self.kind {
            PathKind::LameLeap { via } if self.modality.moves => match via.as_slice() {
                [passed] => Some(*passed),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns true if this path can end `files` to the left or right on the same rank of an empty
    /// board.
    pub(crate) fn reaches_sideways(&self, files: u8) -> bool {
        let step = self.delta.file.unsigned_abs();
        if self.delta.rank != 0 || step == 0 {
            return false;
        }
        match self.kind {
            PathKind::Leap | PathKind::LameLeap { .. } | PathKind::HopLeap { .. } => step == files,
            PathKind::Ride { range } | PathKind::HopRide { range } => {
                files.is_multiple_of(step) && range.is_none_or(|most| files / step <= most.get())
            }
            PathKind::Grasshop => files.is_multiple_of(step),
        }
    }
}
