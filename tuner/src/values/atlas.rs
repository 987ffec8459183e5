//! An atlas of pieces: a list of pieces is measured by runs of `weigh`, and their values are put in one table.

use std::path::{Path, PathBuf};

use assay_cli::args;
use assay_rules::def::{DefError, parse_toml};
use serde::{Deserialize, Serialize};

use super::candidate::{HostArmy, Sides, definition_with_pieces};
use super::distinct;
use super::estimate::{EstimateModel, Known, features};
use crate::values::data::material::kind_named;
use crate::values::data::{DataError, DataFile, Dataset};
use crate::values::design::PhaseModel;
use crate::values::inference::{Fit, IntervalEstimate, PublishedScale, ScaledValue};

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
    pub value: f64,
    pub by: String,
    pub source: String,
}

/// A run that measures some of the pieces.
#[derive(Clone, Debug)]
pub struct AtlasRun<'l> {
    pub board: &'l str,
    pub army: HostArmy,
    pub pieces: Vec<&'l ListedPiece>,
    /// Number among the runs on this board, from 1.
    pub number: usize,
}

impl PieceList {
    /// Reads a list; `file` is its name in error messages.
    ///
    /// # Errors
    /// If the text is no valid list.
    pub fn parse(text: &str, file: &str) -> Result<PieceList, DefError> {
        parse_toml(text, file)
    }

    /// The runs that measure all pieces, a board after the other. A longer list continues all runs but the last of a board if that is not
    /// full, whose game changes.
    ///
    /// # Errors
    /// If a board is unknown.
    pub fn runs(&self) -> Result<Vec<AtlasRun<'_>>, DefError> {
        let mut runs = Vec::new();
        for board in distinct(self.pieces.iter().flat_map(|piece| &piece.boards)) {
            let army = args::choice(board)
                .map_err(|message| DefError::at("boards", "", None, None, format!("found `{board}`, {message}")))?;
            let on_board = self.pieces.iter().filter(|piece| piece.boards.contains(board));
            let pieces: Vec<&ListedPiece> = on_board.collect();
            let chunks = pieces.chunks(PIECES_OF_RUN).zip(1..);
            runs.extend(chunks.map(|(pieces, number)| AtlasRun { board, army, pieces: pieces.to_vec(), number }));
        }
        Ok(runs)
    }
}

impl AtlasRun<'_> {
    /// Its file in a folder.
    pub fn path(&self, folder: &Path) -> PathBuf {
        folder.join(format!("atlas-{}-{}.db", self.board, self.number))
    }

    /// Definition of its game.
    ///
    /// # Errors
    /// As [`definition_with_pieces`].
    pub fn definition(&self) -> Result<String, DefError> {
        let movements: Vec<&str> = self.pieces.iter().map(|piece| piece.movement.as_str()).collect();
        definition_with_pieces(&movements, &self.army.into(), Sides::Both)
    }
}

/// The pieces that were measured, by board from the smallest and by descending value.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Atlas {
    pub assay: String,
    pub pieces: Vec<MeasuredPiece>,
    /// The regression of the values on the moves of the pieces; `None` if they are too few.
    pub estimate: Option<EstimateModel>,
    pub files: Vec<DataFile>,
    /// The pieces as the model sees them.
    #[serde(skip)]
    pub known: Vec<Known>,
}

#[derive(Clone, Debug, Serialize)]
pub struct MeasuredPiece {
    pub name: String,
    pub movement: String,
    pub board: String,
    /// On the scale of the customary values of the army, with an interval that holds together with those of the other pieces of the run.
    pub value: IntervalEstimate,
    pub standard_error: f64,
    pub published: Vec<PublishedValue>,
    /// Games of its run.
    pub games: usize,
}

impl Atlas {
    /// Adds the pieces of a run.
    ///
    /// # Errors
    /// If its file cannot be read or has too few games.
    pub fn add(&mut self, run: &AtlasRun<'_>, folder: &Path) -> Result<(), DataError> {
        let path = run.path(folder);
        let data = Dataset::read(std::slice::from_ref(&path))?;
        let too_few = |fault: String| DataError::Contents(format!("{}: {fault}", path.display()));
        let fit = Fit::of_separated_games(&data, PhaseModel::Constant).map_err(|error| too_few(error.to_string()))?;
        let scale = PublishedScale::new(&fit, fit.mean_left, None);
        let scale = scale.ok_or_else(|| too_few("found too few games for a scale, expected more".to_owned()))?;
        for piece in &run.pieces {
            let named = |(_, value): &(usize, &ScaledValue)| value.piece == piece.movement;
            let kind = kind_named(&fit.game, &piece.movement);
            let Some(((index, scaled), kind)) = scale.values.iter().enumerate().find(named).zip(kind) else {
                continue;
            };
            let (value, standard_error) = (scaled.measured, scale.covariance[index][index].sqrt());
            self.known.push(Known {
                movement: piece.movement.clone(),
                features: features(&fit.game, kind),
                value: value.value,
                standard_error,
            });
            self.pieces.push(MeasuredPiece {
                name: piece.name.clone(),
                movement: piece.movement.clone(),
                board: run.board.to_owned(),
                value,
                standard_error,
                published: piece.published.clone(),
                games: data.games.len(),
            });
        }
        self.estimate = EstimateModel::new(&self.known);
        self.pieces.sort_by(|one, other| {
            // `10x8` after `8x8`.
            let boards = (one.board.len(), &one.board).cmp(&(other.board.len(), &other.board));
            boards.then(other.value.value.total_cmp(&one.value.value))
        });
        self.files.extend(data.files);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use assay_rules::GameDef;

    use super::*;

    #[test]
    fn the_committed_list_can_be_measured() {
        let list = include_str!("../../../testdata/atlas/pieces.toml");
        let list = PieceList::parse(list, "pieces.toml").unwrap();
        let runs = list.runs().unwrap();
        for run in &runs {
            GameDef::from_toml(&run.definition().unwrap(), "test").unwrap();
        }
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
            list.and_then(|list| list.runs().map(drop)).unwrap_err().to_string()
        };
        let found = error(r#"{ name = "wazir", move = "W", boards = ["9x9"] }"#);
        assert!(found.starts_with("boards: ") && found.contains("9x9"), "{found}");
        let found = error(r#"{ name = "wazir", move = "W", board = ["8x8"] }"#);
        assert!(found.starts_with("a.toml:1:") && found.contains("board"), "{found}");
    }
}
