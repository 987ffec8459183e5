//! Scorpion Chess: Gunnery Chess whose pawns also leap sideways.

use crate::position::compiled;
use crate::recipe::{Lines, Recipe};
use crate::ruleset::{Mechanics, Ruleset};

/// Scorpion Chess: Gunnery Chess whose pawns also leap sideways.
#[derive(Clone, Copy, Debug, Default)]
pub struct Scorpion;

impl Ruleset for Scorpion {
    type Word = u64;
    const NAME: Option<&'static str> = Some("scorpion");
    const MECHANICS: Mechanics = Mechanics {
        castling: true,
        en_passant: true,
        cannon: true,
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

compiled!(Scorpion);
