//! Plans: which material imbalances the pairs of a run compare.
//!
//! A plan for values is a Bayesian D-optimal design, built greedily: each comparison increases the
//! determinant of the information matrix most, to which play contributes as well, because games
//! compare the pieces that are won in them. A run repeats the plan, each time in a new random
//! order.

use assay_rules::{Color, GameDef, Kind, Position};
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
        let rows: Vec<Vec<f64>> = candidates.iter().map(|candidate| columns.row(start, &candidate.imbalance)).collect();
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
    fn row(&self, start: &Position, imbalance: &Imbalance) -> Vec<f64> {
        let row = self.differences(&imbalance.armies(start));
        if swap_armies(start).is_ok() {
            return row;
        }
        let of_start = self.differences(&material::armies_of(start));
        row.iter().zip(of_start).map(|(with, without)| with - without).collect()
    }

    fn differences(&self, armies: &[Vec<usize>; 2]) -> Vec<f64> {
        let by =
            |kind: Kind, number: fn(usize) -> f64| number(armies[0][kind.index()]) - number(armies[1][kind.index()]);
        let kinds = self.kinds.iter().map(|&kind| by(kind, |pieces| pieces as f64));
        let pairs = self.color_bound.iter().map(|&kind| by(kind, |pieces| f64::from(u8::from(pieces >= 2))));
        let seconds = self.seconds.iter().map(|&kind| by(kind, |pieces| if pieces == 1 { -0.5 } else { 0.0 }));
        kinds.chain(pairs).chain(seconds).collect()
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
fn check_identifiable(game: &GameDef, columns: &Columns, rows: &[Vec<f64>]) -> Result<(), PlanError> {
    let whole = rank(rows.to_vec());
    let unidentified = columns.kinds.iter().enumerate().filter(|&(column, _)| {
        let mut without = rows.to_vec();
        for row in &mut without {
            row[column] = 0.0;
        }
        // A column that adds nothing to the rank is empty or a combination of others.
        rank(without) == whole
    });
    let unidentified: Vec<Kind> = unidentified.map(|(_, &kind)| kind).collect();
    check_identified(game, &columns.kinds, &unidentified)
}

/// The rank of a matrix of small integers and halves, by Gaussian elimination.
fn rank(mut rows: Vec<Vec<f64>>) -> usize {
    let width = rows.first().map_or(0, Vec::len);
    let mut rank = 0;
    for column in 0..width {
        let best =
            (rank..rows.len()).max_by(|&one, &other| rows[one][column].abs().total_cmp(&rows[other][column].abs()));
        let Some(best) = best.filter(|&best| rows[best][column].abs() > 1e-9) else {
            continue;
        };
        rows.swap(rank, best);
        let (above, below) = rows.split_at_mut(rank + 1);
        let pivot = &above[rank];
        for row in below {
            let factor = row[column] / pivot[column];
            for (number, pivot) in row.iter_mut().zip(pivot) {
                *number -= factor * pivot;
            }
        }
        rank += 1;
    }
    rank
}

/// Chooses candidates greedily for D-optimality; returns their indices.
fn choose(candidates: &[Candidate], rows: &[Vec<f64>], count: usize) -> Vec<usize> {
    let width = rows.first().map_or(0, Vec::len);
    // The inverse of the information matrix.
    let mut inverse = vec![vec![0.0; width]; width];
    for (index, row) in inverse.iter_mut().enumerate() {
        row[index] = 1.0 / (INFORMATION_FROM_PLAY * count as f64);
    }
    let mut times = vec![0; candidates.len()];
    let mut chosen = Vec::with_capacity(count);
    for _ in 0..count {
        let mut best: Option<(usize, f64)> = None;
        for (index, candidate) in candidates.iter().enumerate() {
            if times[index] >= MAX_REPEATS {
                continue;
            }
            let information = information_weight(candidate.lead) * quadratic_form(&inverse, &rows[index]);
            if best.is_none_or(|(_, most)| information > most) {
                best = Some((index, information));
            }
        }
        let Some((index, information)) = best else { break };
        times[index] += 1;
        chosen.push(index);
        // The inverse with one more row (Sherman-Morrison formula).
        let spread = product(&inverse, &rows[index]);
        let factor = information_weight(candidates[index].lead) / (1.0 + information);
        for (one, line) in spread.iter().zip(&mut inverse) {
            for (other, place) in spread.iter().zip(line) {
                *place -= factor * one * other;
            }
        }
    }
    chosen
}

/// Information of a game in which one side is `lead` pawns ahead, relative to an even one: about
/// `4 p (1 - p)`.
fn information_weight(lead: f64) -> f64 {
    1.0 / (1.0 + lead * lead / 16.0)
}

fn product(matrix: &[Vec<f64>], row: &[f64]) -> Vec<f64> {
    let dot = |line: &Vec<f64>| line.iter().zip(row).map(|(one, other)| one * other).sum();
    matrix.iter().map(dot).collect()
}

fn quadratic_form(matrix: &[Vec<f64>], row: &[f64]) -> f64 {
    product(matrix, row).iter().zip(row).map(|(one, other)| one * other).sum()
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
            let mut inverse = vec![vec![0.0; width]; width];
            for (index, row) in inverse.iter_mut().enumerate() {
                row[index] = 1.0 / (INFORMATION_FROM_PLAY * count as f64);
            }
            let mut sum = 0.0;
            for candidate in comparisons {
                let row = columns.row(&start, &candidate.imbalance);
                let weight = information_weight(candidate.lead);
                let factor = 1.0 + weight * quadratic_form(&inverse, &row);
                sum += factor.ln();
                let spread = product(&inverse, &row);
                for (one, line) in spread.iter().zip(&mut inverse) {
                    for (other, place) in spread.iter().zip(line) {
                        *place -= weight / factor * one * other;
                    }
                }
            }
            sum
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
