//! Regions: sets of squares as a variant file gives them, before its board is known.

use std::fmt;

use super::super::error::DefError;
use super::parse::Entry;
use crate::types::board::Board;
use crate::types::square::{Square, SquareSet};

/// Largest number of a rank.
pub(super) const MAX_RANK: u8 = 26;

/// Most squares and ranks of a region: each of the largest board, and some twice.
const MAX_ITEMS: usize = 200;

/// A rank with all files that a board can have.
const COMPLETE: u16 = u16::MAX;

/// Squares, by rank: a bit for each file. A complete rank has all bits, whatever the board.
#[derive(Clone, Default)]
pub(super) struct Region([u16; MAX_RANK as usize]);

impl Region {
    /// Complete ranks. Numbers of ranks that no board has are left out.
    pub(super) fn of_ranks(numbers: impl IntoIterator<Item = u8>) -> Region {
        let mut region = Region::default();
        for number in numbers.into_iter().filter(|number| (1..=MAX_RANK).contains(number)) {
            region.0[usize::from(number) - 1] = COMPLETE;
        }
        region
    }

    /// Squares of a board. A rank of which all squares are there is complete.
    pub(super) fn of_squares(board: &Board, squares: SquareSet) -> Region {
        let is_complete = |rank: u8| squares.iter().filter(|&square| board.rank(square) == rank).count();
        let complete = (0..board.ranks()).filter(|&rank| is_complete(rank) == usize::from(board.files()));
        let mut region = Region::of_ranks(complete.map(|rank| rank + 1));
        for square in squares.iter() {
            region.0[usize::from(board.rank(square))] |= 1 << board.file(square);
        }
        region
    }

    /// Reads squares and ranks (`*8`) of Fairy-Stockfish's largest board, separated by spaces; none
    /// for `-`.
    pub(super) fn read(entry: &Entry<'_>) -> Result<Region, DefError> {
        let mut region = Region::default();
        let number = entry.text.split_whitespace().count();
        if number > MAX_ITEMS {
            return Err(entry.error_here(format!("found {number} squares and ranks, expected at most {MAX_ITEMS}")));
        }
        for item in entry.text.split_whitespace().filter(|_| entry.text != "-") {
            let (file, rank) = item.split_at(item.chars().next().map_or(0, char::len_utf8));
            let files = match file.as_bytes() {
                [b'*'] => COMPLETE,
                &[file @ b'a'..=b'l'] => 1 << (file - b'a'),
                _ => 0,
            };
            let rank = (1..=10).find(|number: &usize| number.to_string() == rank).filter(|_| files > 0);
            let expected = "squares from a1 to l10 and ranks such as *8, or - for none";
            region.0[rank.ok_or_else(|| entry.error(expected))? - 1] |= files;
        }
        Ok(region)
    }

    /// The squares that are on a board.
    pub(super) fn on(&self, board: &Board) -> SquareSet {
        let contains = |square: &Square| self.0[usize::from(board.rank(*square))] >> board.file(*square) & 1 == 1;
        board.squares().filter(contains).collect()
    }

    /// Names of the squares, with `*` for complete ranks.
    pub(super) fn names(&self) -> String {
        let mut names = Vec::new();
        for (&files, number) in self.0.iter().zip(1..) {
            if files == COMPLETE {
                names.push(format!("*{number}"));
                continue;
            }
            let files = (0..16).filter(|file| files >> file & 1 == 1);
            names.extend(files.map(|file| format!("{}{number}", Board::file_letter(file))));
        }
        names.join(" ")
    }
}

/// As in a file: `-` for no square.
impl fmt::Display for Region {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.names();
        f.write_str(if names.is_empty() { "-" } else { &names })
    }
}

/// Names of squares as a definition and a variant file have them.
pub(super) fn names(board: &Board, squares: SquareSet) -> String {
    Region::of_squares(board, squares).names()
}
