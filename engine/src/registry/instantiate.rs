//! Compiles positions and search for every ruleset.
//!
//! This is the only module that depends both on the rulesets and on everything that is generic over
//! them.

use std::sync::Arc;
#[cfg(feature = "search")]
use std::sync::atomic::AtomicBool;

use assay_rules::piece::Kind;
use assay_rules::{Color, GameDef, Square};

use crate::bitboard::Bitboard;
use crate::moves::{Move, MoveList};
use crate::position::{AttackView, CompiledPosition, LastPly, ListWriter, NoAddedPieces, Position, Targets, Wanted};
use crate::ruleset::{General64, General128, Plain64, Plain128};
#[cfg(feature = "search")]
use crate::search::{CompiledSearch, Limits, SearchInfo, SearchResult, SearchThread};
use crate::tables::Tables;

macro_rules! instantiate {
    ($($ruleset:ty),+) => {
        $(instantiate!(@ $ruleset);)+
    };
    (@ $ruleset:ty) => {
        impl CompiledPosition for $ruleset {
            fn tables(game: &Arc<GameDef>) -> Arc<Tables<Self>> {
                Tables::new(game)
            }

            fn from_rules(tables: &Arc<Tables<Self>>, from: &assay_rules::Position) -> Position<Self> {
                Position::new_impl(tables, from)
            }

            fn generate_into(
                position: &Position<Self>,
                list: &mut MoveList,
                origins: Bitboard<Self::Word>,
                wanted: Wanted<'_, Self::Word>,
            ) {
                let writer = ListWriter::new(list, origins, wanted);
                position.generate(position.side_to_move(), writer).finish();
            }

            fn is_attacked(position: &Position<Self>, target: Square, by: Color, view: &AttackView<Self::Word>) -> bool {
                position.is_attacked_impl(target, by, *view, &NoAddedPieces)
            }

            fn gives_check(position: &Position<Self>, kind: Kind, mv: Move) -> bool {
                position.gives_check_impl(kind, mv)
            }

            fn attackers(
                position: &Position<Self>,
                target: Square,
                by: Color,
                view: &AttackView<Self::Word>,
            ) -> Bitboard<Self::Word> {
                position.attackers_impl(target, by, *view)
            }

            fn targets(position: &Position<Self>, square: Square) -> Option<Targets<Self>> {
                position.targets_impl(square)
            }

            fn perft(
                position: &Position<Self>,
                boards: &mut [Position<Self>],
                depth: u32,
                last_ply: LastPly,
            ) -> u64 {
                position.perft_impl(boards, depth, last_ply)
            }

            fn make(position: &mut Position<Self>, mv: Move) {
                position.make_impl(mv);
            }

            fn unmake(position: &mut Position<Self>) {
                position.unmake_impl();
            }
        }

        #[cfg(feature = "search")]
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

#[cfg(not(test))]
macro_rules! instantiate_builtin {
    ($($name:ident $ruleset:ident,)+) => {
        instantiate!($(crate::ruleset::$ruleset),+);
    };
}

#[cfg(not(test))]
assay_rules::for_each_builtin!(instantiate_builtin);
instantiate!(Plain64, Plain128, General64, General128);
