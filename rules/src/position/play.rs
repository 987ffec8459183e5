//! Playing moves.

use std::sync::Arc;

use super::{EnPassant, MAX_COUNT, Position};
use crate::types::color::Color;
use crate::types::definition::WallRule;
use crate::types::moves::Move;
use crate::types::piece::Piece;
use crate::types::rights::RightKind;
use crate::types::square::{Square, SquareSet};

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
    /// Panics if the origin of the move is empty. For other illegal moves the result is unspecified.
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
        if self.game.joker.is_some() {
            after.last_moved_as[piece.color] = self.moves_as(piece).map(|kind| self.game.original(kind));
        }
        after.en_passant = None;
        after.remove_piece(mv.from());
        after.remove_castling_of(piece);
        match mv {
            Move::Normal { from, to, promotion, gate, .. } => {
                after.put_piece(to, Piece { kind: promotion.unwrap_or(piece.kind), ..piece });
                if let Some(kind) = gate {
                    after.put_from_pocket(from, Piece { kind, ..piece });
                }
            }
            Move::DoubleStep { to, passed, .. } => {
                after.put_piece(to, piece);
                after.en_passant = Some(EnPassant { passed, victim: to });
            }
            Move::EnPassant { to, victim, .. } => {
                after.remove_piece(victim);
                after.put_piece(to, piece);
            }
            Move::Castle { wing, gate, .. } => {
                let castling = self.game.castling.as_ref().expect("castling moves exist only in games with castling");
                let wing = &castling.wings[wing];
                let partner = self.piece_at(wing.partner_from).expect("the castling right guarantees the partner");
                after.remove_piece(wing.partner_from);
                after.put_piece(wing.king_to, piece);
                after.put_piece(wing.partner_to, partner);
                if let Some((kind, square)) = gate {
                    after.put_from_pocket(square, Piece { kind, ..piece });
                }
            }
            Move::Cannon { target, .. } => after.remove_piece(target),
            Move::Drop { to, .. } => after.put_from_pocket(to, piece),
        }
        if self.game.explosions.is_some() && captured.is_some() {
            after.explode(mv.to());
        }
        if captured.is_some() && self.game.is_petrified(piece.kind) {
            after.remove_piece(mv.to());
            after.walls.insert(mv.to());
        }
        if self.game.wall_rule() == Some(WallRule::Duck) {
            after.walls = SquareSet::EMPTY;
        }
        mv.wall().into_iter().for_each(|square| after.walls.insert(square));
        if let Some(Piece { color, kind }) = captured.and_then(|victim| self.game.pocketed(victim)) {
            after.pockets[color].push(kind);
            after.pockets[color].sort_unstable();
        }
        let is_drop = matches!(mv, Move::Drop { .. });
        let resets_clock = captured.is_some() || is_drop || self.is_irreversible(piece, mv);
        after.halfmove_clock = if resets_clock { 0 } else { (self.halfmove_clock + 1).min(MAX_COUNT) };
        after.end_turn();
        if let Some(rule) = &self.game.counting {
            after.update_count(rule, captured.is_some(), (self.halfmove_clock, self.count_limit));
        }
        if self.game.checks.is_some() && after.is_royal_attacked(!piece.color) {
            after.checks_left[piece.color] = after.checks_left[piece.color].saturating_sub(1);
        }
        after
    }

    /// Returns true for a promotion, unless the piece can turn back, and for a pawn's move that
    /// another one cannot undo, in most games.
    fn is_irreversible(&self, piece: Piece, mv: Move) -> bool {
        let game = &self.game;
        let returns = || game.has_reversible_pawns() && game.can_pawn_return(piece.color, mv.from(), mv.to());
        mv.promotion().is_some_and(|kind| game.turned(kind) != Some(piece.kind))
            || piece.kind == game.pawn && game.endings.pawn_moves_reset && !returns()
    }

    /// Removes the piece that has captured on `center` and its neighbors, without the pawns among
    /// them and immune pieces.
    fn explode(&mut self, center: Square) {
        let game = Arc::clone(&self.game);
        for square in game.board.squares().filter(|&square| game.board.distance(square, center) <= 1) {
            let is_hit = |piece: Piece| (square == center || piece.kind != game.pawn) && !game.is_immune(piece.kind);
            if self.piece_at(square).is_some_and(is_hit) {
                self.remove_piece(square);
            }
        }
    }

    fn end_turn(&mut self) {
        let next = self.turn.next();
        if self.side_to_move() != next.color() && next.color() == Color::White {
            self.fullmove_number = (self.fullmove_number + 1).min(MAX_COUNT);
        }
        self.turn = next;
    }

    fn remove_piece(&mut self, square: Square) {
        self.pieces[square.index()] = None;
        self.remove_rights(square);
    }

    fn put_piece(&mut self, square: Square, piece: Piece) {
        self.pieces[square.index()] = Some(piece);
        self.remove_rights(square);
    }

    fn put_from_pocket(&mut self, square: Square, piece: Piece) {
        self.put_piece(square, piece);
        let pocket = &mut self.pockets[piece.color];
        let pocketed = self.game.unpromoted(piece.kind);
        if let Some(index) = pocket.iter().position(|&kind| kind == pocketed) {
            pocket.remove(index);
        }
    }

    fn remove_rights(&mut self, square: Square) {
        for index in self.rights.iter() {
            if self.game.rights[index].squares.contains(square) {
                self.rights.remove(index);
            }
        }
    }

    /// Removes the rights to castle from any file that end when the king moves.
    fn remove_castling_of(&mut self, piece: Piece) {
        let from_any_file = self.game.castling.as_ref().is_some_and(|castling| castling.from_any_file);
        if !from_any_file || Some(piece.kind) != self.game.king {
            return;
        }
        for index in self.rights.iter() {
            let right = &self.game.rights[index];
            if right.color == piece.color && matches!(right.kind, RightKind::Castle(_)) {
                self.rights.remove(index);
            }
        }
    }

    /// Clears the en passant field unless at least one such capture is legal.
    pub(super) fn clear_unusable_en_passant(&mut self) {
        if self.en_passant.is_some() && !self.can_capture_en_passant() {
            self.en_passant = None;
        }
    }
}
