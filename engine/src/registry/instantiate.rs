//! Compiles positions and search for every ruleset.
//!
//! This is the only module that knows both the rulesets and all that is built on them. Each function is compiled twice on
//! x86-64: for any processor, and for those with fast bit instructions.

use std::sync::atomic::AtomicBool;

use assay_rules::{Color, Square};

use crate::bitboard::Bitboard;
use crate::moves::{Move, MoveList};
use crate::platform::by_cpu_features;
use crate::position::{Any, CompiledPosition, Count, Nobody, Position, Reach, Search, View, Writer};
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
            fn list(position: &Position<Self>, list: &mut MoveList) {
                by_cpu_features!(
                    position.cpu_features(),
                    fn(position: &Position<$ruleset>, list: &mut MoveList) {
                        position.generate::<_, false>(Writer::new(list)).finish();
                    }
                )
            }

            fn list_captures(position: &Position<Self>, list: &mut MoveList) {
                by_cpu_features!(
                    position.cpu_features(),
                    fn(position: &Position<$ruleset>, list: &mut MoveList) {
                        position.generate::<_, true>(Writer::new(list)).finish();
                    }
                )
            }

            fn count(position: &Position<Self>) -> u64 {
                by_cpu_features!(
                    position.cpu_features(),
                    fn(position: &Position<$ruleset>) -> u64 {
                        position.generate::<_, false>(Count::default()).0
                    }
                )
            }

            fn any(position: &Position<Self>) -> bool {
                by_cpu_features!(
                    position.cpu_features(),
                    fn(position: &Position<$ruleset>) -> bool {
                        position.generate::<_, false>(Any::default()).0
                    }
                )
            }

            fn is_attacked(position: &Position<Self>, target: Square, by: Color, view: &View<Self::Word>) -> bool {
                by_cpu_features!(
                    position.cpu_features(),
                    fn(position: &Position<$ruleset>, target: Square, by: Color, view: &View<Word<$ruleset>>) -> bool {
                        position.test_attack(target, by, *view, &Nobody)
                    }
                )
            }

            fn is_legal(position: &Position<Self>, mv: Move) -> bool {
                by_cpu_features!(
                    position.cpu_features(),
                    fn(position: &Position<$ruleset>, mv: Move) -> bool {
                        position.generate::<_, false>(Search::new(mv)).found()
                    }
                )
            }

            fn gives_check(position: &Position<Self>, mv: Move) -> bool {
                by_cpu_features!(
                    position.cpu_features(),
                    fn(position: &Position<$ruleset>, mv: Move) -> bool {
                        position.test_check(mv)
                    }
                )
            }

            fn attackers(
                position: &Position<Self>,
                target: Square,
                by: Color,
                view: &View<Self::Word>,
            ) -> Bitboard<Self::Word> {
                by_cpu_features!(
                    position.cpu_features(),
                    fn(
                        position: &Position<$ruleset>,
                        target: Square,
                        by: Color,
                        view: &View<Word<$ruleset>>
                    ) -> Bitboard<Word<$ruleset>> {
                        position.find_attackers(target, by, *view)
                    }
                )
            }

            fn reach(position: &Position<Self>, square: Square) -> Option<Reach<Self>> {
                by_cpu_features!(
                    position.cpu_features(),
                    fn(position: &Position<$ruleset>, square: Square) -> Option<Reach<$ruleset>> {
                        position.reach_at(square)
                    }
                )
            }

            fn perft(position: &mut Position<Self>, depth: u32) -> u64 {
                by_cpu_features!(
                    position.cpu_features(),
                    fn(position: &mut Position<$ruleset>, depth: u32) -> u64 {
                        position.count_tree(depth)
                    }
                )
            }

            fn make(position: &mut Position<Self>, mv: Move) {
                by_cpu_features!(
                    position.cpu_features(),
                    fn(position: &mut Position<$ruleset>, mv: Move) {
                        position.play::<true>(mv);
                    }
                );
            }

            fn unmake(position: &mut Position<Self>) {
                position.take_back::<true>();
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
