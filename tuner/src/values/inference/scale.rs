//! The inventor's scale: measured values beside published ones, piece by piece.
//!
//! Games measure values up to a common factor. It is chosen so that pieces that agree with each
//! other also agree with their published numbers: the factor's logarithm is the median of the
//! logarithms of measured over published values, so that a minority of pieces that differ do not
//! move it, in whatever direction. (Shares of a fixed sum, in contrast, push every other piece down
//! when one is strong.) The piece in the middle is the reference, or two pieces are; their error is
//! part of all other intervals, and all intervals of a table hold together.

use assay_rules::Kind;
use serde::{Deserialize, Serialize};
use statrs::statistics::{Data, OrderStatistics};

use super::units::published_divisor;
use super::{CONFIDENCE_LEVEL, Estimate, Fit, PieceValue, Quantity, UnitTable, ValueVerdict};
use crate::values::data::Regressor;
use crate::values::design::{FEW, PhaseModel};

/// Least default of the margin: the deviation from a published value, as a share of it, up to which
/// a piece is worth about the same.
const LEAST_MARGIN: f64 = 0.1;

/// Greatest default of the margin: with less precise measurements than this needs, nothing is clear
/// yet.
const MOST_MARGIN: f64 = 0.25;

/// Defaults of the margin are multiples of this share.
const MARGIN_STEP: f64 = 0.05;

/// Half-widths of a typical interval in the default of the margin: most pieces with their published
/// values then agree.
const HALF_WIDTHS: f64 = 1.5;

/// Measured values on the published scale, averaged over the game and in two phases. Each phase has
/// its own factor: the fewer pieces are left, the more games an advantage of a pawn decides.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct PublishedScales {
    /// Averaged over the positions of the fit.
    pub average: PublishedScale,
    /// With at least 3/4 of the pieces left; `None` if values do not depend on the phase.
    pub full_board: Option<PublishedScale>,
    /// With 1/4 of the pieces left.
    pub few_pieces: Option<PublishedScale>,
    /// The value of each piece on the full board less its value with few pieces, with an interval
    /// that holds together with the others; without a piece that is the reference of both phases,
    /// and empty without phases.
    pub changes: Vec<PhaseChange>,
}

/// How the value of a piece on the published scale changes over the game. Each phase has its own
/// scale, so it is a change in comparison with the other pieces.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct PhaseChange {
    pub piece: String,
    pub difference: Estimate,
}

impl PublishedScales {
    /// The pieces of a fit; `None` if fewer than two pieces with a published value are measured to
    /// be worth anything. The default of `margin` is that of [`PublishedScale::new`], averaged over
    /// the game.
    pub fn new(fit: &Fit, margin: Option<f64>) -> Option<PublishedScales> {
        let average = PublishedScale::new(fit, fit.mean_left, margin)?;
        let phase = |left: f64| {
            let has_phases = fit.phase_model != PhaseModel::Constant;
            has_phases.then(|| PiecesOnScale::new(fit, left)).flatten()
        };
        let (full, few) = (phase(1.0), phase(FEW));
        let judged = |phase: &Option<PiecesOnScale>| Some(phase.as_ref()?.judged(fit, Some(average.margin)));
        Some(PublishedScales {
            full_board: judged(&full),
            few_pieces: judged(&few),
            changes: full.zip(few).map_or_else(Vec::new, |(full, few)| full.changes(fit, &few)),
            average,
        })
    }

    /// Judges all pieces anew. The default of `margin` is that of [`PublishedScales::new`].
    pub fn set_margin(&mut self, margin: Option<f64>) {
        let margin = margin.unwrap_or_else(|| default_margin(&self.average.values));
        let phases = [&mut self.full_board, &mut self.few_pieces].into_iter().flatten();
        for scale in phases.chain([&mut self.average]) {
            scale.set_margin(margin);
        }
    }
}

/// Gives a piece one verdict in all units: that on the published scale, or without one that in
/// pawns.
pub(in crate::values) fn judge(scales: Option<&PublishedScales>, values: &mut [PieceValue], units: &mut [UnitTable]) {
    let is_judged = |verdict: ValueVerdict| {
        !matches!(verdict, ValueVerdict::Unit | ValueVerdict::Unmeasurable | ValueVerdict::Unmeasured)
    };
    let on_scale = |piece: &str| scales.and_then(|scales| scales.average.of(piece)).map(|value| value.verdict);
    for value in values.iter_mut().filter(|value| is_judged(value.verdict)) {
        value.verdict = on_scale(&value.piece).unwrap_or(value.verdict);
    }
    for value in units.iter_mut().flat_map(|table| &mut table.values) {
        let in_pawns = values.iter().find(|other| other.piece == value.piece);
        let in_pawns = in_pawns.map(|other| other.verdict).filter(|&verdict| is_judged(verdict));
        if is_judged(value.verdict) {
            value.verdict = on_scale(&value.piece).or(in_pawns).unwrap_or(value.verdict);
        }
    }
}

/// Measured values on the published scale, at one phase of the game.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct PublishedScale {
    /// Log-odds of one unit of the values: one of the inventor's, or ten, a hundred and so on if
    /// the inventor counts in large numbers.
    pub log_odds: f64,
    /// Deviation, as a share of the published value, up to which a piece is worth about the same.
    pub margin: f64,
    /// The measured pieces, by descending published (else measured) value.
    pub values: Vec<ScaledValue>,
    /// Covariance of the measured values, by rows (delta method).
    pub covariance: Vec<Vec<f64>>,
}

/// A piece on the published scale.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct ScaledValue {
    pub piece: String,
    /// True if half of the pair's bonus is included, because one value is published for both pieces
    /// of the pair.
    pub with_half_pair: bool,
    /// Published value; `None` if there is none.
    pub published: Option<f64>,
    /// The published value as the inventor also gives it, rounded.
    pub rounded: Option<f64>,
    /// With an interval that holds together with those of the other pieces in 95% of measurements.
    pub measured: Estimate,
    pub verdict: ValueVerdict,
}

impl ScaledValue {
    /// Sets the verdict.
    ///
    /// An interval within the margin agrees, whether or not it contains the published value; one
    /// that excludes the value and reaches beyond the margin is above or below; one that contains
    /// the value and reaches beyond the margin is inconclusive. With a rounded value, the published
    /// value is all numbers between the two.
    pub(super) fn judge(&mut self, margin: f64) {
        let Some(published) = self.published else { return };
        let rounded = self.rounded.unwrap_or(published);
        let (least, most) = (published.min(rounded), published.max(rounded));
        self.verdict = match self.measured.interval {
            Some([low, high]) if low >= least * (1.0 - margin) && high <= most * (1.0 + margin) => ValueVerdict::Agrees,
            Some([low, _]) if low > most => ValueVerdict::Above,
            Some([_, high]) if high < least => ValueVerdict::Below,
            _ => ValueVerdict::Inconclusive,
        };
    }

    /// Measured over published value, less 1, with its interval; `None` if nothing is published.
    pub fn deviation(&self) -> Option<Estimate> {
        let published = self.published?;
        // Without rounding errors: that of the reference is 0.
        let share = |value: f64| ((value / published - 1.0) * 1e12).round() / 1e12;
        self.measured.map(share)
    }
}

impl PublishedScale {
    /// The pieces of a fit when the share `left` of the pieces is left; `None` if fewer than two
    /// pieces with a published value are measured to be worth anything. The default of `margin` is
    /// 10%, or up to 25% if the intervals need it.
    pub fn new(fit: &Fit, left: f64, margin: Option<f64>) -> Option<PublishedScale> {
        Some(PiecesOnScale::new(fit, left)?.judged(fit, margin))
    }

    fn set_margin(&mut self, margin: f64) {
        self.margin = margin;
        for value in &mut self.values {
            value.judge(margin);
        }
    }

    pub fn of(&self, piece: &str) -> Option<&ScaledValue> {
        self.values.iter().find(|value| value.piece == piece)
    }
}

/// The pieces of a fit on the published scale, as quantities.
struct PiecesOnScale {
    /// Log-odds of one unit.
    log_odds: f64,
    /// The inventor's numbers for one unit.
    divisor: f64,
    /// Confidence level of intervals that hold together.
    confidence: f64,
    values: Vec<Quantity>,
}

impl PiecesOnScale {
    fn new(fit: &Fit, left: f64) -> Option<PiecesOnScale> {
        let game = &fit.game;
        let kinds = fit.kinds();
        let measured = kinds.iter().map(|&kind| Some(fit.quantity(fit.worth(Regressor::Kind(kind), left)?)));
        let measured: Vec<Quantity> = measured.collect::<Option<_>>()?;
        // As for shares of the army, the pawn does not count.
        let pieces = kinds.iter().filter(|&&kind| kind != game.pawn());
        let divisor = published_divisor(pieces.filter_map(|&kind| game.kind(kind).value));
        let published = kinds.iter().map(|&kind| Some(game.kind(kind).value? / divisor));
        let unit = common_factor(&measured, &published.collect::<Vec<_>>())?;
        let per_unit = unit.map(unit.value.recip(), -unit.value.powi(-2));
        Some(PiecesOnScale {
            log_odds: unit.value,
            divisor,
            // Bonferroni's inequality. Why not less: `testdata/values/verdicts.py`.
            confidence: 1.0 - (1.0 - CONFIDENCE_LEVEL) / kinds.len() as f64,
            values: measured.iter().map(|measured| measured * &per_unit).collect(),
        })
    }

    fn judged(&self, fit: &Fit, margin: Option<f64>) -> PublishedScale {
        let value = |(kind, measured): (Kind, &Quantity)| {
            let definition = fit.game.kind(kind);
            ScaledValue {
                piece: definition.name.clone(),
                with_half_pair: fit.has_half_pair(Regressor::Kind(kind)),
                published: definition.value.map(|value| value / self.divisor),
                rounded: definition.rounded.map(|value| value / self.divisor),
                measured: measured.estimate_at(self.confidence),
                verdict: ValueVerdict::Unpublished,
            }
        };
        let mut scale = PublishedScale {
            log_odds: self.log_odds,
            margin: LEAST_MARGIN,
            values: fit.kinds().into_iter().zip(&self.values).map(value).collect(),
            covariance: Quantity::covariances(&self.values),
        };
        scale.set_margin(margin.unwrap_or_else(|| default_margin(&scale.values)));
        scale
    }

    /// The value of each piece less its value at another phase; without a piece that is the
    /// reference of both.
    fn changes(&self, fit: &Fit, other: &PiecesOnScale) -> Vec<PhaseChange> {
        let both = self.values.iter().zip(&other.values);
        let change = |(kind, (here, there)): (Kind, (&Quantity, &Quantity))| {
            let difference = here - there;
            // A piece that is the reference of both phases does not change; what is left is a
            // rounding error.
            (difference.standard_error() > 1e-9 * here.value).then(|| PhaseChange {
                piece: fit.game.kind(kind).name.clone(),
                difference: difference.estimate_at(self.confidence),
            })
        };
        fit.kinds().into_iter().zip(both).filter_map(change).collect()
    }
}

/// The margin that the intervals of some pieces allow, 10 to 25%.
fn default_margin(values: &[ScaledValue]) -> f64 {
    let half_widths = values.iter().filter_map(|value| value.deviation()?.half_width());
    let half_widths: Vec<f64> = half_widths.collect();
    if half_widths.is_empty() {
        return LEAST_MARGIN;
    }
    let steps = (HALF_WIDTHS * median(&half_widths) / MARGIN_STEP).ceil();
    (steps * MARGIN_STEP).clamp(LEAST_MARGIN, MOST_MARGIN)
}

/// Measured value of one published unit. `None` if fewer than two pieces with a published value are
/// measured to be worth anything.
fn common_factor(measured: &[Quantity], published: &[Option<f64>]) -> Option<Quantity> {
    // The logarithm of a value that may be zero says nothing about the scale.
    let positive =
        measured.iter().zip(published).filter(|(measured, _)| measured.value > 2.0 * measured.standard_error());
    let log_ratio = |(measured, published): (&Quantity, &Option<f64>)| {
        let ratio = measured.value / (*published)?;
        Some(measured.map(ratio.ln(), measured.value.recip()))
    };
    let mut log_ratios: Vec<Quantity> = positive.filter_map(log_ratio).collect();
    if log_ratios.len() < 2 {
        return None;
    }
    log_ratios.sort_by(|one, other| one.value.total_cmp(&other.value));
    let middle = &log_ratios[(log_ratios.len() - 1) / 2..=log_ratios.len() / 2];
    let median = Quantity::weighted_sum(middle.iter().map(|ratio| (ratio, 1.0 / middle.len() as f64)));
    Some(median.map(median.value.exp(), median.value.exp()))
}

fn median(numbers: &[f64]) -> f64 {
    Data::new(numbers.to_vec()).median()
}
