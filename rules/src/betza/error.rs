//! Parse errors with spans.

use std::fmt;

use super::ast::Span;
use super::{MAX_LEAP, MAX_LENGTH, MAX_RANGE};

/// The atoms, as messages list them.
const ATOMS: &str = "W F D N A H C L J Z G K Q R B O or a leap like (4,1)";
/// The modifiers, as messages list them.
const MODIFIERS: &str = "m c e i n p and the directions f b l r v s h";

/// An error in an `XBetza` text, with its span.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BetzaError {
    kind: BetzaErrorKind,
    span: Span,
    text: String,
}

impl BetzaError {
    pub(super) fn new(error: SpannedError, text: &str) -> BetzaError {
        BetzaError {
            kind: error.kind,
            span: error.span,
            text: text.to_owned(),
        }
    }

    pub fn kind(&self) -> &BetzaErrorKind {
        &self.kind
    }

    /// Span of the error in [`BetzaError::text`]; empty at its end if something is missing.
    pub fn span(&self) -> Span {
        self.span
    }

    /// The parsed text, truncated if it was too long.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text and a line of carets that points at the error:
    ///
    /// ```text
    /// fmWgR
    ///    ^
    /// ```
    ///
    /// Control characters are replaced by `\u{fffd}`, so there are always two lines. The second has no line break.
    pub fn caret(&self) -> String {
        let shown = self
            .text
            .chars()
            .map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c });
        let before = self.column() - 1;
        let width = self
            .text
            .char_indices()
            .filter(|(at, _)| (self.span.start..self.span.end).contains(at))
            .count();
        shown
            .chain(['\n'])
            .chain(" ".repeat(before).chars())
            .chain("^".repeat(width.max(1)).chars())
            .collect()
    }

    /// Column of the error in characters, counted from 1.
    fn column(&self) -> usize {
        1 + self.text.char_indices().filter(|&(at, _)| at < self.span.start).count()
    }
}

impl fmt::Display for BetzaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}, character {}: {}", self.text, self.column(), self.kind)
    }
}

impl std::error::Error for BetzaError {}

/// Kind of a parse error. `Display` says what was found and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BetzaErrorKind {
    /// The text is empty.
    #[error("found nothing, expected an atom: {ATOMS}")]
    Empty,
    /// The text is longer than [`MAX_LENGTH`].
    #[error("found more than {MAX_LENGTH} characters, expected a shorter text")]
    TooLong,
    /// A character that is not part of the notation.
    #[error("unknown character {found:?}, expected an atom ({ATOMS}) or a modifier ({MODIFIERS})")]
    UnknownCharacter {
        /// The character.
        found: char,
    },
    /// A capital letter that is not an atom.
    #[error("unknown atom `{found}`, expected {ATOMS}")]
    UnknownAtom {
        /// The letter.
        found: char,
    },
    /// A lower-case letter that is not a modifier.
    #[error("unknown modifier `{found}`, expected {MODIFIERS}")]
    UnknownModifier {
        /// The letter.
        found: char,
    },
    /// A modifier that Assay does not support.
    #[error("modifier `{found}` is not supported (supported: {MODIFIERS})")]
    UnsupportedModifier {
        /// The letter.
        found: char,
    },
    /// A symbol of multi-leg moves.
    #[error("`{found}` is part of a multi-leg move, which is not supported: expected an atom or a modifier")]
    MultiLegMove {
        /// The symbol.
        found: char,
    },
    /// A number that does not follow an atom.
    #[error("found a number, expected an atom or a modifier: a range follows its atom")]
    MisplacedNumber,
    /// Modifiers without an atom at the end of the text.
    #[error("found the end after modifiers, expected an atom: {ATOMS}")]
    MissingAtom,
    /// A malformed leap in parentheses.
    #[error("found {}, expected {expected}: a leap is written like (4,1)", describe(*found))]
    MalformedLeap {
        /// What was expected.
        expected: &'static str,
        /// The character found; `None` at the end.
        found: Option<char>,
    },
    /// A component of a leap above [`MAX_LEAP`].
    #[error("found a leap of more than {MAX_LEAP} squares, expected at most {MAX_LEAP}")]
    LeapTooLong,
    /// The leap (0,0).
    #[error("found the leap (0,0), expected a component of at least 1")]
    NullLeap,
    /// A range above [`MAX_RANGE`].
    #[error("found a range above {MAX_RANGE}, expected at most {MAX_RANGE}, or 0 for no limit")]
    RangeTooLarge,
    /// A range with a leading zero, which some implementations read as an exact number of steps.
    #[error(
        "found a range with a leading 0 (an exact number of steps), which is not supported: expected a plain number"
    )]
    LeadingZero,
    /// A second range on an atom.
    #[error("found a second range: a doubled letter, R, B and Q already have no limit")]
    DuplicateRange,
    /// The same modifier twice before an atom.
    #[error("found `{found}` a second time, expected each of m c e i n p at most once before an atom")]
    DuplicateFlag {
        /// The letter.
        found: char,
    },
    /// Direction letters that are not contiguous.
    #[error("found `{found}` apart from the other directions, expected the directions of an atom to be contiguous")]
    ScatteredDirections {
        /// The later direction letter.
        found: char,
    },
    /// An `h` that is not part of a group.
    #[error("found `h` alone, expected fh bh lh rh (half of the leaps) or hl hr (four rotations)")]
    MisplacedHalf,
    /// An `h` before an atom that is not oblique.
    #[error("found `h`, expected it only before an oblique leap (N C L J Z or unequal numbers, none 0)")]
    HalfOnStraightAtom,
    /// A pair that begins with `v` or `s` where the order matters.
    #[error("found `{first}{second}`, expected `{second}{first}` or two atoms: `{first}` must not begin a pair here")]
    PairOrder {
        /// `v` or `s`.
        first: char,
        /// The letter after it.
        second: char,
    },
    /// `n` on a single step.
    #[error("found `n` on a single step, which nothing can block: expected a longer leap")]
    NothingToBlock,
    /// `n` on a slide.
    #[error("found `n` on a slide, which is blocked anyway: expected `n` on a leap, or no `n`")]
    LameSlide,
    /// `n` on a repeated leap.
    #[error("found `n` on a repeated leap, which is not supported: expected `n` on a single leap")]
    LameRide,
    /// `n` and `p` together.
    #[error("found `n` and `p` before one atom, expected only one of them")]
    LameAndHop,
    /// `p` on a single step.
    #[error("found `p` on a single step, which has no room for a screen: expected a slide, or D or A")]
    HopOnStep,
    /// `p` on a leap other than D and A.
    #[error(
        "found `p` on a leap, which is not supported here: expected a slide (R B Q, W and F with a range), or D or A"
    )]
    HopOnLeap,
    /// `e` on a path other than a plain leap.
    #[error("found `e` on a ride or with `n` or `p`, expected it only on plain leaps")]
    EnPassantNotLeap,
    /// `O` without `i`.
    #[error("found `O` without `i`, expected castling as an initial move, like isO2")]
    CastlingNotInitial,
    /// Another modifier before `O`.
    #[error("found `{found}` before `O`, expected only i l r s")]
    CastlingModifier {
        /// The letter.
        found: char,
    },
    /// A castling distance out of range.
    #[error("found a castling distance outside 2 to {MAX_LEAP}, expected the number of files that the king travels")]
    CastlingDistance,
    /// A second `O`.
    #[error("found a second `O`, expected castling at most once")]
    DuplicateCastling,
}

/// Formats a character for a message.
fn describe(found: Option<char>) -> String {
    found.map_or_else(|| "the end".to_owned(), |c| format!("{c:?}"))
}

/// An error without the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SpannedError {
    kind: BetzaErrorKind,
    span: Span,
}

impl SpannedError {
    pub(super) const fn new(kind: BetzaErrorKind, span: Span) -> SpannedError {
        SpannedError { kind, span }
    }
}
