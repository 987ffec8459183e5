//! Agreement of the two methods: the regression's values on a full board against those of the
//! playtest, as shares of the army.

use assay_selfplay::material;
use serde::{Deserialize, Serialize};

use crate::values::inference::{Estimate, Fit, Unit, ValueVerdict, max_width, normal_critical_value, range};
use crate::values::playtest::Playtest;

/// Values of the first piece of a kind that a full army loses, by both methods, in the unit
/// [`Unit::Army`].
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct MethodComparison {
    pub piece: String,
    pub regression: Estimate,
    pub playtest: Estimate,
    /// Regression minus playtest; `None` if an interval is unbounded.
    pub difference: Option<Estimate>,
    /// The difference in standard errors; `None` if an interval is unbounded.
    #[serde(deserialize_with = "range::any")]
    pub z: Option<f64>,
    /// Verdict on the regression's value beside the playtest's: more or less if the difference is
    /// more than [`Agreement::critical_z`] standard errors, about the same if its 95% interval lies
    /// within a quarter of the regression's value, else not clear yet.
    pub verdict: ValueVerdict,
}

/// Comparison of the two methods over all pieces.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Agreement {
    /// One row for each piece measured by both methods.
    pub values: Vec<MethodComparison>,
    /// Largest difference in standard errors that is not significant, at a family-wise level of
    /// 95% (Bonferroni).
    #[serde(deserialize_with = "range::critical_value")]
    pub critical_z: f64,
}

impl Agreement {
    /// Compares independent estimates: the piece, its value by the regression, and by the playtest.
    pub fn of(pairs: Vec<(String, Estimate, Estimate)>) -> Agreement {
        let measured = pairs.iter().filter(|(_, regression, playtest)| regression.minus(playtest).is_some());
        let critical_z = normal_critical_value(measured.count());
        let values = pairs.into_iter().map(|(piece, regression, playtest)| {
            let difference = regression.minus(&playtest);
            let z = difference.and_then(|difference| standard_errors(&difference));
            // Half of the width that supports a published value, which not every piece has.
            let bound = max_width(regression.value) / 2.0;
            let ends = difference.and_then(|difference| difference.interval);
            let is_small = ends.is_some_and(|[low, high]| low >= -bound && high <= bound);
            MethodComparison {
                verdict: match z {
                    Some(z) if z > critical_z => ValueVerdict::Above,
                    Some(z) if z < -critical_z => ValueVerdict::Below,
                    Some(_) if is_small => ValueVerdict::Agrees,
                    _ => ValueVerdict::Inconclusive,
                },
                difference,
                z,
                piece,
                regression,
                playtest,
            }
        });
        Agreement { values: values.collect(), critical_z }
    }
}

/// A difference in standard errors, from the half of the interval that lies towards zero: beyond
/// ±1.96 exactly if the interval excludes zero.
fn standard_errors(difference: &Estimate) -> Option<f64> {
    let [low, high] = difference.interval?;
    let value = difference.value;
    let half_width = if value > 0.0 { value - low } else { high - value };
    Some(normal_critical_value(1) * value / half_width)
}

/// Compares a regression with a playtest of the same game; `None` if they did not measure the same
/// army.
pub fn compare(regression: &Fit, playtest: &Playtest) -> Option<Agreement> {
    let regression = regression.first_piece_lost(&material::largest(&regression.game)).unit_table(Unit::Army)?;
    let playtest = playtest.values(Unit::Army)?;
    if regression.definition != playtest.definition {
        return None;
    }
    // A piece that is the unit has the same value by definition.
    let measured = regression.values.iter().filter(|value| value.verdict != ValueVerdict::Unit);
    let pairs = measured.filter_map(|value| {
        let other = playtest.of(&value.piece)?;
        Some((value.piece.clone(), value.measured, other.measured))
    });
    Some(Agreement::of(pairs.collect()))
}

#[cfg(test)]
mod tests {
    use super::Agreement;
    use crate::values::inference::{Estimate, ValueVerdict};

    fn interval(low: f64, value: f64, high: f64) -> Estimate {
        Estimate { value, interval: Some([low, high]) }
    }

    fn pair(regression: Estimate, playtest: Estimate) -> (String, Estimate, Estimate) {
        ("knight".to_owned(), regression, playtest)
    }

    #[test]
    fn verdicts_follow_from_the_interval_of_the_difference() {
        let knight = interval(2.8, 3.0, 3.2);
        let unbounded = Estimate { value: 3.0, interval: None };
        for (regression, playtest, expected) in [
            (knight, interval(2.8, 3.1, 3.4), ValueVerdict::Agrees),
            // The difference may be zero, and it may be half of the value.
            (knight, interval(1.5, 3.0, 4.5), ValueVerdict::Inconclusive),
            // Not zero by its own interval, but this is one test of seven.
            (knight, interval(2.1, 2.4, 2.95), ValueVerdict::Inconclusive),
            (knight, interval(1.8, 2.0, 2.2), ValueVerdict::Above),
            (knight, interval(3.8, 4.0, 4.2), ValueVerdict::Below),
            (knight, unbounded, ValueVerdict::Inconclusive),
            (unbounded, knight, ValueVerdict::Inconclusive),
        ] {
            let all = vec![pair(regression, playtest); 7];
            let found = &Agreement::of(all).values[0];
            assert_eq!(found.verdict, expected, "{found:?}");
            let is_measured = regression.interval.is_some() && playtest.interval.is_some();
            assert_eq!((found.z.is_some(), found.difference.is_some()), (is_measured, is_measured));
        }
    }

    #[test]
    fn only_measured_pieces_count_as_tests() {
        let knight = interval(2.8, 3.0, 3.2);
        let unbounded = Estimate { value: 3.0, interval: None };
        let found = Agreement::of(vec![pair(knight, knight), pair(knight, unbounded)]);
        assert!((found.critical_z - 1.959_964).abs() < 1e-5, "{}", found.critical_z);
        assert_eq!(found.values[0].z, Some(0.0));
    }

    /// The half-widths are 0.3 and 0.4, so that of the difference is 0.5.
    #[test]
    fn half_widths_of_independent_estimates_add_in_quadrature() {
        let found = Agreement::of(vec![pair(interval(3.7, 4.0, 4.3), interval(2.6, 3.0, 3.4))]);
        let difference = found.values[0].difference.unwrap();
        let width = difference.width().unwrap();
        assert!((difference.value - 1.0).abs() < 1e-12 && (width - 1.0).abs() < 1e-12, "{difference:?}");
        let z = found.values[0].z.unwrap();
        assert!((z - 2.0 * 1.959_964).abs() < 1e-5, "{z}");
    }

    /// For asymmetric intervals, z divides by the half of the interval that lies towards zero.
    #[test]
    fn z_uses_the_half_of_the_interval_towards_zero() {
        let exact = interval(3.0, 3.0, 3.0);
        let z = |playtest| Agreement::of(vec![pair(exact, playtest)]).values[0].z.unwrap();
        let [above, below] = [z(interval(3.8, 4.0, 9.0)), z(interval(-1.0, 2.0, 2.5))];
        assert!((above + 5.0 * 1.959_964).abs() < 1e-4, "{above}");
        assert!((below - 2.0 * 1.959_964).abs() < 1e-4, "{below}");
    }
}
