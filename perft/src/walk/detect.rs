//! Mechanisms that a move or a position shows.

use assay_rules::movement::{Modality, Path, PathKind};
use assay_rules::{Move, Position, Termination, Turn};

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
        shown.insert_if(M::PawnDrop, piece.kind == game.pawn);
        shown.insert_if(M::DropBlock, position.in_check());
        shown.insert_if(M::DropCheck, position.play(mv).in_check());
        return shown;
    }
    let captures = !matches!(mv, Move::Castle { .. }) && position.piece_at(mv.to()).is_some();
    shown.insert_if(M::ForcedCapture, game.forces_captures && position.is_capture(mv));
    let count = |position: &Position| position.pieces().count();
    shown.insert_if(
        M::Explosion,
        game.explosions.is_some() && position.is_capture(mv) && count(position) > count(&position.play(mv)) + 2,
    );
    shown.insert_if(M::Wall, mv.wall().is_some());
    shown.insert_if(M::Petrification, captures && game.is_petrified(piece.kind));
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
    let is_pawn = piece.kind == game.pawn;
    let victim = position.piece_at(to).filter(|_| captures);
    shown.insert_if(M::Capture, captures);
    shown.insert_if(M::PromotedCapture, victim.is_some_and(|victim| game.kind(victim.kind).unpromoted.is_some()));
    shown.insert_if(M::Promotion, promotion.is_some());
    shown.insert_if(M::Demotion, promotion.is_some() && game.unpromoted(piece.kind) != piece.kind);
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
    if Some(piece.kind) == game.joker {
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
    shown.insert_if(M::JokerAsPawn, power == Some(game.pawn));
    shown.insert_if(M::JokerAsKing, power.is_some() && power == game.king);
    shown.insert_if(M::JokerAsPiece, power.is_some_and(|kind| kind != game.pawn && Some(kind) != game.king));
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

/// Mechanisms of a position: the kinds of check.
pub fn mechanisms_of_position(position: &Position) -> MechanismSet {
    let mut shown = MechanismSet::default();
    let game = position.game();
    let side = position.side_to_move();
    let checkers = position.checkers(side);
    shown.insert_if(M::Check, !checkers.is_empty());
    shown.insert_if(M::DoubleCheck, checkers.len() > 1);
    for &from in &checkers {
        let Some(piece) = position.piece_at(from) else { continue };
        shown.insert_if(M::JokerCheck, Some(piece.kind) == game.joker);
        let paths = &game.kind(piece.kind).movement.paths;
        let leaps = paths.iter().any(|path| {
            path.modality.captures
                && matches!(path.kind, PathKind::Leap)
                && game
                    .board
                    .step(from, path.delta, piece.color)
                    .is_some_and(|square| position.royals(side).any(|royal| royal == square))
        });
        shown.insert_if(M::CannonCheck, game.has_pawn_cannon && piece.kind == game.pawn && !leaps);
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
