//! Parse errors with spans.

use std::fmt;

use super::ast::Span;
use super::{MAX_LEAP, MAX_LEGS, MAX_LENGTH, MAX_RANGE};

/// The atoms, as messages list them.
const ATOMS: &str = "W F D N A H C L J Z G K Q R B O or a leap like (4,1)";
/// The modifiers, as messages list them.
const MODIFIERS: &str = "m c e i n p g y z q a and the directions f b l r v s h";

/// An error in an `XBetza` text, with its span.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BetzaError {
    kind: BetzaErrorKind,
    span: Span,
    text: String,
}

impl BetzaError {
    pub(super) fn new(error: SpannedError, text: &str) -> BetzaError {
        BetzaError { kind: error.kind, span: error.span, text: text.to_owned() }
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
    /// fmWkR
    ///    ^
    /// ```
    ///
    /// Control characters are replaced by `\u{fffd}`, so there are always two lines. The second has
    /// no line break.
    pub fn caret(&self) -> String {
        let shown = self.text.chars().map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c });
        let before = self.column() - 1;
        let width = self.text.char_indices().filter(|(at, _)| (self.span.start..self.span.end).contains(at)).count();
        shown.chain(['\n']).chain(" ".repeat(before).chars()).chain("^".repeat(width.max(1)).chars()).collect()
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
    #[error("modifier `{found}` is not supported{} (supported: {MODIFIERS})", reason(*found))]
    UnsupportedModifier {
        /// The letter.
        found: char,
    },
    /// A symbol of multi-leg moves.
    #[error("`{found}` is part of a move in brackets, which is not supported: expected legs with `a`, like mafsW")]
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
    #[error("found `{found}` a second time, expected each modifier at most once before an atom or `a`")]
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
    /// Two of `n p g z q y` together.
    #[error("found `{first}` and `{second}` before one atom, expected only one of them")]
    TwoTravels {
        /// The first of them.
        first: char,
        /// The second.
        second: char,
    },
    /// `g` on another atom than a slide without limit.
    #[error(
        "found `g` on a leap or with a range, expected gQ, gR or gB: Fairy-Stockfish reads gW as gR and gR3 as pR3, XBoard changes the range \
         beyond the screen"
    )]
    GrasshopperAtom,
    /// `z` or `q` on another atom than its own, on a single leap, or with directions.
    #[error(
        "found `{found}` on another atom than a ride in all directions, expected {}: without a range, some read a single leap",
        if *found == 'z' { "zB, zR or a range, like zF3" } else { "a repeated oblique leap, like qN0 or qN3" }
    )]
    BentRide {
        /// The letter.
        found: char,
    },
    /// `y` without a second leg.
    #[error("found `y` without a second leg, expected one that slides, like yafsF")]
    RideWithoutLegs,
    /// More than [`MAX_LEGS`] legs.
    #[error("found more than {MAX_LEGS} legs, expected at most {MAX_LEGS}")]
    TooManyLegs,
    /// Legs of another atom than a king's step, or with a range.
    #[error(
        "found legs with another atom than W, F or K or with a range, expected a single step for each leg, or `y` for a last leg that slides"
    )]
    LegAtom,
    /// A modifier that its leg cannot have.
    #[error(
        "found `{found}` in a leg where it is not supported, expected `m`, `p` or `y` before `a`, `i` in the first leg, `m`, `c` or `e` in the last one"
    )]
    LegMode {
        /// The letter.
        found: char,
    },
    /// Legs of which one hops, beside another that hops or needs an empty square.
    #[error(
        "found a leg that hops (`p`) and another that hops or can be blocked, expected `mp` for one of them, or two terms"
    )]
    MixedLegs,
    /// A leg after the first without directions.
    #[error(
        "found a second leg without directions, expected them, relative to the leg before, like mafsW: programs differ in whether it may turn back"
    )]
    LegDirections,
    /// Legs that end on the origin.
    #[error("found legs that only lead back, expected a move to another square")]
    LegsLeadBack,
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

/// The reason for which a modifier is not supported, if its complexity is not the only one.
fn reason(found: char) -> &'static str {
    match found {
        'd' => ": it captures pieces of its own side",
        'j' => ": write pD and pA; a slide with `j` is another one in each program",
        'o' => ": the board has edges",
        'u' => ": no piece is put down on the way",
        _ => "",
    }
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
