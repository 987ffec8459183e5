//! Gunnery Chess: pawns also capture by cannon.

use crate::position::compiled;
use crate::recipe::{Lines, Recipe};
use crate::ruleset::{Mechanics, Ruleset};

/// Gunnery Chess: pawns also capture by cannon.
#[derive(Clone, Copy, Debug, Default)]
pub struct Gunnery;

impl Ruleset for Gunnery {
    type Word = u64;
    const NAME: Option<&'static str> = Some("gunnery");
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

compiled!(Gunnery);
