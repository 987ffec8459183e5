//! Squares that a piece could not leave, as in shogi.

use serde::Serialize;

use super::Mechanism;
use crate::variant::GameDef;

/// No piece may be put where it could [never move on](GameDef::is_mobile) without a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ForbiddenImmobility;

impl Mechanism for ForbiddenImmobility {
    fn sentences(&self, _game: &GameDef) -> Vec<String> {
        vec!["No piece may be put where it could move again only by a capture, or never.".to_owned()]
    }
}
