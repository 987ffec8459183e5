//! What a move changes for good.

use assay_rules::piece::Kind;
use assay_rules::position::EnPassant;
use assay_rules::{Color, Turn};

use super::Cell;
use crate::moves::Move;

/// Everything but the pieces on the board. A move adds a new state, unmaking it drops that one again: nothing is copied back.
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    /// The hash of pieces, pockets and rights.
    pub(super) key: u64,
    /// The hash of everything that counts for repetition.
    pub(super) hash: u64,
    /// Rights of unmoved pieces, as bits of the definition's list.
    pub(super) rights: u64,
    /// Those of them that count for repetition, and so are in the key.
    pub(super) counted: u64,
    pub(super) clock: u32,
    pub(super) number: u32,
    /// Kinds in the pockets, one bit a kind.
    pub(super) pockets: [u32; 2],
    /// The move that led here; `None` at the start and after a pass.
    pub(super) mv: Option<Move>,
    pub(super) powers: [Option<Kind>; 2],
    pub(super) en_passant: Option<EnPassant>,
    /// The side to move.
    pub(super) side: Color,
    /// The turn in full; looked at only in games with two-move handicaps.
    pub(super) turn: Turn,
    /// What the move that led here captured (en passant: the pawn).
    pub(super) captured: Cell,
}

const _: () = assert!(size_of::<State>() <= 64, "a state should fill one cache line");
