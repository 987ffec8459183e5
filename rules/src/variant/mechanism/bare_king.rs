//! A bare king loses.

use serde::Serialize;

use super::Mechanism;
use crate::types::color::Color;
use crate::types::outcome::{Outcome, Points, Termination};
use crate::variant::{GameDef, Position};

/// A bare king loses: at once against a king with two pieces or more, else unless the next move
/// leaves the other king bare, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct BareKing;

impl BareKing {
    /// The side whose king is bare and cannot be followed by the other's with the next move.
    fn loser(position: &Position) -> Option<Color> {
        let count = |side: Color| {
            let on_board = position.pieces().filter(|(_, piece)| piece.color == side).count();
            on_board + position.pocket(side).len()
        };
        let mover = position.side_to_move();
        match (count(mover), count(!mover)) {
            (2.., 1) => Some(!mover),
            (1, 3..) => Some(mover),
            _ => None,
        }
    }
}

impl Mechanism for BareKing {
    fn sentences(&self, _game: &GameDef) -> Vec<String> {
        vec![
            "A side with only its king loses: at once against two pieces or more besides the king, else unless its next move leaves the other \
             king bare, too, which is a draw."
                .to_owned(),
        ]
    }

    fn outcome(&self, position: &Position) -> Option<Outcome> {
        let loser = BareKing::loser(position)?;
        Some(Outcome { termination: Termination::BareKing, white: Points::LOSS.for_white(loser) })
    }
}
