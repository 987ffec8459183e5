//! Gamma2 Chess on 10x8: Berolina pawns, ships and archers that capture over a screen.

use crate::position::compiled;
use crate::recipe::{Lines, Recipe};
use crate::ruleset::{Chess, Mechanics, Ruleset};

/// Gamma2 Chess on 10x8: Berolina pawns, ships and archers that capture over a screen.
#[derive(Clone, Copy, Debug, Default)]
pub struct Gamma2;

impl Ruleset for Gamma2 {
    type Word = u128;
    const NAME: Option<&'static str> = Some("gamma2");
    const MECHANICS: Mechanics = Mechanics {
        hoppers: true,
        ..Chess::MECHANICS
    };
    const KINDS: &'static [Recipe] = &[
        Recipe::KING,
        Recipe::slider(Lines::ALL),
        Recipe::slider(Lines::STRAIGHT),
        Recipe::slider(Lines::DIAGONAL),
        Recipe::LEAPER,
        Recipe::PAWN,
        // Ship and archer: of their steps, those along their own lines only capture, since the slide moves there already.
        Recipe {
            slide_moves: Lines::STRAIGHT,
            hop_captures: Lines::STRAIGHT,
            leaps_alike: false,
            ..Recipe::LEAPER
        },
        Recipe {
            slide_moves: Lines::DIAGONAL,
            hop_captures: Lines::DIAGONAL,
            leaps_alike: false,
            ..Recipe::LEAPER
        },
    ];
}

compiled!(Gamma2);
