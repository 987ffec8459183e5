//! Apothecary Chess 2: 10x10 and eight hanging squares, a joker in the pocket.

use crate::position::compiled;
use crate::recipe::{Lines, Recipe, Role};
use crate::ruleset::{Mechanics, Ruleset};

/// Apothecary Chess 2: 10x10 and eight hanging squares, a joker in the pocket.
#[derive(Clone, Copy, Debug, Default)]
pub struct Apothecary2;

impl Ruleset for Apothecary2 {
    type Word = u128;
    const NAME: Option<&'static str> = Some("apothecary2");
    const MECHANICS: Mechanics = Mechanics {
        castling: false,
        en_passant: true,
        cannon: false,
        hoppers: false,
        joker: true,
        gating: true,
        hanging: true,
        staged_promotion: true,
        handicaps: true,
        first_moves: true,
        others: false,
    };
    const KINDS: &'static [Recipe] = &[
        Recipe::KING,
        Recipe::slider(Lines::ALL),
        // Chancellor and archbishop.
        Recipe {
            leap_moves: true,
            leap_captures: true,
            ..Recipe::slider(Lines::STRAIGHT)
        },
        Recipe {
            leap_moves: true,
            leap_captures: true,
            ..Recipe::slider(Lines::DIAGONAL)
        },
        Recipe::slider(Lines::STRAIGHT),
        Recipe::slider(Lines::DIAGONAL),
        // Knight, elephant, zebra, camel: each has leaps that only move.
        Recipe {
            leaps_alike: false,
            ..Recipe::LEAPER
        },
        Recipe {
            leaps_alike: false,
            first: true,
            ..Recipe::LEAPER
        },
        Recipe {
            leaps_alike: false,
            first: true,
            ..Recipe::LEAPER
        },
        Recipe {
            leaps_alike: false,
            first: true,
            ..Recipe::LEAPER
        },
        Recipe {
            role: Role::Joker,
            ..Recipe::NONE
        },
        Recipe::PAWN,
    ];
}

compiled!(Apothecary2);
