//! Compiles positions and search for every ruleset.
//!
//! This is the only module that knows both the rulesets and all that is built on them. Each function is compiled twice on
//! x86-64: for any processor, and for those with fast bit instructions.

use std::sync::atomic::AtomicBool;

use assay_rules::{Color, Square};

use crate::bitboard::Bitboard;
use crate::moves::{Move, MoveList};
use crate::platform::dispatch_bmi;
use crate::position::{
    AnyMove, AttackView, CompiledPosition, FindMove, ListWriter, MoveCounter, NoAddedPieces, Position, Targets,
};
use crate::ruleset::*;
use crate::search::{CompiledSearch, Limits, SearchInfo, SearchResult, Searcher};

macro_rules! instantiate {
    ($($ruleset:ident $name:literal,)+) => {
        $(
            instantiate!(@position $ruleset);
            instantiate!(@search $ruleset);
        )+
    };
    (@position $ruleset:ty) => {
        impl CompiledPosition for $ruleset {
            fn legal_moves(position: &Position<Self>, list: &mut MoveList) {
                dispatch_bmi!(
                    position.cpu_features(),
                    fn(position: &Position<$ruleset>, list: &mut MoveList) {
                        position.generate::<_, false>(ListWriter::new(list)).finish();
                    }
                )
            }

            fn legal_captures(position: &Position<Self>, list: &mut MoveList) {
                dispatch_bmi!(
                    position.cpu_features(),
                    fn(position: &Position<$ruleset>, list: &mut MoveList) {
                        position.generate::<_, true>(ListWriter::new(list)).finish();
                    }
                )
            }

            fn count_moves(position: &Position<Self>) -> u64 {
                dispatch_bmi!(
                    position.cpu_features(),
                    fn(position: &Position<$ruleset>) -> u64 {
                        position.generate::<_, false>(MoveCounter::default()).0
                    }
                )
            }

            fn has_legal_move(position: &Position<Self>) -> bool {
                dispatch_bmi!(
                    position.cpu_features(),
                    fn(position: &Position<$ruleset>) -> bool {
                        position.generate::<_, false>(AnyMove::default()).0
                    }
                )
            }

            fn is_attacked(position: &Position<Self>, target: Square, by: Color, view: &AttackView<Self::Word>) -> bool {
                dispatch_bmi!(
                    position.cpu_features(),
                    fn(position: &Position<$ruleset>, target: Square, by: Color, view: &AttackView<Word<$ruleset>>) -> bool {
                        position.is_attacked_impl(target, by, *view, &NoAddedPieces)
                    }
                )
            }

            fn is_legal(position: &Position<Self>, mv: Move) -> bool {
                dispatch_bmi!(
                    position.cpu_features(),
                    fn(position: &Position<$ruleset>, mv: Move) -> bool {
                        position.generate::<_, false>(FindMove::new(mv)).found()
                    }
                )
            }

            fn gives_check(position: &Position<Self>, mv: Move) -> bool {
                dispatch_bmi!(
                    position.cpu_features(),
                    fn(position: &Position<$ruleset>, mv: Move) -> bool {
                        position.gives_check_impl(mv)
                    }
                )
            }

            fn attackers(
                position: &Position<Self>,
                target: Square,
                by: Color,
                view: &AttackView<Self::Word>,
            ) -> Bitboard<Self::Word> {
                dispatch_bmi!(
                    position.cpu_features(),
                    fn(
                        position: &Position<$ruleset>,
                        target: Square,
                        by: Color,
                        view: &AttackView<Word<$ruleset>>
                    ) -> Bitboard<Word<$ruleset>> {
                        position.attackers_impl(target, by, *view)
                    }
                )
            }

            fn targets(position: &Position<Self>, square: Square) -> Option<Targets<Self>> {
                dispatch_bmi!(
                    position.cpu_features(),
                    fn(position: &Position<$ruleset>, square: Square) -> Option<Targets<$ruleset>> {
                        position.targets_impl(square)
                    }
                )
            }

            fn perft(position: &mut Position<Self>, depth: u32) -> u64 {
                dispatch_bmi!(
                    position.cpu_features(),
                    fn(position: &mut Position<$ruleset>, depth: u32) -> u64 {
                        position.perft_impl(depth)
                    }
                )
            }

            fn make(position: &mut Position<Self>, mv: Move) {
                dispatch_bmi!(
                    position.cpu_features(),
                    fn(position: &mut Position<$ruleset>, mv: Move) {
                        position.make_impl::<true>(mv);
                    }
                );
            }

            fn unmake(position: &mut Position<Self>) {
                position.unmake_impl::<true>();
            }
        }
    };
    (@search $ruleset:ty) => {
        impl CompiledSearch for $ruleset {
            fn iterate(
                searcher: &mut Searcher<Self>,
                position: &mut Position<Self>,
                limits: &Limits,
                stop: &AtomicBool,
                report: &mut dyn FnMut(&SearchInfo<'_>),
            ) -> SearchResult {
                searcher.iterate(position, limits, stop, report)
            }
        }
    };
}

type Word<R> = <R as Ruleset>::Word;

for_each_builtin!(instantiate);
instantiate!(
    Plain64 "plain64",
    Plain128 "plain128",
    General64 "general64",
    General128 "general128",
);
