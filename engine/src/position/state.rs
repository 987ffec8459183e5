//! The part of a position that unmaking a move restores from a stack.

use assay_rules::piece::Kind;
use assay_rules::position::{EnPassant, MAX_COUNT, MAX_COUNT_LIMIT};
use assay_rules::{Color, Turn};

use super::PackedPiece;
use crate::moves::Move;

/// Everything but the pieces on the board. Making a move pushes a new state and unmaking it pops
/// that state again, so that nothing has to be copied back.
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    /// Zobrist hash of pieces, pockets and rights, updated incrementally.
    pub(super) board_key: u64,
    /// Zobrist hash of everything that distinguishes positions under the repetition rule.
    pub(super) hash: u64,
    /// Rights of unmoved pieces, as bits of the definition's list.
    pub(super) rights: u64,
    /// The rights that distinguish positions under the repetition rule, and are therefore part of
    /// `board_key`.
    pub(super) repetition_rights: u64,
    /// The halfmove clock, or the count of moves that runs.
    pub(super) clock: Clock,
    pub(super) fullmove_number: u32,
    /// The move that led here; `None` at the start and after a null move.
    pub(super) last_move: Option<Move>,
    pub(super) last_moved_as: [Option<Kind>; 2],
    pub(super) en_passant: Option<EnPassant>,
    pub(super) side: Color,
    /// The turn in full; used only in games with two-move handicaps.
    pub(super) turn: Turn,
    /// Checks that each side still has to give to win.
    pub(super) checks_left: ChecksLeft,
    /// The piece that the last move captured.
    pub(super) captured: PackedPiece,
    /// Number of [`Change`](super::move_board::Change)s of the last move.
    pub(super) changes: u8,
}

/// Plies since the last irreversible move, or plies of the running count of moves, with its limit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock(u32);

impl Clock {
    const PLIES: u32 = 20;

    pub(super) fn new(plies: u32, limit: Option<u32>) -> Clock {
        Clock(plies | limit.unwrap_or(0) << Clock::PLIES)
    }

    #[inline(always)]
    pub(super) fn plies(self) -> u32 {
        self.0 & ((1 << Clock::PLIES) - 1)
    }

    /// Number of plies after which the count that runs ends the game; `None` if none runs.
    #[inline(always)]
    pub(super) fn limit(self) -> Option<u32> {
        let limit = self.0 >> Clock::PLIES;
        (limit > 0).then_some(limit)
    }

    /// The clock a ply later.
    #[inline(always)]
    pub(super) fn ticked(self) -> Clock {
        Clock(self.0 + u32::from(self.plies() < MAX_COUNT))
    }
}

const _: () = assert!(MAX_COUNT < 1 << Clock::PLIES && MAX_COUNT_LIMIT < 1 << (u32::BITS - Clock::PLIES));

/// Checks that each side still has to give to win, four bits each; 0 in games that do not count
/// checks.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChecksLeft(u8);

impl ChecksLeft {
    pub(super) fn new(white: u8, black: u8) -> ChecksLeft {
        ChecksLeft(white | black << 4)
    }

    #[inline(always)]
    pub(super) fn of(self, color: Color) -> u8 {
        self.0 >> (4 * color.index()) & 0xf
    }

    /// The counts after a check by `color`.
    #[inline(always)]
    pub(super) fn after_check(self, color: Color) -> ChecksLeft {
        let one = u8::from(self.of(color) > 0);
        ChecksLeft(self.0 - (one << (4 * color.index())))
    }
}

const _: () = assert!(size_of::<State>() <= 64, "a state should fit one cache line");
