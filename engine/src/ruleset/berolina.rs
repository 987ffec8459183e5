//! Berolina Chess: pawns move diagonally and capture straight ahead.

use crate::position::compiled;
use crate::recipe::{Lines, Recipe};
use crate::ruleset::{Mechanics, Ruleset};

/// Berolina Chess: pawns move diagonally and capture straight ahead.
#[derive(Clone, Copy, Debug, Default)]
pub struct Berolina;

impl Ruleset for Berolina {
    type Word = u64;
    const NAME: Option<&'static str> = Some("berolina");
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

compiled!(Berolina);
