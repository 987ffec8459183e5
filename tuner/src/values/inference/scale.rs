//! The inventor's scale: measured values beside published ones, piece by piece.
//!
//! Games measure values up to a common factor. It is chosen so that pieces that agree with each
//! other also agree with their published numbers: the factor's logarithm is the median of the
//! logarithms of measured over published values, so that a minority of pieces that differ do not
//! move it, in whatever direction. (Shares of a fixed sum, in contrast, push every other piece down
//! when one is strong.) The piece in the middle is the reference, or two pieces are; their error is
//! part of all other intervals, and all intervals of a table hold together.

use statrs::statistics::{Data, OrderStatistics};

use super::units::published_divisor;
use super::{Estimate, Fit, MeasuredValue, Quantity, Unit, ValueTable, ValueVerdict};
use crate::values::data::Regressor;
use crate::values::design::{FEW, PhaseModel};

/// Least default of the margin: the deviation from a published value, as a share of it, up to which
/// a piece is worth about the same.
const LEAST_MARGIN: f64 = 0.1;

/// Greatest default of the margin: with less precise measurements than this needs, nothing is clear
/// yet.
const MOST_MARGIN: f64 = 0.25;

/// Half-widths of a typical interval in the default of the margin: most pieces with their published
/// values then agree.
const HALF_WIDTHS: f64 = 2.0;

/// Gives a piece one verdict in all tables: on the published scale, or without one in pawns.
pub(in crate::values) fn judge(tables: &mut [ValueTable]) {
    let judged = [None, Some(Unit::Pawns)].into_iter().find_map(|unit| ValueTable::in_unit(tables, unit)).cloned();
    let is_judged = |value: &&MeasuredValue| value.verdict != ValueVerdict::Unit;
    for value in tables.iter_mut().flat_map(|table| &mut table.values).filter(|value| is_judged(&&**value)) {
        let judged = judged.as_ref().and_then(|table| table.of(&value.piece)).filter(is_judged);
        value.verdict = judged.map_or(value.verdict, |judged| judged.verdict);
    }
}

impl MeasuredValue {
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

impl ValueTable {
    /// Judges all pieces of the published scale anew. The default of `margin` is 10%, or up to 25% if
    /// the intervals need it.
    pub fn set_margin(&mut self, margin: Option<f64>) {
        let margin = margin.unwrap_or_else(|| default_margin(&self.values));
        self.margin = Some(margin);
        self.values.iter_mut().for_each(|value| value.judge(margin));
    }
}

impl Fit {
    /// The pieces on the published scale, averaged over the game and in two phases; `None` if fewer
    /// than two pieces with a published value are measured to be worth anything. Each phase has its
    /// own factor: the fewer pieces are left, the more games an advantage of a pawn decides.
    pub fn published_table(&self) -> Option<ValueTable> {
        let (game, kinds) = (&self.game, self.kinds());
        // As for shares of the army, the pawn does not count.
        let pieces = kinds.iter().filter(|&&kind| kind != game.first_pawn());
        let divisor = published_divisor(pieces.filter_map(|&kind| game.kind(kind).value));
        let on_scale = |left: f64| {
            let measured = kinds.iter().map(|&kind| Some(self.quantity(self.worth(Regressor::Kind(kind), left)?)));
            let measured: Vec<Quantity> = measured.collect::<Option<_>>()?;
            let published = kinds.iter().map(|&kind| Some(game.kind(kind).value? / divisor));
            let unit = common_factor(&measured, &published.collect::<Vec<_>>())?;
            let per_unit = unit.map(unit.value.recip(), -unit.value.powi(-2));
            Some(measured.iter().map(|measured| measured * &per_unit).collect())
        };
        let average: Vec<Quantity> = on_scale(self.mean_left)?;
        let has_phases = self.phase_model != PhaseModel::Constant;
        let phases = [1.0, FEW].map(|left| on_scale(left).filter(|_| has_phases));
        let values = self.measured_values(&average, &phases, Quantity::joint_confidence(&average), |kind, _| {
            let definition = game.kind(kind);
            let published = [definition.value, definition.rounded].map(|value| Some(value? / divisor));
            (published, ValueVerdict::Unpublished)
        });
        let mut table = ValueTable {
            unit: None,
            definition: "the published scale, by one common factor".to_owned(),
            total: values.iter().filter_map(|value| value.published).sum(),
            margin: None,
            values,
            covariance: Quantity::covariances(&average),
        };
        table.set_margin(None);
        Some(table)
    }
}

/// The margin that the intervals of some pieces allow, 10 to 25%.
fn default_margin(values: &[MeasuredValue]) -> f64 {
    let half_widths = values.iter().filter_map(|value| value.deviation()?.half_width());
    let half_widths: Vec<f64> = half_widths.collect();
    if half_widths.is_empty() {
        return LEAST_MARGIN;
    }
    (HALF_WIDTHS * median(&half_widths)).clamp(LEAST_MARGIN, MOST_MARGIN)
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
