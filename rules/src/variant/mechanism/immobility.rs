//! Squares that a piece could not leave, as in shogi.

use serde::Serialize;

use super::Mechanism;
use crate::types::color::Color;
use crate::types::moves::Move;
use crate::types::piece::{Kind, Piece};
use crate::types::square::Square;
use crate::variant::{GameDef, Position};

/// No piece may be put where it could [never move on](GameDef::is_mobile) without a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ForbiddenImmobility;

impl GameDef {
    /// Returns true if a piece that has moved could move on from a square without a capture, on
    /// some board. Its zone does not count.
    pub fn is_mobile(&self, kind: Kind, color: Color, square: Square) -> bool {
        self.kinds.is_mobile(&self.board, Piece { color, kind }, square)
    }
}

impl Mechanism for ForbiddenImmobility {
    fn sentences(&self, _game: &GameDef) -> Vec<String> {
        vec!["No piece may be put where it could move again only by a capture, or never.".to_owned()]
    }

    fn change_kinds(&self, position: &Position, plain: Move, piece: Piece, kinds: &mut Vec<Option<Kind>>) {
        kinds.retain(|kind| position.game().is_mobile(kind.unwrap_or(piece.kind), piece.color, plain.to()));
    }
}
