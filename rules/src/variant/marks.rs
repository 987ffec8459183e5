//! What a piece can do from a square, for pictures of its moves on a board.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;

use super::{GameDef, Position, Setup};
use crate::types::movement::PathKind;
use crate::types::piece::Piece;
use crate::types::square::{Square, SquareSet};

/// What a piece can do on a square.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Mark {
    /// It moves there, while the square is empty.
    pub moves: bool,
    /// It captures there.
    pub captures: bool,
    /// It jumps over a piece.
    pub hops: bool,
    /// A piece on the way stops it, although it does not ride.
    pub lame: bool,
    /// It slides or rides.
    pub rides: bool,
    /// Only on the first move.
    pub initial: bool,
}

/// What `piece` can do from a square of a board with some friends and enemies on it and nothing
/// else, by its movement alone: without castling, en passant and what the mechanisms of the game
/// add. A joker has no moves of its own.
///
/// ```
/// use assay_rules::{Color, GameDef, Piece, Square, SquareSet, marks};
///
/// let chess = GameDef::builtin("chess").unwrap();
/// let rook = Piece { color: Color::White, kind: chess.kinds.by_letter('R').unwrap() };
/// let a3 = SquareSet::from_iter([Square(16)]);
/// // One step up the file, a capture on the third rank, and seven squares to the right.
/// let marks = marks(&chess, rook, Square(0), SquareSet::EMPTY, a3);
/// assert_eq!(marks.len(), 9);
/// assert!(marks[&Square(16)].captures && !marks[&Square(16)].moves);
/// ```
pub fn marks(
    game: &Arc<GameDef>,
    piece: Piece,
    from: Square,
    friends: SquareSet,
    enemies: SquareSet,
) -> BTreeMap<Square, Mark> {
    let board = &game.board;
    let mut setup = Setup::empty(board);
    let enemy = Piece { color: !piece.color, ..piece };
    for square in board.squares() {
        setup.pieces[square.index()] = match square {
            _ if square == from || friends.contains(square) => Some(piece),
            _ if enemies.contains(square) => Some(enemy),
            _ => None,
        };
    }
    // Not a legal position, but its pieces reach what they reach.
    let position = Position { game: Arc::clone(game), setup };
    let mut marks: BTreeMap<Square, Mark> = BTreeMap::new();
    for path in &game.kind(piece.kind).movement.paths {
        position.reach(from, piece.color, path, &mut |to| {
            let target = position.piece_at(to);
            let moves = path.modality.moves && target.is_none();
            let captures = path.modality.captures && target.is_none_or(|target| target.color != piece.color);
            if to == from || !(moves || captures) || !game.kinds.may_enter(piece.kind, piece.color, to) {
                return;
            }
            let mark = marks.entry(to).or_insert(Mark { initial: true, ..Mark::default() });
            mark.moves |= moves;
            mark.captures |= captures;
            mark.initial &= path.initial;
            match path.kind {
                PathKind::Leap => {}
                PathKind::LameLeap { .. } => mark.lame = true,
                PathKind::Ride { .. } => mark.rides = true,
                PathKind::HopLeap { .. } => mark.hops = true,
                PathKind::HopRide { .. } | PathKind::Grasshop => (mark.hops, mark.rides) = (true, true),
            }
        });
    }
    marks
}
