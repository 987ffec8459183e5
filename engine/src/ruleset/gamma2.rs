use super::{Chess, Lines, Mechanics, PieceMovement, Ruleset};

/// Gamma2 Chess on 10x8: Berolina pawns, ships and archers that capture over a screen.
#[derive(Clone, Copy, Debug, Default)]
pub struct Gamma2;

impl Ruleset for Gamma2 {
    type Word = u128;
    const NAME: Option<&'static str> = Some("gamma2");
    const WEIGHTS: Option<&'static str> = Some(include_str!("../../weights/gamma2.toml"));
    const NETWORK: Option<&'static [u8]> = Some(include_bytes!("../../networks/gamma2.network"));
    const MECHANICS: Mechanics = Chess::MECHANICS.union(Mechanics::HOPPERS);
    const KINDS: &'static [PieceMovement] = &[
        PieceMovement::KING,
        PieceMovement::slider(Lines::ALL),
        PieceMovement::slider(Lines::ORTHOGONAL),
        PieceMovement::slider(Lines::DIAGONAL),
        PieceMovement::LEAPER,
        PieceMovement::PAWN,
        // Ship and archer. Their steps along their own lines only capture: the slide already moves
        // there.
        PieceMovement {
            slide_moves: Lines::ORTHOGONAL,
            hop_captures: Lines::ORTHOGONAL,
            same_leaps: false,
            ..PieceMovement::LEAPER
        },
        PieceMovement {
            slide_moves: Lines::DIAGONAL,
            hop_captures: Lines::DIAGONAL,
            same_leaps: false,
            ..PieceMovement::LEAPER
        },
    ];
}
