//! Training by mini-batches, the same whatever the number of threads.

use assay_engine::nnue::Layout;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

use super::gradient::{Numbers, foretell, gradient, log_loss};
use super::views::{Collected, Views};
use crate::training::weights::TuneError;
use crate::training::weights::adam::Adam;

/// Parts of a batch that are worked on side by side, however many threads there are: sums of floating point numbers depend
/// on their order.
const PARTS: usize = 8;
/// Positions foretold in one go.
const CHUNK: usize = 1 << 14;
/// One opening pair of so many is held back.
const HELD_BACK: usize = 20;
/// Slopes far below this are taken for none.
const LEAST_SLOPE: f32 = 1e-8;
/// Transformer weights stay within this, output weights too: what integers can hold.
const LARGEST: f32 = 1.98;

/// How to train.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Hidden numbers a side.
    pub hidden: usize,
    /// Passes over the positions.
    pub epochs: usize,
    /// The share of the game's result in what is foretold, 0 to 1; the rest is the search's score.
    pub lambda: f32,
    /// Positions of a batch.
    pub batch: usize,
    /// The step of the first epoch; the last one's is a hundredth of it.
    pub rate: f32,
    /// What shuffles, holds back and begins follow from.
    pub seed: u64,
}

/// Log-loss in nats a position, of games that were held back.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Losses {
    /// Against what is to be foretold.
    pub labels: f64,
    /// Against the games' results.
    pub results: f64,
}

/// An epoch that has ended.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Epoch {
    /// Its number, from 1; 0 before the first one.
    pub epoch: usize,
    /// What the network is worth after it.
    pub held_back: Losses,
}

/// A trained network.
#[derive(Clone, Debug)]
pub struct Trained {
    /// Its numbers after the best epoch.
    pub numbers: Numbers,
    /// That epoch.
    pub best: Epoch,
    /// What the linear evaluation is worth on the same positions.
    pub linear: Losses,
    /// What knowing nothing is worth: half a point for everyone.
    pub constant: Losses,
    /// Positions learned from.
    pub learned: usize,
    /// Positions held back.
    pub held_back: usize,
}

/// Trains a network; `tell` hears of each epoch.
///
/// # Errors
/// When there are too few openings to hold some back.
pub fn train(collected: &Collected, settings: &Settings, mut tell: impl FnMut(Epoch)) -> Result<Trained, TuneError> {
    let views = &collected.views;
    let (mut learned, held_back) = split(collected, settings.seed);
    if learned.is_empty() || held_back.is_empty() {
        return Err(TuneError::Few {
            files: collected.files.iter().map(|file| file.path.clone()).collect(),
            found: collected.clusters,
            expected: HELD_BACK,
        });
    }
    let mut random = Xoshiro256PlusPlus::seed_from_u64(settings.seed);
    let inputs = Layout::of(&collected.game).inputs();
    let mut numbers = begin(inputs, settings.hidden, &mut random);
    let mut transformer = Adam::new(numbers.transformer.len(), LEAST_SLOPE);
    let mut output = Adam::new(numbers.output.len(), LEAST_SLOPE);
    let worth = |numbers: &Numbers| {
        let points = network_points(numbers, views, &held_back);
        losses(&points, views, &held_back, settings.lambda)
    };
    let start = Epoch {
        epoch: 0,
        held_back: worth(&numbers),
    };
    let mut best = (start, numbers.clone());
    let mut slopes: Vec<Numbers> = (0..PARTS).map(|_| Numbers::zero(inputs, settings.hidden)).collect();
    for epoch in 1..=settings.epochs {
        let done = (epoch - 1) as f32 / (settings.epochs.max(2) - 1) as f32;
        let rate = settings.rate * 0.01f32.powf(done);
        learned.shuffle(&mut random);
        for batch in learned.chunks(settings.batch) {
            let size = batch.len().div_ceil(PARTS);
            let used = batch.len().div_ceil(size);
            slopes[..used]
                .par_iter_mut()
                .zip(batch.par_chunks(size))
                .for_each(|(slopes, part)| gradient(&numbers, views, part, settings.lambda, slopes));
            let [sum, others @ ..] = slopes.as_mut_slice() else {
                continue;
            };
            others[..used - 1].iter().for_each(|other| sum.add(other));
            sum.scale(1.0 / batch.len() as f32);
            transformer.step(&mut numbers.transformer, &sum.transformer, rate);
            output.step(&mut numbers.output, &sum.output, rate);
            numbers.clamp(LARGEST);
        }
        let end = Epoch {
            epoch,
            held_back: worth(&numbers),
        };
        tell(end);
        if end.held_back.labels < best.0.held_back.labels {
            best = (end, numbers.clone());
        }
    }
    let (best, numbers) = best;
    let points = |of: &dyn Fn(u32) -> f32| -> Vec<f32> { held_back.iter().map(|&index| of(index)).collect() };
    let linear = points(&|index| views.get(index as usize).head.linear);
    Ok(Trained {
        numbers,
        best,
        linear: losses(&linear, views, &held_back, settings.lambda),
        constant: losses(&points(&|_| 0.5), views, &held_back, settings.lambda),
        learned: learned.len(),
        held_back: held_back.len(),
    })
}

/// Positions to learn from, and positions of openings that are held back.
fn split(collected: &Collected, seed: u64) -> (Vec<u32>, Vec<u32>) {
    let mut clusters: Vec<usize> = (0..collected.clusters).collect();
    clusters.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(seed));
    let mut is_held_back = vec![false; collected.clusters];
    for &cluster in &clusters[..collected.clusters / HELD_BACK] {
        is_held_back[cluster] = true;
    }
    let views = &collected.views;
    (0..views.len() as u32).partition(|&index| !is_held_back[views.get(index as usize).head.cluster as usize])
}

/// Random numbers of a size that leaves most hidden numbers between 0 and 1.
fn begin(inputs: usize, hidden: usize, random: &mut Xoshiro256PlusPlus) -> Numbers {
    let mut numbers = Numbers::zero(inputs, hidden);
    let (weights, bias) = numbers.transformer.split_at_mut(inputs * hidden);
    weights.fill_with(|| random.random_range(-0.1..0.1));
    bias.fill(0.3);
    let most = (1.0 / hidden as f32).sqrt();
    let width = 2 * hidden + 1;
    for bucket in numbers.output.chunks_mut(width) {
        bucket[..width - 1].fill_with(|| random.random_range(-most..most));
    }
    numbers
}

fn network_points(numbers: &Numbers, views: &Views, indices: &[u32]) -> Vec<f32> {
    let parts = indices.par_chunks(CHUNK);
    parts.flat_map_iter(|part| foretell(numbers, views, part)).collect()
}

fn losses(points: &[f32], views: &Views, indices: &[u32], lambda: f32) -> Losses {
    let (mut labels, mut results) = (0.0, 0.0);
    for (&points, &index) in points.iter().zip(indices) {
        let head = views.get(index as usize).head;
        labels += log_loss(points, lambda * head.result + (1.0 - lambda) * head.expected);
        results += log_loss(points, head.result);
    }
    let positions = indices.len() as f64;
    Losses {
        labels: labels / positions,
        results: results / positions,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use assay_rules::GameDef;

    use super::*;
    use crate::training::network::views::Head;

    /// Positions whose points follow from how many of the own features are below the middle.
    fn planted() -> Collected {
        let game = GameDef::builtin("chess").unwrap();
        let inputs = Layout::of(&game).inputs() as u32;
        let mut views = Views::default();
        let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
        for index in 0..20_000u32 {
            let mut list = || -> Vec<u16> { (0..6).map(|_| random.random_range(0..inputs) as u16).collect() };
            let (own, other) = (list(), list());
            let count = |list: &[u16]| list.iter().filter(|&&feature| u32::from(feature) < inputs / 2).count() as f32;
            let points = super::super::gradient::logistic(0.8 * (count(&own) - count(&other)));
            let head = Head {
                result: if random.random::<f32>() < points { 1.0 } else { 0.0 },
                expected: points,
                linear: 0.5,
                bucket: (index % 8) as u8,
                cluster: index / 20,
            };
            views.push(head, &own, &other);
        }
        Collected {
            game: Arc::clone(&game),
            files: Vec::new(),
            views,
            clusters: 1000,
        }
    }

    const SETTINGS: Settings = Settings {
        hidden: 16,
        epochs: 8,
        lambda: 0.2,
        batch: 500,
        rate: 0.01,
        seed: 3,
    };

    #[test]
    fn a_planted_function_is_learned_whatever_the_threads() {
        let collected = planted();
        let with = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| train(&collected, &SETTINGS, |_| {}).unwrap())
        };
        let (one, two) = (with(1), with(3));
        assert_eq!(one.numbers, two.numbers);
        assert!(one.learned > 18_000 && one.held_back > 900);
        // The best that can be foretold is the planted points themselves.
        let views = &collected.views;
        let (_, held_back) = split(&collected, SETTINGS.seed);
        let truth: Vec<f32> = held_back
            .iter()
            .map(|&index| views.get(index as usize).head.expected)
            .collect();
        let floor = losses(&truth, views, &held_back, SETTINGS.lambda).labels;
        let gap = |losses: Losses| losses.labels - floor;
        assert!(
            gap(one.best.held_back) < 0.1 * gap(one.constant),
            "{floor} {:?} {:?}",
            one.best,
            one.constant
        );
    }
}
