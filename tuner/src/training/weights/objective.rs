//! How well weights foretell labels, and which way they should go.

use std::ops::Range;

use rayon::prelude::*;

use super::examples::{Examples, LOG_ODDS, Label, Pair, points};

/// Positions whose sums are made in one go. Fixed, so that sums do not depend on the number of threads.
const CHUNK: usize = 512;

/// A log-loss is not counted any worse than for this probability.
const LEAST: f32 = 1e-7;

/// The log-losses of foretelling `points` where each of `labels` came, in nats.
#[inline]
fn log_losses<const N: usize>(points: f32, labels: [f32; N]) -> [f32; N] {
    let points = points.clamp(LEAST, 1.0 - LEAST);
    let [won, lost] = [points.ln(), (1.0 - points).ln()];
    labels.map(|label| -(label * won + (1.0 - label) * lost))
}

/// The log-loss of foretelling `points` where `label` came, in nats.
#[inline]
pub fn log_loss(points: f32, label: f32) -> f32 {
    log_losses(points, [label])[0]
}

/// The sum of gradients of a range of examples, in nats a centipawn: by term, middle game and ending.
pub struct Gradient {
    /// The sum.
    pub sum: Vec<[f64; 2]>,
    /// How many positions are in it.
    pub positions: usize,
}

/// The gradient of the log-loss, over the positions of a range whose cluster is wanted.
pub fn gradient(
    examples: &Examples,
    range: Range<usize>,
    weights: &[Pair],
    label: Label,
    wanted: impl Fn(u32) -> bool + Sync,
) -> Gradient {
    let of_chunk = |chunk: Range<usize>| {
        let mut sum = vec![[0.0f32; 2]; weights.len()];
        let mut positions = 0;
        for index in chunk {
            let example = examples.get(index);
            if !wanted(example.head.cluster) {
                continue;
            }
            positions += 1;
            let (white, damping) = example.evaluate(weights);
            let slope = (points(white) - label.of(example.head)) * LOG_ODDS as f32 * damping;
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
    let parts: Vec<(Vec<Pair>, usize)> = chunks(range).into_par_iter().map(of_chunk).collect();
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
pub struct Losses {
    /// Against the labels.
    pub labels: f64,
    /// Against the results of the games alone.
    pub results: f64,
    /// How many positions.
    pub positions: usize,
}

impl Losses {
    /// Both sums together.
    #[must_use]
    pub fn plus(self, other: Losses) -> Losses {
        Losses {
            labels: self.labels + other.labels,
            results: self.results + other.results,
            positions: self.positions + other.positions,
        }
    }
}

/// The losses of all positions, each foretold by the weights for its cluster; positions without are left out.
pub fn losses<'w>(examples: &Examples, label: Label, weights_of: impl Fn(u32) -> Option<&'w [Pair]> + Sync) -> Losses {
    let of_chunk = |chunk: Range<usize>| {
        let mut losses = Losses::default();
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
    let parts: Vec<Losses> = chunks(0..examples.len()).into_par_iter().map(of_chunk).collect();
    parts.into_iter().fold(Losses::default(), Losses::plus)
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
    fn the_gradient_is_the_slope_of_the_loss() {
        let examples = examples();
        let label = Label { lambda: 0.3 };
        let wanted = |cluster| cluster != 4;
        let weights: Vec<Pair> = vec![[80.3, 120.9], [-30.7, 10.1], [5.3, -40.7]];
        let found = gradient(&examples, 0..examples.len(), &weights, label, wanted);
        assert_eq!(found.positions, 1_800);
        for term in 0..3 {
            for phase in 0..2 {
                let loss = |change: f32| {
                    let mut weights = weights.clone();
                    weights[term][phase] += change;
                    losses(&examples, label, |cluster| {
                        wanted(cluster).then_some(weights.as_slice())
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
    fn sums_do_not_depend_on_threads() {
        let examples = examples();
        let weights: Vec<Pair> = vec![[80.0, 120.0], [-30.0, 10.0], [5.0, -40.0]];
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
