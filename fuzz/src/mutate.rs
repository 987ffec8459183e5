//! Random mutations of inputs, and changes that an input describes.

use rand::{Rng, RngExt};

/// Applies the changes that `patches` describes: five bytes each, which are an operation, a place (24 bits) and a value.
///
/// Operations: 0 replaces the byte at a place from the beginning, 1 at a place from the end, 2 truncates there, 3
/// inserts a byte, 4 removes one; any other number counts modulo 5. Places beyond the end wrap around.
pub fn patch(bytes: &mut Vec<u8>, patches: &[u8]) {
    for &[operation, a, b, c, value] in patches.as_chunks().0 {
        if bytes.is_empty() {
            return;
        }
        let at = (u32::from_be_bytes([0, a, b, c]) as usize) % bytes.len();
        match operation % 5 {
            0 => bytes[at] = value,
            1 => {
                let at = bytes.len() - 1 - at;
                bytes[at] = value;
            }
            2 => bytes.truncate(at),
            3 => bytes.insert(at, value),
            _ => drop(bytes.remove(at)),
        }
    }
}

/// Makes new inputs from seeds.
pub struct Mutator {
    seeds: Vec<Vec<u8>>,
    /// Words of the seeds.
    words: Vec<Vec<u8>>,
    max_length: usize,
}

/// Numbers at the limits of parsers and arithmetic.
const NUMBERS: [&str; 14] = [
    "0",
    "1",
    "-1",
    "2",
    "127",
    "128",
    "255",
    "256",
    "65536",
    "2147483648",
    "4294967296",
    "18446744073709551616",
    "1e400",
    "00",
];

const MAX_WORD: usize = 24;

impl Mutator {
    pub fn new(seeds: Vec<Vec<u8>>) -> Mutator {
        let mut words: Vec<Vec<u8>> = NUMBERS.iter().map(|number| number.as_bytes().to_vec()).collect();
        for seed in &seeds {
            let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte >= 0x80;
            let parts = seed.chunk_by(|left, right| is_word(left) == is_word(right));
            words.extend(parts.filter(|part| part.len() <= MAX_WORD).map(<[u8]>::to_vec));
        }
        words.sort();
        words.dedup();
        let longest = seeds.iter().map(Vec::len).max().unwrap_or(0);
        Mutator {
            seeds,
            words,
            max_length: (2 * longest).max(64),
        }
    }

    /// A seed with one to eight changes, fewer more often.
    pub fn next(&self, rng: &mut impl Rng) -> Vec<u8> {
        let mut input = self.seeds[rng.random_range(0..self.seeds.len())].clone();
        let changes = 1 + (rng.random::<u32>().trailing_zeros() as usize).min(7);
        for _ in 0..changes {
            self.change(&mut input, rng);
        }
        input.truncate(self.max_length);
        input
    }

    fn change(&self, input: &mut Vec<u8>, rng: &mut impl Rng) {
        let at = rng.random_range(0..=input.len());
        let range = at..rng.random_range(at..=input.len().min(at + 16));
        match rng.random_range(0..9) {
            0 => {
                if let Some(byte) = input.get_mut(at) {
                    *byte ^= 1 << rng.random_range(0..8);
                }
            }
            1 => {
                if let Some(byte) = input.get_mut(at) {
                    *byte = rng.random();
                }
            }
            2 => input.insert(at, rng.random()),
            3 => drop(input.drain(range)),
            4 => {
                let copy = input[range].to_vec();
                let to = rng.random_range(0..=input.len());
                input.splice(to..to, copy);
            }
            5 | 6 => {
                let word = &self.words[rng.random_range(0..self.words.len())];
                input.splice(range, word.iter().copied());
            }
            7 => {
                // The beginning of this input and the end of another one.
                let other = &self.seeds[rng.random_range(0..self.seeds.len())];
                let from = rng.random_range(0..=other.len());
                input.truncate(at);
                input.extend(&other[from..]);
            }
            _ => input.truncate(at),
        }
    }
}
