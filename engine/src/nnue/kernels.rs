//! The loops that a network spends its time in, over rows of 16-bit numbers.
//!
//! They are plain loops over arrays, which the compiler turns into vector instructions, compiled once for any processor and
//! once for those with 256-bit integer vectors.

use crate::platform::{CpuFeatures, dispatch_avx2};

/// Numbers that are worked on at once.
pub(super) const LANES: usize = 16;

/// As many numbers as a 256-bit register holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C, align(32))]
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

/// The numbers of lanes, one after the other.
#[inline(always)]
fn flat(lanes: &[Lanes]) -> &[i16] {
    const { assert!(size_of::<Lanes>() == LANES * size_of::<i16>()) };
    // SAFETY: lanes are arrays of numbers and nothing else, as their size shows.
    unsafe { std::slice::from_raw_parts(lanes.as_ptr().cast(), lanes.len() * LANES) }
}

/// Adds rows to `sums` and takes others away. A row is as long as `sums`; `rows` holds them one after the other.
#[inline]
pub(super) fn update(processor: CpuFeatures, sums: &mut [Lanes], rows: &[Lanes], added: &[u32], removed: &[u32]) {
    dispatch_avx2!(
        processor,
        fn(sums: &mut [Lanes], rows: &[Lanes], added: &[u32], removed: &[u32]) {
            let change = Change {
                width: sums.len(),
                rows,
                added,
                removed,
            };
            let rest = change.apply::<8>(sums);
            let rest = change.apply::<4>(rest);
            change.apply::<1>(rest);
        }
    );
}

/// What `update` is asked to do.
struct Change<'c> {
    /// Lanes of a row.
    width: usize,
    rows: &'c [Lanes],
    added: &'c [u32],
    removed: &'c [u32],
}

impl Change<'_> {
    /// Does what can be done to the end of the sums in tiles of `N` lanes, which are held in registers while the rows are
    /// gone through, and gives the rest.
    #[inline(always)]
    fn apply<'s, const N: usize>(&self, sums: &'s mut [Lanes]) -> &'s mut [Lanes] {
        let done = self.width - sums.len();
        let (tiles, rest) = sums.as_chunks_mut::<N>();
        for (number, tile) in tiles.iter_mut().enumerate() {
            let mut held = *tile;
            for &row in self.added {
                let row = self.part::<N>(row, done + number * N);
                for (sums, row) in held.iter_mut().zip(row) {
                    for (sum, &number) in sums.0.iter_mut().zip(&row.0) {
                        *sum = sum.wrapping_add(number);
                    }
                }
            }
            for &row in self.removed {
                let row = self.part::<N>(row, done + number * N);
                for (sums, row) in held.iter_mut().zip(row) {
                    for (sum, &number) in sums.0.iter_mut().zip(&row.0) {
                        *sum = sum.wrapping_sub(number);
                    }
                }
            }
            *tile = held;
        }
        rest
    }

    /// `N` lanes of a row.
    #[inline(always)]
    fn part<const N: usize>(&self, row: u32, first: usize) -> &[Lanes; N] {
        let part = &self.rows[row as usize * self.width + first..];
        part.first_chunk().expect("rows are as long as the sums")
    }
}

/// The sum of weights times squares of the numbers, these brought into 0 to [`super::QA`] before.
///
/// A weight is at most 8 bits wide, so that a number times a weight fits 16 bits, and the sum of [`super::MOST_HIDDEN`]
/// products fits 32: 256 * 255 * 255 * 128 < 2^31.
#[inline]
pub(super) fn dot(processor: CpuFeatures, numbers: &[Lanes], weights: &[Lanes]) -> i32 {
    dispatch_avx2!(
        processor,
        fn(numbers: &[Lanes], weights: &[Lanes]) -> i32 {
            flat(numbers)
                .iter()
                .zip(flat(weights))
                .fold(0i32, |sum, (&number, &weight)| {
                    let clipped = number.clamp(0, super::QA as i16);
                    // In this form the compiler finds the instruction that multiplies and adds neighbours.
                    sum.wrapping_add(i32::from(clipped.wrapping_mul(weight)) * i32::from(clipped))
                })
        }
    )
}
