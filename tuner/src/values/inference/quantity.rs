//! Quantities: numbers computed from fitted coefficients and means, with their gradients.
//!
//! The arithmetic of quantities carries the gradients along, so every formula has a variance,
//! covariances with other formulas, an interval and joint tests. A ratio of two linear quantities
//! has Fieller's interval (Fieller 1954), and a difference of independent quantities combines their
//! limits (MOVER: Zou and Donner 2008). Everything else has the interval of the delta method, and
//! none if it divides by a quantity that does not differ significantly from zero.

use std::collections::BTreeMap;
use std::ops::{Add, Div, Mul, Sub};
use std::sync::{Arc, LazyLock};

use nalgebra::{DMatrix, DVector, Matrix2};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, Normal};

use super::fieller::ratio_interval;
use super::{CONFIDENCE_LEVEL, ClusterSums, Estimate, NO_ERROR, f_survival, range, t_critical_value};
use crate::values::model::{Leverages, ModelFit};

/// A quantity whose variance, given those tested with it, is a smaller share of its own follows
/// from them.
const REDUNDANT: f64 = 1e-9;

/// Draws of a simulated distribution: the confidence of its 95% quantile is exact to 0.2%.
const DRAWS: usize = 16_384;

/// Random numbers of the standard normal distribution, enough for all draws of eight numbers, and
/// for fewer draws of more.
static NORMALS: LazyLock<Vec<f64>> = LazyLock::new(|| {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(0);
    let normal = Normal::standard();
    (0..8 * DRAWS).map(|_| normal.inverse_cdf(random.random())).collect()
});

/// Estimates from the games of one run. Different samples are independent, unless their clusters
/// are the same.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Covariance of the estimates.
    pub covariance: DMatrix<f64>,
    pub clusters: usize,
    /// Leverages of the clusters on the estimates; `None` for means.
    pub leverages: Option<Leverages>,
    pub games: u64,
    /// For a mean whose clusters are those of other samples: by cluster, what it adds to the
    /// difference between estimate and truth.
    influence: BTreeMap<usize, f64>,
}

/// A number whose interval reaches farther is not measured: Fieller's interval is as large as one
/// likes just before it becomes unbounded, and nothing that is measured here is near a million.
pub const LARGEST: f64 = 1e6;

/// A number that was computed from samples, always finite: where the arithmetic gives no number (a
/// ratio to zero), it is an undetermined 0, whose interval is unbounded.
#[derive(Clone, Debug)]
pub struct Quantity {
    pub value: f64,
    /// The derivatives by the estimates of each sample.
    gradient: Vec<(Arc<Sample>, DVector<f64>)>,
    form: Form,
}

/// How a quantity depends on the estimates.
#[derive(Clone, Debug)]
enum Form {
    Linear,
    /// A linear quantity divided by another.
    Ratio(Box<[Quantity; 2]>),
    /// A quantity minus another from other samples. Its interval is asymmetric if theirs are.
    Difference(Box<[Quantity; 2]>),
    /// Anything else. Not determined if it divides by a number that may be zero.
    Curved {
        is_determined: bool,
    },
}

impl Sample {
    /// Estimates with their covariance.
    pub fn new(covariance: DMatrix<f64>, clusters: usize, games: u64) -> Arc<Sample> {
        Arc::new(Sample { covariance, clusters, leverages: None, games, influence: BTreeMap::new() })
    }

    /// The coefficients of a fit.
    pub fn of_fit(fit: &ModelFit, games: u64) -> Arc<Sample> {
        let mut sample = Sample::new(fit.robust_covariance(), fit.cluster_errors.ncols(), games);
        Arc::make_mut(&mut sample).leverages = Some(fit.leverages.clone());
        sample
    }

    /// The sample as that of linear combinations of its estimates, one for each row of a matrix.
    pub fn of_combinations(&self, rows: &DMatrix<f64>) -> Arc<Sample> {
        Arc::new(Sample {
            covariance: rows * &self.covariance * rows.transpose(),
            leverages: self.leverages.as_ref().map(|leverages| leverages.of_combinations(rows)),
            ..self.clone()
        })
    }

    /// The sample with a further, independent error of its estimates.
    pub fn with_more_covariance(&self, covariance: &DMatrix<f64>) -> Arc<Sample> {
        Arc::new(Sample { covariance: &self.covariance + covariance, ..self.clone() })
    }

    /// Degrees of freedom of the covariance of some combinations of the estimates: one less than
    /// there are clusters for means, or if the clusters do not tell.
    fn degrees_of_freedom(&self, combinations: &[DVector<f64>]) -> f64 {
        let of_fit = self.leverages.as_ref();
        of_fit
            .and_then(|leverages| leverages.degrees_of_freedom(combinations))
            .unwrap_or(self.clusters.max(2) as f64 - 1.0)
    }

    /// Covariance of a linear combination of the estimates with one of another sample's.
    fn covariance_of(self: &Arc<Sample>, here: &DVector<f64>, other: &Arc<Sample>, there: &DVector<f64>) -> f64 {
        if Arc::ptr_eq(self, other) {
            return here.dot(&(&self.covariance * there));
        }
        let common = self.influence.iter().filter_map(|(cluster, one)| Some(one * other.influence.get(cluster)?));
        // Such samples have a single estimate.
        common.sum::<f64>() * here[0] * there[0]
    }
}

/// Wald test that several numbers are zero, as an F test. Among many 95% intervals some miss the
/// true value by chance; a single joint test keeps the nominal level.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
pub struct JointTest {
    /// F statistic.
    #[serde(deserialize_with = "range::non_negative")]
    pub f: f64,
    /// Number of values tested: numerator degrees of freedom.
    #[serde(deserialize_with = "range::count")]
    pub values: usize,
    /// Denominator degrees of freedom.
    #[serde(deserialize_with = "range::non_negative")]
    pub denominator_df: f64,
    /// Probability of an F statistic at least as large if the hypothesis were true.
    #[serde(deserialize_with = "range::share")]
    pub p: f64,
}

impl JointTest {
    /// Tests the hypothesis that all of these estimates, at least one, are zero in truth. `df` are
    /// the degrees of freedom of their covariance: for means, one less than there are clusters.
    /// `None` if the covariance is singular or `df` less than the number of estimates.
    pub fn of_zero(estimates: &DVector<f64>, covariance: &DMatrix<f64>, df: f64) -> Option<JointTest> {
        let values = estimates.len();
        let denominator_df = df - values as f64 + 1.0;
        if denominator_df < 1.0 {
            return None;
        }
        let wald = estimates.dot(&covariance.clone().cholesky()?.solve(estimates));
        // Hotelling's correction: with few clusters the Wald statistic is too large for a
        // chi-square distribution.
        let f = wald * denominator_df / (values as f64 * df);
        Some(JointTest { f, values, denominator_df, p: f_survival(f, values, denominator_df) })
    }
}

impl Quantity {
    pub fn constant(value: f64) -> Quantity {
        Quantity { value, gradient: Vec::new(), form: Form::Linear }
    }

    /// A linear combination of a sample's estimates.
    pub fn linear(sample: &Arc<Sample>, estimates: &DVector<f64>, contrast: DVector<f64>) -> Quantity {
        Quantity { value: contrast.dot(estimates), gradient: vec![(Arc::clone(sample), contrast)], form: Form::Linear }
    }

    /// Each of a sample's estimates by itself.
    pub fn all(sample: &Arc<Sample>, estimates: &DVector<f64>) -> Vec<Quantity> {
        let size = estimates.len();
        let contrast = |index: usize| DVector::from_fn(size, |row, _| f64::from(u8::from(row == index)));
        (0..size).map(|index| Quantity::linear(sample, estimates, contrast(index))).collect()
    }

    /// A single estimate.
    pub fn single(value: f64, standard_error: f64, clusters: usize, games: u64) -> Quantity {
        let covariance = DMatrix::from_element(1, 1, standard_error.powi(2));
        let estimates = DVector::from_element(1, value);
        Quantity::linear(&Sample::new(covariance, clusters, games), &estimates, DVector::from_element(1, 1.0))
    }

    /// The sum of some quantities, each times its weight.
    pub fn weighted_sum<'q>(terms: impl IntoIterator<Item = (&'q Quantity, f64)>) -> Quantity {
        let terms = terms.into_iter().map(|(quantity, weight)| quantity.scaled(weight));
        let sum = terms.reduce(|sum, term| &sum + &term);
        sum.unwrap_or_else(|| Quantity::constant(0.0))
    }

    /// The mean of numbers, each with its cluster in front. `is_shared` tells that other samples
    /// have the same clusters, so that the means are not independent. `None` with fewer than two
    /// clusters, or if all have the same mean: they do not show how much others would differ.
    pub fn mean(numbers: impl IntoIterator<Item = (usize, f64)>, is_shared: bool) -> Option<Quantity> {
        let sums: ClusterSums = numbers.into_iter().map(|(cluster, number)| (cluster, 1.0, number)).collect();
        let found = sums.mean().filter(|found| found.standard_error > NO_ERROR)?;
        let mut mean = Quantity::single(found.mean, found.standard_error, found.clusters, found.weight as u64);
        if is_shared {
            let (sample, _) = mean.gradient.first_mut()?;
            Arc::make_mut(sample).influence = sums.influence(&found).collect();
        }
        Some(mean)
    }

    /// Returns true if no sample had a part in it.
    pub fn is_constant(&self) -> bool {
        self.gradient.is_empty()
    }

    pub fn covariance(&self, other: &Quantity) -> f64 {
        self.covariance_terms(other).sum()
    }

    /// Covariances of each sample of one quantity with each of the other.
    fn covariance_terms<'a>(&'a self, other: &'a Quantity) -> impl Iterator<Item = f64> + 'a {
        let pairs = self.gradient.iter().flat_map(|one| other.gradient.iter().map(move |other| (one, other)));
        pairs.map(|((sample, here), (other, there))| sample.covariance_of(here, other, there))
    }

    /// The variance. That of a number without error, such as the unit in itself, is a difference of
    /// equal numbers, which rounding can make negative: it is 0 then.
    fn variance(&self) -> f64 {
        let variance = self.covariance(self);
        if variance < 0.0 { 0.0 } else { variance }
    }

    pub fn standard_error(&self) -> f64 {
        self.variance().sqrt()
    }

    /// Returns true if rounding is the only error: the formula is the same number whatever the
    /// estimates are.
    pub fn has_no_error(&self) -> bool {
        // Where samples with the same games cancel, what rounding leaves is small beside the terms,
        // but its root is not.
        let size: f64 = self.covariance_terms(self).map(f64::abs).sum();
        self.covariance(self) <= NO_ERROR * size || self.standard_error() <= NO_ERROR * self.value.abs().max(1.0)
    }

    /// Covariances of all pairs, by rows.
    pub fn covariances(quantities: &[Quantity]) -> Vec<Vec<f64>> {
        let entry = |one: &Quantity, other: &Quantity| {
            if std::ptr::eq(one, other) { one.variance() } else { one.covariance(other) }
        };
        quantities.iter().map(|one| quantities.iter().map(|other| entry(one, other)).collect()).collect()
    }

    /// Number of clusters, of the sample that has the fewest.
    pub fn clusters(&self) -> usize {
        self.gradient.iter().map(|(sample, _)| sample.clusters).min().unwrap_or(usize::MAX)
    }

    /// Number of games of all samples.
    pub fn games(&self) -> u64 {
        self.gradient.iter().map(|(sample, _)| sample.games).sum()
    }

    /// The number with its 95% confidence interval.
    pub fn estimate(&self) -> Estimate {
        self.estimate_at(CONFIDENCE_LEVEL)
    }

    /// The number with its interval of this confidence, 0 to 1.
    pub fn estimate_at(&self, confidence: f64) -> Estimate {
        let interval = self.interval_of_any_size(confidence);
        let interval = interval.filter(|&[low, high]| -LARGEST <= low && high <= LARGEST);
        // Rounding can put the number outside.
        let interval = interval.map(|[low, high]| [low.min(self.value), high.max(self.value)]);
        Estimate { value: self.value, interval }
    }

    fn interval_of_any_size(&self, confidence: f64) -> Option<[f64; 2]> {
        match &self.form {
            // Rounding can make Fieller's interval of a number divided by itself empty.
            Form::Ratio(_) if self.has_no_error() => Some([self.value; 2]),
            Form::Ratio(parts) => {
                let [above, below] = &**parts;
                let covariance = above.covariance(below);
                let variances = [above, below].map(Quantity::variance);
                let covariance = Matrix2::new(variances[0], covariance, covariance, variances[1]);
                ratio_interval([above.value, below.value], covariance, self.critical_value(confidence))
            }
            Form::Difference(parts) => {
                let [one, other] = parts.each_ref().map(|part| part.estimate_at(confidence));
                one.minus(&other)?.interval
            }
            _ if self.is_determined() => {
                Estimate::around(self.value, self.critical_value(confidence) * self.standard_error()).interval
            }
            _ => None,
        }
    }

    /// A smooth function of the quantity with this value and derivative.
    #[must_use]
    pub fn map(&self, value: f64, derivative: f64) -> Quantity {
        let is_determined = self.is_determined();
        self.transformed(value, derivative, Form::Curved { is_determined })
    }

    #[must_use]
    pub fn ln(&self) -> Quantity {
        let is_determined = self.is_determined() && self.value > 0.0 && self.differs_from_zero();
        self.transformed(self.value.ln(), 1.0 / self.value, Form::Curved { is_determined })
    }

    /// The confidence of each interval with which the intervals of all of these quantities hold
    /// together in 95% of measurements: that of the 95% quantile of the largest of their deviations
    /// in standard errors, normal with their correlations (max-t), by simulation. Quantities
    /// without an error are left out.
    pub fn joint_confidence(quantities: &[Quantity]) -> f64 {
        let uncertain: Vec<&Quantity> = quantities.iter().filter(|quantity| !quantity.has_no_error()).collect();
        let size = uncertain.len();
        if size < 2 {
            return CONFIDENCE_LEVEL;
        }
        let errors: Vec<f64> = uncertain.iter().map(|quantity| quantity.standard_error()).collect();
        let correlation = DMatrix::from_fn(size, size, |row, column| {
            uncertain[row].covariance(uncertain[column]) / (errors[row] * errors[column])
        });
        if correlation.iter().any(|entry| !entry.is_finite()) {
            return CONFIDENCE_LEVEL;
        }
        let eigen = correlation.symmetric_eigen();
        // Of a root of the matrix.
        let entry = |row, column| eigen.eigenvectors[(row, column)] * f64::max(eigen.eigenvalues[column], 0.0).sqrt();
        let count = DRAWS.min(NORMALS.len() / size);
        let (mut largest, mut deviations) = (vec![0.0_f64; count], vec![0.0; count]);
        for row in 0..size {
            deviations.fill(0.0);
            for (column, normals) in NORMALS.chunks_exact(count).take(size).enumerate() {
                let factor = entry(row, column);
                deviations.iter_mut().zip(normals).for_each(|(deviation, normal)| *deviation += factor * normal);
            }
            largest.iter_mut().zip(&deviations).for_each(|(most, deviation)| *most = most.max(deviation.abs()));
        }
        let place = (CONFIDENCE_LEVEL * largest.len() as f64) as usize;
        let (_, quantile, _) = largest.select_nth_unstable_by(place, f64::total_cmp);
        // Bonferroni's inequality is a bound.
        let most = 1.0 - (1.0 - CONFIDENCE_LEVEL) / size as f64;
        (2.0 * Normal::standard().cdf(*quantile) - 1.0).clamp(CONFIDENCE_LEVEL, most)
    }

    /// F test that all of these quantities are zero in truth, with the degrees of freedom of the
    /// sample that has the fewest. Quantities that follow from those before them are left out.
    /// `None` if nothing remains, or if there are too few clusters.
    pub fn joint_test(quantities: &[Quantity]) -> Option<JointTest> {
        let mut tested: Vec<&Quantity> = Vec::new();
        let covariance =
            |of: &[&Quantity]| DMatrix::from_fn(of.len(), of.len(), |row, column| of[row].covariance(of[column]));
        for quantity in quantities {
            tested.push(quantity);
            let errors: Vec<f64> = tested.iter().map(|quantity| quantity.standard_error()).collect();
            let correlation = DMatrix::from_fn(tested.len(), tested.len(), |row, column| {
                tested[row].covariance(tested[column]) / (errors[row] * errors[column])
            });
            let is_new =
                errors.iter().all(|&error| error > 0.0) && correlation.symmetric_eigenvalues().min() > REDUNDANT;
            if !is_new {
                tested.pop();
            }
        }
        let values = DVector::from_iterator(tested.len(), tested.iter().map(|quantity| quantity.value));
        JointTest::of_zero(&values, &covariance(&tested), degrees_of_freedom(&tested)?)
    }

    /// Half-width of an interval in standard errors: Student's t with the degrees of freedom of the
    /// sample that has the fewest.
    fn critical_value(&self, confidence: f64) -> f64 {
        degrees_of_freedom(&[self]).map_or(0.0, |df| t_critical_value(df, confidence))
    }

    fn differs_from_zero(&self) -> bool {
        self.value.abs() > self.critical_value(CONFIDENCE_LEVEL) * self.standard_error()
    }

    /// Returns false where the arithmetic gave no number, and where the samples do not tell a
    /// divisor from zero.
    pub fn is_determined(&self) -> bool {
        match &self.form {
            Form::Linear => true,
            Form::Ratio(parts) => parts[1].differs_from_zero(),
            Form::Difference(parts) => parts.iter().all(Quantity::is_determined),
            Form::Curved { is_determined } => *is_determined,
        }
    }

    /// A function of the quantity with this derivative.
    fn transformed(&self, value: f64, derivative: f64, form: Form) -> Quantity {
        let gradient = self.gradient.iter().map(|(sample, gradient)| (Arc::clone(sample), gradient * derivative));
        Quantity { value, gradient: gradient.collect(), form }.finite()
    }

    /// The number itself, or an undetermined 0 if it or a derivative is not finite or absurdly
    /// large.
    fn finite(mut self) -> Quantity {
        // Squares and products of such numbers are finite, too.
        let is_number = |number: f64| number.abs() < 1e12;
        let mut derivatives = self.gradient.iter().flat_map(|(_, gradient)| gradient.iter());
        if !is_number(self.value) || !derivatives.all(|&derivative| is_number(derivative)) {
            self.gradient.iter_mut().for_each(|(_, gradient)| gradient.fill(0.0));
            self.value = 0.0;
            self.form = Form::Curved { is_determined: false };
        }
        self
    }

    fn scaled(&self, factor: f64) -> Quantity {
        let form = match &self.form {
            Form::Ratio(parts) => Form::Ratio(Box::new([parts[0].scaled(factor), parts[1].clone()])),
            Form::Difference(parts) => Form::Difference(Box::new(parts.each_ref().map(|part| part.scaled(factor)))),
            form => form.clone(),
        };
        self.transformed(self.value * factor, factor, form)
    }

    /// A function of two quantities with these derivatives.
    fn combined(&self, other: &Quantity, value: f64, derivatives: [f64; 2], form: Form) -> Quantity {
        let mut sum = self.transformed(value, derivatives[0], form);
        for (sample, gradient) in &other.gradient {
            let gradient = gradient * derivatives[1];
            match sum.gradient.iter_mut().find(|(known, _)| Arc::ptr_eq(known, sample)) {
                Some((_, known)) => *known += gradient,
                None => sum.gradient.push((Arc::clone(sample), gradient)),
            }
        }
        sum.finite()
    }

    /// The form of a function of two quantities.
    fn curved(&self, other: &Quantity) -> Form {
        Form::Curved { is_determined: self.is_determined() && other.is_determined() }
    }
}

/// Degrees of freedom of the covariance of some quantities, of the sample that has the fewest;
/// `None` for constants.
fn degrees_of_freedom(quantities: &[&Quantity]) -> Option<f64> {
    let mut samples: Vec<(&Arc<Sample>, Vec<DVector<f64>>)> = Vec::new();
    for (sample, gradient) in quantities.iter().flat_map(|quantity| &quantity.gradient) {
        match samples.iter_mut().find(|(known, _)| Arc::ptr_eq(known, sample)) {
            Some((_, gradients)) => gradients.push(gradient.clone()),
            None => samples.push((sample, vec![gradient.clone()])),
        }
    }
    let of_samples = samples.into_iter().map(|(sample, gradients)| sample.degrees_of_freedom(&gradients));
    of_samples.reduce(f64::min)
}

impl Add for &Quantity {
    type Output = Quantity;

    fn add(self, other: &Quantity) -> Quantity {
        let form = match (&self.form, &other.form) {
            (Form::Linear, Form::Linear) => Form::Linear,
            _ => self.curved(other),
        };
        self.combined(other, self.value + other.value, [1.0, 1.0], form)
    }
}

impl Sub for &Quantity {
    type Output = Quantity;

    fn sub(self, other: &Quantity) -> Quantity {
        let is_known =
            |(sample, _): &(Arc<Sample>, _)| self.gradient.iter().any(|(known, _)| Arc::ptr_eq(known, sample));
        let form = match (&self.form, &other.form) {
            (Form::Linear, Form::Linear) => Form::Linear,
            _ if other.gradient.iter().any(is_known) => self.curved(other),
            _ => Form::Difference(Box::new([self.clone(), other.clone()])),
        };
        self.combined(other, self.value - other.value, [1.0, -1.0], form)
    }
}

impl Mul for &Quantity {
    type Output = Quantity;

    fn mul(self, other: &Quantity) -> Quantity {
        if other.is_constant() {
            return self.scaled(other.value);
        }
        if self.is_constant() {
            return other.scaled(self.value);
        }
        self.combined(other, self.value * other.value, [other.value, self.value], self.curved(other))
    }
}

impl Div for &Quantity {
    type Output = Quantity;

    fn div(self, other: &Quantity) -> Quantity {
        if other.is_constant() {
            return self.scaled(1.0 / other.value);
        }
        let form = match (&self.form, &other.form) {
            (Form::Linear, Form::Linear) => Form::Ratio(Box::new([self.clone(), other.clone()])),
            _ => Form::Curved {
                is_determined: self.is_determined() && other.is_determined() && other.differs_from_zero(),
            },
        };
        let value = self.value / other.value;
        self.combined(other, value, [1.0 / other.value, -value / other.value], form)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::inference::critical_value;

    const CLUSTERS: usize = 200;

    fn sample(errors: [f64; 3]) -> Arc<Sample> {
        let covariance =
            DMatrix::from_fn(3, 3, |row, column| errors[row] * errors[column] * if row == column { 1.0 } else { 0.3 });
        Sample::new(covariance, CLUSTERS, 2 * CLUSTERS as u64)
    }

    fn parameters(sample: &Arc<Sample>, estimates: &[f64; 3]) -> [Quantity; 3] {
        let all = Quantity::all(sample, &DVector::from_column_slice(estimates));
        all.try_into().unwrap()
    }

    fn ends(quantity: &Quantity) -> (f64, f64) {
        quantity.estimate().interval.unwrap().into()
    }

    /// Gradients equal numerical derivatives, for a formula of two runs with every operation.
    #[test]
    fn gradients_are_those_of_numerical_derivatives() {
        const STEP: f64 = 1e-6;
        let runs = [sample([0.1, 0.2, 0.1]), sample([0.2, 0.1, 0.1])];
        let truth = [[4.0, 2.0, 1.0], [3.0, 1.5, 0.8]];
        let formula = |estimates: [[f64; 3]; 2]| {
            let [rook, bishop, pawn] = parameters(&runs[0], &estimates[0]);
            let other = parameters(&runs[1], &estimates[1]);
            let two = Quantity::constant(2.0);
            &(&(&(&rook + &bishop) / &(&two * &pawn)) - &(&(&other[0] * &other[1]) / &other[2]).ln()) * &rook
        };
        let found = formula(truth);
        let mut variance = 0.0;
        for (run, sample) in runs.iter().enumerate() {
            let derivative = |index: usize| {
                let at = |step: f64| {
                    let mut moved = truth;
                    moved[run][index] += step;
                    formula(moved).value
                };
                (at(STEP) - at(-STEP)) / (2.0 * STEP)
            };
            let gradient = DVector::from_fn(3, |index, _| derivative(index));
            variance += gradient.dot(&(&sample.covariance * &gradient));
        }
        assert!((found.standard_error() - variance.sqrt()).abs() < 1e-6, "{found:?}");
        assert_eq!((found.clusters(), found.games()), (CLUSTERS, 4 * CLUSTERS as u64));
        let half_width = critical_value(CLUSTERS) * variance.sqrt();
        let (low, high) = ends(&found);
        assert!((high - low - 2.0 * half_width).abs() < 1e-5);
    }

    #[test]
    fn ratios_of_linear_quantities_have_fiellers_interval() {
        let run = sample([0.3, 0.2, 0.1]);
        let [a, b, c] = parameters(&run, &[4.0, 2.0, 1.0]);
        let estimates = DVector::from_column_slice(&[4.0, 2.0, 1.0]);
        let (above, below) =
            (DVector::from_column_slice(&[1.5, 0.0, 0.0]), DVector::from_column_slice(&[0.0, 1.0, 1.0]));
        let covariance = |one: &DVector<f64>, other: &DVector<f64>| one.dot(&(&run.covariance * other));
        let covariance = Matrix2::new(
            covariance(&above, &above),
            covariance(&above, &below),
            covariance(&below, &above),
            covariance(&below, &below),
        );
        let numbers = [above.dot(&estimates), below.dot(&estimates)];
        let expected: (f64, f64) = ratio_interval(numbers, covariance, critical_value(CLUSTERS)).unwrap().into();
        let ratio = &(&a / &(&b + &c)) * &Quantity::constant(1.5);
        let found = ends(&ratio);
        assert!((found.0 - expected.0).abs() < 1e-12 && (found.1 - expected.1).abs() < 1e-12, "{found:?}");
        // The numerator follows from the denominator: whatever the games are, the ratio is the
        // same.
        assert!((&(&a + &a) / &a).has_no_error() && !ratio.has_no_error());
    }

    #[test]
    fn differences_of_independent_ratios_combine_their_limits() {
        let ratio = |run: &Arc<Sample>| {
            let [a, b, _] = parameters(run, &[4.0, 2.0, 1.0]);
            &a / &b
        };
        let [one, other] = [ratio(&sample([0.3, 0.4, 0.1])), ratio(&sample([0.2, 0.3, 0.1]))];
        let ((a, b), (c, d)) = (ends(&one), ends(&other));
        let expected = (-(2.0 - a).hypot(d - 2.0), (b - 2.0).hypot(2.0 - c));
        let found = ends(&(&one - &other));
        assert!((found.0 - expected.0).abs() < 1e-12 && (found.1 - expected.1).abs() < 1e-12, "{found:?}");
        let doubled = ends(&(&(&one - &other) * &Quantity::constant(-2.0)));
        assert!((doubled.0 + 2.0 * found.1).abs() < 1e-12 && (doubled.1 + 2.0 * found.0).abs() < 1e-12);
        // Of the same games, they are not independent.
        assert!((&one - &one.clone()).has_no_error());
    }

    #[test]
    fn nothing_is_divided_by_what_may_be_zero() {
        let run = sample([0.1, 0.1, 0.6]);
        let [a, b, c] = parameters(&run, &[4.0, 2.0, 1.0]);
        assert_eq!((&a / &c).estimate().interval, None);
        for formula in [&(&a / &c) - &(&a / &b), &a / &(&c / &b), c.ln()] {
            assert_eq!(formula.estimate().interval, None, "{formula:?}");
        }
        assert!((&(&a / &b) - &b.ln()).estimate().interval.is_some());
    }

    #[test]
    fn means_are_clustered_and_shared_clusters_are_no_coincidence() {
        let numbers = [(0, 1.0), (0, 0.0), (1, 0.5), (1, 1.0), (2, 0.0), (2, 0.25)];
        let mean = Quantity::mean(numbers, false).unwrap();
        // Cluster means of 0.5, 0.75 and 0.125 have the standard deviation 0.3146.
        assert!((mean.value - 11.0 / 24.0).abs() < 1e-12);
        assert!((mean.standard_error() - 0.314_576_4 / 3.0_f64.sqrt()).abs() < 1e-6, "{mean:?}");
        assert_eq!((mean.clusters(), mean.games()), (3, 6));
        let changes = [0.1, 0.2, 0.0];
        let changed = numbers.map(|(cluster, number)| (cluster, number - changes[cluster]));
        let [one, other] = [numbers, changed].map(|numbers| Quantity::mean(numbers, true).unwrap());
        // The differences of the clusters, 0.1, 0.2 and 0, have the standard deviation 0.1.
        assert!(((&one - &other).standard_error() - 0.1 / 3.0_f64.sqrt()).abs() < 1e-9);
        assert!((&one - &one.clone()).has_no_error());
        assert!((&mean - &other).standard_error() > 0.2);
        assert!(Quantity::mean([(0, 1.0), (0, 0.0)], false).is_none());
        assert!(Quantity::mean([(0, 1.0), (0, 0.0), (1, 0.5)], false).is_none());
    }

    /// Shares of a whole have one degree of freedom fewer, whichever of them is left out.
    #[test]
    fn joint_tests_leave_out_what_follows() {
        let run = sample([0.3, 0.2, 0.1]);
        let parts = parameters(&run, &[4.0, 2.0, 1.5]);
        let sum = &(&parts[0] + &parts[1]) + &parts[2];
        let claimed = [0.5, 0.3, 0.2].map(Quantity::constant);
        let off: Vec<Quantity> = parts.iter().zip(&claimed).map(|(part, claimed)| &(part / &sum) - claimed).collect();
        let all = Quantity::joint_test(&off).unwrap();
        let last = Quantity::joint_test(&off[1..]).unwrap();
        assert_eq!((all.values, last.values), (2, 2));
        assert!((all.denominator_df - (CLUSTERS as f64 - 2.0)).abs() < 1e-9);
        assert!((all.f - last.f).abs() < 1e-6 * all.f, "{all:?} {last:?}");
        assert_eq!(Quantity::joint_test(&[]), None);
        assert_eq!(Quantity::joint_test(&[&sum - &sum]), None);
    }
}
