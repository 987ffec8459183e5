//! The joker, which imitates the opponent's last moved piece.

use serde::Serialize;

use super::{MadeMove, Mechanism};
use crate::types::piece::Kind;
use crate::variant::{GameDef, Position};

/// The kind that imitates the piece which the opponent moved last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Joker(pub Kind);

impl Mechanism for Joker {
    fn sentences(&self, game: &GameDef) -> Vec<String> {
        vec![format!("A {} moves like the piece that the opponent moved last.", game.kind(self.0).name)]
    }

    fn after_move(&self, made: &MadeMove<'_>, after: &mut Position) {
        let moved_as = made.before.moves_as(made.piece).map(|kind| after.game().kinds.original(kind));
        after.setup.last_moved_as[made.piece.color] = moved_as;
    }
}
