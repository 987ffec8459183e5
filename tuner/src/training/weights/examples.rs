//! Training examples: the terms of quiet positions as sparse rows.

use assay_engine::eval::{MAX_PHASE, Trace, Weight};

/// Log-odds of expected points for each centipawn: [`assay_engine::Score::ADVANTAGE`] has odds of three to one.
pub const LOG_ODDS_PER_CENTIPAWN: f64 = 1.098_612_288_668_109_8 / 300.0;

/// Factor of the evaluation for an advantage in drawish material.
const DRAWISH_SHARE: f32 = 0.25;

/// The target of a position: White's points, interpolated between game result and search score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Label {
    /// Weight of the game result, 0 to 1; the search score has the rest.
    pub lambda: f32,
}

impl Label {
    /// White's target points, 0 to 1.
    #[inline]
    pub fn of(self, head: &ExampleHeader) -> f32 {
        self.lambda * head.result + (1.0 - self.lambda) * head.expected
    }
}

/// An evaluation term and its count in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TermCount {
    /// Index of the term.
    pub term: u16,
    /// White's count minus Black's; never 0.
    pub count: i16,
}

/// Phase, labels and cluster of an example.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExampleHeader {
    /// Middlegame share of the weights, 0 to 1.
    pub share: f32,
    /// Factors of an advantage of White and of Black, below 1 in drawish material.
    pub damping: [f32; 2],
    /// White's points by the game result.
    pub result: f32,
    /// White's expected points by the search.
    pub expected: f32,
    /// Opening pair, numbered without gaps from 0.
    pub cluster: u32,
}

/// A training example.
#[derive(Clone, Copy, Debug)]
pub struct Example<'e> {
    /// Phase, labels and cluster.
    pub head: &'e ExampleHeader,
    /// Its terms with nonzero counts.
    pub entries: &'e [TermCount],
}

/// Weights of a term in centipawns: middlegame, endgame.
pub type PhaseWeights = [f32; 2];

impl Example<'_> {
    /// Evaluation in centipawns from White's point of view, and the drawishness factor applied to it.
    #[inline]
    pub fn evaluate(&self, weights: &[PhaseWeights]) -> (f32, f32) {
        // Four independent sums for instruction-level parallelism.
        let mut sums = [[0.0f32; 2]; 4];
        let add = |sums: &mut [PhaseWeights; 4], entries: &[TermCount]| {
            for (sum, entry) in sums.iter_mut().zip(entries) {
                let count = f32::from(entry.count);
                let [in_middle, in_end] = weights[usize::from(entry.term)];
                sum[0] += count * in_middle;
                sum[1] += count * in_end;
            }
        };
        let mut fours = self.entries.chunks_exact(4);
        for four in &mut fours {
            add(&mut sums, four);
        }
        add(&mut sums, fours.remainder());
        let [middle, end] = [0, 1].map(|phase| (sums[0][phase] + sums[1][phase]) + (sums[2][phase] + sums[3][phase]));
        let white = middle * self.head.share + end * (1.0 - self.head.share);
        let damping = self.head.damping[usize::from(white < 0.0)];
        (white * damping, damping)
    }
}

/// Training examples in compressed sparse row format.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Examples {
    heads: Vec<ExampleHeader>,
    /// End of each example's entries.
    ends: Vec<usize>,
    entries: Vec<TermCount>,
}

impl Examples {
    /// Number of examples.
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// Returns true if there are no examples.
    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// Total number of entries.
    pub fn entry_count(&self) -> usize {
        self.entries.len()
    }

    /// Example by index.
    ///
    /// # Panics
    /// If the index is out of range.
    #[inline]
    pub fn get(&self, index: usize) -> Example<'_> {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        Example {
            head: &self.heads[index],
            entries: &self.entries[start..self.ends[index]],
        }
    }

    /// All examples in order.
    pub fn iter(&self) -> impl Iterator<Item = Example<'_>> {
        (0..self.len()).map(|index| self.get(index))
    }

    /// Appends an example; `result` and `expected` are White's points, 0 to 1.
    pub fn push(&mut self, trace: &Trace, result: f64, expected: f64, cluster: u32) {
        let entries = trace.coefficients().map(|(term, count)| TermCount {
            term: term.0,
            // No board has room for counts beyond 16 bits.
            count: count.clamp(i32::from(i16::MIN), i32::from(i16::MAX)) as i16,
        });
        self.entries.extend(entries);
        self.ends.push(self.entries.len());
        self.heads.push(ExampleHeader {
            share: trace.phase as f32 / MAX_PHASE as f32,
            damping: trace.drawish.map(|drawish| if drawish { DRAWISH_SHARE } else { 1.0 }),
            result: result as f32,
            expected: expected as f32,
            cluster,
        });
    }

    /// Appends a copy of an example.
    pub fn add(&mut self, example: Example<'_>) {
        self.entries.extend_from_slice(example.entries);
        self.ends.push(self.entries.len());
        self.heads.push(*example.head);
    }
}

/// Expected points of an evaluation in centipawns, 0 to 1: [`assay_engine::Score::expected_points`] without rounding.
#[inline]
pub fn points(centipawns: f32) -> f32 {
    1.0 / (1.0 + (-(LOG_ODDS_PER_CENTIPAWN as f32) * centipawns).exp())
}

/// Weights in single precision, by term.
pub fn pairs(weights: &[Weight]) -> Vec<PhaseWeights> {
    let pair = |weight: &Weight| [weight.middlegame as f32, weight.endgame as f32];
    weights.iter().map(pair).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use assay_engine::eval::Tracer;
    use assay_engine::{CompiledRuleset, Evaluator, MoveList, Position, Score, Tables, Visitor, Weights, dispatch};
    use assay_rules::{Color, GameDef};

    use super::*;

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
            let (mut examples, mut damped) = (Examples::default(), 0);
            for seed in 0..6usize {
                let mut position = Position::new(&tables, &assay_rules::Position::start(game));
                for step in 0..400 {
                    let mut list = MoveList::new();
                    position.legal_moves(&mut list);
                    if list.is_empty() {
                        break;
                    }
                    examples.push(&tracer.trace(&position), 0.5, 0.5, 0);
                    let (found, left) = examples.get(examples.len() - 1).evaluate(&pairs);
                    let played = evaluator.evaluate(&position).centipawns().unwrap();
                    let white = if position.side_to_move() == Color::White {
                        played
                    } else {
                        -played
                    };
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
            (examples.len(), damped)
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
            assert!(
                (f64::from(points(centipawns as f32)) - expected).abs() < 1e-6,
                "{centipawns}"
            );
        }
    }

    #[test]
    fn labels_interpolate_result_and_score() {
        let head = ExampleHeader {
            share: 1.0,
            damping: [1.0; 2],
            result: 0.75,
            expected: 0.25,
            cluster: 0,
        };
        for (lambda, expected) in [(0.0, 0.25), (1.0, 0.75), (0.5, 0.5)] {
            assert!((Label { lambda }.of(&head) - expected).abs() < 1e-6);
        }
    }
}
