use super::{Lines, Mechanics, PieceMovement, Role, Ruleset};

/// Apothecary Chess 2: 10x10 plus eight hanging squares, gating from a pocket, and a joker.
#[derive(Clone, Copy, Debug, Default)]
pub struct Apothecary2;

impl Ruleset for Apothecary2 {
    type Word = u128;
    const NAME: Option<&'static str> = Some("apothecary2");
    const WEIGHTS: Option<&'static str> = Some(include_str!("../../weights/apothecary2.toml"));
    const NETWORK: Option<&'static [u8]> = Some(include_bytes!("../../networks/apothecary2.network"));
    const MECHANICS: Mechanics = Mechanics {
        castling: false,
        castling_from_any_file: false,
        en_passant: true,
        cannon: false,
        hoppers: false,
        joker: true,
        gating: true,
        drops: false,
        hanging: true,
        staged_promotion: true,
        handicaps: true,
        reversible_pawns: false,
        initial_moves: true,
        irregular: false,
        goal: false,
        check_count: false,
        forbids_checks: false,
        bare_king: false,
        kingless: false,
        lone_king: false,
        first_rank_steps: false,
        forbids_shielding: false,
        royals: false,
        extinction: false,
        forces_captures: false,
        explosions: false,
        walls: false,
        flying_general: false,
        counting: false,
        piece_promotion: false,
    };
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
