//! Start positions.

use std::sync::Arc;

use super::super::error::DefError;
use super::super::file::Source;
use crate::position::{Position, Setup};
use crate::types::definition::{GameDef, Start};

impl Source<'_> {
    pub(super) fn starts(&self, game: &mut GameDef) -> Result<(), DefError> {
        if self.raw.starts.is_empty() {
            return Err(self.error(
                "starts",
                "missing: expected at least one [[starts]] with id, title and fen",
            ));
        }
        for (index, raw) in self.raw.starts.iter().enumerate() {
            let key = |field: &str| format!("starts.{index}.{field}");
            let id = self.required(&key("id"), raw.id.clone())?;
            let is_valid = !id.is_empty() && id.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
            if !is_valid || game.start(&id).is_some() {
                let message = format!("found `{id}`, expected a unique id of letters, digits and `-`");
                return Err(self.error(&key("id"), message));
            }
            let title = self.required(&key("title"), raw.title.clone())?;
            let fen = self.required(&key("fen"), raw.fen.clone())?;
            game.starts.push(Start { id, title, fen });
        }
        game.default_start = match &self.raw.default_start {
            None => 0,
            Some(id) => game.starts.iter().position(|start| start.id == *id).ok_or_else(|| {
                self.error(
                    "default-start",
                    format!("found `{id}`, expected the id of one of the starts"),
                )
            })?,
        };
        Ok(())
    }

    /// Every start must be a legal position without warnings.
    pub(super) fn validate_starts(&self, game: &Arc<GameDef>) -> Result<(), DefError> {
        for (index, start) in game.starts.iter().enumerate() {
            let key = format!("starts.{index}.fen");
            let setup = Setup::from_fen(game, &start.fen).map_err(|error| self.error(&key, error.to_string()))?;
            let (_, warnings) =
                Position::from_setup(game, &setup).map_err(|errors| self.error(&key, errors.to_string()))?;
            if let Some(warning) = warnings.first() {
                return Err(self.error(&key, warning.to_string()));
            }
        }
        Ok(())
    }
}
