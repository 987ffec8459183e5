//! Tuning the evaluation: recovers known weights with any number of threads and writes files that
//! the engine reads.

use std::path::Path;
use std::sync::Arc;

use assay_engine::Weights;
use assay_engine::eval::{MAX_PHASE, Term, Trace, Weight};
use assay_rules::{GameDef, Kind};
use assay_tuner::training::examples::Target;
use assay_tuner::training::weights::linear::{LOG_ODDS_PER_CENTIPAWN, TermExample, TuningData, points};
use assay_tuner::training::weights::{TunedWeights, TuningSettings, fit, material};
use nalgebra::DVector;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use tempfile::TempDir;

use crate::common::{assay_tuner, json, printed, read};

/// The only terms that occur in the simulated positions.
const SOME: [u16; 4] = [0, 1, 3, 5];

fn planted_weight(term: Term) -> Weight {
    Weight { middlegame: 20.0 + 30.0 * f64::from(term.0), endgame: 90.0 - 25.0 * f64::from(term.0) }
}

/// Positions with a few evaluation terms of chess, whose results follow from known weights.
fn planted(positions: usize, seed: u64) -> TuningData {
    let game = GameDef::builtin("chess").unwrap();
    let mut weights = Weights::zero(&game, "planted");
    for term in SOME.map(Term) {
        weights.set(term, planted_weight(term));
    }
    let truth = weights.values().iter().map(|weight| [weight.middlegame as f32, weight.endgame as f32]);
    let truth: Vec<_> = truth.collect();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let example = |index: usize| {
        let terms: Vec<(Term, [i32; 2])> =
            SOME.map(|term| (Term(term), [random.random_range(0..4), random.random_range(0..4)])).to_vec();
        let trace = Trace {
            terms,
            phase: random.random_range(0..=MAX_PHASE),
            drawish: [index.is_multiple_of(10); 2],
            bare_king: 0,
        };
        let mut example = TermExample::new(&trace, Target::default());
        let expected = f64::from(points(example.evaluate(&truth).0));
        example.target = Target {
            result: f32::from(u8::from(random.random_bool(expected))),
            expected: expected as f32,
            pair: (index / 10) as u32,
        };
        example
    };
    let examples = (0..positions).map(example).collect();
    let occurrences = vec![[0.0; 2]; weights.terms().len()];
    TuningData {
        game,
        files: Vec::new(),
        position_files: Vec::new(),
        pairs: positions.div_ceil(10),
        examples,
        occurrences,
    }
}

fn fitted(collected: &TuningData, lambda: f64, threads: usize) -> TunedWeights {
    let before = Weights::zero(&collected.game, "nothing");
    let settings = TuningSettings { lambda, prior: 1_000.0 };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| fit(collected, &before, &settings, |_| {})).unwrap()
}

#[test]
fn recovers_known_weights() {
    let collected = planted(40_000, 5);
    // The search's expectations have no noise. Results do: the standard errors are about 6
    // centipawns, and an error exceeds 4 of them by chance once in 15,000 times.
    for (lambda, tolerance) in [(0.0, 1.0), (1.0, 25.0)] {
        let found = fitted(&collected, lambda, 2);
        assert!(found.has_converged() && found.steps < 20, "{found:?}");
        assert!(found.held_out.labels < found.before.labels);
        for term in found.weights.terms().all() {
            let expected = if SOME.contains(&term.0) { planted_weight(term) } else { Weight::default() };
            let weight = found.weights.get(term);
            assert!(
                (weight.middlegame - expected.middlegame).abs() < tolerance
                    && (weight.endgame - expected.endgame).abs() < tolerance,
                "lambda {lambda}, term {}: found {weight:?}, expected {expected:?}",
                term.0
            );
        }
    }
}

#[test]
fn fit_does_not_depend_on_number_of_threads() {
    let collected = planted(20_000, 6);
    let [one, three] = [1, 3].map(|threads| fitted(&collected, 0.5, threads));
    assert_eq!(one.weights.values(), three.weights.values());
    assert_eq!((one.steps, one.before, one.held_out), (three.steps, three.before, three.held_out));
    assert_eq!(one.gradient.to_bits(), three.gradient.to_bits());
}

/// Results independent of the terms: weights stay within their errors, and the held-out loss tells
/// that nothing was learnt.
#[test]
fn noise_predicts_nothing() {
    let mut collected = planted(4_000, 7);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(8);
    for example in &mut collected.examples {
        example.target.result = f32::from(u8::from(random.random_bool(0.5)));
    }
    let found = fitted(&collected, 1.0, 2);
    assert!((0.0..0.004).contains(&(found.held_out.labels - found.before.labels)), "{found:?}");
    assert!(found.log_loss < found.before.labels);
    for weight in found.weights.values() {
        assert!(weight.middlegame.abs() < 60.0 && weight.endgame.abs() < 60.0, "{weight:?}");
    }
}

/// Positions of pairs, whose results follow from piece values. Within a pair they are alike.
fn positions_with_values(game: &Arc<GameDef>, values: &[(Term, f64)], seed: u64) -> TuningData {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let terms = Weights::zero(game, "").terms().len();
    let mut examples = Vec::new();
    let mut occurrences = vec![[0.0; 2]; terms];
    for pair in 0..1_000 {
        let luck: f64 = random.random();
        let shared: Vec<i32> = values.iter().map(|_| random.random_range(-1..2)).collect();
        for _ in 0..6 {
            let mut change = || if random.random_bool(0.3) { random.random_range(-1..2) } else { 0 };
            let counts: Vec<[i32; 2]> = shared.iter().map(|count| [count + change(), 0]).collect();
            let counts: Vec<(Term, [i32; 2])> = values.iter().map(|(term, _)| *term).zip(counts).collect();
            let lead: f64 = values
                .iter()
                .zip(&counts)
                .map(|((_, value), (_, [white, black]))| value * f64::from(white - black))
                .sum();
            let result = f32::from(u8::from(luck < f64::from(points(lead as f32))));
            let trace = Trace { terms: counts, phase: MAX_PHASE, drawish: [false; 2], bare_king: 0 };
            examples.push(TermExample::new(&trace, Target { result, expected: result, pair }));
        }
    }
    for (term, _) in values {
        occurrences[term.index()] = [1.0, 0.0];
    }
    TuningData {
        game: game.clone(),
        files: Vec::new(),
        position_files: Vec::new(),
        pairs: 1_000,
        examples,
        occurrences,
    }
}

/// The sum of the squared distances between known and fitted values in units of standard errors,
/// over 20 simulated files with 5 values each, has a chi-square distribution with 100 degrees of
/// freedom: a standard deviation of 14. It tells an error of the method, as the control shows:
/// standard errors that take the positions of a pair as independent, or values that are 15% too
/// high.
#[test]
fn material_is_within_its_standard_errors() {
    let game = GameDef::builtin("chess").unwrap();
    let weights = Weights::zero(&game, "");
    let kinds: Vec<Kind> = "PNBRQ".chars().map(|letter| game.kinds.by_letter(letter).unwrap()).collect();
    let truth = [90.0, 310.0, 340.0, 480.0, 900.0];
    let terms: Vec<Term> = kinds.iter().map(|&kind| weights.terms().material(kind).unwrap()).collect();
    let values: Vec<(Term, f64)> = terms.into_iter().zip(truth).collect();
    let [mut clustered, mut independent, mut higher] = [0.0; 3];
    for seed in 0..20 {
        let mut data = positions_with_values(&game, &values, seed);
        let distance = |data: &TuningData, factor: f64| {
            let found = material::fit(data, 1.0, &weights).unwrap();
            assert!(found.has_converged() && found.model.gradient < 1e-10);
            let found = found.of_kinds(&weights, &kinds);
            let truth = DVector::from_column_slice(&truth) * LOG_ODDS_PER_CENTIPAWN;
            let error = factor * &found.coefficients - truth;
            error.dot(&found.sample.covariance.clone().cholesky().unwrap().solve(&error))
        };
        clustered += distance(&data, 1.0);
        higher += distance(&data, 1.15);
        for (index, example) in (0..).zip(&mut data.examples) {
            example.target.pair = index;
        }
        independent += distance(&data, 1.0);
    }
    assert!((60.0..150.0).contains(&clustered), "{clustered}");
    assert!(independent > 160.0 && higher > 160.0, "{independent}, {higher}");
}

#[test]
fn tune_writes_weights_that_the_engine_reads() {
    let folder = TempDir::new().unwrap();
    let games = folder.path().join("games.db");
    play(&games, 30);
    let json = json("tune games.db --out new.toml", folder.path());
    let game = GameDef::builtin("gamma2").unwrap();
    let text = read(folder.path(), "new.toml");
    let weights = Weights::from_toml(&game, &text).unwrap();
    assert_eq!(json["source"], weights.source());
    assert_eq!(json["out"], "new.toml");
    for part in ["assay-tuner tune games.db --lambda", "assay-selfplay generate gamma2 --games 24 --nodes 30 --seed 3"]
    {
        assert!(weights.source().contains(part), "{}", weights.source());
    }
    let before = Weights::for_game(&game);
    let changed = weights.values().iter().zip(before.values()).filter(|(now, then)| now != then).count();
    assert_eq!(json["changes"].as_array().unwrap().len(), changed);
    assert!(json["log_loss"]["fitted"].as_f64() < json["log_loss"]["labels_before"].as_f64());
    assert_eq!(json["converged"], true);
    assert!(json["gradient"].as_f64().unwrap() < 1e-10, "{json}");
    // Again on one thread, from the file just written.
    let again = printed("tune games.db --out again.toml --threads 1", folder.path());
    assert!(again.contains("gamma2: 24 games from 12 openings") && again.contains("Weights: again.toml"), "{again}");
    assert_eq!(read(folder.path(), "again.toml"), text);
    let on = printed("tune games.db --init new.toml", folder.path());
    assert!(on.contains("Held-out log-loss"), "{on}");
}

#[test]
fn match_files_are_read_like_self_play() {
    use assay_selfplay::settings::{
        EngineSettings, Evaluation, GameSource, Material, PlayerSlots, RunOptions, SelfPlay,
    };
    let folder = TempDir::new().unwrap();
    let choices = SelfPlay { seed: 3, material: Material::Values, ..SelfPlay::default() };
    let mut settings = choices.settings(GameSource::builtin("gamma2").unwrap()).unwrap();
    settings.players =
        PlayerSlots::of_match([40, 20].map(|nodes| EngineSettings::self_play(nodes, 1, Evaluation::Linear)));
    let stop = std::sync::atomic::AtomicBool::new(false);
    let path = folder.path().join("match.db");
    assay_selfplay::generate(&settings, &RunOptions::self_play(24, 1), &path, |_| {}, &stop).unwrap();
    let tuned = printed("tune match.db", folder.path());
    assert!(tuned.contains("gamma2: 24 games from 12 openings"), "{tuned}");
    // So few games may not determine every value, which is then reported.
    let output = assay_tuner("fit match.db", folder.path());
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() || stderr.contains("found 12 opening pairs, expected more than"), "{stderr}");
}

/// Plays a few short games.
pub(crate) fn play(path: &Path, nodes: u64) {
    use assay_selfplay::settings::{GameSource, RunOptions, SelfPlay};
    let choices = SelfPlay { seed: 3, nodes, hash_mb: 1, ..SelfPlay::default() };
    let settings = choices.settings(GameSource::builtin("gamma2").unwrap()).unwrap();
    let stop = std::sync::atomic::AtomicBool::new(false);
    assay_selfplay::generate(&settings, &RunOptions::self_play(24, 1), path, |_| {}, &stop).unwrap();
}
