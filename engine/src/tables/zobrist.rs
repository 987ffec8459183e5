//! Zobrist keys (Zobrist, "A new hashing method with application for game playing", 1970).

use assay_rules::def::{MAX_CHECKS, Rights};
use assay_rules::piece::{Kind, MAX_KINDS};
use assay_rules::position::EnPassant;
use assay_rules::{Color, Square, Turn};
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::{PIECE_INDICES, piece_index};
use crate::bitboard::BitboardWord;

/// Fixed, so that hashes are the same in every run.
const SEED: u64 = 0x4173_7361_7920_6861;

/// A random key for every property that distinguishes positions under the repetition rule.
#[derive(Clone, Debug)]
pub(crate) struct Zobrist<W: BitboardWord> {
    /// Indexed by [`piece_index`].
    pieces: Box<[W::PerSquare<u64>; PIECE_INDICES]>,
    rights: [u64; 64],
    passed: W::PerSquare<u64>,
    victim: W::PerSquare<u64>,
    pockets: [[u64; MAX_KINDS]; 2],
    last_moved_as: [[u64; MAX_KINDS]; 2],
    turns: [u64; 6],
    checks_left: [[u64; MAX_CHECKS as usize + 1]; 2],
    walls: W::PerSquare<u64>,
}

impl<W: BitboardWord> Zobrist<W> {
    pub(crate) fn new(kinds: usize) -> Self {
        let mut random = SplitMix64::seed_from_u64(SEED);
        let mut next = || random.next_u64();
        let mut pieces: Box<[W::PerSquare<u64>]> = vec![W::per_square(0); PIECE_INDICES].into();
        pieces[..2 * kinds].fill_with(|| by_square::<W>(&mut next));
        Zobrist {
            pieces: pieces.try_into().expect("one entry per piece index"),
            rights: [(); 64].map(|()| next()),
            passed: by_square::<W>(&mut next),
            victim: by_square::<W>(&mut next),
            pockets: by_kind(&mut next),
            last_moved_as: by_kind(&mut next),
            turns: [(); 6].map(|()| next()),
            checks_left: [(); 2].map(|()| [(); MAX_CHECKS as usize + 1].map(|()| next())),
            walls: by_square::<W>(&mut next),
        }
    }

    #[inline(always)]
    pub(crate) fn piece(&self, color: Color, kind: Kind, square: Square) -> u64 {
        W::at(&self.pieces[piece_index(color, kind)], square)
    }

    pub(crate) fn wall(&self, square: Square) -> u64 {
        W::at(&self.walls, square)
    }

    #[inline(always)]
    pub(crate) fn rights(&self, rights: Rights) -> u64 {
        let mut rest = rights.0;
        let mut key = 0;
        while rest != 0 {
            key ^= self.rights[rest.trailing_zeros() as usize];
            rest &= rest - 1;
        }
        key
    }

    #[inline(always)]
    pub(crate) fn en_passant(&self, ep: Option<EnPassant>) -> u64 {
        ep.map_or(0, |ep| W::at(&self.passed, ep.passed) ^ W::at(&self.victim, ep.victim))
    }

    #[inline(always)]
    pub(crate) fn pocket(&self, color: Color, kind: Kind, count: u32) -> u64 {
        self.pockets[color.index()][kind.index()].wrapping_mul(u64::from(count))
    }

    #[inline(always)]
    pub(crate) fn last_moved_as(&self, color: Color, kind: Option<Kind>) -> u64 {
        kind.map_or(0, |kind| self.last_moved_as[color.index()][kind.index()])
    }

    #[inline(always)]
    pub(crate) fn checks_left(&self, color: Color, left: u8) -> u64 {
        self.checks_left[color.index()][usize::from(left)]
    }

    #[inline(always)]
    pub(crate) fn side(&self, side: Color) -> u64 {
        self.turns[side.index()]
    }

    #[inline(always)]
    pub(crate) fn turn(&self, turn: Turn) -> u64 {
        self.turns[match turn {
            Turn::Single(Color::White) => 0,
            Turn::Single(Color::Black) => 1,
            Turn::WhiteTwice => 2,
            Turn::WhiteThenBlackTwice => 3,
            Turn::BlackTwice => 4,
            Turn::BlackAgain => 5,
        }]
    }
}

fn by_square<W: BitboardWord>(next: &mut impl FnMut() -> u64) -> W::PerSquare<u64> {
    let mut keys = W::per_square(0);
    for square in 0..W::BITS {
        keys[square] = next();
    }
    keys
}

fn by_kind(next: &mut impl FnMut() -> u64) -> [[u64; MAX_KINDS]; 2] {
    [(); 2].map(|()| [(); MAX_KINDS].map(|()| next()))
}
