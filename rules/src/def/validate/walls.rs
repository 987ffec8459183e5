//! Walls.

use super::super::error::DefError;
use super::super::file::{RawWalls, Source};
use crate::types::definition::{GameDef, WallRule, Walls};

impl Source<'_> {
    /// Reads the walls, after drops, gating and explosions.
    pub(super) fn walls(&self, game: &mut GameDef) -> Result<(), DefError> {
        let Some(raw) = &self.raw.walls else { return Ok(()) };
        let excluded = [
            (!game.board.hanging().is_empty(), "hanging squares"),
            (game.has_pawn_cannon, "cannon pawns"),
            (!game.pocket_kinds().is_empty(), "pockets"),
        ];
        if let Some((_, other)) = excluded.into_iter().find(|(found, _)| *found) {
            let message = format!("found walls, expected none in a game with {other}");
            return Err(self.error("walls", message));
        }
        let rule = self.wall_rule(game, raw)?;
        let key = "walls.petrified";
        let petrified = self.kinds_of(game, key, raw.petrified.as_deref().unwrap_or_default())?;
        if let Some(&kind) = petrified.iter().find(|&&kind| game.is_royal(kind) || kind == game.pawn) {
            let letter = game.kind(kind).letter;
            let message = format!("found {letter}, a royal piece or the pawn, expected others");
            return Err(self.error(key, message));
        }
        let excluded = [(rule == Some(WallRule::Duck), "a duck"), (game.explosions.is_some(), "explosions")];
        if let Some((_, other)) = excluded.into_iter().find(|(found, _)| *found && !petrified.is_empty()) {
            let message = format!("found pieces that become walls, expected none in a game with {other}");
            return Err(self.error(key, message));
        }
        game.walls = Some(Walls { rule, petrified });
        Ok(())
    }

    fn wall_rule(&self, game: &GameDef, raw: &RawWalls) -> Result<Option<WallRule>, DefError> {
        let key = "walls.each-move";
        let rule = match raw.each_move.as_deref() {
            None => return Ok(None),
            Some("duck") => WallRule::Duck,
            Some("past") => WallRule::Past,
            Some(found) => return Err(self.error(key, format!("found `{found}`, expected `duck` or `past`"))),
        };
        let is_from_any_file = || {
            let castling = self.raw.castling.as_ref();
            castling.is_some_and(|castling| castling.from_any_file == Some(true))
        };
        let excluded = [
            (game.all_kinds().any(|kind| game.is_royal(kind)), "royal pieces"),
            (game.explosions.is_some(), "explosions"),
            (is_from_any_file(), "castling from any file"),
        ];
        match excluded.into_iter().find(|(found, _)| *found) {
            None => Ok(Some(rule)),
            Some((_, other)) => {
                Err(self.error(key, format!("found a wall with each move, expected none in a game with {other}")))
            }
        }
    }
}
