//! The transposition table: what earlier visits to a position found, in a bounded amount of memory.

use crate::mv::Move;
use crate::score::Score;

/// What a kept score says of the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// It is the score.
    Exact,
    /// The score is at least this.
    Lower,
    /// The score is at most this.
    Upper,
}

/// What the table knows of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known {
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

/// One entry. All zero bits: empty.
#[derive(Clone, Copy, Default)]
struct Entry {
    /// The low half of the position's key; the high half has chosen the bucket.
    key: u32,
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

/// The entries that share an index; one cache line.
#[derive(Clone, Copy, Default)]
#[repr(align(64))]
struct Bucket([Entry; ENTRIES]);

const _: () = assert!(size_of::<Bucket>() == 64);

impl Entry {
    fn bound(&self) -> Option<Bound> {
        [None, Some(Bound::Exact), Some(Bound::Lower), Some(Bound::Upper)][usize::from(self.tag % AGE_STEP)]
    }

    /// The search that it is from.
    fn age(&self) -> u8 {
        self.tag - self.tag % AGE_STEP
    }

    /// Is it about the position with that key?
    fn is_of(&self, key: u64) -> bool {
        self.key == key as u32 && self.bound().is_some()
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

/// A table of fixed size. When a bucket is full, the entry of least depth and greatest age goes.
pub(super) struct Table {
    buckets: Vec<Bucket>,
    /// The present search's age, a multiple of [`AGE_STEP`], modulo 256.
    age: u8,
}

impl Table {
    /// A table of at most `megabytes` MiB, at least one bucket.
    pub(super) fn new(megabytes: usize) -> Table {
        let count = (megabytes.saturating_mul(1 << 20) / size_of::<Bucket>()).max(1);
        Table {
            buckets: vec![Bucket::default(); count],
            age: 0,
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.buckets.fill(Bucket::default());
        self.age = 0;
    }

    /// Tells that a new search begins: what is there gets older.
    pub(super) fn new_search(&mut self) {
        self.age = self.age.wrapping_add(AGE_STEP);
    }

    #[inline]
    fn index(&self, key: u64) -> usize {
        // The high bits of the key spread over the buckets, whatever their number.
        ((u128::from(key) * self.buckets.len() as u128) >> 64) as usize
    }

    /// What is known of the position with that key, asked at `ply`.
    #[inline]
    pub(super) fn probe(&self, key: u64, ply: usize) -> Option<Known> {
        let entry = self.buckets[self.index(key)].0.iter().find(|entry| entry.is_of(key))?;
        Some(Known {
            best: Move::from_bits(entry.best),
            score: Score::from_table(entry.score, ply),
            evaluation: (entry.evaluation != NO_EVALUATION)
                .then(|| Score::from_centipawns(i32::from(entry.evaluation))),
            depth: entry.depth,
            bound: entry.bound()?,
        })
    }

    /// Keeps what was found at `ply` for the position with that key.
    #[inline]
    pub(super) fn store(&mut self, key: u64, ply: usize, known: &Known) {
        let age = self.age;
        let index = self.index(key);
        let bucket = &mut self.buckets[index].0;
        let same = bucket.iter().position(|entry| entry.is_of(key));
        let slot = same.unwrap_or_else(|| (0..ENTRIES).min_by_key(|&slot| bucket[slot].worth(age)).unwrap_or(0));
        let old = &mut bucket[slot];
        let mut best = known.best.map_or(0, |mv| mv.to_bits().get());
        if same.is_some() {
            // A bound without a move must not cost the move of an earlier visit.
            if best == 0 {
                best = old.best;
            }
            // A much deeper result of this search is worth more than a new shallow bound.
            let fresh = old.age() == age;
            if fresh && known.bound != Bound::Exact && known.depth + 3 < old.depth {
                old.best = best;
                return;
            }
        }
        *old = Entry {
            key: key as u32,
            best,
            score: known.score.to_table(ply),
            evaluation: known.evaluation.map_or(NO_EVALUATION, |score| score.to_table(0)),
            depth: known.depth,
            tag: age | (known.bound as u8 + 1),
        };
    }

    /// How full it is with entries of the present search, in thousandths, by a sample.
    pub(super) fn permill_full(&self) -> u32 {
        let sample = &self.buckets[..self.buckets.len().min(250)];
        let used = sample
            .iter()
            .flat_map(|bucket| bucket.0)
            .filter(|entry| entry.bound().is_some() && entry.age() == self.age)
            .count();
        (used * 1000 / (sample.len() * ENTRIES)) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(score: Score, depth: u8) -> Known {
        Known {
            best: None,
            score,
            evaluation: Some(Score::from_centipawns(-12)),
            depth,
            bound: Bound::Lower,
        }
    }

    #[test]
    fn scores_come_back_as_they_went_in() {
        let mut table = Table::new(1);
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
        table.clear();
        assert_eq!(table.probe(0x1234_5678_9abc_def0, 4), None);
    }

    #[test]
    fn old_and_shallow_entries_go_first() {
        let mut table = Table {
            buckets: vec![Bucket::default()],
            age: 0,
        };
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
