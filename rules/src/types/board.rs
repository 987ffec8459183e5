//! The shape of a board: its squares, their names, and which of them are hanging.

use serde::Serialize;

use super::color::Color;
use super::movement::Delta;
use super::square::{MAX_SQUARES, Square, SquareSet};

/// Maximum number of files, lettered `a` to `p`.
pub const MAX_FILES: u8 = 16;

/// Shape of a board inside a bounding box of `files` x `ranks`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Board {
    files: u8,
    ranks: u8,
    first_rank: u8,
    holes: SquareSet,
    hanging: SquareSet,
}

impl Board {
    /// Creates a rectangular board whose lowest rank is numbered `first_rank`.
    ///
    /// Returns `None` unless it has 1 to 16 files, at least one rank, and at most 128 squares.
    pub fn new(files: u8, ranks: u8, first_rank: u8) -> Option<Board> {
        let fits = (1..=MAX_FILES).contains(&files)
            && ranks > 0
            && usize::from(files) * usize::from(ranks) <= MAX_SQUARES
            && first_rank.checked_add(ranks).is_some_and(|end| end <= 100);
        fits.then_some(Board { files, ranks, first_rank, holes: SquareSet::EMPTY, hanging: SquareSet::EMPTY })
    }

    /// Sets the holes, which are not squares, and the hanging squares, which can be entered only by
    /// capture.
    #[must_use]
    pub fn with_special_squares(mut self, holes: SquareSet, hanging: SquareSet) -> Board {
        self.holes = holes;
        self.hanging = hanging;
        self
    }

    /// Number of files of the bounding box.
    pub fn files(&self) -> u8 {
        self.files
    }

    /// Number of ranks of the bounding box.
    pub fn ranks(&self) -> u8 {
        self.ranks
    }

    /// Number of the lowest rank: 1, or 0 if the definition says so.
    pub fn first_rank(&self) -> u8 {
        self.first_rank
    }

    /// Size of the bounding box, including holes. Every square index is below it.
    pub fn box_size(&self) -> usize {
        usize::from(self.files) * usize::from(self.ranks)
    }

    /// Indices of the bounding box that are not squares.
    pub fn holes(&self) -> SquareSet {
        self.holes
    }

    /// Squares that can be entered only by capturing a piece on them.
    pub fn hanging(&self) -> SquareSet {
        self.hanging
    }

    /// All squares in ascending order, rank by rank from the lowest.
    pub fn squares(&self) -> impl Iterator<Item = Square> + use<> {
        let holes = self.holes;
        (0..self.box_size() as u8).map(Square).filter(move |&square| !holes.contains(square))
    }

    /// The square at a file and rank counted from zero; `None` off the board and for holes.
    pub fn square_at(&self, file: i16, rank: i16) -> Option<Square> {
        if !(0..i16::from(self.files)).contains(&file) || !(0..i16::from(self.ranks)).contains(&rank) {
            return None;
        }
        let square = Square((rank * i16::from(self.files) + file) as u8);
        (!self.holes.contains(square)).then_some(square)
    }

    /// File of a square, counted from zero.
    pub fn file(&self, square: Square) -> u8 {
        square.0 % self.files
    }

    /// Rank of a square, counted from zero.
    pub fn rank(&self, square: Square) -> u8 {
        square.0 / self.files
    }

    /// Rank number of a square counted from the side of `color`, starting at [`Board::first_rank`].
    pub fn relative_rank(&self, color: Color, square: Square) -> u8 {
        let rank = self.rank(square);
        self.first_rank
            + match color {
                Color::White => rank,
                Color::Black => self.ranks - 1 - rank,
            }
    }

    /// Lowest and highest rank number of some squares; `None` if there are none.
    pub fn rank_range(&self, squares: SquareSet) -> Option<(u8, u8)> {
        let ranks: Vec<u8> = squares.iter().map(|square| self.rank_number(self.rank(square))).collect();
        Some((*ranks.iter().min()?, *ranks.iter().max()?))
    }

    /// The square `delta` away from the point of view of `color`: Black's board is White's turned
    /// by 180 degrees.
    pub fn step(&self, from: Square, delta: Delta, color: Color) -> Option<Square> {
        let delta = delta.for_color(color);
        self.square_at(
            i16::from(self.file(from)) + i16::from(delta.file),
            i16::from(self.rank(from)) + i16::from(delta.rank),
        )
    }

    /// Squares as the other side sees them: the board turned by 180 degrees.
    pub fn rotated(&self, squares: SquareSet) -> SquareSet {
        let last = (self.box_size() - 1) as u8;
        squares.iter().map(|square| Square(last - square.0)).collect()
    }

    /// Number of steps of a king between two squares.
    pub fn distance(&self, one: Square, other: Square) -> u8 {
        let files = self.file(one).abs_diff(self.file(other));
        files.max(self.rank(one).abs_diff(self.rank(other)))
    }

    /// Returns true for the squares with the color of the first file and rank.
    pub fn is_dark(&self, square: Square) -> bool {
        (self.file(square) + self.rank(square)).is_multiple_of(2)
    }

    /// Letter of a file counted from zero.
    pub fn file_letter(file: u8) -> char {
        char::from(b'a' + file)
    }

    /// Number of a rank counted from zero.
    pub fn rank_number(&self, rank: u8) -> u8 {
        self.first_rank + rank
    }

    /// Name of a square: file letter and rank number.
    pub fn square_name(&self, square: Square) -> String {
        format!("{}{}", Board::file_letter(self.file(square)), self.rank_number(self.rank(square)))
    }

    /// Names of squares, separated by spaces.
    pub fn square_names(&self, squares: SquareSet) -> String {
        squares.iter().map(|square| self.square_name(square)).collect::<Vec<_>>().join(" ")
    }

    pub fn parse_square(&self, name: &str) -> Option<Square> {
        let (square, rest) = self.parse_square_prefix(name)?;
        rest.is_empty().then_some(square)
    }

    /// Parses the name of a square at the beginning of `text`, with as many rank digits as
    /// possible. Returns the square and the rest of the text.
    pub fn parse_square_prefix<'t>(&self, text: &'t str) -> Option<(Square, &'t str)> {
        let letter = text.bytes().next().filter(u8::is_ascii_lowercase)?;
        let digits = text[1..].bytes().take_while(u8::is_ascii_digit).count().min(2);
        // Rank 0 exists, and no longer number begins with a zero.
        let longest = if text[1..].starts_with('0') { digits.min(1) } else { digits };
        (1..=longest).rev().find_map(|length| {
            let number: i16 = text[1..=length].parse().ok()?;
            let square = self.square_at(i16::from(letter - b'a'), number - i16::from(self.first_rank))?;
            Some((square, &text[1 + length..]))
        })
    }
}
