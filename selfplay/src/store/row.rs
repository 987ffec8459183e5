//! Rows of the table `games`.

use assay_rules::Points;
use rusqlite::types::Value::{self, Blob, Integer, Text};
use rusqlite::{Params, Row, params_from_iter};

use super::{cell, codec};
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

/// The first eight bytes of the BLAKE3 hash of all other columns, numbers first. SQLite itself does not notice when a byte of
/// its pages has changed.
fn digest(columns: &[Value]) -> Vec<u8> {
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
        hasher
            .update(&[1])
            .update(&(bytes.len() as u64).to_le_bytes())
            .update(bytes);
    }
    hasher.finalize().as_bytes()[..8].to_vec()
}

impl GameRow {
    pub(super) fn read(row: &Row<'_>) -> rusqlite::Result<GameRow> {
        let mut columns = [const { Value::Null }; 13];
        for (number, column) in columns.iter_mut().enumerate() {
            *column = cell::value(row, number)?;
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

    pub(super) fn decode(self) -> Result<GameRecord, String> {
        let is_intact = self.is_intact();
        let [
            index,
            pair,
            white,
            start,
            opening,
            material,
            result,
            end,
            fault,
            plies,
            moves,
            ended,
            _,
        ] = self.0;
        let named = |name: &'static str| move |why: String| format!("column {name}: {why}");
        let integer = |name, value| cell::integer_of(value).map_err(named(name));
        let text = |name, value| cell::text_of(value).map_err(named(name));
        let optional = |name, value| match value {
            Value::Null => Ok(None),
            value => text(name, value).map(Some),
        };
        let number = |name: &str, value: i64| {
            u64::try_from(value).map_err(|_| format!("found {name} {value}, expected a number from 0"))
        };
        let index = number("game", integer("idx", index)?)?;
        let pair = number("pair", integer("pair", pair)?)?;
        let (white, result, plies) = (
            integer("white", white)?,
            integer("result", result)?,
            integer("plies", plies)?,
        );
        let (end, fault) = (text("end", end)?, optional("fault", fault)?);
        let moves = codec::decode(&cell::bytes_of(moves).map_err(named("moves"))?)?;
        if plies != moves.len() as i64 {
            return Err(format!("found {} moves, expected {plies}", moves.len()));
        }
        let points = u8::try_from(result).ok().and_then(Points::from_quarters);
        let fault = fault.as_deref().map(serde_json::from_str).transpose();
        let fault: Option<FaultRecord> = fault.map_err(|error| format!("fault: {error}"))?;
        if let Some(FaultRecord {
            player: player @ 2.., ..
        }) = fault
        {
            return Err(format!("fault: found player {player}, expected 0 or 1"));
        }
        let record = GameRecord {
            index,
            pair,
            white: usize::from(white != 0),
            start_fen: text("start", start)?,
            opening: text("opening", opening)?,
            material: optional("material", material)?,
            moves,
            result: points.ok_or_else(|| format!("found result {result}, expected 0 to 4 quarter points"))?,
            end: GameEnd::from_name(&end).ok_or_else(|| format!("found unknown end `{end}`"))?,
            fault,
            ended: optional("ended", ended)?,
        };
        if !is_intact {
            return Err(DIGEST_MISMATCH.to_owned());
        }
        Ok(record)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::FaultKind;

    #[test]
    fn names_of_older_files_are_read() {
        let record = GameRecord {
            index: 0,
            pair: 0,
            white: 0,
            start_fen: "startpos".to_owned(),
            opening: "start".to_owned(),
            material: None,
            moves: Vec::new(),
            result: Points::LOSS,
            end: GameEnd::Fault(FaultKind::Malformed),
            fault: None,
            ended: None,
        };
        let mut columns = encode(&record);
        columns[7] = Text("garbled-move".to_owned());
        columns[12] = Blob(digest(&columns[..12]));
        let row = GameRow(columns.try_into().unwrap());
        assert_eq!(row.decode(), Ok(record));
    }
}
