//! Abstract syntax tree with source spans.

/// A byte range of the text; empty for a position between characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// Byte after the last one.
    pub end: usize,
}

impl Span {
    pub(super) const fn new(start: usize, end: usize) -> Span {
        Span { start, end }
    }
}

/// A node and its span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spanned<T> {
    pub(super) node: T,
    pub(super) span: Span,
}

/// An atom with its modifiers and its range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Term {
    /// The legs before the last one.
    pub(super) first_legs: Vec<Leg>,
    pub(super) last_leg: Leg,
    pub(super) atom: Spanned<Atom>,
    /// Largest number of steps, 0 for no limit.
    pub(super) range: Option<Spanned<u8>>,
}

/// The modifiers of one leg of a move. Most moves have only one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Leg {
    /// Modifiers other than directions, in the order of the text, each at most once.
    pub(super) flags: Vec<Spanned<Flag>>,
    /// Direction groups in the order of the text; empty for all directions.
    pub(super) directions: Vec<Spanned<Direction>>,
}

impl Leg {
    /// Span of `flag`, if present.
    pub(super) fn flag(&self, flag: Flag) -> Option<Span> {
        self.flags.iter().find(|written| written.node == flag).map(|written| written.span)
    }
}

/// A modifier that is not a direction. Its number is its letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Flag {
    Move = b'm',
    Capture = b'c',
    EnPassant = b'e',
    Initial = b'i',
    Lame = b'n',
    Hop = b'p',
    Grasshopper = b'g',
    Crooked = b'z',
    Circular = b'q',
    Ride = b'y',
}

impl Flag {
    pub(super) const fn from_letter(letter: char) -> Option<Flag> {
        Some(match letter {
            'm' => Flag::Move,
            'c' => Flag::Capture,
            'e' => Flag::EnPassant,
            'i' => Flag::Initial,
            'n' => Flag::Lame,
            'p' => Flag::Hop,
            'g' => Flag::Grasshopper,
            'z' => Flag::Crooked,
            'q' => Flag::Circular,
            'y' => Flag::Ride,
            _ => return None,
        })
    }

    pub(super) fn letter(self) -> char {
        char::from(self as u8)
    }
}

/// A direction letter: one side of the piece or two opposite ones. Its number is its letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Side {
    Forward = b'f',
    Backward = b'b',
    Left = b'l',
    Right = b'r',
    /// Forward and backward.
    Vertical = b'v',
    /// Left and right.
    Sideways = b's',
}

impl Side {
    pub(super) const fn from_letter(letter: char) -> Option<Side> {
        Some(match letter {
            'f' => Side::Forward,
            'b' => Side::Backward,
            'l' => Side::Left,
            'r' => Side::Right,
            'v' => Side::Vertical,
            's' => Side::Sideways,
            _ => return None,
        })
    }

    pub(super) fn letter(self) -> char {
        char::from(self as u8)
    }

    pub(super) const fn is_vertical(self) -> bool {
        matches!(self, Side::Forward | Side::Backward | Side::Vertical)
    }

    pub(super) const fn is_double(self) -> bool {
        matches!(self, Side::Vertical | Side::Sideways)
    }
}

/// A group of direction letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// One letter, or the same letter twice (`f`, `ff`).
    Single(Side),
    /// Two letters at right angles (`fl`, `ls`).
    Pair(Side, Side),
    /// A letter and `h` (`fh`).
    Half(Side),
    /// `hl` or `hr`: four leaps that a quarter turn maps to each other, named after the most
    /// forward one.
    Rotational(Side),
}

/// An atom: a capital letter or a leap in parentheses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Atom {
    /// A leap of `long` squares along one axis and `short` along the other: `short <= long`, and
    /// `long` is not 0.
    Leap { short: i8, long: i8 },
    /// `K`
    King,
    /// `Q`
    Queen,
    /// `R`
    Rook,
    /// `B`
    Bishop,
    /// `O`
    Castling,
}

impl Atom {
    pub(super) const fn from_letter(letter: char) -> Option<Atom> {
        let (short, long) = match letter {
            'W' => (0, 1),
            'F' => (1, 1),
            'D' => (0, 2),
            'N' => (1, 2),
            'A' => (2, 2),
            'H' => (0, 3),
            'C' | 'L' => (1, 3),
            'J' | 'Z' => (2, 3),
            'G' => (3, 3),
            'K' => return Some(Atom::King),
            'Q' => return Some(Atom::Queen),
            'R' => return Some(Atom::Rook),
            'B' => return Some(Atom::Bishop),
            'O' => return Some(Atom::Castling),
            _ => return None,
        };
        Some(Atom::Leap { short, long })
    }
}
