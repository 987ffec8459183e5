//! The functions of positions that are compiled once for each ruleset.

use std::sync::Arc;

use assay_rules::piece::Kind;
use assay_rules::{Color, GameDef, Square};

use super::{AttackView, CheckSquares, Position};
use crate::bitboard::{Bitboard, BitboardWord};
use crate::moves::{Move, MoveList};
use crate::ruleset::Ruleset;
use crate::tables::Tables;

/// Target squares of a piece: those it could move to if they were empty, and those on which it
/// could capture.
pub type Targets<R> = (Bitboard<<R as Ruleset>::Word>, Bitboard<<R as Ruleset>::Word>);

/// The moves to generate.
#[derive(Clone, Copy, Debug)]
pub enum Wanted<'w, W: BitboardWord> {
    All,
    /// All moves, even if the game is decided otherwise than by mate.
    EvenIfDecided,
    /// Captures and promotions; of these only the captures if the game forces them.
    Captures,
    /// Captures and promotions, as if none were forced, even if the game is decided otherwise than
    /// by mate.
    UnforcedCaptures,
    /// All moves that give check, and some others.
    Checks(&'w CheckSquares<W>),
}

/// What a perft does with the moves of the last ply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LastPly {
    Counted,
    Made,
}

/// A ruleset whose position functions are compiled in this crate.
///
/// A generic function is compiled in every crate that calls it, and a move generator for ten
/// rulesets takes long to compile. So the expensive functions of [`Position`] are methods of this
/// trait, which is implemented once per ruleset.
pub trait CompiledPosition: Ruleset {
    /// Builds the tables of a game.
    fn tables(game: &Arc<GameDef>) -> Arc<Tables<Self>>;

    /// Converts a position of the rules.
    fn from_rules(tables: &Arc<Tables<Self>>, from: &assay_rules::Position) -> Position<Self>;

    /// Appends the wanted legal moves of the pieces on `origins`, ignoring handicaps.
    fn generate_into(
        position: &Position<Self>,
        list: &mut MoveList,
        origins: Bitboard<Self::Word>,
        wanted: Wanted<'_, Self::Word>,
    );

    /// Returns true if a piece of `by` could capture on `target`.
    fn is_attacked(position: &Position<Self>, target: Square, by: Color, view: &AttackView<Self::Word>) -> bool;

    /// Returns true if a legal move of a piece of `kind` gives check.
    fn gives_check(position: &Position<Self>, kind: Kind, mv: Move) -> bool;

    /// Pieces of `by` that could capture on `target`.
    fn attackers(
        position: &Position<Self>,
        target: Square,
        by: Color,
        view: &AttackView<Self::Word>,
    ) -> Bitboard<Self::Word>;

    /// Target squares of the piece on `square`; `None` if the square is empty or the piece has no
    /// movement.
    fn targets(position: &Position<Self>, square: Square) -> Option<Targets<Self>>;

    /// Counts the leaf nodes of the legal move tree, outside of handicap turns. `boards` has one
    /// board for each ply whose moves are made, and `depth` is at least two if the last ply is
    /// counted, else one.
    fn perft(position: &Position<Self>, boards: &mut [Position<Self>], depth: u32, last_ply: LastPly) -> u64;

    /// Makes a legal move.
    fn make(position: &mut Position<Self>, mv: Move);

    /// Unmakes the last move.
    fn unmake(position: &mut Position<Self>);
}
