//! The shape of a board: which squares exist, what they are called, which of them hang.

use crate::color::Color;
use crate::movement::Delta;
use crate::square::{MAX_SQUARES, Square, SquareSet};

/// The most files a board may have: the files are lettered `a` to `p`.
pub const MAX_FILES: u8 = 16;

/// The shape of a board inside its bounding box of `files` x `ranks` places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    files: u8,
    ranks: u8,
    first_rank: u8,
    holes: SquareSet,
    hanging: SquareSet,
}

impl Board {
    /// A board of `files` x `ranks` places whose lowest rank is written `first_rank`, all of them squares.
    ///
    /// `None` when there is no file or rank, more than 16 files, or more than 128 places.
    pub fn new(files: u8, ranks: u8, first_rank: u8) -> Option<Board> {
        let fits = (1..=MAX_FILES).contains(&files)
            && ranks > 0
            && usize::from(files) * usize::from(ranks) <= MAX_SQUARES
            && first_rank.checked_add(ranks).is_some_and(|end| end <= 100);
        fits.then_some(Board {
            files,
            ranks,
            first_rank,
            holes: SquareSet::EMPTY,
            hanging: SquareSet::EMPTY,
        })
    }

    /// The same board with `holes` that are no squares and `hanging` squares, which can be entered only by capture.
    #[must_use]
    pub fn with(mut self, holes: SquareSet, hanging: SquareSet) -> Board {
        self.holes = holes;
        self.hanging = hanging;
        self
    }

    /// Files of the bounding box.
    pub fn files(&self) -> u8 {
        self.files
    }

    /// Ranks of the bounding box.
    pub fn ranks(&self) -> u8 {
        self.ranks
    }

    /// The number that the lowest rank is written with: 1, or 0 where a game says so.
    pub fn first_rank(&self) -> u8 {
        self.first_rank
    }

    /// Places of the bounding box, holes included: square numbers are below this.
    pub fn box_size(&self) -> usize {
        usize::from(self.files) * usize::from(self.ranks)
    }

    /// Places of the bounding box that are no squares.
    pub fn holes(&self) -> SquareSet {
        self.holes
    }

    /// Squares that can be entered only by capturing a piece that stands on them.
    pub fn hanging(&self) -> SquareSet {
        self.hanging
    }

    /// All squares, in ascending order: a-file first, lowest rank first.
    pub fn squares(&self) -> impl Iterator<Item = Square> + use<> {
        let holes = self.holes;
        (0..self.box_size() as u8)
            .map(Square)
            .filter(move |&square| !holes.contains(square))
    }

    /// The square at a file and rank counted from zero, if there is one.
    pub fn square_at(&self, file: i16, rank: i16) -> Option<Square> {
        if !(0..i16::from(self.files)).contains(&file) || !(0..i16::from(self.ranks)).contains(&rank) {
            return None;
        }
        let square = Square((rank * i16::from(self.files) + file) as u8);
        (!self.holes.contains(square)).then_some(square)
    }

    /// The file of a square, counted from zero.
    pub fn file(&self, square: Square) -> u8 {
        square.0 % self.files
    }

    /// The rank of a square, counted from zero at the lowest, whatever it is written with.
    pub fn rank(&self, square: Square) -> u8 {
        square.0 / self.files
    }

    /// The rank as `color`'s player counts it, in the game's numbers: a White pawn's 3rd rank is a Black pawn's 3rd rank
    /// seen from the other end.
    pub fn relative_rank(&self, color: Color, square: Square) -> u8 {
        let rank = self.rank(square);
        self.first_rank
            + match color {
                Color::White => rank,
                Color::Black => self.ranks - 1 - rank,
            }
    }

    /// The square `delta` away as `color` sees it (forward is up for White, down for Black), if there is one.
    pub fn step(&self, from: Square, delta: Delta, color: Color) -> Option<Square> {
        let forward = match color {
            Color::White => i16::from(delta.rank),
            Color::Black => -i16::from(delta.rank),
        };
        self.square_at(
            i16::from(self.file(from)) + i16::from(delta.file),
            i16::from(self.rank(from)) + forward,
        )
    }

    /// The letter of a file counted from zero.
    pub fn file_letter(file: u8) -> char {
        char::from(b'a' + file)
    }

    /// The number that a rank counted from zero is written with.
    pub fn rank_number(&self, rank: u8) -> u8 {
        self.first_rank + rank
    }

    /// A square's name: file letter, rank number.
    pub fn square_name(&self, square: Square) -> String {
        format!(
            "{}{}",
            Board::file_letter(self.file(square)),
            self.rank_number(self.rank(square))
        )
    }

    /// The square of that name, if `name` is exactly the name of one.
    pub fn parse_square(&self, name: &str) -> Option<Square> {
        let (square, rest) = self.parse_square_prefix(name)?;
        rest.is_empty().then_some(square)
    }

    /// Reads a square's name off the front of `text`, with as many rank digits as still name a square, and gives the rest.
    pub fn parse_square_prefix<'t>(&self, text: &'t str) -> Option<(Square, &'t str)> {
        let letter = text.bytes().next().filter(u8::is_ascii_lowercase)?;
        let digits = text[1..].bytes().take_while(u8::is_ascii_digit).count().min(2);
        // `0` is a rank of its own, so a longer number never begins with it.
        let longest = if text[1..].starts_with('0') {
            digits.min(1)
        } else {
            digits
        };
        (1..=longest).rev().find_map(|length| {
            let number: i16 = text[1..=length].parse().ok()?;
            let square = self.square_at(i16::from(letter - b'a'), number - i16::from(self.first_rank))?;
            Some((square, &text[1 + length..]))
        })
    }
}
