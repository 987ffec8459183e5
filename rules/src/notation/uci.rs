//! UCI moves: origin and destination, then the letter of the promotion or of the gated piece.
//! Castling that gates is written with the square of the gated piece first: `e1g1h` or `h1e1h`. A
//! drop is the letter of the piece and its square: `N@f3`. A piece that promotes as in shogi has a
//! `+`, one that turns back a `-`: `h2h3+`. A move that makes a wall is followed by a comma, its
//! target and the square of the wall: `e2e4,e4d5`.
//!
//! ```
//! use assay_rules::{GameDef, Position, uci};
//!
//! let position = Position::start(&GameDef::builtin("chess").unwrap());
//! let mv = uci::parse(&position, "e2e4").unwrap();
//! assert_eq!(uci::format(position.game(), mv), "e2e4");
//!
//! let error = uci::parse(&position, "e2e5").unwrap_err();
//! assert_eq!(error.to_string(), "illegal move `e2e5`: legal moves of the piece on e2: e2e3 e2e4");
//! ```

use thiserror::Error;

use crate::types::color::Color;
use crate::types::moves::Move;
use crate::types::piece::Kind;
use crate::types::square::Square;
use crate::variant::GameDef;
use crate::variant::Position;

/// Why a UCI move was rejected.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum UciError {
    /// The move is malformed.
    #[error(
        "malformed move `{text}`: expected origin and destination, like `e2e4`, and a lower-case letter for a promotion or gated piece"
    )]
    Syntax {
        /// The move as given.
        text: String,
    },
    /// The move is not legal in the position.
    #[error("illegal move `{text}`: {why}")]
    Illegal {
        /// What was found.
        text: String,
        /// Why the move is not legal.
        why: String,
    },
}

pub fn format(game: &GameDef, mv: Move) -> String {
    if let Move::Drop { kind, to } = mv {
        return format!("{}@{}", game.kinds.symbol(kind, Color::White), game.board.square_name(to));
    }
    let (from, to) = mv.uci_squares();
    let name = |square| game.board.square_name(square);
    let mut text = name(from) + &name(to);
    text.extend(suffix(game, mv));
    text + &mv.wall().map_or(String::new(), |wall| format!(",{}{}", name(to), name(wall)))
}

/// What follows the squares: the promotion or the gated piece.
fn suffix(game: &GameDef, mv: Move) -> Option<char> {
    let gated = mv.gate().map(|kind| game.kinds.letter(kind, Color::Black));
    mv.promotion().map(|kind| game.promotion_suffix(kind)).or(gated)
}

/// Expected text behind the squares of a move that makes a wall.
const WALL_EXPECTED: &str = "expected a comma, the target and an empty square for the wall, like `e2e4,e4d5`";

/// Parses a move and checks that it is legal.
///
/// # Errors
/// Returns an error if the text is malformed or the move is illegal.
pub fn parse(position: &Position, text: &str) -> Result<Move, UciError> {
    let game = position.game();
    let syntax = || UciError::Syntax { text: text.to_owned() };
    let illegal = |why| UciError::Illegal { text: text.to_owned(), why };
    if let Some((letter, square)) = text.split_once('@').filter(|_| game.mechanisms.drops.is_some()) {
        let is_upper = letter.ends_with(|letter: char| letter.is_ascii_uppercase());
        let kind = game.kinds.parse(letter).filter(|(_, rest)| rest.is_empty() && is_upper).map(|(kind, _)| kind);
        let to = game.board.parse_square(square);
        return parse_drop(position, text, kind.ok_or_else(syntax)?, to.ok_or_else(syntax)?);
    }
    let (step, wall) = match text.split_once(',').filter(|_| game.wall_rule().is_some()) {
        None => (text, None),
        Some((step, second)) => {
            let squares = game.board.parse_square_prefix(second);
            let squares = squares.and_then(|(to, wall)| Some((to, game.board.parse_square(wall)?)));
            (step, Some(squares.ok_or_else(|| illegal(WALL_EXPECTED.to_owned()))?))
        }
    };
    let (from, rest) = game.board.parse_square_prefix(step).ok_or_else(syntax)?;
    let (to, rest) = game.board.parse_square_prefix(rest).ok_or_else(syntax)?;
    let mut letters = rest.chars();
    let extra = match (letters.next(), letters.next()) {
        (None, _) => None,
        // As in the protocol and in fastchess: an engine that answers `e7e8Q` has not answered with
        // a UCI move.
        (Some(letter), None) if !letter.is_uppercase() => {
            let is_known = matches!(letter, '+' | '-') || game.kinds.by_letter(letter).is_some();
            Some(letter).filter(|_| is_known).ok_or_else(syntax)?.into()
        }
        _ => return Err(syntax()),
    };
    let is_drop = |mv: Move| matches!(mv, Move::Drop { .. });
    let matches = |mv: Move| mv.uci_squares() == (from, to) && suffix(game, mv) == extra && !is_drop(mv);
    let matching = position.legal_moves_where(matches);
    let has_wall = |mv: &&Move| wall.is_none_or(|wall| Some(wall) == mv.wall().map(|wall| (to, wall)));
    let mut found = matching.iter().filter(has_wall);
    match (found.next(), found.next()) {
        (Some(&mv), second) if second.is_none() || mv.wall().is_none() => return Ok(mv),
        _ if matching.is_empty() => {}
        _ => return Err(illegal(WALL_EXPECTED.to_owned())),
    }
    let mut targets: Vec<String> = position
        .legal_moves()
        .iter()
        .filter(|&&mv| mv.uci_squares().0 == from && !is_drop(mv))
        .map(|&mv| format(game, mv.with_wall(None)))
        .collect();
    targets.dedup();
    let name = game.board.square_name(from);
    let why = match position.piece_at(from) {
        None => format!("{name} is empty"),
        Some(piece) if piece.color != position.side_to_move() => {
            format!("the piece on {name} belongs to {}, and {} is to move", piece.color, position.side_to_move())
        }
        Some(_) if targets.is_empty() => format!("the piece on {name} has no legal move"),
        Some(_) => format!("legal moves of the piece on {name}: {}", targets.join(" ")),
    };
    Err(illegal(why))
}

fn parse_drop(position: &Position, text: &str, kind: Kind, to: Square) -> Result<Move, UciError> {
    let game = position.game();
    let drop = Move::Drop { kind, to };
    if position.is_legal(drop) {
        return Ok(drop);
    }
    let name = game.board.square_name(to);
    let side = position.side_to_move();
    let why = if !position.pocket(side).contains(&game.kinds.unpromoted(kind)) {
        format!("the pocket of {side} has no {}", game.kind(kind).name)
    } else if position.piece_at(to).is_some() {
        format!("{name} is occupied")
    } else {
        format!("no {} can be dropped on {name} now", game.kind(kind).name)
    };
    Err(UciError::Illegal { text: text.to_owned(), why })
}
