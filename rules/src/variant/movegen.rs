//! Move generation: pseudo-legal moves from the movement definition, each tested on a copy of the
//! position.

use super::{EnPassant, Position};
use crate::types::moves::Move;
use crate::types::piece::{Kind, Piece};
use crate::types::square::Square;

impl Position {
    /// All legal moves, in ascending order.
    pub fn legal_moves(&self) -> Vec<Move> {
        self.legal_moves_where(|_| true)
    }

    /// The legal moves that are wanted, in ascending order. Faster than all, because unwanted moves
    /// are not tested.
    pub fn legal_moves_where(&self, is_wanted: impl Fn(Move) -> bool) -> Vec<Move> {
        let mut moves = self.pseudo_legal_moves();
        moves.retain(|&mv| is_wanted(mv) && self.is_legal_if_pseudo_legal(mv));
        moves.sort_unstable();
        // Two paths of one movement may lead to the same square.
        moves.dedup();
        moves
    }

    pub fn has_legal_move(&self) -> bool {
        self.pseudo_legal_moves().into_iter().any(|mv| self.is_legal_if_pseudo_legal(mv))
    }

    pub fn is_legal(&self, mv: Move) -> bool {
        !self.legal_moves_where(|other| other == mv).is_empty()
    }

    /// Returns true if a pseudo-legal move is legal: it does not leave a royal piece of the mover
    /// attacked, unless a mechanism lets it, and no mechanism forbids it.
    pub fn is_legal_if_pseudo_legal(&self, mv: Move) -> bool {
        let after = self.play_unchecked(mv);
        let mut mechanisms = self.game.mechanisms.iter();
        (!after.is_royal_attacked(self.side_to_move())
            || mechanisms.any(|mechanism| mechanism.may_expose_royals(self, mv, &after)))
            && self.game.mechanisms.iter().all(|mechanism| mechanism.allows(self, mv, &after))
    }

    /// Returns true if the side to move has a wanted legal move, or would have one if the game were
    /// not decided.
    pub(crate) fn can_reply_if_undecided(&self, is_wanted: impl Fn(Move) -> bool) -> bool {
        self.moves_if_undecided().into_iter().any(|mv| is_wanted(mv) && self.is_legal_if_pseudo_legal(mv))
    }

    /// All moves without regard to the safety of the king, except that castling is not allowed out
    /// of or through check. None if the game is decided otherwise than by mate.
    pub fn pseudo_legal_moves(&self) -> Vec<Move> {
        if self.decided().is_some() {
            return Vec::new();
        }
        self.moves_if_undecided()
    }

    fn moves_if_undecided(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        for (from, piece) in self.pieces().filter(|(_, piece)| piece.color == self.side_to_move()) {
            self.push_piece_moves(from, piece, &mut moves);
        }
        self.game.mechanisms.iter().for_each(|mechanism| mechanism.change_moves(self, &mut moves));
        moves
    }

    /// Returns true if at least one en passant capture is legal.
    pub(super) fn can_capture_en_passant(&self) -> bool {
        self.pseudo_legal_moves()
            .into_iter()
            .any(|mv| matches!(mv, Move::EnPassant { .. }) && self.is_legal_if_pseudo_legal(mv))
    }

    pub(crate) fn is_royal(&self, square: Square) -> bool {
        self.piece_at(square).is_some_and(|piece| self.game.kinds.is_royal(piece.kind))
    }

    fn push_piece_moves(&self, from: Square, piece: Piece, moves: &mut Vec<Move>) {
        let Some(kind) = self.moves_as(piece) else { return };
        // A joker imitates ordinary moves only: no initial moves, no double step, no en passant.
        let own = kind == piece.kind;
        let initial = own && self.has_initial_moves(from, piece);
        let game = &self.game;
        let is_pawn = own && game.pawns.contains(kind);
        for path in &game.kind(kind).movement.paths {
            if path.initial && !initial {
                continue;
            }
            // Initial moves from the first rank leave no right to capture en passant.
            let is_home = game.pawns.home[piece.color].contains(from);
            let is_double_step = game.is_double_step(kind, path) && (is_home || !path.initial);
            let passed = path.passed_offset().filter(|_| is_double_step);
            let passed = passed.and_then(|passed| game.board.step(from, passed, piece.color));
            let moves_to_empty = path.modality.moves && (own || !is_double_step);
            self.reach(from, piece.color, path, &mut |to| {
                if !game.kinds.may_enter(kind, piece.color, to) {
                    return;
                }
                let Some(target) = self.piece_at(to) else {
                    match passed {
                        Some(passed) if moves_to_empty => {
                            let wall = None;
                            self.push_moves(Move::DoubleStep { from, to, passed, wall }, piece, moves);
                        }
                        None if moves_to_empty => self.push_moves(Move::normal(from, to), piece, moves),
                        _ => {}
                    }
                    if path.modality.en_passant && is_pawn {
                        moves.extend(self.en_passant_capture(from, to));
                    }
                    return;
                };
                let is_capturable = target.color != piece.color && !game.kinds.is_royal(target.kind);
                if path.modality.captures && is_capturable {
                    self.push_moves(Move::normal(from, to), piece, moves);
                }
            });
        }
    }

    fn en_passant_capture(&self, from: Square, to: Square) -> Option<Move> {
        let EnPassant { victim, .. } = self.en_passant().filter(|en_passant| en_passant.passed == to)?;
        let pawn = self.piece_at(victim)?;
        let wall = None;
        (pawn.color != self.side_to_move()).then_some(Move::EnPassant { from, to, victim, wall })
    }

    /// Pushes a move with each kind that the piece may become; `plain` is the move without a
    /// promotion.
    fn push_moves(&self, plain: Move, piece: Piece, moves: &mut Vec<Move>) {
        let (from, to) = (plain.from(), plain.to());
        let mut kinds = self.kinds_by_pawn_rules(to, piece);
        self.game.mechanisms.iter().for_each(|mechanism| mechanism.change_kinds(self, plain, piece, &mut kinds));
        moves.extend(kinds.into_iter().map(|kind| match kind {
            None => plain,
            promotion => Move::Normal { from, to, promotion, gate: None, wall: None },
        }));
    }

    /// The kinds that a piece may become on a square by the rules of pawns; `None` stands for its
    /// own.
    fn kinds_by_pawn_rules(&self, to: Square, piece: Piece) -> Vec<Option<Kind>> {
        let game = &self.game;
        let promotion = game.promotion_on(piece.color, to).filter(|_| game.pawns.contains(piece.kind));
        let choices = promotion.into_iter().flat_map(|promotion| &promotion.kinds);
        let choices = choices.filter(|&&kind| {
            game.kinds.may_own(piece.color, kind) && game.pawns.may_become(&game.kinds, piece.kind, kind)
        });
        let mut kinds: Vec<Option<Kind>> = choices.copied().map(Some).collect();
        kinds.retain(|&choice| {
            let mut limits = game.pawns.promotion_limits.iter();
            let limit = limits.find(|(kind, _)| Some(*kind) == choice);
            let count = |kind: Kind| self.pieces().filter(|(_, other)| *other == Piece { kind, ..piece }).count();
            limit.is_none_or(|&(kind, most)| count(kind) < usize::from(most))
        });
        if promotion.is_none_or(|promotion| promotion.optional) {
            kinds.push(None);
        }
        kinds
    }

    /// Returns true if the king on `from`, of the side to move, would be attacked on `square`.
    pub(crate) fn is_attacked_as_king(&self, from: Square, square: Square) -> bool {
        let mut moved = self.clone();
        moved.setup.pieces[square.index()] = moved.setup.pieces[from.index()].take();
        moved.is_attacked(square, self.side_to_move())
    }
}
