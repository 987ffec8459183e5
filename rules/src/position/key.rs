//! What makes two positions the same for the repetition rule.

use super::{EnPassant, Position, Turn};
use crate::color::{ByColor, Color};
use crate::def::{RightKind, Rights};
use crate::piece::{Kind, Piece};

/// Everything of a position that counts for the repetition rule; compare by equality.
///
/// Gating rights of a side count only while it can still gate; a side's power only while the other side has a joker on the
/// board. The clock and the move number never count.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RepetitionKey {
    pieces: Vec<Option<Piece>>,
    turn: Turn,
    rights: Rights,
    en_passant: Option<EnPassant>,
    pockets: ByColor<Vec<Kind>>,
    last_moved_as: ByColor<Option<Kind>>,
}

impl Position {
    /// What the repetition rule compares.
    pub fn repetition_key(&self) -> RepetitionKey {
        RepetitionKey {
            pieces: self.pieces.clone(),
            turn: self.turn,
            rights: self.repetition_rights(),
            en_passant: self.en_passant,
            pockets: self.pockets.clone(),
            last_moved_as: ByColor::new_with(|color| {
                self.last_moved_as[color].filter(|_| self.has_joker_on_board(!color))
            }),
        }
    }

    /// The rights that count for the repetition rule.
    pub fn repetition_rights(&self) -> Rights {
        let mut counting = self.rights;
        for index in self.rights.iter() {
            let right = &self.game.rights[index];
            if matches!(right.kind, RightKind::Gate(_)) && !self.can_still_gate(right.color) {
                counting.remove(index);
            }
        }
        counting
    }

    /// Has this side a joker on the board (not in the pocket)?
    pub fn has_joker_on_board(&self, color: Color) -> bool {
        self.pieces()
            .any(|(_, piece)| piece.color == color && Some(piece.kind) == self.game.joker)
    }
}
