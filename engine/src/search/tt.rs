//! Transposition table: results of earlier visits to a position, shared by all threads of a search
//! without locks.
//!
//! Entries of two words are protected against torn reads by lockless hashing (Hyatt and Mann 2002).

use std::io;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU8, AtomicU64};

use thiserror::Error;

use super::info::Bound;
use crate::eval::Score;
use crate::moves::Move;
use crate::platform::{HugePages, prefetch};

/// There is not enough memory for a transposition table.
#[derive(Debug, Error)]
#[error("cannot allocate a transposition table of {mebibytes} MiB: {source}")]
pub struct HashError {
    mebibytes: usize,
    source: io::Error,
}

/// Result of a search of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TtEntry {
    pub(crate) best_move: Option<Move>,
    /// Search score from the point of view of the side to move; mates count from the root of the
    /// probing search.
    pub(crate) score: Score,
    /// Static evaluation without correction; `None` in check.
    pub(crate) raw_eval: Option<Score>,
    /// Depth of the search in plies; 0 for the quiescence search.
    pub(crate) depth: u8,
    pub(crate) bound: Bound,
}

/// A slot of the table, unpacked.
#[derive(Clone, Copy, Default)]
struct Slot {
    /// Low 48 bits of the position's hash. The high bits select the bucket.
    key: u64,
    /// Bits of the move, or 0.
    best_move: u32,
    score: i16,
    /// [`NO_EVAL`] if there is none.
    raw_eval: i16,
    depth: u8,
    /// Age in the high six bits; bound + 1 in the low two, 0 if the slot is empty.
    tag: u8,
}

const NO_EVAL: i16 = i16::MIN;
const AGE_STEP: u8 = 4;
/// Plies of depth that an entry loses in replacement for each search since it was stored.
const AGE_WEIGHT: i32 = 4;
/// A shallower bound replaces an exact or deeper entry of the same position and search only within
/// this many plies.
const DEPTH_MARGIN: u8 = 3;

const BUCKET_SLOTS: usize = 4;
const SLOT_WORDS: usize = 2;
/// A bucket fills one cache line.
const BUCKET_WORDS: usize = BUCKET_SLOTS * SLOT_WORDS;
const CACHE_LINE: usize = 64;
const _: () = assert!(BUCKET_WORDS * size_of::<AtomicU64>() == CACHE_LINE);

const KEY_BITS: u32 = 48;
const KEY_MASK: u64 = (1 << KEY_BITS) - 1;

impl Slot {
    /// Packs the slot into two words. The first is XORed with the second: if two threads write at
    /// once and a reader gets one word of each, the key does not match.
    fn pack(&self) -> [u64; SLOT_WORDS] {
        let [key_low, key_high] = [self.key & 0xffff_ffff, self.key >> 32 & 0xffff];
        let data = u64::from(self.score as u16)
            | u64::from(self.raw_eval as u16) << 16
            | u64::from(self.depth) << 32
            | u64::from(self.tag) << 40
            | key_high << 48;
        [(key_low << 32 | u64::from(self.best_move)) ^ data.rotate_left(32), data]
    }

    fn unpack([first, data]: [u64; SLOT_WORDS]) -> Slot {
        let first = first ^ data.rotate_left(32);
        Slot {
            key: first >> 32 | data >> 48 << 32,
            best_move: first as u32,
            score: data as i16,
            raw_eval: (data >> 16) as i16,
            depth: (data >> 32) as u8,
            tag: (data >> 40) as u8,
        }
    }

    fn bound(&self) -> Option<Bound> {
        [None, Some(Bound::Exact), Some(Bound::Lower), Some(Bound::Upper)][usize::from(self.tag % AGE_STEP)]
    }

    fn age(&self) -> u8 {
        self.tag - self.tag % AGE_STEP
    }

    fn matches(&self, hash: u64) -> bool {
        self.key == hash & KEY_MASK && self.bound().is_some()
    }

    /// Replacement value: depth less age. An empty slot has the lowest.
    fn value(&self, age: u8) -> i32 {
        if self.bound().is_none() {
            return i32::MIN;
        }
        let searches_ago = age.wrapping_sub(self.age()) / AGE_STEP;
        i32::from(self.depth) - AGE_WEIGHT * i32::from(searches_ago)
    }
}

/// A table of fixed size that any number of threads may read and write at once. In a full bucket
/// the entry with the lowest depth, reduced by age, is replaced.
pub(crate) struct TranspositionTable {
    /// The buckets in order, each on a cache-line boundary because pages are aligned.
    pages: HugePages,
    buckets: usize,
    /// Age of the current search: a multiple of [`AGE_STEP`], modulo 256.
    age: AtomicU8,
}

impl TranspositionTable {
    /// Creates a table of `mebibytes` MiB, but at least one bucket. The system provides the memory
    /// when a page is first written.
    pub(crate) fn new(mebibytes: usize) -> Result<TranspositionTable, HashError> {
        let buckets = (mebibytes.saturating_mul(1 << 20) / CACHE_LINE).max(1);
        TranspositionTable::with_buckets(buckets).map_err(|source| HashError { mebibytes, source })
    }

    fn with_buckets(buckets: usize) -> io::Result<TranspositionTable> {
        Ok(TranspositionTable { pages: HugePages::zeroed(buckets * BUCKET_WORDS)?, buckets, age: AtomicU8::new(0) })
    }

    /// Empties all slots.
    pub(crate) fn zero(&self) {
        for word in self.pages.words() {
            word.store(0, Relaxed);
        }
    }

    /// Starts a new search: all entries get older.
    pub(crate) fn new_search(&self) {
        self.age.fetch_add(AGE_STEP, Relaxed);
    }

    #[inline]
    fn age(&self) -> u8 {
        self.age.load(Relaxed)
    }

    #[inline]
    fn bucket(&self, hash: u64) -> &[AtomicU64; BUCKET_WORDS] {
        // Multiplication maps the high bits of the hash to any number of buckets evenly.
        self.bucket_at(((u128::from(hash) * self.buckets as u128) >> 64) as usize)
    }

    #[inline]
    fn bucket_at(&self, index: usize) -> &[AtomicU64; BUCKET_WORDS] {
        self.pages.words()[index * BUCKET_WORDS..].first_chunk().expect("the index is below the number of buckets")
    }

    /// Returns the entry of the position with this hash, `ply` plies from the root.
    #[inline]
    pub(crate) fn probe(&self, hash: u64, ply: usize) -> Option<TtEntry> {
        let slot = slots(self.bucket(hash)).into_iter().find(|slot| slot.matches(hash))?;
        Some(TtEntry {
            best_move: Move::from_bits(slot.best_move),
            score: Score::from_table(slot.score, ply),
            raw_eval: (slot.raw_eval != NO_EVAL).then(|| Score::from_centipawns(i32::from(slot.raw_eval))),
            depth: slot.depth,
            bound: slot.bound()?,
        })
    }

    /// Loads the bucket of a position that will soon be probed into the cache.
    #[inline]
    pub(crate) fn prefetch(&self, hash: u64) {
        prefetch(&self.bucket(hash)[0]);
    }

    /// Stores the entry of the position with this hash, `ply` plies from the root.
    #[inline]
    pub(crate) fn store(&self, hash: u64, ply: usize, entry: &TtEntry) {
        let age = self.age();
        let bucket = self.bucket(hash);
        let slots = slots(bucket);
        let same = slots.iter().position(|slot| slot.matches(hash));
        let lowest = || (0..BUCKET_SLOTS).min_by_key(|&index| slots[index].value(age));
        let index = same.or_else(lowest).unwrap_or(0);
        let old = slots[index];
        let mut new = Slot {
            key: hash & KEY_MASK,
            best_move: entry.best_move.map_or(0, |mv| mv.to_bits().get()),
            score: entry.score.to_table(ply),
            raw_eval: entry.raw_eval.map_or(NO_EVAL, |score| score.to_table(0)),
            depth: entry.depth,
            tag: age | (entry.bound as u8 + 1),
        };
        if same.is_some() {
            // A bound without a move keeps the move of an earlier visit.
            if new.best_move == 0 {
                new.best_move = old.best_move;
            }
            // A much deeper result of this search is worth more than a new shallow bound.
            let current = old.age() == age;
            if current && entry.bound != Bound::Exact && entry.depth + DEPTH_MARGIN < old.depth {
                new = Slot { best_move: new.best_move, ..old };
            }
        }
        for (word, bits) in bucket[index * SLOT_WORDS..].iter().zip(new.pack()) {
            word.store(bits, Relaxed);
        }
    }

    /// Estimates from a sample the share of slots with entries of the current search, in permille.
    pub(crate) fn hashfull(&self) -> u32 {
        let age = self.age();
        let sample = self.buckets.min(250);
        let used = (0..sample)
            .flat_map(|index| slots(self.bucket_at(index)))
            .filter(|slot| slot.bound().is_some() && slot.age() == age)
            .count();
        (used * 1000 / (sample * BUCKET_SLOTS)) as u32
    }
}

#[inline]
fn slots(bucket: &[AtomicU64; BUCKET_WORDS]) -> [Slot; BUCKET_SLOTS] {
    let word = |index: usize| bucket[index].load(Relaxed);
    std::array::from_fn(|index| Slot::unpack([word(SLOT_WORDS * index), word(SLOT_WORDS * index + 1)]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(score: Score, depth: u8) -> TtEntry {
        TtEntry { best_move: None, score, raw_eval: Some(Score::from_centipawns(-12)), depth, bound: Bound::Lower }
    }

    #[test]
    fn probe_returns_what_was_stored() {
        let tt = TranspositionTable::new(1).unwrap();
        let scores =
            [Score::mating(7), Score::mated(12), Score::from_centipawns(88), Score::ADVANTAGE, -Score::ADVANTAGE];
        for (number, score) in scores.into_iter().enumerate() {
            let hash = 0x1234_5678_9abc_def0u64.wrapping_mul(number as u64 + 1);
            let entry = entry(score, 9);
            tt.store(hash, 4, &entry);
            assert_eq!(tt.probe(hash, 4), Some(entry));
        }
        assert_eq!(tt.probe(99, 0), None);
    }

    #[test]
    fn a_table_larger_than_the_address_space_is_an_error() {
        for mebibytes in [1 << 40, usize::MAX] {
            let error = TranspositionTable::new(mebibytes).err().unwrap().to_string();
            assert!(error.starts_with(&format!("cannot allocate a transposition table of {mebibytes} MiB: ")));
        }
    }

    #[test]
    fn torn_entries_match_no_key() {
        let slot = |key: u64, depth| Slot {
            key: key & KEY_MASK,
            best_move: 77,
            score: -5,
            raw_eval: 12,
            depth,
            tag: AGE_STEP + 2,
        };
        let [one, other] = [slot(0x1234_5678_9abc, 7), slot(0xfedc_1357_9bdf, 9)];
        assert_eq!(Slot::unpack(one.pack()).key, one.key);
        assert_eq!(Slot::unpack(one.pack()).depth, 7);
        let torn = Slot::unpack([one.pack()[0], other.pack()[1]]);
        assert!(!torn.matches(one.key) && !torn.matches(other.key));
    }

    #[test]
    fn concurrent_readers_see_only_written_entries() {
        // Few buckets and many hashes: all threads write the same slots all the time.
        let tt = TranspositionTable::with_buckets(2).unwrap();
        let of_hash = |hash: u64| entry(Score::from_centipawns((hash % 1000) as i32), (hash % 50) as u8);
        std::thread::scope(|scope| {
            for thread in 0..4u64 {
                let tt = &tt;
                scope.spawn(move || {
                    for round in 0..20_000u64 {
                        let hash = (round * 7 + thread * 13) % 64;
                        let hash = hash.wrapping_mul(0x9e37_79b9_7f4a_7c15);
                        if let Some(found) = tt.probe(hash, 0) {
                            assert_eq!(found, of_hash(hash));
                        }
                        tt.store(hash, 0, &of_hash(hash));
                    }
                });
            }
        });
    }

    #[test]
    fn old_and_shallow_entries_are_replaced_first() {
        let tt = TranspositionTable::with_buckets(1).unwrap();
        for hash in 1..=4 {
            tt.store(hash, 0, &entry(Score::DRAW, hash as u8 * 5));
        }
        // The bucket is full: the shallowest entry is replaced.
        tt.store(5, 0, &entry(Score::DRAW, 1));
        assert!(tt.probe(1, 0).is_none() && tt.probe(2, 0).is_some());
        // Five searches later depth 10 counts for less than a new depth 1.
        for _ in 0..5 {
            tt.new_search();
        }
        tt.store(6, 0, &entry(Score::DRAW, 1));
        tt.store(7, 0, &entry(Score::DRAW, 1));
        assert!(tt.probe(6, 0).is_some() && tt.probe(7, 0).is_some() && tt.probe(4, 0).is_some());
        assert!(tt.probe(5, 0).is_none() && tt.probe(2, 0).is_none());
    }
}
