//! Remembered perft counts.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::platform::{Pages, prefetch};
use crate::position::CompiledPosition;
use crate::position::Position;

/// The identity of a position for counting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PerftKey {
    /// The repetition hash, mixed with the depth.
    hash: u64,
    /// A hash of the pieces by other means; only the bits above [`COUNT_BITS`] are looked at.
    check: u64,
}

impl PerftKey {
    #[inline(always)]
    pub(crate) fn new(hash: u64, second_hash: u64, depth: u32) -> PerftKey {
        PerftKey {
            hash: hash ^ u64::from(depth).wrapping_mul(0x9e37_79b9_7f4a_7c15),
            check: second_hash & !COUNT_MASK,
        }
    }
}

impl<R: CompiledPosition> Position<R> {
    /// Everything that decides the tree of a depth below: the repetition hash, and beside it a hash of the pieces by other means.
    ///
    /// The move number decides when gating ends, and is no part of the hash. Within one table use it need not be: from one
    /// root, positions counted to the same remaining depth have been reached after the same number of plies, so they have
    /// the same move number. A table serves one root and one depth only.
    #[inline(always)]
    pub(crate) fn perft_key(&self, depth: u32) -> PerftKey {
        PerftKey::new(self.hash(), self.second_hash(), depth)
    }

    /// The count of this position to `depth` plies, if the table has it.
    pub fn remembered(&self, depth: u32, table: &PerftTable) -> Option<u64> {
        table.get(self.perft_key(depth))
    }

    /// Keeps the count of this position to `depth` plies.
    pub fn remember(&self, depth: u32, table: &PerftTable, count: u64) {
        table.put(self.perft_key(depth), count);
    }
}

/// A table of counts for one root and one depth, shared by all threads.
///
/// A slot knows its position by 88 bits: all 64 of the hash and 24 of another hash made by other means. A wrong count would
/// need two positions of one tree that agree in all of them and meet in one slot: with a million million lookups the chance
/// is one in three hundred million million.
#[derive(Debug)]
pub struct PerftTable {
    /// Two words a slot. First the hash, xored with the second word, so that a slot that two threads wrote at once matches
    /// nothing; then the check above and the count below. Both are zero in an empty slot.
    pages: Pages,
}

/// Bits of a count; larger ones are not kept. They belong to so few nodes so near the root that these do not come twice.
const COUNT_BITS: u32 = 40;
const COUNT_MASK: u64 = (1 << COUNT_BITS) - 1;

impl PerftTable {
    /// Bytes of the slot of one position.
    pub const SLOT: usize = 16;
    /// The least depth at which counts are remembered: legal moves are counted sooner than any table answers.
    pub const LEAST_DEPTH: u32 = 2;

    /// An empty table of that many mebibytes, at least one.
    ///
    /// # Errors
    /// When the system has not so much memory.
    pub fn new(mebibytes: usize) -> io::Result<PerftTable> {
        let bytes = mebibytes
            .max(1)
            .checked_mul(1 << 20)
            .ok_or(io::ErrorKind::OutOfMemory)?;
        let pages = Pages::zeroed(bytes / size_of::<AtomicU64>())?;
        Ok(PerftTable { pages })
    }

    #[inline(always)]
    fn slot(&self, key: PerftKey) -> (&AtomicU64, &AtomicU64) {
        let words = self.pages.words();
        let slots = size_of_val(words) / Self::SLOT;
        let index = ((u128::from(key.hash) * slots as u128) >> 64) as usize;
        (&words[2 * index], &words[2 * index + 1])
    }

    /// Has the slot of a position brought near, which is soon to be looked up.
    #[inline(always)]
    pub(crate) fn prefetch(&self, key: PerftKey) {
        prefetch(self.slot(key).0);
    }

    #[inline(always)]
    pub(crate) fn get(&self, key: PerftKey) -> Option<u64> {
        let (hash, word) = self.slot(key);
        let word = word.load(Ordering::Relaxed);
        let hash = hash.load(Ordering::Relaxed) ^ word;
        // A count of zero is stored as one, so that an empty slot is no answer.
        let count = (word & COUNT_MASK).checked_sub(1)?;
        (hash == key.hash && word & !COUNT_MASK == key.check).then_some(count)
    }

    #[inline(always)]
    pub(crate) fn put(&self, key: PerftKey, count: u64) {
        if count >= COUNT_MASK {
            return;
        }
        let (hash, word) = self.slot(key);
        let value = key.check | (count + 1);
        word.store(value, Ordering::Relaxed);
        hash.store(key.hash ^ value, Ordering::Relaxed);
    }
}
