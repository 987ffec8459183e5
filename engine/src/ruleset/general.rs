//! Rulesets that serve any game, with every mechanic in place.

use crate::position::compiled;
use crate::recipe::Recipe;
use crate::ruleset::{Mechanics, Ruleset};

/// Any game on at most 8 files and 8 ranks.
#[derive(Clone, Copy, Debug, Default)]
pub struct General64;

/// Any game.
#[derive(Clone, Copy, Debug, Default)]
pub struct General128;

impl Ruleset for General64 {
    type Word = u64;
    const NAME: Option<&'static str> = None;
    const MECHANICS: Mechanics = Mechanics::ALL;
    const KINDS: &'static [Recipe] = &[];
}

impl Ruleset for General128 {
    type Word = u128;
    const NAME: Option<&'static str> = None;
    const MECHANICS: Mechanics = Mechanics::ALL;
    const KINDS: &'static [Recipe] = &[];
}

compiled!(General64);

compiled!(General128);
