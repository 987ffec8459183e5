//! Hash table for perft.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::platform::{HugePages, prefetch};
use crate::position::{CompiledPosition, Position};

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
    /// The move number decides when gating ends, but is not part of the hash. It need not be: within one table, which serves
    /// a single root and depth, positions with the same remaining depth have the same move number.
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

/// A lockless hash table of perft counts, shared by all threads (Hyatt and Mann, "A lockless transposition-table
/// implementation for parallel search", 2002).
///
/// A table serves one root position and one depth only. An entry identifies its position by 88 bits: 64 of the hash and 24 of
/// an independent one. A wrong count needs two positions of one tree that agree in all of them, with a probability of about
/// 3e-15 in 1e12 lookups.
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
    /// Two words per entry. The first is the hash, xored with the second, so that an entry torn by two threads matches no
    /// key; the second holds the check bits above and the count plus one below. Both are zero in an empty entry.
    pages: HugePages,
}

/// Bits of a count. Larger counts are not stored; they belong to the few nodes near the root, which rarely transpose.
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
        let bytes = mebibytes
            .max(1)
            .checked_mul(1 << 20)
            .ok_or(io::ErrorKind::OutOfMemory)?;
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
