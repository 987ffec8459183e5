use std::sync::Arc;

use assay_rules::def::BUILTIN_NAMES;
use assay_rules::{GameDef, Turn};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::*;
use crate::moves::MoveList;
use crate::position::{CompiledPosition, Position};
use crate::registry::load_game;
use crate::registry::{Visitor, dispatch, dispatch_general};
use crate::tables::Tables;

/// A network of random numbers of the size of trained ones.
pub(crate) fn random_network(game: &GameDef, hidden: usize, seed: u64) -> FloatNetwork {
    scaled(game, hidden, seed, 0.3, 0.5)
}

fn scaled(game: &GameDef, hidden: usize, seed: u64, feature_size: f32, output_size: f32) -> FloatNetwork {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut network = FloatNetwork::zero(FeatureSet::new(game, KING_BUCKETS).inputs(), hidden);
    network.source = format!("random numbers, seed {seed}");
    let [_, output, _] = network.layers();
    network.numbers[..output].fill_with(|| random.random_range(-feature_size..feature_size));
    network.numbers[output..].fill_with(|| random.random_range(-output_size..output_size));
    network
}

/// Built-in games and games of the test data.
fn games() -> Vec<Arc<GameDef>> {
    let mut games: Vec<Arc<GameDef>> = BUILTIN_NAMES.into_iter().filter_map(GameDef::builtin).collect();
    for folder in ["tests/games", "../testdata/games", "../perft/suites"] {
        let folder = format!("{}/{folder}", env!("CARGO_MANIFEST_DIR"));
        for file in std::fs::read_dir(&folder).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_some_and(|end| end == "toml") {
                games.push(load_game(&path.to_string_lossy()).unwrap());
            }
        }
    }
    // Networks do not count the pieces in pockets.
    games.retain(|game| game.mechanisms.drops.is_none());
    assert!(games.len() > BUILTIN_NAMES.len());
    games
}

/// Walks randomly up and down the game tree and passes every position with its ply to a check.
struct Walk<C> {
    seed: u64,
    steps: usize,
    check: C,
}

/// A check of positions, for any ruleset.
trait Check {
    fn checker<R: CompiledPosition>(
        &mut self,
        tables: &Arc<Tables<R>>,
    ) -> impl FnMut(&Position<R>, usize, &mut Xoshiro256PlusPlus);
}

impl<C: Check> Visitor for Walk<C> {
    type Output = ();

    fn visit<R: CompiledPosition>(mut self, tables: Arc<Tables<R>>) {
        let game = tables.game();
        let mut random = Xoshiro256PlusPlus::seed_from_u64(self.seed);
        let mut check = self.check.checker(&tables);
        let start = random.random_range(0..game.starts.len());
        let start = assay_rules::Position::from_start(game, &game.starts[start].id).unwrap();
        let mut position = Position::new(&tables, &start);
        let mut list = MoveList::new();
        // True for each null move.
        let mut null_moves = Vec::new();
        for _ in 0..self.steps {
            check(&position, position.ply(), &mut random);
            position.legal_moves(&mut list);
            let must_unmake = list.is_empty() || position.ply() >= crate::eval::MAX_PLY;
            let plies = if must_unmake { 1 + random.random_range(0..20) } else { random.random_range(0..4) };
            if must_unmake || random.random_range(0..4) == 0 {
                for _ in 0..plies.min(position.ply()) {
                    match null_moves.pop() {
                        Some(true) => position.unmake_null(),
                        _ => position.unmake(),
                    }
                }
                continue;
            }
            let may_null = position.turn() == Turn::Single(position.side_to_move()) && !position.in_check();
            let is_null = may_null && random.random_range(0..8) == 0;
            if is_null {
                position.make_null();
            } else {
                position.make(list[random.random_range(0..list.len())]);
            }
            null_moves.push(is_null);
        }
    }
}

/// Incremental updates agree with a full evaluation. The field is the hidden size.
struct IncrementalUpdates(usize);

impl Check for IncrementalUpdates {
    fn checker<R: CompiledPosition>(
        &mut self,
        tables: &Arc<Tables<R>>,
    ) -> impl FnMut(&Position<R>, usize, &mut Xoshiro256PlusPlus) {
        let network = Arc::new(random_network(tables.game(), self.0, 7).quantize(tables.game()));
        let mut stack = AccumulatorStack::new(&network);
        let mut evaluations = 0;
        let mut scores = std::collections::HashSet::new();
        move |position, ply, random| {
            // A search evaluates some positions twice and, with a table hit, others not at all.
            for _ in 0..random.random_range(0..3) {
                let score = network.evaluate(position);
                assert_eq!(stack.evaluate(position, ply), score, "{}", position.to_rules().fen());
                scores.insert(score);
                evaluations += 1;
            }
            assert!(evaluations < 50 || scores.len() > 10, "evaluations vary");
        }
    }
}

#[test]
fn accumulators_are_correct_along_a_line() {
    for (seed, game) in (1..).zip(games()) {
        for (hidden, general) in [(16, false), (64, false), (208, false), (32, true)] {
            let walk = Walk { seed, steps: 600, check: IncrementalUpdates(hidden) };
            if general {
                dispatch_general(&game, walk);
            } else {
                dispatch(&game, walk);
            }
        }
    }
}

/// Output in floating point, in centipawns, and a bound on the rounding error.
fn reference<R: CompiledPosition>(network: &FloatNetwork, position: &Position<R>) -> (f64, f64) {
    let features = FeatureSet::new(position.game(), KING_BUCKETS);
    let active = features.active(position);
    let us = position.side_to_move().index();
    let (us, them) = (&active[us], &active[1 - us]);
    let bucket = features.output_bucket(position);
    let output = f64::from(network.evaluate(us, them, bucket)) * EVAL_SCALE;
    // Each term in the sum of a hidden unit has an error of half a quantization step; the square of
    // the sum (at most 1) has twice the error to first order. An output weight has an error of half
    // a step, times at most 1.
    let hidden = (us.len() + 1) as f64 * 0.5 / f64::from(QA);
    let weights: f64 = network
        .output_weights(bucket)
        .into_iter()
        .flatten()
        .map(|&weight| f64::from(weight.abs()) * (2.0 * hidden + hidden * hidden) + 0.5 / f64::from(QB))
        .sum();
    (output, (weights + 0.5 / f64::from(QA * QB)) * EVAL_SCALE + 1.0)
}

/// The quantized network agrees with floating point.
struct Quantization {
    /// True if the weights need no rounding.
    exact: bool,
}

impl Check for Quantization {
    fn checker<R: CompiledPosition>(
        &mut self,
        tables: &Arc<Tables<R>>,
    ) -> impl FnMut(&Position<R>, usize, &mut Xoshiro256PlusPlus) {
        let game = tables.game();
        let exact = self.exact;
        // With small weights most hidden units stay within the limits of the clipped ReLU.
        let mut float = scaled(game, 32, 11, 0.1, 0.4);
        if exact {
            let round_to = |numbers: &mut [f32], scale: i32| {
                let scale = scale as f32;
                for number in numbers {
                    *number = (*number * scale).round() / scale;
                }
            };
            let [_, output, output_bias] = float.layers();
            round_to(&mut float.numbers[..output], QA);
            round_to(&mut float.numbers[output..output_bias], QB);
            round_to(&mut float.numbers[output_bias..], QA * QB);
        }
        let network = float.quantize(game);
        let (mut squares, mut count) = (0.0, 0.0);
        move |position, _, _| {
            let (expected, bound) = reference(&float, position);
            let found = f64::from(network.evaluate(position).centipawns().unwrap());
            let bound = if exact { 1.05 } else { bound };
            let name = &position.game().name;
            assert!((found - expected).abs() <= bound, "{name}: {found}, not {expected} +- {bound}");
            squares += (found - expected).powi(2);
            count += 1.0;
            // Errors are independent, so the root mean square is far below the bound.
            assert!(count < 100.0 || squares / count < 10f64.powi(2), "{name}: {}", squares / count);
        }
    }
}

#[test]
fn quantized_network_agrees_with_floating_point() {
    for (seed, game) in (1..).zip(games()) {
        for exact in [false, true] {
            let check = Quantization { exact };
            dispatch(&game, Walk { seed, steps: 200, check });
        }
    }
}

/// The position with colors swapped and ranks mirrored.
fn mirrored(fen: &str) -> String {
    let swapped = |text: &str| -> String {
        let swap = |letter: char| {
            if letter.is_ascii_lowercase() { letter.to_ascii_uppercase() } else { letter.to_ascii_lowercase() }
        };
        text.chars().map(swap).collect()
    };
    let fields: Vec<&str> = fen.split(' ').collect();
    let (board, rest) = fields[0].split_once('[').map_or((fields[0], None), |(board, rest)| (board, Some(rest)));
    let ranks: Vec<String> = board.split('/').rev().map(swapped).collect();
    let pocket = rest.map_or(String::new(), |rest| {
        let (pocket, powers) = rest.trim_end_matches(']').split_once(':').unwrap_or((rest.trim_end_matches(']'), ""));
        let powers: String = swapped(powers).chars().rev().collect();
        format!("[{}{}{powers}]", swapped(pocket), if rest.contains(':') { ":" } else { "" })
    });
    let side = if fields[1] == "w" { "b" } else { "w" };
    format!("{}{pocket} {side} - - 0 1", ranks.join("/"))
}

/// Evaluation does not depend on color.
struct ColorSymmetry;

impl Check for ColorSymmetry {
    fn checker<R: CompiledPosition>(
        &mut self,
        tables: &Arc<Tables<R>>,
    ) -> impl FnMut(&Position<R>, usize, &mut Xoshiro256PlusPlus) {
        let tables = tables.clone();
        let network = random_network(tables.game(), 32, 5).quantize(tables.game());
        move |position, _, _| {
            let fen = position.to_rules().fen();
            let parse = |fen: &str| {
                let parsed = assay_rules::Position::from_fen(tables.game(), fen);
                Position::new(&tables, &parsed.unwrap_or_else(|error| panic!("{fen}: {error}")))
            };
            // Mirroring drops rights and clocks, which are not features, except for the last moves
            // at which pieces may be dropped.
            let (plain, mirrored) = (parse(&mirrored(&mirrored(&fen))), parse(&mirrored(&fen)));
            assert_eq!(network.evaluate(&plain), network.evaluate(&mirrored), "{fen}");
            let features = FeatureSet::new(plain.game(), KING_BUCKETS);
            let [white, black] = features.active(&plain);
            assert_eq!(features.active(&mirrored), [black, white], "{fen}");
        }
    }
}

#[test]
fn evaluation_is_color_symmetric() {
    for (seed, name) in (1..).zip(BUILTIN_NAMES) {
        let game = GameDef::builtin(name).unwrap();
        let check = ColorSymmetry;
        dispatch(&game, Walk { seed, steps: 200, check });
    }
}
