//! Legal moves: every move that the rules of movement allow, each tried on a copy of the position.

use super::Position;
use crate::def::RightKind;
use crate::moves::Move;
use crate::piece::{Kind, Piece};
use crate::square::Square;

impl Position {
    /// All legal moves, in ascending order of [`Move`]'s own order.
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut moves = self.pseudo_legal_moves();
        moves.retain(|&mv| self.leaves_king_safe(mv));
        moves.sort_unstable();
        // Two paths of one movement may lead to the same square.
        moves.dedup();
        moves
    }

    /// Is there a legal move?
    pub fn has_legal_move(&self) -> bool {
        self.pseudo_legal_moves()
            .into_iter()
            .any(|mv| self.leaves_king_safe(mv))
    }

    /// Is this move legal here?
    pub fn is_legal(&self, mv: Move) -> bool {
        self.pseudo_legal_moves().contains(&mv) && self.leaves_king_safe(mv)
    }

    /// The test of legality: after the whole move the mover's king can be captured by no enemy piece. The first of two moves
    /// in a row also may not give check, as the second would capture the king.
    fn leaves_king_safe(&self, mv: Move) -> bool {
        let after = self.applied(mv);
        let mover = self.side_to_move();
        !after.king_capturable(mover) && (after.side_to_move() != mover || !after.king_capturable(!mover))
    }

    /// All moves that the pieces can make, the king's safety apart (castling through check apart too: that is its own rule).
    pub(super) fn pseudo_legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        for (from, piece) in self.pieces().filter(|(_, piece)| piece.color == self.side_to_move()) {
            self.movement_moves(from, piece, &mut moves);
            if self.game.pawn_cannon && piece.kind == self.game.pawn && self.turn.may_capture() {
                let targets = self.cannon_targets(from, piece.color);
                moves.extend(
                    targets
                        .into_iter()
                        .filter(|&target| !self.is_king(target))
                        .map(|target| Move::Cannon { from, target }),
                );
            }
        }
        self.castling_moves(&mut moves);
        moves
    }

    /// En passant captures, the king's safety apart.
    pub(super) fn pseudo_en_passant(&self) -> Vec<Move> {
        let mut moves = self.pseudo_legal_moves();
        moves.retain(|mv| matches!(mv, Move::EnPassant { .. }));
        moves
    }

    /// Is at least one en passant capture legal?
    pub(super) fn can_capture_en_passant(&self) -> bool {
        self.pseudo_en_passant().into_iter().any(|mv| self.leaves_king_safe(mv))
    }

    fn is_king(&self, square: Square) -> bool {
        self.piece_at(square).is_some_and(|piece| piece.kind == self.game.king)
    }

    fn movement_moves(&self, from: Square, piece: Piece, moves: &mut Vec<Move>) {
        let Some(kind) = self.moves_as(piece) else { return };
        // A joker has the ordinary movement of its power: no first moves, no double step, no en passant.
        let own = kind == piece.kind;
        let initial = own && self.has_first_move(from, piece);
        let is_pawn = own && kind == self.game.pawn;
        for path in &self.game.kind(kind).movement.paths {
            if path.initial && !initial {
                continue;
            }
            let passed = path
                .passed_offset()
                .filter(|_| is_pawn && self.game.has_en_passant())
                .and_then(|passed| self.game.board.step(from, passed, piece.color));
            self.reach(from, piece.color, path, &mut |to| {
                let Some(target) = self.piece_at(to) else {
                    match passed {
                        Some(passed) if path.modality.moves => moves.push(Move::DoubleStep { from, to, passed }),
                        None if path.modality.moves => self.push_steps(from, to, piece, moves),
                        _ => {}
                    }
                    if path.modality.en_passant && is_pawn && self.turn.may_capture() {
                        moves.extend(self.en_passant_onto(from, to));
                    }
                    return;
                };
                let hostile = target.color != piece.color && target.kind != self.game.king;
                if path.modality.captures && hostile && self.turn.may_capture() {
                    self.push_steps(from, to, piece, moves);
                }
            });
        }
    }

    fn en_passant_onto(&self, from: Square, to: Square) -> Option<Move> {
        let chance = self.en_passant.filter(|chance| chance.passed == to)?;
        let victim = self.piece_at(chance.victim)?;
        (victim.color != self.side_to_move()).then_some(Move::EnPassant {
            from,
            to,
            victim: chance.victim,
        })
    }

    /// A step with everything that may come with it: promotion choices, drops from the pocket.
    fn push_steps(&self, from: Square, to: Square, piece: Piece, moves: &mut Vec<Move>) {
        let step = |promotion: Option<Kind>, gate: Option<Kind>| Move::Normal {
            from,
            to,
            promotion,
            gate,
        };
        if piece.kind == self.game.pawn {
            let rank = self.game.board.relative_rank(piece.color, to);
            if let Some(promotion) = self.game.promotion_on(rank) {
                moves.extend(promotion.kinds.iter().map(|&kind| step(Some(kind), None)));
                if promotion.optional {
                    moves.push(step(None, None));
                }
                return;
            }
        }
        moves.push(step(None, None));
        if self.may_gate(from) {
            moves.extend(self.pockets[piece.color].iter().map(|&kind| step(None, Some(kind))));
        }
    }

    /// May the move of the piece on `from` drop a piece from its side's pocket?
    fn may_gate(&self, from: Square) -> bool {
        self.can_still_gate(self.side_to_move())
            && self
                .rights
                .iter()
                .any(|index| self.game.rights[index].kind == RightKind::Gate(from))
    }

    fn castling_moves(&self, moves: &mut Vec<Move>) {
        let Some(castling) = &self.game.castling else { return };
        for index in self.rights.iter() {
            let right = &self.game.rights[index];
            let RightKind::Castle(wing_index) = right.kind else {
                continue;
            };
            let wing = &castling.wings[wing_index];
            if right.color != self.side_to_move() || wing.empty.iter().any(|&square| self.piece_at(square).is_some()) {
                continue;
            }
            if self.in_check() || wing.crossed.iter().any(|&square| self.king_capturable_on(square)) {
                continue;
            }
            moves.push(Move::Castle {
                wing: wing_index,
                from: wing.king_from,
                to: wing.king_to,
            });
        }
    }

    /// Could the king of the side to move be captured if it stood on `square`, its own square empty?
    fn king_capturable_on(&self, square: Square) -> bool {
        let side = self.side_to_move();
        let mut moved = self.clone();
        moved.pieces[square.index()] = moved.pieces[self.kings[side].index()].take();
        moved.kings[side] = square;
        moved.king_capturable(side)
    }
}
