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

/// Squares that a piece could go to if they were empty, and squares on which it could capture.
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

    /// Could a piece of `by` capture whatever stands on `target`?
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

    /// The pieces of `by` that could capture whatever stands on `target`.
    fn attackers(
        position: &Position<Self>,
        target: Square,
        by: Color,
        view: &View<<Self as Ruleset>::Word>,
    ) -> Bitboard<<Self as Ruleset>::Word>
    where
        Self: Ruleset;

    /// Where the piece on `square` reaches, if there is one that can move.
    fn reach(position: &Position<Self>, square: Square) -> Option<Reach<Self>>
    where
        Self: Ruleset;

    /// Counts move sequences of at least one ply; those of the last are not made. No ruleset with handicaps.
    fn perft(position: &mut Position<Self>, depth: u32) -> u64
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
        const _: () = {
            use assay_rules::{Color, Square};
            use $crate::position::{Any, Compiled, Count, Nobody, Position, Reach, Search, View, Writer};
            use $crate::processor::by_processor;
            use $crate::{Bitboard, Move, MoveList, Ruleset};

            type Here = Position<$ruleset>;
            type Word = <$ruleset as Ruleset>::Word;

            impl Compiled for $ruleset {
                fn list(position: &Here, list: &mut MoveList) {
                    by_processor!(
                        position.processor(),
                        fn(position: &Here, list: &mut MoveList) {
                            position.generate::<_, false>(Writer::new(list)).finish();
                        }
                    )
                }

                fn list_captures(position: &Here, list: &mut MoveList) {
                    by_processor!(
                        position.processor(),
                        fn(position: &Here, list: &mut MoveList) {
                            position.generate::<_, true>(Writer::new(list)).finish();
                        }
                    )
                }

                fn count(position: &Here) -> u64 {
                    by_processor!(
                        position.processor(),
                        fn(position: &Here) -> u64 {
                            position.generate::<_, false>(Count::default()).0
                        }
                    )
                }

                fn any(position: &Here) -> bool {
                    by_processor!(
                        position.processor(),
                        fn(position: &Here) -> bool {
                            position.generate::<_, false>(Any::default()).0
                        }
                    )
                }

                fn is_attacked(position: &Here, target: Square, by: Color, view: &View<Word>) -> bool {
                    by_processor!(
                        position.processor(),
                        fn(position: &Here, target: Square, by: Color, view: &View<Word>) -> bool {
                            position.test_attack(target, by, *view, &Nobody)
                        }
                    )
                }

                fn is_legal(position: &Here, mv: Move) -> bool {
                    by_processor!(
                        position.processor(),
                        fn(position: &Here, mv: Move) -> bool {
                            position.generate::<_, false>(Search::new(mv)).found()
                        }
                    )
                }

                fn gives_check(position: &Here, mv: Move) -> bool {
                    by_processor!(
                        position.processor(),
                        fn(position: &Here, mv: Move) -> bool {
                            position.test_check(mv)
                        }
                    )
                }

                fn attackers(position: &Here, target: Square, by: Color, view: &View<Word>) -> Bitboard<Word> {
                    by_processor!(
                        position.processor(),
                        fn(position: &Here, target: Square, by: Color, view: &View<Word>) -> Bitboard<Word> {
                            position.find_attackers(target, by, *view)
                        }
                    )
                }

                fn reach(position: &Here, square: Square) -> Option<Reach<$ruleset>> {
                    by_processor!(
                        position.processor(),
                        fn(position: &Here, square: Square) -> Option<Reach<$ruleset>> {
                            position.reach_at(square)
                        }
                    )
                }

                fn perft(position: &mut Here, depth: u32) -> u64 {
                    by_processor!(
                        position.processor(),
                        fn(position: &mut Here, depth: u32) -> u64 {
                            position.count_tree(depth)
                        }
                    )
                }

                fn make(position: &mut Here, mv: Move) {
                    by_processor!(
                        position.processor(),
                        fn(position: &mut Here, mv: Move) {
                            position.play::<true>(mv);
                        }
                    );
                }

                fn unmake(position: &mut Here) {
                    position.take_back::<true>();
                }
            }
        };
    };
}
pub(crate) use compiled;
