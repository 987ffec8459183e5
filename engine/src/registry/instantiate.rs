//! Compiles positions and search for every ruleset.
//!
//! This is the only module that knows both the rulesets and all that is built on them. On x86-64 the position functions are
//! compiled for processors with BMI and POPCNT; those of `General64` and `General128` also for older processors.

use std::sync::atomic::AtomicBool;

use assay_rules::{Color, Square, for_each_builtin};

use crate::bitboard::Bitboard;
use crate::moves::{Move, MoveList};
use crate::platform::{dispatch_bmi, require_bmi};
use crate::position::{AttackView, CompiledPosition, FindMove, ListWriter, NoAddedPieces, Position, Targets};
use crate::ruleset::{self, General64, General128, Plain64, Plain128, Ruleset};
use crate::search::{CompiledSearch, Limits, SearchInfo, SearchResult, SearchThread};

macro_rules! instantiate {
    ($dispatch:ident: $($ruleset:ty),+) => {
        $(
            instantiate!(@position $ruleset, $dispatch);
            instantiate!(@search $ruleset);
        )+
    };
    (@position $ruleset:ty, $dispatch:ident) => {
        impl CompiledPosition for $ruleset {
            fn legal_moves(position: &Position<Self>, list: &mut MoveList) {
                $dispatch!(
                    position.cpu_features(),
                    fn(position: &Position<$ruleset>, list: &mut MoveList) {
                        position.generate::<_, false>(ListWriter::new(list)).finish();
                    }
                )
            }

            fn legal_captures(position: &Position<Self>, list: &mut MoveList) {
                $dispatch!(
                    position.cpu_features(),
                    fn(position: &Position<$ruleset>, list: &mut MoveList) {
                        position.generate::<_, true>(ListWriter::new(list)).finish();
                    }
                )
            }

            fn is_attacked(position: &Position<Self>, target: Square, by: Color, view: &AttackView<Self::Word>) -> bool {
                $dispatch!(
                    position.cpu_features(),
                    fn(position: &Position<$ruleset>, target: Square, by: Color, view: &AttackView<Word<$ruleset>>) -> bool {
                        position.is_attacked_impl(target, by, *view, &NoAddedPieces)
                    }
                )
            }

            fn is_legal(position: &Position<Self>, mv: Move) -> bool {
                $dispatch!(
                    position.cpu_features(),
                    fn(position: &Position<$ruleset>, mv: Move) -> bool {
                        position.generate::<_, false>(FindMove::new(mv)).found()
                    }
                )
            }

            fn gives_check(position: &Position<Self>, mv: Move) -> bool {
                $dispatch!(
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
                $dispatch!(
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
                $dispatch!(
                    position.cpu_features(),
                    fn(position: &Position<$ruleset>, square: Square) -> Option<Targets<$ruleset>> {
                        position.targets_impl(square)
                    }
                )
            }

            fn perft(position: &mut Position<Self>, depth: u32) -> u64 {
                $dispatch!(
                    position.cpu_features(),
                    fn(position: &mut Position<$ruleset>, depth: u32) -> u64 {
                        position.perft_impl(depth)
                    }
                )
            }

            fn make(position: &mut Position<Self>, mv: Move) {
                $dispatch!(
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
            fn iterative_deepening(
                thread: &mut SearchThread<Self>,
                position: &mut Position<Self>,
                limits: &Limits,
                stop: &AtomicBool,
                report: &mut dyn FnMut(&SearchInfo<'_>),
            ) -> SearchResult {
                thread.iterative_deepening(position, limits, stop, report)
            }
        }
    };
}

type Word<R> = <R as Ruleset>::Word;

macro_rules! instantiate_builtin {
    ($($name:ident $ruleset:ident,)+) => {
        instantiate!(require_bmi: $(ruleset::$ruleset),+);
    };
}

for_each_builtin!(instantiate_builtin);
instantiate!(require_bmi: Plain64, Plain128);
instantiate!(dispatch_bmi: General64, General128);
