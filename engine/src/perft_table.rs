//! Remembered perft counts.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::position::Position;
use crate::ruleset::Ruleset;

/// The identity of a position for counting: 128 bits, so that two positions are confused never in practice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PerftKey(u64, u64);

impl<R: Ruleset> Position<R> {
    /// Everything that decides the tree below: the repetition hash, and beside it a hash of the men by other means.
    ///
    /// The move number decides when gating ends, and is no part of the hash. Within one table use it need not be: from one
    /// root, positions counted to the same remaining depth have been reached after the same number of plies, so they have
    /// the same move number. A table serves one root and one depth only.
    pub(crate) fn perft_key(&self) -> PerftKey {
        PerftKey(self.hash(), self.second_hash())
    }
}

/// A table of counts for one root and one depth, shared by all threads.
#[derive(Debug)]
pub struct PerftTable {
    slots: Box<[Slot]>,
}

/// The two words of the key are stored xored with the rest, so that a slot that two threads wrote at once matches nothing.
#[derive(Debug, Default)]
struct Slot {
    first: AtomicU64,
    second: AtomicU64,
    count: AtomicU64,
}

impl PerftTable {
    /// An empty table of about that many mebibytes, at least one.
    pub fn new(mebibytes: usize) -> PerftTable {
        let slots = (mebibytes.max(1) << 20) / size_of::<Slot>();
        PerftTable {
            slots: (0..slots).map(|_| Slot::default()).collect(),
        }
    }

    /// Forgets everything, for another root or another depth.
    pub fn clear(&mut self) {
        self.slots.iter_mut().for_each(|slot| *slot = Slot::default());
    }

    fn slot(&self, key: PerftKey, depth: u32) -> &Slot {
        let mixed = key.0 ^ u64::from(depth).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        &self.slots[((u128::from(mixed) * self.slots.len() as u128) >> 64) as usize]
    }

    pub(crate) fn get(&self, key: PerftKey, depth: u32) -> Option<u64> {
        let slot = self.slot(key, depth);
        let count = slot.count.load(Ordering::Relaxed);
        let first = slot.first.load(Ordering::Relaxed) ^ mix(count, depth);
        let second = slot.second.load(Ordering::Relaxed) ^ count;
        (PerftKey(first, second) == key && count > 0).then(|| count - 1)
    }

    pub(crate) fn put(&self, key: PerftKey, depth: u32, count: u64) {
        let slot = self.slot(key, depth);
        // A count of zero is stored as one, so that an empty slot is no answer.
        let count = count + 1;
        slot.count.store(count, Ordering::Relaxed);
        slot.first.store(key.0 ^ mix(count, depth), Ordering::Relaxed);
        slot.second.store(key.1 ^ count, Ordering::Relaxed);
    }
}

fn mix(count: u64, depth: u32) -> u64 {
    (count ^ u64::from(depth) << 56).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
