use std::sync::Arc;

use assay_rules::Turn;
use assay_rules::def::BUILTIN_NAMES;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::*;
use crate::moves::MoveList;
use crate::registry::load_game;
use crate::registry::{Visitor, dispatch, dispatch_general};
use crate::tables::Tables;

/// A network of random numbers about as large as trained ones.
pub(crate) fn random(game: &GameDef, hidden: usize, seed: u64) -> FloatNetwork {
    scaled(game, hidden, seed, 0.3, 0.5)
}

fn scaled(game: &GameDef, hidden: usize, seed: u64, transformer: f32, output: f32) -> FloatNetwork {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut numbers = |count: usize, size: f32| -> Vec<f32> {
        let number = |_| random.random_range(-size..size);
        (0..count).map(number).collect()
    };
    let inputs = Layout::of(game).inputs();
    FloatNetwork {
        hidden,
        inputs,
        transformer: numbers(inputs * hidden, transformer),
        transformer_bias: numbers(hidden, transformer),
        output: numbers(BUCKETS * 2 * hidden, output),
        output_bias: numbers(BUCKETS, output).try_into().unwrap(),
        source: format!("random numbers, seed {seed}"),
    }
}

/// Every game that there is at hand.
fn games() -> Vec<Arc<GameDef>> {
    let mut games: Vec<Arc<GameDef>> = BUILTIN_NAMES.into_iter().filter_map(GameDef::builtin).collect();
    for folder in ["tests/games", "../testdata/games"] {
        let folder = format!("{}/{folder}", env!("CARGO_MANIFEST_DIR"));
        for file in std::fs::read_dir(&folder).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_some_and(|end| end == "toml") {
                games.push(load_game(&path.to_string_lossy()).unwrap());
            }
        }
    }
    assert!(games.len() > BUILTIN_NAMES.len());
    games
}

/// Walks over the game tree at random, forth and back, and hands every position to `look` with its distance from the root.
struct Walk<F> {
    seed: u64,
    steps: usize,
    look: F,
}

/// What looks at the positions of any ruleset.
trait Look {
    fn begin<R: CompiledPosition>(
        &mut self,
        tables: &Arc<Tables<R>>,
    ) -> impl FnMut(&Position<R>, usize, &mut Xoshiro256PlusPlus);
}

impl<F: Look> Visitor for Walk<F> {
    type Output = ();

    fn visit<R: CompiledPosition>(mut self, tables: Arc<Tables<R>>) {
        let game = tables.game();
        let mut random = Xoshiro256PlusPlus::seed_from_u64(self.seed);
        let mut look = self.look.begin(&tables);
        let start = random.random_range(0..game.starts.len());
        let start = assay_rules::Position::from_start(game, &game.starts[start].id).unwrap();
        let mut position = Position::new(&tables, &start);
        let mut list = MoveList::new();
        // Passes among the moves, which are taken back otherwise.
        let mut passes = Vec::new();
        for _ in 0..self.steps {
            look(&position, position.ply(), &mut random);
            position.legal_moves(&mut list);
            let back = list.is_empty() || position.ply() >= crate::eval::MAX_PLY;
            let plies = if back {
                1 + random.random_range(0..20)
            } else {
                random.random_range(0..4)
            };
            if back || random.random_range(0..4) == 0 {
                for _ in 0..plies.min(position.ply()) {
                    match passes.pop() {
                        Some(true) => position.unmake_null(),
                        _ => position.unmake(),
                    }
                }
                continue;
            }
            let may_pass = position.turn() == Turn::Single(position.side_to_move()) && !position.in_check();
            let pass = may_pass && random.random_range(0..8) == 0;
            if pass {
                position.make_null();
            } else {
                position.make(list[random.random_range(0..list.len())]);
            }
            passes.push(pass);
        }
    }
}

/// What is kept along a line is what is found from nothing.
struct Kept(usize);

impl Look for Kept {
    fn begin<R: CompiledPosition>(
        &mut self,
        tables: &Arc<Tables<R>>,
    ) -> impl FnMut(&Position<R>, usize, &mut Xoshiro256PlusPlus) {
        let network = Arc::new(random(tables.game(), self.0, 7).quantize(tables.game()));
        let mut kept = Accumulators::new(&network);
        let mut asked = 0;
        let mut scores = std::collections::HashSet::new();
        move |position, ply, random| {
            // Most searches find some evaluations in their table, and ask for others twice.
            for _ in 0..random.random_range(0..3) {
                let score = network.evaluate(position);
                assert_eq!(kept.evaluate(position, ply), score, "{}", position.to_rules().fen());
                scores.insert(score);
                asked += 1;
            }
            assert!(asked < 50 || scores.len() > 10, "the network sees something");
        }
    }
}

#[test]
fn sums_kept_along_a_line_are_right() {
    for (seed, game) in (1..).zip(games()) {
        for (hidden, general) in [(16, false), (64, false), (208, false), (32, true)] {
            let walk = Walk {
                seed,
                steps: 600,
                look: Kept(hidden),
            };
            if general {
                dispatch_general(&game, walk);
            } else {
                dispatch(&game, walk);
            }
        }
    }
}

/// The output in floating point, in centipawns, and how far off rounding may bring it.
fn reference<R: CompiledPosition>(network: &FloatNetwork, position: &Position<R>) -> (f64, f64) {
    let features = features(position);
    let own = position.side_to_move().index();
    let (own, other) = (&features[own], &features[1 - own]);
    let bucket = bucket(position);
    let output = f64::from(network.evaluate(own, other, bucket)) * CENTIPAWNS;
    // A hidden number is a sum of so many numbers, each off by half a part; its square (of at most 1) by twice as much at
    // first order. An output weight is off by half a part, times at most 1.
    let hidden = (own.len() + 1) as f64 * 0.5 / f64::from(QA);
    let weights: f64 = network.output[bucket * 2 * network.hidden..][..2 * network.hidden]
        .iter()
        .map(|&weight| f64::from(weight.abs()) * (2.0 * hidden + hidden * hidden) + 0.5 / f64::from(QB))
        .sum();
    (output, (weights + 0.5 / f64::from(QA * QB)) * CENTIPAWNS + 1.0)
}

/// Integers say what the floating point does.
struct Rounded {
    /// Numbers that need no rounding.
    exact: bool,
}

impl Look for Rounded {
    fn begin<R: CompiledPosition>(
        &mut self,
        tables: &Arc<Tables<R>>,
    ) -> impl FnMut(&Position<R>, usize, &mut Xoshiro256PlusPlus) {
        let game = tables.game();
        let exact = self.exact;
        // Weights small enough that most hidden numbers are between the ends of the clipped ReLU.
        let mut float = scaled(game, 32, 11, 0.1, 0.4);
        if exact {
            let parts = |numbers: &mut [f32], scale: i32| {
                let scale = scale as f32;
                for number in numbers {
                    *number = (*number * scale).round() / scale;
                }
            };
            parts(&mut float.transformer, QA);
            parts(&mut float.transformer_bias, QA);
            parts(&mut float.output, QB);
            parts(&mut float.output_bias, QA * QB);
        }
        let network = float.quantize(game);
        let (mut squares, mut count) = (0.0, 0.0);
        move |position, _, _| {
            let (expected, bound) = reference(&float, position);
            let found = f64::from(network.evaluate(position).centipawns().unwrap());
            let bound = if exact { 1.05 } else { bound };
            let name = &position.game().name;
            assert!(
                (found - expected).abs() <= bound,
                "{name}: {found}, not {expected} +- {bound}"
            );
            squares += (found - expected).powi(2);
            count += 1.0;
            // Errors are independent, so the usual one is far below the bound.
            assert!(
                count < 100.0 || squares / count < 10f64.powi(2),
                "{name}: {}",
                squares / count
            );
        }
    }
}

#[test]
fn integers_are_near_the_floating_point() {
    for (seed, game) in (1..).zip(games()) {
        for exact in [false, true] {
            let look = Rounded { exact };
            dispatch(&game, Walk { seed, steps: 200, look });
        }
    }
}

/// The same position with the sides' parts exchanged.
fn mirrored(fen: &str) -> String {
    let swapped = |text: &str| -> String {
        let swap = |letter: char| {
            if letter.is_ascii_lowercase() {
                letter.to_ascii_uppercase()
            } else {
                letter.to_ascii_lowercase()
            }
        };
        text.chars().map(swap).collect()
    };
    let fields: Vec<&str> = fen.split(' ').collect();
    let (board, rest) = fields[0]
        .split_once('[')
        .map_or((fields[0], None), |(board, rest)| (board, Some(rest)));
    let ranks: Vec<String> = board.split('/').rev().map(swapped).collect();
    let pocket = rest.map_or(String::new(), |rest| {
        let (pocket, powers) = rest
            .trim_end_matches(']')
            .split_once(':')
            .unwrap_or((rest.trim_end_matches(']'), ""));
        let powers: String = swapped(powers).chars().rev().collect();
        format!(
            "[{}{}{powers}]",
            swapped(pocket),
            if rest.contains(':') { ":" } else { "" }
        )
    });
    let side = if fields[1] == "w" { "b" } else { "w" };
    format!("{}{pocket} {side} - - 0 1", ranks.join("/"))
}

struct Mirrored;

impl Look for Mirrored {
    fn begin<R: CompiledPosition>(
        &mut self,
        tables: &Arc<Tables<R>>,
    ) -> impl FnMut(&Position<R>, usize, &mut Xoshiro256PlusPlus) {
        let tables = tables.clone();
        let network = random(tables.game(), 32, 5).quantize(tables.game());
        move |position, _, _| {
            let fen = position.to_rules().fen();
            let parse = |fen: &str| {
                let parsed = assay_rules::Position::from_fen(tables.game(), fen);
                Position::new(&tables, &parsed.unwrap_or_else(|error| panic!("{fen}: {error}")))
            };
            // Without rights and clocks, which are no features but for the last moves at which pieces may be dropped.
            let (plain, mirrored) = (parse(&mirrored(&mirrored(&fen))), parse(&mirrored(&fen)));
            assert_eq!(network.evaluate(&plain), network.evaluate(&mirrored), "{fen}");
            let [white, black] = features(&plain);
            assert_eq!(features(&mirrored), [black, white], "{fen}");
        }
    }
}

#[test]
fn both_sides_see_the_same() {
    for (seed, name) in (1..).zip(BUILTIN_NAMES) {
        let game = GameDef::builtin(name).unwrap();
        let look = Mirrored;
        dispatch(&game, Walk { seed, steps: 200, look });
    }
}
