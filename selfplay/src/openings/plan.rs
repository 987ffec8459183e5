//! Which comparisons the pairs of a run are about.
//!
//! For values, a block of comparisons is chosen greedily: in turn from each sort of comparison, always the one that adds most
//! to the determinant of the information about all values (D-optimal), each at most twice. A run goes through the block again
//! and again, each time in another random order.

use assay_rules::{Color, GameDef, Kind, Position};
use thiserror::Error;

use super::candidates::{Candidate, Candidates, Sort};
use super::imbalance::Imbalance;
use crate::material;
use crate::seed::Stream;

/// Comparisons of a block for each number to be measured.
const TIMES: usize = 16;

/// How often a block may hold one comparison.
const MOST_OFTEN: usize = 2;

/// The sorts that take turns.
const TURNS: [Sort; 8] = [
    Sort::Single,
    Sort::Combination,
    Sort::Doubled,
    Sort::Pawns,
    Sort::Single,
    Sort::Exchange,
    Sort::Combination,
    Sort::Doubled,
];

/// The information that there is before the first comparison: as good as none.
const RIDGE: f64 = 1e-3;

/// Why values cannot be measured in a game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PlanError {
    /// Values are measured in pawns.
    #[error("the armies of {game} begin without a pawn of their own each, and values are measured in pawns")]
    NoPawn {
        /// The game's name.
        game: String,
    },
    /// No comparison tells these kinds' values.
    #[error(
        "the armies of {game} allow no comparison that tells the value of {}: nothing worth about as much can be taken off or \
         put in its place",
        .kinds.join(", ")
    )]
    Unidentified {
        /// The game's name.
        game: String,
        /// The kinds' names.
        kinds: Vec<String>,
    },
}

/// The comparisons of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    comparisons: Vec<Imbalance>,
}

impl Plan {
    /// The block for measuring all values from games that begin like `start`.
    ///
    /// # Errors
    /// When a kind's value cannot be identified.
    pub fn values(start: &Position) -> Result<Plan, PlanError> {
        let game = start.game();
        let columns = Columns::of(game);
        let candidates = Candidates::of(start);
        let rows: Vec<Vec<f64>> = candidates
            .iter()
            .map(|candidate| columns.row(start, &candidate.imbalance))
            .collect();
        check(game, &columns, &rows, start)?;
        let chosen = choose(&candidates, &rows, TIMES * columns.len());
        Ok(Plan {
            comparisons: chosen
                .into_iter()
                .map(|index| candidates[index].imbalance.clone())
                .collect(),
        })
    }

    pub(super) fn new(comparisons: Vec<Imbalance>) -> Plan {
        Plan { comparisons }
    }

    /// The comparisons, in the order in which they were chosen.
    pub fn comparisons(&self) -> &[Imbalance] {
        &self.comparisons
    }

    /// The comparison of a pair.
    pub(super) fn of_pair(&self, seed: u64, pair: u64) -> Imbalance {
        let count = self.comparisons.len() as u64;
        let order = Stream::plan(seed, pair / count).order(self.comparisons.len());
        self.comparisons[order[(pair % count) as usize]].clone()
    }
}

/// What is measured: kinds, then what pieces of a kind are worth together.
struct Columns {
    kinds: Vec<Kind>,
    bound: Vec<Kind>,
    seconds: Vec<Kind>,
}

impl Columns {
    fn of(game: &std::sync::Arc<GameDef>) -> Columns {
        let most = material::largest(game);
        let kinds: Vec<Kind> = game.all_kinds().filter(|&kind| kind != game.king).collect();
        let pieces = || kinds.iter().copied().filter(|&kind| material::is_piece(game, kind));
        Columns {
            bound: pieces().filter(|&kind| material::is_color_bound(game, kind)).collect(),
            seconds: pieces()
                .filter(|&kind| !material::is_color_bound(game, kind) && most[kind.index()] >= 2)
                .collect(),
            kinds,
        }
    }

    fn len(&self) -> usize {
        self.kinds.len() + self.bound.len() + self.seconds.len()
    }

    /// White's numbers minus Black's behind the changes.
    fn row(&self, start: &Position, imbalance: &Imbalance) -> Vec<f64> {
        let armies = imbalance.armies(start);
        let by =
            |kind: Kind, number: fn(usize) -> f64| number(armies[0][kind.index()]) - number(armies[1][kind.index()]);
        let kinds = self.kinds.iter().map(|&kind| by(kind, |pieces| pieces as f64));
        let pairs = self
            .bound
            .iter()
            .map(|&kind| by(kind, |pieces| f64::from(u8::from(pieces >= 2))));
        let seconds = self
            .seconds
            .iter()
            .map(|&kind| by(kind, |pieces| if pieces == 1 { -0.5 } else { 0.0 }));
        kinds.chain(pairs).chain(seconds).collect()
    }
}

/// Every kind must have a value that the comparisons determine.
fn check(game: &GameDef, columns: &Columns, rows: &[Vec<f64>], start: &Position) -> Result<(), PlanError> {
    if Color::ALL
        .iter()
        .any(|&color| material::pieces_of(start, color)[game.pawn.index()] == 0)
    {
        return Err(PlanError::NoPawn {
            game: game.name.clone(),
        });
    }
    let whole = rank(rows.to_vec());
    let unidentified = columns.kinds.iter().enumerate().filter(|&(column, _)| {
        let mut without = rows.to_vec();
        for row in &mut without {
            row[column] = 0.0;
        }
        // A column that adds nothing to the rank follows from the others, or is empty.
        rank(without) == whole
    });
    let kinds: Vec<String> = unidentified.map(|(_, &kind)| game.kind(kind).name.clone()).collect();
    if kinds.is_empty() {
        return Ok(());
    }
    Err(PlanError::Unidentified {
        game: game.name.clone(),
        kinds,
    })
}

/// The rank of a matrix of small whole and half numbers.
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

/// The numbers of the chosen candidates.
fn choose(candidates: &[Candidate], rows: &[Vec<f64>], wanted: usize) -> Vec<usize> {
    let width = rows.first().map_or(0, Vec::len);
    // The inverse of the information so far.
    let mut inverse = vec![vec![0.0; width]; width];
    for (index, row) in inverse.iter_mut().enumerate() {
        row[index] = 1.0 / RIDGE;
    }
    let mut times = vec![0; candidates.len()];
    let mut chosen = Vec::with_capacity(wanted);
    for turn in 0..wanted {
        let sort = TURNS[turn % TURNS.len()];
        let mut best: Option<(usize, f64)> = None;
        for (index, candidate) in candidates.iter().enumerate() {
            if candidate.sort != sort || times[index] >= MOST_OFTEN {
                continue;
            }
            let information = weight(candidate.lead) * form(&inverse, &rows[index]);
            if best.is_none_or(|(_, most)| information > most) {
                best = Some((index, information));
            }
        }
        let Some((index, information)) = best else { continue };
        times[index] += 1;
        chosen.push(index);
        // The inverse with one more row (Sherman and Morrison).
        let spread = product(&inverse, &rows[index]);
        let factor = weight(candidates[index].lead) / (1.0 + information);
        for (one, line) in spread.iter().zip(&mut inverse) {
            for (other, place) in spread.iter().zip(line) {
                *place -= factor * one * other;
            }
        }
    }
    chosen
}

/// What a game tells when one side is so many pawns ahead, against an even one: about `4 p (1 - p)`.
fn weight(lead: f64) -> f64 {
    1.0 / (1.0 + lead * lead / 16.0)
}

fn product(matrix: &[Vec<f64>], row: &[f64]) -> Vec<f64> {
    let dot = |line: &Vec<f64>| line.iter().zip(row).map(|(one, other)| one * other).sum();
    matrix.iter().map(dot).collect()
}

fn form(matrix: &[Vec<f64>], row: &[f64]) -> f64 {
    product(matrix, row)
        .iter()
        .zip(row)
        .map(|(one, other)| one * other)
        .sum()
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
    fn every_kind_is_compared_often_and_in_several_ways() {
        for name in BUILTIN_NAMES {
            let (start, plan) = plan(name);
            let game = start.game();
            let columns = Columns::of(game);
            assert!(
                plan.comparisons().len() >= 12 * columns.len(),
                "{name}: {}",
                plan.comparisons().len()
            );
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
            assert!(2 * texts.len() >= plan.comparisons().len(), "{name}");
        }
    }

    #[test]
    fn chosen_comparisons_tell_more_than_random_ones() {
        let (start, plan) = plan("chess");
        let columns = Columns::of(start.game());
        let candidates = Candidates::of(&start);
        // The sum of the variances of all values, for as many comparisons.
        let variance = |rows: &[Vec<f64>]| -> f64 {
            let width = columns.len();
            let mut inverse = vec![vec![0.0; width]; width];
            for (index, row) in inverse.iter_mut().enumerate() {
                row[index] = 1.0 / RIDGE;
            }
            for row in rows {
                let spread = product(&inverse, row);
                let factor = 1.0 / (1.0 + form(&inverse, row));
                for (one, line) in spread.iter().zip(&mut inverse) {
                    for (other, place) in spread.iter().zip(line) {
                        *place -= factor * one * other;
                    }
                }
            }
            (0..width).map(|index| inverse[index][index]).sum()
        };
        let rows = |comparisons: &[Imbalance]| -> Vec<Vec<f64>> {
            comparisons
                .iter()
                .map(|comparison| columns.row(&start, comparison))
                .collect()
        };
        let chosen = variance(&rows(plan.comparisons()));
        let mut stream = Stream::plan(5, 0);
        let mut random = 0.0;
        for _ in 0..20 {
            let drawn: Vec<Imbalance> = (0..plan.comparisons().len())
                .filter_map(|_| stream.pick(&candidates).map(|candidate| candidate.imbalance.clone()))
                .collect();
            random += variance(&rows(&drawn)) / 20.0;
        }
        assert!(chosen < 0.8 * random, "{chosen} against {random}");
    }

    #[test]
    fn a_block_is_gone_through_whole_and_every_seed_has_its_own_order() {
        let (_, plan) = plan("gamma2");
        let count = plan.comparisons().len() as u64;
        let text = |seed: u64, pair: u64| plan.of_pair(seed, pair).to_string();
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
    fn games_whose_values_cannot_be_told_are_refused() {
        let refused = |fen: &str| {
            let chess = GameDef::builtin("chess").unwrap();
            Plan::values(&Position::from_fen(&chess, fen).unwrap())
                .unwrap_err()
                .to_string()
        };
        let error = refused("rnbqkbnr/8/8/8/8/8/8/RNBQKBNR w - - 0 1");
        assert!(error.contains("without a pawn"), "{error}");
        let error = refused("4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1");
        assert!(error.contains("no comparison that tells the value of queen"), "{error}");
    }
}
