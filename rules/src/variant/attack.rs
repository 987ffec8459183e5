//! Attacks: the squares that a piece reaches, and checks.

use super::Position;
use crate::types::color::Color;
use crate::types::movement::{Path, PathKind};
use crate::types::piece::{Kind, Piece};
use crate::types::square::Square;

impl Position {
    /// Kind whose movement a piece uses: its own, or for a joker the kind the opponent last moved.
    /// `None` if it cannot move.
    pub(crate) fn moves_as(&self, piece: Piece) -> Option<Kind> {
        if self.game.kinds.joker() == Some(piece.kind) { self.last_moved_as(!piece.color) } else { Some(piece.kind) }
    }

    /// Calls `visit` with every square that the piece on `from` reaches along `path`, whether
    /// occupied or empty.
    pub(crate) fn reach(&self, from: Square, color: Color, path: &Path, visit: &mut impl FnMut(Square)) {
        let board = &self.game.board;
        let mut arrive = |square: Square| {
            let is_open = !self.walls().contains(square) && !board.hanging().contains(square);
            if self.piece_at(square).is_some() || is_open {
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
                let is_clear = via
                    .iter()
                    .all(|&over| board.step(from, over, color).is_some_and(|square| self.is_passable(square)));
                if let Some(to) = board.step(from, path.delta, color).filter(|_| is_clear) {
                    arrive(to);
                }
            }
            PathKind::HopLeap { over } => {
                let has_hurdle = board.step(from, *over, color).is_some_and(|square| !self.is_empty(square));
                if let Some(to) = board.step(from, path.delta, color).filter(|_| has_hurdle) {
                    arrive(to);
                }
            }
            PathKind::Ride { range } | PathKind::HopRide { range } => {
                let mut square = from;
                let mut steps = 0;
                // A ride needs no screen.
                let mut beyond_screen = matches!(path.kind, PathKind::Ride { .. });
                while range.is_none_or(|most| steps < most.get()) {
                    let Some(next) = board.step(square, path.delta, color) else {
                        return;
                    };
                    if beyond_screen {
                        arrive(next);
                    }
                    if !self.is_passable(next) {
                        if beyond_screen || self.is_empty(next) {
                            return;
                        }
                        beyond_screen = true;
                    }
                    square = next;
                    steps += 1;
                }
            }
            PathKind::Grasshop => {
                let mut square = from;
                while let Some(next) = board.step(square, path.delta, color) {
                    if !self.is_empty(square) && square != from {
                        arrive(next);
                    }
                    if !self.is_passable(square) && square != from {
                        return;
                    }
                    square = next;
                }
            }
        }
    }

    /// Returns true if a rider can pass this square. An empty hanging square blocks like a piece.
    fn is_passable(&self, square: Square) -> bool {
        self.is_empty(square) && !self.game.board.hanging().contains(square)
    }

    /// Returns true if the piece on `from` could capture an enemy piece on `target`.
    pub(super) fn attacks(&self, from: Square, piece: Piece, target: Square) -> bool {
        let mechanisms = &self.game.mechanisms;
        if mechanisms.iter().any(|mechanism| mechanism.prevents_attack(self, from, piece, target)) {
            return false;
        }
        let Some(kind) = self.moves_as(piece) else { return false };
        let initial = kind == piece.kind && self.has_initial_moves(from, piece);
        let by_movement = self.game.kinds.may_enter(kind, piece.color, target)
            && self.game.kind(kind).movement.paths.iter().any(|path| {
                let mut hit = false;
                if path.modality.captures && (initial || !path.initial) {
                    self.reach(from, piece.color, path, &mut |square| hit |= square == target);
                }
                hit
            });
        by_movement || mechanisms.iter().any(|mechanism| mechanism.attacks(self, from, piece, target))
    }

    /// Squares of the pieces that attack the king of `color`, or another of its royal pieces.
    pub fn checkers(&self, color: Color) -> Vec<Square> {
        let royals: Vec<Square> = self.royals(color).collect();
        self.pieces()
            .filter(|&(square, piece)| {
                piece.color != color && royals.iter().any(|&royal| self.attacks(square, piece, royal))
            })
            .map(|(square, _)| square)
            .collect()
    }

    /// Returns true if an enemy piece attacks a royal piece of `color`.
    pub(crate) fn is_royal_attacked(&self, color: Color) -> bool {
        self.royals(color).any(|square| self.is_attacked(square, color))
    }

    /// Returns true if an enemy of `color` attacks the square.
    pub(crate) fn is_attacked(&self, target: Square, color: Color) -> bool {
        self.pieces().any(|(square, piece)| piece.color != color && self.attacks(square, piece, target))
    }

    pub fn in_check(&self) -> bool {
        self.is_royal_attacked(self.side_to_move())
    }
}
