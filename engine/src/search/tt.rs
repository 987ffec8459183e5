//! The transposition table: what earlier visits to a position found, in a bounded amount of memory, shared by all threads
//! of a search without locks.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU8, AtomicU64};

use super::info::Bound;
use crate::eval::Score;
use crate::moves::Move;

/// What the table knows of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TtEntry {
    /// The best move found, if any was.
    pub(super) best: Option<Move>,
    /// The score, mates counted from the root of the search that asks.
    pub(super) score: Score,
    /// The evaluation without search, when the position has one (it has none in check).
    pub(super) evaluation: Option<Score>,
    /// The depth of the search that gave the score, in plies; 0 for the quiescence search.
    pub(super) depth: u8,
    /// What the score says of the true one.
    pub(super) bound: Bound,
}

/// One entry, unpacked.
#[derive(Clone, Copy, Default)]
struct Entry {
    /// The low 48 bits of the position's key; the high bits have chosen the bucket.
    key: u64,
    /// The move's bits, or 0.
    best: u32,
    score: i16,
    /// [`NO_EVALUATION`] when there is none.
    evaluation: i16,
    depth: u8,
    /// Age in the high six bits; bound + 1 in the low two, 0 when the entry is empty.
    tag: u8,
}

const NO_EVALUATION: i16 = i16::MIN;
const ENTRIES: usize = 4;
const AGE_STEP: u8 = 4;
/// Plies of depth that one search of age outweighs when an entry must go.
const AGE_WEIGHT: i32 = 4;

/// Words of an entry.
const ENTRY_WORDS: usize = 2;
/// Words of the entries that share an index: one cache line.
const BUCKET_WORDS: usize = ENTRIES * ENTRY_WORDS;
const CACHE_LINE: usize = 64;
const _: () = assert!(BUCKET_WORDS * size_of::<AtomicU64>() == CACHE_LINE);

const KEY_BITS: u32 = 48;
const KEY_MASK: u64 = (1 << KEY_BITS) - 1;

impl Entry {
    /// The entry as two words. The second one is needed to read the first, so that halves of two entries, written by two
    /// threads at once, are not taken for one: the key comes out wrong.
    fn pack(&self) -> [u64; ENTRY_WORDS] {
        let [key_low, key_high] = [self.key & 0xffff_ffff, self.key >> 32 & 0xffff];
        let data = u64::from(self.score as u16)
            | u64::from(self.evaluation as u16) << 16
            | u64::from(self.depth) << 32
            | u64::from(self.tag) << 40
            | key_high << 48;
        [(key_low << 32 | u64::from(self.best)) ^ data.rotate_left(32), data]
    }

    fn unpack([first, data]: [u64; ENTRY_WORDS]) -> Entry {
        let first = first ^ data.rotate_left(32);
        Entry {
            key: first >> 32 | data >> 48 << 32,
            best: first as u32,
            score: data as i16,
            evaluation: (data >> 16) as i16,
            depth: (data >> 32) as u8,
            tag: (data >> 40) as u8,
        }
    }

    fn bound(&self) -> Option<Bound> {
        [None, Some(Bound::Exact), Some(Bound::Lower), Some(Bound::Upper)][usize::from(self.tag % AGE_STEP)]
    }

    /// The search that it is from.
    fn age(&self) -> u8 {
        self.tag - self.tag % AGE_STEP
    }

    /// Is it about the position with that key?
    fn is_of(&self, key: u64) -> bool {
        self.key == key & KEY_MASK && self.bound().is_some()
    }

    /// How much would be lost with it: its depth, less what its age (in searches) takes off; an empty entry is worth least.
    fn worth(&self, age: u8) -> i32 {
        if self.bound().is_none() {
            return i32::MIN;
        }
        let searches_ago = age.wrapping_sub(self.age()) / AGE_STEP;
        i32::from(self.depth) - AGE_WEIGHT * i32::from(searches_ago)
    }
}

/// A table of fixed size that any number of threads may read and write at once. When a bucket is full, the entry of least
/// depth and greatest age goes.
pub(super) struct TranspositionTable {
    /// The buckets, from `first` on.
    words: Box<[AtomicU64]>,
    /// The index of the first word that begins a cache line.
    first: usize,
    buckets: usize,
    /// The present search's age, a multiple of [`AGE_STEP`], modulo 256.
    age: AtomicU8,
}

impl TranspositionTable {
    /// A table of at most `megabytes` MiB, at least one bucket. Its memory is taken from the system page by page, as it is
    /// filled.
    pub(super) fn new(megabytes: usize) -> TranspositionTable {
        TranspositionTable::with_buckets((megabytes.saturating_mul(1 << 20) / CACHE_LINE).max(1))
    }

    fn with_buckets(buckets: usize) -> TranspositionTable {
        let words = Box::<[AtomicU64]>::new_zeroed_slice((buckets + 1) * BUCKET_WORDS);
        // SAFETY: an atomic integer is initialized by zero bytes.
        let words = unsafe { words.assume_init() };
        let first = words.as_ptr().align_offset(CACHE_LINE).min(BUCKET_WORDS);
        TranspositionTable {
            words,
            first,
            buckets,
            age: AtomicU8::new(0),
        }
    }

    /// Tells that a new search begins: what is there gets older.
    pub(super) fn new_search(&self) {
        self.age.fetch_add(AGE_STEP, Relaxed);
    }

    #[inline]
    fn age(&self) -> u8 {
        self.age.load(Relaxed)
    }

    /// The bucket of a position.
    #[inline]
    fn bucket(&self, key: u64) -> &[AtomicU64; BUCKET_WORDS] {
        // The high bits of the key spread over the buckets, whatever their number.
        self.bucket_at(((u128::from(key) * self.buckets as u128) >> 64) as usize)
    }

    #[inline]
    fn bucket_at(&self, index: usize) -> &[AtomicU64; BUCKET_WORDS] {
        let start = self.first + index * BUCKET_WORDS;
        self.words[start..]
            .first_chunk()
            .expect("there is room for one bucket more than there are")
    }

    /// What is known of the position with that key, asked at `ply`.
    #[inline]
    pub(super) fn probe(&self, key: u64, ply: usize) -> Option<TtEntry> {
        let entry = entries(self.bucket(key)).into_iter().find(|entry| entry.is_of(key))?;
        Some(TtEntry {
            best: Move::from_bits(entry.best),
            score: Score::from_table(entry.score, ply),
            evaluation: (entry.evaluation != NO_EVALUATION)
                .then(|| Score::from_centipawns(i32::from(entry.evaluation))),
            depth: entry.depth,
            bound: entry.bound()?,
        })
    }

    /// Asks the processor to bring near what is known of a position, which will soon be asked for.
    #[inline]
    pub(super) fn prefetch(&self, key: u64) {
        crate::platform::prefetch(&self.bucket(key)[0]);
    }

    /// Keeps what was found at `ply` for the position with that key.
    #[inline]
    pub(super) fn store(&self, key: u64, ply: usize, known: &TtEntry) {
        let age = self.age();
        let bucket = self.bucket(key);
        let there = entries(bucket);
        let same = there.iter().position(|entry| entry.is_of(key));
        let slot = same.unwrap_or_else(|| (0..ENTRIES).min_by_key(|&slot| there[slot].worth(age)).unwrap_or(0));
        let old = there[slot];
        let mut new = Entry {
            key: key & KEY_MASK,
            best: known.best.map_or(0, |mv| mv.to_bits().get()),
            score: known.score.to_table(ply),
            evaluation: known.evaluation.map_or(NO_EVALUATION, |score| score.to_table(0)),
            depth: known.depth,
            tag: age | (known.bound as u8 + 1),
        };
        if same.is_some() {
            // A bound without a move must not cost the move of an earlier visit.
            if new.best == 0 {
                new.best = old.best;
            }
            // A much deeper result of this search is worth more than a new shallow bound.
            let fresh = old.age() == age;
            if fresh && known.bound != Bound::Exact && known.depth + 3 < old.depth {
                new = Entry { best: new.best, ..old };
            }
        }
        for (word, bits) in bucket[slot * ENTRY_WORDS..].iter().zip(new.pack()) {
            word.store(bits, Relaxed);
        }
    }

    /// How full it is with entries of the present search, in thousandths, by a sample.
    pub(super) fn permill_full(&self) -> u32 {
        let age = self.age();
        let sample = self.buckets.min(250);
        let used = (0..sample)
            .flat_map(|index| entries(self.bucket_at(index)))
            .filter(|entry| entry.bound().is_some() && entry.age() == age)
            .count();
        (used * 1000 / (sample * ENTRIES)) as u32
    }
}

#[inline]
fn entries(bucket: &[AtomicU64; BUCKET_WORDS]) -> [Entry; ENTRIES] {
    let word = |index: usize| bucket[index].load(Relaxed);
    std::array::from_fn(|slot| Entry::unpack([word(ENTRY_WORDS * slot), word(ENTRY_WORDS * slot + 1)]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(score: Score, depth: u8) -> TtEntry {
        TtEntry {
            best: None,
            score,
            evaluation: Some(Score::from_centipawns(-12)),
            depth,
            bound: Bound::Lower,
        }
    }

    #[test]
    fn scores_come_back_as_they_went_in() {
        let table = TranspositionTable::new(1);
        let scores = [
            Score::mating(7),
            Score::mated(12),
            Score::from_centipawns(88),
            Score::ADVANTAGE,
            -Score::ADVANTAGE,
        ];
        for (number, score) in scores.into_iter().enumerate() {
            let key = 0x1234_5678_9abc_def0u64.wrapping_mul(number as u64 + 1);
            let entry = known(score, 9);
            table.store(key, 4, &entry);
            assert_eq!(table.probe(key, 4), Some(entry));
        }
        assert_eq!(table.probe(99, 0), None);
    }

    #[test]
    fn halves_of_different_entries_are_no_entry() {
        let entry = |key: u64, depth| Entry {
            key: key & KEY_MASK,
            best: 77,
            score: -5,
            evaluation: 12,
            depth,
            tag: AGE_STEP + 2,
        };
        let [one, other] = [entry(0x1234_5678_9abc, 7), entry(0xfedc_1357_9bdf, 9)];
        assert_eq!(Entry::unpack(one.pack()).key, one.key);
        assert_eq!(Entry::unpack(one.pack()).depth, 7);
        let torn = Entry::unpack([one.pack()[0], other.pack()[1]]);
        assert!(!torn.is_of(one.key) && !torn.is_of(other.key));
    }

    #[test]
    fn threads_never_read_what_no_thread_wrote() {
        // Few buckets and many keys: all threads write the same entries all the time.
        let table = TranspositionTable::with_buckets(2);
        let of_key = |key: u64| known(Score::from_centipawns((key % 1000) as i32), (key % 50) as u8);
        std::thread::scope(|scope| {
            for thread in 0..4u64 {
                let table = &table;
                scope.spawn(move || {
                    for round in 0..20_000u64 {
                        let key = (round * 7 + thread * 13) % 64;
                        let key = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
                        if let Some(found) = table.probe(key, 0) {
                            assert_eq!(found, of_key(key));
                        }
                        table.store(key, 0, &of_key(key));
                    }
                });
            }
        });
    }

    #[test]
    fn old_and_shallow_entries_go_first() {
        let table = TranspositionTable::with_buckets(1);
        for key in 1..=4 {
            table.store(key, 0, &known(Score::DRAW, key as u8 * 5));
        }
        // The bucket is full: the shallowest goes.
        table.store(5, 0, &known(Score::DRAW, 1));
        assert!(table.probe(1, 0).is_none() && table.probe(2, 0).is_some());
        // Five searches later depth 10 weighs less than a new depth 1.
        for _ in 0..5 {
            table.new_search();
        }
        table.store(6, 0, &known(Score::DRAW, 1));
        table.store(7, 0, &known(Score::DRAW, 1));
        assert!(table.probe(6, 0).is_some() && table.probe(7, 0).is_some() && table.probe(4, 0).is_some());
        assert!(table.probe(5, 0).is_none() && table.probe(2, 0).is_none());
    }
}
