//! The mechanisms of a game that a random walk should reach, and which of them a move or a position shows.

use assay_rules::movement::{Modality, Path, PathKind};
use assay_rules::{GameDef, Move, Position, Turn};

/// Something that can happen in some game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Mechanism {
    /// A piece takes another by its ordinary movement.
    Capture,
    /// A pawn's double step.
    DoubleStep,
    /// A capture en passant.
    EnPassant,
    /// Castling.
    Castling,
    /// A pawn becomes another piece.
    Promotion,
    /// A pawn becomes another piece before its last rank.
    EarlyPromotion,
    /// A pawn stays a pawn where it could have promoted.
    StayedPawn,
    /// A pawn captures by cannon.
    Cannon,
    /// A piece captures over a screen.
    HopCapture,
    /// A pawn leaps sideways.
    PawnLeap,
    /// A pawn promotes by leaping sideways.
    PawnLeapPromotion,
    /// A piece uses a power that only unmoved pieces have.
    FirstMovePower,
    /// A piece is dropped from the pocket.
    Gating,
    /// A piece is dropped from the pocket where a capture began.
    GatingCapture,
    /// A joker moves as a piece that is neither pawn nor king.
    JokerAsMan,
    /// A joker moves as a pawn.
    JokerAsPawn,
    /// A joker moves as a king.
    JokerAsKing,
    /// A joker captures.
    JokerCapture,
    /// A capture on a hanging square.
    HangingCapture,
    /// A piece leaves a hanging square, which empties for good.
    HangingLeft,
    /// The first of two moves in a row.
    DoubleTurn,
    /// The side to move is in check.
    Check,
    /// It is in check by two pieces.
    DoubleCheck,
    /// It is in check by a cannon pawn over a screen.
    CannonCheck,
    /// It is in check by a piece over a screen.
    HopCheck,
    /// It is in check by a joker.
    JokerCheck,
    /// Checkmate.
    Checkmate,
    /// Stalemate.
    Stalemate,
    /// Neither side can mate any more.
    DeadPosition,
    /// The third occurrence of a position.
    Repetition,
    /// Too many moves without capture or pawn move.
    MoveRule,
}

use Mechanism as M;

impl Mechanism {
    /// All, in the order of their declaration.
    pub const ALL: [Mechanism; 31] = [
        M::Capture,
        M::DoubleStep,
        M::EnPassant,
        M::Castling,
        M::Promotion,
        M::EarlyPromotion,
        M::StayedPawn,
        M::Cannon,
        M::HopCapture,
        M::PawnLeap,
        M::PawnLeapPromotion,
        M::FirstMovePower,
        M::Gating,
        M::GatingCapture,
        M::JokerAsMan,
        M::JokerAsPawn,
        M::JokerAsKing,
        M::JokerCapture,
        M::HangingCapture,
        M::HangingLeft,
        M::DoubleTurn,
        M::Check,
        M::DoubleCheck,
        M::CannonCheck,
        M::HopCheck,
        M::JokerCheck,
        M::Checkmate,
        M::Stalemate,
        M::DeadPosition,
        M::Repetition,
        M::MoveRule,
    ];

    /// Its name in tables and JSON.
    pub const fn name(self) -> &'static str {
        match self {
            M::Capture => "capture",
            M::DoubleStep => "double-step",
            M::EnPassant => "en-passant",
            M::Castling => "castling",
            M::Promotion => "promotion",
            M::EarlyPromotion => "early-promotion",
            M::StayedPawn => "stayed-pawn",
            M::Cannon => "cannon",
            M::HopCapture => "hop-capture",
            M::PawnLeap => "pawn-leap",
            M::PawnLeapPromotion => "pawn-leap-promotion",
            M::FirstMovePower => "first-move-power",
            M::Gating => "gating",
            M::GatingCapture => "gating-capture",
            M::JokerAsMan => "joker-as-piece",
            M::JokerAsPawn => "joker-as-pawn",
            M::JokerAsKing => "joker-as-king",
            M::JokerCapture => "joker-capture",
            M::HangingCapture => "hanging-capture",
            M::HangingLeft => "hanging-left",
            M::DoubleTurn => "double-turn",
            M::Check => "check",
            M::DoubleCheck => "double-check",
            M::CannonCheck => "cannon-check",
            M::HopCheck => "hop-check",
            M::JokerCheck => "joker-check",
            M::Checkmate => "checkmate",
            M::Stalemate => "stalemate",
            M::DeadPosition => "dead-position",
            M::Repetition => "repetition",
            M::MoveRule => "move-rule",
        }
    }

    /// Can it happen in this game?
    pub fn is_in(self, game: &GameDef) -> bool {
        let hops = || {
            let paths = game.kinds.iter().flat_map(|kind| &kind.movement.paths);
            paths
                .into_iter()
                .any(|path| path.modality.captures && matches!(path.kind, PathKind::HopRide { .. }))
        };
        match self {
            M::Capture
            | M::Promotion
            | M::Check
            | M::DoubleCheck
            | M::Checkmate
            | M::Stalemate
            | M::Repetition
            | M::MoveRule => true,
            M::DeadPosition => !game.endings.insufficient_material.is_empty(),
            M::DoubleStep | M::EnPassant => game.has_en_passant(),
            M::Castling => game.castling.is_some(),
            M::EarlyPromotion | M::StayedPawn => game.promotion.len() > 1,
            M::Cannon | M::CannonCheck => game.pawn_cannon,
            M::HopCapture | M::HopCheck => hops(),
            M::PawnLeap | M::PawnLeapPromotion => game.kind(game.pawn).movement.paths.iter().any(is_pawn_leap),
            M::FirstMovePower => game.all_kinds().any(|kind| game.has_initial_moves(kind)),
            M::Gating | M::GatingCapture => game.gating.is_some(),
            M::JokerAsMan | M::JokerAsPawn | M::JokerAsKing | M::JokerCapture | M::JokerCheck => game.joker.is_some(),
            M::HangingCapture | M::HangingLeft => !game.board.hanging().is_empty(),
            M::DoubleTurn => game.handicaps,
        }
    }
}

/// A pawn's path more than one file sideways.
fn is_pawn_leap(path: &Path) -> bool {
    path.delta.file.abs() > 1 && !path.initial && matches!(path.kind, PathKind::Leap)
}

/// A set of mechanisms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shown(u32);

impl Shown {
    fn add(&mut self, mechanism: Mechanism, shown: bool) {
        if shown {
            self.0 |= 1 << mechanism as u8;
        }
    }

    /// Is it shown?
    pub const fn has(self, mechanism: Mechanism) -> bool {
        self.0 >> mechanism as u8 & 1 == 1
    }

    /// Those shown.
    pub fn iter(self) -> impl Iterator<Item = Mechanism> {
        M::ALL.into_iter().filter(move |&mechanism| self.has(mechanism))
    }
}

/// What a legal move shows.
pub fn of_move(position: &Position, mv: Move) -> Shown {
    let mut shown = Shown::default();
    let game = position.game();
    let board = &game.board;
    let Some(piece) = position.piece_at(mv.from()) else {
        return shown;
    };
    let captures = !matches!(mv, Move::Castle { .. }) && position.piece_at(mv.to()).is_some();
    let relative = board.relative_rank(piece.color, mv.to());
    shown.add(M::DoubleStep, matches!(mv, Move::DoubleStep { .. }));
    shown.add(M::EnPassant, matches!(mv, Move::EnPassant { .. }));
    shown.add(M::Castling, matches!(mv, Move::Castle { .. }));
    shown.add(M::Cannon, matches!(mv, Move::Cannon { .. }));
    shown.add(
        M::DoubleTurn,
        matches!(position.turn(), Turn::WhiteTwice | Turn::BlackTwice),
    );
    shown.add(
        M::HangingLeft,
        board.hanging().contains(mv.from()) && mv.gate().is_none(),
    );
    shown.add(M::HangingCapture, captures && board.hanging().contains(mv.to()));
    let Move::Normal {
        from,
        to,
        promotion,
        gate,
    } = mv
    else {
        return shown;
    };
    let is_pawn = piece.kind == game.pawn;
    shown.add(M::Capture, captures);
    shown.add(M::Promotion, promotion.is_some());
    shown.add(M::EarlyPromotion, promotion.is_some() && relative < game.last_rank());
    shown.add(
        M::StayedPawn,
        is_pawn && promotion.is_none() && game.promotion_on(relative).is_some(),
    );
    shown.add(M::Gating, gate.is_some());
    shown.add(M::GatingCapture, gate.is_some() && captures);
    let files = i16::from(board.file(to)) - i16::from(board.file(from));
    let leap = is_pawn && files.abs() > 1;
    shown.add(M::PawnLeap, leap);
    shown.add(M::PawnLeapPromotion, leap && promotion.is_some());
    if Some(piece.kind) == game.joker {
        let power = position.last_moved_as(!piece.color);
        shown.add(M::JokerAsPawn, power == Some(game.pawn));
        shown.add(M::JokerAsKing, power == Some(game.king));
        shown.add(
            M::JokerAsMan,
            power.is_some_and(|kind| kind != game.pawn && kind != game.king),
        );
        shown.add(M::JokerCapture, captures);
        return shown;
    }
    let paths = || {
        game.kind(piece.kind)
            .movement
            .paths
            .iter()
            .filter(|path| may_lead(position, path, mv))
    };
    shown.add(
        M::HopCapture,
        captures && paths().next().is_some() && paths().all(|path| matches!(path.kind, PathKind::HopRide { .. })),
    );
    shown.add(
        M::FirstMovePower,
        !is_pawn && paths().next().is_some() && paths().all(|path| path.initial),
    );
    shown
}

/// Could this path, by its direction and modality, be the one of the move?
fn may_lead(position: &Position, path: &Path, mv: Move) -> bool {
    let board = &position.game().board;
    let color = position.side_to_move();
    let Modality { moves, captures, .. } = path.modality;
    if !(if position.piece_at(mv.to()).is_some() {
        captures
    } else {
        moves
    }) {
        return false;
    }
    let steps = match &path.kind {
        PathKind::Ride { range } | PathKind::HopRide { range } => range.map_or(i8::MAX, |range| range.get() as i8),
        _ => 1,
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

/// What a position shows by itself.
pub fn of_position(position: &Position) -> Shown {
    let mut shown = Shown::default();
    let game = position.game();
    let side = position.side_to_move();
    let king = position.king(side);
    let checkers = position.checkers(side);
    shown.add(M::Check, !checkers.is_empty());
    shown.add(M::DoubleCheck, checkers.len() > 1);
    for &from in &checkers {
        let Some(piece) = position.piece_at(from) else { continue };
        shown.add(M::JokerCheck, Some(piece.kind) == game.joker);
        let paths = &game.kind(piece.kind).movement.paths;
        let leaps = paths.iter().any(|path| {
            path.modality.captures
                && matches!(path.kind, PathKind::Leap)
                && game.board.step(from, path.delta, piece.color) == Some(king)
        });
        shown.add(M::CannonCheck, game.pawn_cannon && piece.kind == game.pawn && !leaps);
        let hops = |path: &&Path| path.modality.captures && matches!(path.kind, PathKind::HopRide { .. });
        shown.add(M::HopCheck, paths.iter().any(|path| hops(&path)) && !leaps);
    }
    shown
}

/// How often each mechanism was shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Coverage([u64; M::ALL.len()]);

impl Coverage {
    /// Counts what is shown.
    pub fn count(&mut self, shown: Shown) {
        for mechanism in shown.iter() {
            self.one(mechanism);
        }
    }

    /// Counts one.
    pub fn one(&mut self, mechanism: Mechanism) {
        self.0[mechanism as usize] += 1;
    }

    /// Adds another's counts.
    pub fn add(&mut self, other: &Coverage) {
        for (sum, count) in self.0.iter_mut().zip(other.0) {
            *sum += count;
        }
    }

    /// How often.
    pub fn get(&self, mechanism: Mechanism) -> u64 {
        self.0[mechanism as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_is_in_order() {
        for (index, mechanism) in M::ALL.into_iter().enumerate() {
            assert_eq!(mechanism as usize, index);
        }
    }
}
