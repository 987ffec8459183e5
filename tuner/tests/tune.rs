//! Tuning the evaluation: recovers known weights with any number of threads and writes files that the engine reads.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use assay_engine::Weights;
use assay_engine::eval::{MAX_PHASE, Term, Trace, Weight};
use assay_rules::GameDef;
use assay_tuner::training::examples::Target;
use assay_tuner::training::weights::linear::{TermExample, TuningData, pairs, points};
use assay_tuner::training::weights::{TunedWeights, TuningSettings, fit};
use assert_cmd::Command;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use tempfile::TempDir;

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
    let truth = pairs(weights.values());
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
    let settings = TuningSettings { lambda, prior: 1_000.0, learning_rate: 2.0, epochs: 60 };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| fit(collected, &before, &settings, &AtomicBool::new(false), |_| {})).unwrap()
}

#[test]
fn recovers_known_weights() {
    let collected = planted(40_000, 5);
    // The search's expectations have no noise. Results do: the standard errors are about 6 centipawns, and an error exceeds 4 of
    // them by chance once in 15,000 times.
    for (lambda, tolerance) in [(0.0, 1.0), (1.0, 25.0)] {
        let found = fitted(&collected, lambda, 2);
        assert!(found.best.number > 0 && found.best.held_out.labels < found.before.labels);
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
    let collected = planted(8_000, 6);
    let [one, three] = [1, 3].map(|threads| fitted(&collected, 0.5, threads));
    assert_eq!(one.weights.values(), three.weights.values());
    assert_eq!(
        (one.best.number, one.before, one.best.held_out),
        (three.best.number, three.before, three.best.held_out)
    );
}

/// Results independent of the terms: weights hardly move, and the held-out loss does not increase.
#[test]
fn does_not_fit_noise() {
    let mut collected = planted(4_000, 7);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(8);
    for example in &mut collected.examples {
        example.target.result = f32::from(u8::from(random.random_bool(0.5)));
    }
    let found = fitted(&collected, 1.0, 2);
    assert!(found.best.held_out.labels <= found.before.labels);
    for weight in found.weights.values() {
        assert!(weight.middlegame.abs() < 12.0 && weight.endgame.abs() < 12.0, "{weight:?}");
    }
}

fn assay_tuner(args: &[&str], folder: &Path) -> String {
    let output = Command::cargo_bin("assay-tuner").unwrap().args(args).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn tune_writes_weights_that_the_engine_reads() {
    let folder = TempDir::new().unwrap();
    let games = folder.path().join("games.db");
    play(&games, 30);
    let printed = assay_tuner(&["tune", "games.db", "--out", "new.toml", "--epochs", "3", "--json"], folder.path());
    let json: serde_json::Value = serde_json::from_str(&printed).unwrap();
    let game = GameDef::builtin("gamma2").unwrap();
    let text = std::fs::read_to_string(folder.path().join("new.toml")).unwrap();
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
    assert!(json["log_loss"]["labels_after"].as_f64() <= json["log_loss"]["labels_before"].as_f64());
    // Again on one thread, from the file just written.
    let again =
        assay_tuner(&["tune", "games.db", "--out", "again.toml", "--epochs", "3", "--threads", "1"], folder.path());
    assert!(again.contains("gamma2: 24 games from 12 openings") && again.contains("Weights: again.toml"), "{again}");
    assert_eq!(std::fs::read_to_string(folder.path().join("again.toml")).unwrap(), text);
    let on = assay_tuner(&["tune", "games.db", "--init", "new.toml", "--epochs", "1"], folder.path());
    assert!(on.contains("Held-out log-loss"), "{on}");
}

#[test]
fn match_files_are_read_like_self_play() {
    use assay_selfplay::settings::{
        EngineSettings, Evaluation, GameSource, Material, PlayerSlots, RunOptions, SelfPlay,
    };
    let folder = TempDir::new().unwrap();
    let choices = SelfPlay { seed: 3, material: Material::Odds, ..SelfPlay::default() };
    let mut settings = choices.settings(GameSource::builtin("gamma2").unwrap()).unwrap();
    settings.players =
        PlayerSlots::Separate([40, 20].map(|nodes| EngineSettings::self_play(nodes, 1, Evaluation::Linear)));
    let stop = std::sync::atomic::AtomicBool::new(false);
    let path = folder.path().join("match.db");
    assay_selfplay::generate(&settings, &RunOptions::self_play(24, 1), &path, |_| {}, &stop).unwrap();
    let tuned = assay_tuner(&["tune", "match.db", "--epochs", "1"], folder.path());
    assert!(tuned.contains("gamma2: 24 games from 12 openings"), "{tuned}");
    // So few games may not determine every value, which is then reported.
    let mut fit = Command::cargo_bin("assay-tuner").unwrap();
    let output = fit.args(["fit", "match.db"]).current_dir(folder.path()).output().unwrap();
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
