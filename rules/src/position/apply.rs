//! Playing a move.

use super::{EnPassant, Position};
use crate::man::Man;
use crate::moves::Move;
use crate::square::Square;

impl Position {
    /// The position after a legal move.
    ///
    /// # Panics
    /// When no man stands where the move begins, so that it cannot be legal.
    #[must_use]
    pub fn play(&self, mv: Move) -> Position {
        let mut after = self.applied(mv);
        after.forget_idle_en_passant();
        after
    }

    /// The position after the move, with an en passant chance recorded whether or not it can be used.
    pub(super) fn applied(&self, mv: Move) -> Position {
        let mut after = self.clone();
        let man = self.man(mv.from()).expect("a man stands where the move begins");
        let captured = match mv {
            Move::Castle { .. } => false,
            Move::EnPassant { .. } => true,
            _ => self.man(mv.to()).is_some(),
        };
        if self.game.joker.is_some() {
            after.powers[man.color] = self.moves_as(man);
        }
        after.en_passant = None;
        after.take(mv.from());
        match mv {
            Move::Step {
                from,
                to,
                promotion,
                gate,
            } => {
                after.put(
                    to,
                    Man {
                        kind: promotion.unwrap_or(man.kind),
                        ..man
                    },
                );
                if let Some(kind) = gate {
                    after.put(from, Man { kind, ..man });
                    after.pockets[man.color].retain(|&waiting| waiting != kind);
                }
            }
            Move::DoubleStep { to, passed, .. } => {
                after.put(to, man);
                after.en_passant = Some(EnPassant { passed, victim: to });
            }
            Move::EnPassant { to, victim, .. } => {
                after.take(victim);
                after.put(to, man);
            }
            Move::Castle { wing, .. } => {
                let castling = self
                    .game
                    .castling
                    .as_ref()
                    .expect("only games with castling make this move");
                let wing = &castling.wings[wing];
                let partner = self
                    .man(wing.partner_from)
                    .expect("the right to castle says that the partner is there");
                after.take(wing.partner_from);
                after.put(wing.king_to, man);
                after.put(wing.partner_to, partner);
            }
            Move::Cannon { target, .. } => after.take(target),
        }
        let resets = captured || man.kind == self.game.pawn;
        after.clock = if resets { 0 } else { self.clock + 1 };
        after.end_turn();
        after
    }

    fn end_turn(&mut self) {
        let next = self.turn.next();
        if self.side() != next.color() && next.color() == crate::Color::White {
            self.number += 1;
        }
        self.turn = next;
    }

    /// Empties a square; rights that need its man are lost.
    fn take(&mut self, square: Square) {
        self.men[square.index()] = None;
        self.lose_rights_of(square);
    }

    /// Puts a man on a square, instead of whatever stood there.
    fn put(&mut self, square: Square, man: Man) {
        self.men[square.index()] = Some(man);
        self.lose_rights_of(square);
        if man.kind == self.game.king {
            self.kings[man.color] = square;
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
