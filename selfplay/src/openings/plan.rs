//! Plans: which material imbalances the pairs of a run compare.
//!
//! A plan for values is a Bayesian D-optimal design, built greedily: each comparison increases the
//! determinant of the information matrix most, to which play contributes as well, because games
//! compare the pieces that are won in them. A run repeats the plan, each time in a new random
//! order.

use assay_rules::{Color, GameDef, Kind, Position};
use nalgebra::{DMatrix, DVector};
use thiserror::Error;

use super::candidates::{Candidate, Candidates, compared_kinds};
use super::imbalance::Imbalance;
use crate::material;
use crate::mirror::swap_armies;
use crate::seed::{Purpose, Stream};

/// Comparisons of a plan per parameter of the model.
const COMPARISONS_PER_PARAMETER: usize = 16;

/// Most repeats of a comparison in a plan. Values should not depend on a few comparisons, because
/// pieces may work together better or worse than alone.
const MAX_REPEATS: usize = 6;

/// Information on each parameter from pieces won in play, relative to a comparison of one piece. The precision hardly depends on it from
/// 0.03 to 0.3 (docs/experiments.md).
const INFORMATION_FROM_PLAY: f64 = 0.3;

/// Why a game has no plan.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct PlanError(String);

/// The comparisons of a run, in the order in which they were chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    comparisons: Vec<Imbalance>,
}

impl Plan {
    /// A plan to measure all piece values from games that begin with the armies of `start`.
    ///
    /// # Errors
    /// If no value can be determined.
    pub fn values(start: &Position) -> Result<Plan, PlanError> {
        check_pawns(start)?;
        let game = start.game();
        let columns = Columns::of(start);
        let candidates = Candidates::of(start);
        let rows: Vec<DVector<f64>> =
            candidates.iter().map(|candidate| columns.row(start, &candidate.imbalance)).collect();
        check_identifiable(game, &columns, &rows)?;
        let chosen = choose(&candidates, &rows, COMPARISONS_PER_PARAMETER * columns.len());
        Ok(Plan { comparisons: chosen.into_iter().map(|index| candidates[index].imbalance.clone()).collect() })
    }

    pub(super) fn new(comparisons: Vec<Imbalance>) -> Plan {
        Plan { comparisons }
    }

    pub fn comparisons(&self) -> &[Imbalance] {
        &self.comparisons
    }

    pub(super) fn comparison(&self, seed: u64, pair: u64) -> Imbalance {
        let count = self.comparisons.len() as u64;
        let order = Stream::new(Purpose::Plan, seed, pair / count).order(self.comparisons.len());
        self.comparisons[order[(pair % count) as usize]].clone()
    }
}

/// The parameters of the model, one column each.
struct Columns {
    /// The value of each kind.
    kinds: Vec<Kind>,
    /// The bonus of a pair of color-bound pieces.
    color_bound: Vec<Kind>,
    /// The difference between the first and the second piece of a kind.
    seconds: Vec<Kind>,
}

impl Columns {
    fn of(start: &Position) -> Columns {
        let game = start.game();
        let most = material::largest(game);
        let kinds: Vec<Kind> = compared_kinds(start).collect();
        let pieces = || kinds.iter().copied().filter(|&kind| material::is_piece(game, kind));
        Columns {
            color_bound: pieces().filter(|&kind| game.kinds.is_color_bound(kind)).collect(),
            seconds: pieces().filter(|&kind| !game.kinds.is_color_bound(kind) && most[kind.index()] >= 2).collect(),
            kinds,
        }
    }

    fn len(&self) -> usize {
        self.kinds.len() + self.color_bound.len() + self.seconds.len()
    }

    /// White's numbers minus Black's, with the imbalance. Where armies cannot be exchanged,
    /// relative to those of the start: it is the same in all games, so that they do not tell it
    /// from the advantage of White.
    fn row(&self, start: &Position, imbalance: &Imbalance) -> DVector<f64> {
        let row = self.differences(&imbalance.armies(start));
        if swap_armies(start).is_ok() { row } else { row - self.differences(&material::armies_of(start)) }
    }

    fn differences(&self, armies: &[Vec<usize>; 2]) -> DVector<f64> {
        let by =
            |kind: Kind, number: fn(usize) -> f64| number(armies[0][kind.index()]) - number(armies[1][kind.index()]);
        let kinds = self.kinds.iter().map(|&kind| by(kind, |pieces| pieces as f64));
        let pairs = self.color_bound.iter().map(|&kind| by(kind, |pieces| f64::from(u8::from(pieces >= 2))));
        let seconds = self.seconds.iter().map(|&kind| by(kind, |pieces| if pieces == 1 { -0.5 } else { 0.0 }));
        DVector::from_vec(kinds.chain(pairs).chain(seconds).collect())
    }
}

/// Checks that both armies have pawns, in which values are measured.
pub(super) fn check_pawns(start: &Position) -> Result<(), PlanError> {
    let game = start.game();
    let has_pawns = |color| material::pieces_of(start, color)[game.first_pawn().index()] > 0;
    if Color::ALL.into_iter().all(has_pawns) {
        return Ok(());
    }
    Err(PlanError(format!("an army of {} begins without a pawn, and piece values are measured in pawns", game.name)))
}

/// Fails if no comparison determines the value of any of these kinds; one that is not determined
/// leaves the others to be measured.
pub(super) fn check_identified(game: &GameDef, kinds: &[Kind], unidentified: &[Kind]) -> Result<(), PlanError> {
    let pieces: Vec<Kind> = kinds.iter().copied().filter(|&kind| kind != game.first_pawn()).collect();
    if pieces.is_empty() || pieces.iter().any(|kind| !unidentified.contains(kind)) {
        return Ok(());
    }
    let names: Vec<&str> = pieces.iter().map(|&kind| game.kind(kind).name.as_str()).collect();
    Err(PlanError(format!(
        "the armies of {} allow no comparison that determines the value of {}: nothing worth about as much can be removed or \
         exchanged",
        game.name,
        names.join(", ")
    )))
}

/// Checks that the comparisons determine values.
fn check_identifiable(game: &GameDef, columns: &Columns, rows: &[DVector<f64>]) -> Result<(), PlanError> {
    // Sums of products of small integers and halves.
    let sums = rows.iter().fold(DMatrix::zeros(columns.len(), columns.len()), |sums, row| sums + row * row.transpose());
    let rank = |sums: &DMatrix<f64>| sums.rank(1e-9);
    let unidentified = columns.kinds.iter().enumerate().filter(|&(column, _)| {
        // A column that adds nothing to the rank is empty or a combination of others.
        rank(&sums.clone().remove_row(column).remove_column(column)) == rank(&sums)
    });
    let unidentified: Vec<Kind> = unidentified.map(|(_, &kind)| kind).collect();
    check_identified(game, &columns.kinds, &unidentified)
}

/// Information on the parameters of the model.
struct Information {
    /// The inverse of the information matrix.
    inverse: DMatrix<f64>,
}

impl Information {
    /// The information from play, for this many comparisons.
    fn from_play(width: usize, count: usize) -> Information {
        Information {
            inverse: DMatrix::from_diagonal_element(width, width, 1.0 / (INFORMATION_FROM_PLAY * count as f64)),
        }
    }

    /// The share by which a comparison would increase the determinant of the matrix.
    fn gain(&self, candidate: &Candidate, row: &DVector<f64>) -> f64 {
        information_weight(candidate.lead) * (&self.inverse * row).component_mul(row).sum()
    }

    /// Adds a comparison (Sherman-Morrison formula).
    fn add(&mut self, candidate: &Candidate, row: &DVector<f64>) {
        let factor = information_weight(candidate.lead) / (1.0 + self.gain(candidate, row));
        let spread = &self.inverse * row;
        self.inverse -= &spread * factor * spread.transpose();
    }
}

/// Chooses candidates greedily for D-optimality; returns their indices.
fn choose(candidates: &[Candidate], rows: &[DVector<f64>], count: usize) -> Vec<usize> {
    let mut information = Information::from_play(rows.first().map_or(0, DVector::len), count);
    let mut times = vec![0; candidates.len()];
    let mut chosen = Vec::with_capacity(count);
    for _ in 0..count {
        let mut best: Option<(usize, f64)> = None;
        for (index, candidate) in candidates.iter().enumerate().filter(|&(index, _)| times[index] < MAX_REPEATS) {
            let gain = information.gain(candidate, &rows[index]);
            if best.is_none_or(|(_, most)| gain > most) {
                best = Some((index, gain));
            }
        }
        let Some((index, _)) = best else { break };
        times[index] += 1;
        chosen.push(index);
        information.add(&candidates[index], &rows[index]);
    }
    chosen
}

/// Information of a game in which one side is `lead` pawns ahead, relative to an even one: about
/// `4 p (1 - p)`.
fn information_weight(lead: f64) -> f64 {
    1.0 / (1.0 + lead * lead / 16.0)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use assay_rules::def::BUILTIN_NAMES;

    use super::*;

    fn plan(name: &str) -> (Position, Plan) {
        let start = Position::start(&GameDef::builtin(name).unwrap());
        let plan = Plan::values(&start).unwrap();
        (start, plan)
    }

    #[test]
    fn compares_every_kind_often_and_in_several_ways() {
        for name in BUILTIN_NAMES {
            let (start, plan) = plan(name);
            let game = start.game();
            let columns = Columns::of(&start);
            assert!(plan.comparisons().len() >= 12 * columns.len(), "{name}: {}", plan.comparisons().len());
            for (column, &kind) in columns.kinds.iter().enumerate() {
                let ways: BTreeSet<String> = plan
                    .comparisons()
                    .iter()
                    .filter(|comparison| columns.row(&start, comparison)[column] != 0.0)
                    .map(ToString::to_string)
                    .collect();
                assert!(ways.len() >= 8, "{name} {}: {ways:?}", game.kind(kind).name);
            }
            let texts: BTreeSet<String> = plan.comparisons().iter().map(ToString::to_string).collect();
            assert!(MAX_REPEATS * texts.len() >= plan.comparisons().len(), "{name}");
        }
    }

    #[test]
    fn chosen_comparisons_are_more_informative_than_random_ones() {
        let (start, plan) = plan("chess");
        let columns = Columns::of(&start);
        let candidates = Candidates::of(&start);
        let (count, width) = (plan.comparisons().len(), columns.len());
        // Logarithm of the factor by which comparisons increase the determinant of the information
        // matrix.
        let information = |comparisons: &[&Candidate]| -> f64 {
            let mut found = Information::from_play(width, count);
            let gains = comparisons.iter().map(|candidate| {
                let row = columns.row(&start, &candidate.imbalance);
                let gain = found.gain(candidate, &row);
                found.add(candidate, &row);
                gain.ln_1p()
            });
            gains.sum()
        };
        let of_plan = |comparison: &Imbalance| candidates.iter().find(|candidate| candidate.imbalance == *comparison);
        let chosen: Vec<&Candidate> = plan.comparisons().iter().filter_map(of_plan).collect();
        assert_eq!(chosen.len(), count);
        let mut stream = Stream::new(Purpose::Plan, 5, 0);
        for _ in 0..20 {
            let drawn: Vec<&Candidate> = (0..count).filter_map(|_| stream.pick(&candidates)).collect();
            assert!(information(&chosen) > information(&drawn) + 0.7);
        }
    }

    #[test]
    fn repeats_the_whole_plan_in_an_order_that_depends_on_the_seed() {
        let (_, plan) = plan("gamma2");
        let count = plan.comparisons().len() as u64;
        let text = |seed: u64, pair: u64| plan.comparison(seed, pair).to_string();
        let mut all: Vec<String> = plan.comparisons().iter().map(ToString::to_string).collect();
        all.sort();
        for block in [0, 3] {
            let mut met: Vec<String> = (0..count).map(|pair| text(7, block * count + pair)).collect();
            met.sort();
            assert_eq!(met, all);
        }
        let first = |seed: u64| -> Vec<String> { (0..10).map(|pair| text(seed, pair)).collect() };
        assert_eq!(first(7), first(7));
        assert_ne!(first(7), first(8));
    }

    #[test]
    fn rejects_games_whose_values_cannot_be_determined() {
        let error_of = |fen: &str| {
            let chess = GameDef::builtin("chess").unwrap();
            Plan::values(&Position::from_fen(&chess, fen).unwrap()).unwrap_err().to_string()
        };
        let error = error_of("rnbqkbnr/8/8/8/8/8/8/RNBQKBNR w - - 0 1");
        assert!(error.contains("without a pawn"), "{error}");
        let error = error_of("4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1");
        assert!(error.contains("no comparison that determines the value of queen"), "{error}");
    }
}
