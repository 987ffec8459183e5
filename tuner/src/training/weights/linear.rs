//! The linear evaluation of training positions: its terms as sparse rows, its predictions, and
//! their likelihood with its derivatives.
//!
//! Centipawns are not rescaled: a fixed curve maps them to expected points
//! ([`assay_engine::Score::expected_points`]), so the pawn's weight is estimated like any other.

use std::sync::Arc;

use assay_engine::eval::{MAX_PHASE, Section, TermName, Trace, Tracer, Weight};
use assay_engine::{CompiledRuleset, Position, Tables};
use assay_rules::Color;
use nalgebra::DVector;
use rayon::prelude::*;

use crate::training::examples::{Contents, Example, Extract, Occurrences, Target, TrainingData};
use crate::training::logistic;
use crate::values::model::{Accumulator, Logit};

/// Log-odds of expected points for each centipawn: [`assay_engine::Score::ADVANTAGE`] has odds of
/// three to one.
pub const LOG_ODDS_PER_CENTIPAWN: f64 = 1.098_612_288_668_109_8 / 300.0;

/// Factor of the evaluation for an advantage in drawish material.
const DRAWISH_SHARE: f32 = 0.25;

/// Positions summed by one task. Fixed, so that sums do not depend on the number of threads.
const CHUNK: usize = 4_096;

/// Sums that are kept before they are added. Each has a matrix of all weights.
const CHUNKS_IN_MEMORY: usize = 16;

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
    /// The pieces on the board and in pockets alone, each with its middlegame weight in all phases.
    /// Nothing adjusts the evaluation of endings.
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
    ) -> impl Fn(&Position<R>, f64, &mut Occurrences) -> Option<Contents<PhaseShares, TermCount>> + Send + Sync + use<R>
    {
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
        let [mut middle, mut end] = [0.0; 2];
        for entry in &self.entries {
            let [in_middle, in_end] = weights[usize::from(entry.term)];
            middle += f32::from(entry.count) * in_middle;
            end += f32::from(entry.count) * in_end;
        }
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

/// Weights in log-odds: for each term middlegame, then endgame.
pub(super) fn log_odds(weights: &[Weight]) -> DVector<f64> {
    let parameters = weights.iter().flat_map(|weight| [weight.middlegame, weight.endgame]);
    LOG_ODDS_PER_CENTIPAWN * DVector::from_iterator(2 * weights.len(), parameters)
}

/// Weights in centipawns, by term.
pub(super) fn centipawns(log_odds: &DVector<f64>) -> Vec<PhaseWeights> {
    let centipawns = |&log_odds: &f64| (log_odds / LOG_ODDS_PER_CENTIPAWN) as f32;
    log_odds.as_slice().chunks(2).map(|term| [centipawns(&term[0]), centipawns(&term[1])]).collect()
}

/// Factors of the evaluations, below 1 where the side that leads by these weights has drawish
/// material.
pub(super) fn damping(examples: &[TermExample], weights: &[PhaseWeights]) -> Vec<f32> {
    examples.par_iter().map(|example| example.evaluate(weights).1).collect()
}

/// The log-likelihood of the labels with its derivatives by the weights in log-odds, summed over
/// the positions whose pair satisfies `is_included`. With fixed factors of the evaluations
/// ([`damping`]) it is concave.
pub(super) fn likelihood(
    examples: &[TermExample],
    damping: &[f32],
    log_odds: &DVector<f64>,
    lambda: f32,
    is_included: impl Fn(u32) -> bool + Sync,
) -> Accumulator {
    let model = Logit::fractional();
    let of_chunk = |(examples, damping): (&[TermExample], &[f32])| {
        let mut sums = Accumulator::new(log_odds.len());
        let mut entries = Vec::new();
        for (example, &damping) in examples.iter().zip(damping) {
            if !is_included(example.target.pair) {
                continue;
            }
            let damping = f64::from(damping);
            let share = f64::from(example.head.share);
            entries.clear();
            for &TermCount { term, count } in &example.entries {
                let first = 2 * usize::from(term);
                let shares = [(first, share), (first + 1, 1.0 - share)];
                let shares = shares.into_iter().filter(|(_, share)| *share > 0.0);
                entries.extend(shares.map(|(column, share)| (column, f64::from(count) * share * damping)));
            }
            let constant = LOG_ODDS_PER_CENTIPAWN * f64::from(example.head.bare_king) * damping;
            let predictor = entries.iter().map(|&(column, value)| value * log_odds[column]).sum::<f64>() + constant;
            let point = model.at(predictor, &[], f64::from(example.target.label(lambda)));
            sums.log_likelihood += point.log_likelihood;
            sums.add_entries(&entries, point.slope, point.curvature);
        }
        sums
    };
    let mut total = Accumulator::new(log_odds.len());
    let in_memory = CHUNKS_IN_MEMORY * CHUNK;
    for (examples, damping) in examples.chunks(in_memory).zip(damping.chunks(in_memory)) {
        let chunks = examples.par_chunks(CHUNK).zip(damping.par_chunks(CHUNK));
        for sums in chunks.map(of_chunk).collect::<Vec<_>>() {
            total.add(&sums, 1.0);
        }
    }
    total
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
            let pair = |weight: &Weight| [weight.middlegame as f32, weight.endgame as f32];
            let pairs: Vec<PhaseWeights> = weights.values().iter().map(pair).collect();
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

    /// Weights of three terms, by index: middlegame and endgame in turn.
    fn weights() -> DVector<f64> {
        LOG_ODDS_PER_CENTIPAWN * DVector::from_vec(vec![80.3, 120.9, -30.7, 10.1, 5.3, -40.7])
    }

    #[test]
    fn derivatives_match_finite_differences() {
        const STEP: f64 = 1e-4;
        let examples = examples();
        let is_included = |pair| pair != 4;
        let here = weights();
        let factors = damping(&examples, &centipawns(&here));
        let at = |weights: &DVector<f64>| likelihood(&examples, &factors, weights, 0.3, is_included);
        let found = at(&here);
        // The likelihood is that of the predictions.
        let included: Vec<TermExample> = examples.iter().filter(|e| is_included(e.target.pair)).cloned().collect();
        assert_eq!(included.len(), 1_800);
        let targets: Vec<Target> = included.iter().map(|example| example.target).collect();
        let in_centipawns = centipawns(&here);
        let loss = HeldOutLoss::of(&predict(&included, |_| &in_centipawns), &targets, 0.3).labels;
        assert!((found.log_likelihood / 1_800.0 + loss).abs() < 1e-6, "{} {loss}", found.log_likelihood / 1_800.0);
        for index in 0..6 {
            let moved = |step: f64| {
                let mut moved = here.clone();
                moved[index] += step;
                at(&moved)
            };
            let (above, below) = (moved(STEP), moved(-STEP));
            let slope = (above.log_likelihood - below.log_likelihood) / (2.0 * STEP);
            assert!((found.gradient()[index] - slope).abs() < 1e-5 * slope.abs().max(1.0), "{index}: {slope}");
            let information = (below.gradient() - above.gradient()) / (2.0 * STEP);
            let difference = found.information().column(index) - information;
            assert!(difference.amax() < 1e-4, "{index}: {difference}");
        }
    }

    #[test]
    fn sums_do_not_depend_on_number_of_threads() {
        let examples = [examples(), examples(), examples()].concat();
        let targets: Vec<Target> = examples.iter().map(|example| example.target).collect();
        let weights = weights();
        let in_centipawns = centipawns(&weights);
        let factors = damping(&examples, &in_centipawns);
        let with = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let loss = HeldOutLoss::of(&predict(&examples, |_| &in_centipawns), &targets, 0.5);
                let sums = likelihood(&examples, &factors, &weights, 0.5, |_| true);
                (sums.log_likelihood.to_bits(), sums.gradient(), sums.information(), loss)
            })
        };
        assert_eq!(with(1), with(3));
    }
}
