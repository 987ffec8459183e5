//! SAN: moves as PGN writes them, with the game's letters.
//!
//! What the rules document says under "Notation", and what it leaves open, is read like this:
//!
//! * Pieces but the pawn are written with their letter, and told apart by file, else by rank, else by both, from pieces of the
//!   same kind that have a *legal* move to the same square.
//! * Pawns are written without letter. A quiet pawn move is told apart by file, else by file and rank (never by rank
//!   alone, which would read like a move number), from other quiet pawn moves to the same square; a capture always has its
//!   origin file, and its rank when another pawn of that file can capture there too. The `x` tells captures from quiet moves.
//! * A move written without promotion is one that leaves the pawn a pawn.
//! * `O-O` is the castling towards the higher file, `O-O-O` the one towards the a-file.

mod text;

use thiserror::Error;

use crate::board::Board;
use crate::color::Color;
use crate::moves::Move;
use crate::position::Position;
use crate::square::Square;

use text::{SanText, Typed};

/// Why a text is no legal move.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SanError {
    /// The text is not of the form.
    #[error("`{text}` is no move: found {found} at character {column}, expected {expected}")]
    Form {
        /// What was to be read.
        text: String,
        /// The character of `text` where it goes wrong, counted from 1.
        column: usize,
        /// What stands there.
        found: String,
        /// What could stand there.
        expected: String,
    },
    /// A move, but none that is legal here.
    #[error("`{text}` fits no legal move{}", instead(.candidates))]
    Illegal {
        /// What was to be read.
        text: String,
        /// Legal moves of the same kind, to the same square if there are any. May be empty.
        candidates: Vec<String>,
    },
    /// More than one legal move fits.
    #[error("`{text}` fits more than one legal move: {}", .candidates.join(" "))]
    Ambiguous {
        /// What was to be read.
        text: String,
        /// All that fit, at least two.
        candidates: Vec<String>,
    },
}

fn instead(candidates: &[String]) -> String {
    if candidates.is_empty() {
        String::new()
    } else {
        format!("; legal are: {}", candidates.join(" "))
    }
}

/// A legal move as SAN, with `+` when it gives check and `#` when it mates.
///
/// # Panics
/// When no piece of the side to move stands where the move begins; of any other illegal move the text means nothing.
pub fn format(position: &Position, mv: Move) -> String {
    let mut text = bare(position, mv, &position.legal_moves());
    let after = position.play(mv);
    // In the middle of a double move the mover is still to move; it cannot be in check then.
    if after.in_check() {
        text.push(if after.has_legal_move() { '+' } else { '#' });
    }
    text
}

/// Reads a legal move.
///
/// Beside what [`format`] writes it takes: missing or wrong `+` and `#`, `!` and `?` behind the move, zeros for the O of
/// castlings, a missing `x` when no quiet move fits (a pawn's capture still needs its origin file), a missing `=` before a
/// promotion, `e.p.` behind a capture en passant, more of the origin than needed, and the pawn's own letter.
///
/// # Errors
/// When the text is no move, or not exactly one legal move fits it.
pub fn parse(position: &Position, text: &str) -> Result<Move, SanError> {
    let read = SanText::parse(position.game(), text)?;
    let legal = position.legal_moves();
    let fitting: Vec<Move> = legal.iter().copied().filter(|&mv| fits(position, mv, &read)).collect();
    // An `x` may be forgotten, so captures count only when no quiet move fits a text without it.
    let as_written: Vec<Move> = fitting
        .iter()
        .copied()
        .filter(|&mv| is_capture(position, mv) == read.is_capture())
        .collect();
    let chosen = if as_written.is_empty() && !read.is_capture() {
        &fitting
    } else {
        &as_written
    };
    let list = |moves: &[Move]| moves.iter().map(|&mv| bare(position, mv, &legal)).collect::<Vec<_>>();
    match chosen.as_slice() {
        [mv] => Ok(*mv),
        [] => {
            let near = near_misses(position, &legal, &read);
            Err(SanError::Illegal {
                text: text.to_owned(),
                candidates: list(&near),
            })
        }
        several => Err(SanError::Ambiguous {
            text: text.to_owned(),
            candidates: list(several),
        }),
    }
}

/// Does a legal move do what was typed, captures apart?
fn fits(position: &Position, mv: Move, read: &SanText) -> bool {
    let typed = match (read, mv) {
        (SanText::Castle { higher }, Move::Castle { .. }) => return goes_higher(&position.game().board, mv) == *higher,
        (SanText::Castle { .. }, _) | (_, Move::Castle { .. }) => return false,
        (SanText::Piece(typed), _) => typed,
    };
    let board = &position.game().board;
    let kind = position.piece_at(mv.from()).map(|piece| piece.kind);
    let is_pawn = typed.kind == position.game().pawn;
    kind == Some(typed.kind)
        && mv.to() == typed.to
        && typed.file.is_none_or(|file| board.file(mv.from()) == file)
        && typed.rank.is_none_or(|rank| board.rank(mv.from()) == rank)
        && mv.promotion() == typed.promotion
        && mv.gate() == typed.gate
        && (!typed.en_passant || matches!(mv, Move::EnPassant { .. }))
        // Without its file a pawn's capture would look like a quiet move.
        && (!is_pawn || typed.file.is_some() || !is_capture(position, mv))
}

/// What could have been meant by a text that fits nothing.
fn near_misses(position: &Position, legal: &[Move], read: &SanText) -> Vec<Move> {
    let castles = |mv: Move| matches!(mv, Move::Castle { .. });
    let typed = match read {
        SanText::Castle { .. } => return legal.iter().copied().filter(|&mv| castles(mv)).collect(),
        SanText::Piece(typed) => typed,
    };
    let same_kind = |mv: Move| {
        !castles(mv)
            && position
                .piece_at(mv.from())
                .is_some_and(|piece| piece.kind == typed.kind)
    };
    let there: Vec<Move> = legal
        .iter()
        .copied()
        .filter(|&mv| same_kind(mv) && mv.to() == typed.to)
        .collect();
    if there.is_empty() {
        legal.iter().copied().filter(|&mv| same_kind(mv)).collect()
    } else {
        there
    }
}

/// The text of a move without `+` and `#`.
fn bare(position: &Position, mv: Move, legal: &[Move]) -> String {
    let game = position.game();
    let board = &game.board;
    if matches!(mv, Move::Castle { .. }) {
        return if goes_higher(board, mv) { "O-O" } else { "O-O-O" }.to_owned();
    }
    let piece = position
        .piece_at(mv.from())
        .expect("a piece stands where the move begins");
    let capture = is_capture(position, mv);
    let mut text = String::new();
    if piece.kind != game.pawn {
        text.push(game.letter(piece.kind, Color::White));
    }
    text += &origin(position, mv, legal);
    if capture {
        text.push('x');
    }
    text += &board.square_name(mv.to());
    for (mark, kind) in [('=', mv.promotion()), ('/', mv.gate())] {
        if let Some(kind) = kind {
            text.push(mark);
            text.push(game.letter(kind, Color::White));
        }
    }
    text
}

/// As much of the square of origin as the text needs.
fn origin(position: &Position, mv: Move, legal: &[Move]) -> String {
    let board = &position.game().board;
    let kind = |mv: Move| position.piece_at(mv.from()).map(|piece| piece.kind);
    let is_pawn = kind(mv) == Some(position.game().pawn);
    let capture = is_capture(position, mv);
    let rivals: Vec<Square> = legal
        .iter()
        .copied()
        .filter(|&other| {
            other.from() != mv.from()
                && other.to() == mv.to()
                && kind(other) == kind(mv)
                && !matches!(other, Move::Castle { .. })
                && (!is_pawn || is_capture(position, other) == capture)
        })
        .map(Move::from)
        .collect();
    let file = board.file(mv.from());
    let rank = board.rank(mv.from());
    let file_tells = rivals.iter().all(|&rival| board.file(rival) != file);
    let rank_tells = rivals.iter().all(|&rival| board.rank(rival) != rank);
    let always_file = is_pawn && capture;
    if rivals.is_empty() && !always_file {
        String::new()
    } else if file_tells {
        Board::file_letter(file).to_string()
    } else if rank_tells && !is_pawn {
        board.rank_number(rank).to_string()
    } else {
        board.square_name(mv.from())
    }
}

/// Does the move take a piece off the board?
fn is_capture(position: &Position, mv: Move) -> bool {
    match mv {
        Move::EnPassant { .. } | Move::Cannon { .. } => true,
        Move::Castle { .. } => false,
        Move::Normal { to, .. } | Move::DoubleStep { to, .. } => position.piece_at(to).is_some(),
    }
}

/// Does a castling king go towards the higher files?
fn goes_higher(board: &Board, mv: Move) -> bool {
    board.file(mv.to()) > board.file(mv.from())
}

impl SanText {
    /// Was an `x` typed?
    fn is_capture(&self) -> bool {
        matches!(self, SanText::Piece(Typed { capture: true, .. }))
    }
}
