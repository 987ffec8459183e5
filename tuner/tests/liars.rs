//! Liars: estimators that are wrong in one way each. `simulate` must accuse them, and never the honest one.

use assay_rules::GameDef;
use assay_tuner::values::design::phase::PhaseModel;
use assay_tuner::values::inference::estimate::IntervalEstimate;
use assay_tuner::values::inference::fieller::ConfidenceRegion;
use assay_tuner::values::inference::monte_carlo::CoverageVerdict;
use assay_tuner::values::inference::units::Unit;
use assay_tuner::values::simulate::coverage::{CheckedValue, Trials, trials};
use assay_tuner::values::simulate::{Simulation, near_published_values, synthetic_openings};

fn simulation(pairs: usize) -> Simulation {
    let game = GameDef::builtin("chess").unwrap();
    Simulation {
        truth: near_published_values(&game, 0.4),
        given: Vec::new(),
        thresholds: vec![0.7],
        correlation: 0.02,
        openings: synthetic_openings(&game, 499, 1),
        pairs,
        positions: 20,
        game,
    }
}

/// The estimate times a number, with its interval.
fn biased(estimate: &mut IntervalEstimate, factor: f64) {
    estimate.value *= factor;
    if let ConfidenceRegion::Bounded { low, high } = &mut estimate.interval {
        *low *= factor;
        *high *= factor;
    }
}

/// The interval around the same estimate, times a number.
fn stretched(estimate: &mut IntervalEstimate, factor: f64) {
    if let ConfidenceRegion::Bounded { low, high } = &mut estimate.interval {
        *low = estimate.value + factor * (*low - estimate.value);
        *high = estimate.value + factor * (*high - estimate.value);
    }
}

/// A kind of wrongness: changes the honest estimates of one data set or subset.
type Lie = fn(&[CheckedValue], &mut [IntervalEstimate]);

/// Changes the estimates of the values that a lie is about.
fn change(
    values: &[CheckedValue],
    estimates: &mut [IntervalEstimate],
    is_about: impl Fn(&CheckedValue) -> bool,
    change: impl Fn(&mut IntervalEstimate),
) {
    let about = values.iter().zip(estimates).filter(|(value, _)| is_about(value));
    about.for_each(|(_, estimate)| change(estimate));
}

/// Wrong intervals. Standard errors off by a fifth give coverages of 0.883 and 0.981.
const LIES: [(&str, Lie); 9] = [
    ("standard errors too small by 20%", |values, estimates| {
        change(values, estimates, |_| true, |estimate| stretched(estimate, 0.8));
    }),
    ("standard errors too large by 25%", |values, estimates| {
        change(values, estimates, |_| true, |estimate| stretched(estimate, 1.25));
    }),
    ("standard errors of one piece too small", |values, estimates| {
        change(
            values,
            estimates,
            |value| value.piece == "rook",
            |estimate| stretched(estimate, 0.8),
        );
    }),
    ("standard errors of one piece too large", |values, estimates| {
        change(
            values,
            estimates,
            |value| value.piece == "rook",
            |estimate| stretched(estimate, 1.25),
        );
    }),
    ("standard errors of one phase too small", |values, estimates| {
        change(
            values,
            estimates,
            |value| value.phase == "few pieces",
            |estimate| stretched(estimate, 0.8),
        );
    }),
    ("standard errors in pawns too small", |values, estimates| {
        change(
            values,
            estimates,
            |value| value.unit == Unit::Pawns,
            |estimate| stretched(estimate, 0.8),
        );
    }),
    (
        "standard errors too small and too large, right on average",
        |values, estimates| {
            for (index, estimate) in estimates.iter_mut().enumerate() {
                stretched(estimate, if index % 2 == 0 { 0.8 } else { 1.2 });
            }
            let _ = values;
        },
    ),
    ("intervals of another quantity", |values, estimates| {
        // The average gets the interval of the value with few pieces left.
        let few: Vec<usize> = (0..values.len())
            .filter(|&index| values[index].phase == "few pieces")
            .collect();
        for index in few {
            let same = |other: &CheckedValue| {
                other.phase == "average" && other.piece == values[index].piece && other.unit == values[index].unit
            };
            let average = values.iter().position(same).unwrap();
            estimates[average] = estimates[index];
        }
    }),
    ("intervals that begin at the estimate", |_, estimates| {
        for estimate in estimates {
            if let ConfidenceRegion::Bounded { low, .. } = &mut estimate.interval {
                *low = estimate.value;
            }
        }
    }),
];

/// Biased estimators.
const BIASES: [(&str, Lie); 6] = [
    ("estimates too large by 3%", |values, estimates| {
        change(values, estimates, |_| true, |estimate| biased(estimate, 1.03));
    }),
    ("one piece too large by 3%", |values, estimates| {
        change(
            values,
            estimates,
            |value| value.piece == "knight",
            |estimate| biased(estimate, 1.03),
        );
    }),
    ("one phase too large by 3%", |values, estimates| {
        change(
            values,
            estimates,
            |value| value.phase == "full board",
            |estimate| biased(estimate, 1.03),
        );
    }),
    ("values in pawns too large by 3%", |values, estimates| {
        change(
            values,
            estimates,
            |value| value.unit == Unit::Pawns,
            |estimate| biased(estimate, 1.03),
        );
    }),
    ("errors of two pieces that cancel", |values, estimates| {
        change(
            values,
            estimates,
            |value| value.piece == "knight",
            |estimate| biased(estimate, 1.03),
        );
        change(
            values,
            estimates,
            |value| value.piece == "bishop",
            |estimate| biased(estimate, 0.97),
        );
    }),
    ("errors of two phases that cancel", |values, estimates| {
        change(
            values,
            estimates,
            |value| value.phase == "full board",
            |estimate| biased(estimate, 1.03),
        );
        change(
            values,
            estimates,
            |value| value.phase == "few pieces",
            |estimate| biased(estimate, 0.97),
        );
    }),
];

fn simulated(trials: &Trials, simulation: &Simulation) -> CoverageVerdict {
    trials.coverage().verdict(&simulation.game)
}

/// As many data sets and opening pairs as `simulate` has by default.
#[test]
fn simulate_finds_liars() {
    let simulation = simulation(4_000);
    let honest = trials(&simulation, PhaseModel::default(), 2_000, 1, || ()).unwrap();
    for row in &honest.coverage().values {
        println!(
            "{} {:?} {}: coverage {:.3}, bias {:.3}, errors {:.3}",
            row.piece,
            row.unit,
            row.phase,
            row.coverage,
            row.standardized_bias,
            row.half_width / (1.96 * row.standard_deviation)
        );
    }
    assert_eq!(simulated(&honest, &simulation), CoverageVerdict::Passed);
    let mut undetected: Vec<&str> = Vec::new();
    for (kind, lie) in LIES.iter().chain(&BIASES) {
        let mut liar = honest.clone();
        for trial in &mut liar.fitted {
            lie(&honest.values, &mut trial.estimates);
        }
        let verdict = simulated(&liar, &simulation);
        println!("{kind}: {verdict:?}");
        undetected.extend((verdict != CoverageVerdict::Failed).then_some(*kind));
    }
    // Intervals that treat positions as independent, in place of clustered ones and in place of the control.
    let mut ignores_clusters = honest.clone();
    let mut control_clusters = honest.clone();
    for (one, other) in ignores_clusters.fitted.iter_mut().zip(&mut control_clusters.fitted) {
        one.estimates.clone_from(&one.naive);
        other.naive.clone_from(&other.estimates);
    }
    for (kind, liar) in [
        ("clusters ignored", ignores_clusters),
        ("a control that clusters", control_clusters),
    ] {
        undetected.extend((simulated(&liar, &simulation) != CoverageVerdict::Failed).then_some(kind));
    }
    assert!(undetected.is_empty(), "undetected: {undetected:?}");
}
