//! Walls.

use super::super::error::DefError;
use super::super::file::{RawWalls, Source};
use crate::types::definition::{GameDef, WallRule, Walls};

impl Source<'_> {
    /// Reads the walls.
    pub(super) fn walls(&self, game: &mut GameDef) -> Result<(), DefError> {
        let Some(raw) = &self.raw.walls else { return Ok(()) };
        let rule = self.wall_rule(raw)?;
        let key = "walls.petrified";
        let petrified = self.kinds_of(game, key, raw.petrified.as_deref().unwrap_or_default())?;
        if let Some(&kind) = petrified.iter().find(|&&kind| game.is_royal(kind) || kind == game.pawn) {
            let letter = game.kind(kind).letter;
            let message = format!("found {letter}, a royal piece or the pawn, expected others");
            return Err(self.error(key, message));
        }
        game.walls = Some(Walls { rule, petrified });
        Ok(())
    }

    fn wall_rule(&self, raw: &RawWalls) -> Result<Option<WallRule>, DefError> {
        match raw.each_move.as_deref() {
            None => Ok(None),
            Some("duck") => Ok(Some(WallRule::Duck)),
            Some("past") => Ok(Some(WallRule::Past)),
            Some(found) => Err(self.error("walls.each-move", format!("found `{found}`, expected `duck` or `past`"))),
        }
    }
}
