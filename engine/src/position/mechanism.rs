//! Mechanisms: the rules that only some games have, one file for each.
//!
//! Making moves, hashing and deciding games call the hooks of all mechanisms in the list
//! `mechanisms!`; mechanisms that a ruleset lacks are compiled to nothing. What the generator must
//! know is in the same files, as methods of positions and of the generator.

pub(super) mod bare_king;
mod cannon;
pub(super) mod castling;
pub(super) mod check_count;
pub(super) mod counting;
pub(super) mod drops;
pub(super) mod en_passant;
pub(super) mod explosions;
pub(super) mod extinction;
pub(super) mod gating;
pub(super) mod goal;
pub(super) mod joker;
mod material_count;
mod royals;
pub(super) mod walls;

use prelude::*;

pub(super) use drops::pocket;

/// What most mechanisms use.
mod prelude {
    pub(super) use assay_rules::outcome::{Outcome, Points, Termination};
    pub(super) use assay_rules::piece::{Kind, Piece};
    pub(super) use assay_rules::{Color, Square};

    pub(super) use super::Mechanism;
    pub(super) use crate::bitboard::{Bitboard, BitboardWord};
    pub(super) use crate::moves::{Move, MoveKind, MoveList};
    pub(super) use crate::position::attacks::{AddedPieces, MovedPieces};
    pub(super) use crate::position::generate::move_sink::MoveSink;
    pub(super) use crate::position::generate::pins::PinInfo;
    pub(super) use crate::position::generate::{Generator, filter_safe};
    pub(super) use crate::position::move_board::{Change, MoveBoard};
    pub(super) use crate::position::state::{Clock, State};
    pub(super) use crate::position::{AttackView, CompiledPosition, PackedPiece, Position, Wanted};
    pub(super) use crate::ruleset::{Mechanics, PieceMovement, Role};
}

/// What a mechanism adds to making moves, to hashes and to results. The hooks are called only in
/// games that have it.
pub(super) trait Mechanism {
    const MECHANIC: Mechanics;

    /// Changes more of the board after the moves and captures of pieces. `piece` is the one that
    /// moved, as it was before.
    #[inline(always)]
    fn after_move<R: CompiledPosition, const FULL: bool>(_board: &mut MoveBoard<R, FULL>, _mv: Move, _piece: Piece) {}

    /// Changes the state after the turn has passed; `before` is the one before the move.
    #[inline(always)]
    fn after_turn<R: CompiledPosition>(_position: &mut Position<R>, _before: &State) {}

    /// The clock after the turn has passed.
    #[inline(always)]
    fn clock<R: CompiledPosition>(position: &Position<R>, _before: &State) -> Clock {
        position.state.clock
    }

    /// The part of the position hash that is not in the board key.
    #[inline(always)]
    fn key<R: CompiledPosition>(_position: &Position<R>, _state: &State) -> u64 {
        0
    }

    /// Returns true if a move of one piece, which captures `victim`, may change more of the hash
    /// than the pieces, the rights of their squares and [`Mechanism::key`].
    #[inline(always)]
    fn changes_hash<R: CompiledPosition>(_position: &Position<R>, _victim: Option<Piece>) -> bool {
        false
    }

    /// Returns true if a capture by a piece of `kind` changes more squares than its own two.
    #[inline(always)]
    fn extends_captures<R: CompiledPosition>(_position: &Position<R>, _kind: Kind) -> bool {
        false
    }

    /// The outcome if the mechanism has decided the game.
    #[inline(always)]
    fn decided<R: CompiledPosition>(_position: &Position<R>) -> Option<Outcome> {
        None
    }

    /// A legal move by which the mechanism decides the game in favor of the side to move.
    #[inline(always)]
    fn winning_move<R: CompiledPosition>(_position: &Position<R>) -> Option<Move> {
        None
    }
}

/// Evaluates an expression for each mechanism of a position's game, in the order in which they act
/// and decide games.
macro_rules! mechanisms {
    ($position:expr, |$mechanism:ident| $body:expr) => {
        mechanisms!(@each $position.tables.mechanics(), $mechanism, $body;
            castling::FromAnyFileHooks explosions::ExplosionsHooks walls::WallsHooks drops::DropsHooks gating::GatingHooks joker::JokerHooks
            en_passant::EnPassantCaptureHooks counting::CountingHooks check_count::CheckCountHooks bare_king::BareKingHooks
            extinction::ExtinctionHooks goal::GoalHooks)
    };
    (@each $mechanics:expr, $mechanism:ident, $body:expr; $($file:ident::$name:ident)+) => {
        let mechanics = $mechanics;
        $({
            type $mechanism = $crate::position::mechanism::$file::$name;
            if mechanics.contains($mechanism::MECHANIC) {
                $body;
            }
        })+
    };
}
pub(super) use mechanisms;

impl<R: CompiledPosition> Position<R> {
    /// Returns the outcome if a mechanism has decided the game: the number of checks, a bare king,
    /// extinction or a goal. There are no legal moves then.
    #[inline(always)]
    pub fn decided(&self) -> Option<Outcome> {
        mechanisms!(self, |M| if let Some(outcome) = M::decided(self) {
            return Some(outcome);
        });
        None
    }

    /// Returns a legal move that wins at once by the last check, a capture or the goal, if there is
    /// one.
    #[inline(always)]
    pub(crate) fn winning_move(&self) -> Option<Move> {
        mechanisms!(self, |M| if let Some(mv) = M::winning_move(self) {
            return Some(mv);
        });
        None
    }
}
