use super::{Gunnery, Mechanics, PieceMovement, Ruleset};

/// Scorpion Chess: Gunnery Chess whose pawns also leap sideways.
#[derive(Clone, Copy, Debug, Default)]
pub struct Scorpion;

impl Ruleset for Scorpion {
    type Word = u64;
    const NAME: Option<&'static str> = Some("scorpion");
    const WEIGHTS: Option<&'static str> = Some(include_str!("../../weights/scorpion.toml"));
    const NETWORK: Option<&'static [u8]> = Some(include_bytes!("../../networks/scorpion.network"));
    const MECHANICS: Mechanics = Gunnery::MECHANICS;
    const KINDS: &'static [PieceMovement] = Gunnery::KINDS;
}
