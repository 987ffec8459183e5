//! The loops that a network spends its time in, over rows of 16-bit numbers.
//!
//! They are plain loops over arrays, which the compiler turns into vector instructions, compiled once for any processor and
//! once for those with 256-bit integer vectors.

use crate::processor::{Processor, by_width};

/// Numbers that are worked on at once.
pub(super) const LANES: usize = 16;

/// As many numbers as a 256-bit register holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(align(32))]
pub(super) struct Lanes(pub(super) [i16; LANES]);

/// Numbers in whole lanes.
///
/// # Panics
/// When they do not fill their last lanes.
pub(super) fn in_lanes(numbers: &[i16]) -> Vec<Lanes> {
    let (lanes, rest) = numbers.as_chunks();
    assert!(rest.is_empty(), "rows are whole lanes");
    lanes.iter().map(|&lanes| Lanes(lanes)).collect()
}

/// Lanes that are held in registers while rows are added to them.
const TILE: usize = 8;

/// Adds rows to `sums` and takes others away. A row is as long as `sums`; `rows` holds them one after the other.
#[inline]
pub(super) fn update(processor: Processor, sums: &mut [Lanes], rows: &[Lanes], added: &[u32], removed: &[u32]) {
    by_width!(
        processor,
        fn(sums: &mut [Lanes], rows: &[Lanes], added: &[u32], removed: &[u32]) {
            let width = sums.len();
            let (tiles, rest) = sums.as_chunks_mut::<TILE>();
            let first_of_rest = tiles.len() * TILE;
            for (number, tile) in tiles.iter_mut().enumerate() {
                update_tile(tile, rows, width, number * TILE, added, removed);
            }
            let (pairs, rest) = rest.as_chunks_mut::<2>();
            let last = first_of_rest + pairs.len() * 2;
            for (number, tile) in pairs.iter_mut().enumerate() {
                update_tile(tile, rows, width, first_of_rest + number * 2, added, removed);
            }
            for tile in rest.as_chunks_mut::<1>().0 {
                update_tile(tile, rows, width, last, added, removed);
            }
        }
    );
}

/// The part of `update` that begins at `first`.
#[inline(always)]
fn update_tile<const N: usize>(
    tile: &mut [Lanes; N],
    rows: &[Lanes],
    width: usize,
    first: usize,
    added: &[u32],
    removed: &[u32],
) {
    let part = |row: u32| {
        let part = &rows[row as usize * width + first..][..N];
        part.as_array::<N>().expect("it is cut to that length")
    };
    let mut held = *tile;
    for &row in added {
        for (sums, row) in held.iter_mut().zip(part(row)) {
            for (sum, &number) in sums.0.iter_mut().zip(&row.0) {
                *sum = sum.wrapping_add(number);
            }
        }
    }
    for &row in removed {
        for (sums, row) in held.iter_mut().zip(part(row)) {
            for (sum, &number) in sums.0.iter_mut().zip(&row.0) {
                *sum = sum.wrapping_sub(number);
            }
        }
    }
    *tile = held;
}

/// The sum of weights times squares of the numbers, these brought into 0 to [`super::QA`] before.
///
/// A weight is at most 8 bits wide, so that a number times a weight fits 16 bits, and the sum of [`super::MOST_HIDDEN`]
/// products fits 32: 256 * 255 * 255 * 128 < 2^31.
#[inline]
pub(super) fn dot(processor: Processor, numbers: &[Lanes], weights: &[Lanes]) -> i32 {
    by_width!(
        processor,
        fn(numbers: &[Lanes], weights: &[Lanes]) -> i32 {
            let mut sums = [0i32; LANES / 2];
            for (numbers, weights) in numbers.iter().zip(weights) {
                let clipped = numbers.0.map(|number| number.clamp(0, super::QA as i16));
                let mut weighed = clipped;
                for (product, &weight) in weighed.iter_mut().zip(&weights.0) {
                    *product = product.wrapping_mul(weight);
                }
                // Neighbours are added in pairs, for which processors have one instruction.
                for (pair, sum) in sums.iter_mut().enumerate() {
                    let product = |at: usize| i32::from(weighed[at]) * i32::from(clipped[at]);
                    *sum = sum.wrapping_add(product(2 * pair).wrapping_add(product(2 * pair + 1)));
                }
            }
            sums.iter().fold(0, |total: i32, &sum| total.wrapping_add(sum))
        }
    )
}
