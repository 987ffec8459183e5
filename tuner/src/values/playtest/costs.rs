//! Costs of missing pieces: a fractional logit over all opening pairs, with the goodness of its
//! fit.

use std::collections::BTreeMap;

use assay_rules::{GameDef, Kind};
use nalgebra::{DMatrix, DVector};

use super::pair_scores::PairScores;
use super::results::{GoodnessOfFit, PlaytestError};
use crate::values::design::matrix::{DesignMatrix, Observation};
use crate::values::inference::distributions::f_survival;
use crate::values::inference::sandwich::cluster_robust_covariance;
use crate::values::model::{FitError, Logit, fit, logistic};

/// Costs of missing pieces from all comparisons.
pub(super) struct PieceCosts {
    pub(super) kinds: Vec<Kind>,
    /// Cost of each kind in log-odds of the mean score.
    pub(super) costs: DVector<f64>,
    /// Covariance of `costs`, robust to any dependence between the two games of a pair.
    pub(super) covariance: DMatrix<f64>,
}

impl PieceCosts {
    /// Fits the costs: the log-odds of the second army's expected score is the sum of the costs of
    /// the pieces by which the armies differ. `kinds` are the kinds to estimate; the armies differ
    /// in no others.
    ///
    /// Each pair is a row, with the mean score of its two games: every opening is played with the
    /// armies exchanged, so that the model needs no constant and no term for White. Least squares
    /// on the log-odds of each comparison would weight by variances from a few pairs, which makes
    /// intervals too narrow, and cannot use comparisons that one side has won throughout.
    pub(super) fn fit(
        files: &str,
        game: &GameDef,
        rows: &BTreeMap<String, PairScores>,
        kinds: Vec<Kind>,
    ) -> Result<PieceCosts, PlaytestError> {
        let names = kinds.iter().map(|&kind| game.kind(kind).name.clone());
        let mut design = DesignMatrix::new(names.collect());
        for row in rows.values() {
            let missing: Vec<f64> = kinds.iter().map(|&kind| row.missing[kind.index()]).collect();
            for (score, &count) in row.sample.scores().zip(row.sample.counts()) {
                for _ in 0..count {
                    let observation = Observation {
                        score: 1.0 - score,
                        weight: 1.0,
                        positions: 1.0,
                        cluster: design.len(),
                    };
                    design.push(&missing, observation);
                }
            }
        }
        let fit = fit(&Logit::fractional(), &design).map_err(|error| {
            undetermined(error, &design).map_or_else(
                |error| PlaytestError::Fit {
                    files: files.to_owned(),
                    error,
                },
                |kinds| PlaytestError::Undetermined {
                    files: files.to_owned(),
                    kinds,
                },
            )
        })?;
        Ok(PieceCosts {
            covariance: cluster_robust_covariance(&fit),
            costs: fit.coefficients,
            kinds,
        })
    }

    /// Log-odds of the second army's score by these costs.
    pub(super) fn log_odds(&self, row: &PairScores) -> f64 {
        let pieces = self.kinds.iter().zip(self.costs.iter());
        pieces.map(|(kind, cost)| row.missing[kind.index()] * cost).sum()
    }

    /// Tests whether costs that add up explain the mean scores of all comparisons. `None` if there
    /// are no more comparisons than costs, or if the pairs within the comparisons do not show how
    /// scores vary.
    ///
    /// The variance of a pair's score is a dispersion times `p (1 - p)` for an expected score `p`,
    /// as in the fit. The dispersion comes from the pairs within all comparisons together, because
    /// a comparison has too few pairs to estimate a variance of its own.
    pub(super) fn goodness_of_fit(&self, rows: &BTreeMap<String, PairScores>) -> Option<GoodnessOfFit> {
        let (mut comparisons, mut pairs) = (0_usize, 0_usize);
        // Sums of squares in units of p (1 - p): of means about the fit, and of pairs about the
        // means.
        let (mut between, mut within) = (0.0, 0.0);
        for row in rows.values() {
            let (Some(mean), Some(variance)) = (row.sample.mean(), row.sample.variance()) else {
                continue;
            };
            let expected = logistic(-self.log_odds(row));
            let weight = row.sample.observations() as f64 / (expected * (1.0 - expected));
            between += weight * (mean - expected).powi(2);
            within += weight * variance;
            comparisons += 1;
            pairs += row.sample.observations() as usize;
        }
        let degrees_of_freedom = comparisons.checked_sub(self.kinds.len()).filter(|&df| df > 0)?;
        let within_df = pairs - comparisons;
        if within_df == 0 || within <= 0.0 {
            return None;
        }
        let chi_square = between / (within / within_df as f64);
        Some(GoodnessOfFit {
            chi_square,
            degrees_of_freedom,
            // The dispersion is an estimate: chi-square divided by its degrees of freedom has an F
            // distribution.
            p: f_survival(chi_square / degrees_of_freedom as f64, degrees_of_freedom, within_df),
        })
    }
}

/// Names of the kinds whose costs the games do not determine, or the error if it has another
/// cause.
fn undetermined(error: FitError, design: &DesignMatrix) -> Result<String, FitError> {
    let names = match error {
        FitError::Separated { columns } | FitError::Collinear { columns } => columns,
        // The error names only the first.
        FitError::NeverUnbalanced { .. } => {
            let is_absent = |&column: &usize| design.rows().all(|row| row.get(column) == 0.0);
            let absent = (0..design.columns().len()).filter(is_absent);
            absent.map(|column| design.columns()[column].clone()).collect()
        }
        FitError::Empty | FitError::AllResultsEqual { .. } | FitError::TooFewClusters { .. } => {
            design.columns().to_vec()
        }
        other => return Err(other),
    };
    Ok(names.join(", "))
}
