//! Board states for tests of attacks and checks.

use assay_rules::piece::Kind;

use crate::bitboard::{Bitboard, BitboardWord};
use crate::tables::KingExposure;

/// The board state that an attack test needs, possibly after a move that has not been made.
#[derive(Clone, Copy, Debug, Default)]
pub struct AttackView<W: BitboardWord> {
    pub(super) occupied: Bitboard<W>,
    /// Squares whose pieces of the attacking side have been removed.
    pub(super) removed: Bitboard<W>,
    /// Pawns of the attacked side, which shield against cannons.
    pub(super) shields: Bitboard<W>,
    /// The kind that the attacker's jokers move as.
    pub(super) joker_kind: Option<Kind>,
}

/// Squares on which moves of the side to move can give check, computed once for all moves of a
/// position.
#[derive(Clone, Copy, Debug)]
pub struct CheckSquares<W: BitboardWord> {
    /// Squares from which a slider along ranks and files attacks the enemy king.
    pub(super) orthogonal: Bitboard<W>,
    /// Squares from which a slider along diagonals attacks the enemy king.
    pub(super) diagonal: Bitboard<W>,
    /// Squares on which a move can open the way to the enemy king for another piece.
    pub(super) exposure: KingExposure<W>,
}
