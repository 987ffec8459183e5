//! Orthodox chess.

use crate::position::compiled;
use crate::recipe::{Lines, Recipe};
use crate::ruleset::{Mechanics, Ruleset};

/// Orthodox chess.
#[derive(Clone, Copy, Debug, Default)]
pub struct Chess;

impl Ruleset for Chess {
    type Word = u64;
    const NAME: Option<&'static str> = Some("chess");
    const MECHANICS: Mechanics = Mechanics {
        castling: true,
        en_passant: true,
        cannon: false,
        hoppers: false,
        joker: false,
        gating: false,
        hanging: false,
        staged_promotion: false,
        handicaps: false,
        first_moves: false,
        others: false,
    };
    const KINDS: &'static [Recipe] = &[
        Recipe::KING,
        Recipe::slider(Lines::ALL),
        Recipe::slider(Lines::STRAIGHT),
        Recipe::slider(Lines::DIAGONAL),
        Recipe::LEAPER,
        Recipe::PAWN,
    ];
}

compiled!(Chess);
