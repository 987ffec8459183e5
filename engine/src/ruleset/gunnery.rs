//! Gunnery Chess: pawns also capture by cannon.

use crate::position::compiled;
use crate::recipe::Recipe;
use crate::ruleset::{Chess, Mechanics, Ruleset};

/// Gunnery Chess: pawns also capture by cannon.
#[derive(Clone, Copy, Debug, Default)]
pub struct Gunnery;

impl Ruleset for Gunnery {
    type Word = u64;
    const NAME: Option<&'static str> = Some("gunnery");
    const MECHANICS: Mechanics = Mechanics {
        cannon: true,
        ..Chess::MECHANICS
    };
    const KINDS: &'static [Recipe] = Chess::KINDS;
}

compiled!(Gunnery);
