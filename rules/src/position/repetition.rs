//! The repetition rule: which positions count as equal.

use super::{EnPassant, Position, Turn};
use crate::types::color::{ByColor, Color};
use crate::types::piece::{Kind, Piece};
use crate::types::rights::{RightKind, Rights};
use crate::types::square::SquareSet;

/// The parts of a position that the repetition rule compares. Two positions are the same if their
/// keys are equal.
///
/// Gating rights of a side count only while it can still gate, and the kind that a side last moved
/// only while the other side has a joker on the board. The halfmove clock and the move number never
/// count.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RepetitionKey {
    pieces: Vec<Option<Piece>>,
    walls: SquareSet,
    turn: Turn,
    rights: Rights,
    en_passant: Option<EnPassant>,
    pockets: ByColor<Vec<Kind>>,
    last_moved_as: ByColor<Option<Kind>>,
    checks_left: ByColor<u8>,
}

impl Position {
    /// The key that the repetition rule compares.
    pub fn repetition_key(&self) -> RepetitionKey {
        RepetitionKey {
            pieces: self.pieces.clone(),
            walls: self.walls,
            turn: self.turn,
            rights: self.repetition_rights(),
            en_passant: self.en_passant,
            pockets: self.pockets.clone(),
            last_moved_as: ByColor::new_with(|color| {
                self.last_moved_as[color].filter(|_| self.has_joker_on_board(!color))
            }),
            checks_left: self.checks_left,
        }
    }

    /// The rights that the repetition rule compares.
    pub fn repetition_rights(&self) -> Rights {
        let mut rights = self.rights;
        for index in self.rights.iter() {
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
        if self.game.castling.is_some() { self.repetition_rights() } else { self.rights }
    }

    /// Returns true if the side has a joker on the board, not only in its pocket.
    pub fn has_joker_on_board(&self, color: Color) -> bool {
        self.pieces().any(|(_, piece)| piece.color == color && Some(piece.kind) == self.game.joker)
    }
}
