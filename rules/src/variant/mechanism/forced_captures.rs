//! Captures that are forced, as in antichess.

use serde::Serialize;

use super::Mechanism;
use crate::types::moves::Move;
use crate::variant::{GameDef, Position};

/// A side that can capture must do so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ForcedCaptures;

impl ForcedCaptures {
    /// Leaves only the captures of legal moves, if there are any.
    pub(crate) fn restrict(position: &Position, moves: &mut Vec<Move>) {
        if moves.iter().any(|&mv| position.is_capture(mv)) {
            moves.retain(|&mv| position.is_capture(mv));
        }
    }
}

impl Mechanism for ForcedCaptures {
    fn sentences(&self, _game: &GameDef) -> Vec<String> {
        vec!["A side that can capture must capture.".to_owned()]
    }
}
