//! Coverage of the intervals: many data sets are measured like real games, and the 95% intervals
//! that contain the true value are counted. The data sets are simulated from known values
//! ([`simulated()`]), or random subsets of real games ([`WholeSet`]).
//!
//! **Monte Carlo error.** Simulated sets are independent. The subsets of one partition depend on
//! each other, since they share out the same games: the first of two halves is off by as much as
//! the second, in the other direction. Partitions are drawn independently of each other, so the
//! variance between whole partitions gives the error. Divided by the variance of as many
//! independent subsets it is the design effect (Kish 1965), and dividing the number of subsets by
//! it gives the effective number, from which Wilson's interval is computed (Korn and Graubard
//! 1998).
//!
//! **Bias** is judged by the share of sets with a larger value: a value in pawns is a ratio, whose
//! mean is biased in small samples and whose median is not.
//!
//! The sandwich underestimates errors if there are few clusters for each coefficient, so intervals
//! of few games may be too narrow. A failure at 600 games is a finding about those intervals, not
//! an error of the division: in simulated games, whose material never changes, 300 independent
//! pairs have the same coverages as subsets of 300 pairs, about 0.91. Real games, which pass
//! through many differences in material, have 0.925 and more.

mod simulated;
mod subsets;

use assay_rules::GameDef;

use assay_tuner::values::data::Regressor;
use assay_tuner::values::design::{FEW, PhaseModel};
use assay_tuner::values::inference::{Estimate, Fit, Unit, ValueVerdict, normal_critical_value, wilson_interval};
use assay_tuner::values::model::FitError;

pub use simulated::simulated;
pub use subsets::WholeSet;

/// Acceptable shares of sets whose value is greater than the true one. For normal errors they are
/// those of a bias of a tenth of a standard deviation.
const ACCEPTABLE_ABOVE: [f64; 2] = [0.46, 0.54];

/// Coverage that is acceptable for 95% intervals: the asymptotic methods are not exact.
const ACCEPTABLE_COVERAGE: [f64; 2] = [0.93, 0.97];

/// Coverage that a check must be able to detect.
const POOR_COVERAGE: f64 = 0.90;

/// Outcome of a check of coverage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CoverageVerdict {
    /// No coverage differs from the acceptable range by more than its Monte Carlo error.
    Passed,
    /// Too few intervals to detect a coverage of 0.90.
    Undecided,
    /// A coverage differs from the acceptable range by more than its Monte Carlo error.
    Failed,
}

/// A value whose intervals are checked.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckedValue {
    /// Name of the piece or pair.
    pub piece: String,
    pub unit: Unit,
    /// Game phase: `full board`, `average` or `few pieces`.
    pub phase: &'static str,
    regressor: Regressor,
    /// Share of pieces left in this phase.
    left: f64,
}

impl CheckedValue {
    /// The values of a game in the primary unit, then those in pawns. Values that are constant by
    /// the definition of the unit are left out, and so are effects of pairs in the primary unit,
    /// which has none. `fit` is any fit of these values, and `average` the share
    /// of pieces left in the average position.
    fn all(phase_model: PhaseModel, average: f64, fit: &Fit) -> Vec<CheckedValue> {
        let (game, regressors) = (&fit.game, fit.regressors());
        let phases = [("full board", 1.0), ("average", average), ("few pieces", FEW)].into_iter();
        let phases = phases.filter(|phase| phase_model != PhaseModel::Constant || phase.0 == "average");
        let phases: Vec<(&'static str, f64)> = phases.collect();
        let army = fit.unit_table(Unit::Army);
        let is_in_army = |name: &str| {
            let found = army.as_ref().and_then(|army| army.of(name));
            found.is_some_and(|value| value.verdict != ValueVerdict::Unit)
        };
        let is_checked = |unit: Unit, regressor: Regressor| match (unit, regressor) {
            (Unit::Army | Unit::Pawns | Unit::MinorPieces, regressor) if Regressor::CONSTANTS.contains(&regressor) => {
                false
            }
            (Unit::Pawns, regressor) => regressor != Regressor::Kind(game.first_pawn()),
            (_, regressor) => is_in_army(&regressor.name(game)),
        };
        let mut values = Vec::new();
        for unit in [Unit::Army, Unit::Pawns] {
            for &regressor in regressors.iter().filter(|&&regressor| is_checked(unit, regressor)) {
                values.extend(phases.iter().map(|&(phase, left)| CheckedValue {
                    piece: regressor.name(game),
                    unit,
                    phase,
                    regressor,
                    left,
                }));
            }
        }
        values
    }

    /// The values by a fit, in this order.
    ///
    /// # Errors
    /// [`FitError::NeverUnbalanced`] if the fit does not have a value.
    fn estimates(values: &[CheckedValue], fit: &Fit) -> Result<Vec<Estimate>, FitError> {
        let of_value = |value: &CheckedValue| match value.unit {
            Unit::Pawns => fit.in_pawns(value.regressor, value.left),
            unit => fit.value_in(unit, &value.piece, value.left),
        };
        let estimates = values
            .iter()
            .map(|value| of_value(value).ok_or_else(|| FitError::NeverUnbalanced { column: value.piece.clone() }));
        estimates.collect()
    }
}

/// Estimates of one value over all data sets.
#[derive(Clone, Debug, PartialEq)]
pub struct CoverageRow {
    /// Name of the piece or pair.
    pub piece: String,
    pub unit: Unit,
    /// Game phase.
    pub phase: &'static str,
    /// The known value, or that of all games.
    pub true_value: f64,
    /// Mean estimate.
    pub mean: f64,
    /// Bias in standard deviations: (mean - true value) / standard deviation.
    pub standardized_bias: f64,
    /// Share of the sets whose value is greater than the true one: a half without bias.
    pub above: f64,
    /// Mean half-width of the bounded intervals.
    pub half_width: f64,
    /// Share of the 95% intervals that contain the true value, allowing for the error of the value
    /// of all games.
    pub coverage: f64,
    /// Coverage of intervals that treat positions as independent; `None` for subsets.
    pub control: Option<f64>,
}

/// Coverage of data sets of one size.
#[derive(Clone, Debug, PartialEq)]
pub struct Coverage {
    /// Games of a set.
    pub games: usize,
    /// Sets fitted.
    pub sets: usize,
    /// Random partitions of all games into the sets; 1 for simulated sets.
    pub partitions: usize,
    /// Variance of the coverages of whole partitions over that of as many independent sets, pooled
    /// over the values; at least 1, and 1 if there is one partition.
    pub design_effect: f64,
    /// Sets that could not be fitted and are left out.
    pub failed: usize,
    /// First fitting error.
    pub first_error: Option<String>,
    /// Failed if a set could not be fitted, a coverage or a share above is not acceptable, or the
    /// control passes for a piece.
    pub verdict: CoverageVerdict,
    /// One row for each unit, value and phase.
    pub values: Vec<CoverageRow>,
}

/// The values by one data set, in the order of [`Trials::values`].
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// Number of its partition.
    pub partition: usize,
    /// Intervals of subsets allow for the error of the whole set.
    pub estimates: Vec<Estimate>,
    /// The same with intervals that treat positions as independent; only for simulated sets.
    pub control: Option<Vec<Estimate>>,
}

/// Estimates from data sets of one size.
#[derive(Clone, Debug)]
pub struct Trials {
    pub values: Vec<CheckedValue>,
    true_values: Vec<f64>,
    /// Games of a set.
    games: usize,
    partitions: usize,
    /// One for each set that could be fitted, at least one.
    pub fitted: Vec<Trial>,
    errors: Vec<FitError>,
}

/// Seed of a data set or partition; neighboring values of `seed` share none.
fn set_seed(seed: u64, number: u64) -> u64 {
    seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(number)
}

impl Trials {
    /// # Errors
    /// If no set could be fitted: the first error.
    fn of(
        values: Vec<CheckedValue>,
        true_values: Vec<f64>,
        games: usize,
        partitions: usize,
        results: Vec<Result<Trial, FitError>>,
    ) -> Result<Trials, FitError> {
        let (fitted, failed): (Vec<_>, Vec<_>) = results.into_iter().partition(Result::is_ok);
        let fitted: Vec<Trial> = fitted.into_iter().flatten().collect();
        let errors: Vec<FitError> = failed.into_iter().filter_map(Result::err).collect();
        if fitted.is_empty() {
            return Err(errors.into_iter().next().unwrap_or(FitError::Empty));
        }
        Ok(Trials { values, true_values, games, partitions, fitted, errors })
    }

    /// Bias and coverage of each value, with the verdict.
    pub fn coverage(&self, game: &GameDef) -> Coverage {
        let design_effect = self.design_effect();
        let effective = self.fitted.len() as f64 / design_effect;
        let values: Vec<CoverageRow> = (0..self.values.len()).map(|index| self.row(index)).collect();
        let shares = |share: fn(&CoverageRow) -> f64| values.iter().map(share).collect::<Vec<f64>>();
        let is_piece = |name: &str| game.kinds.iter().any(|kind| kind.name == name);
        let is_decisive = |row: &&CoverageRow| row.phase == "average" && is_piece(&row.piece);
        let [lowest, _] = ACCEPTABLE_COVERAGE;
        let control_fails = |row: &CoverageRow| row.control.is_none_or(|coverage| coverage < lowest);
        let is_unbiased = are_acceptable(&shares(|row| row.above), ACCEPTABLE_ABOVE, effective);
        let verdict = if self.errors.is_empty() && is_unbiased && values.iter().filter(is_decisive).all(control_fails) {
            judge(&shares(|row| row.coverage), effective)
        } else {
            CoverageVerdict::Failed
        };
        Coverage {
            games: self.games,
            sets: self.fitted.len(),
            partitions: self.partitions,
            design_effect,
            failed: self.errors.len(),
            first_error: self.errors.first().map(ToString::to_string),
            verdict,
            values,
        }
    }

    fn row(&self, index: usize) -> CoverageRow {
        let (value, true_value) = (&self.values[index], self.true_values[index]);
        let count = self.fitted.len() as f64;
        let estimates = || self.fitted.iter().map(|trial| &trial.estimates[index]);
        let covers = |estimate: &&Estimate| estimate.contains(true_value);
        let mean = estimates().map(|estimate| estimate.value).sum::<f64>() / count;
        let squares: f64 = estimates().map(|estimate| (estimate.value - mean).powi(2)).sum();
        let standard_deviation = (squares / (count - 1.0).max(1.0)).sqrt();
        let widths: Vec<f64> = estimates().filter_map(Estimate::width).collect();
        let coverage = estimates().filter(covers).count() as f64 / count;
        let controls = self.fitted.iter().filter_map(|trial| trial.control.as_ref());
        let controls: Vec<&Estimate> = controls.map(|control| &control[index]).collect();
        let controlled = controls.iter().copied().filter(covers).count() as f64 / controls.len() as f64;
        CoverageRow {
            piece: value.piece.clone(),
            unit: value.unit,
            phase: value.phase,
            true_value,
            mean,
            standardized_bias: (mean - true_value) / standard_deviation,
            above: estimates().filter(|estimate| estimate.value > true_value).count() as f64 / count,
            half_width: widths.iter().sum::<f64>() / (2.0 * widths.len() as f64),
            coverage,
            control: (!controls.is_empty()).then_some(controlled),
        }
    }

    /// See [`Coverage::design_effect`].
    fn design_effect(&self) -> f64 {
        let mut partitions: Vec<Vec<Vec<bool>>> = vec![Vec::new(); self.partitions];
        for trial in &self.fitted {
            let both = trial.estimates.iter().zip(&self.true_values);
            let covered = both.map(|(estimate, &truth)| estimate.contains(truth));
            partitions[trial.partition].push(covered.collect());
        }
        partitions.retain(|sets| !sets.is_empty());
        design_effect(&partitions)
    }
}

/// Returns true if no share, each of `trials` independent cases, differs from the acceptable range
/// by more than its Monte Carlo error.
fn are_acceptable(shares: &[f64], [lowest, highest]: [f64; 2], trials: f64) -> bool {
    let critical_value = normal_critical_value(shares.len());
    shares.iter().all(|share| {
        let [low, high] = wilson_interval(share * trials, trials, critical_value);
        low <= highest && high >= lowest
    })
}

/// Judges coverages, each with the Monte Carlo error of `trials` independent intervals.
fn judge(coverages: &[f64], trials: f64) -> CoverageVerdict {
    if !are_acceptable(coverages, ACCEPTABLE_COVERAGE, trials) {
        CoverageVerdict::Failed
    } else if trials < 1.0
        || wilson_interval(0.95 * trials, trials, normal_critical_value(coverages.len()))[0] < POOR_COVERAGE
    {
        CoverageVerdict::Undecided
    } else {
        CoverageVerdict::Passed
    }
}

/// Design effect, from whether each value of the sets of several partitions is covered.
fn design_effect(partitions: &[Vec<Vec<bool>>]) -> f64 {
    let count = partitions.len() as f64;
    let values = partitions[0][0].len();
    let (mut between, mut independent) = (0.0, 0.0);
    for value in 0..values {
        let coverage = |subsets: &Vec<Vec<bool>>| {
            subsets.iter().filter(|covered| covered[value]).count() as f64 / subsets.len() as f64
        };
        let coverages: Vec<f64> = partitions.iter().map(coverage).collect();
        let mean = coverages.iter().sum::<f64>() / count;
        let squares: f64 = coverages.iter().map(|coverage| (coverage - mean).powi(2)).sum();
        between += squares / (count - 1.0);
        let per_subset: f64 = partitions.iter().map(|subsets| 1.0 / subsets.len() as f64).sum();
        independent += mean * (1.0 - mean) * per_subset / count;
    }
    if partitions.len() > 1 && independent > 0.0 { (between / independent).max(1.0) } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::{CoverageVerdict, design_effect, judge};

    #[test]
    fn subsets_that_depend_on_each_other_count_less() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut draw = || random.random::<f64>() < 0.95;
        let independent: Vec<_> = (0..4_000).map(|_| vec![vec![draw()], vec![draw()]]).collect();
        let found = design_effect(&independent);
        assert!((1.0..1.1).contains(&found), "{found}");
        // Two halves are off by the same amount, so both intervals contain the value or neither.
        let halves: Vec<_> = (0..4_000)
            .map(|_| {
                let is_covered = draw();
                vec![vec![is_covered], vec![is_covered]]
            })
            .collect();
        let found = design_effect(&halves);
        assert!((found - 2.0).abs() < 0.01, "{found}");
        let alone = design_effect(&halves[..1]);
        assert!((alone - 1.0).abs() < 1e-12, "one partition does not show its variance: {alone}");
    }

    #[test]
    fn verdicts_allow_for_the_number_of_intervals() {
        let judge = |coverage: f64, trials| judge(&[0.95, coverage], trials);
        assert_eq!(judge(0.91, 2_000.0), CoverageVerdict::Failed);
        assert_eq!(judge(0.99, 2_000.0), CoverageVerdict::Failed);
        assert_eq!(judge(0.928, 2_000.0), CoverageVerdict::Passed);
        assert_eq!(judge(0.91, 300.0), CoverageVerdict::Passed);
        assert_eq!(judge(1.0, 4.0), CoverageVerdict::Undecided);
        assert_eq!(judge(0.0, 4.0), CoverageVerdict::Failed);
    }
}
