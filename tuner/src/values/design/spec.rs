//! From terms to the columns of a regression: values that change over the course of the game.
//!
//! A value is the same as long as three quarters of the pieces are left (kings apart, 1 at the start of the game), and follows
//! straight lines from there to the bare board, by way of a third value with a quarter left: each of these is a column, the
//! term's number times how much that stage counts. What a pawn is worth grows over the whole game while pieces keep theirs until
//! a quarter of the pieces are left and then lose most of it, so one line from the full to the bare board would pass by all of
//! these values. Where data cannot tell the stages apart the user may ask for two values or one.
//!
//! Each game weighs 1 in each of the three stages that it reaches. If it weighed 1 as a whole, long endgames would take their
//! weight from the opening, and short games would say most about the full board.

use std::sync::Arc;

use assay_rules::GameDef;
use nalgebra::DVector;

use crate::values::data::positions::MaterialSample;
use crate::values::data::regressor::{self, Regressor};
use crate::values::data::{Dataset, SampledGame};
use crate::values::design::matrix::{DesignMatrix, Observation};
use crate::values::design::phase::{FEW, FULL, PhaseModel};

/// The stage of a game in which this share of the pieces is left: 0 full, 1 between, 2 few.
fn stage(left: f64) -> usize {
    usize::from(left < FULL) + usize::from(left < FEW)
}

/// One column of the regression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// A term's number, as far as the board is full.
    FullBoard(Regressor),
    /// A term's number, as far as few pieces are left.
    FewPieces(Regressor),
    /// A term's number, as far as the board is bare.
    BareBoard(Regressor),
    /// A term's number as it is.
    Constant(Regressor),
}

/// The columns of a game's regression.
#[derive(Clone, Debug, PartialEq)]
pub struct DesignSpec {
    /// The columns in their order.
    pub columns: Vec<Column>,
    /// How values may depend on the course of the game.
    pub phase_model: PhaseModel,
    /// Terms that are no kind and never unbalanced in these games, so that they have no column.
    pub omitted: Vec<Regressor>,
    game: Arc<GameDef>,
    /// The terms of the samples.
    regressors: Vec<Regressor>,
    full_board: f64,
    majors: f64,
}

impl DesignSpec {
    /// The columns for some games. What kinds are worth together, and who moves, has none where these games never show it;
    /// a kind keeps its column, so that a fit refuses to measure what is not there.
    pub fn of(data: &Dataset, phase_model: PhaseModel) -> DesignSpec {
        let shows = |index: usize| {
            let mut numbers = data
                .games
                .iter()
                .flat_map(|game| &game.samples)
                .map(|sample| sample.values[index]);
            match data.regressors[index] {
                Regressor::Kind(_) | Regressor::White => true,
                // Always the same side to move is the constant once more.
                Regressor::SideToMove => {
                    let first = numbers.next();
                    numbers.any(|side| Some(side) != first)
                }
                _ => numbers.any(|number| number != 0.0),
            }
        };
        let shown: Vec<bool> = (0..data.regressors.len()).map(shows).collect();
        DesignSpec::with(&data.game, &data.regressors, phase_model, |index| shown[index])
    }

    /// The columns for samples of these terms, all of them.
    pub fn all(game: &Arc<GameDef>, regressors: &[Regressor], phase_model: PhaseModel) -> DesignSpec {
        DesignSpec::with(game, regressors, phase_model, |_| true)
    }

    fn with(
        game: &Arc<GameDef>,
        regressors: &[Regressor],
        phase_model: PhaseModel,
        shown: impl Fn(usize) -> bool,
    ) -> DesignSpec {
        let mut columns = Vec::new();
        let mut omitted = Vec::new();
        for (index, &term) in regressors.iter().enumerate() {
            match term {
                _ if !shown(index) => omitted.push(term),
                Regressor::Kind(_) | Regressor::Pair(_) | Regressor::SecondPiece(_) => match phase_model {
                    PhaseModel::PiecewiseLinear => columns.extend([
                        Column::FullBoard(term),
                        Column::FewPieces(term),
                        Column::BareBoard(term),
                    ]),
                    PhaseModel::Linear => columns.extend([Column::FullBoard(term), Column::BareBoard(term)]),
                    PhaseModel::Constant => columns.push(Column::Constant(term)),
                },
                Regressor::JokerAgainstMajors(_) | Regressor::SideToMove | Regressor::White => {
                    columns.push(Column::Constant(term))
                }
            }
        }
        DesignSpec {
            columns,
            phase_model,
            omitted,
            game: Arc::clone(game),
            regressors: regressors.to_vec(),
            full_board: regressor::full_board(game) as f64,
            majors: regressor::majors(game) as f64,
        }
    }

    /// The columns' names.
    pub fn names(&self) -> Vec<String> {
        let name = |column: &Column| match *column {
            Column::FullBoard(term) => format!("{} (full board)", term.name(&self.game)),
            Column::FewPieces(term) => format!("{} (few pieces)", term.name(&self.game)),
            Column::BareBoard(term) => format!("{} (bare board)", term.name(&self.game)),
            Column::Constant(term) => term.name(&self.game),
        };
        self.columns.iter().map(name).collect()
    }

    /// The unit.
    pub fn pawn(&self) -> Regressor {
        Regressor::Kind(self.game.pawn)
    }

    /// A term's name.
    pub fn name(&self, term: Regressor) -> String {
        term.name(&self.game)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.columns.len()
    }

    /// Never: having the white pieces always has a column.
    pub fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }

    /// The place of a column.
    pub fn index(&self, column: Column) -> Option<usize> {
        self.columns.iter().position(|&other| other == column)
    }

    /// The share of pieces left, 0 to 1.
    pub fn pieces_left(&self, pieces: u16) -> f64 {
        (f64::from(pieces) / self.full_board).min(1.0)
    }

    /// What to multiply `parameters` coefficients by for a term's value when `left` of the pieces are left; `None` when it has no column.
    pub fn contrast(&self, term: Regressor, left: f64, parameters: usize) -> Option<DVector<f64>> {
        let mut contrast = DVector::zeros(parameters);
        if let Some(index) = self.index(Column::Constant(term)) {
            contrast[index] = 1.0;
        } else {
            let [full, few, bare] = self.phase_model.knot_weights(left);
            contrast[self.index(Column::FullBoard(term))?] = full;
            contrast[self.index(Column::BareBoard(term))?] = bare;
            if let Some(index) = self.index(Column::FewPieces(term)) {
                contrast[index] = few;
            }
        }
        Some(contrast)
    }

    /// The terms that have columns, in order.
    pub fn fitted_regressors(&self) -> impl Iterator<Item = Regressor> + '_ {
        self.columns.iter().filter_map(|&column| match column {
            Column::FullBoard(term) | Column::Constant(term) => Some(term),
            Column::FewPieces(_) | Column::BareBoard(_) => None,
        })
    }

    /// The numbers of a sample, one for each column.
    pub fn row(&self, pieces: u16, values: &[f32]) -> Vec<f64> {
        let left = self.pieces_left(pieces);
        let at = |term: Regressor| {
            let place = self.regressors.iter().position(|&other| other == term);
            place.map_or(0.0, |place| f64::from(values[place]))
        };
        let number = |term: Regressor| match term {
            Regressor::JokerAgainstMajors(kind) => at(term) - self.majors * left * at(Regressor::Kind(kind)),
            _ => at(term),
        };
        let [full, few, bare] = self.phase_model.knot_weights(left);
        self.columns
            .iter()
            .map(|&column| match column {
                Column::FullBoard(term) => full * number(term),
                Column::FewPieces(term) => few * number(term),
                Column::BareBoard(term) => bare * number(term),
                Column::Constant(term) => number(term),
            })
            .collect()
    }

    /// The weights of a game's samples: the game weighs 1 in each stage that it reaches, its positions there alike.
    pub fn weights<'game>(&self, game: &'game SampledGame) -> impl Iterator<Item = (&'game MaterialSample, f64)> {
        let stage_of = |sample: &MaterialSample| stage(self.pieces_left(sample.pieces));
        let mut positions = [0.0; 3];
        for sample in &game.samples {
            positions[stage_of(sample)] += f64::from(sample.positions);
        }
        game.samples
            .iter()
            .map(move |sample| (sample, f64::from(sample.positions) / positions[stage_of(sample)]))
    }

    /// The regression's rows.
    pub fn design(&self, games: &[SampledGame]) -> DesignMatrix {
        let mut design = DesignMatrix::new(self.names());
        // Clusters without a quiet position leave no gap in the numbers.
        let mut clusters = std::collections::BTreeMap::new();
        for game in games.iter().filter(|game| !game.samples.is_empty()) {
            let next = clusters.len();
            let cluster = *clusters.entry(game.cluster).or_insert(next);
            for (sample, weight) in self.weights(game) {
                let observation = Observation {
                    score: game.white.as_f64(),
                    weight,
                    positions: f64::from(sample.positions),
                    cluster,
                };
                design.push(&self.row(sample.pieces, &sample.values), observation);
            }
        }
        design
    }

    /// The share of pieces left in each row of [`DesignSpec::design`].
    pub fn pieces_left_by_row(&self, games: &[SampledGame]) -> Vec<f64> {
        let samples = games.iter().flat_map(|game| &game.samples);
        samples.map(|sample| self.pieces_left(sample.pieces)).collect()
    }

    /// The mean share of pieces left over the rows of some games, as they weigh; 1 without rows.
    pub fn mean_pieces_left(&self, games: &[SampledGame]) -> f64 {
        let (mut sum, mut whole) = (0.0, 0.0);
        for (sample, weight) in games.iter().flat_map(|game| self.weights(game)) {
            sum += weight * self.pieces_left(sample.pieces);
            whole += weight;
        }
        if whole > 0.0 { sum / whole } else { 1.0 }
    }
}

#[cfg(test)]
mod tests {
    use assay_rules::{GameDef, Points, Termination};

    use super::DesignSpec;
    use crate::values::data::SampledGame;
    use crate::values::data::positions::MaterialSample;
    use crate::values::data::regressor::Regressor;
    use crate::values::design::phase::PhaseModel;

    #[test]
    fn a_game_weighs_one_in_each_stage_that_it_reaches() {
        let chess = GameDef::builtin("chess").unwrap();
        let regressors = Regressor::all(&chess);
        let sample = |pieces: u16, positions: u32| MaterialSample {
            positions,
            pieces,
            values: vec![0.0; regressors.len()].into(),
        };
        let game = SampledGame {
            cluster: 0,
            white: Points::WIN,
            reason: Termination::Checkmate,
            plies: 100,
            // Of 30 pieces: 23 and more are three quarters, 8 and more a quarter.
            samples: vec![
                sample(30, 3),
                sample(23, 1),
                sample(22, 5),
                sample(8, 15),
                sample(7, 40),
            ],
        };
        let columns = DesignSpec::all(&chess, &regressors, PhaseModel::PiecewiseLinear);
        let weights: Vec<f64> = columns.weights(&game).map(|(_, weight)| weight).collect();
        assert_eq!(weights, [0.75, 0.25, 0.25, 0.75, 1.0]);
    }
}
