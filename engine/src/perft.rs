//! Perft: the number of move sequences of a given length.

mod table;

use arrayvec::ArrayVec;

use crate::moves::{CAPACITY, Move, MoveList};
use crate::position::{CompiledPosition, ListWriter, MoveCounter, Position};
use table::PerftKey;

pub use table::PerftTable;

impl<R: CompiledPosition> Position<R> {
    /// Counts the move sequences of `depth` plies; 1 at depth 0. The moves of the last ply are counted in bulk, not made.
    pub fn perft(&mut self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => self.count_moves(),
            _ if self.is_handicap_turn() => self.sum_over_moves(|position| position.perft(depth - 1)),
            _ => R::perft(self, depth),
        }
    }

    /// [`Position::perft`] for at least two plies outside of handicap turns, which only occur at the start.
    #[inline(always)]
    pub(crate) fn perft_impl(&mut self, depth: u32) -> u64 {
        debug_assert!(depth > 1);
        let mut list = MoveList::new();
        self.generate::<_, false>(ListWriter::new(&mut list)).finish();
        let mut sum = 0;
        for mv in &list {
            self.make_impl::<false>(mv);
            sum += if depth == 2 {
                self.generate::<_, false>(MoveCounter::default()).0
            } else {
                R::perft(self, depth - 1)
            };
            self.unmake_impl::<false>();
        }
        sum
    }

    /// [`Position::perft`] without bulk counting: makes and unmakes the moves of the last ply too, as a search does.
    pub fn perft_full(&mut self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            _ => self.sum_over_moves(|position| position.perft_full(depth - 1)),
        }
    }

    /// [`Position::perft`] with a hash table.
    pub fn perft_with(&mut self, depth: u32, table: &PerftTable) -> u64 {
        if depth < PerftTable::MIN_DEPTH || self.is_handicap_turn() {
            return match depth {
                0 | 1 => self.perft(depth),
                _ => self.sum_over_moves(|position| position.perft_with(depth - 1, table)),
            };
        }
        let key = self.perft_key(depth);
        table.probe(key).unwrap_or_else(|| {
            let count = self.perft_children_with(depth, table);
            table.store(key, count);
            count
        })
    }

    /// Counts without probing for this position itself; probes and stores below it.
    fn perft_children_with(&mut self, depth: u32, table: &PerftTable) -> u64 {
        let child_depth = depth - 1;
        if child_depth < PerftTable::MIN_DEPTH {
            return self.perft(depth);
        }
        let mut list = MoveList::new();
        self.legal_moves(&mut list);
        // Every probe misses the caches, so all entries are prefetched before the first is read.
        let mut keys = ArrayVec::<PerftKey, CAPACITY>::new();
        let verification_hash = self.verification_hash();
        for mv in &list {
            let key = self.perft_key_after(mv, verification_hash, child_depth);
            table.prefetch(key);
            keys.push(key);
        }
        let mut sum = 0;
        for (mv, &key) in list.into_iter().zip(&keys) {
            sum += table.probe(key).unwrap_or_else(|| {
                self.make(mv);
                let count = self.perft_children_with(child_depth, table);
                self.unmake();
                table.store(key, count);
                count
            });
        }
        sum
    }

    /// The key of the position after `mv`.
    fn perft_key_after(&mut self, mv: Move, verification_hash: u64, depth: u32) -> PerftKey {
        let quick = self
            .hashes_after_move(mv, verification_hash)
            .map(|(hash, verification_hash)| PerftKey::new(hash, verification_hash, depth));
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
            "wrong predicted hash after {mv:?}"
        );
        key
    }

    #[inline(always)]
    fn sum_over_moves(&mut self, mut count: impl FnMut(&mut Self) -> u64) -> u64 {
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
