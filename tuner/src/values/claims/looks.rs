//! Looks at games while their number grows: each is another chance of a false verdict, so they
//! share one error probability.

use std::collections::BTreeMap;

use assay_selfplay::run::Look;
use serde::{Deserialize, Serialize};

use crate::values::inference::{CONFIDENCE_LEVEL, range};

/// Share of the error probability that the first look at all planned games uses.
const PLANNED: f64 = 0.8;

/// The part of the error probability of 5% that one look may use. The parts of all looks sum to at
/// most 5%, so one or more of them errs with at most this probability, however the looks depend on
/// each other (weighted Bonferroni).
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
pub struct AlphaShare {
    /// Number of looks so far; 0 if there are no games.
    #[serde(deserialize_with = "range::count")]
    pub looks: usize,
    /// Share of the 5%, 0 to 1. p-values are divided by it.
    #[serde(deserialize_with = "range::share")]
    pub share: f64,
}

impl Default for AlphaShare {
    /// Of games that nobody looks at again.
    fn default() -> AlphaShare {
        AlphaShare { looks: 0, share: 1.0 }
    }
}

impl AlphaShare {
    /// The share of the last of these looks, which may be at several files.
    pub(super) fn of<'l>(looks: impl IntoIterator<Item = &'l Look>) -> AlphaShare {
        let interim: BTreeMap<u64, bool> = looks.into_iter().map(|look| (look.number, look.is_interim)).collect();
        let complete = interim.values().filter(|&&is_interim| !is_interim).count();
        let others = (interim.len() - complete.min(1)) as f64;
        let share = match interim.last_key_value() {
            None => 1.0,
            Some((_, false)) if complete == 1 => PLANNED,
            // These shares sum to what is left.
            Some(_) => (1.0 - PLANNED) / (others * (others + 1.0)),
        };
        AlphaShare { looks: interim.len(), share }
    }

    /// Confidence of an interval, 0 to 1. The intervals of a number at all looks hold together with
    /// a confidence of 95% (repeated confidence intervals, Jennison and Turnbull 1989).
    pub fn confidence(self) -> f64 {
        1.0 - (1.0 - CONFIDENCE_LEVEL) * self.share
    }

    /// A p-value that is below 5% if the test rejects at this look.
    pub(super) fn p_value(self, p: f64) -> f64 {
        (p / self.share).min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;
    use statrs::distribution::{ContinuousCDF, Normal};

    use super::*;
    use crate::values::inference::t_critical_value;

    fn share(interim: &[bool]) -> f64 {
        let looks = (1..).zip(interim).map(|(number, &is_interim)| Look { number, games: 100 * number, is_interim });
        AlphaShare::of(&looks.collect::<Vec<_>>()).share
    }

    #[test]
    fn shares_sum_to_at_most_one() {
        for first in 0..6 {
            let looks: Vec<bool> = (0..1_000).map(|look| look < first || look % 3 == 2).collect();
            let sum: f64 = (1..=looks.len()).map(|last| share(&looks[..last])).sum();
            assert!(sum < 1.0 && sum > 0.99, "{first}: {sum}");
        }
        assert!((share(&[true, true, false]) - PLANNED).abs() < 1e-12);
        assert!((share(&[]) - 1.0).abs() < 1e-12);
    }

    /// The simulation behind the table in docs/statistics.md: `cargo test -p assay-tuner looks --
    /// --nocapture`. A mean is tested as games are added, with the first look at the planned
    /// number. `effect` is in standard errors at that number; 2.8 is found in 80% of runs by one
    /// test at 5%.
    #[test]
    fn ten_looks_err_as_rarely_as_one() {
        const SETS: u32 = 20_000;
        let plans: [(&str, fn(f64) -> f64); 3] = [
            ("10% more", |look| 1.0 + 0.1 * look),
            ("as many again", |look| 1.0 + look),
            ("twice as many", |look| 2.0_f64.powf(look)),
        ];
        let critical_values: Vec<[f64; 2]> = (1..=10)
            .map(|looks| [1.0, share(&vec![false; looks])])
            .map(|shares| shares.map(|share| t_critical_value(1e9, AlphaShare { looks: 1, share }.confidence())))
            .collect();
        for (name, games) in plans {
            let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
            // Runs in which a look up to this one rejects, by effect, correction and look.
            let mut rejected = [[[0_u32; 10]; 2]; 2];
            for _ in 0..SETS {
                let (mut sum, mut before) = (0.0, 0.0);
                let mut is_rejected = [[false; 2]; 2];
                for look in 0..10 {
                    let now = games(look as f64);
                    let step: f64 = Normal::standard().inverse_cdf(random.random());
                    sum += step * (now - before).sqrt();
                    before = now;
                    for (effect, shift) in [0.0, 2.8].into_iter().enumerate() {
                        let z = (sum + shift * now) / now.sqrt();
                        for (correction, critical_value) in critical_values[look].into_iter().enumerate() {
                            is_rejected[effect][correction] |= z.abs() > critical_value;
                            rejected[effect][correction][look] += u32::from(is_rejected[effect][correction]);
                        }
                    }
                }
            }
            let rate = |count: u32| f64::from(count) / f64::from(SETS);
            let [[naive, shared], [power, shared_power]] = rejected;
            println!(
                "{name}: false {:.3} now {:.3}; found at once {:.3} now {:.3}, at the second look {:.3} now {:.3}",
                rate(naive[9]),
                rate(shared[9]),
                rate(power[0]),
                rate(shared_power[0]),
                rate(power[1]),
                rate(shared_power[1])
            );
            assert!(rate(naive[9]) > 0.1, "the looks are no danger");
            assert!(rate(shared[9]) < 0.05);
            assert!(rate(power[0]) - rate(shared_power[0]) < 0.04);
        }
    }
}
