//! Cannon pawns: the capture of Gunnery Chess.

use serde::Serialize;

use super::Mechanism;
use crate::types::color::Color;
use crate::types::movement::Delta;
use crate::types::moves::Move;
use crate::types::piece::Piece;
use crate::types::square::Square;
use crate::variant::{GameDef, Position};

/// Pawns also capture like a cannon: a pawn removes itself and an enemy beyond a piece of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Cannon;

impl Cannon {
    /// Enemy pieces that a pawn's cannon can capture, nearest first.
    fn targets(position: &Position, from: Square, color: Color) -> Vec<Square> {
        let board = &position.game().board;
        let mut targets = Vec::new();
        let mut screens = 0;
        let mut square = from;
        while let Some(next) = board.step(square, Delta::FORWARD, color) {
            square = next;
            let Some(piece) = position.piece_at(square) else {
                if board.hanging().contains(square) {
                    break;
                }
                continue;
            };
            if piece.color == color {
                screens += 1;
                if screens > 1 {
                    break;
                }
            } else {
                if screens == 0 {
                    break;
                }
                targets.push(square);
                if position.game().pawns.contains(piece.kind) {
                    break;
                }
            }
        }
        targets
    }
}

impl Mechanism for Cannon {
    fn sentences(&self, _game: &GameDef) -> Vec<String> {
        vec!["A pawn also captures like a cannon, straight ahead over a piece of its own, and is removed with what it hits.".to_owned()]
    }

    fn change_moves(&self, position: &Position, moves: &mut Vec<Move>) {
        let (game, side) = (position.game(), position.side_to_move());
        let pawns = position.pieces().filter(|(_, piece)| piece.color == side && game.pawns.contains(piece.kind));
        for (from, _) in pawns {
            let targets = Cannon::targets(position, from, side).into_iter();
            let targets = targets.filter(|&target| !position.is_royal(target));
            moves.extend(targets.map(|target| Move::Cannon { from, target }));
        }
    }

    fn attacks(&self, position: &Position, from: Square, piece: Piece, target: Square) -> bool {
        position.game().pawns.contains(piece.kind) && Cannon::targets(position, from, piece.color).contains(&target)
    }
}
