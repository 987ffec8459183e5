//! Inner loops of the networks over 16-bit integers.
//!
//! The compiler vectorizes these loops.

use super::architecture::{HIDDEN_MULTIPLE, QA};

/// Number of 16-bit integers in a 256-bit register.
pub(super) const LANES: usize = 16;
const _: () = assert!(LANES == HIDDEN_MULTIPLE);

/// A 256-bit register of 16-bit integers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C, align(32))]
pub(super) struct Lanes(pub(super) [i16; LANES]);

/// Packs numbers into lanes.
///
/// # Panics
/// Panics if the length is not a multiple of [`LANES`].
pub(super) fn to_lanes(numbers: &[i16]) -> Vec<Lanes> {
    let (lanes, rest) = numbers.as_chunks();
    assert!(rest.is_empty(), "rows are whole lanes");
    lanes.iter().map(|&lanes| Lanes(lanes)).collect()
}

#[inline(always)]
fn flat(lanes: &[Lanes]) -> &[i16] {
    const { assert!(size_of::<Lanes>() == LANES * size_of::<i16>()) };
    // SAFETY: lanes are arrays of numbers without padding, as the size shows.
    unsafe { std::slice::from_raw_parts(lanes.as_ptr().cast(), lanes.len() * LANES) }
}

/// Adds and subtracts rows of weights to an accumulator. A row is as long as the accumulator.
#[inline]
pub(super) fn update(accumulator: &mut [Lanes], rows: &[Lanes], added: &[u32], removed: &[u32]) {
    let change = Change {
        width: accumulator.len(),
        rows,
        added,
        removed,
    };
    let rest = change.apply::<8>(accumulator);
    let rest = change.apply::<4>(rest);
    change.apply::<1>(rest);
}

/// Arguments of [`update`].
struct Change<'c> {
    /// Length of a row in lanes.
    width: usize,
    rows: &'c [Lanes],
    added: &'c [u32],
    removed: &'c [u32],
}

impl Change<'_> {
    /// Updates the remaining part of the accumulator in tiles of `N` lanes, which stay in registers during the loop over the
    /// rows. Returns the part that is too short for a tile.
    #[inline(always)]
    fn apply<'a, const N: usize>(&self, accumulator: &'a mut [Lanes]) -> &'a mut [Lanes] {
        let done = self.width - accumulator.len();
        let (tiles, rest) = accumulator.as_chunks_mut::<N>();
        for (number, tile) in tiles.iter_mut().enumerate() {
            let mut registers = *tile;
            for &row in self.added {
                let row = self.part::<N>(row, done + number * N);
                for (sums, row) in registers.iter_mut().zip(row) {
                    for (sum, &number) in sums.0.iter_mut().zip(&row.0) {
                        *sum = sum.wrapping_add(number);
                    }
                }
            }
            for &row in self.removed {
                let row = self.part::<N>(row, done + number * N);
                for (sums, row) in registers.iter_mut().zip(row) {
                    for (sum, &number) in sums.0.iter_mut().zip(&row.0) {
                        *sum = sum.wrapping_sub(number);
                    }
                }
            }
            *tile = registers;
        }
        rest
    }

    #[inline(always)]
    fn part<const N: usize>(&self, row: u32, first: usize) -> &[Lanes; N] {
        let part = &self.rows[row as usize * self.width + first..];
        part.first_chunk().expect("rows are as long as the accumulator")
    }
}

/// Lanes whose products may be summed in 32 bits: a clipped number is at most 255, a weight at most 127, and
/// 256 * 255 * 255 * 127 < 2^31.
const DOT_LANES: usize = 256 / LANES;

/// Dot product of weights and the squared clipped `ReLU` of an accumulator.
#[inline]
pub(super) fn screlu_dot(accumulator: &[Lanes], weights: &[Lanes]) -> i64 {
    let parts = accumulator.chunks(DOT_LANES).zip(weights.chunks(DOT_LANES));
    parts
        .map(|(numbers, weights)| i64::from(screlu_dot_part(numbers, weights)))
        .sum()
}

/// The dot product of at most [`DOT_LANES`]. Weights fit 8 bits, so a clipped number times a weight fits 16 bits.
#[inline]
fn screlu_dot_part(accumulator: &[Lanes], weights: &[Lanes]) -> i32 {
    flat(accumulator)
        .iter()
        .zip(flat(weights))
        .fold(0i32, |sum, (&number, &weight)| {
            let clipped = number.clamp(0, QA as i16);
            // The compiler recognizes this form as a multiply-add of adjacent pairs.
            sum.wrapping_add(i32::from(clipped.wrapping_mul(weight)) * i32::from(clipped))
        })
}
