//! Board state for attack tests.

use assay_rules::piece::Kind;

use crate::bitboard::{Bitboard, BitboardWord};

/// The board state that an attack test needs, possibly after a move that has not been made.
#[derive(Clone, Copy, Debug)]
pub struct AttackView<W: BitboardWord> {
    pub(super) occupied: Bitboard<W>,
    /// Squares whose pieces of the attacking side have been removed.
    pub(super) removed: Bitboard<W>,
    /// Pawns of the attacked side, which shield against cannons.
    pub(super) shields: Bitboard<W>,
    /// The kind that the attacker's jokers move as.
    pub(super) joker_kind: Option<Kind>,
}
