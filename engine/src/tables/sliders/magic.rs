//! Magic bitboards: a multiplication gathers the relevant blockers into an index, for processors
//! without a fast PEXT. The factors are found when the table is built, because the lines depend on
//! the board. Each square has a table of its own size ("fancy"). Source: Chess Programming Wiki,
//! "Magic Bitboards".

use assay_rules::{Board, Square};
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::obstruction_difference::ObstructionDifference;
use super::{UPWARD, lines_of};
use crate::bitboard::{Bitboard, BitboardWord};

/// Seeds that soon give a factor on a board of 8x8, by lines (orthogonal, diagonal) and square: the
/// best of 256. All others work, too, but finding the factors of a board takes 0.1 s with them.
const SEEDS: [[u8; 64]; 2] = [
    [
        236, 79, 200, 232, 150, 177, 148, 163, 195, 89, 11, 75, 83, 160, 174, 98, 131, 140, 226, 81, 36, 14, 69, 170,
        172, 148, 39, 197, 27, 90, 180, 92, 86, 71, 171, 159, 124, 166, 210, 14, 236, 3, 122, 183, 181, 28, 103, 82,
        140, 25, 69, 151, 84, 122, 8, 30, 9, 166, 123, 157, 22, 216, 143, 13,
    ],
    [
        79, 159, 58, 43, 220, 82, 129, 203, 223, 191, 18, 11, 234, 76, 164, 35, 186, 215, 114, 78, 211, 154, 79, 39,
        142, 87, 73, 250, 172, 72, 113, 100, 19, 167, 119, 50, 125, 173, 57, 239, 175, 55, 159, 126, 37, 55, 115, 37,
        129, 162, 145, 120, 15, 148, 146, 159, 203, 35, 196, 3, 28, 235, 223, 79,
    ],
];

/// Both orthogonal or both diagonal lines through one square.
#[derive(Clone, Copy, Debug, Default)]
struct Magic {
    /// Squares on which a blocker matters: all but the last of each ray.
    relevant: u64,
    factor: u64,
    /// 64 minus the bits of the index.
    shift: u32,
    /// Index of the square's first entry.
    start: u32,
}

impl Magic {
    #[inline(always)]
    fn index(&self, occupied: u64) -> usize {
        ((occupied & self.relevant).wrapping_mul(self.factor) >> self.shift) as usize
    }

    /// A magic for these squares, and its attacks, of which `attacks_from` computes each.
    fn find(relevant: u64, seed: u8, start: usize, attacks_from: impl Fn(u64) -> u64) -> (Magic, Vec<u64>) {
        let bits = relevant.count_ones().max(1);
        let mut sets = Vec::with_capacity(1 << bits);
        let mut blockers = 0_u64;
        loop {
            sets.push((blockers, attacks_from(blockers)));
            // The next subset of the relevant squares.
            blockers = blockers.wrapping_sub(relevant) & relevant;
            if blockers == 0 {
                break;
            }
        }
        let mut random = SplitMix64::seed_from_u64(relevant ^ u64::from(seed));
        // The attempt that wrote an entry, so that no attempt must clear the table.
        let mut written = vec![0_u32; 1 << bits];
        let mut attacks = vec![0; 1 << bits];
        for attempt in 1.. {
            // Factors with few bits work more often.
            let factor = random.next_u64() & random.next_u64() & random.next_u64();
            let magic = Magic { relevant, factor, shift: 64 - bits, start: start as u32 };
            let fits = sets.iter().all(|&(blockers, attacked)| {
                let index = magic.index(blockers);
                let is_free = written[index] != attempt;
                if is_free {
                    (written[index], attacks[index]) = (attempt, attacked);
                }
                is_free || attacks[index] == attacked
            });
            if fits {
                return (magic, attacks);
            }
        }
        unreachable!("some factor maps the subsets of a few squares of two lines to different entries");
    }
}

/// Attack tables of a board of at most 8 files and 8 ranks.
#[derive(Clone, Debug)]
pub(super) struct MagicTable {
    orthogonal: [Magic; 64],
    diagonal: [Magic; 64],
    attacks: Box<[u64]>,
}

impl MagicTable {
    /// Builds the tables; `None` if the word is not of 64 bits. `reference` computes the entries.
    pub(super) fn new<W: BitboardWord>(
        board: &Board,
        ends: Bitboard<W>,
        reference: &ObstructionDifference<W>,
    ) -> Option<Box<MagicTable>> {
        if W::BITS != 64 {
            return None;
        }
        let mut attacks = Vec::new();
        let mut build = |lines: usize, attacks_from: &dyn Fn(Square, Bitboard<W>) -> Bitboard<W>| {
            let mut magics = [Magic::default(); 64];
            for square in board.squares() {
                let (_, relevant) = lines_of(board, [UPWARD[2 * lines], UPWARD[2 * lines + 1]], ends, square);
                let seed = SEEDS[lines][square.index()];
                let (magic, own) = Magic::find(relevant.to_u64(), seed, attacks.len(), |blockers| {
                    attacks_from(square, Bitboard(W::from_u128(blockers.into()))).to_u64()
                });
                magics[square.index()] = magic;
                attacks.extend(own);
            }
            magics
        };
        Some(Box::new(MagicTable {
            orthogonal: build(0, &|square, blockers| reference.orthogonal(square, blockers)),
            diagonal: build(1, &|square, blockers| reference.diagonal(square, blockers)),
            attacks: attacks.into(),
        }))
    }

    #[inline(always)]
    fn lookup<W: BitboardWord>(&self, magic: &Magic, occupied: Bitboard<W>) -> Bitboard<W> {
        let index = magic.start as usize + magic.index(occupied.to_u64());
        // SAFETY: `new` wrote, from `start` on, one entry for each index of as many bits as the
        // shift leaves.
        let attacks = unsafe { *self.attacks.get_unchecked(index) };
        Bitboard(W::from_u128(attacks.into()))
    }

    #[inline(always)]
    pub(super) fn orthogonal<W: BitboardWord>(&self, square: Square, occupied: Bitboard<W>) -> Bitboard<W> {
        self.lookup(&self.orthogonal[square.index() % 64], occupied)
    }

    #[inline(always)]
    pub(super) fn diagonal<W: BitboardWord>(&self, square: Square, occupied: Bitboard<W>) -> Bitboard<W> {
        self.lookup(&self.diagonal[square.index() % 64], occupied)
    }
}
