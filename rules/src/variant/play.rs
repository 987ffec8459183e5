//! Playing moves.

use super::mechanism::MadeMove;
use super::{EnPassantField, Position};
use crate::types::color::Color;
use crate::types::moves::Move;
use crate::types::piece::Piece;
use crate::types::square::Square;
use crate::types::turn::MAX_COUNT;

impl Position {
    /// Returns true if a legal move captures.
    pub fn is_capture(&self, mv: Move) -> bool {
        match mv {
            Move::EnPassant { .. } | Move::Cannon { .. } => true,
            Move::Castle { .. } | Move::Drop { .. } => false,
            Move::Normal { to, .. } | Move::DoubleStep { to, .. } => self.piece_at(to).is_some(),
        }
    }

    /// Returns the position after a legal move.
    ///
    /// # Panics
    /// Panics if the origin of the move is empty. For other illegal moves the result is
    /// unspecified.
    #[must_use]
    pub fn play(&self, mv: Move) -> Position {
        let mut after = self.play_unchecked(mv);
        after.clear_unusable_en_passant();
        after
    }

    /// Like [`Position::play`], but records en passant even if no capture is legal.
    ///
    /// # Panics
    /// As [`Position::play`].
    #[must_use]
    pub fn play_unchecked(&self, mv: Move) -> Position {
        let mut after = self.clone();
        let piece = self.moved_piece(mv).expect("the origin of a move is occupied");
        let captured = match mv {
            Move::Castle { .. } | Move::Drop { .. } => None,
            Move::EnPassant { victim, .. } => self.piece_at(victim),
            Move::Normal { to, .. } | Move::DoubleStep { to, .. } | Move::Cannon { target: to, .. } => {
                self.piece_at(to)
            }
        };
        let made = MadeMove { before: self, mv, piece, captured };
        after.setup.en_passant = EnPassantField::None;
        after.remove_piece(mv.from());
        match mv {
            Move::Normal { to, promotion, .. } => {
                after.put_piece(to, Piece { kind: promotion.unwrap_or(piece.kind), ..piece });
            }
            Move::DoubleStep { to, passed, .. } => {
                after.put_piece(to, piece);
                after.setup.en_passant = EnPassantField::Two(passed, to);
            }
            Move::EnPassant { to, victim, .. } => {
                after.remove_piece(victim);
                after.put_piece(to, piece);
            }
            Move::Castle { wing, .. } => {
                let wing = &self.game.castling_wings()[wing];
                let partner = self.piece_at(wing.partner_from).expect("the castling right guarantees the partner");
                after.remove_piece(wing.partner_from);
                after.put_piece(wing.king_to, piece);
                after.put_piece(wing.partner_to, partner);
            }
            Move::Cannon { target, .. } => after.remove_piece(target),
            Move::Drop { to, .. } => after.put_from_pocket(to, piece),
        }
        let mechanisms = &self.game.mechanisms;
        mechanisms.iter().for_each(|mechanism| mechanism.after_move(&made, &mut after));
        let is_drop = matches!(mv, Move::Drop { .. });
        let resets_clock =
            captured.is_some() || is_drop || self.game.is_irreversible(piece, [mv.from(), mv.to()], mv.promotion());
        after.setup.halfmove_clock = if resets_clock { 0 } else { (self.halfmove_clock() + 1).min(MAX_COUNT) };
        after.end_turn();
        mechanisms.iter().for_each(|mechanism| mechanism.after_turn(&made, &mut after));
        after
    }

    fn end_turn(&mut self) {
        let next = self.setup.turn.next();
        if self.side_to_move() != next.color() && next.color() == Color::White {
            self.setup.fullmove_number = (self.setup.fullmove_number + 1).min(MAX_COUNT);
        }
        self.setup.turn = next;
    }

    pub(crate) fn remove_piece(&mut self, square: Square) {
        self.setup.pieces[square.index()] = None;
        self.remove_rights(square);
    }

    fn put_piece(&mut self, square: Square, piece: Piece) {
        self.setup.pieces[square.index()] = Some(piece);
        self.remove_rights(square);
    }

    pub(crate) fn put_from_pocket(&mut self, square: Square, piece: Piece) {
        self.put_piece(square, piece);
        let pocket = &mut self.setup.pockets[piece.color];
        let pocketed = self.game.kinds.unpromoted(piece.kind);
        if let Some(index) = pocket.iter().position(|&kind| kind == pocketed) {
            pocket.remove(index);
        }
    }

    fn remove_rights(&mut self, square: Square) {
        for index in self.setup.rights.iter() {
            if self.game.rights[index].squares.contains(square) {
                self.setup.rights.remove(index);
            }
        }
    }

    /// Clears the en passant field unless at least one such capture is legal.
    pub(super) fn clear_unusable_en_passant(&mut self) {
        if self.en_passant().is_some() && !self.can_capture_en_passant() {
            self.setup.en_passant = EnPassantField::None;
        }
    }
}
