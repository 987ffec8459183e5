//! Specification of the design matrix: one column for each regressor and knot of the phase model.
//!
//! A column is the regressor times the knot's weight at the position's phase
//! ([`PhaseModel::knot_weights`]).
//!
//! Rows are the positions with at least [`FEW`] of the pieces left.
//!
//! Each game has weight 1 in each of the two phases that it reaches. If it had weight 1 as a whole,
//! a long endgame would reduce the weight of the same game's opening, and short games would
//! dominate the full board.

use std::sync::Arc;

use assay_rules::{GameDef, Kind};

use super::{DesignMatrix, FEW, FULL, KNOTS, Observation, PhaseModel};
use crate::values::data::{Conditions, Dataset, MaterialSample, OwnValues, Regressor, SampledGame, material};

/// Game phase for weighting when this share of the pieces is left: 0 full board, 1 later.
fn phase(left: f64) -> usize {
    usize::from(left < FULL)
}

/// A column of the design matrix: a regressor, times the weight of a knot of the phase model unless
/// its value is constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    pub regressor: Regressor,
    /// Index in [`KNOTS`]; `None` for a regressor with one value for the whole game.
    pub knot: Option<usize>,
}

impl Column {
    /// The column's name in files and reports.
    pub fn name(self, game: &GameDef) -> String {
        let name = self.regressor.name(game);
        match self.knot {
            Some(knot) => format!("{name} ({})", KNOTS[knot]),
            None => name,
        }
    }
}

/// Games in which a promoted piece must occur to be measured.
const LEAST_GAMES: usize = 10;

fn is_promoted(game: &GameDef, kind: Kind) -> bool {
    game.kinds.unpromoted(kind) != kind
}

/// The columns of a design matrix, and how to compute its rows.
#[derive(Clone, Debug, PartialEq)]
pub struct DesignSpec {
    /// The columns in order.
    pub columns: Vec<Column>,
    /// How values may depend on the game phase.
    pub phase_model: PhaseModel,
    /// Regressors without a column, because these games do not determine their coefficients: they
    /// never vary, or, of promoted pieces, in too few games.
    pub omitted: Vec<Regressor>,
    /// Positions with a smaller share of pieces left have no row.
    pub least_left: f64,
    game: Arc<GameDef>,
    /// The regressors of the samples.
    regressors: Vec<Regressor>,
    full_board: f64,
    majors: f64,
    /// By kind, what the players believe it to be worth in pawns; empty if that is not known.
    own_values: Vec<f64>,
}

impl DesignSpec {
    /// The columns for a data set. Regressors that never vary have none: one piece that these games
    /// do not compare leaves the others to be measured. A regressor that varies in one phase only
    /// has one value for the whole game.
    pub fn of(data: &Dataset, phase_model: PhaseModel) -> DesignSpec {
        DesignSpec::of_phases(data, phase_model, FEW)
    }

    /// As [`DesignSpec::of`], for the positions with at least this share of pieces left.
    pub fn of_phases(data: &Dataset, phase_model: PhaseModel, least_left: f64) -> DesignSpec {
        let regressors = Regressor::all(&data.game);
        let all = DesignSpec { least_left, ..DesignSpec::all(&data.game, &regressors, phase_model) };
        let samples = || data.games.iter().flat_map(|game| all.samples(game));
        let is_shown = |&(index, regressor): &(usize, &Regressor)| {
            let mut numbers = samples().map(|sample| sample.values[index]);
            match regressor {
                Regressor::Kind(kind) if is_promoted(&data.game, *kind) => {
                    let varies = |game: &&SampledGame| all.samples(game).any(|sample| sample.values[index] != 0.0);
                    data.games.iter().filter(varies).count() >= LEAST_GAMES
                }
                Regressor::White => true,
                Regressor::Rating => data.games.iter().any(|game| game.conditions.rating != 0.0),
                Regressor::OwnValues => {
                    data.own_values.is_some() && data.games.iter().any(|game| !game.conditions.jitter.is_empty())
                }
                // If the same side is always to move, the column equals the constant.
                Regressor::SideToMove => {
                    let first = numbers.next();
                    numbers.any(|side| Some(side) != first)
                }
                _ => numbers.any(|number| number != 0.0),
            }
        };
        let shown = regressors.iter().enumerate().filter(is_shown);
        let shown: Vec<Regressor> = shown.map(|(_, &regressor)| regressor).collect();
        // Games of Assay's own players have no ratings, and others no known beliefs.
        let of_conditions = [Regressor::Rating, Regressor::OwnValues];
        let is_omitted = |regressor: &&Regressor| !of_conditions.contains(regressor) && !shown.contains(regressor);
        let omitted = regressors.iter().filter(is_omitted);
        let mut spec = DesignSpec {
            omitted: omitted.copied().collect(),
            least_left,
            ..DesignSpec::all(&data.game, &shown, phase_model).with_own_values(data.own_values.as_ref())
        };
        let varies = |column: &Column| samples().any(|sample| all.entry(column, sample.pieces, &sample.values) != 0.0);
        let one_phase: Vec<Regressor> = spec
            .columns
            .iter()
            .filter(|column| column.knot.is_some() && !varies(column))
            .map(|column| column.regressor)
            .collect();
        spec.columns.retain_mut(|column| {
            let is_second = column.knot == Some(1);
            let is_constant = one_phase.contains(&column.regressor);
            column.knot = column.knot.filter(|_| !is_constant);
            !(is_constant && is_second)
        });
        spec
    }

    /// The columns for all of these regressors.
    pub fn all(game: &Arc<GameDef>, regressors: &[Regressor], phase_model: PhaseModel) -> DesignSpec {
        let mut columns = Vec::new();
        for &regressor in regressors {
            let is_material = match regressor {
                // Too rare for values by phase.
                Regressor::Kind(kind) => !is_promoted(game, kind),
                Regressor::Pair(_) | Regressor::SecondPiece(_) => true,
                _ => false,
            };
            let knots = if is_material { phase_model.knots() } else { &[None] };
            columns.extend(knots.iter().map(|&knot| Column { regressor, knot }));
        }
        DesignSpec {
            columns,
            phase_model,
            omitted: Vec::new(),
            least_left: FEW,
            game: Arc::clone(game),
            regressors: Regressor::all(game),
            full_board: material::full_board(game) as f64,
            majors: material::majors(game) as f64,
            own_values: Vec::new(),
        }
    }

    /// The columns for games of players who believe in these values.
    #[must_use]
    pub fn with_own_values(self, own: Option<&OwnValues>) -> DesignSpec {
        let value = |own: &OwnValues| {
            let kinds = self.game.kinds.all();
            kinds.map(|kind| own.value(&self.game, kind).unwrap_or_default()).collect()
        };
        DesignSpec { own_values: own.map_or_else(Vec::new, value), ..self }
    }

    pub fn names(&self) -> Vec<String> {
        self.columns.iter().map(|column| column.name(&self.game)).collect()
    }

    pub fn game(&self) -> &Arc<GameDef> {
        &self.game
    }

    /// Index of the column of a regressor with one value for the whole game.
    pub fn constant(&self, regressor: Regressor) -> Option<usize> {
        self.columns.iter().position(|&column| column == Column { regressor, knot: None })
    }

    /// Share of pieces left, 0 to 1.
    pub fn pieces_left(&self, pieces: u16) -> f64 {
        (f64::from(pieces) / self.full_board).min(1.0)
    }

    /// The regressors with columns, in order.
    pub fn fitted_regressors(&self) -> impl Iterator<Item = Regressor> + '_ {
        let first = self.columns.iter().filter(|column| column.knot.is_none_or(|knot| knot == 0));
        first.map(|column| column.regressor)
    }

    /// The row of a sample of a game under these conditions: one value for each column.
    pub fn row(&self, conditions: &Conditions, pieces: u16, values: &[f32]) -> Vec<f64> {
        let entry = |column: &Column| match column.regressor {
            Regressor::Rating => f64::from(conditions.rating),
            Regressor::OwnValues => self.own_values_entry(conditions, values),
            _ => self.entry(column, pieces, values),
        };
        self.columns.iter().map(entry).collect()
    }

    /// Entry of [`Regressor::OwnValues`].
    fn own_values_entry(&self, conditions: &Conditions, values: &[f32]) -> f64 {
        let entry = |(regressor, &value): (&Regressor, &f32)| match regressor {
            Regressor::Kind(kind) => {
                let jitter = conditions.jitter.get(kind.index()).copied().unwrap_or(0.0);
                let own = self.own_values.get(kind.index()).copied().unwrap_or(0.0);
                f64::from(value) * own * f64::from(jitter)
            }
            _ => 0.0,
        };
        self.regressors.iter().zip(values).map(entry).sum()
    }

    /// Entry of a column in a row with these values of the regressors.
    pub fn entry(&self, column: &Column, pieces: u16, values: &[f32]) -> f64 {
        let left = self.pieces_left(pieces);
        let number = match column.regressor {
            Regressor::JokerAgainstMajors(kind) => {
                self.value_of(column.regressor, values)
                    - self.majors * left * self.value_of(Regressor::Kind(kind), values)
            }
            regressor => self.value_of(regressor, values),
        };
        let weight = column.knot.map_or(1.0, |knot| self.phase_model.knot_weights(left)[knot]);
        weight * number
    }

    /// Value of a regressor among the values of all; 0 if the game does not have it.
    pub fn value_of(&self, regressor: Regressor, values: &[f32]) -> f64 {
        let place = self.regressors.iter().position(|&other| other == regressor);
        place.map_or(0.0, |place| f64::from(values[place]))
    }

    /// The samples of a game that have a row.
    pub fn samples<'game>(&self, game: &'game SampledGame) -> impl Iterator<Item = &'game MaterialSample> {
        let has_row = |sample: &&MaterialSample| self.pieces_left(sample.pieces) >= self.least_left;
        game.samples.iter().filter(has_row)
    }

    /// The samples of a game that have a row, with their weights. Weights sum to 1 in each phase
    /// that the game reaches, spread evenly over its positions there.
    pub fn weights<'game>(&self, game: &'game SampledGame) -> impl Iterator<Item = (&'game MaterialSample, f64)> {
        let phase_of = |sample: &MaterialSample| phase(self.pieces_left(sample.pieces));
        let mut positions = [0.0; 2];
        for sample in self.samples(game) {
            positions[phase_of(sample)] += f64::from(sample.positions);
        }
        self.samples(game).map(move |sample| (sample, f64::from(sample.positions) / positions[phase_of(sample)]))
    }

    /// Builds the design matrix of some games.
    pub fn design_matrix(&self, games: &[SampledGame]) -> DesignMatrix {
        let mut design = DesignMatrix::new(self.names());
        // Renumber clusters without gaps: some have no row.
        let mut clusters = std::collections::BTreeMap::new();
        for game in games {
            for (sample, weight) in self.weights(game) {
                let next = clusters.len();
                let cluster = *clusters.entry(game.cluster).or_insert(next);
                let observation =
                    Observation { score: game.white.as_f64(), weight, positions: f64::from(sample.positions), cluster };
                design.push(&self.row(&game.conditions, sample.pieces, &sample.values), observation);
            }
        }
        design
    }

    /// Share of pieces left in each row of [`DesignSpec::design_matrix`].
    pub fn pieces_left_by_row(&self, games: &[SampledGame]) -> Vec<f64> {
        let samples = games.iter().flat_map(|game| self.samples(game));
        samples.map(|sample| self.pieces_left(sample.pieces)).collect()
    }

    /// Share of pieces left at which values are their weighted means over the rows of some games:
    /// the mean of [`PhaseModel::limited`]. 1 if there are no rows.
    pub fn mean_pieces_left(&self, games: &[SampledGame]) -> f64 {
        let (mut sum, mut total) = (0.0, 0.0);
        for (sample, weight) in games.iter().flat_map(|game| self.weights(game)) {
            sum += weight * self.phase_model.limited(self.pieces_left(sample.pieces));
            total += weight;
        }
        if total > 0.0 { sum / total } else { 1.0 }
    }
}

#[cfg(test)]
mod tests {
    use assay_rules::{GameDef, Points, Termination};

    use super::DesignSpec;
    use crate::values::data::{Conditions, MaterialSample, Regressor, SampledGame};
    use crate::values::design::PhaseModel;

    #[test]
    fn weights_sum_to_one_in_each_phase_of_a_game() {
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
            end: assay_selfplay::game::GameEnd::Rules(Termination::Checkmate),
            decided: None,
            plies: 100,
            start: vec![0.0; regressors.len()].into(),
            conditions: Conditions::default(),
            // Of 30 pieces, 23 and more are three quarters, and 7 are less than a quarter.
            samples: vec![sample(30, 3), sample(23, 1), sample(22, 5), sample(8, 15), sample(7, 40)],
        };
        let columns = DesignSpec::all(&chess, &regressors, PhaseModel::Piecewise);
        let weights: Vec<f64> = columns.weights(&game).map(|(_, weight)| weight).collect();
        assert_eq!(weights, [0.75, 0.25, 0.25, 0.75]);
    }
}
