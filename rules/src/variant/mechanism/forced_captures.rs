//! Captures that are forced, as in antichess.

use serde::Serialize;

use super::Mechanism;
use crate::types::moves::Move;
use crate::variant::{GameDef, Position};

/// A side that can capture must do so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ForcedCaptures;

impl Mechanism for ForcedCaptures {
    fn sentences(&self, _game: &GameDef) -> Vec<String> {
        vec!["A side that can capture must capture.".to_owned()]
    }

    fn change_moves(&self, position: &Position, moves: &mut Vec<Move>) {
        if moves.iter().any(|&mv| position.is_capture(mv) && position.is_legal_if_pseudo_legal(mv)) {
            moves.retain(|&mv| position.is_capture(mv));
        }
    }
}
