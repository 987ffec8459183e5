//! Checks that are illegal, as in racing kings.

use serde::Serialize;

use super::Mechanism;
use crate::types::moves::Move;
use crate::variant::{GameDef, Position};

/// Moves that give check are illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ForbiddenChecks;

impl Mechanism for ForbiddenChecks {
    fn sentences(&self, _game: &GameDef) -> Vec<String> {
        vec!["A move that gives check is illegal.".to_owned()]
    }

    fn allows(&self, before: &Position, _mv: Move, after: &Position) -> bool {
        !after.is_royal_attacked(!before.side_to_move())
    }
}
