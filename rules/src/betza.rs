//! `XBetza`: the notation for the movement of pieces.
//!
//! ```text
//! movement   = term, { term } ;
//! term       = leg, { "a", leg }, atom, [ range ] ;
//! leg        = { flag | directions } ;
//! flag       = "m" | "c" | "e" | "i" | "n" | "p" | "g" | "z" | "q" | "y" ;
//! directions = one run of "f" "b" "l" "r" "v" "s" "h" ;
//! atom       = capital letter | "(", number, ",", number, ")" ;
//! range      = number | the capital letter repeated ;
//! ```
//!
//! Terms add up: `RN` moves as a rook and as a knight. Text without a defined meaning is an error,
//! never ignored. `XBetza` has grown over decades, and its implementations (`XBoard`, the
//! interactive diagrams of chessvariants.com, Fairy-Stockfish) disagree in details. This page
//! defines the meaning that Assay uses and gives the reasons.
//!
//! # Atoms and ranges
//!
//! | atom | leap | atom | leap | atom | meaning |
//! |---|---|---|---|---|---|
//! | `W` | (1,0) | `H` | (3,0) | `R`, `B` | `W0`, `F0` |
//! | `F` | (1,1) | `C`, `L` | (3,1) | `Q` | `RB` |
//! | `D` | (2,0) | `Z`, `J` | (3,2) | `K` | `WF` |
//! | `N` | (2,1) | `G` | (3,3) | `O` | castling |
//! | `A` | (2,2) | `(x,y)` | any, up to 15 | | |
//!
//! A number after the atom is the maximum number of steps (`W3`). 0 means no limit, and so does a
//! doubled letter (`NN`). Range 1 is the plain leap, so `R1` equals `W`. A range on `K` or `Q`
//! applies to both halves: `K2` equals `W2F2`. A leading zero (`W03`) means "exactly three steps"
//! in some implementations and is rejected.
//!
//! # Flags
//!
//! - `m` moves to an empty square, `c` captures, `e` captures en passant. An atom without any of
//!   them moves and captures; an atom with some of them does only what they say, so `e` alone
//!   captures only en passant. `e` is allowed on plain leaps only, as pawns need it.
//! - `i`: available only as the piece's first move.
//! - `n`: a lame leap, which other pieces can block. A straight leap (`nD`, `nA`, `nH`) needs all
//!   squares in between to be empty. An oblique leap takes king steps: straight along its longer
//!   axis as far as possible, then diagonally. `nN` is the horse of Chinese chess, blocked on the
//!   adjacent square; `nZ` is the elephant of Korean chess. Fairy-Stockfish reads `nN` the same
//!   way; other implementations leave oblique atoms undefined. A leap that is a multiple of a
//!   shorter oblique leap, such as (4,2), passes over the squares where the shorter leaps end. A
//!   pawn's lame move over one square is a double step: in a game with en passant it can be
//!   captured there, `ifmnD` from the home rank, `fmnD` from any rank (torpedo chess). A lame ride
//!   (`nNN`) takes lame leaps from one empty square to the next.
//! - `p`: hops. A slide (`pR`, `cpB`, `pW3`) hops over exactly one piece of either color at any
//!   distance and continues beyond it, like a cannon; a range counts the steps before and after the
//!   hop. `pD` and `pA` leap over a piece on the middle square.
//! - `g`: a grasshopper (`gQ`, `gR`, `gB`) hops over the first piece of either color, to the square
//!   behind it.
//! - `z`: a crooked ride turns by a quarter circle to alternating sides: `zB` and `zR` are the
//!   crooked bishop and rook.
//! - `q`: a circular ride of an oblique leap turns by an eighth to the same side with each leap:
//!   `qN0` is the rose, which ends before its own square. `z` and `q` have no directions.
//!
//! An atom has at most one of `n p g z q`.
//!
//! # Legs
//!
//! Up to three legs of one step each are separated by `a`. What stands before `a` belongs to the
//! leg before it, and the atom (`W`, `F` or `K`) to the first leg. The later legs need directions,
//! which are relative to the leg before: `f` goes on straight, `s` turns by a quarter circle, `fs`
//! by an eighth, so that a rook's step becomes a bishop's. The square between two legs must be
//! empty (`m` or nothing), occupied (`p`), or may be either (`mp`). The last leg moves and captures
//! as its flags say; `i` belongs to the first one. `mafsW` is the horse of Chinese chess (`nN`),
//! `pafW` equals `pD`.
//!
//! `y` before the last `a` makes the last leg a ride: `yafsF` steps diagonally, then slides outward
//! as a rook; `FyafsF` is the griffon and `WyafsW` the manticore.
//!
//! # Directions
//!
//! The direction letters of an atom are contiguous, before, between or after its flags: `f`
//! forward, `b` backward, `l` left, `r` right, `v` = `fb`, `s` = `lr`, all from the owner's point
//! of view: Black's movement is White's turned by 180 degrees, so Black's `rW` goes toward the
//! a-file, as in XBoard and Fairy-Stockfish. They are read from left to right in the longest
//! possible groups, and groups add up. A group is a single letter, the same letter twice
//! (equivalent to one), or two letters at right angles. The meaning of a group depends on the atom:
//!
//! - **Four orthogonal directions** (`W D H R (n,0)`): a group of two means both letters, so `fsW`
//!   has three steps. There is no direction between two sides that a pair could mean.
//! - **Four diagonal directions** (`F A G B (n,n)`): a single letter means the two directions on
//!   that side, a pair their intersection. `fF` is both forward directions, `flF` the forward left
//!   one. `s` and `v` alone are all four, so `fs` is both forward directions, consistent with `fs`
//!   = `fl` + `fr`. (`XBoard` reads `fsF` as all four directions, but only because its tables have
//!   no entry for `s` there; Fairy-Stockfish also has the two forward ones.)
//! - **Eight oblique directions** (`N C Z (x,y)`): a single letter means the two leaps that go
//!   furthest to that side, so `fN` is the knight of Japanese chess. In a pair, the *second* letter
//!   is the side with the longer component: `fs` are the two wide forward leaps (two files
//!   sideways, one rank forward), `fl` the left one of them, `lf` the narrow forward left one, `lv`
//!   both narrow left ones. A letter and `h` mean half of the leaps: `fh` all four forward, `lh`
//!   all four to the left. `hr` and `hl` are the four leaps that a quarter turn maps to each other,
//!   starting with `rfN` or `lfN`. This is `XBoard`'s table.
//! - **`K` and `Q`** are two atoms written as one, and the letters apply to each half: `fK` equals
//!   `fWfF`, `flK` equals `flWflF`. Fairy-Stockfish reads single letters the same way. `XBoard`
//!   treats them as eight directions of one kind and reads `fK` as `fW`. Writing `W` and `F`
//!   separately means the same in every implementation.
//!
//! On diagonal and oblique atoms a pair must not begin with `s` or `v` (`sfN`), because
//! implementations disagree on it.
//!
//! # Castling
//!
//! `O` with `i`, and `l`, `r` or `s` (or no direction, for both): the king castles by that number
//! of files (default 2) toward its partner: `KisO2`. At most once.
//!
//! # Redundant paths
//!
//! A text may state a move twice: `KR` includes the rook's first steps in `K`. The parsed movement
//! does not. For each path, moving, capturing and capturing en passant are considered separately,
//! and each is removed if another path allows it under the same or weaker conditions: a leap that
//! is the first step of a ride, a shorter ride, a lame leap along a ride, `pD` beside `pR`,
//! anything with `i` that is also available without it. In `KmRcpR`, the orthogonal steps of the
//! king only capture, because moving there is part of `mR`. An initial ride of limited range is
//! split if its first steps are always available: the ride in `fmWifmW2` becomes the lame double
//! step of `fmWifmnD`.
//!
//! Some paths still share a target, each under conditions that the other does not need: the `D` of
//! `RD` coincides with the `R` only while the square in between is empty. Code that lists the moves
//! of such a piece must remove duplicates.
//!
//! # Not supported
//!
//! | notation | why |
//! |---|---|
//! | `ca`, `da`: captures before the last leg | a move captures on one square |
//! | `d` | a piece captures enemies only |
//! | `u`, `x` | a move changes no other squares |
//! | `o` | boards have edges |
//! | `j` | on leaps it is `p`; on slides, XBoard skips the first square, while Fairy-Stockfish ignores the letter |
//! | `gW`, `gR3` | Fairy-Stockfish reads them as `gR` and `pR3`, XBoard exchanges the ranges before and beyond the screen |
//! | `k`, `t` | no game here needs them |
//! | `W03` | exactly three steps in some programs, up to three in Fairy-Stockfish |
//! | `qN`, `zF` | single leaps by their atom, rides by their modifier |
//! | `aW` | a leg without directions may or may not turn back |
//! | `[R-B]` | brackets are another notation for legs |
//!
//! Fairy-Stockfish skips `a j q y z` and reads the rest, so files for it cannot have them.

mod ast;
mod directions;
mod error;
mod legs;
mod lowering;
mod merge;
mod parser;

pub use ast::Span;
pub use error::BetzaError;

use self::error::SpannedError;
use crate::types::movement::Movement;

/// Maximum length of a text in characters, more than any piece needs.
pub const MAX_LENGTH: usize = 200;

/// Maximum component of a leap in squares: the widest board has 16 files.
pub const MAX_LEAP: i8 = 15;

/// Maximum number of legs.
pub const MAX_LEGS: usize = 3;

/// Maximum range in steps.
pub const MAX_RANGE: u8 = 99;

/// Parses a movement.
///
/// ```
/// use assay_rules::betza;
///
/// let knight = betza::parse("N").unwrap();
/// assert_eq!(knight.paths.len(), 8);
///
/// let error = betza::parse("fmWkR").unwrap_err();
/// assert_eq!(error.caret(), "fmWkR\n   ^");
/// ```
///
/// # Errors
/// Returns the first error in the text, with its span.
pub fn parse(text: &str) -> Result<Movement, BetzaError> {
    if let Some((end, _)) = text.char_indices().nth(MAX_LENGTH) {
        let message = format!("found more than {MAX_LENGTH} characters, expected a shorter text");
        let error = SpannedError::new(message, Span::new(end, end));
        return Err(BetzaError::new(error, &text[..end]));
    }
    parser::parse_terms(text).and_then(|terms| lowering::lower(&terms)).map_err(|error| BetzaError::new(error, text))
}
