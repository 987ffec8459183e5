//! SAN: moves in standard algebraic notation, with the letters of each game.
//!
//! * Pieces other than the pawn are written with their letter. The origin is disambiguated by file, else by rank, else by both,
//!   from pieces of the same kind that have a *legal* move to the same square.
//! * Pawns have no letter. Quiet pawn moves are disambiguated by file, else by file and rank, from other quiet pawn moves to the
//!   same square. (A rank alone would look like a move number.) Captures always include the file of origin, and its rank if
//!   another pawn on that file can capture on the same square. The `x` distinguishes captures from quiet moves.
//! * A pawn move without a promotion leaves the pawn a pawn.
//! * A drop is the letter of the piece, also of the pawn, and its square: `P@e4`.
//! * A promoted piece of shogi has a `+` before its letter, also as a promotion: `+Rc5`, `Rc5=+R`, `a5=+P`.
//! * A move that makes a wall ends with a comma and its square: `e4,d5`.
//! * `O-O` is castling toward the last file, `O-O-O` castling toward the a-file. `/He1` after it gates on a square left.
//!
//! ```
//! use assay_rules::{GameDef, Position, san};
//!
//! let chess = GameDef::builtin("chess").unwrap();
//! let position = Position::from_fen(&chess, "7k/4P3/8/8/8/8/8/4K3 w - - 0 1").unwrap();
//! let mv = san::parse(&position, "e8=Q+").unwrap();
//! assert_eq!(san::format(&position, mv), "e8=Q+");
//!
//! let error = san::parse(&position, "e8").unwrap_err();
//! assert_eq!(error.to_string(), "`e8` matches no legal move; candidates: e8=Q e8=R e8=B e8=N");
//! ```

mod parser;

use thiserror::Error;

use super::uci;
use crate::types::board::Board;
use crate::types::color::Color;
use crate::types::moves::Move;
use crate::types::piece::Kind;
use crate::types::square::Square;
use crate::variant::Position;

use parser::{PieceMove, SanText};

/// Why a SAN move was rejected.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SanError {
    /// The text is malformed.
    #[error("malformed move `{text}`: found {found} at character {column}, expected {expected}")]
    Syntax {
        /// The move as given.
        text: String,
        /// Column of the error in characters, counted from 1.
        column: usize,
        /// What was found.
        found: String,
        /// What was expected.
        expected: String,
    },
    /// The text is a legal move in UCI notation.
    #[error("`{text}` is a UCI move, expected SAN: `{san}`")]
    Uci {
        /// The move as given.
        text: String,
        san: String,
    },
    /// No legal move matches.
    #[error("`{text}` matches no legal move{}", list_candidates(.candidates))]
    Illegal {
        /// The move as given.
        text: String,
        /// Legal moves of the same kind of piece, to the same square if there are any; may be
        /// empty.
        candidates: Vec<String>,
    },
    /// Several legal moves match.
    #[error("`{text}` matches more than one legal move: {}", .candidates.join(" "))]
    Ambiguous {
        /// The move as given.
        text: String,
        /// All matching moves, at least two.
        candidates: Vec<String>,
    },
}

fn list_candidates(candidates: &[String]) -> String {
    if candidates.is_empty() { String::new() } else { format!("; candidates: {}", candidates.join(" ")) }
}

/// Formats a legal move, with `+` for check and `#` for checkmate.
///
/// # Panics
/// Panics if the origin of the move is empty. For other illegal moves the result is unspecified.
pub fn format(position: &Position, mv: Move) -> String {
    let mut text = format_without_check(position, mv);
    let after = position.play(mv);
    // After the first of two moves in a row the mover is still to move, and is never in check.
    if after.in_check() {
        text.push(if after.has_legal_move() { '+' } else { '#' });
    }
    text
}

/// Parses a legal move.
///
/// Besides the output of [`format()`], the parser accepts missing or wrong `+` and `#`; `!` and `?`
/// after the move; castling with zeros; long algebraic notation such as `Ng1-f3`; a missing `x` if
/// no quiet move matches (pawn captures still need the file of origin); a missing `=` before a
/// promotion; a missing `P` before the `@` of a drop; `e.p.` after an en passant capture; redundant
/// disambiguation; and the pawn's letter.
///
/// # Errors
/// Returns an error if the text is malformed or does not match exactly one legal move.
pub fn parse(position: &Position, text: &str) -> Result<Move, SanError> {
    parse_san(position, text).map_err(|error| match uci::parse(position, text) {
        Ok(mv) => SanError::Uci { text: text.to_owned(), san: format(position, mv) },
        Err(_) => error,
    })
}

fn parse_san(position: &Position, text: &str) -> Result<Move, SanError> {
    let (parsed, wall) = SanText::parse(position.game(), text)?;
    let matching =
        position.legal_moves_where(|mv| matches(position, mv, &parsed) && (wall.is_none() || mv.wall() == wall));
    // The `x` is optional, but without it quiet moves take precedence over captures.
    let exact: Vec<Move> =
        matching.iter().copied().filter(|&mv| position.is_capture(mv) == parsed.is_capture()).collect();
    let chosen = if exact.is_empty() && !parsed.is_capture() { &matching } else { &exact };
    let list = |moves: &[Move]| {
        let texts = moves.iter().map(|&mv| match mv.wall() {
            None => format_without_check(position, mv),
            // The same for all walls.
            Some(_) => format_without_check(position, mv.with_wall(None)) + ",SQUARE",
        });
        let mut texts: Vec<String> = texts.collect();
        texts.dedup();
        texts
    };
    match chosen.as_slice() {
        [mv] => Ok(*mv),
        [] => {
            let candidates = find_candidates(position, &parsed);
            Err(SanError::Illegal { text: text.to_owned(), candidates: list(&candidates) })
        }
        several => Err(SanError::Ambiguous { text: text.to_owned(), candidates: list(several) }),
    }
}

/// Returns true if a legal move matches the text, ignoring `x`.
fn matches(position: &Position, mv: Move, text: &SanText) -> bool {
    let san = match (text, mv) {
        (SanText::Castle { toward_last_file, gate }, Move::Castle { gate: gated, .. }) => {
            return is_toward_last_file(&position.game().board, mv) == *toward_last_file && gated == *gate;
        }
        (SanText::Drop { kind, to }, _) => return mv == Move::Drop { kind: *kind, to: *to },
        (SanText::Castle { .. }, _) | (_, Move::Castle { .. } | Move::Drop { .. }) => return false,
        (SanText::Piece(san), _) => san,
    };
    let board = &position.game().board;
    let kind = original_kind(position, mv);
    let is_pawn = san.kind == position.game().first_pawn();
    kind == Some(san.kind)
        && mv.to() == san.to
        && san.file.is_none_or(|file| board.file(mv.from()) == file)
        && san.rank.is_none_or(|rank| board.rank(mv.from()) == rank)
        && mv.promotion().map(|kind| position.game().kinds.original(kind)) == san.promotion
        && mv.gate() == san.gate
        && (!san.is_en_passant || matches!(mv, Move::EnPassant { .. }))
        // A pawn capture needs its file.
        && (!is_pawn || san.file.is_some() || !position.is_capture(mv))
}

/// The kind of the moved piece, whether promoted or not: both are written with the same letter.
fn original_kind(position: &Position, mv: Move) -> Option<Kind> {
    let piece = position.piece_at(mv.from())?;
    Some(position.game().kinds.original(piece.kind))
}

/// Legal moves that resemble a text without a match.
fn find_candidates(position: &Position, text: &SanText) -> Vec<Move> {
    let legal = position.legal_moves();
    let is_castling = |mv: Move| matches!(mv, Move::Castle { .. });
    let drops_kind = |mv: Move, wanted: Kind| matches!(mv, Move::Drop { kind, .. } if kind == wanted);
    let board = &position.game().board;
    let those = |fits: &dyn Fn(Move) -> bool| -> Vec<Move> { legal.iter().copied().filter(|&mv| fits(mv)).collect() };
    let san = match text {
        SanText::Castle { .. } => return those(&is_castling),
        SanText::Drop { kind, .. } => return those(&|mv| drops_kind(mv, *kind)),
        SanText::Piece(san) => san,
    };
    let same_kind = |mv: Move| !is_castling(mv) && original_kind(position, mv) == Some(san.kind);
    // Without a letter it may be a move in UCI notation of another piece.
    let from = san.file.zip(san.rank);
    let same_origin = |mv: Move| from == Some((board.file(mv.from()), board.rank(mv.from())));
    if legal.iter().any(|&mv| same_origin(mv) && !same_kind(mv)) {
        return those(&same_origin);
    }
    let there = those(&|mv| same_kind(mv) && mv.to() == san.to);
    if there.is_empty() { those(&same_kind) } else { there }
}

fn format_without_check(position: &Position, mv: Move) -> String {
    let game = position.game();
    let board = &game.board;
    if let Some(wall) = mv.wall() {
        let step = format_without_check(position, mv.with_wall(None));
        return format!("{step},{}", board.square_name(wall));
    }
    if let Move::Castle { gate, .. } = mv {
        let castling = if is_toward_last_file(board, mv) { "O-O" } else { "O-O-O" };
        return gate.map_or_else(
            || castling.to_owned(),
            |(kind, square)| {
                format!("{castling}/{}{}", game.kinds.letter(kind, Color::White), board.square_name(square))
            },
        );
    }
    if let Move::Drop { .. } = mv {
        return uci::format(game, mv);
    }
    let piece = position.piece_at(mv.from()).expect("the origin of a move is occupied");
    let capture = position.is_capture(mv);
    let mut text = String::new();
    if piece.kind != game.first_pawn() {
        text += &game.kinds.symbol(piece.kind, Color::White);
    }
    text += &disambiguation(position, mv);
    if capture {
        text.push('x');
    }
    text += &board.square_name(mv.to());
    for (mark, kind) in [('=', mv.promotion()), ('/', mv.gate())] {
        if let Some(kind) = kind {
            text.push(mark);
            text += &game.kinds.symbol(kind, Color::White);
        }
    }
    text
}

/// The part of the origin that distinguishes the move from others.
fn disambiguation(position: &Position, mv: Move) -> String {
    let board = &position.game().board;
    let kind = |mv: Move| original_kind(position, mv);
    let is_pawn = kind(mv) == Some(position.game().first_pawn());
    let capture = position.is_capture(mv);
    let is_rival = |other: Move| {
        other.from() != mv.from()
            && other.to() == mv.to()
            && kind(other) == kind(mv)
            && !matches!(other, Move::Castle { .. })
            && (!is_pawn || position.is_capture(other) == capture)
    };
    let rivals: Vec<Square> = position.legal_moves_where(is_rival).into_iter().map(Move::from).collect();
    let file = board.file(mv.from());
    let rank = board.rank(mv.from());
    let unique_file = rivals.iter().all(|&rival| board.file(rival) != file);
    let unique_rank = rivals.iter().all(|&rival| board.rank(rival) != rank);
    let always_file = is_pawn && capture;
    if rivals.is_empty() && !always_file {
        String::new()
    } else if unique_file {
        Board::file_letter(file).to_string()
    } else if unique_rank && !is_pawn {
        board.rank_number(rank).to_string()
    } else {
        board.square_name(mv.from())
    }
}

fn is_toward_last_file(board: &Board, mv: Move) -> bool {
    board.file(mv.to()) > board.file(mv.from())
}

impl SanText {
    fn is_capture(&self) -> bool {
        matches!(self, SanText::Piece(PieceMove { is_capture: true, .. }))
    }
}
