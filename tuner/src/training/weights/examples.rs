//! Positions as the terms of their evaluation, stored compactly.

use assay_engine::eval::{MAX_PHASE, Trace, Weight};

/// Natural log-odds of expected points that a centipawn stands for: a score of [`assay_engine::Score::ADVANTAGE`] has odds of three to one.
pub const LOG_ODDS: f64 = 1.098_612_288_668_109_8 / 300.0;

/// A lead that the evaluation calls drawish counts for this part of itself.
const DRAWISH_SHARE: f32 = 0.25;

/// What an evaluation is to foretell of a position: White's points, mixed from what the game brought and what the search
/// expected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Label {
    /// The share of the game's result, 0 to 1; the rest is the search's.
    pub lambda: f32,
}

impl Label {
    /// White's points, 0 to 1.
    #[inline]
    pub fn of(self, head: &Head) -> f32 {
        self.lambda * head.result + (1.0 - self.lambda) * head.expected
    }
}

/// A term of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The term's number.
    pub term: u16,
    /// How much oftener White has it than Black; never 0.
    pub count: i16,
}

/// What is known of a position besides its terms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Head {
    /// The share of the middle-game weights, 0 to 1.
    pub share: f32,
    /// What is left of a lead of White, and of one of Black.
    pub damping: [f32; 2],
    /// White's points in the game that the position is from.
    pub result: f32,
    /// White's points as the search expected them.
    pub expected: f32,
    /// The opening pair that its game belongs to, numbered without gaps from 0.
    pub cluster: u32,
}

/// A position.
#[derive(Clone, Copy, Debug)]
pub struct Example<'e> {
    /// What is known of it.
    pub head: &'e Head,
    /// Its terms.
    pub entries: &'e [Entry],
}

/// Both phases' weights of a term, in centipawns: middle game, ending.
pub type Pair = [f32; 2];

impl Example<'_> {
    /// The evaluation for White in centipawns, with what is left of it after damping.
    #[inline]
    pub fn evaluate(&self, weights: &[Pair]) -> (f32, f32) {
        // Four sums, so that one addition need not wait for the other.
        let mut sums = [[0.0f32; 2]; 4];
        let add = |sums: &mut [Pair; 4], entries: &[Entry]| {
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

/// Positions one after the other: a compressed sparse row for each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Examples {
    heads: Vec<Head>,
    /// Where each position's entries end.
    ends: Vec<usize>,
    entries: Vec<Entry>,
}

impl Examples {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// None?
    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// Terms of all positions together.
    pub fn entry_count(&self) -> usize {
        self.entries.len()
    }

    /// The position of that number.
    ///
    /// # Panics
    /// When there are not so many.
    #[inline]
    pub fn get(&self, index: usize) -> Example<'_> {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        Example {
            head: &self.heads[index],
            entries: &self.entries[start..self.ends[index]],
        }
    }

    /// All positions in order.
    pub fn iter(&self) -> impl Iterator<Item = Example<'_>> {
        (0..self.len()).map(|index| self.get(index))
    }

    /// Adds a position: `result` and `expected` are White's points, 0 to 1.
    pub fn push(&mut self, trace: &Trace, result: f64, expected: f64, cluster: u32) {
        let entries = trace.coefficients().map(|(term, count)| Entry {
            term: term.0,
            // No board has room for so many.
            count: count.clamp(i32::from(i16::MIN), i32::from(i16::MAX)) as i16,
        });
        self.entries.extend(entries);
        self.ends.push(self.entries.len());
        self.heads.push(Head {
            share: trace.phase as f32 / MAX_PHASE as f32,
            damping: trace.drawish.map(|drawish| if drawish { DRAWISH_SHARE } else { 1.0 }),
            result: result as f32,
            expected: expected as f32,
            cluster,
        });
    }

    /// Adds a position that is another's.
    pub fn add(&mut self, example: Example<'_>) {
        self.entries.extend_from_slice(example.entries);
        self.ends.push(self.entries.len());
        self.heads.push(*example.head);
    }
}

/// Points that an evaluation in centipawns stands for, 0 to 1: [`assay_engine::Score::expected_points`] without rounding.
#[inline]
pub fn points(centipawns: f32) -> f32 {
    1.0 / (1.0 + (-(LOG_ODDS as f32) * centipawns).exp())
}

/// Weights in single precision, by term.
pub fn pairs(weights: &[Weight]) -> Vec<Pair> {
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

    /// Plays moves picked by a rule of thumb and compares both evaluations of each position.
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
    fn what_is_tuned_is_what_the_engine_plays() {
        let mut all_damped = 0;
        for name in assay_rules::def::BUILTIN_NAMES {
            let (seen, damped) = dispatch(&GameDef::builtin(name).unwrap(), Compare);
            assert!(seen > 500, "{name}: {seen}");
            all_damped += damped;
        }
        assert!(all_damped > 50, "{all_damped}");
    }

    #[test]
    fn centipawns_mean_what_the_engine_says() {
        for centipawns in [-900, -300, -31, 0, 47, 300, 1_200] {
            let expected = Score::from_centipawns(centipawns).expected_points();
            assert!(
                (f64::from(points(centipawns as f32)) - expected).abs() < 1e-6,
                "{centipawns}"
            );
        }
    }

    #[test]
    fn labels_mix_result_and_score() {
        let head = Head {
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
