//! The tags of imported games, beside the table of games.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use rusqlite::types::Value::{self, Blob, Integer, Text};
use serde_json::json;

use super::{Store, StoreError, row};
use crate::game::{GameRecord, GameTags};
use crate::settings::ImportSettings;

/// Inserts the tags of a game, with the parameters of [`encode`].
pub(super) const INSERT: &str = "INSERT INTO tags (idx, tags, digest) VALUES (?1, ?2, ?3)";

pub(super) fn encode(game: u64, tags: &GameTags) -> Vec<Value> {
    let mut columns = vec![Integer(game as i64), Text(json!(tags).to_string())];
    columns.push(Blob(row::digest(&columns)));
    columns
}

impl Store {
    /// Adds imported games with their tags in one transaction.
    ///
    /// # Errors
    /// If they cannot be written, or a game with the same number exists.
    pub fn add_imported(&mut self, games: &[(GameRecord, GameTags)]) -> Result<(), StoreError> {
        self.insert(games.iter().map(|(game, tags)| (game, Some(tags))))
    }

    /// Completes the settings of an import when all games have been added.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn finish_import(&mut self, import: &ImportSettings, games: u64) -> Result<(), StoreError> {
        let mut openings = json!(import);
        openings["source"] = json!("import");
        let update = "UPDATE run SET value = ?1 WHERE key = 'openings'";
        self.sql(|database| database.execute(update, [openings.to_string()]))?;
        self.extend(games)
    }

    /// The tags of the games with these numbers; empty for games that Assay has played.
    ///
    /// # Errors
    /// If the file cannot be read, or tags have changed since they were written.
    pub fn tags(&self, games: RangeInclusive<u64>) -> Result<BTreeMap<u64, GameTags>, StoreError> {
        if self.header.settings.import().is_none() {
            return Ok(BTreeMap::new());
        }
        let rows: Vec<[Value; 3]> = self.sql(|database| {
            let sql = "SELECT idx, tags, digest FROM tags WHERE idx BETWEEN ?1 AND ?2 ORDER BY idx";
            let mut statement = database.prepare_cached(sql)?;
            let ends = [*games.start() as i64, *games.end() as i64];
            let rows = statement.query_map(ends, |row| Ok([row.get(0)?, row.get(1)?, row.get(2)?]))?;
            rows.collect()
        })?;
        let decode = |[index, tags, digest]: [Value; 3]| {
            let columns = [index, tags];
            let [Integer(index), Text(text)] = &columns else {
                return Err(StoreError::damaged(&self.path, "found tags of another type, expected text"));
            };
            let is_intact = matches!(digest, Blob(digest) if digest == row::digest(&columns));
            let tags = serde_json::from_str(text).ok().filter(|_| is_intact);
            let tags = tags.ok_or_else(|| {
                self.invalid_record(
                    *index,
                    "the tags have changed since they were written: their digest does not match",
                )
            })?;
            Ok((*index as u64, tags))
        };
        rows.into_iter().map(decode).collect()
    }

    /// What is wrong with the tags of imported games, in words.
    pub(super) fn tag_problems(&self) -> Result<Vec<String>, StoreError> {
        if self.header.settings.import().is_none() {
            return Ok(Vec::new());
        }
        let mut problems = Vec::new();
        for index in self.indices()? {
            match self.tags(index..=index) {
                Ok(tags) if tags.is_empty() => {
                    problems.push(self.invalid_record(index as i64, "found no tags, expected some").to_string());
                }
                Ok(_) => {}
                Err(error) => problems.push(error.to_string()),
            }
        }
        Ok(problems)
    }
}
