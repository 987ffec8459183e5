//! Values in pawns: coefficients over the pawn's, with their intervals and verdicts.

use assay_rules::GameDef;
use assay_rules::def::PieceClass;
use nalgebra::{DMatrix, DVector};
use serde::{Deserialize, Serialize};

use crate::values::data::regressor::Regressor;
use crate::values::design::phase::{FEW, PhaseModel};
use crate::values::design::spec::DesignSpec;
use crate::values::inference::fieller::{ConfidenceRegion, RatioEstimate};
use crate::values::inference::verdict::ValueVerdict;

/// Estimated coefficients with their covariance.
#[derive(Clone, Debug)]
pub struct Estimate {
    /// What each coefficient speaks of.
    pub columns: DesignSpec,
    /// Log-odds of White's score for each unit of a column, then the model's own parameters.
    pub coefficients: DVector<f64>,
    /// Their covariance, clustered by opening pair.
    pub covariance: DMatrix<f64>,
    /// How many standard errors an interval reaches to each side.
    pub critical_value: f64,
    /// The mean share of pieces left: where values stand for the average of a game.
    pub mean_left: f64,
}

/// A number with its interval.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
pub struct IntervalEstimate {
    /// The best estimate.
    pub value: f64,
    /// Its 95% region.
    pub interval: ConfidenceRegion,
}

/// One row of the table of values.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct PieceValue {
    /// The kind's name, or the name of a pair.
    pub piece: String,
    /// The kind's letter; none for pairs.
    pub letter: Option<char>,
    /// The inventor's value as published.
    pub inventor_raw: Option<f64>,
    /// The inventor's value in the inventor's pawns.
    pub inventor: Option<f64>,
    /// The measured value in pawns, with as many pieces left as on average.
    pub measured: Option<f64>,
    /// Its 95% region in pawns.
    pub interval: Option<ConfidenceRegion>,
    /// The value with three quarters of the pieces and more, in pawns as they are worth there; none where values do not change over the game.
    pub full_board: Option<IntervalEstimate>,
    /// The value with a quarter of the pieces left, in pawns as they are worth there.
    pub few_pieces: Option<IntervalEstimate>,
    /// The value on a bare board, in pawns as they are worth there: the far end of the line, where few quiet positions are, and none
    /// of those in which somebody is about to mate.
    pub bare_board: Option<IntervalEstimate>,
    /// The measured value by fractional regression, as a cross-check.
    pub fractional_logit: Option<f64>,
    /// The middle 95% of the measured value when opening pairs are resampled.
    pub bootstrap_interval: Option<[f64; 2]>,
    /// Games in all after which the interval is likely to reach 0.1 pawns to each side, or 2% of the value where that is more: as
    /// many as there are, where it does. None where it is unbounded.
    pub games_needed: Option<u64>,
    /// The measured value against the inventor's.
    pub verdict: ValueVerdict,
}

impl Estimate {
    /// A term's log-odds when this share of the pieces is left, with its standard error.
    pub fn log_odds(&self, term: Regressor, left: f64) -> Option<(f64, f64)> {
        let contrast = self.columns.contrast(term, left, self.coefficients.len())?;
        let variance = contrast.dot(&(&self.covariance * &contrast));
        Some((contrast.dot(&self.coefficients), variance.sqrt()))
    }

    /// A term's coefficient over the pawn's when this share of the pieces is left.
    pub fn ratio(&self, term: Regressor, pawn: Regressor, left: f64) -> Option<RatioEstimate> {
        let parameters = self.coefficients.len();
        let above = self.columns.contrast(term, left, parameters)?;
        let below = self.columns.contrast(pawn, left, parameters)?;
        Some(self.contrast_ratio(&above, &below))
    }

    /// One weighted sum of the parameters over another one.
    pub fn contrast_ratio(&self, above: &DVector<f64>, below: &DVector<f64>) -> RatioEstimate {
        let (spread_above, spread_below) = (&self.covariance * above, &self.covariance * below);
        RatioEstimate {
            numerator: above.dot(&self.coefficients),
            denominator: below.dot(&self.coefficients),
            numerator_variance: above.dot(&spread_above),
            denominator_variance: below.dot(&spread_below),
            covariance: above.dot(&spread_below),
        }
    }

    /// A term in pawns when this share of the pieces is left.
    pub fn in_pawns(&self, game: &GameDef, term: Regressor, left: f64) -> Option<IntervalEstimate> {
        let ratio = self.ratio(term, Regressor::Kind(game.pawn), left)?;
        Some(IntervalEstimate {
            value: ratio.estimate(),
            interval: ratio.fieller_region(self.critical_value),
        })
    }

    /// The table of values: pieces from the most valuable down (by the inventor's value, else by the measured one),
    /// then what pieces are worth together, then the king, which is never measured.
    pub fn values(&self, game: &GameDef) -> Vec<PieceValue> {
        let (mut pieces, mut together) = (Vec::new(), Vec::new());
        for term in self.columns.fitted_regressors() {
            match term {
                Regressor::Kind(_) => pieces.extend(self.value(game, term)),
                Regressor::Pair(_) | Regressor::SecondPiece(_) | Regressor::JokerAgainstMajors(_) => {
                    together.extend(self.value(game, term))
                }
                Regressor::SideToMove | Regressor::White => {}
            }
        }
        let rank = |value: &PieceValue| value.inventor.or(value.measured).unwrap_or(0.0);
        pieces.sort_by(|one, other| rank(other).total_cmp(&rank(one)));
        pieces.extend(together);
        pieces.push(king(game));
        pieces
    }

    /// What a term is worth; `None` when it was not fitted.
    pub fn value(&self, game: &GameDef, term: Regressor) -> Option<PieceValue> {
        let inventor = term.inventor_in_pawns(game);
        let is_pawn = term == Regressor::Kind(game.pawn);
        let average = self.in_pawns(game, term, self.mean_left)?;
        let changes = self.columns.phase_model != PhaseModel::Constant && !is_pawn;
        let at = |left: f64| self.in_pawns(game, term, left).filter(|_| changes);
        Some(PieceValue {
            piece: term.name(game),
            letter: match term {
                Regressor::Kind(kind) => Some(game.kind(kind).letter),
                _ => None,
            },
            inventor_raw: term.inventor_raw(game),
            inventor,
            measured: Some(if is_pawn { 1.0 } else { average.value }),
            interval: (!is_pawn).then_some(average.interval),
            full_board: at(1.0),
            few_pieces: at(FEW),
            bare_board: at(0.0),
            fractional_logit: None,
            bootstrap_interval: None,
            games_needed: None,
            verdict: if is_pawn {
                ValueVerdict::Unit
            } else {
                ValueVerdict::of(average.interval, inventor)
            },
        })
    }
}

fn king(game: &GameDef) -> PieceValue {
    debug_assert_eq!(game.kind(game.king).class, PieceClass::King);
    let term = Regressor::Kind(game.king);
    PieceValue {
        piece: term.name(game),
        letter: Some(game.kind(game.king).letter),
        inventor_raw: term.inventor_raw(game),
        inventor: term.inventor_in_pawns(game),
        measured: None,
        interval: None,
        full_board: None,
        few_pieces: None,
        bare_board: None,
        fractional_logit: None,
        bootstrap_interval: None,
        games_needed: None,
        verdict: ValueVerdict::Unmeasurable,
    }
}
