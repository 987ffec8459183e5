//! A variant with what follows from its keys, from which a definition is made.

use super::super::kinds::{FairyKinds, Name};
use super::super::region::{Region, names};
use super::{Rules, Variant};
use crate::types::board::Board;
use crate::types::square::SquareSet;

/// From where pawns make double steps.
#[derive(Clone, Copy)]
pub(super) enum DoubleSteps {
    None,
    /// Rank that each side sees; `first`: from its first rank, too.
    From {
        home: u8,
        first: bool,
    },
    Everywhere,
}

pub(super) struct Draft<'v> {
    pub(super) variant: &'v Variant,
    pub(super) kinds: &'v FairyKinds,
    pub(super) rules: &'v Rules,
    pub(super) board: Board,
    /// The kind of pawn that the variant has; empty if none.
    pub(super) pawn: Name,
    pub(super) double_steps: DoubleSteps,
    pub(super) castles: bool,
    /// Ranks of the start, from the last, without the pockets.
    pub(super) ranks: Vec<&'v str>,
    /// Pieces in the pockets of the start.
    pub(super) pockets: &'v str,
}

impl<'v> Draft<'v> {
    /// The squares of a region that are on the board.
    pub(super) fn squares(&self, region: &Region) -> SquareSet {
        region.on(&self.board)
    }

    /// Returns true if the start has a piece with a letter of this case.
    pub(super) fn is_placed(&self, letter: char) -> bool {
        self.ranks.iter().any(|squares| squares.contains(letter))
    }

    /// The pieces of the start on a rank, counted from the side of White or Black.
    pub(super) fn rank(&self, number: u8, from_black: bool) -> &'v str {
        let index = usize::from(number) - 1;
        let ranks = &self.ranks;
        let rank = if from_black { ranks.get(index) } else { ranks.iter().rev().nth(index) };
        rank.copied().unwrap_or_default()
    }

    /// Checks that Black's squares are White's, turned by 180 degrees. `keys` are the keys of both.
    pub(super) fn check_turned(&self, keys: [&str; 2], regions: [&Region; 2]) -> Result<(), Conflict> {
        let [white, black] = regions.map(|region| self.squares(region));
        let message = format!(
            "found {} = {} and {} = {}, expected the same squares as each side sees them",
            keys[0],
            names(&self.board, white),
            keys[1],
            names(&self.board, black)
        );
        require(self.board.rotated(white) == black, &keys, message)
    }
}

/// Values of keys that no definition can express.
pub(in super::super) struct Conflict {
    /// Each of these keys may be the cause.
    pub(in super::super) keys: Vec<String>,
    /// Says what was found and what was expected.
    pub(in super::super) message: String,
}

impl Conflict {
    pub(super) fn new(keys: &[&str], message: impl Into<String>) -> Conflict {
        Conflict { keys: keys.iter().map(ToString::to_string).collect(), message: message.into() }
    }
}

/// Checks a condition for a definition.
pub(super) fn require(is_met: bool, keys: &[&str], message: impl Into<String>) -> Result<(), Conflict> {
    if is_met { Ok(()) } else { Err(Conflict::new(keys, message)) }
}
