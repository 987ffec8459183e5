//! `XBetza`: the notation in which a piece's movement is written, read into a [`Movement`].
//!
//! ```text
//! movement  = term, { term } ;
//! term      = { flag | directions }, atom, [ range ] ;
//! flag      = "m" | "c" | "e" | "i" | "n" | "p" ;
//! directions = one run of "f" "b" "l" "r" "v" "s" "h" ;
//! atom      = capital | "(", number, ",", number, ")" ;
//! range     = number | the capital once more ;
//! ```
//!
//! Terms add up: `RN` moves as a rook and also as a knight. Text that has no meaning here is an error, never skipped.
//! The notation has grown over decades and its readers (`XBoard`, the interactive diagrams of the chess variant pages,
//! Fairy-Stockfish) disagree in corners; what follows is the reading that Assay plays, with its reasons.
//!
//! # Atoms and ranges
//!
//! | atom | leap | atom | leap | atom | means |
//! |---|---|---|---|---|---|
//! | `W` | (1,0) | `H` | (3,0) | `R`, `B` | `W0`, `F0` |
//! | `F` | (1,1) | `C`, `L` | (3,1) | `Q` | `RB` |
//! | `D` | (2,0) | `Z`, `J` | (3,2) | `K` | `WF` |
//! | `N` | (2,1) | `G` | (3,3) | `O` | castling |
//! | `A` | (2,2) | `(x,y)` | any, up to 15 | | |
//!
//! A number after the atom is the most steps it takes (`W3`), 0 is no limit, and so is a doubled letter (`NN`). Range 1 is
//! the plain leap, so `R1` is `W`; a range on `K` or `Q` holds for both halves, so `K2` is `W2F2`. A leading zero (`W03`)
//! means "exactly three steps" to some readers and is refused.
//!
//! # Flags
//!
//! - `m` may move to an empty square, `c` may capture, `e` may capture en passant. Without any of them, the atom moves and
//!   captures; with some, it does just these: `e` alone captures nothing but en passant. `e` stands on plain leaps only,
//!   as pawns have them.
//! - `i`: only as the piece's first move.
//! - `n`: a leap that others can block. A straight leap (`nD`, `nA`, `nH`) needs all squares between empty. An oblique leap
//!   goes like a king, straight along its longer axis as long as it can, then aslant: `nN` is the horse of Chinese chess,
//!   blocked on the square next to it, `nZ` the elephant of Korean chess. That is how Fairy-Stockfish reads `nN` as well,
//!   while others leave oblique atoms open. A leap that is a shorter oblique leap twice or more, as (4,2), passes where
//!   the shorter ones end.
//! - `p`: hops. A slide (`pR`, `cpB`, `pW3`) hops over exactly one piece of either colour at any distance and goes on beyond
//!   it, as cannons do; a range counts the steps before and after. `pD` and `pA` leap over a piece on the middle square.
//!
//! # Directions
//!
//! The letters of an atom stand side by side (before, between or after the flags): `f` forward, `b` backward, `l` left,
//! `r` right, `v` = `fb`, `s` = `lr`, all as the piece's owner looks at the board. They are read from the left, in groups
//! as long as possible, and groups add up. A group is a letter, the same letter twice (which says no more), or two letters
//! at right angles. What a group chooses depends on the atom:
//!
//! - **Four straight directions** (`W D H R (n,0)`): a group of two is both of its letters, `fsW` three steps. There is
//!   nothing between the sides that a pair could mean.
//! - **Four diagonal directions** (`F A G B (n,n)`): one letter is the two directions on that side, a pair is what both its
//!   letters have in common. `fF` is both forward, `flF` the one forward to the left. `s` and `v` alone are all four, so
//!   `fs` is both forward, just as `fs` = `fl` + `fr` everywhere. (`XBoard`'s own reading of `fsF` is all four directions,
//!   but only because its tables have no entry for `s` there; Fairy-Stockfish has the two forward ones, too.)
//! - **Eight oblique directions** (`N C Z (x,y)`): one letter is the two leaps that go furthest to that side, so `fN` is
//!   the knight of Japanese chess. In a pair the *second* letter is the side gone furthest to: `fs` are the two forward
//!   leaps of the wide kind (two sideways, one forward), `fl` the left one of them, `lf` the narrow one forward on the
//!   left, `lv` both narrow ones on the left. A letter and `h` is half of the leaps: `fh` all four forward, `lh` all four
//!   to the left. `hr` and `hl` are the four leaps that turn into `rfN` or `lfN`. This is `XBoard`'s table.
//! - **`K` and `Q`** are two atoms written as one, and the letters choose in each half: `fK` is `fWfF`, `flK` is `flWflF`.
//!   Fairy-Stockfish reads single letters so, too. `XBoard` sees eight directions of one kind there and takes `fK` for `fW`;
//!   writing `W` and `F` apart means the same to everybody.
//!
//! On diagonal and oblique atoms a pair must not begin with `s` or `v` (`sfN`): each reader makes something else of it.
//!
//! # Castling
//!
//! `O` with `i`, and `l`, `r` or `s` (or no direction, for both): castling in which the king goes that many files (2, if
//! there is no number) towards its partner: `KisO2`. At most once.
//!
//! # No target twice
//!
//! Texts may say things twice: `KR` has the rook's first steps in its `K`. The result does not. Of each path, moving,
//! capturing and capturing en passant are judged separately, and each is left out where another path allows the same under
//! the same or weaker conditions: a leap that is the first step of a ride, a shorter ride, a lame leap along a ride, `pD`
//! beside `pR`, anything with `i` that also holds without. So in `KmRcpR` the straight steps of the king only capture, for
//! moving there is part of `mR`. A limited first-move ride whose beginning always holds keeps only the rest: the ride in
//! `fmWifmW2` becomes the lame double step of `fmWifmnD`.
//!
//! Some paths still meet on a square, each under conditions that the other does not need: the `D` of `RD` meets the `R` only
//! while the square between is empty. Whoever lists such a piece's moves has to collect the targets in a set.
//!
//! # Not supported
//!
//! Moves of several legs (`a`, brackets) and the modifiers `d g j k o q t u x y z`.

mod ast;
mod cover;
mod directions;
mod error;
mod lower;
mod parse;
#[cfg(test)]
mod tests;

pub use ast::Span;
pub use error::{BetzaError, BetzaErrorKind};

use self::error::SpannedError;
use crate::movement::Movement;

/// The longest text, in characters: far more than any piece needs, and little enough to be read at once.
pub const MAX_LENGTH: usize = 200;

/// The longest component of a leap, in squares: the width of the widest board less one.
pub const MAX_LEAP: i8 = 15;

/// The largest range that can be written, in steps: the ranks of the longest board.
pub const MAX_RANGE: u8 = 99;

/// Reads the `XBetza` `text`.
///
/// ```
/// use assay_rules::betza;
///
/// let knight = betza::parse("N").unwrap();
/// assert_eq!(knight.paths.len(), 8);
///
/// let error = betza::parse("fmWgR").unwrap_err();
/// assert_eq!(error.caret(), "fmWgR\n   ^");
/// ```
///
/// # Errors
///
/// When the text is not `XBetza`, or says something that Assay does not play; the error points at the first such place.
pub fn parse(text: &str) -> Result<Movement, BetzaError> {
    if let Some((end, _)) = text.char_indices().nth(MAX_LENGTH) {
        let fault = SpannedError::new(BetzaErrorKind::TooLong, Span::new(end, end));
        return Err(BetzaError::new(fault, &text[..end]));
    }
    parse::terms(text)
        .and_then(|terms| lower::movement(&terms))
        .map_err(|fault| BetzaError::new(fault, text))
}
