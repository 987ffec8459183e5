//! Scorpion Chess: Gunnery Chess whose pawns also leap sideways.

use crate::position::compiled;
use crate::recipe::Recipe;
use crate::ruleset::{Gunnery, Mechanics, Ruleset};

/// Scorpion Chess: Gunnery Chess whose pawns also leap sideways.
#[derive(Clone, Copy, Debug, Default)]
pub struct Scorpion;

impl Ruleset for Scorpion {
    type Word = u64;
    const NAME: Option<&'static str> = Some("scorpion");
    const MECHANICS: Mechanics = Gunnery::MECHANICS;
    const KINDS: &'static [Recipe] = Gunnery::KINDS;
}

compiled!(Scorpion);
