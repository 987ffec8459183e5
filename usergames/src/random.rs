//! Random numbers.

use rand::RngExt;

pub(crate) type Rng = rand_xoshiro::Xoshiro256PlusPlus;

/// A random item.
pub(crate) fn pick<'t>(rng: &mut Rng, items: &[&'t str]) -> &'t str {
    items[rng.random_range(0..items.len())]
}
