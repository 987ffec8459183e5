//! Playing a move.

use super::{EnPassant, Position};
use crate::moves::Move;
use crate::piece::Piece;
use crate::square::Square;

impl Position {
    /// The position after a legal move.
    ///
    /// # Panics
    /// When no piece stands where the move begins, so that it cannot be legal.
    #[must_use]
    pub fn play(&self, mv: Move) -> Position {
        let mut after = self.applied(mv);
        after.forget_idle_en_passant();
        after
    }

    /// The position after the move, with an en passant chance recorded whether or not it can be used.
    pub(super) fn applied(&self, mv: Move) -> Position {
        let mut after = self.clone();
        let piece = self.piece_at(mv.from()).expect("a piece stands where the move begins");
        let captured = match mv {
            Move::Castle { .. } => false,
            Move::EnPassant { .. } => true,
            _ => self.piece_at(mv.to()).is_some(),
        };
        if self.game.joker.is_some() {
            after.last_moved_as[piece.color] = self.moves_as(piece);
        }
        after.en_passant = None;
        after.take(mv.from());
        match mv {
            Move::Normal {
                from,
                to,
                promotion,
                gate,
            } => {
                after.put(
                    to,
                    Piece {
                        kind: promotion.unwrap_or(piece.kind),
                        ..piece
                    },
                );
                if let Some(kind) = gate {
                    after.put(from, Piece { kind, ..piece });
                    after.pockets[piece.color].retain(|&waiting| waiting != kind);
                }
            }
            Move::DoubleStep { to, passed, .. } => {
                after.put(to, piece);
                after.en_passant = Some(EnPassant { passed, victim: to });
            }
            Move::EnPassant { to, victim, .. } => {
                after.take(victim);
                after.put(to, piece);
            }
            Move::Castle { wing, .. } => {
                let castling = self
                    .game
                    .castling
                    .as_ref()
                    .expect("only games with castling make this move");
                let wing = &castling.wings[wing];
                let partner = self
                    .piece_at(wing.partner_from)
                    .expect("the right to castle says that the partner is there");
                after.take(wing.partner_from);
                after.put(wing.king_to, piece);
                after.put(wing.partner_to, partner);
            }
            Move::Cannon { target, .. } => after.take(target),
        }
        let resets = captured || piece.kind == self.game.pawn;
        after.halfmove_clock = if resets { 0 } else { self.halfmove_clock + 1 };
        after.end_turn();
        after
    }

    fn end_turn(&mut self) {
        let next = self.turn.next();
        if self.side_to_move() != next.color() && next.color() == crate::Color::White {
            self.fullmove_number += 1;
        }
        self.turn = next;
    }

    /// Empties a square; rights that need its piece are lost.
    fn take(&mut self, square: Square) {
        self.pieces[square.index()] = None;
        self.lose_rights_of(square);
    }

    /// Puts a piece on a square, instead of whatever stood there.
    fn put(&mut self, square: Square, piece: Piece) {
        self.pieces[square.index()] = Some(piece);
        self.lose_rights_of(square);
        if piece.kind == self.game.king {
            self.kings[piece.color] = square;
        }
    }

    fn lose_rights_of(&mut self, square: Square) {
        for index in self.rights.iter() {
            if self.game.rights[index].squares.contains(square) {
                self.rights.remove(index);
            }
        }
    }

    /// Positions record an en passant chance only when at least one such capture is legal.
    pub(super) fn forget_idle_en_passant(&mut self) {
        if self.en_passant.is_some() && !self.can_capture_en_passant() {
            self.en_passant = None;
        }
    }
}
