//! Rulesets of user-defined games, which read the movement of each kind from the tables.
//!
//! Most games need only leaps, slides, hops and cannons. The plain rulesets compile nothing else
//! and are faster than the general ones.

use super::{Mechanics, PieceMovement, Ruleset};

/// Any game with [plain](Mechanics::PLAIN) mechanics on at most 8 files and 8 ranks.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plain64;

/// Any game with [plain](Mechanics::PLAIN) mechanics.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plain128;

/// Any game on at most 8 files and 8 ranks.
#[derive(Clone, Copy, Debug, Default)]
pub struct General64;

/// Any game.
#[derive(Clone, Copy, Debug, Default)]
pub struct General128;

macro_rules! general {
    ($ruleset:ty, $word:ty, $mechanics:expr) => {
        impl Ruleset for $ruleset {
            type Word = $word;
            const NAME: Option<&'static str> = None;
            const WEIGHTS: Option<&'static str> = None;
            const NETWORK: Option<&'static [u8]> = None;
            const MECHANICS: Mechanics = $mechanics;
            const KINDS: &'static [PieceMovement] = &[];
        }
    };
}

general!(Plain64, u64, Mechanics::PLAIN);
general!(Plain128, u128, Mechanics::PLAIN);
general!(General64, u64, Mechanics::all());
general!(General128, u128, Mechanics::all());
