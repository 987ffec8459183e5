//! Positions seen from the other side: colours exchanged, ranks turned over.
//!
//! [`mirror`] gives the same position with White and Black exchanged. [`swap_armies`] gives what the second game of a pair
//! begins with: White has what was Black's army and the other way round, and the same *colour* is to move, so that over the
//! two games each army moves first once.

use std::sync::Arc;

use assay_rules::def::{GameDef, RightKind, Rights};
use assay_rules::position::{EnPassant, SetupErrors};
use assay_rules::position::{EnPassantField, Setup};
use assay_rules::{ByColor, Piece, Position, Square, SquareSet, Turn};
use thiserror::Error;

/// Why a position cannot be mirrored.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MirrorError {
    /// The board, turned over, is another board.
    #[error("the board of {game} is not the same upside down: {square} has no counterpart")]
    Board {
        /// The game's name.
        game: String,
        /// A square without counterpart.
        square: String,
    },
    /// A right of one side that the other side cannot have.
    #[error("the right `{letter}` of {game} has no counterpart on the other side")]
    Right {
        /// The game's name.
        game: String,
        /// The right's letter.
        letter: char,
    },
    /// Two moves in a row: White has them before Black's first move, Black after White's, so they have no counterpart.
    #[error("turn `{turn}` has no counterpart on the other side")]
    Turn {
        /// The turn as a FEN writes it.
        turn: &'static str,
    },
    /// The mirrored position is impossible.
    #[error("the mirrored position is impossible: {0}")]
    Impossible(#[from] SetupErrors),
}

/// The same position with colours exchanged and ranks turned over: White's chances in one are Black's in the other.
///
/// Clock and move number stay. Limits that a game sets for one colour only (the last move at which a side may gate) do not
/// change sides with the pieces.
///
/// # Errors
/// When the game is not the same for both sides, or a two-move handicap is being played.
pub fn mirror(position: &Position) -> Result<Position, MirrorError> {
    let Turn::Single(mover) = position.turn() else {
        return Err(MirrorError::Turn {
            turn: position.turn().text(),
        });
    };
    let en_passant = position.en_passant();
    mirrored(position, Turn::Single(!mover), en_passant)
}

/// The mirrored position with the colour to move that was to move: each side has the other's army, and it is the other
/// army's turn. An en passant chance goes with the turn.
///
/// # Errors
/// When the game is not the same for both sides, or the side to move is in check, so that it cannot be the other's turn.
pub fn swap_armies(position: &Position) -> Result<Position, MirrorError> {
    mirrored(position, position.turn(), None)
}

fn mirrored(position: &Position, turn: Turn, en_passant: Option<EnPassant>) -> Result<Position, MirrorError> {
    let game = position.game();
    let flip = |square: Square| flipped(game, square);
    let mut pieces = vec![None; game.board.box_size()];
    for (square, piece) in position.pieces() {
        pieces[flip(square)?.index()] = Some(Piece {
            color: !piece.color,
            ..piece
        });
    }
    let en_passant = match en_passant {
        None => EnPassantField::None,
        Some(chance) => EnPassantField::Two(flip(chance.passed)?, flip(chance.victim)?),
    };
    let setup = Setup {
        pieces,
        pockets: ByColor::new_with(|color| position.pocket(!color).to_vec()),
        last_moved_as: ByColor::new_with(|color| position.last_moved_as(!color)),
        turn,
        rights: mirrored_rights(game, position.rights())?,
        en_passant,
        halfmove_clock: position.halfmove_clock(),
        fullmove_number: position.fullmove_number(),
    };
    let (position, _warnings) = Position::from_setup(game, &setup)?;
    Ok(position)
}

fn flipped(game: &Arc<GameDef>, square: Square) -> Result<Square, MirrorError> {
    let board = &game.board;
    let rank = board.ranks() - 1 - board.rank(square);
    let flipped = board.square_at(i16::from(board.file(square)), i16::from(rank));
    flipped.ok_or_else(|| MirrorError::Board {
        game: game.name.clone(),
        square: board.square_name(square),
    })
}

fn mirrored_rights(game: &Arc<GameDef>, rights: Rights) -> Result<Rights, MirrorError> {
    let mut mirrored = Rights::EMPTY;
    for index in rights.iter() {
        let right = &game.rights[index];
        let squares = right
            .squares
            .iter()
            .map(|square| flipped(game, square))
            .collect::<Result<SquareSet, _>>()?;
        let counterpart = game.rights.iter().position(|other| {
            other.color == !right.color && other.squares == squares && same_use(right.kind, other.kind)
        });
        let counterpart = counterpart.ok_or_else(|| MirrorError::Right {
            game: game.name.clone(),
            letter: right.letter,
        })?;
        mirrored.insert(counterpart);
    }
    Ok(mirrored)
}

/// Are both good for the same sort of thing? Which one follows from the squares.
fn same_use(left: RightKind, right: RightKind) -> bool {
    std::mem::discriminant(&left) == std::mem::discriminant(&right)
}

#[cfg(test)]
mod tests;
