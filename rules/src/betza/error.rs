//! What can be wrong with a text, and where.

use std::fmt;

use super::ast::Span;
use super::{MAX_LEAP, MAX_LENGTH, MAX_RANGE};

/// The atoms, as messages list them.
const ATOMS: &str = "W F D N A H C L J Z G K Q R B O or a leap like (4,1)";
/// The modifiers, as messages list them.
const MODIFIERS: &str = "m c e i n p and the directions f b l r v s h";

/// A text that is not a movement: what is wrong, where, and the text itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BetzaError {
    kind: BetzaErrorKind,
    span: Span,
    text: String,
}

impl BetzaError {
    /// The fault of `kind` at `span` of `text`.
    pub(super) fn new(fault: SpannedError, text: &str) -> BetzaError {
        BetzaError {
            kind: fault.kind,
            span: fault.span,
            text: text.to_owned(),
        }
    }

    /// What is wrong.
    pub fn kind(&self) -> &BetzaErrorKind {
        &self.kind
    }

    /// The bytes of [`BetzaError::text`] that are wrong; empty at its end when something is missing there.
    pub fn span(&self) -> Span {
        self.span
    }

    /// The text that was read (its beginning, if it was too long).
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text, and under it a line of carets that points at the wrong part:
    ///
    /// ```text
    /// fmWgR
    ///    ^
    /// ```
    ///
    /// Control characters are shown as `\u{fffd}`, so there are always two lines. The last one has no line end.
    pub fn caret(&self) -> String {
        let shown = self
            .text
            .chars()
            .map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c });
        let before = self.column() - 1;
        let under = self
            .text
            .char_indices()
            .filter(|(at, _)| (self.span.start..self.span.end).contains(at))
            .count();
        shown
            .chain(['\n'])
            .chain(" ".repeat(before).chars())
            .chain("^".repeat(under.max(1)).chars())
            .collect()
    }

    /// Which character of the text the fault begins at, counted from 1.
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

/// What is wrong with a text; `Display` says what was found and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BetzaErrorKind {
    /// The text is empty.
    #[error("found nothing, expected an atom: {ATOMS}")]
    Empty,
    /// The text is longer than any movement needs.
    #[error("found more than {MAX_LENGTH} characters, expected a shorter text")]
    TooLong,
    /// A character that has no meaning anywhere.
    #[error("unknown character {found:?}, expected an atom ({ATOMS}) or a modifier ({MODIFIERS})")]
    UnknownCharacter {
        /// The character.
        found: char,
    },
    /// A capital that is no atom.
    #[error("unknown atom `{found}`, expected {ATOMS}")]
    UnknownAtom {
        /// The capital.
        found: char,
    },
    /// A small letter that is no modifier.
    #[error("unknown modifier `{found}`, expected {MODIFIERS}")]
    UnknownModifier {
        /// The letter.
        found: char,
    },
    /// A modifier of the notation that Assay does not play.
    #[error("modifier `{found}` is not supported (supported: {MODIFIERS})")]
    UnsupportedModifier {
        /// The letter.
        found: char,
    },
    /// A sign that builds moves of several legs.
    #[error("`{found}` joins several legs into one move, which is not supported: expected an atom or a modifier")]
    SeveralLegs {
        /// The sign.
        found: char,
    },
    /// A number that follows no atom.
    #[error("found a number that follows no atom, expected an atom or a modifier: the range stands after its atom")]
    MisplacedNumber,
    /// Modifiers at the end of the text.
    #[error("found the end after modifiers, expected the atom that they modify: {ATOMS}")]
    MissingAtom,
    /// Something else inside the parentheses of a leap.
    #[error("found {}, expected {expected}: a leap is written like (4,1)", shown(*found))]
    MalformedLeap {
        /// What belongs here.
        expected: &'static str,
        /// The character that is here, `None` for the end.
        found: Option<char>,
    },
    /// A component of a leap that no board has room for.
    #[error("found a leap longer than {MAX_LEAP} squares, expected at most {MAX_LEAP}")]
    LeapTooLong,
    /// A leap that stays where it is.
    #[error("found the leap (0,0), which goes nowhere: expected a component of at least 1")]
    NullLeap,
    /// A range that no board has room for.
    #[error("found a range above {MAX_RANGE}, expected at most {MAX_RANGE}, or 0 for no limit")]
    RangeTooLarge,
    /// A range that begins with 0: the notation uses that for "exactly so many steps", which Assay does not play.
    #[error("found a range with a leading 0 (exactly so many steps), which is not supported: expected a plain number")]
    LeadingZero,
    /// A limit or a doubling on something that has no limit.
    #[error("found a second statement of the range, expected none: a doubled letter, R, B and Q have no limit already")]
    RangeTwice,
    /// The same modifier twice before one atom.
    #[error("found `{found}` a second time, expected each of m c e i n p at most once before an atom")]
    Repeated {
        /// The letter.
        found: char,
    },
    /// Direction letters with another modifier between them.
    #[error("found `{found}` apart from the other directions, expected the directions of an atom side by side")]
    ScatteredDirections {
        /// The later direction letter.
        found: char,
    },
    /// An `h` that halves nothing.
    #[error("found `h` alone, expected fh bh lh rh (half of the leaps) or hl hr (the leaps of one hand)")]
    HalfAlone,
    /// An `h` at an atom that has no halves.
    #[error("found `h`, expected it only before an oblique leap (N C L J Z or unequal numbers, none 0)")]
    HalfNotOblique,
    /// Letters for both sides of an axis before a letter of the other axis, where the order decides.
    #[error("found `{first}{second}`, expected `{second}{first}` or two atoms: `{first}` must not begin a pair here")]
    PairOrder {
        /// `v` or `s`.
        first: char,
        /// The letter after it.
        second: char,
    },
    /// `n` on a leap that passes over no square.
    #[error("found `n` on a single step, where there is nothing to jump: expected a longer leap")]
    NothingToJump,
    /// `n` on a slide.
    #[error("found `n` on a slide, which cannot jump anyway: expected `n` on a leap, or no `n`")]
    RideCannotJump,
    /// `n` on a ride whose single step is a leap.
    #[error("found `n` on a repeated leap, which is not supported: expected `n` on a single leap")]
    LameRide,
    /// `n` and `p` together.
    #[error("found `n` and `p` before one atom, expected one of them: empty squares leave nothing to hop over")]
    LameHop,
    /// `p` on a single step.
    #[error("found `p` on a single step, where there is no room for a screen: expected a slide, or D or A")]
    NoRoomForScreen,
    /// `p` on what has no square where a screen could stand.
    #[error(
        "found `p` on a leap, which is not supported here: expected a slide (R B Q, W and F with a range), or D or A"
    )]
    HopOnLeap,
    /// `e` on something other than a leap.
    #[error("found `e`, expected it only on plain leaps (no ride, `n` or `p`)")]
    EnPassantNotLeap,
    /// `O` without `i`.
    #[error("found `O` without `i`, expected castling as a first move, like isO2")]
    CastlingNotInitial,
    /// Another modifier before `O`.
    #[error("found `{found}` before `O`, expected only i l r s: castling goes sideways, as a first move")]
    CastlingModifier {
        /// The letter.
        found: char,
    },
    /// A distance that is no castling.
    #[error("found a castling distance outside 2 to {MAX_LEAP}, expected the files that the king travels")]
    CastlingDistance,
    /// A second `O`.
    #[error("found a second `O`, expected castling at most once")]
    CastlingTwice,
}

/// A character for a message, `None` for the end.
fn shown(found: Option<char>) -> String {
    found.map_or_else(|| "the end".to_owned(), |c| format!("{c:?}"))
}

/// An error that does not know the text yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SpannedError {
    kind: BetzaErrorKind,
    span: Span,
}

impl SpannedError {
    /// The fault of `kind` at `span`.
    pub(super) const fn new(kind: BetzaErrorKind, span: Span) -> SpannedError {
        SpannedError { kind, span }
    }
}
