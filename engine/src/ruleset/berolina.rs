use super::{Chess, Mechanics, PieceMovement, Ruleset};

/// Berolina Chess: pawns move diagonally and capture straight ahead.
#[derive(Clone, Copy, Debug, Default)]
pub struct Berolina;

impl Ruleset for Berolina {
    type Word = u64;
    const NAME: Option<&'static str> = Some("berolina");
    const WEIGHTS: Option<&'static str> = Some(include_str!("../../weights/berolina.toml"));
    const NETWORK: Option<&'static [u8]> = Some(include_bytes!("../../networks/berolina.network"));
    const MECHANICS: Mechanics = Chess::MECHANICS;
    const KINDS: &'static [PieceMovement] = Chess::KINDS;
}
