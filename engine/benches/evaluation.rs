//! Linear evaluation against networks with incremental and full updates.
//!
//! Evaluates every position of a random game once, as a search does along a line. The networks have
//! random weights, which do not affect their speed.

use std::hint::black_box;
use std::sync::Arc;

use assay_engine::CompiledRuleset;
use assay_engine::nnue::{AccumulatorStack, FeatureSet, KING_BUCKETS};
use assay_engine::{Evaluator, FloatNetwork, Move, MoveList, Network, Position, Tables, Visitor, Weights, dispatch};
use assay_rules::GameDef;
use assay_rules::def::BUILTIN_NAMES;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// Length of the game in plies.
const PLIES: usize = 60;

fn random_network(game: &GameDef, hidden: usize) -> Network {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let number = || (random.next_u32() as f32 / u32::MAX as f32 - 0.5) / 2.0;
    let mut float = FloatNetwork::zero(FeatureSet::new(game, KING_BUCKETS).inputs(), hidden);
    float.numbers.fill_with(number);
    float.quantize(game)
}

struct Bench<'c> {
    criterion: &'c mut Criterion,
}

impl Visitor for Bench<'_> {
    type Output = ();

    fn visit<R: CompiledRuleset>(self, tables: Arc<Tables<R>>) {
        let game = tables.game();
        let mut position = Position::new(&tables, &assay_rules::Position::start(game));
        let line = random_line(&mut position);
        let mut group = self.criterion.benchmark_group(&game.name);
        group.throughput(Throughput::Elements(line.len() as u64));
        let evaluator = Evaluator::new(&tables, &Weights::for_game(game));
        group.bench_function("make and unmake only", |bencher| {
            bencher.iter(|| evaluate_line(&mut position, &line, |position, _| black_box(position.hash() as i32)));
        });
        group.bench_function("linear", |bencher| {
            bencher
                .iter(|| evaluate_line(&mut position, &line, |position, _| centipawns(evaluator.evaluate(position))));
        });
        for hidden in [32, 64, 128, 256] {
            let network = Arc::new(random_network(game, hidden));
            let mut stack = AccumulatorStack::new(&network);
            let expected = evaluate_line(&mut position, &line, |position, _| centipawns(network.evaluate(position)));
            group.bench_function(format!("network of {hidden}"), |bencher| {
                bencher.iter(|| {
                    let sum =
                        evaluate_line(&mut position, &line, |position, ply| centipawns(stack.evaluate(position, ply)));
                    assert_eq!(sum, expected);
                });
            });
            group.bench_function(format!("network of {hidden}, from scratch"), |bencher| {
                bencher
                    .iter(|| evaluate_line(&mut position, &line, |position, _| centipawns(network.evaluate(position))));
            });
        }
        group.finish();
    }
}

fn centipawns(score: assay_engine::Score) -> i32 {
    score.centipawns().expect("evaluations are centipawns")
}

/// Returns the moves of a random game.
fn random_line<R: CompiledRuleset>(position: &mut Position<R>) -> Vec<Move> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(2);
    let mut list = MoveList::new();
    let mut line = Vec::new();
    for _ in 0..PLIES {
        position.legal_moves(&mut list);
        if list.is_empty() {
            break;
        }
        let mv = list[random.next_u32() as usize % list.len()];
        position.make(mv);
        line.push(mv);
    }
    for _ in &line {
        position.unmake();
    }
    line
}

/// Returns the sum of the evaluations after each move of a line.
fn evaluate_line<R: CompiledRuleset>(
    position: &mut Position<R>,
    line: &[Move],
    mut evaluate: impl FnMut(&Position<R>, usize) -> i32,
) -> i32 {
    let mut sum = 0;
    for (ply, &mv) in line.iter().enumerate() {
        position.make(mv);
        sum += evaluate(position, ply + 1);
    }
    for _ in line {
        position.unmake();
    }
    sum
}

fn evaluation(criterion: &mut Criterion) {
    for name in BUILTIN_NAMES {
        let game = GameDef::builtin(name).expect("the game is built in");
        dispatch(&game, Bench { criterion });
    }
}

criterion_group!(benches, evaluation);
criterion_main!(benches);
