//! Values without the feedback of what the players believe.

use assay_rules::Kind;
use nalgebra::{DMatrix, DVector};

use super::feedback::{Feedback, Prior};
use super::{Fit, Quantity, Unit};
use crate::values::data::{OwnValues, Regressor};

/// Where a measured value is more than twice or less than half of the players' own, or hardly known,
/// its logarithm says nothing.
const LARGEST_LOG: f64 = std::f64::consts::LN_2;

/// A kind's part of the correction. Rows are derivatives by the coefficients and the prior's mean.
struct Share {
    kind: Kind,
    /// What the coefficients of the kind are multiplied by, before the common factor.
    ratio: f64,
    ratio_row: DVector<f64>,
    /// The contrast of its measured value.
    worth: DVector<f64>,
    /// Its measured value in log-odds.
    value: f64,
}

impl Fit {
    /// The values that players without feedback would have, with errors that include that of the
    /// feedback. The coefficients of a kind keep their ratios, and the army keeps its sum. The fit
    /// itself if the players' own values are not known, or if no army is measured.
    #[must_use]
    pub fn without_feedback(self, own: Option<&OwnValues>) -> Fit {
        own.and_then(|own| self.corrected(own)).unwrap_or(self)
    }

    fn corrected(&self, own: &OwnValues) -> Option<Fit> {
        let size = self.coefficients.len();
        let own_value = |kind: Kind| own.value(&self.game, kind);
        let kinds: Vec<Kind> = self.kinds().into_iter().filter(|&kind| own_value(kind).is_some()).collect();
        let worth = |kind: Kind| self.worth(Regressor::Kind(kind), self.mean_left);
        let (army, _) = Unit::Army.reference(&self.game, &kinds)?;
        let army_worth = army.iter().try_fold(DVector::zeros(size), |sum, &kind| Some(sum + worth(kind)?))?;
        let own_army = army.iter().map(|&kind| own_value(kind)).sum::<Option<f64>>()?;
        // Log-odds of what players believe to be worth a pawn.
        let scale = self.quantity(&army_worth / own_army);
        if scale.value <= 2.0 * scale.standard_error() {
            return None;
        }
        let own_values = self.contrast(Regressor::OwnValues, 1.0);
        let run = own_values.as_ref().map(|own_values| &self.quantity(own_values.clone()) / &scale);
        let prior = Prior::of(own);
        let of_prior = prior.standard_deviation.powi(-2);
        let of_run = run.as_ref().map_or(0.0, |run| run.standard_error().powi(-2));
        let weight = of_run / (of_run + of_prior);
        let feedback = run.as_ref().map_or(0.0, |run| weight * run.value) + (1.0 - weight) * prior.mean;
        let used = Quantity::single(feedback, (of_run + of_prior).sqrt().recip(), self.sample.clusters, 0);

        // Derivatives are by the coefficients, and last by the prior's mean in standard deviations.
        let row = |by_coefficients: DVector<f64>, by_prior: f64| by_coefficients.insert_row(size, by_prior);
        let by_run = own_values.zip(run.as_ref()).map_or_else(
            || DVector::zeros(size),
            |(own_values, run)| (own_values - &army_worth * (run.value / own_army)) / scale.value,
        );
        let gain = feedback / (1.0 - feedback);
        let by_prior = (1.0 - weight) * prior.standard_deviation;
        let gain_row = row(by_run * weight, by_prior) / (1.0 - feedback).powi(2);
        let share = |kind: Kind| {
            let worth = worth(kind)?;
            let value = worth.dot(&self.coefficients);
            let log = (value / (own_value(kind)? * scale.value)).ln();
            let is_known = log.abs() < LARGEST_LOG;
            let log_row = if is_known {
                row(&worth / value - &army_worth / (own_army * scale.value), 0.0)
            } else {
                DVector::zeros(size + 1)
            };
            let log = if log.is_nan() { 0.0 } else { log.clamp(-LARGEST_LOG, LARGEST_LOG) };
            let ratio = (gain * log).exp();
            let ratio_row = (log_row * gain + &gain_row * log) * ratio;
            Some(Share { kind, ratio, ratio_row, worth: row(worth, 0.0), value })
        };
        let shares: Vec<Share> = kinds.into_iter().map(share).collect::<Option<_>>()?;
        let (mut sum, mut sum_row) = (0.0, DVector::zeros(size + 1));
        for share in shares.iter().filter(|share| army.contains(&share.kind)) {
            sum += share.ratio * share.value;
            sum_row += &share.ratio_row * share.value + &share.worth * share.ratio;
        }
        let common = own_army * scale.value / sum;
        let common_row = (row(&army_worth / (own_army * scale.value), 0.0) - sum_row / sum) * common;

        let mut coefficients = self.coefficients.clone();
        let mut derivatives = DMatrix::identity(size, size + 1);
        for (index, column) in self.columns.iter().enumerate() {
            let kind = column.regressor.kind();
            let Some(share) = shares.iter().find(|share| Some(share.kind) == kind) else { continue };
            let mut factor_row = (&share.ratio_row * common + &common_row * share.ratio) * self.coefficients[index];
            factor_row[index] += common * share.ratio;
            coefficients[index] *= common * share.ratio;
            derivatives.row_mut(index).tr_copy_from(&factor_row);
        }
        let by_prior = derivatives.column(size).into_owned();
        let sample = self.sample.of_combinations(&derivatives.remove_column(size));
        Some(Fit {
            coefficients,
            sample: sample.with_more_covariance(&(&by_prior * by_prior.transpose())),
            feedback: Some(Box::new(Feedback {
                run: run.map(|run| run.estimate()),
                prior,
                used: used.estimate(),
                own: own.clone(),
            })),
            ..self.clone()
        })
    }
}
