//! Handicaps: starts with two moves in a row.

use serde::Serialize;

use super::Mechanism;
use crate::types::moves::Move;
use crate::variant::{GameDef, Position};

/// A game has handicap starts, which may give a side two moves in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Handicaps;

impl Mechanism for Handicaps {
    fn sentences(&self, _game: &GameDef) -> Vec<String> {
        vec!["A start may give one side two moves in a row.".to_owned()]
    }

    /// Black does not capture with the two moves in a row of its handicap.
    fn change_moves(&self, position: &Position, moves: &mut Vec<Move>) {
        moves.retain(|&mv| position.turn().may_capture() || !position.is_capture(mv));
    }

    /// The first of two moves may not give check, because the second could then capture the king.
    fn allows(&self, before: &Position, _mv: Move, after: &Position) -> bool {
        let mover = before.side_to_move();
        after.side_to_move() != mover || !after.is_royal_attacked(!mover)
    }
}
