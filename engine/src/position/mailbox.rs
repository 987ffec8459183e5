//! The pieces of a position by square, for quick comparison.

use assay_rules::Square;
use assay_rules::piece::Piece;
use assay_rules::square::MAX_SQUARES;

use super::PackedPiece;
use crate::bitboard::{Bitboard, BitboardWord};

/// Bytes of a word.
const BYTES: usize = 8;

/// The pieces of a position by square: a byte for each, in words of eight. Squares beyond the board
/// are empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Mailbox([u64; MAX_SQUARES / BYTES]);

impl Mailbox {
    /// Copies an array by square.
    #[inline(always)]
    pub(super) fn new<W: BitboardWord>(pieces: &W::PerSquare<PackedPiece>) -> Mailbox {
        let mut mailbox = Mailbox::default();
        for (index, word) in mailbox.0[..W::BITS / BYTES].iter_mut().enumerate() {
            let byte = |byte: usize| W::at(pieces, Square((index * BYTES + byte) as u8)).0;
            *word = u64::from_le_bytes([byte(0), byte(1), byte(2), byte(3), byte(4), byte(5), byte(6), byte(7)]);
        }
        mailbox
    }

    /// The piece on a square, if there is one.
    #[inline(always)]
    pub(crate) fn piece(&self, square: Square) -> Option<Piece> {
        let word = self.0[square.index() / BYTES];
        PackedPiece((word >> (square.index() % BYTES * 8)) as u8).piece()
    }

    /// Squares on which two positions differ.
    #[inline(always)]
    pub(crate) fn difference<W: BitboardWord>(&self, other: &Mailbox) -> Bitboard<W> {
        let mut squares = [0u64; 2];
        let words = self.0.iter().zip(&other.0).take(W::BITS / BYTES);
        for (index, (word, other)) in words.enumerate() {
            squares[index / BYTES] |= nonzero_bytes(word ^ other) << (index % BYTES * BYTES);
        }
        Bitboard(W::from_u128(u128::from(squares[1]) << 64 | u128::from(squares[0])))
    }
}

/// One bit for each byte of a word, set if the byte is not zero.
#[inline(always)]
fn nonzero_bytes(word: u64) -> u64 {
    const LOW_BITS: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    // The highest bit of each byte is set if any other bit is, or by itself.
    let highest = (((word & LOW_BITS) + LOW_BITS) | word) & !LOW_BITS;
    // Collects the highest bits in the highest byte.
    (highest >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_nonzero_bytes() {
        assert_eq!(nonzero_bytes(0), 0);
        assert_eq!(nonzero_bytes(u64::MAX), 0xff);
        for byte in 0..BYTES {
            for value in [1u64, 0x7f, 0x80, 0xff] {
                assert_eq!(nonzero_bytes(value << (8 * byte)), 1 << byte);
                assert_eq!(nonzero_bytes(!(0xff << (8 * byte))), 0xff ^ 1 << byte);
            }
        }
    }
}
