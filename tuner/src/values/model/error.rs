//! Errors of fitting.

use assay_cli::format::count;
use assay_cli::text::enumeration;
use thiserror::Error;

/// Error from fitting a model.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum FitError {
    /// The caller ended the analysis.
    #[error("stopped")]
    Stopped,
    /// The design matrix has no rows.
    #[error("found no positions to fit, expected at least one game with quiet positions")]
    Empty,
    /// At most as many clusters as parameters, so that the cluster-robust covariance is singular.
    #[error(
        "found {}, expected more than the {coefficients} coefficients to estimate",
        count(found, "opening pair", "opening pairs")
    )]
    TooFewClusters {
        found: usize,
        /// Parameters of the model.
        coefficients: usize,
    },
    /// All games have the same result.
    #[error("all results are equal (White scores {score} in every game), expected games with different results")]
    AllResultsEqual {
        /// White's score in points.
        score: f64,
    },
    /// A column is zero in every row.
    #[error("no position has more of one side's {column} than of the other's, so its value cannot be measured")]
    NeverUnbalanced { column: String },
    /// Columns are linearly dependent.
    #[error(
        "{} are always unbalanced together in the same proportion, so their values cannot be separated",
        enumeration(columns)
    )]
    Collinear { columns: Vec<String> },
    /// Perfect separation: a combination of columns predicts every result, so that no finite
    /// coefficients maximize the likelihood.
    #[error(
        "the results are separated by {}: the side that has more of it never does worse, so no finite value fits best; \
         more games are needed",
        enumeration(columns)
    )]
    Separated { columns: Vec<String> },
    /// No game has a result between two thresholds.
    #[error(
        "found no games with results just below White's score {level}, so its threshold cannot be estimated; more games are needed"
    )]
    NoThreshold {
        /// The score above the threshold, in points.
        level: f64,
    },
    /// Internal check: the likelihood is concave and has one maximum.
    #[error("two starting points led to coefficients that differ by {difference:.1e}, expected at most 1e-8")]
    StartsDisagree {
        /// Largest difference.
        difference: f64,
    },
    /// Internal check: Newton–Raphson with step halving never lowers the likelihood.
    #[error(
        "the fit did not converge after {} (gradient {gradient:.1e}); more games are needed",
        count(iterations, "step", "steps")
    )]
    NoConvergence {
        /// Newton–Raphson steps taken.
        iterations: usize,
        /// Remaining gradient.
        gradient: f64,
    },
}
