use super::{Lines, Mechanics, PieceMovement, Ruleset};

/// Orthodox chess.
#[derive(Clone, Copy, Debug, Default)]
pub struct Chess;

impl Ruleset for Chess {
    type Word = u64;
    const NAME: Option<&'static str> = Some("chess");
    const WEIGHTS: Option<&'static str> = Some(include_str!("../../weights/chess.toml"));
    const NETWORK: Option<&'static [u8]> = Some(include_bytes!("../../networks/chess.network"));
    const MECHANICS: Mechanics = Mechanics {
        castling: true,
        castling_from_any_file: false,
        en_passant: true,
        cannon: false,
        hoppers: false,
        joker: false,
        gating: false,
        drops: false,
        hanging: false,
        staged_promotion: false,
        handicaps: false,
        reversible_pawns: false,
        initial_moves: false,
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
        PieceMovement::slider(Lines::ORTHOGONAL),
        PieceMovement::slider(Lines::DIAGONAL),
        PieceMovement::LEAPER,
        PieceMovement::PAWN,
    ];
}
