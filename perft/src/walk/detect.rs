//! Mechanisms that a move or a position shows.

use assay_rules::def::RightKind;
use assay_rules::movement::{Modality, Path, PathKind};
use assay_rules::{Move, Piece, Position, Square, Termination, Turn};

use super::mechanism::{Mechanism as M, MechanismSet};

/// Mechanisms of a legal move.
pub fn mechanisms_of_move(position: &Position, mv: Move) -> MechanismSet {
    let mut shown = MechanismSet::default();
    let game = position.game();
    let board = &game.board;
    let Some(piece) = position.moved_piece(mv) else {
        return shown;
    };
    if matches!(mv, Move::Drop { .. }) {
        shown.insert_if(M::Drop, true);
        shown.insert_if(M::PawnDrop, game.pawns.contains(piece.kind));
        shown.insert_if(M::DropBlock, position.in_check());
        shown.insert_if(M::DropCheck, position.play(mv).in_check());
        return shown;
    }
    let captures = !matches!(mv, Move::Castle { .. }) && position.piece_at(mv.to()).is_some();
    shown.insert_if(M::ForcedCapture, game.mechanisms.forced_captures.is_some() && position.is_capture(mv));
    let count = |position: &Position| position.pieces().count();
    shown.insert_if(
        M::Explosion,
        game.mechanisms.explosions.is_some()
            && position.is_capture(mv)
            && count(position) > count(&position.play(mv)) + 2,
    );
    shown.insert_if(M::Wall, mv.wall().is_some());
    shown.insert_if(M::Petrification, captures && game.is_petrified(piece.kind));
    let takes_right = |right: usize| {
        let right = &game.rights[right];
        right.color != piece.color && right.squares.contains(mv.to()) && matches!(right.kind, RightKind::Castle(_))
    };
    let loses_right = captures && position.rights().iter().any(takes_right);
    shown.insert_if(M::RightLostByCapture, loses_right);
    shown.insert_if(M::RightLostByPromotion, loses_right && mv.promotion().is_some());
    shown.insert_if(M::EnPassantEvasion, matches!(mv, Move::EnPassant { .. }) && position.in_check());
    shown.insert_if(M::PinnedEnPassant, is_answered_by_pinned_pawn(position, mv));
    let relative = board.relative_rank(piece.color, mv.to());
    shown.insert_if(M::DoubleStep, matches!(mv, Move::DoubleStep { .. }));
    shown.insert_if(M::EnPassant, matches!(mv, Move::EnPassant { .. }));
    shown.insert_if(M::Castling, matches!(mv, Move::Castle { .. }));
    shown.insert_if(M::Gating, mv.gate().is_some());
    shown.insert_if(M::GatingCastling, matches!(mv, Move::Castle { .. }) && mv.gate().is_some());
    shown.insert_if(M::Cannon, matches!(mv, Move::Cannon { .. }));
    shown.insert_if(M::DoubleTurn, matches!(position.turn(), Turn::WhiteTwice | Turn::BlackTwice));
    shown.insert_if(M::HangingLeft, board.hanging().contains(mv.from()) && mv.gate().is_none());
    shown.insert_if(M::HangingCapture, captures && board.hanging().contains(mv.to()));
    let Move::Normal { from, to, promotion, gate, wall: _ } = mv else {
        return shown;
    };
    let is_pawn = game.pawns.contains(piece.kind);
    let victim = position.piece_at(to).filter(|_| captures);
    shown.insert_if(M::Capture, captures);
    shown.insert_if(M::PromotedCapture, victim.is_some_and(|victim| game.kind(victim.kind).unpromoted.is_some()));
    shown.insert_if(M::Promotion, promotion.is_some());
    shown.insert_if(M::Demotion, promotion.is_some() && game.kinds.unpromoted(piece.kind) != piece.kind);
    shown.insert_if(M::EarlyPromotion, promotion.is_some() && relative < game.last_rank());
    shown.insert_if(
        M::PromotionDeclined,
        is_pawn && promotion.is_none() && game.promotion_on(piece.color, to).is_some(),
    );
    shown.insert_if(M::GatingCapture, gate.is_some() && captures);
    let files = i16::from(board.file(to)) - i16::from(board.file(from));
    let leap = is_pawn && files.abs() > 1;
    shown.insert_if(M::PawnLeap, leap);
    shown.insert_if(M::PawnLeapPromotion, leap && promotion.is_some());
    if Some(piece.kind) == game.kinds.joker() {
        shown.insert_all(mechanisms_of_joker(position, captures));
        return shown;
    }
    let paths = || game.kind(piece.kind).movement.paths.iter().filter(|path| may_be_path_of(position, path, mv));
    shown.insert_if(
        M::HopCapture,
        captures
            && paths().next().is_some()
            && paths().all(|path| matches!(path.kind, PathKind::HopRide { .. } | PathKind::Grasshop)),
    );
    shown.insert_if(M::InitialMove, !is_pawn && paths().next().is_some() && paths().all(|path| path.initial));
    shown
}

/// Mechanisms of a joker's move.
fn mechanisms_of_joker(position: &Position, captures: bool) -> MechanismSet {
    let mut shown = MechanismSet::default();
    let game = position.game();
    let power = position.last_moved_as(!position.side_to_move());
    shown.insert_if(M::JokerAsPawn, power == Some(game.first_pawn()));
    shown.insert_if(M::JokerAsKing, power.is_some() && power == game.kinds.king());
    shown.insert_if(
        M::JokerAsPiece,
        power.is_some_and(|kind| !game.pawns.contains(kind) && Some(kind) != game.kinds.king()),
    );
    shown.insert_if(M::JokerCapture, captures);
    shown
}

/// Returns true if the direction and the modality of the path allow it to be the path of the move.
fn may_be_path_of(position: &Position, path: &Path, mv: Move) -> bool {
    let board = &position.game().board;
    let color = position.side_to_move();
    let Modality { moves, captures, .. } = path.modality;
    let is_capture = position.piece_at(mv.to()).is_some();
    if !(if is_capture { captures } else { moves }) {
        return false;
    }
    let steps = match &path.kind {
        PathKind::Ride { range } | PathKind::HopRide { range } => range.map_or(i8::MAX, |range| range.get() as i8),
        PathKind::Grasshop => i8::MAX,
        PathKind::Leap | PathKind::LameLeap { .. } | PathKind::HopLeap { .. } => 1,
    };
    let mut square = mv.from();
    for _ in 0..steps {
        match board.step(square, path.delta, color) {
            Some(next) if next == mv.to() => return true,
            Some(next) => square = next,
            None => return false,
        }
    }
    false
}

/// Returns true for a double step that a pawn could capture en passant if its king were not
/// attacked then.
fn is_answered_by_pinned_pawn(position: &Position, mv: Move) -> bool {
    let Move::DoubleStep { passed, .. } = mv else { return false };
    let (game, side) = (position.game(), position.side_to_move());
    let is_near = |(square, piece): (Square, Piece)| {
        piece.color != side && game.pawns.contains(piece.kind) && game.board.distance(square, passed) <= 2
    };
    if !position.pieces().any(is_near) {
        return false;
    }
    let after = position.play_unchecked(mv);
    let captures = after.pseudo_legal_moves().into_iter().filter(|mv| matches!(mv, Move::EnPassant { .. }));
    !after.in_check() && captures.into_iter().any(|mv| !after.play_unchecked(mv).checkers(!side).is_empty())
}

/// Returns true if a pin forbids a capture by a piece that is not royal.
fn has_pinned_capture(position: &Position) -> bool {
    let (game, side) = (position.game(), position.side_to_move());
    let is_royal = |mv: Move| position.moved_piece(mv).is_some_and(|piece| game.kinds.is_royal(piece.kind));
    let mut captures = position.pseudo_legal_moves();
    captures.retain(|&mv| position.is_capture(mv) && !matches!(mv, Move::EnPassant { .. }) && !is_royal(mv));
    captures.into_iter().any(|mv| !position.play_unchecked(mv).checkers(side).is_empty())
}

/// Returns true if the king could castle if its path were not attacked.
fn may_castle_but_for_attack(position: &Position) -> bool {
    let (game, side) = (position.game(), position.side_to_move());
    let wings = game.castling_wings().iter().enumerate();
    let has_right = |partner: Square| {
        let is_of =
            |right: usize| game.rights[right].color == side && game.rights[right].kind == RightKind::Castle(partner);
        position.rights().iter().any(is_of)
    };
    let castling_king = game.kinds.castling_king();
    wings.filter(|(_, wing)| wing.color == side && has_right(wing.partner_from)).any(|(index, wing)| {
        let castle = Move::Castle { wing: index, from: wing.king_from, to: wing.target, gate: None, wall: None };
        position.piece_at(wing.king_from).map(|piece| piece.kind) == castling_king
            && wing.empty.iter().all(|&square| position.is_empty(square))
            && !position.is_legal(castle)
    })
}

/// Mechanisms of a position: the kinds of check, and what a pin or an attack forbids.
pub fn mechanisms_of_position(position: &Position) -> MechanismSet {
    let mut shown = MechanismSet::default();
    let game = position.game();
    let side = position.side_to_move();
    let checkers = position.checkers(side);
    shown.insert_if(M::Check, !checkers.is_empty());
    shown.insert_if(M::DoubleCheck, checkers.len() > 1);
    if checkers.is_empty() && position.royals(side).next().is_some() {
        shown.insert_if(M::PinnedCapture, game.mechanisms.explosions.is_none() && has_pinned_capture(position));
        let may_castle = game.wall_rule().is_none() && may_castle_but_for_attack(position);
        shown.insert_if(M::CastlingThroughCheck, may_castle);
    }
    for &from in &checkers {
        let Some(piece) = position.piece_at(from) else { continue };
        shown.insert_if(M::JokerCheck, Some(piece.kind) == game.kinds.joker());
        let paths = &game.kind(piece.kind).movement.paths;
        let leaps = paths.iter().any(|path| {
            path.modality.captures
                && matches!(path.kind, PathKind::Leap)
                && game
                    .board
                    .step(from, path.delta, piece.color)
                    .is_some_and(|square| position.royals(side).any(|royal| royal == square))
        });
        shown.insert_if(M::CannonCheck, game.mechanisms.cannon.is_some() && game.pawns.contains(piece.kind) && !leaps);
        let hops =
            |path: &&Path| path.modality.captures && matches!(path.kind, PathKind::HopRide { .. } | PathKind::Grasshop);
        shown.insert_if(M::HopCheck, paths.iter().any(|path| hops(&path)) && !leaps);
    }
    shown
}

/// Extinction, a goal, checks, a bare king, checkmate or stalemate.
pub fn end_of_line(position: &Position, has_legal_move: bool) -> MechanismSet {
    let mut shown = MechanismSet::default();
    if let Some(decided) = position.decided().filter(|_| !has_legal_move) {
        shown.insert_if(M::Goal, decided.termination == Termination::Goal);
        shown.insert_if(M::Checks, decided.termination == Termination::Checks);
        shown.insert_if(M::BareKing, decided.termination == Termination::BareKing);
        shown.insert_if(M::Extinction, decided.termination == Termination::Extinction);
        return shown;
    }
    let is_check = position.in_check();
    shown.insert_if(M::Checkmate, !has_legal_move && is_check);
    shown.insert_if(M::Stalemate, !has_legal_move && !is_check);
    shown
}
