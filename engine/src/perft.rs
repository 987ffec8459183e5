//! Counting move sequences.

mod table;

use arrayvec::ArrayVec;

use crate::moves::Move;
use crate::moves::{CAPACITY, MoveList};
use crate::position::CompiledPosition;
use crate::position::{Count, Position, Writer};
use table::PerftKey;

pub use table::PerftTable;

impl<R: CompiledPosition> Position<R> {
    /// The number of move sequences of `depth` plies; 1 at depth 0. The moves of the last ply are counted, not made.
    pub fn perft(&mut self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => self.count_moves(),
            _ if self.is_handicap_turn() => self.each_move(|position| position.perft(depth - 1)),
            _ => R::perft(self, depth),
        }
    }

    /// The body of it, for at least two plies and no handicap, which never outlasts the first turn.
    #[inline(always)]
    pub(crate) fn count_tree(&mut self, depth: u32) -> u64 {
        debug_assert!(depth > 1);
        let mut list = MoveList::new();
        self.generate::<_, false>(Writer::new(&mut list)).finish();
        let mut sum = 0;
        for mv in &list {
            self.play::<false>(mv);
            sum += if depth == 2 {
                self.generate::<_, false>(Count::default()).0
            } else {
                R::perft(self, depth - 1)
            };
            self.take_back::<false>();
        }
        sum
    }

    /// As [`Position::perft`], with the moves of the last ply made and unmade one by one, as a search makes them.
    pub fn perft_full(&mut self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            _ => self.each_move(|position| position.perft_full(depth - 1)),
        }
    }

    /// As [`Position::perft`], with counts remembered in `table`.
    pub fn perft_with(&mut self, depth: u32, table: &PerftTable) -> u64 {
        if depth < PerftTable::LEAST_DEPTH || self.is_handicap_turn() {
            return match depth {
                0 | 1 => self.perft(depth),
                _ => self.each_move(|position| position.perft_with(depth - 1, table)),
            };
        }
        let key = self.perft_key(depth);
        table.get(key).unwrap_or_else(|| {
            let count = self.count_tree_with(depth, table);
            table.put(key, count);
            count
        })
    }

    /// The count anew; the plies below are looked up and kept.
    fn count_tree_with(&mut self, depth: u32, table: &PerftTable) -> u64 {
        let rest = depth - 1;
        if rest < PerftTable::LEAST_DEPTH {
            return self.perft(depth);
        }
        let mut list = MoveList::new();
        self.legal_moves(&mut list);
        // The table is far away: all answers are sent for before the first is asked.
        let mut keys = ArrayVec::<PerftKey, CAPACITY>::new();
        let second = self.second_hash();
        for mv in &list {
            let key = self.perft_key_after(mv, second, rest);
            table.prefetch(key);
            keys.push(key);
        }
        let mut sum = 0;
        for (mv, &key) in list.into_iter().zip(&keys) {
            sum += table.get(key).unwrap_or_else(|| {
                self.make(mv);
                let count = self.count_tree_with(rest, table);
                self.unmake();
                table.put(key, count);
                count
            });
        }
        sum
    }

    /// The key of the position after a move.
    fn perft_key_after(&mut self, mv: Move, second_hash: u64, depth: u32) -> PerftKey {
        let quick = self
            .hashes_after(mv, second_hash)
            .map(|(hash, second_hash)| PerftKey::new(hash, second_hash, depth));
        if let Some(key) = quick
            && !cfg!(debug_assertions)
        {
            return key;
        }
        self.make(mv);
        let key = self.perft_key(depth);
        self.unmake();
        debug_assert!(
            quick.is_none_or(|quick| quick == key),
            "the hash after {mv:?} went astray"
        );
        key
    }

    #[inline(always)]
    fn each_move(&mut self, mut count: impl FnMut(&mut Self) -> u64) -> u64 {
        let mut list = MoveList::new();
        self.legal_moves(&mut list);
        let mut sum = 0;
        for mv in &list {
            self.make(mv);
            sum += count(self);
            self.unmake();
        }
        sum
    }
}
