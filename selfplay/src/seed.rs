//! The seed scheme: random streams that depend only on a run's seed, their purpose and a number.
//!
//! Every opening, and everything else that is drawn, has its own stream: xoshiro256++ whose 32
//! bytes of state are `blake3::derive_key("assay-selfplay opening 1", seed || pair)`, or with
//! another context, with both numbers as eight little-endian bytes. So neither threads nor the
//! order of play affect a game, and neighboring pairs share nothing. The choices are made by
//! [`Stream::below`] and not by a library, since a new version of it might change them.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// What a stream is for.
#[derive(Clone, Copy, Debug)]
pub enum Purpose {
    /// The opening of a pair.
    Opening,
    /// The order of a book, by repetition.
    Book,
    /// The evaluation jitter of a pair.
    EvalJitter,
    /// The order of a plan, by repetition.
    Plan,
    /// Draws of this crate's tests.
    Test,
    /// The errors of ratings.
    Ratings,
    /// Whether decided games of a pair are played on.
    PlayedOn,
}

impl Purpose {
    /// The context of the key. Its number changes when anything that draws from these streams
    /// changes.
    const fn context(self) -> &'static str {
        match self {
            Purpose::Opening => "assay-selfplay opening 1",
            Purpose::Book => "assay-selfplay book 1",
            // An old name that cannot change: the games of every seed depend on it.
            Purpose::EvalJitter => "assay-selfplay beliefs 1",
            Purpose::Plan => "assay-selfplay plan 1",
            Purpose::Test => "assay-selfplay test 1",
            Purpose::Ratings => "assay-selfplay ratings 1",
            Purpose::PlayedOn => "assay-selfplay played on 1",
        }
    }
}

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub struct Stream(Xoshiro256PlusPlus);

impl Stream {
    /// The stream of a purpose and a number: of a pair, a repetition or a test.
    pub fn new(purpose: Purpose, seed: u64, number: u64) -> Stream {
        let mut material = [0; 16];
        material[..8].copy_from_slice(&seed.to_le_bytes());
        material[8..].copy_from_slice(&number.to_le_bytes());
        Stream(Xoshiro256PlusPlus::from_seed(blake3::derive_key(purpose.context(), &material)))
    }

    /// A uniform number in [0, 1), in steps of 2^-53.
    pub fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A random permutation of the numbers below `count` (Fisher-Yates).
    pub fn order(&mut self, count: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..count).collect();
        for last in (1..count).rev() {
            order.swap(last, self.below(last + 1));
        }
        order
    }

    /// A uniform number below `bound`, exact to within `bound` / 2^64.
    ///
    /// # Panics
    /// If `bound` is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        assert!(bound > 0, "no number is below 0");
        let product = u128::from(self.0.next_u64()) * bound as u128;
        (product >> 64) as usize
    }

    /// A random item; `None` if there are none.
    pub fn pick<'t, T>(&mut self, items: &'t [T]) -> Option<&'t T> {
        if items.is_empty() { None } else { items.get(self.below(items.len())) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(mut stream: Stream) -> Vec<usize> {
        (0..4).map(|_| stream.below(1_000_000)).collect()
    }

    #[test]
    fn streams_never_change() {
        // With other numbers, old seeds would give other games.
        assert_eq!(first(Stream::new(Purpose::Opening, 1, 0)), [191_606, 135_018, 44_692, 248_215]);
    }

    #[test]
    fn seeds_and_pairs_have_different_streams() {
        assert_eq!(first(Stream::new(Purpose::Opening, 7, 3)), first(Stream::new(Purpose::Opening, 7, 3)));
        assert_ne!(first(Stream::new(Purpose::Opening, 7, 3)), first(Stream::new(Purpose::Opening, 7, 4)));
        assert_ne!(first(Stream::new(Purpose::Opening, 7, 3)), first(Stream::new(Purpose::Opening, 3, 7)));
    }

    #[test]
    fn choices_are_uniform() {
        let mut stream = Stream::new(Purpose::Opening, 1, 1);
        let mut counts = [0_u32; 6];
        for _ in 0..60_000 {
            counts[stream.below(6)] += 1;
        }
        // Five standard deviations of a count of mean 10,000.
        assert!(counts.iter().all(|count| count.abs_diff(10_000) < 460), "{counts:?}");
    }
}
