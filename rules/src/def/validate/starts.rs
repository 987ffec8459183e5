//! Start positions.

use super::super::keys::GameKeys;
use std::sync::Arc;

use crate::variant::mechanism::{KeyError, forbid, required};
use crate::variant::{GameDef, Position, Setup, Start};

impl GameKeys {
    /// The starts, and the index of the default one.
    pub(super) fn starts(&self) -> Result<(Vec<Start>, usize), KeyError> {
        let mut starts: Vec<Start> = Vec::new();
        forbid(self.starts.is_empty(), "starts", "missing: expected at least one [[starts]] with id, title and fen")?;
        for (index, raw) in self.starts.iter().enumerate() {
            let key = |field: &str| format!("starts.{index}.{field}");
            let id = required(&key("id"), raw.id.clone())?;
            let is_valid = !id.is_empty() && id.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
            let message = format!("found `{id}`, expected a unique id of letters, digits and `-`");
            forbid(!is_valid || starts.iter().any(|start| start.id == id), key("id"), message)?;
            let title = required(&key("title"), raw.title.clone())?;
            let fen = required(&key("fen"), raw.fen.clone())?;
            if raw.shuffled == Some(true) {
                let shuffled = shuffled(&fen).filter(|_| self.starts.len() == 1);
                starts = shuffled.ok_or_else(|| {
                    let message =
                        "found true, expected false, or only one start, with the array of chess: `rnbqkbnr/...`";
                    KeyError::new(key("shuffled"), message)
                })?;
                continue;
            }
            starts.push(Start { id, title, fen });
        }
        let is_shuffled = starts.len() > self.starts.len();
        let default_start = self.default_start.as_ref();
        let default = match default_start.or(self.starts[0].id.as_ref().filter(|_| is_shuffled)) {
            None => 0,
            Some(id) => starts.iter().position(|start| start.id == *id).ok_or_else(|| {
                KeyError::new("default-start", format!("found `{id}`, expected the id of one of the starts"))
            })?,
        };
        Ok((starts, default))
    }
}

/// Every start must be a legal position without warnings.
pub(super) fn check(game: &Arc<GameDef>) -> Result<(), KeyError> {
    for (index, start) in game.starts.iter().enumerate() {
        let key = format!("starts.{index}.fen");
        let setup = Setup::from_fen(game, &start.fen).map_err(|error| KeyError::new(&key, error.to_string()))?;
        let (_, warnings) =
            Position::from_setup(game, &setup).map_err(|errors| KeyError::new(&key, errors.to_string()))?;
        if let Some(warning) = warnings.first() {
            return Err(KeyError::new(&key, warning.to_string()));
        }
    }
    Ok(())
}

/// The 960 arrays of Chess960 by their numbers (Scharnagl), with the other ranks and fields of a
/// FEN. `None` if its first rank and its last one are not those of chess.
fn shuffled(fen: &str) -> Option<Vec<Start>> {
    let (inner, fields) = fen.strip_prefix("rnbqkbnr/")?.split_once("/RNBQKBNR ")?;
    let start = |number: usize| {
        let pieces: String = chess960_array(number).into_iter().collect();
        let fen = format!("{}/{inner}/{pieces} {fields}", pieces.to_ascii_lowercase());
        let (id, title) = (number.to_string(), format!("{pieces}, number {number} of 960"));
        Start { id, title, fen }
    };
    Some((0..960).map(start).collect())
}

/// White's array of a number below 960.
fn chess960_array(number: usize) -> [char; 8] {
    /// The two of the last five free squares that the knights take.
    const KNIGHTS: [[usize; 2]; 10] = [[0, 1], [0, 2], [0, 3], [0, 4], [1, 2], [1, 3], [1, 4], [2, 3], [2, 4], [3, 4]];
    let mut array = [None; 8];
    array[2 * (number % 4) + 1] = Some('B');
    array[2 * (number / 4 % 4)] = Some('B');
    let mut put = |free: usize, piece: char| {
        let mut squares = array.iter_mut().filter(|square| square.is_none());
        *squares.nth(free).expect("there are as many squares as pieces") = Some(piece);
    };
    put(number / 16 % 6, 'Q');
    let [first, second] = KNIGHTS[number / 96];
    put(second, 'N');
    put(first, 'N');
    for piece in ['R', 'K', 'R'] {
        put(0, piece);
    }
    array.map(|piece| piece.expect("all squares are taken"))
}
