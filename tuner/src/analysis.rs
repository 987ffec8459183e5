//! From games to everything that is said about them.

use std::collections::BTreeMap;

use assay_rules::{Reason, Score};
use serde::Serialize;
use thiserror::Error;

use crate::cluster;
use crate::convergence::{self, Convergence, HalfWidth};
use crate::data::{Data, File};
use crate::design::{Design, Row};
use crate::folds::{self, OutOfFold};
use crate::joint::{self, JointTest};
use crate::model::{Fit, FitError, Model};
use crate::quantile;
use crate::terms::Term;
use crate::values::{Estimate, Value};

/// Why there is no answer.
#[derive(Debug, Error)]
pub enum AnalysisError {
    /// The model cannot be fitted.
    #[error("{files}: {why}")]
    Fit {
        /// The files of games.
        files: String,
        /// Why not.
        why: FitError,
    },
}

/// Everything measured, in the form in which `--json` prints it.
#[derive(Clone, Debug, Serialize)]
pub struct Analysis {
    /// The version of Assay.
    pub assay: &'static str,
    /// The game's protocol name.
    pub game: String,
    /// Its proper name.
    pub title: String,
    /// Where the inventor's values come from.
    pub source: String,
    /// The table of values.
    pub values: Vec<Value>,
    /// What a pawn is worth, and what it is to be on the move.
    pub scale: Scale,
    /// The inventor's values tested together; none when too few are published or too few games played.
    pub joint: Option<JointTest>,
    /// Predictions of unseen games; none when a part of the games cannot be fitted alone.
    pub out_of_fold: Option<OutOfFold>,
    /// How intervals narrow.
    pub convergence: Convergence,
    /// The games.
    pub games: Games,
    /// The fit itself.
    pub fit: FitSummary,
    /// The files that the games are from.
    pub files: Vec<File>,
    /// The command that repeats this, where one does.
    pub command: Option<String>,
}

/// What units are worth in results.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Scale {
    /// The expected score, 0.5 to 1, of being a pawn ahead and otherwise equal.
    pub pawn_score: f64,
    /// Lower and upper end of its 95% interval.
    pub pawn_score_interval: [f64; 2],
    /// Being to move, in pawns; none when all positions had the same side to move.
    pub side_to_move: Option<Value>,
    /// Being White, in pawns.
    pub white: Option<Value>,
}

/// What the games were like.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Games {
    /// All games.
    pub games: usize,
    /// Opening pairs: the independent units.
    pub pairs: usize,
    /// Pairs of which one game is missing.
    pub incomplete_pairs: usize,
    /// Games without a quiet position, which are not fitted.
    pub without_positions: usize,
    /// Quiet positions fitted.
    pub positions: usize,
    /// The mean length in plies.
    pub mean_plies: f64,
    /// White's mean score in points.
    pub white_score: f64,
    /// Games by White's score in points, best first.
    pub results: Vec<ResultCount>,
    /// Games by how they ended, most frequent first.
    pub reasons: Vec<ReasonCount>,
}

/// Games with one result.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ResultCount {
    /// White's score in points, 0 to 1.
    pub white: f64,
    /// How many games.
    pub games: usize,
}

/// Games with one ending.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReasonCount {
    /// The ending's name (`checkmate`).
    pub reason: String,
    /// How many games.
    pub games: usize,
}

/// The fit in its own terms.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FitSummary {
    /// The model's name.
    pub model: &'static str,
    /// The confidence level of all intervals.
    pub level: f64,
    /// Standard errors that an interval reaches to each side (Student's t).
    pub reach: f64,
    /// Newton steps.
    pub iterations: usize,
    /// What was left of the gradient.
    pub gradient: f64,
    /// The coefficients' names.
    pub columns: Vec<String>,
    /// Log-odds of White's score for each unit.
    pub coefficients: Vec<f64>,
    /// Their standard errors, clustered by opening pair.
    pub standard_errors: Vec<f64>,
    /// Their covariance, row by row.
    pub covariance: Vec<Vec<f64>>,
}

/// Fits a model and says everything that follows.
///
/// # Errors
/// When the games cannot answer.
pub fn analyse(data: &Data, model: &dyn Model) -> Result<Analysis, AnalysisError> {
    let fitted = || -> Result<Analysis, FitError> {
        let terms = identified_terms(data);
        let design = design(data, &terms);
        let (fit, estimate) = measure(&design, &terms, model)?;
        let clusters = design.cluster_count();
        let game = &data.game;
        Ok(Analysis {
            assay: env!("CARGO_PKG_VERSION"),
            game: game.name.clone(),
            title: game.title.clone(),
            source: game.source.clone(),
            values: estimate.values(game),
            scale: scale(data, &estimate),
            joint: joint::test(&estimate, game, clusters),
            out_of_fold: out_of_fold(data, &design, &estimate, model),
            convergence: convergence::converge(&design, data.games.len(), |part| {
                let (_, estimate) = measure(part, &terms, model).ok()?;
                Some(half_widths(&estimate.values(game)))
            }),
            games: describe(data),
            fit: FitSummary {
                model: model.name(),
                level: quantile::LEVEL,
                reach: estimate.reach,
                iterations: fit.iterations,
                gradient: fit.gradient,
                columns: design.columns().to_vec(),
                coefficients: estimate.coefficients.iter().copied().collect(),
                standard_errors: cluster::standard_errors(&estimate.covariance).iter().copied().collect(),
                covariance: estimate
                    .covariance
                    .row_iter()
                    .map(|row| row.iter().copied().collect())
                    .collect(),
            },
            files: data.files.clone(),
            command: None,
        })
    };
    fitted().map_err(|why| {
        let files: Vec<String> = data.files.iter().map(|file| file.path.display().to_string()).collect();
        AnalysisError::Fit {
            files: files.join(", "),
            why,
        }
    })
}

/// All terms, without the side to move when every sampled position has the same: it would be the constant once more.
fn identified_terms(data: &Data) -> Vec<Term> {
    let mut terms = data.terms.clone();
    if let Some(index) = terms.iter().position(|&term| term == Term::SideToMove) {
        let mut sides = data
            .games
            .iter()
            .flat_map(|game| &game.samples)
            .map(|sample| sample.values[index]);
        let first = sides.next();
        if sides.all(|side| Some(side) == first) {
            terms.remove(index);
        }
    }
    terms
}

fn design(data: &Data, terms: &[Term]) -> Design {
    let kept: Vec<usize> = (0..data.terms.len())
        .filter(|&index| terms.contains(&data.terms[index]))
        .collect();
    let mut design = Design::new(terms.iter().map(|term| term.name(&data.game)).collect());
    // Clusters without a quiet position leave no gap in the numbers.
    let mut clusters = BTreeMap::new();
    for game in data.games.iter().filter(|game| !game.samples.is_empty()) {
        let next = clusters.len();
        let cluster = *clusters.entry(game.cluster).or_insert(next);
        for sample in &game.samples {
            let values: Vec<f64> = kept.iter().map(|&index| sample.values[index]).collect();
            let weight = 1.0 / game.samples.len() as f64;
            design.push(Row {
                values: &values,
                score: game.white.points(),
                weight,
                cluster,
            });
        }
    }
    design
}

fn measure(design: &Design, terms: &[Term], model: &dyn Model) -> Result<(Fit, Estimate), FitError> {
    let fit = model.fit(design)?;
    let clusters = design.cluster_count();
    let estimate = Estimate {
        terms: terms.to_vec(),
        covariance: cluster::covariance(&fit, design.rows().map(|row| row.cluster), clusters),
        coefficients: fit.coefficients.clone(),
        reach: quantile::reach(clusters),
    };
    Ok((fit, estimate))
}

fn half_widths(values: &[Value]) -> Vec<HalfWidth> {
    let with_interval = values.iter().filter_map(|value| Some((value, value.interval?)));
    with_interval
        .map(|(value, region)| HalfWidth {
            piece: value.piece.clone(),
            pawns: region.width().map(|width| width / 2.0),
        })
        .collect()
}

fn scale(data: &Data, estimate: &Estimate) -> Scale {
    let pawn = estimate
        .index(Term::Kind(data.game.pawn))
        .expect("the pawn is the unit");
    let score = |log_odds: f64| 1.0 / (1.0 + (-log_odds).exp());
    let (coefficient, error) = (estimate.coefficients[pawn], estimate.standard_error(pawn));
    let reach = estimate.reach;
    let side_to_move = estimate.other(&data.game, Term::SideToMove);
    Scale {
        pawn_score: score(coefficient),
        pawn_score_interval: [score(coefficient - reach * error), score(coefficient + reach * error)],
        side_to_move,
        white: estimate.other(&data.game, Term::White),
    }
}

/// Compares with the constant and, when the inventor has values, with those at the best scale.
fn out_of_fold(data: &Data, design: &Design, estimate: &Estimate, model: &dyn Model) -> Option<OutOfFold> {
    let white = estimate.index(Term::White)?;
    let constant = design.in_columns(vec![Term::White.name(&data.game)], |_, old| old[white]);
    let claims: Vec<f64> = estimate
        .terms
        .iter()
        .map(|term| term.inventor_in_pawns(&data.game).unwrap_or(0.0))
        .collect();
    let pawn = Term::Kind(data.game.pawn);
    let has_claims = estimate
        .terms
        .iter()
        .zip(&claims)
        .any(|(&term, &claim)| term != pawn && claim != 0.0);
    let nuisances: Vec<usize> = (0..estimate.terms.len())
        .filter(|&index| matches!(estimate.terms[index], Term::SideToMove | Term::White))
        .collect();
    let names = std::iter::once("the inventor's values".to_owned())
        .chain(nuisances.iter().map(|&index| estimate.terms[index].name(&data.game)));
    let inventor = has_claims.then(|| {
        design.in_columns(names.collect(), |column, old| match column.checked_sub(1) {
            None => old.iter().zip(&claims).map(|(count, claim)| count * claim).sum(),
            Some(nuisance) => old[nuisances[nuisance]],
        })
    });
    folds::compare(model, design, &constant, inventor.as_ref(), estimate.reach).ok()
}

fn describe(data: &Data) -> Games {
    let mut results: BTreeMap<Score, usize> = BTreeMap::new();
    let mut reasons: BTreeMap<&'static str, usize> = BTreeMap::new();
    let mut pairs: BTreeMap<usize, usize> = BTreeMap::new();
    for game in &data.games {
        *results.entry(game.white).or_default() += 1;
        *reasons.entry(Reason::name(game.reason)).or_default() += 1;
        *pairs.entry(game.cluster).or_default() += 1;
    }
    let mut reasons: Vec<ReasonCount> = reasons
        .into_iter()
        .map(|(name, games)| ReasonCount {
            reason: name.to_owned(),
            games,
        })
        .collect();
    reasons.sort_by_key(|count| std::cmp::Reverse(count.games));
    let count = data.games.len() as f64;
    Games {
        games: data.games.len(),
        pairs: pairs.len(),
        incomplete_pairs: pairs.values().filter(|&&games| games < 2).count(),
        without_positions: data.games.iter().filter(|game| game.samples.is_empty()).count(),
        positions: data.games.iter().map(|game| game.samples.len()).sum(),
        mean_plies: data.games.iter().map(|game| game.plies as f64).sum::<f64>() / count,
        white_score: data.games.iter().map(|game| game.white.points()).sum::<f64>() / count,
        results: results
            .into_iter()
            .rev()
            .map(|(score, games)| ResultCount {
                white: score.points(),
                games,
            })
            .collect(),
        reasons,
    }
}
