//! Counts of moves within which a side must mate.

use super::super::error::DefError;
use super::super::file::Source;
use crate::types::definition::{BoardCount, CountingRule, GameDef};
use crate::types::piece::Kind;
use crate::types::turn::MAX_COUNT_LIMIT;

/// Largest number of moves in a count.
const MAX_MOVES: u32 = MAX_COUNT_LIMIT / 2;

impl Source<'_> {
    /// Reads the counts.
    pub(super) fn counting(&self, game: &mut GameDef) -> Result<(), DefError> {
        let Some(raw) = self.raw.endings.as_ref().and_then(|endings| endings.counting.as_ref()) else {
            return Ok(());
        };
        let plies = |key: &str, moves: u32| {
            let message = || format!("found {moves}, expected 1 to {MAX_MOVES} moves");
            let is_possible = (1..=MAX_MOVES).contains(&moves);
            is_possible.then_some(2 * moves).ok_or_else(|| self.error(key, message()))
        };
        let mut armies = Vec::new();
        for (letters, &moves) in &raw.armies {
            let key = format!("endings.counting.armies.{letters}");
            let mut army: Vec<Kind> = Vec::new();
            for letter in letters.chars() {
                army.extend(self.kinds_of(game, &key, &letter.to_string())?);
            }
            if army.iter().any(|&kind| Some(kind) == game.king || kind == game.pawn) {
                let message = format!("found `{letters}`, expected pieces besides kings and pawns, like \"RR\"");
                return Err(self.error(&key, message));
            }
            army.sort_unstable();
            armies.push((army, plies(&key, moves)?));
        }
        let board = match (raw.moves, raw.most_pieces) {
            (None, Some(most)) => {
                let message = format!("found {most}, expected the key only with `moves`");
                return Err(self.error("endings.counting.most-pieces", message));
            }
            (Some(_), Some(most)) if most < 2 => {
                let message = format!("found {most}, expected 2 or more pieces");
                return Err(self.error("endings.counting.most-pieces", message));
            }
            (None, None) => None,
            (Some(moves), most_pieces) => {
                Some(BoardCount { plies: plies("endings.counting.moves", moves)?, most_pieces })
            }
        };
        if board.is_none() && armies.is_empty() {
            let message = "found no moves, expected `moves`, `armies` or both";
            return Err(self.error("endings.counting", message));
        }
        game.counting = Some(CountingRule { board, armies, from_pieces: raw.from_pieces.unwrap_or(false) });
        Ok(())
    }
}
