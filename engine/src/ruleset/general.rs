//! Rulesets that serve users' games: the movement of each kind is read from the tables.
//!
//! What a loop need not ask makes it faster, so there are two sorts: plain ones for games whose pieces leap, slide, hop and fire
//! along lines, which most games are, and general ones with every mechanic in place.

use super::{Mechanics, PieceMovement, Ruleset};

/// Any game with plain mechanics on at most 8 files and 8 ranks.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plain64;

/// Any game with plain mechanics.
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
            const MECHANICS: Mechanics = $mechanics;
            const KINDS: &'static [PieceMovement] = &[];
        }
    };
}

general!(Plain64, u64, Mechanics::PLAIN);
general!(Plain128, u128, Mechanics::PLAIN);
general!(General64, u64, Mechanics::ALL);
general!(General128, u128, Mechanics::ALL);
