//! Log-loss of the evaluation's predictions, and its gradient.

use std::ops::Range;

use rayon::prelude::*;

use super::examples::{Examples, LOG_ODDS_PER_CENTIPAWN, Label, PhaseWeights, points};

/// Positions summed by one task. Fixed, so that sums do not depend on the number of threads.
const CHUNK: usize = 512;

/// Probabilities are clamped at this distance from 0 and 1.
const MIN_PROBABILITY: f32 = 1e-7;

/// Log-loss in nats of predicting `points` for each label.
#[inline]
fn log_losses<const N: usize>(points: f32, labels: [f32; N]) -> [f32; N] {
    let points = points.clamp(MIN_PROBABILITY, 1.0 - MIN_PROBABILITY);
    let [won, lost] = [points.ln(), (1.0 - points).ln()];
    labels.map(|label| -(label * won + (1.0 - label) * lost))
}

/// Log-loss in nats of predicting `points` for a label.
#[inline]
pub fn log_loss(points: f32, label: f32) -> f32 {
    log_losses(points, [label])[0]
}

/// Gradient of the log-loss summed over examples, in nats per centipawn.
pub struct Gradient {
    /// By term: middlegame, endgame.
    pub sum: Vec<[f64; 2]>,
    /// Number of positions in the sum.
    pub positions: usize,
}

/// Gradient of the log-loss over the positions of a range whose cluster satisfies `is_included`.
pub fn gradient(
    examples: &Examples,
    range: Range<usize>,
    weights: &[PhaseWeights],
    label: Label,
    is_included: impl Fn(u32) -> bool + Sync,
) -> Gradient {
    let of_chunk = |chunk: Range<usize>| {
        let mut sum = vec![[0.0f32; 2]; weights.len()];
        let mut positions = 0;
        for index in chunk {
            let example = examples.get(index);
            if !is_included(example.head.cluster) {
                continue;
            }
            positions += 1;
            let (white, damping) = example.evaluate(weights);
            let slope = (points(white) - label.of(example.head)) * LOG_ODDS_PER_CENTIPAWN as f32 * damping;
            let [middle, end] = [slope * example.head.share, slope * (1.0 - example.head.share)];
            for entry in example.entries {
                let count = f32::from(entry.count);
                let sum = &mut sum[usize::from(entry.term)];
                sum[0] += count * middle;
                sum[1] += count * end;
            }
        }
        (sum, positions)
    };
    let parts: Vec<(Vec<PhaseWeights>, usize)> = chunks(range).into_par_iter().map(of_chunk).collect();
    let mut gradient = Gradient {
        sum: vec![[0.0; 2]; weights.len()],
        positions: 0,
    };
    for (part, positions) in parts {
        gradient.positions += positions;
        for (sum, more) in gradient.sum.iter_mut().zip(part) {
            sum[0] += f64::from(more[0]);
            sum[1] += f64::from(more[1]);
        }
    }
    gradient
}

/// Sums of log-losses, in nats.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LossSums {
    /// Log-loss against the labels.
    pub labels: f64,
    /// Against the game results.
    pub results: f64,
    /// Number of positions.
    pub positions: usize,
}

impl LossSums {
    #[must_use]
    pub fn plus(self, other: LossSums) -> LossSums {
        LossSums {
            labels: self.labels + other.labels,
            results: self.results + other.results,
            positions: self.positions + other.positions,
        }
    }
}

/// Losses of all positions, each predicted with the weights for its cluster. Positions without weights are skipped.
pub fn losses<'w>(
    examples: &Examples,
    label: Label,
    weights_of: impl Fn(u32) -> Option<&'w [PhaseWeights]> + Sync,
) -> LossSums {
    let of_chunk = |chunk: Range<usize>| {
        let mut losses = LossSums::default();
        for index in chunk {
            let example = examples.get(index);
            if let Some(weights) = weights_of(example.head.cluster) {
                let points = points(example.evaluate(weights).0);
                let [labels, results] = log_losses(points, [label.of(example.head), example.head.result]);
                losses.labels += f64::from(labels);
                losses.results += f64::from(results);
                losses.positions += 1;
            }
        }
        losses
    };
    let parts: Vec<LossSums> = chunks(0..examples.len()).into_par_iter().map(of_chunk).collect();
    parts.into_iter().fold(LossSums::default(), LossSums::plus)
}

fn chunks(range: Range<usize>) -> Vec<Range<usize>> {
    let end = range.end;
    range
        .step_by(CHUNK)
        .map(|start| start..end.min(start + CHUNK))
        .collect()
}

#[cfg(test)]
mod tests {
    use assay_engine::eval::{Term, Trace};

    use super::*;

    /// Positions with three terms, of all phases, some of them damped.
    fn examples() -> Examples {
        let mut examples = Examples::default();
        for index in 0..2_000i32 {
            let counts = [index % 5 - 2, index % 7 - 3, index % 3];
            let terms = counts.into_iter().enumerate();
            let trace = Trace {
                terms: terms.map(|(term, count)| (Term(term as u16), [count, 0])).collect(),
                phase: index % 257,
                drawish: [index % 11 == 0, index % 13 == 0],
            };
            let result = f64::from(index % 3) / 2.0;
            examples.push(&trace, result, f64::from(index % 17) / 17.0, (index % 10) as u32);
        }
        examples
    }

    #[test]
    fn gradient_matches_finite_differences() {
        let examples = examples();
        let label = Label { lambda: 0.3 };
        let is_included = |cluster| cluster != 4;
        let weights: Vec<PhaseWeights> = vec![[80.3, 120.9], [-30.7, 10.1], [5.3, -40.7]];
        let found = gradient(&examples, 0..examples.len(), &weights, label, is_included);
        assert_eq!(found.positions, 1_800);
        for term in 0..3 {
            for phase in 0..2 {
                let loss = |change: f32| {
                    let mut weights = weights.clone();
                    weights[term][phase] += change;
                    losses(&examples, label, |cluster| {
                        is_included(cluster).then_some(weights.as_slice())
                    })
                    .labels
                };
                let slope = loss(0.5) - loss(-0.5);
                let found = found.sum[term][phase];
                // Where a lead changes sides its damping does, too: a position or two have a kink within the step.
                assert!(
                    (found - slope).abs() < 1e-2 * slope.abs().max(0.5),
                    "{term} {phase}: {found}, {slope}"
                );
            }
        }
    }

    #[test]
    fn sums_do_not_depend_on_number_of_threads() {
        let examples = examples();
        let weights: Vec<PhaseWeights> = vec![[80.0, 120.0], [-30.0, 10.0], [5.0, -40.0]];
        let with = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let label = Label { lambda: 0.5 };
                let gradient = gradient(&examples, 3..1_999, &weights, label, |_| true);
                (gradient.sum, losses(&examples, label, |_| Some(weights.as_slice())))
            })
        };
        assert_eq!(with(1), with(3));
    }
}
