//! Rows of the table `games`.

use assay_rules::Points;
use rusqlite::types::Value::{self, Blob, Integer, Text};
use rusqlite::{Params, Row, params_from_iter};

use crate::game::codec;
use crate::game::{FaultRecord, GameEnd, GameRecord};

/// The columns in the order of a row.
pub(super) const COLUMNS: &str =
    "idx, pair, white, start, opening, material, result, end, fault, plies, moves, ended, digest";

/// What is wrong with a row whose digest does not match.
pub(super) const DIGEST_MISMATCH: &str = "the record has changed since it was written: its digest does not match";

/// A row, not yet validated.
#[derive(Debug)]
pub(super) struct GameRow([Value; 13]);

/// The row of a game.
pub(super) fn encode(game: &GameRecord) -> Vec<Value> {
    let fault = game.fault.as_ref().map(|fault| serde_json::json!(fault).to_string());
    let mut row = vec![
        Integer(game.index as i64),
        Integer(game.pair as i64),
        Integer(game.white as i64),
        Text(game.start_fen.clone()),
        Text(game.opening.clone()),
        game.material.clone().into(),
        Integer(game.result.quarters().into()),
        Text(game.end.name().to_owned()),
        fault.into(),
        Integer(game.moves.len() as i64),
        Blob(codec::encode(&game.moves)),
        game.ended.clone().into(),
    ];
    row.push(Blob(digest(&row)));
    row
}

/// The first eight bytes of the BLAKE3 hash of all other columns, numbers first. SQLite itself does
/// not notice when a byte of its pages has changed.
pub(super) fn digest(columns: &[Value]) -> Vec<u8> {
    let mut hasher = blake3::Hasher::new();
    for column in columns {
        if let Integer(number) = column {
            hasher.update(&number.to_le_bytes());
        }
    }
    for column in columns {
        let bytes = match column {
            Text(text) => text.as_bytes(),
            Blob(bytes) => bytes,
            Value::Null => {
                hasher.update(&[0]);
                continue;
            }
            Integer(_) | Value::Real(_) => continue,
        };
        hasher.update(&[1]).update(&(bytes.len() as u64).to_le_bytes()).update(bytes);
    }
    hasher.finalize().as_bytes()[..8].to_vec()
}

impl GameRow {
    pub(super) fn read(row: &Row<'_>) -> rusqlite::Result<GameRow> {
        let mut columns = [const { Value::Null }; 13];
        for (number, column) in columns.iter_mut().enumerate() {
            // Text that is not UTF-8 was not written by Assay, and the digest says so.
            *column = row.get_ref(number)?.try_into().unwrap_or(Value::Null);
        }
        Ok(GameRow(columns))
    }

    /// The columns as parameters of an insertion.
    pub(super) fn values(&self) -> impl Params {
        params_from_iter(&self.0)
    }

    pub(super) fn digest(&self) -> &Value {
        &self.0[12]
    }

    /// Returns true if the row is as it was written.
    pub(super) fn is_intact(&self) -> bool {
        matches!(self.digest(), Blob(found) if *found == digest(&self.0[..12]))
    }

    /// The number of the opening.
    pub(super) fn pair(&self) -> i64 {
        match self.0[1] {
            Integer(pair) => pair,
            _ => -1,
        }
    }

    /// The number of the game.
    pub(super) fn index(&self) -> i64 {
        match self.0[0] {
            Integer(index) => index,
            _ => 0,
        }
    }

    /// # Errors
    /// If the row has changed since it was written, or is not one that Assay writes.
    pub(super) fn decode(self) -> Result<GameRecord, String> {
        if !self.is_intact() {
            return Err(DIGEST_MISMATCH.to_owned());
        }
        let [
            Integer(index),
            Integer(pair),
            Integer(white @ 0..=1),
            Text(start_fen),
            Text(opening),
            material,
            Integer(result),
            Text(end),
            fault,
            Integer(plies),
            Blob(moves),
            ended,
            _,
        ] = self.0
        else {
            return Err("found a value of another type, expected the columns of a game".to_owned());
        };
        let optional = |value| match value {
            Text(text) => Some(text),
            _ => None,
        };
        let fault: Option<FaultRecord> = match optional(fault) {
            None => None,
            Some(text) => Some(serde_json::from_str(&text).map_err(|error| format!("fault: {error}"))?),
        };
        if let Some(player) = fault.as_ref().map(|fault| fault.player).filter(|&player| player > 1) {
            return Err(format!("fault: found player {player}, expected 0 or 1"));
        }
        let moves = codec::decode(&moves)?;
        if plies != moves.len() as i64 {
            return Err(format!("found {} moves, expected {plies}", moves.len()));
        }
        let number =
            |number: i64| u64::try_from(number).map_err(|_| format!("found {number}, expected a number from 0"));
        let points = u8::try_from(result).ok().and_then(Points::from_quarters);
        Ok(GameRecord {
            index: number(index)?,
            pair: number(pair)?,
            white: white as usize,
            start_fen,
            opening,
            material: optional(material),
            moves,
            result: points.ok_or_else(|| format!("found result {result}, expected 0 to 4 quarter points"))?,
            end: GameEnd::from_name(&end).ok_or_else(|| format!("found unknown end `{end}`"))?,
            fault,
            ended: optional(ended),
        })
    }
}
