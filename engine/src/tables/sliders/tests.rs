//! Compares slider attacks with walks square by square.

use assay_rules::{Board, Square, SquareSet};
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::{Sliders, UPWARD};
use crate::bitboard::{Bitboard, BitboardWord};
use crate::platform::has_fast_pext;
use crate::ruleset::Lines;

/// Attacks along two lines by walking; beyond the first piece if `hop`.
fn walked_attacks<W: BitboardWord>(
    board: &Board,
    ends: Bitboard<W>,
    from: Square,
    pieces: Bitboard<W>,
    first: usize,
    hop: bool,
) -> Bitboard<W> {
    let mut attacks = Bitboard::EMPTY;
    for (file, rank) in UPWARD[first..first + 2].iter().flat_map(|&(file, rank)| [(file, rank), (-file, -rank)]) {
        let (mut f, mut r) = (i16::from(board.file(from)), i16::from(board.rank(from)));
        let mut found_screen = false;
        loop {
            (f, r) = (f + file, r + rank);
            let Some(next) = board.square_at(f, r) else { break };
            if found_screen || !hop {
                attacks.insert(next);
            }
            if pieces.contains(next) {
                if found_screen || !hop {
                    break;
                }
                found_screen = true;
            }
            if ends.contains(next) {
                break;
            }
        }
    }
    attacks
}

fn check<W: BitboardWord>(board: &Board, ends: Bitboard<W>) {
    for use_pext in [false, has_fast_pext()] {
        check_with(board, ends, use_pext);
    }
}

fn check_with<W: BitboardWord>(board: &Board, ends: Bitboard<W>, use_pext: bool) {
    let sliders = Sliders::<W>::new(board, ends, use_pext);
    let mut random = SplitMix64::seed_from_u64(7);
    let mut word = || u128::from(random.next_u64()) << 64 | u128::from(random.next_u64());
    let squares: Bitboard<W> = board.squares().collect();
    for round in 0..200 {
        let sparse = if round % 2 == 0 { word() & word() } else { word() };
        let pieces = Bitboard(W::from_u128(sparse)) & squares;
        for square in board.squares() {
            for (lines, first) in [(Lines::ORTHOGONAL, 0), (Lines::DIAGONAL, 2)] {
                let pieces = pieces & !Bitboard::of(square);
                assert_eq!(
                    sliders.slide(lines, square, pieces),
                    walked_attacks(board, ends, square, pieces, first, false)
                );
                if ends.is_empty() {
                    assert_eq!(
                        sliders.hop(lines, square, pieces, pieces),
                        walked_attacks(board, ends, square, pieces, first, true)
                    );
                }
            }
        }
    }
}

#[test]
fn slider_attacks_equal_walked_attacks() {
    check::<u64>(&Board::new(8, 8, 1).unwrap(), Bitboard::EMPTY);
    check::<u128>(&Board::new(8, 8, 1).unwrap(), Bitboard::EMPTY);
    check::<u64>(&Board::new(7, 5, 1).unwrap(), Bitboard::EMPTY);
    check::<u128>(&Board::new(4, 20, 1).unwrap(), Bitboard::EMPTY);
    check::<u128>(&Board::new(10, 8, 1).unwrap(), Bitboard::EMPTY);
    check::<u128>(&Board::new(16, 8, 1).unwrap(), Bitboard::EMPTY);
}

#[test]
fn holes_and_line_ends_stop_sliders() {
    let set = |squares: &[u8]| squares.iter().copied().map(Square).collect::<SquareSet>();
    let small = Board::new(6, 6, 1).unwrap().with_special_squares(set(&[0, 5, 14, 30]), set(&[]));
    check::<u64>(&small, Bitboard::EMPTY);
    check::<u64>(&small, [Square(20), Square(3)].into_iter().collect());
    let large = Board::new(10, 12, 0)
        .unwrap()
        .with_special_squares(set(&[0, 1, 2, 7, 8, 9, 110, 111, 112, 117, 118, 119]), set(&[]));
    check::<u128>(&large, [Square(3), Square(4), Square(5), Square(6), Square(113)].into_iter().collect());
}
