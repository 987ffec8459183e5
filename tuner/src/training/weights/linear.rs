//! The linear evaluation of training positions: its terms as sparse rows, the log-loss of its
//! predictions, and the gradient.
//!
//! Centipawns are not rescaled: a fixed curve maps them to expected points
//! ([`assay_engine::Score::expected_points`]), so the pawn's weight is estimated like any other.

use std::sync::Arc;

use assay_engine::eval::{MAX_PHASE, Section, TermName, Trace, Tracer, Weight};
use assay_engine::{CompiledRuleset, Position, Tables};
use assay_rules::Color;
use rayon::prelude::*;

use crate::training::examples::{Contents, Example, Extract, Occurrences, Target, TrainingData};
use crate::training::logistic;

/// Log-odds of expected points for each centipawn: [`assay_engine::Score::ADVANTAGE`] has odds of
/// three to one.
pub const LOG_ODDS_PER_CENTIPAWN: f64 = 1.098_612_288_668_109_8 / 300.0;

/// Factor of the evaluation for an advantage in drawish material.
const DRAWISH_SHARE: f32 = 0.25;

/// Positions summed by one task. Fixed, so that sums do not depend on the number of threads.
const CHUNK: usize = 512;

/// An evaluation term and its count in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TermCount {
    /// Index of the term.
    pub term: u16,
    /// White's count minus Black's; never 0.
    pub count: i16,
}

/// Weights of a position's terms in its phase.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PhaseShares {
    /// Middlegame share of the weights, 0 to 1.
    pub share: f32,
    /// Factors of an advantage of White and of Black, below 1 in drawish material.
    pub damping: [f32; 2],
    /// Centipawns for White that no weight changes: a bare king that is driven to a corner.
    pub bare_king: f32,
}

/// An example from White's point of view.
pub type TermExample = Example<PhaseShares, TermCount>;
pub type TuningData = TrainingData<PhaseShares, TermCount>;

/// Weights of a term in centipawns: middlegame, endgame.
pub type PhaseWeights = [f32; 2];

/// What is kept of the evaluation of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Terms {
    /// The terms as the engine counts them.
    All,
    /// The pieces on the board and in pockets alone, each with its middlegame weight in all phases. Nothing adjusts the evaluation of
    /// endings.
    Material,
}

impl Extract for Terms {
    type Head = PhaseShares;
    type Entry = TermCount;

    fn view(_: Color) -> Color {
        Color::White
    }

    fn extractor<R: CompiledRuleset>(
        self,
        tables: &Arc<Tables<R>>,
    ) -> impl Fn(&Position<R>, f64, &mut Occurrences) -> Option<Contents<PhaseShares, TermCount>> + Sync {
        let tracer = Tracer::<R>::new(tables.game());
        move |position, _, occurrences| {
            let mut trace = tracer.trace(position);
            if self == Terms::Material {
                trace.terms.retain(|(term, _)| is_material(tracer.terms().name(*term)));
                trace = Trace { phase: MAX_PHASE, drawish: [false; 2], bare_king: 0, ..trace };
            }
            occurrences.resize(tracer.terms().len(), [0.0; 2]);
            let share = f64::from(trace.phase) / f64::from(MAX_PHASE);
            for (term, counts) in &trace.terms {
                let [middle, end] = &mut occurrences[term.index()];
                let times = f64::from(counts[0].abs() + counts[1].abs());
                *middle += times * share;
                *end += times * (1.0 - share);
            }
            let example = TermExample::new(&trace, Target::default());
            Some((example.head, example.entries))
        }
    }
}

/// Whether a term counts the pieces of a kind.
fn is_material(name: TermName) -> bool {
    matches!(name.section, Section::Piece(_)) && matches!(name.name, "material" | "pocket")
}

impl TermExample {
    /// The example of a position with these terms.
    pub fn new(trace: &Trace, target: Target) -> TermExample {
        let head = PhaseShares {
            share: trace.phase as f32 / MAX_PHASE as f32,
            damping: trace.drawish.map(|drawish| if drawish { DRAWISH_SHARE } else { 1.0 }),
            bare_king: trace.bare_king as f32,
        };
        let entries = trace.coefficients().map(|(term, count)| TermCount {
            term: term.0,
            // No board has room for counts beyond 16 bits.
            count: count.clamp(i32::from(i16::MIN), i32::from(i16::MAX)) as i16,
        });
        TermExample { target, head, entries: entries.collect() }
    }

    /// Evaluation in centipawns from White's point of view, and the drawishness factor applied to
    /// it.
    #[inline]
    pub fn evaluate(&self, weights: &[PhaseWeights]) -> (f32, f32) {
        // Four independent sums for instruction-level parallelism.
        let mut sums = [[0.0f32; 2]; 4];
        for four in self.entries.chunks(4) {
            for (sum, entry) in sums.iter_mut().zip(four) {
                let count = f32::from(entry.count);
                let [in_middle, in_end] = weights[usize::from(entry.term)];
                sum[0] += count * in_middle;
                sum[1] += count * in_end;
            }
        }
        let [middle, end] = [0, 1].map(|phase| (sums[0][phase] + sums[1][phase]) + (sums[2][phase] + sums[3][phase]));
        let white = middle * self.head.share + end * (1.0 - self.head.share) + self.head.bare_king;
        let damping = self.head.damping[usize::from(white < 0.0)];
        (white * damping, damping)
    }
}

/// Expected points of an evaluation in centipawns, 0 to 1:
/// [`assay_engine::Score::expected_points`] without rounding.
#[inline]
pub fn points(centipawns: f32) -> f32 {
    logistic(LOG_ODDS_PER_CENTIPAWN as f32 * centipawns)
}

/// Weights in single precision, by term.
pub fn pairs(weights: &[Weight]) -> Vec<PhaseWeights> {
    let pair = |weight: &Weight| [weight.middlegame as f32, weight.endgame as f32];
    weights.iter().map(pair).collect()
}

/// Gradient of the log-loss summed over the positions whose pair satisfies `is_included`, in nats per centipawn by
/// term: middlegame, endgame. Also returns the number of these positions.
pub fn gradient(
    examples: &[TermExample],
    weights: &[PhaseWeights],
    lambda: f32,
    is_included: impl Fn(u32) -> bool + Sync,
) -> (Vec<[f64; 2]>, usize) {
    let of_chunk = |chunk: &[TermExample]| {
        let mut sum = vec![[0.0f32; 2]; weights.len()];
        let mut positions = 0;
        for example in chunk {
            if !is_included(example.target.pair) {
                continue;
            }
            positions += 1;
            let (white, damping) = example.evaluate(weights);
            let slope = (points(white) - example.target.label(lambda)) * LOG_ODDS_PER_CENTIPAWN as f32 * damping;
            let [middle, end] = [slope * example.head.share, slope * (1.0 - example.head.share)];
            for entry in &example.entries {
                let count = f32::from(entry.count);
                let sum = &mut sum[usize::from(entry.term)];
                sum[0] += count * middle;
                sum[1] += count * end;
            }
        }
        (sum, positions)
    };
    let parts: Vec<(Vec<PhaseWeights>, usize)> = examples.par_chunks(CHUNK).map(of_chunk).collect();
    let (mut gradient, mut included) = (vec![[0.0; 2]; weights.len()], 0);
    for (part, positions) in parts {
        included += positions;
        for (sum, more) in gradient.iter_mut().zip(part) {
            sum[0] += f64::from(more[0]);
            sum[1] += f64::from(more[1]);
        }
    }
    (gradient, included)
}

/// Expected points of White in each position, by the weights for its opening pair.
pub fn predict<'w>(examples: &[TermExample], weights_of: impl Fn(u32) -> &'w [PhaseWeights] + Sync) -> Vec<f32> {
    let predict = |example: &TermExample| points(example.evaluate(weights_of(example.target.pair)).0);
    examples.par_iter().map(predict).collect()
}

#[cfg(test)]
mod tests {
    use assay_engine::eval::Term;
    use assay_engine::{Evaluator, MoveList, Score, Visitor, Weights, dispatch};
    use assay_rules::{Color, GameDef};

    use super::*;
    use crate::training::HeldOutLoss;

    /// Plays moves chosen by a simple rule and compares both evaluations of each position.
    struct Compare;

    impl Visitor for Compare {
        /// The positions seen, and those of them in which a lead was damped.
        type Output = (usize, usize);

        fn visit<R: CompiledRuleset>(self, tables: Arc<Tables<R>>) -> Self::Output {
            let game = tables.game();
            let weights = Weights::for_game(game);
            let (evaluator, tracer) = (Evaluator::new(&tables, &weights), Tracer::<R>::new(game));
            let pairs = pairs(weights.values());
            let (mut seen, mut damped) = (0, 0);
            for seed in 0..6usize {
                let mut position = Position::new(&tables, &assay_rules::Position::start(game));
                for step in 0..400 {
                    let mut list = MoveList::new();
                    position.legal_moves(&mut list);
                    if list.is_empty() {
                        break;
                    }
                    seen += 1;
                    let example = TermExample::new(&tracer.trace(&position), Target::default());
                    let (found, left) = example.evaluate(&pairs);
                    let played = evaluator.evaluate(&position).centipawns().unwrap();
                    let white = if position.side_to_move() == Color::White { played } else { -played };
                    // The engine's weights are rounded to sixteenths of a centipawn.
                    assert!(
                        (found - white as f32).abs() < 4.0,
                        "{}: found {found}, expected {white} in {}",
                        game.name,
                        position.to_rules().fen()
                    );
                    damped += usize::from(left < 1.0);
                    // A capture where there is one, so that few pieces are left at the end.
                    let capture = list.as_slice().iter().find(|&&mv| position.is_capture(mv));
                    let any = list[(step * 7919 + seed * 104_729 + 13) % list.len()];
                    position.make(capture.copied().filter(|_| step % 3 == seed % 3).unwrap_or(any));
                }
            }
            (seen, damped)
        }
    }

    #[test]
    fn tuned_evaluation_matches_the_engine() {
        let mut all_damped = 0;
        for name in assay_rules::def::BUILTIN_NAMES {
            let (seen, damped) = dispatch(&GameDef::builtin(name).unwrap(), Compare);
            assert!(seen > 500, "{name}: {seen}");
            all_damped += damped;
        }
        assert!(all_damped > 50, "{all_damped}");
    }

    #[test]
    fn expected_points_match_the_engine() {
        for centipawns in [-900, -300, -31, 0, 47, 300, 1_200] {
            let expected = Score::from_centipawns(centipawns).expected_points();
            assert!((f64::from(points(centipawns as f32)) - expected).abs() < 1e-6, "{centipawns}");
        }
    }

    #[test]
    fn labels_interpolate_results_and_scores() {
        let target = Target { result: 0.75, expected: 0.25, pair: 0 };
        for (lambda, expected) in [(0.0, 0.25), (1.0, 0.75), (0.5, 0.5)] {
            assert!((target.label(lambda) - expected).abs() < 1e-6);
        }
    }

    /// Positions with three terms, of all phases, some of them damped.
    fn examples() -> Vec<TermExample> {
        let example = |index: i32| {
            let counts = [index % 5 - 2, index % 7 - 3, index % 3];
            let terms = counts.into_iter().enumerate();
            let drawish = [index % 11 == 0, index % 13 == 0];
            let trace = Trace {
                terms: terms.map(|(term, count)| (Term(term as u16), [count, 0])).collect(),
                phase: index % 257,
                drawish,
                bare_king: index % 9 * 50,
            };
            let target = Target {
                result: (index % 3) as f32 / 2.0,
                expected: (index % 17) as f32 / 17.0,
                pair: (index % 10) as u32,
            };
            TermExample::new(&trace, target)
        };
        (0..2_000).map(example).collect()
    }

    #[test]
    fn gradient_matches_finite_differences() {
        let examples = examples();
        let targets: Vec<Target> = examples.iter().map(|example| example.target).collect();
        let is_included = |pair| pair != 4;
        let weights: Vec<PhaseWeights> = vec![[80.3, 120.9], [-30.7, 10.1], [5.3, -40.7]];
        let (found, positions) = gradient(&examples, &weights, 0.3, is_included);
        assert_eq!(positions, 1_800);
        let zero = [[0.0; 2]; 3];
        for term in 0..3 {
            for phase in 0..2 {
                let loss = |change: f32| {
                    let mut weights = weights.clone();
                    weights[term][phase] += change;
                    // The pair that is not included has the same loss for all weights.
                    let weights_of = |pair| if is_included(pair) { &weights[..] } else { &zero[..] };
                    2_000.0 * HeldOutLoss::of(&predict(&examples, weights_of), &targets, 0.3).labels
                };
                let slope = loss(0.5) - loss(-0.5);
                let found = found[term][phase];
                // Where a lead changes sides its damping does, too: a position or two have a kink
                // within the step.
                assert!((found - slope).abs() < 1e-2 * slope.abs().max(0.5), "{term} {phase}: {found}, {slope}");
            }
        }
    }

    #[test]
    fn sums_do_not_depend_on_number_of_threads() {
        let examples = examples();
        let targets: Vec<Target> = examples.iter().map(|example| example.target).collect();
        let weights: Vec<PhaseWeights> = vec![[80.0, 120.0], [-30.0, 10.0], [5.0, -40.0]];
        let with = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let loss = HeldOutLoss::of(&predict(&examples, |_| &weights), &targets, 0.5);
                (gradient(&examples[3..1_999], &weights, 0.5, |_| true), loss)
            })
        };
        assert_eq!(with(1), with(3));
    }
}
