//! Move generation: pseudo-legal moves from the movement definition, each tested on a copy of the
//! position.

use super::{EnPassant, Position};
use crate::types::definition::{CastlingWing, WallRule};
use crate::types::moves::Move;
use crate::types::piece::{Kind, Piece};
use crate::types::rights::RightKind;
use crate::types::square::Square;

impl Position {
    /// All legal moves, in ascending order.
    pub fn legal_moves(&self) -> Vec<Move> {
        self.legal_moves_where(|_| true)
    }

    /// The legal moves that are wanted, in ascending order. Faster than all, because unwanted moves
    /// are not tested.
    pub fn legal_moves_where(&self, is_wanted: impl Fn(Move) -> bool) -> Vec<Move> {
        if self.decided().is_some() {
            return Vec::new();
        }
        self.legal_moves_if_undecided(is_wanted)
    }

    /// The wanted moves that would be legal if the game were not decided otherwise than by mate.
    pub(super) fn legal_moves_if_undecided(&self, is_wanted: impl Fn(Move) -> bool) -> Vec<Move> {
        let mut moves = self.moves_if_undecided();
        // A capture that is not wanted forces, too.
        let forces_captures = self.game.forces_captures;
        moves.retain(|&mv| (forces_captures || is_wanted(mv)) && self.is_legal_if_pseudo_legal(mv));
        if forces_captures {
            let must_capture = moves.iter().any(|&mv| self.is_capture(mv));
            moves.retain(|&mv| is_wanted(mv) && (!must_capture || self.is_capture(mv)));
        }
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
    /// attacked. An explosion must spare them, and may leave them attacked only if it takes the
    /// last one of the opponent. The first of two moves in a row also may not give check, because
    /// the second could then capture the king; nor may any move in a game that forbids checks. Some
    /// games forbid checkmate by dropping a pawn.
    pub fn is_legal_if_pseudo_legal(&self, mv: Move) -> bool {
        let after = self.play_unchecked(mv);
        let mover = self.side_to_move();
        let may_check = after.side_to_move() != mover && !self.game.forbids_checks;
        let is_safe = if self.game.explosions.is_some() && self.is_capture(mv) {
            let decides = self.royals(!mover).next().is_some() && after.royals(!mover).next().is_none();
            let are_spared = after.royals(mover).count() >= self.royals(mover).count();
            are_spared && (decides || !after.is_royal_attacked(mover))
        } else {
            !after.is_royal_attacked(mover)
        };
        is_safe
            && !self.is_forbidden_gating(mv)
            && (may_check || !after.is_royal_attacked(!mover))
            && !self.is_forbidden_mate(mv, &after)
    }

    /// Returns true for gating with a move that leaves a royal piece attacked without the gated
    /// piece, in a game that does not allow it.
    fn is_forbidden_gating(&self, mv: Move) -> bool {
        self.game.forbids_shielding
            && mv.gate_square().is_some()
            && self.play_unchecked(mv.without_gate()).is_royal_attacked(self.side_to_move())
    }

    /// Returns true for the drop of a pawn that gives checkmate, in a game that does not allow it.
    fn is_forbidden_mate(&self, mv: Move, after: &Position) -> bool {
        let is_pawn = matches!(mv, Move::Drop { kind, .. } if kind == self.game.pawn);
        let is_allowed = self.game.drops.as_ref().is_none_or(|drops| drops.pawn_mate);
        // A goal or a count of checks that the drop decides is no mate.
        let can_reply = || {
            let replies = after.moves_if_undecided();
            replies.into_iter().any(|mv| after.is_legal_if_pseudo_legal(mv))
        };
        is_pawn && !is_allowed && after.in_check() && !can_reply()
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
            if self.game.has_pawn_cannon && piece.kind == self.game.pawn && self.turn.may_capture() {
                let targets = self.cannon_targets(from, piece.color);
                moves.extend(
                    targets
                        .into_iter()
                        .filter(|&target| !self.is_royal(target))
                        .map(|target| Move::Cannon { from, target }),
                );
            }
        }
        self.push_castling_moves(&mut moves);
        self.push_drops(&mut moves);
        match self.game.wall_rule() {
            None => moves,
            Some(rule) => moves.into_iter().flat_map(|mv| self.with_walls(rule, mv)).collect(),
        }
    }

    /// A move with each wall that it can make.
    fn with_walls(&self, rule: WallRule, mv: Move) -> impl Iterator<Item = Move> {
        let after = self.play_unchecked(mv);
        let earlier = self.walls;
        let squares = self.game.board.squares();
        squares
            .filter(move |&square| after.is_empty(square) && !earlier.contains(square))
            .filter(move |&square| rule == WallRule::Duck || square == mv.from())
            .map(move |square| mv.with_wall(Some(square)))
    }

    fn push_drops(&self, moves: &mut Vec<Move>) {
        let Some(drops) = &self.game.drops else { return };
        let (board, side) = (&self.game.board, self.side_to_move());
        let mut kinds = self.pockets[side].clone();
        kinds.dedup();
        if drops.promoted {
            let promoted: Vec<Kind> = kinds.iter().filter_map(|&kind| self.game.promoted(kind)).collect();
            kinds.extend(promoted);
        }
        for kind in kinds {
            let pawn = Piece { color: side, kind: self.game.pawn };
            let pawns_on_file = |to: Square| {
                let on_file =
                    |&(square, piece): &(Square, Piece)| piece == pawn && board.file(square) == board.file(to);
                self.pieces().filter(on_file).count()
            };
            let is_forbidden = |to: Square| {
                let most = drops.pawns_per_file.filter(|_| kind == self.game.pawn);
                most.is_some_and(|most| pawns_on_file(to) >= usize::from(most))
            };
            let empty = drops.zones[kind.index()][side].iter().filter(|&to| self.is_empty(to));
            moves.extend(empty.filter(|&to| !is_forbidden(to)).map(|to| Move::Drop { kind, to }));
        }
    }

    /// Returns true if at least one en passant capture is legal.
    pub(super) fn can_capture_en_passant(&self) -> bool {
        self.pseudo_legal_moves()
            .into_iter()
            .any(|mv| matches!(mv, Move::EnPassant { .. }) && self.is_legal_if_pseudo_legal(mv))
    }

    fn is_royal(&self, square: Square) -> bool {
        self.piece_at(square).is_some_and(|piece| self.game.is_royal(piece.kind))
    }

    fn push_piece_moves(&self, from: Square, piece: Piece, moves: &mut Vec<Move>) {
        let Some(kind) = self.moves_as(piece) else { return };
        // A joker imitates ordinary moves only: no initial moves, no double step, no en passant.
        let own = kind == piece.kind;
        let initial = own && self.has_initial_moves(from, piece);
        let is_pawn = own && kind == self.game.pawn;
        for path in &self.game.kind(kind).movement.paths {
            if path.initial && !initial {
                continue;
            }
            // Initial moves from the first rank leave no right to capture en passant.
            let is_home = self.game.board.relative_rank(piece.color, from) == self.game.pawn_home_rank;
            let is_double_step = self.game.is_double_step(kind, path) && (is_home || !path.initial);
            let passed = path
                .passed_offset()
                .filter(|_| is_double_step)
                .and_then(|passed| self.game.board.step(from, passed, piece.color));
            let moves_to_empty = path.modality.moves && (own || !is_double_step);
            self.reach(from, piece.color, path, &mut |to| {
                if !self.game.may_enter(kind, piece.color, to) {
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
                    if path.modality.en_passant && is_pawn && self.turn.may_capture() {
                        moves.extend(self.en_passant_capture(from, to));
                    }
                    return;
                };
                let is_immune = target.kind == piece.kind && self.game.is_immune(piece.kind);
                let capturable = target.color != piece.color && !self.game.is_royal(target.kind) && !is_immune;
                if path.modality.captures && capturable && self.turn.may_capture() {
                    self.push_moves(Move::normal(from, to), piece, moves);
                }
            });
        }
    }

    fn en_passant_capture(&self, from: Square, to: Square) -> Option<Move> {
        let EnPassant { victim, .. } = self.en_passant.filter(|en_passant| en_passant.passed == to)?;
        let pawn = self.piece_at(victim)?;
        let wall = None;
        (pawn.color != self.side_to_move()).then_some(Move::EnPassant { from, to, victim, wall })
    }

    /// Pushes a move of a piece that stays what it is, if it may, and once more for each promotion
    /// and each piece that can be gated.
    fn push_moves(&self, stays: Move, piece: Piece, moves: &mut Vec<Move>) {
        let (from, to) = (stays.from(), stays.to());
        let may_gate = piece.kind != self.game.pawn && self.may_gate(from);
        for kind in self.kinds_after_move(from, to, piece) {
            let Some(kind) = kind else {
                moves.push(stays);
                let pocket = self.pockets[piece.color].iter().filter(|_| may_gate);
                moves.extend(pocket.map(|&gated| Move::Normal {
                    from,
                    to,
                    promotion: None,
                    gate: Some(gated),
                    wall: None,
                }));
                continue;
            };
            moves.push(Move::Normal { from, to, promotion: Some(kind), gate: None, wall: None });
        }
    }

    /// The kinds that a piece may become by a move; `None` if it may stay what it is.
    fn kinds_after_move(&self, from: Square, to: Square, piece: Piece) -> Vec<Option<Kind>> {
        let game = &self.game;
        let promotion = game.promotion_on(piece.color, to).filter(|_| piece.kind == game.pawn);
        let choices = promotion.into_iter().flat_map(|promotion| &promotion.kinds);
        let choices = choices.filter(|&&kind| game.may_own(piece.color, kind));
        let mut kinds: Vec<Option<Kind>> = choices.copied().map(Some).collect();
        kinds.retain(|&choice| {
            let mut limits = game.promotion_limits.iter();
            let limit = limits.find(|(kind, _)| Some(*kind) == choice);
            let count = |kind: Kind| self.pieces().filter(|(_, other)| *other == Piece { kind, ..piece }).count();
            limit.is_none_or(|&(kind, most)| count(kind) < usize::from(most))
        });
        let mut may_stay = promotion.is_none_or(|promotion| promotion.optional);
        if let (Some(rule), Some(turned)) = (&game.piece_promotion, game.turned(piece.kind)) {
            let zone = rule.zones[piece.color];
            let captures = self.piece_at(to).is_some();
            if (zone.contains(from) || zone.contains(to)) && (captures || !rule.by_capture) {
                kinds.push(Some(turned));
                may_stay &= !rule.forced;
            }
        }
        if may_stay {
            kinds.push(None);
        }
        if game.forbids_immobility {
            kinds.retain(|kind| game.is_mobile(kind.unwrap_or(piece.kind), piece.color, to));
        }
        kinds
    }

    /// Returns true if the piece on `from` may gate.
    fn may_gate(&self, from: Square) -> bool {
        self.can_still_gate(self.side_to_move())
            && self.rights.iter().any(|index| self.game.rights[index].kind == RightKind::Gate(from))
    }

    fn push_castling_moves(&self, moves: &mut Vec<Move>) {
        let Some(castling) = &self.game.castling else { return };
        for (wing_index, wing) in castling.wings.iter().enumerate() {
            let is_occupied = |&square: &Square| !self.is_empty(square);
            if wing.color != self.side_to_move() || !self.may_castle(wing) || wing.empty.iter().any(is_occupied) {
                continue;
            }
            // A king that is not royal may castle out of and through attacks.
            let is_attacked = |&square: &Square| self.is_attacked_as_king(wing.king_from, square);
            if self.game.castling_king().is_some_and(|king| self.game.is_royal(king))
                && (is_attacked(&wing.king_from) || wing.crossed.iter().any(is_attacked))
            {
                continue;
            }
            let castle =
                |gate| Move::Castle { wing: wing_index, from: wing.king_from, to: wing.target, gate, wall: None };
            moves.push(castle(None));
            for square in [wing.king_from, wing.partner_from] {
                if wing.vacates(square) && self.may_gate(square) {
                    let pocket = &self.pockets[wing.color];
                    moves.extend(pocket.iter().map(|&kind| castle(Some((kind, square)))));
                }
            }
        }
    }

    /// Returns true if king and partner of a wing are at home and have not moved.
    pub(super) fn may_castle(&self, wing: &CastlingWing) -> bool {
        let is_of_wing = |index: usize| {
            let right = &self.game.rights[index];
            right.color == wing.color && right.kind == RightKind::Castle(wing.partner_from)
        };
        let stands = |square: Square, kind: Option<Kind>| {
            let color = wing.color;
            self.piece_at(square) == kind.map(|kind| Piece { color, kind })
        };
        self.rights.iter().any(is_of_wing)
            && stands(wing.king_from, self.game.castling_king())
            && stands(wing.partner_from, Some(wing.partner))
    }

    /// Returns true if the king on `from`, of the side to move, would be attacked on `square`.
    fn is_attacked_as_king(&self, from: Square, square: Square) -> bool {
        let mut moved = self.clone();
        moved.pieces[square.index()] = moved.pieces[from.index()].take();
        moved.is_attacked(square, self.side_to_move())
    }
}
