use super::{Lines, Mechanics, PieceMovement, Ruleset};

/// Orthodox chess.
#[derive(Clone, Copy, Debug, Default)]
pub struct Chess;

impl Ruleset for Chess {
    type Word = u64;
    const NAME: Option<&'static str> = Some("chess");
    const WEIGHTS: Option<&'static str> = Some(include_str!("../../weights/chess.toml"));
    const NETWORK: Option<&'static [u8]> = Some(include_bytes!("../../networks/chess.network"));
    const MECHANICS: Mechanics = Mechanics::CASTLING.union(Mechanics::EN_PASSANT);
    const KINDS: &'static [PieceMovement] = &[
        PieceMovement::KING,
        PieceMovement::slider(Lines::ALL),
        PieceMovement::slider(Lines::ORTHOGONAL),
        PieceMovement::slider(Lines::DIAGONAL),
        PieceMovement::LEAPER,
        PieceMovement::PAWN,
    ];
}
