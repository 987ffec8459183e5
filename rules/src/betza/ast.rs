//! What was typed, with the place of each part: the text's structure before its meaning.

/// A stretch of the text, in bytes, `start..end`; empty for a place between characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    /// Where it begins.
    pub start: usize,
    /// Where it has ended.
    pub end: usize,
}

impl Span {
    /// The bytes from `start` to before `end`.
    pub(super) const fn new(start: usize, end: usize) -> Span {
        Span { start, end }
    }
}

/// A part of the text and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spanned<T> {
    /// The part.
    pub(super) node: T,
    /// Where it stands.
    pub(super) span: Span,
}

/// One atom with its modifiers and its range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Term {
    /// The modifiers that are not directions, in the order of the text, each at most once.
    pub(super) flags: Vec<Spanned<Flag>>,
    /// The directions, in the order of the text; none means all.
    pub(super) directions: Vec<Spanned<Direction>>,
    /// The atom.
    pub(super) atom: Spanned<Atom>,
    /// What follows the atom to say how often it repeats.
    pub(super) repeat: Option<Spanned<Repeat>>,
}

impl Term {
    /// Where `flag` is written, if it is.
    pub(super) fn flag(&self, flag: Flag) -> Option<Span> {
        self.flags
            .iter()
            .find(|written| written.node == flag)
            .map(|written| written.span)
    }
}

/// A modifier that is not a direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flag {
    /// `m`
    Move,
    /// `c`
    Capture,
    /// `e`
    EnPassant,
    /// `i`
    Initial,
    /// `n`
    Lame,
    /// `p`
    Hop,
}

impl Flag {
    /// The flag that `letter` stands for.
    pub(super) const fn from_letter(letter: char) -> Option<Flag> {
        Some(match letter {
            'm' => Flag::Move,
            'c' => Flag::Capture,
            'e' => Flag::EnPassant,
            'i' => Flag::Initial,
            'n' => Flag::Lame,
            'p' => Flag::Hop,
            _ => return None,
        })
    }

    /// The letter as written.
    pub(super) const fn letter(self) -> char {
        match self {
            Flag::Move => 'm',
            Flag::Capture => 'c',
            Flag::EnPassant => 'e',
            Flag::Initial => 'i',
            Flag::Lame => 'n',
            Flag::Hop => 'p',
        }
    }
}

/// A side of the piece, or two opposite ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// `f`
    Forward,
    /// `b`
    Backward,
    /// `l`
    Left,
    /// `r`
    Right,
    /// `v`: forward and backward.
    Vertical,
    /// `s`: left and right.
    Sideways,
}

impl Side {
    /// The side that `letter` stands for.
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

    /// The letter as written.
    pub(super) const fn letter(self) -> char {
        match self {
            Side::Forward => 'f',
            Side::Backward => 'b',
            Side::Left => 'l',
            Side::Right => 'r',
            Side::Vertical => 'v',
            Side::Sideways => 's',
        }
    }

    /// Does it lie along the ranks' count, not along the files'?
    pub(super) const fn is_vertical(self) -> bool {
        matches!(self, Side::Forward | Side::Backward | Side::Vertical)
    }

    /// Does the letter stand for two opposite sides?
    pub(super) const fn is_double(self) -> bool {
        matches!(self, Side::Vertical | Side::Sideways)
    }
}

/// One group of direction letters. Groups add up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// A letter alone, or doubled (`f`, `ff`).
    Alone(Side),
    /// Two letters at right angles (`fl`, `ls`).
    Pair(Side, Side),
    /// A letter and `h` (`fh`).
    Half(Side),
    /// `hl` or `hr`: the four leaps that turn into each other, by the hand of the most forward one.
    Turning(Side),
}

/// What is repeated or not: the capital, or the leap in parentheses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Atom {
    /// A leap of `long` squares along one axis and `short` along the other, `short <= long`, `long >= 1`.
    Leap {
        /// The shorter component.
        short: i8,
        /// The longer component.
        long: i8,
    },
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
    /// The atom that the capital `letter` stands for.
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

/// How the text says that an atom repeats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Repeat {
    /// The letter doubled (`NN`).
    Doubled,
    /// A number, 0 for no limit.
    Number(u8),
}
