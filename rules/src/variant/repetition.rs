//! The repetition rule: which positions count as equal.

use super::{Position, Setup};
use crate::types::color::{ByColor, Color};
use crate::types::rights::{RightKind, Rights};

/// What the repetition rule compares of a position. Two positions are the same if their keys are
/// equal.
///
/// Gating rights of a side count only while it can still gate, and the kind that a side last moved
/// only while the other side has a joker on the board. Clocks and the move number never count.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RepetitionKey(Setup);

impl Position {
    /// The key that the repetition rule compares.
    pub fn repetition_key(&self) -> RepetitionKey {
        let last_moved_as = |color| self.setup.last_moved_as[color].filter(|_| self.has_joker_on_board(!color));
        RepetitionKey(Setup {
            rights: self.repetition_rights(),
            last_moved_as: ByColor::new_with(last_moved_as),
            count_limit: None,
            halfmove_clock: 0,
            fullmove_number: 1,
            ..self.setup.clone()
        })
    }

    /// The rights that the repetition rule compares.
    pub fn repetition_rights(&self) -> Rights {
        let mut rights = self.rights();
        for index in self.rights().iter() {
            let right = &self.game.rights[index];
            if matches!(right.kind, RightKind::Gate(_)) && !self.can_still_gate(right.color) {
                rights.remove(index);
            }
        }
        rights
    }

    /// The rights that a FEN states. In games with castling, other programs read the letter of a
    /// rook that can no longer gate as a right to castle, so rights to gate that can never be used
    /// are not stated.
    pub(crate) fn written_rights(&self) -> Rights {
        if self.game.mechanisms.castling.is_some() { self.repetition_rights() } else { self.rights() }
    }

    /// Returns true if the side has a joker on the board, not only in its pocket.
    pub fn has_joker_on_board(&self, color: Color) -> bool {
        self.pieces().any(|(_, piece)| piece.color == color && Some(piece.kind) == self.game.kinds.joker())
    }
}
