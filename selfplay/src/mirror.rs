//! Positions with colors exchanged and ranks flipped. Where pieces move differently to the left and
//! to the right, files are flipped as well, because Black's movement is White's turned by 180
//! degrees.
//!
//! [`mirror`] returns the same position with White and Black exchanged. [`swap_armies`] returns the
//! start of the second game of a self-play pair: White has the army that was Black's and vice
//! versa, and the same *color* is to move, so that each army moves first once in the two games.

use std::sync::Arc;

use assay_rules::def::{GameDef, RightKind, Rights};
use assay_rules::position::{EnPassant, EnPassantField, Setup};
use assay_rules::{ByColor, Color, Piece, Position, Square, SquareSet, Turn};
use thiserror::Error;

/// Why a position cannot be mirrored.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct MirrorError(String);

/// Exchanges the colors and flips the ranks: White's chances in one position are Black's in the
/// other.
///
/// The move rule's clock and the move number are kept. Limits that a game sets for one color only
/// (the last move at which a side may gate) do not change sides with the pieces.
///
/// # Errors
/// If the game is not symmetric, or a two-move handicap is being played.
pub fn mirror(position: &Position) -> Result<Position, MirrorError> {
    // A handicap of two moves in a row has no counterpart: White has them before Black's first
    // move, Black after White's.
    let Turn::Single(mover) = position.turn() else {
        let turn = position.turn().text();
        return Err(MirrorError(format!("turn `{turn}` has no counterpart on the other side")));
    };
    let en_passant = position.en_passant();
    mirrored(position, Turn::Single(!mover), en_passant)
}

/// The mirrored position with the same color to move, so that it is the other army's turn. An en
/// passant right is lost.
///
/// # Errors
/// If the game is not symmetric, or the side to move is in check.
pub fn swap_armies(position: &Position) -> Result<Position, MirrorError> {
    mirrored(position, position.turn(), None)
}

/// All starts with the armies exchanged; `None` if one allows no exchange.
pub(crate) fn exchanged(starts: &[Position]) -> Option<Vec<Position>> {
    starts.iter().map(|start| swap_armies(start).ok()).collect()
}

fn mirrored(position: &Position, turn: Turn, en_passant: Option<EnPassant>) -> Result<Position, MirrorError> {
    let game = position.game();
    if game.kinds.iter().any(|kind| kind.side.is_some()) {
        return Err(MirrorError(format!("{} has pieces that only one side can have", game.name)));
    }
    let flip = |square: Square| flipped(game, square);
    let mut pieces = vec![None; game.board.box_size()];
    for (square, piece) in position.pieces() {
        if is_race(game) && game.pawns.contains(piece.kind) {
            let (name, square) = (&game.name, game.board.square_name(square));
            return Err(MirrorError(format!("the pawn on {square} of {name} has no counterpart on the other side")));
        }
        pieces[flip(square)?.index()] = Some(Piece { color: !piece.color, ..piece });
    }
    let mut walls = SquareSet::EMPTY;
    for square in position.walls().iter() {
        walls.insert(flip(square)?);
    }
    let en_passant = match en_passant {
        None => EnPassantField::None,
        Some(chance) => EnPassantField::Two(flip(chance.passed)?, flip(chance.victim)?),
    };
    let setup = Setup {
        pieces,
        walls,
        pockets: ByColor::new_with(|color| position.pocket(!color).to_vec()),
        last_moved_as: ByColor::new_with(|color| position.last_moved_as(!color)),
        checks_left: ByColor::new_with(|color| position.checks_left(!color)),
        turn,
        rights: mirrored_rights(game, position.rights())?,
        en_passant,
        count_limit: position.count_limit(),
        halfmove_clock: position.halfmove_clock(),
        fullmove_number: position.fullmove_number(),
        warnings: Vec::new(),
    };
    let mirrored = Position::from_setup(game, &setup);
    let (position, _warnings) =
        mirrored.map_err(|errors| MirrorError(format!("the mirrored position is impossible: {errors}")))?;
    Ok(position)
}

fn flipped(game: &Arc<GameDef>, square: Square) -> Result<Square, MirrorError> {
    let board = &game.board;
    let is_race = is_race(game);
    let rank = if is_race { board.rank(square) } else { board.ranks() - 1 - board.rank(square) };
    let file = if game.kinds.are_left_right_symmetric() && !is_race {
        board.file(square)
    } else {
        board.files() - 1 - board.file(square)
    };
    let flipped = board.square_at(i16::from(file), i16::from(rank));
    flipped.ok_or_else(|| {
        let (name, square) = (&game.name, board.square_name(square));
        MirrorError(format!("the board of {name} is not the same upside down: {square} has no counterpart"))
    })
}

/// Returns true if both sides go to the same end of the board: their goals are not each other's
/// with the ranks flipped. Then files are flipped instead.
fn is_race(game: &GameDef) -> bool {
    let by_rank = |color: Color, flip: bool| {
        let squares = game.mechanisms.goal.iter().flat_map(|goal| goal.squares[color].iter().collect::<Vec<_>>());
        let last = game.board.ranks() - 1;
        let rank = |square| {
            if flip { last - game.board.rank(square) } else { game.board.rank(square) }
        };
        let mut places: Vec<_> = squares.map(|square| (rank(square), game.board.file(square))).collect();
        places.sort_unstable();
        places
    };
    by_rank(Color::White, true) != by_rank(Color::Black, false)
}

fn mirrored_rights(game: &Arc<GameDef>, rights: Rights) -> Result<Rights, MirrorError> {
    let mut mirrored = Rights::EMPTY;
    for index in rights.iter() {
        let right = &game.rights[index];
        let squares = right.squares.iter().map(|square| flipped(game, square)).collect::<Result<SquareSet, _>>()?;
        let counterpart = game.rights.iter().position(|other| {
            other.color == !right.color && other.squares == squares && same_use(right.kind, other.kind)
        });
        let counterpart = counterpart.ok_or_else(|| {
            let reason = if game.kinds.are_left_right_symmetric() {
                ""
            } else {
                ": pieces move differently to the left and to the right, so the board must be turned, and kings begin on different \
                 files"
            };
            let (letter, name) = (right.letter, &game.name);
            MirrorError(format!(
                "the right `{letter}` of {name} has no counterpart on the other side{reason}"
            ))
        })?;
        mirrored.insert(counterpart);
    }
    Ok(mirrored)
}

/// Returns true if both rights are of the same kind; their squares are compared elsewhere.
fn same_use(left: RightKind, right: RightKind) -> bool {
    std::mem::discriminant(&left) == std::mem::discriminant(&right)
}

#[cfg(test)]
mod tests;
