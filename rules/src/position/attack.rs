//! Where a piece reaches, and whether a king could be captured.

use super::Position;
use crate::color::Color;
use crate::movement::{Path, PathKind};
use crate::piece::{Kind, Piece};
use crate::square::Square;

impl Position {
    /// The kind whose movement a piece has now: its own, or for a joker the opponent's power (`None`: it cannot move).
    pub(super) fn moves_as(&self, piece: Piece) -> Option<Kind> {
        if self.game.joker == Some(piece.kind) {
            self.last_moved_as[!piece.color]
        } else {
            Some(piece.kind)
        }
    }

    /// Calls `visit` with every square to which the piece on `from` could go along `path`, whatever stands on that square.
    pub(super) fn reach(&self, from: Square, color: Color, path: &Path, visit: &mut impl FnMut(Square)) {
        let board = &self.game.board;
        let mut arrive = |square: Square| {
            if self.piece_at(square).is_some() || !board.hanging().contains(square) {
                visit(square);
            }
        };
        match &path.kind {
            PathKind::Leap => {
                if let Some(to) = board.step(from, path.delta, color) {
                    arrive(to);
                }
            }
            PathKind::LameLeap { via } => {
                let free = via.iter().all(|&over| {
                    board
                        .step(from, over, color)
                        .is_some_and(|square| self.is_passable(square))
                });
                if let Some(to) = board.step(from, path.delta, color).filter(|_| free) {
                    arrive(to);
                }
            }
            PathKind::HopLeap { over } => {
                let lifted = board
                    .step(from, *over, color)
                    .is_some_and(|square| self.piece_at(square).is_some());
                if let Some(to) = board.step(from, path.delta, color).filter(|_| lifted) {
                    arrive(to);
                }
            }
            PathKind::Ride { range } => {
                let mut square = from;
                let mut steps = 0;
                while range.is_none_or(|most| steps < most.get()) {
                    let Some(next) = board.step(square, path.delta, color) else {
                        return;
                    };
                    arrive(next);
                    if !self.is_passable(next) {
                        return;
                    }
                    square = next;
                    steps += 1;
                }
            }
            PathKind::HopRide { range } => {
                let mut square = from;
                let mut steps = 0;
                let mut over_screen = false;
                while range.is_none_or(|most| steps < most.get()) {
                    let Some(next) = board.step(square, path.delta, color) else {
                        return;
                    };
                    if over_screen {
                        arrive(next);
                    }
                    if !self.is_passable(next) {
                        if over_screen || self.piece_at(next).is_none() {
                            return;
                        }
                        over_screen = true;
                    }
                    square = next;
                    steps += 1;
                }
            }
        }
    }

    /// Can a piece pass over this square without leaping? An empty hanging square blocks, as a piece does.
    fn is_passable(&self, square: Square) -> bool {
        self.piece_at(square).is_none() && !self.game.board.hanging().contains(square)
    }

    /// The enemy pieces that the pawn of `color` on `from` can hit by cannon, nearest first.
    pub(super) fn cannon_targets(&self, from: Square, color: Color) -> Vec<Square> {
        let mut targets = Vec::new();
        let mut screens = 0;
        let mut square = from;
        while let Some(next) = self.game.board.step(square, crate::GameDef::FORWARD, color) {
            square = next;
            let Some(piece) = self.piece_at(square) else {
                if self.game.board.hanging().contains(square) {
                    break;
                }
                continue;
            };
            if piece.color == color {
                screens += 1;
                if screens > 1 {
                    break;
                }
            } else {
                if screens == 0 {
                    break;
                }
                targets.push(square);
                if piece.kind == self.game.pawn {
                    break;
                }
            }
        }
        targets
    }

    /// Could the piece on `from` capture whatever stands on `target`, if it were its move?
    fn attacks(&self, from: Square, piece: Piece, target: Square) -> bool {
        let Some(kind) = self.moves_as(piece) else { return false };
        let own = kind == piece.kind;
        let initial = own && self.has_first_move(from, piece);
        let by_movement = self.game.kind(kind).movement.paths.iter().any(|path| {
            let mut hit = false;
            if path.modality.captures && (initial || !path.initial) {
                self.reach(from, piece.color, path, &mut |square| hit |= square == target);
            }
            hit
        });
        by_movement
            || self.game.pawn_cannon
                && piece.kind == self.game.pawn
                && self.cannon_targets(from, piece.color).contains(&target)
    }

    /// The squares of the pieces that could capture the king of `color` if it were their move.
    pub fn checkers(&self, color: Color) -> Vec<Square> {
        let king = self.kings[color];
        self.pieces()
            .filter(|&(square, piece)| piece.color != color && self.attacks(square, piece, king))
            .map(|(square, _)| square)
            .collect()
    }

    /// Could an enemy piece capture the king of `color`, if it were its move?
    pub(super) fn king_capturable(&self, color: Color) -> bool {
        let king = self.kings[color];
        self.pieces()
            .any(|(square, piece)| piece.color != color && self.attacks(square, piece, king))
    }

    /// Is the side to move in check?
    pub fn in_check(&self) -> bool {
        self.king_capturable(self.side_to_move())
    }
}
