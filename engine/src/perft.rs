//! Perft: the number of move sequences of a given length, with an optional hash table.

use std::hint::black_box;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

use arrayvec::ArrayVec;
use assay_rules::Color;

use crate::moves::{INLINE_CAPACITY, Move, MoveList};
use crate::platform::{HugePages, prefetch};
use crate::position::{CompiledPosition, LastPly, MoveCounter, MoveMaker, Position};
use crate::ruleset::is_general;

impl<R: CompiledPosition> Position<R> {
    /// Counts the move sequences of `depth` plies; 1 at depth 0. The moves of the last ply are
    /// counted in bulk, not made.
    pub fn perft(&mut self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => self.count_moves() as u64,
            _ if self.is_handicap_turn() => self.sum_over_moves(|position| position.perft(depth - 1)),
            _ => R::perft(self, &mut self.ply_boards(depth - 1), depth, LastPly::Counted),
        }
    }

    /// [`Position::perft`] without bulk counting: makes the moves of the last ply too.
    pub fn perft_full(&mut self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            _ if self.is_handicap_turn() => self.sum_over_moves(|position| position.perft_full(depth - 1)),
            _ => R::perft(self, &mut self.ply_boards(depth), depth, LastPly::Made),
        }
    }

    /// One board for each ply below this position.
    fn ply_boards(&self, plies: u32) -> Vec<Position<R>> {
        (0..plies).map(|_| self.ply_board()).collect()
    }

    /// Perft by [`MoveMaker`], outside of handicap turns, which only occur at the start. `boards`
    /// has one board for each ply whose moves are made, and `depth` is at least two if the last ply
    /// is counted, else one.
    #[inline(always)]
    pub(crate) fn perft_impl(&self, boards: &mut [Position<R>], depth: u32, last_ply: LastPly) -> u64 {
        if const { is_general::<R>() } {
            return sum_below::<R, EITHER>(self, boards, depth, last_ply);
        }
        match self.side_to_move() {
            Color::White => sum_below::<R, WHITE>(self, boards, depth, last_ply),
            Color::Black => sum_below::<R, BLACK>(self, boards, depth, last_ply),
        }
    }

    /// [`Position::perft`] with a hash table.
    pub fn perft_with(&mut self, depth: u32, table: &PerftTable) -> u64 {
        let mut boards = self.ply_boards(PerftTable::MIN_DEPTH - 1);
        self.perft_with_boards(depth, table, &mut boards)
    }

    fn perft_with_boards(&mut self, depth: u32, table: &PerftTable, boards: &mut [Position<R>]) -> u64 {
        if depth < PerftTable::MIN_DEPTH || self.is_handicap_turn() {
            return match depth {
                0 | 1 => self.perft(depth),
                _ => self.sum_over_moves(|position| position.perft_with_boards(depth - 1, table, boards)),
            };
        }
        let key = self.perft_key(depth);
        table.probe(key).unwrap_or_else(|| {
            let count = self.perft_children_with(depth, table, boards);
            table.store(key, count);
            count
        })
    }

    /// Counts without probing for this position itself; probes and stores below it.
    fn perft_children_with(&mut self, depth: u32, table: &PerftTable, boards: &mut [Position<R>]) -> u64 {
        let child_depth = depth - 1;
        if child_depth < PerftTable::MIN_DEPTH {
            return R::perft(self, boards, depth, LastPly::Counted);
        }
        let mut list = MoveList::new();
        self.legal_moves(&mut list);
        if list.len() > INLINE_CAPACITY {
            return self.sum_over_moves(|position| position.perft_with_boards(child_depth, table, boards));
        }
        // Every probe misses the caches, so all entries are prefetched before the first is read.
        let mut keys = ArrayVec::<PerftKey, INLINE_CAPACITY>::new();
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
                let count = self.perft_children_with(child_depth, table, boards);
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
        debug_assert!(quick.is_none_or(|quick| quick == key), "wrong predicted hash after {mv:?}");
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

/// Sides to move: two that are constants, so that generation is specialized for them, and one that
/// is not, for general rulesets, which gain nothing measurable from it.
const WHITE: u8 = 0;
const BLACK: u8 = 1;
const EITHER: u8 = 2;

#[inline(always)]
fn side<R: CompiledPosition, const SIDE: u8>(position: &Position<R>) -> Color {
    match SIDE {
        WHITE => Color::White,
        BLACK => Color::Black,
        _ => position.side_to_move(),
    }
}

/// The number of legal moves.
#[inline(never)]
fn count_below<R: CompiledPosition, const SIDE: u8>(position: &Position<R>) -> u64 {
    position.generate(side::<R, SIDE>(position), MoveCounter::default()).0
}

/// [`Position::perft_impl`] for one side to move.
#[inline(never)]
fn sum_below<R: CompiledPosition, const SIDE: u8>(
    position: &Position<R>,
    boards: &mut [Position<R>],
    depth: u32,
    last_ply: LastPly,
) -> u64 {
    let (child, below) = boards.split_first_mut().expect("a board for each ply");
    let visit = |child: &mut Position<R>| match (depth, last_ply) {
        (1, _) => {
            // The board must be written, although nothing reads it.
            black_box(child);
            1
        }
        (2, LastPly::Counted) => match SIDE {
            WHITE => count_below::<R, BLACK>(child),
            BLACK => count_below::<R, WHITE>(child),
            _ => count_below::<R, EITHER>(child),
        },
        _ => match SIDE {
            WHITE => sum_below::<R, BLACK>(child, below, depth - 1, last_ply),
            BLACK => sum_below::<R, WHITE>(child, below, depth - 1, last_ply),
            _ => sum_below::<R, EITHER>(child, below, depth - 1, last_ply),
        },
    };
    let us = side::<R, SIDE>(position);
    position.generate(us, MoveMaker::new(us, position, child, visit)).sum()
}

/// Key of a position and a depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PerftKey {
    /// The position hash, mixed with the depth.
    hash: u64,
    /// An independent hash of the pieces; only the bits above [`COUNT_BITS`] are used.
    check: u64,
}

impl PerftKey {
    #[inline(always)]
    pub(crate) fn new(hash: u64, verification_hash: u64, depth: u32) -> PerftKey {
        PerftKey {
            hash: hash ^ u64::from(depth).wrapping_mul(0x9e37_79b9_7f4a_7c15),
            check: verification_hash & !COUNT_MASK,
        }
    }
}

impl<R: CompiledPosition> Position<R> {
    /// The key of this position for a perft of `depth` plies.
    ///
    /// The move number decides when gating ends, but is not part of the hash. It need not be:
    /// within one table, which serves a single root and depth, positions with the same remaining
    /// depth have the same move number.
    #[inline(always)]
    pub(crate) fn perft_key(&self, depth: u32) -> PerftKey {
        PerftKey::new(self.hash(), self.verification_hash(), depth)
    }

    /// Returns the perft of this position to `depth` plies if `table` contains it.
    pub fn probe_perft(&self, depth: u32, table: &PerftTable) -> Option<u64> {
        table.probe(self.perft_key(depth))
    }

    /// Stores the perft of this position to `depth` plies.
    pub fn store_perft(&self, depth: u32, table: &PerftTable, count: u64) {
        table.store(self.perft_key(depth), count);
    }
}

/// A lockless hash table of perft counts, shared by all threads (Hyatt and Mann, "A lockless
/// transposition-table implementation for parallel search", 2002).
///
/// A table serves one root position and one depth only. An entry identifies its position by 88
/// bits: 64 of the hash and 24 of an independent one. A wrong count needs two positions of one tree
/// that agree in all of them, with a probability of about 3e-15 in 1e12 lookups.
///
/// ```
/// use assay_engine::PerftTable;
///
/// let table = PerftTable::new(16)?; // MiB
/// # drop(table);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct PerftTable {
    /// Two words per entry. The first is the hash, xored with the second, so that an entry torn by
    /// two threads matches no key; the second holds the check bits above and the count plus one
    /// below. Both are zero in an empty entry.
    pages: HugePages,
}

/// Bits of a count. Larger counts are not stored; they belong to the few nodes near the root, which
/// rarely transpose.
const COUNT_BITS: u32 = 40;
const COUNT_MASK: u64 = (1 << COUNT_BITS) - 1;

impl PerftTable {
    /// Size of an entry in bytes.
    pub const ENTRY_BYTES: usize = 16;
    /// Smallest depth that is stored, in plies: counting the legal moves is faster than probing.
    pub const MIN_DEPTH: u32 = 2;

    /// Allocates an empty table of `mebibytes` MiB, at least one.
    ///
    /// # Errors
    /// If the memory cannot be allocated.
    pub fn new(mebibytes: usize) -> io::Result<PerftTable> {
        let bytes = mebibytes.max(1).checked_mul(1 << 20).ok_or(io::ErrorKind::OutOfMemory)?;
        let pages = HugePages::zeroed(bytes / size_of::<AtomicU64>())?;
        Ok(PerftTable { pages })
    }

    #[inline(always)]
    fn entry(&self, key: PerftKey) -> (&AtomicU64, &AtomicU64) {
        let words = self.pages.words();
        let entries = size_of_val(words) / Self::ENTRY_BYTES;
        let index = ((u128::from(key.hash) * entries as u128) >> 64) as usize;
        (&words[2 * index], &words[2 * index + 1])
    }

    #[inline(always)]
    pub(crate) fn prefetch(&self, key: PerftKey) {
        prefetch(self.entry(key).0);
    }

    #[inline(always)]
    pub(crate) fn probe(&self, key: PerftKey) -> Option<u64> {
        let (hash, value) = self.entry(key);
        let value = value.load(Ordering::Relaxed);
        let hash = hash.load(Ordering::Relaxed) ^ value;
        // The stored count is one too high, so that an empty entry never matches.
        let count = (value & COUNT_MASK).checked_sub(1)?;
        (hash == key.hash && value & !COUNT_MASK == key.check).then_some(count)
    }

    #[inline(always)]
    pub(crate) fn store(&self, key: PerftKey, count: u64) {
        if count >= COUNT_MASK {
            return;
        }
        let (hash, value) = self.entry(key);
        let new_value = key.check | (count + 1);
        value.store(new_value, Ordering::Relaxed);
        hash.store(key.hash ^ new_value, Ordering::Relaxed);
    }
}
