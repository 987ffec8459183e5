//! The heavy functions of positions, compiled once for each ruleset and in this crate.
//!
//! A generic function is compiled anew in every program that uses it; move generation for eight rulesets would be. So each
//! ruleset's file holds a line `compiled!(...);`, which makes these functions ordinary ones of its own.

use assay_rules::{Color, Square};

use super::Position;
use super::attacks::View;
use crate::bitboard::Bitboard;
use crate::movelist::MoveList;
use crate::mv::Move;
use crate::ruleset::Ruleset;

/// Squares that a man could go to if they were empty, and squares on which it could capture.
pub type Reach<R> = (Bitboard<<R as Ruleset>::Word>, Bitboard<<R as Ruleset>::Word>);

/// The heavy functions of a ruleset's positions, which [`Position`] calls.
pub trait Compiled: Sized {
    /// Appends all legal moves, a handicap apart.
    fn list(position: &Position<Self>, list: &mut MoveList)
    where
        Self: Ruleset;

    /// Appends all legal captures and promotions, a handicap apart.
    fn list_captures(position: &Position<Self>, list: &mut MoveList)
    where
        Self: Ruleset;

    /// Counts the legal moves, a handicap apart.
    fn count(position: &Position<Self>) -> u64
    where
        Self: Ruleset;

    /// Is there a legal move, a handicap apart?
    fn any(position: &Position<Self>) -> bool
    where
        Self: Ruleset;

    /// Could a man of `by` capture whatever stands on `target`?
    fn is_attacked(position: &Position<Self>, target: Square, by: Color, view: &View<<Self as Ruleset>::Word>) -> bool
    where
        Self: Ruleset;

    /// Is this move legal, a handicap apart?
    fn is_legal(position: &Position<Self>, mv: Move) -> bool
    where
        Self: Ruleset;

    /// Does this legal move give check?
    fn gives_check(position: &Position<Self>, mv: Move) -> bool
    where
        Self: Ruleset;

    /// The men of `by` that could capture whatever stands on `target`.
    fn attackers(
        position: &Position<Self>,
        target: Square,
        by: Color,
        view: &View<<Self as Ruleset>::Word>,
    ) -> Bitboard<<Self as Ruleset>::Word>
    where
        Self: Ruleset;

    /// Where the man on `square` reaches, if there is one that can move.
    fn reach(position: &Position<Self>, square: Square) -> Option<Reach<Self>>
    where
        Self: Ruleset;

    /// Makes a legal move.
    fn make(position: &mut Position<Self>, mv: Move)
    where
        Self: Ruleset;

    /// Takes the last move back.
    fn unmake(position: &mut Position<Self>)
    where
        Self: Ruleset;
}

/// Implements [`Compiled`] for a ruleset.
macro_rules! compiled {
    ($ruleset:ty) => {
        impl $crate::position::Compiled for $ruleset {
            fn list(position: &$crate::Position<Self>, list: &mut $crate::MoveList) {
                position
                    .generate::<_, false>($crate::position::Writer::new(list))
                    .finish();
            }

            fn list_captures(position: &$crate::Position<Self>, list: &mut $crate::MoveList) {
                position
                    .generate::<_, true>($crate::position::Writer::new(list))
                    .finish();
            }

            fn count(position: &$crate::Position<Self>) -> u64 {
                position
                    .generate::<_, false>($crate::position::Count::default())
                    .0
            }

            fn any(position: &$crate::Position<Self>) -> bool {
                position.generate::<_, false>($crate::position::Any::default()).0
            }

            fn is_attacked(
                position: &$crate::Position<Self>,
                target: assay_rules::Square,
                by: assay_rules::Color,
                view: &$crate::position::View<<Self as $crate::Ruleset>::Word>,
            ) -> bool {
                position.test_attack(target, by, *view, &$crate::position::Nobody)
            }

            fn is_legal(position: &$crate::Position<Self>, mv: $crate::Move) -> bool {
                position
                    .generate::<_, false>($crate::position::Search::new(mv))
                    .found()
            }

            fn gives_check(position: &$crate::Position<Self>, mv: $crate::Move) -> bool {
                position.test_check(mv)
            }

            fn attackers(
                position: &$crate::Position<Self>,
                target: assay_rules::Square,
                by: assay_rules::Color,
                view: &$crate::position::View<<Self as $crate::Ruleset>::Word>,
            ) -> $crate::Bitboard<<Self as $crate::Ruleset>::Word> {
                position.find_attackers(target, by, *view)
            }

            fn reach(
                position: &$crate::Position<Self>,
                square: assay_rules::Square,
            ) -> Option<$crate::position::Reach<Self>> {
                position.reach_at(square)
            }

            fn make(position: &mut $crate::Position<Self>, mv: $crate::Move) {
                position.play(mv);
            }

            fn unmake(position: &mut $crate::Position<Self>) {
                position.take_back();
            }
        }
    };
}
pub(crate) use compiled;
