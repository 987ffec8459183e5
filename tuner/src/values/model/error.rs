//! What can keep a model from being fitted.

use thiserror::Error;

/// Why data cannot answer.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum FitError {
    /// No rows.
    #[error("found no positions to fit, expected at least one game with quiet positions")]
    Empty,
    /// Fewer clusters than coefficients, so that errors cannot be estimated.
    #[error(
        "found {found} opening pairs, expected more than {coefficients}: as many as there are coefficients to estimate"
    )]
    TooFewClusters {
        /// Opening pairs.
        found: usize,
        /// Columns of the design.
        coefficients: usize,
    },
    /// Nothing to explain.
    #[error("all results are equal (White scores {score} in every game), expected games with different results")]
    AllResultsEqual {
        /// White's score in points.
        score: f64,
    },
    /// A column that is zero in each row.
    #[error(
        "the {column} is never unbalanced: no position has more of it on one side, so its value cannot be measured"
    )]
    NeverUnbalanced {
        /// The column's name.
        column: String,
    },
    /// Columns of which one follows from the others.
    #[error(
        "{} are always unbalanced together in the same proportion, so their values cannot be told apart",
        list(columns)
    )]
    Collinear {
        /// The columns' names.
        columns: Vec<String>,
    },
    /// Some combination of columns decides every game, so that no finite value is the best.
    #[error(
        "the results are separated by {}: whoever has more of it never does worse, so no finite value fits best; \
             more games are needed",
        list(columns)
    )]
    Separated {
        /// The columns' names.
        columns: Vec<String>,
    },
    /// A result that never occurs, although others beyond it do, so that nothing says where it begins.
    #[error(
        "found no game between the results before and White's score {level}, so the threshold there cannot be placed; \
         more games are needed"
    )]
    NoThreshold {
        /// The score above the threshold, in points.
        level: f64,
    },
    /// Should not happen: the likelihood has one maximum.
    #[error("two starts led to coefficients that differ by {difference:.1e}, expected at most 1e-8")]
    StartsDisagree {
        /// The largest difference.
        difference: f64,
    },
    /// Should not happen: the likelihood has one maximum, and Newton's steps never go down.
    #[error("the fit did not settle after {iterations} steps (gradient {gradient:.1e}, expected at most 1e-10)")]
    NoConvergence {
        /// Newton steps taken.
        iterations: usize,
        /// The gradient that was left.
        gradient: f64,
    },
}

fn list(names: &[String]) -> String {
    match names {
        [] => "nothing".to_owned(),
        [only] => only.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}
