use super::{Lines, Mechanics, PieceMovement, Role, Ruleset};

/// Apothecary Chess 2: 10x10 plus eight hanging squares, gating from a pocket, and a joker.
#[derive(Clone, Copy, Debug, Default)]
pub struct Apothecary2;

impl Ruleset for Apothecary2 {
    type Word = u128;
    const NAME: Option<&'static str> = Some("apothecary2");
    const WEIGHTS: Option<&'static str> = Some(include_str!("../../weights/apothecary2.toml"));
    const NETWORK: Option<&'static [u8]> = Some(include_bytes!("../../networks/apothecary2.network"));
    const MECHANICS: Mechanics = Mechanics::EN_PASSANT
        .union(Mechanics::JOKER)
        .union(Mechanics::GATING)
        .union(Mechanics::HANGING)
        .union(Mechanics::STAGED_PROMOTION)
        .union(Mechanics::HANDICAPS)
        .union(Mechanics::INITIAL_MOVES);
    const KINDS: &'static [PieceMovement] = &[
        PieceMovement::KING,
        PieceMovement::slider(Lines::ALL),
        // Chancellor and archbishop.
        PieceMovement { leap_moves: true, leap_captures: true, ..PieceMovement::slider(Lines::ORTHOGONAL) },
        PieceMovement { leap_moves: true, leap_captures: true, ..PieceMovement::slider(Lines::DIAGONAL) },
        PieceMovement::slider(Lines::ORTHOGONAL),
        PieceMovement::slider(Lines::DIAGONAL),
        // Knight, elephant, zebra, camel: each has leaps that only move.
        PieceMovement { same_leaps: false, ..PieceMovement::LEAPER },
        PieceMovement { same_leaps: false, has_initial: true, ..PieceMovement::LEAPER },
        PieceMovement { same_leaps: false, has_initial: true, ..PieceMovement::LEAPER },
        PieceMovement { same_leaps: false, has_initial: true, ..PieceMovement::LEAPER },
        PieceMovement { role: Role::Joker, ..PieceMovement::NONE },
        PieceMovement::PAWN,
    ];
}
