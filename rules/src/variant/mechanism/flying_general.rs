//! Flying generals: kings that must not face each other, as in xiangqi.

use serde::Serialize;

use super::Mechanism;
use crate::types::color::Color;
use crate::types::movement::{Delta, Modality, Path, PathKind};
use crate::types::piece::Piece;
use crate::types::square::Square;
use crate::variant::{GameDef, Position};

/// The king attacks along its file like a rook, so that the two kings must not face each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct FlyingGeneral;

impl Mechanism for FlyingGeneral {
    fn sentences(&self, _game: &GameDef) -> Vec<String> {
        vec!["The kings must not face each other on a file without pieces between them.".to_owned()]
    }

    fn attacks(&self, position: &Position, from: Square, piece: Piece, target: Square) -> bool {
        let directions = [Delta::FORWARD, Delta::FORWARD.times(-1)];
        Some(piece.kind) == position.game().kinds.king()
            && directions.into_iter().any(|delta| {
                let (kind, modality) = (PathKind::Ride { range: None }, Modality::default());
                let file = Path { delta, kind, modality, initial: false };
                let mut hit = false;
                position.reach(from, Color::White, &file, &mut |square| hit |= square == target);
                hit
            })
    }
}
