//! An atlas of pieces: a list of pieces is measured by runs of `weigh`, and their values are put in
//! one table.

use std::sync::Arc;

use assay_rules::GameDef;
use assay_rules::def::{DefError, parse_toml};
use assay_selfplay::RecordedRun;
use assay_selfplay::settings::GameSource;
use serde::{Deserialize, Serialize};

use super::candidate::{HostArmy, Sides, definition_with_pieces};
use super::distinct;
use super::estimate::{EstimateModel, Known, features, predict_by_others};
use crate::values::data::material::kind_named;
use crate::values::data::{DataError, DataFile, Dataset};
use crate::values::design::PhaseModel;
use crate::values::inference::{Estimate, Fit, MeasuredValue, range};
use crate::values::results::reading::Stored;

/// Pieces of a run: as many as every standard army leaves letters for.
const PIECES_OF_RUN: usize = 18;

/// A list of pieces, as its file has it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PieceList {
    pub pieces: Vec<ListedPiece>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListedPiece {
    pub name: String,
    /// Movement in XBetza.
    #[serde(rename = "move")]
    pub movement: String,
    /// Boards on which it is measured, as `weigh --board` names them.
    pub boards: Vec<String>,
    #[serde(default)]
    pub published: Vec<PublishedValue>,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct PublishedValue {
    /// In pawns, or as a multiple of the knight's 3.
    #[serde(deserialize_with = "range::any")]
    pub value: f64,
    pub by: String,
    pub source: String,
}

/// A run that measures some of the pieces.
#[derive(Clone, Debug)]
pub struct AtlasRun<'l> {
    pub board: &'l str,
    /// Those of its pieces that are on the list.
    pub pieces: Vec<&'l ListedPiece>,
    /// Number among the runs on this board, from 1.
    pub number: usize,
    /// Its game, which also has the pieces that are no longer on the list.
    pub source: GameSource,
}

impl PieceList {
    /// Reads a list; `file` is its name in error messages.
    ///
    /// # Errors
    /// If the text is no valid list.
    pub fn parse(text: &str, file: &str) -> Result<PieceList, DefError> {
        parse_toml(text, file)
    }

    /// The runs that measure all pieces, a board after the other. A run keeps the pieces with which
    /// it was started; pieces that no run has are measured by further runs. `started` gives the
    /// game of the run on a board with a number, if there is one.
    ///
    /// # Errors
    /// If a board is unknown, a movement is invalid, or the game of a run cannot be read.
    pub fn runs(
        &self,
        started: &dyn Fn(&str, usize) -> Result<Option<GameSource>, DataError>,
    ) -> Result<Vec<AtlasRun<'_>>, DataError> {
        let error = |error: DefError| DataError::Contents(error.to_string());
        let mut runs = Vec::new();
        for board in distinct(self.pieces.iter().flat_map(|piece| &piece.boards)) {
            let army: HostArmy =
                board.parse().map_err(|message| DataError::Contents(format!("boards: found `{board}`, {message}")))?;
            let mut new: Vec<&ListedPiece> = self.pieces.iter().filter(|piece| piece.boards.contains(board)).collect();
            let listed = new.len();
            let mut free = Vec::new();
            for number in 1.. {
                // There may be as many runs as pieces, and new pieces need numbers of their own.
                if number > listed && free.len() * PIECES_OF_RUN >= new.len() {
                    break;
                }
                let Some(source) = started(board, number)? else {
                    free.push(number);
                    continue;
                };
                let is_known = |piece: &&ListedPiece| kind_named(&source.game, &piece.movement).is_some();
                let (pieces, rest) = new.into_iter().partition(is_known);
                new = rest;
                runs.push(AtlasRun { board, pieces, number, source });
            }
            for (pieces, number) in new.chunks(PIECES_OF_RUN).zip(free) {
                let movements: Vec<&str> = pieces.iter().map(|piece| piece.movement.as_str()).collect();
                let definition = definition_with_pieces(&movements, &army.into(), Sides::Both).map_err(error)?;
                let source = GameSource::from_text(definition, "atlas").map_err(error)?;
                runs.push(AtlasRun { board, pieces: pieces.to_vec(), number, source });
            }
        }
        runs.retain(|run| !run.pieces.is_empty());
        Ok(runs)
    }
}

/// The pieces that were measured, by board from the smallest and by descending value.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct Atlas {
    pub assay: String,
    pub pieces: Vec<MeasuredPiece>,
    /// Pieces with an unbounded interval: name, movement and board.
    #[serde(default)]
    pub unmeasured: Vec<String>,
    /// The regression of the values on the moves of the pieces; `None` if they are too few.
    pub estimate: Option<EstimateModel>,
    /// Runs whose results are separated, so that their values are from a penalized fit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub separated: Vec<String>,
    pub files: Vec<DataFile>,
}

/// Why a measured value is not to be relied on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub enum Doubt {
    /// Its interval reaches zero: the games do not even show that the piece is worth anything.
    #[serde(rename = "may be worth nothing")]
    ReachesZero,
    /// It is outside the interval that the other pieces predict for these moves.
    #[serde(rename = "contradicts its moves")]
    ContradictsMoves,
}

impl Doubt {
    pub const fn text(self) -> &'static str {
        match self {
            Doubt::ReachesZero => "may be worth nothing",
            Doubt::ContradictsMoves => "contradicts its moves",
        }
    }
}

#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct MeasuredPiece {
    pub name: String,
    pub movement: String,
    pub board: String,
    /// On the scale of the customary values of the army, with an interval that holds together with
    /// those of the other pieces of the run.
    pub value: Estimate,
    #[serde(deserialize_with = "range::non_negative")]
    pub standard_error: f64,
    /// `None` if nothing speaks against the value.
    #[serde(default)]
    pub doubt: Option<Doubt>,
    pub published: Vec<PublishedValue>,
    /// Games of its run.
    #[serde(deserialize_with = "range::count")]
    pub games: usize,
}

impl MeasuredPiece {
    /// The piece as the model of the moves sees it; `None` if its board or movement is unknown.
    pub(super) fn known(&self) -> Option<Known> {
        let army: HostArmy = self.board.parse().ok()?;
        let definition = definition_with_pieces(&[&self.movement], &army.into(), Sides::Both).ok()?;
        let game = Arc::new(GameDef::from_toml(&definition, "atlas").ok()?);
        Some(Known {
            movement: self.movement.clone(),
            board: self.board.clone(),
            features: features(&game, kind_named(&game, &self.movement)?),
            value: self.value.value,
            standard_error: self.standard_error,
        })
    }
}

impl Atlas {
    /// Adds the pieces of a run, measured from its games.
    ///
    /// # Errors
    /// If the games cannot be read or are too few.
    pub fn add(&mut self, run: &AtlasRun<'_>, games: &dyn RecordedRun) -> Result<(), DataError> {
        let data = Dataset::read(&[games])?;
        let too_few = |fault: String| DataError::at(games.name(), fault);
        let (fit, separated) =
            Fit::of_separated_games(&data, PhaseModel::Constant).map_err(|error| too_few(error.to_string()))?;
        let scale = fit
            .published_table()
            .ok_or_else(|| too_few("found too few games for a scale, expected more".to_owned()))?;
        for piece in &run.pieces {
            let is_measured =
                |(_, value): &(usize, &MeasuredValue)| value.piece == piece.movement && value.measured.ends().is_some();
            let Some((index, scaled)) = scale.values.iter().enumerate().find(is_measured) else {
                self.unmeasured.push(format!("{} ({}), {}", piece.name, piece.movement, run.board));
                continue;
            };
            let (value, standard_error) = (scaled.measured, scale.covariance[index][index].sqrt());
            self.pieces.push(MeasuredPiece {
                name: piece.name.clone(),
                movement: piece.movement.clone(),
                board: run.board.to_owned(),
                value,
                standard_error,
                doubt: None,
                published: piece.published.clone(),
                games: data.games.len(),
            });
        }
        if !separated.is_empty() {
            self.separated.push(games.name());
        }
        self.files.extend(data.files);
        Ok(())
    }

    /// Sorts the pieces, and judges them by a model of their moves.
    pub fn judge(&mut self) {
        let known: Option<Vec<Known>> = self.pieces.iter().map(MeasuredPiece::known).collect();
        let known = known.unwrap_or_default();
        let predictions = predict_by_others(&known);
        self.estimate = EstimateModel::new(&known, &predictions);
        for (index, piece) in self.pieces.iter_mut().enumerate() {
            let predicted = predictions.get(index).copied().flatten();
            let contradicts = predicted.is_some_and(|predicted| !predicted.contains(piece.value.value));
            let reaches_zero = piece.value.ends().is_none_or(|(low, _, _)| low <= 0.0);
            piece.doubt = reaches_zero.then_some(Doubt::ReachesZero).or(contradicts.then_some(Doubt::ContradictsMoves));
        }
        self.pieces.sort_by(|one, other| {
            // `10x8` after `8x8`.
            let boards = (one.board.len(), &one.board).cmp(&(other.board.len(), &other.board));
            boards.then(other.value.value.total_cmp(&one.value.value))
        });
    }
}

impl Stored for Atlas {
    const COMMAND: &'static str = "weigh --pieces";
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: &dyn Fn(&str, usize) -> Result<Option<GameSource>, DataError> = &|_, _| Ok(None);

    #[test]
    fn the_committed_list_can_be_measured() {
        let list = include_str!("../../../testdata/atlas/pieces.toml");
        let list = PieceList::parse(list, "pieces.toml").unwrap();
        let runs = list.runs(NONE).unwrap();
        let measured: usize = runs.iter().map(|run| run.pieces.len()).sum();
        let listed: usize = list.pieces.iter().map(|piece| piece.boards.len()).sum();
        assert_eq!(measured, listed);
        assert!(
            list.pieces.iter().flat_map(|piece| &piece.published).all(|known| known.source.starts_with("https://"))
        );
    }

    #[test]
    fn rejects_lists_with_errors() {
        let error = |piece: &str| {
            let list = PieceList::parse(&format!("pieces = [{piece}]"), "a.toml");
            list.map_or_else(|error| error.to_string(), |list| list.runs(NONE).unwrap_err().to_string())
        };
        let found = error(r#"{ name = "wazir", move = "W", boards = ["9x9"] }"#);
        assert!(found.starts_with("boards: ") && found.contains("9x9"), "{found}");
        let found = error(r#"{ name = "wazir", move = "W", board = ["8x8"] }"#);
        assert!(found.starts_with("a.toml:1:") && found.contains("board"), "{found}");
    }

    #[test]
    fn a_longer_list_continues_all_runs() {
        let piece = |number: usize| format!("{{ name = \"{number}\", move = \"W{number}\", boards = [\"8x8\"] }}");
        let list = |numbers: &[usize]| {
            let pieces: Vec<String> = numbers.iter().map(|&number| piece(number)).collect();
            PieceList::parse(&format!("pieces = [{}]", pieces.join(",")), "a.toml").unwrap()
        };
        let short = list(&(1..=20).collect::<Vec<_>>());
        let first = short.runs(NONE).unwrap();
        let started = |_: &str, number: usize| Ok(first.get(number - 1).map(|run| run.source.clone()));
        // A piece at the end, one at the beginning, and without the second.
        let numbers: Vec<usize> = [22, 1].into_iter().chain(3..=21).collect();
        let long = list(&numbers);
        let runs = long.runs(&started).unwrap();
        let sizes: Vec<usize> = runs.iter().map(|run| run.pieces.len()).collect();
        assert_eq!(sizes, [17, 2, 2]);
        for (run, first) in runs.iter().zip(&first) {
            assert_eq!(run.source.rules_hash(), first.source.rules_hash());
        }
        assert_eq!(runs[2].number, 3);
    }
}
