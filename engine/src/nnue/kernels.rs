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

impl Lanes {
    #[inline(always)]
    fn plus(mut self, other: Lanes) -> Lanes {
        for (number, other) in self.0.iter_mut().zip(other.0) {
            *number = number.wrapping_add(other);
        }
        self
    }

    #[inline(always)]
    fn minus(mut self, other: Lanes) -> Lanes {
        for (number, other) in self.0.iter_mut().zip(other.0) {
            *number = number.wrapping_sub(other);
        }
        self
    }
}

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
    let width = accumulator.len();
    let row = |&row: &u32| &rows[row as usize * width..][..width];
    // The rows of a piece that has moved, in one pass.
    let pairs = added.len().min(removed.len());
    for (added, removed) in added.iter().zip(removed) {
        for ((sum, &added), &removed) in accumulator.iter_mut().zip(row(added)).zip(row(removed)) {
            *sum = sum.plus(added).minus(removed);
        }
    }
    for added in &added[pairs..] {
        for (sum, &added) in accumulator.iter_mut().zip(row(added)) {
            *sum = sum.plus(added);
        }
    }
    for removed in &removed[pairs..] {
        for (sum, &removed) in accumulator.iter_mut().zip(row(removed)) {
            *sum = sum.minus(removed);
        }
    }
}

/// Sets an accumulator to another one with rows of weights added and subtracted. The changes by
/// usual moves take one pass.
#[inline]
pub(super) fn update_from(target: &mut [Lanes], source: &[Lanes], rows: &[Lanes], added: &[u32], removed: &[u32]) {
    let width = target.len();
    let row = |row: u32| &rows[row as usize * width..][..width];
    let sums = target.iter_mut().zip(source);
    match (added, removed) {
        (&[], &[]) => target.copy_from_slice(source),
        // A move.
        (&[a], &[b]) => {
            for (((target, source), &a), &b) in sums.zip(row(a)).zip(row(b)) {
                *target = source.plus(a).minus(b);
            }
        }
        // A capture.
        (&[a], &[b, c]) => {
            for ((((target, source), &a), &b), &c) in sums.zip(row(a)).zip(row(b)).zip(row(c)) {
                *target = source.plus(a).minus(b).minus(c);
            }
        }
        // Castling, or two moves.
        (&[a, b], &[c, d]) => {
            for (((((target, source), &a), &b), &c), &d) in sums.zip(row(a)).zip(row(b)).zip(row(c)).zip(row(d)) {
                *target = source.plus(a).plus(b).minus(c).minus(d);
            }
        }
        _ => {
            target.copy_from_slice(source);
            update(target, rows, added, removed);
        }
    }
}

/// Lanes whose products may be summed in 32 bits: a clipped number is at most 255, a weight at
/// least -128, and 256 * 255 * 255 * 128 < 2^31.
const DOT_LANES: usize = 256 / LANES;

/// Dot product of weights and the squared clipped `ReLU` of an accumulator.
#[inline]
pub(super) fn screlu_dot(accumulator: &[Lanes], weights: &[Lanes]) -> i64 {
    let parts = accumulator.chunks(DOT_LANES).zip(weights.chunks(DOT_LANES));
    parts.map(|(numbers, weights)| i64::from(screlu_dot_part(numbers, weights))).sum()
}

/// The dot product of at most [`DOT_LANES`]. Weights fit 8 bits, so a clipped number times a weight
/// fits 16 bits.
#[inline]
fn screlu_dot_part(accumulator: &[Lanes], weights: &[Lanes]) -> i32 {
    flat(accumulator).iter().zip(flat(weights)).fold(0i32, |sum, (&number, &weight)| {
        let clipped = number.clamp(0, QA as i16);
        // The compiler recognizes this form as a multiply-add of adjacent pairs.
        sum.wrapping_add(i32::from(clipped.wrapping_mul(weight)) * i32::from(clipped))
    })
}
