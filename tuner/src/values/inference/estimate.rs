//! Piece values: ratios of coefficients to the pawn's, with intervals and verdicts.

use assay_rules::GameDef;
use assay_rules::def::PieceClass;
use nalgebra::{DMatrix, DVector};
use serde::{Deserialize, Serialize};

use crate::values::data::regressor::{Regressor, is_published_with_half_pair};
use crate::values::design::phase::{FEW, PhaseModel};
use crate::values::design::spec::DesignSpec;
use crate::values::inference::fieller::{ConfidenceRegion, RatioEstimate};
use crate::values::inference::verdict::ValueVerdict;

/// Estimated coefficients with their covariance.
#[derive(Clone, Debug)]
pub struct Estimate {
    /// The columns that the coefficients belong to.
    pub spec: DesignSpec,
    /// Log-odds of White's score for each unit of a column, then the nuisance parameters.
    pub coefficients: DVector<f64>,
    /// Cluster-robust covariance of the coefficients.
    pub covariance: DMatrix<f64>,
    /// Half-width of an interval in standard errors (Student's t).
    pub critical_value: f64,
    /// Share of pieces left at which values are averages over the positions ([`DesignSpec::mean_pieces_left`]).
    pub mean_left: f64,
}

/// A number with its confidence region.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
pub struct IntervalEstimate {
    /// Point estimate.
    pub value: f64,
    /// 95% confidence region.
    pub interval: ConfidenceRegion,
}

impl IntervalEstimate {
    /// A ratio with Fieller's region; `critical_value` is that of the t statistic.
    pub fn of_ratio(ratio: RatioEstimate, critical_value: f64) -> IntervalEstimate {
        IntervalEstimate {
            value: ratio.estimate(),
            interval: ratio.fieller_region(critical_value),
        }
    }
}

/// One row of the value table. Values are in pawns at the same game phase.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct PieceValue {
    /// Name of the piece or pair.
    pub piece: String,
    /// True if the measured values include half of the pair's bonus, because one value is published for both pieces of the pair.
    #[serde(default)]
    pub with_half_pair: bool,
    /// The piece's letter; `None` for pairs.
    pub letter: Option<char>,
    /// Published value in the inventor's units.
    pub published_raw: Option<f64>,
    /// Published value in pawns.
    pub published: Option<f64>,
    /// Measured value, averaged over the positions of the fit.
    pub measured: Option<f64>,
    /// 95% confidence region of the measured value.
    pub interval: Option<ConfidenceRegion>,
    /// Value with at least three quarters of the pieces left; `None` under [`PhaseModel::Constant`].
    pub full_board: Option<IntervalEstimate>,
    /// Value with a quarter of the pieces left.
    pub few_pieces: Option<IntervalEstimate>,
    /// Value by fractional logit, as a cross-check.
    pub fractional_logit: Option<f64>,
    /// Bootstrap percentile interval (95%) of the measured value.
    pub bootstrap_interval: Option<[f64; 2]>,
    /// Verdict on the published value.
    pub verdict: ValueVerdict,
}

impl Estimate {
    /// Log-odds of one unit of a regressor with its standard error, when the share `left` of the pieces is left.
    pub fn log_odds(&self, regressor: Regressor, left: f64) -> Option<(f64, f64)> {
        let contrast = self.spec.contrast(regressor, left, self.coefficients.len())?;
        let variance = contrast.dot(&(&self.covariance * &contrast));
        Some((contrast.dot(&self.coefficients), variance.sqrt()))
    }

    /// Returns true if one value is published for both pieces of a pair, which then includes half of the pair's bonus.
    pub fn has_half_pair(&self, game: &GameDef, regressor: Regressor) -> bool {
        let Regressor::Kind(kind) = regressor else {
            return false;
        };
        let has_column = |pair| self.spec.columns.iter().any(|column| column.regressor == pair);
        is_published_with_half_pair(game, kind) && has_column(Regressor::Pair(kind))
    }

    /// Contrast of what the published value of a regressor means: a regressor's coefficient, and with it half of the pair's bonus if
    /// [`Estimate::has_half_pair`]. `None` if the regressor was not fitted.
    pub fn worth(&self, game: &GameDef, regressor: Regressor, left: f64) -> Option<DVector<f64>> {
        let at = |term| self.spec.contrast(term, left, self.coefficients.len());
        let mut worth = at(regressor)?;
        if let Regressor::Kind(kind) = regressor
            && self.has_half_pair(game, regressor)
        {
            worth += at(Regressor::Pair(kind))? / 2.0;
        }
        Some(worth)
    }

    /// Ratio of a regressor's coefficient to the pawn's, when the share `left` of the pieces is left.
    pub fn ratio(&self, regressor: Regressor, pawn: Regressor, left: f64) -> Option<RatioEstimate> {
        let parameters = self.coefficients.len();
        let above = self.spec.contrast(regressor, left, parameters)?;
        let below = self.spec.contrast(pawn, left, parameters)?;
        Some(self.contrast_ratio(&above, &below))
    }

    /// Ratio of two linear combinations (contrasts) of the parameters.
    pub fn contrast_ratio(&self, above: &DVector<f64>, below: &DVector<f64>) -> RatioEstimate {
        RatioEstimate::of_contrasts(above, below, &self.coefficients, &self.covariance)
    }

    /// Value of a regressor in pawns, when the share `left` of the pieces is left.
    pub fn in_pawns(&self, game: &GameDef, regressor: Regressor, left: f64) -> Option<IntervalEstimate> {
        let ratio = self.ratio(regressor, Regressor::Kind(game.pawn), left)?;
        Some(IntervalEstimate::of_ratio(ratio, self.critical_value))
    }

    /// The value table: pieces by descending published (else measured) value, then pair and second-piece effects, then the king, which is never
    /// measured.
    pub fn values(&self, game: &GameDef) -> Vec<PieceValue> {
        let (mut pieces, mut bonuses) = (Vec::new(), Vec::new());
        for regressor in self.spec.fitted_regressors() {
            match regressor {
                Regressor::Kind(_) => pieces.extend(self.value(game, regressor)),
                Regressor::Pair(_) | Regressor::SecondPiece(_) | Regressor::JokerAgainstMajors(_) => {
                    bonuses.extend(self.value(game, regressor));
                }
                Regressor::SideToMove | Regressor::White => {}
            }
        }
        let rank = |value: &PieceValue| value.published.or(value.measured).unwrap_or(0.0);
        pieces.sort_by(|one, other| rank(other).total_cmp(&rank(one)));
        pieces.extend(bonuses);
        pieces.push(king(game));
        pieces
    }

    /// Table row of a regressor; `None` if it was not fitted.
    pub fn value(&self, game: &GameDef, regressor: Regressor) -> Option<PieceValue> {
        let published = regressor.published_in_pawns(game);
        let is_pawn = regressor == Regressor::Kind(game.pawn);
        let in_pawns = |left: f64| {
            let above = self.worth(game, regressor, left)?;
            let below = self.worth(game, Regressor::Kind(game.pawn), left)?;
            Some(IntervalEstimate::of_ratio(
                self.contrast_ratio(&above, &below),
                self.critical_value,
            ))
        };
        let average = in_pawns(self.mean_left)?;
        let changes = self.spec.phase_model != PhaseModel::Constant && !is_pawn;
        let at = |left: f64| in_pawns(left).filter(|_| changes);
        Some(PieceValue {
            piece: regressor.name(game),
            with_half_pair: self.has_half_pair(game, regressor),
            letter: match regressor {
                Regressor::Kind(kind) => Some(game.kind(kind).letter),
                _ => None,
            },
            published_raw: regressor.published_raw(game),
            published,
            measured: Some(if is_pawn { 1.0 } else { average.value }),
            interval: (!is_pawn).then_some(average.interval),
            full_board: at(1.0),
            few_pieces: at(FEW),
            fractional_logit: None,
            bootstrap_interval: None,
            verdict: if is_pawn {
                ValueVerdict::Unit
            } else if matches!(regressor, Regressor::Pair(_)) {
                ValueVerdict::of_pair(average.interval, published)
            } else {
                ValueVerdict::of(average.interval, published)
            },
        })
    }
}

fn king(game: &GameDef) -> PieceValue {
    debug_assert_eq!(game.kind(game.king).class, PieceClass::King);
    let regressor = Regressor::Kind(game.king);
    PieceValue {
        piece: regressor.name(game),
        with_half_pair: false,
        letter: Some(game.kind(game.king).letter),
        published_raw: regressor.published_raw(game),
        published: regressor.published_in_pawns(game),
        measured: None,
        interval: None,
        full_board: None,
        few_pieces: None,
        fractional_logit: None,
        bootstrap_interval: None,
        verdict: ValueVerdict::Unmeasurable,
    }
}
