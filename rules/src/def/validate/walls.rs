//! Walls.

use super::super::error::DefError;
use super::super::file::Source;
use crate::types::definition::{GameDef, Walls};

impl Source<'_> {
    /// Reads the walls.
    pub(super) fn walls(&self, game: &mut GameDef) -> Result<(), DefError> {
        let Some(raw) = &self.raw.walls else { return Ok(()) };
        let key = "walls.petrified";
        let petrified = self.kinds_of(game, key, raw.petrified.as_deref().unwrap_or_default())?;
        if let Some(&kind) = petrified.iter().find(|&&kind| game.is_royal(kind) || kind == game.pawn) {
            let letter = game.kind(kind).letter;
            let message = format!("found {letter}, a royal piece or the pawn, expected others");
            return Err(self.error(key, message));
        }
        game.walls = Some(Walls { rule: raw.each_move, petrified });
        Ok(())
    }
}
