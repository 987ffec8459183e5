use super::{Chess, Mechanics, PieceMovement, Ruleset};

/// Gunnery Chess: pawns also capture by cannon.
#[derive(Clone, Copy, Debug, Default)]
pub struct Gunnery;

impl Ruleset for Gunnery {
    type Word = u64;
    const NAME: Option<&'static str> = Some("gunnery");
    const WEIGHTS: Option<&'static str> = Some(include_str!("../../weights/gunnery.toml"));
    const NETWORK: Option<&'static [u8]> = Some(include_bytes!("../../networks/gunnery.network"));
    const MECHANICS: Mechanics = Chess::MECHANICS.union(Mechanics::CANNON);
    const KINDS: &'static [PieceMovement] = Chess::KINDS;
}
