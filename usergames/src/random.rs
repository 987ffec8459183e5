//! Random numbers and values of keys.

use std::ops::RangeInclusive;

use assay_rules::Points;
use rand::RngExt;
use rand::distr::uniform::SampleUniform;

pub(crate) type Rng = rand_xoshiro::Xoshiro256PlusPlus;

/// A random item.
pub(crate) fn pick<T: Copy>(rng: &mut Rng, items: &[T]) -> T {
    items[rng.random_range(0..items.len())]
}

/// True with a chance.
pub(crate) fn flag(rng: &mut Rng, chance: f64) -> Option<bool> {
    Some(rng.random_bool(chance))
}

pub(crate) fn number<T: SampleUniform + PartialOrd>(rng: &mut Rng, range: RangeInclusive<T>) -> Option<T> {
    Some(rng.random_range(range))
}

pub(crate) fn word(rng: &mut Rng, words: &[&str]) -> Option<String> {
    Some(pick(rng, words).to_owned())
}

/// Points, of quarters to choose from.
pub(crate) fn points(rng: &mut Rng, quarters: &[u8]) -> Option<Points> {
    Points::from_quarters(pick(rng, quarters))
}
