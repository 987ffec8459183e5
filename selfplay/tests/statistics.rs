//! Checks the statistics against published figures: `testdata/statistics/published.toml`.

use std::fs;

use assay_selfplay::statistics::elo::elo_from_score;
use assay_selfplay::statistics::{EloEstimate, EloModel, Estimate, ResultCounts, Sprt, SprtDecision};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Published {
    llr: Vec<PublishedLlr>,
    elo: Vec<PublishedElo>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PublishedLlr {
    source: String,
    counts: Vec<u64>,
    elo: [f64; 2],
    model: String,
    llr: f64,
    #[serde(default = "half_of_last_digit")]
    tolerance: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PublishedElo {
    source: String,
    counts: Vec<u64>,
    elo: Option<[f64; 2]>,
    normalized: Option<[f64; 2]>,
    normalized_value: Option<f64>,
    los: Option<f64>,
    draw_ratio: Option<f64>,
    pairs_ratio: Option<f64>,
    mean: Option<f64>,
}

fn half_of_last_digit() -> f64 {
    0.005
}

fn published() -> Published {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../testdata/statistics/published.toml");
    toml::from_str(&fs::read_to_string(file).unwrap()).unwrap()
}

/// An estimate with an interval of another width.
fn scaled(Estimate { value, interval }: Estimate, factor: f64) -> Estimate {
    Estimate { value, interval: interval.map(|ends| ends.map(|end| value + (end - value) * factor)) }
}

fn assert_printed(source: &str, what: &str, found: f64, printed: f64, unit: f64) {
    let close = (found - printed).abs() <= unit / 2.0 + 1e-9;
    assert!(close, "{source}, {what}: found {found}, expected {printed}");
}

#[test]
fn reproduces_published_elo_and_intervals() {
    for case in published().elo {
        let counts = ResultCounts::from_counts(&case.counts).unwrap();
        let estimate = EloEstimate::from_counts(&counts).unwrap();
        let check = |what: &str, found: Estimate, printed: Option<[f64; 2]>| {
            let Some([value, half]) = printed else { return };
            assert_printed(&case.source, what, found.value, value, 0.01);
            assert_printed(&case.source, what, found.half_width().unwrap(), half, 0.01);
        };
        check("elo", estimate.elo, case.elo);
        check("normalized elo", estimate.normalized_elo, case.normalized);
        for (what, found, printed, unit) in [
            ("normalized elo", Some(estimate.normalized_elo.value), case.normalized_value, 0.01),
            ("los", Some(estimate.los), case.los, 0.0001),
            ("draw ratio", counts.draw_ratio(), case.draw_ratio, 0.0001),
            ("pairs ratio", counts.win_loss_ratio(), case.pairs_ratio, 0.01),
            ("mean", counts.mean(), case.mean, 0.00001),
        ] {
            if let Some(printed) = printed {
                assert_printed(&case.source, what, found.unwrap(), printed, unit);
            }
        }
    }
}

/// Properties that a program needs to run a sequential test and to estimate a match. The tests
/// below judge Assay and liars.
#[derive(Clone, Copy)]
struct Implementation {
    llr: fn(&Sprt, &ResultCounts) -> f64,
    decide: fn(&Sprt, f64) -> SprtDecision,
    estimate: fn(&ResultCounts) -> EloEstimate,
    /// The index of a pair's result, from the points (0, 1 or 2 halves) of the first player with
    /// White and of the second player with White.
    pair: fn(usize, usize) -> usize,
}

const ASSAY: Implementation = Implementation {
    llr: Sprt::llr,
    decide: |sprt, llr| sprt.decide_at(llr),
    estimate: |counts| EloEstimate::from_counts(counts).unwrap(),
    pair: |first, second| first + 2 - second,
};

fn with_elo(sprt: &Sprt, factor: f64) -> Sprt {
    Sprt::new(factor * sprt.elo0, factor * sprt.elo1, sprt.alpha, sprt.beta, sprt.model).unwrap()
}

fn nonzero(counts: &ResultCounts) -> ResultCounts {
    ResultCounts::from_counts(&counts.counts().iter().map(|&count| count.max(1)).collect::<Vec<_>>()).unwrap()
}

/// Wrong implementations: what each does wrong.
const LIARS: &[(&str, Implementation)] = &[
    ("the bounds are swapped", Implementation { decide: |sprt, llr| sprt.decide_at(-llr), ..ASSAY }),
    ("the LLR is doubled", Implementation { llr: |sprt, counts| 2.0 * sprt.llr(counts), ..ASSAY }),
    ("the LLR is halved", Implementation { llr: |sprt, counts| sprt.llr(counts) / 2.0, ..ASSAY }),
    ("the LLR has base 10", Implementation { llr: |sprt, counts| sprt.llr(counts) / 10f64.ln(), ..ASSAY }),
    ("the LLR is that of the opponent", Implementation { llr: |sprt, counts| sprt.llr(&counts.flipped()), ..ASSAY }),
    (
        "H0 is taken to be 0 Elo",
        Implementation {
            llr: |sprt, counts| {
                let zero = if sprt.elo1 > 0.0 { 0.0 } else { sprt.elo0 };
                Sprt::new(zero, sprt.elo1, 0.05, 0.05, sprt.model).unwrap().llr(counts)
            },
            ..ASSAY
        },
    ),
    (
        "pairs are tested as games",
        Implementation {
            llr: |sprt, counts| {
                let is_pair = counts.games_per_observation() == 2;
                with_elo(sprt, if is_pair { 0.5f64.sqrt() } else { 1.0 }).llr(counts)
            },
            ..ASSAY
        },
    ),
    (
        "logistic Elo in place of normalized",
        Implementation {
            llr: |sprt, counts| Sprt::new(sprt.elo0, sprt.elo1, 0.05, 0.05, EloModel::Logistic).unwrap().llr(counts),
            ..ASSAY
        },
    ),
    (
        "a result that has not occurred counts once",
        Implementation { llr: |sprt, counts| sprt.llr(&nonzero(counts)), ..ASSAY },
    ),
    (
        "one-sided results have no LLR",
        Implementation {
            llr: |sprt, counts| {
                if counts.variance().unwrap() > 0.0 { sprt.llr(counts) } else { f64::NAN }
            },
            ..ASSAY
        },
    ),
    (
        "the nearer bound is used for both",
        Implementation {
            decide: |sprt, llr| {
                let (lower, upper) = sprt.bounds();
                match llr {
                    llr if llr.abs() < upper.min(-lower) / 2.0 => SprtDecision::Continue,
                    llr if llr > 0.0 => SprtDecision::AcceptH1,
                    _ => SprtDecision::AcceptH0,
                }
            },
            ..ASSAY
        },
    ),
    ("color is ignored", Implementation { pair: |first, second| first + second, ..ASSAY }),
    ("the games of a pair are exchanged", Implementation { pair: |first, second| second + 2 - first, ..ASSAY }),
    (
        "the Elo is that of the opponent",
        Implementation { estimate: |counts| (ASSAY.estimate)(&counts.flipped()), ..ASSAY },
    ),
    (
        "the interval is one standard error wide",
        Implementation {
            estimate: |counts| {
                let mut estimate = (ASSAY.estimate)(counts);
                estimate.elo = scaled(estimate.elo, 1.0 / 1.96);
                estimate
            },
            ..ASSAY
        },
    ),
    (
        "pairs are estimated as independent games",
        Implementation {
            estimate: |counts| {
                let mut estimate = (ASSAY.estimate)(counts);
                estimate.elo = scaled(estimate.elo, 2f64.sqrt());
                estimate
            },
            ..ASSAY
        },
    ),
    (
        "superiority is inferiority",
        Implementation {
            estimate: |counts| {
                let mut estimate = (ASSAY.estimate)(counts);
                estimate.los = 1.0 - estimate.los;
                estimate
            },
            ..ASSAY
        },
    ),
];

/// The next random number, 0 to 1 (xorshift64*).
fn random(state: &mut u64) -> f64 {
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    (state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11) as f64 / (1u64 << 53) as f64
}

fn draw<const N: usize>(probabilities: [f64; N], state: &mut u64) -> usize {
    let mut left = random(state);
    let last = probabilities.iter().rposition(|&p| p > 0.0).unwrap();
    let index = probabilities.into_iter().position(|p| {
        left -= p;
        left < 0.0
    });
    index.unwrap_or(last)
}

/// Loss, draw and win of the first player: with White, and with Black. Neither color's score
/// depends on the other's, so the variance of a pair is a quarter of the sum of both.
type Truth = [[f64; 3]; 2];

fn score([_, draws, wins]: [f64; 3]) -> f64 {
    draws / 2.0 + wins
}

fn normalized_elo(truth: Truth) -> f64 {
    let variance = |game: [f64; 3]| game[1] / 4.0 + game[2] - score(game).powi(2);
    let [white, black] = truth;
    let sigma = ((variance(white) + variance(black)) / 4.0).sqrt();
    (f64::midpoint(score(white), score(black)) - 0.5) / sigma / 2f64.sqrt() * 800.0 / 10f64.ln()
}

fn logistic_elo([white, black]: Truth) -> f64 {
    elo_from_score(f64::midpoint(score(white), score(black)))
}

/// Players with this Elo; `at` gives players of increasing strength between 0 and 1.
fn truth_with(elo: f64, elo_of: fn(Truth) -> f64, at: fn(f64) -> Truth) -> Truth {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if elo_of(at(middle)) < elo {
            low = middle;
        } else {
            high = middle;
        }
    }
    let truth = at(low);
    assert!((elo_of(truth) - elo).abs() < 1e-6, "no such players: {truth:?}");
    truth
}

/// Families of players, among them extreme ones.
const PLAYERS: [(&str, fn(f64) -> Truth); 5] = [
    ("half of the games drawn", |s| [[0.5 * (1.0 - s), 0.5, 0.5 * s]; 2]),
    ("no draws", |s| [[1.0 - s, 0.0, s]; 2]),
    ("mostly draws", |s| [[0.15 * (1.0 - s), 0.85, 0.15 * s]; 2]),
    ("White wins nearly always", |s| [[0.2 * (1.0 - s), 0.0, 0.8 + 0.2 * s], [1.0 - 0.2 * s, 0.0, 0.2 * s]]),
    ("the first player never loses", |s| [[0.0, 1.0 - s, s], [0.6, 0.4, 0.0]]),
];

fn pair_counts(implementation: &Implementation, truth: Truth, pairs: usize, state: &mut u64) -> ResultCounts {
    let mut counts = ResultCounts::of_pairs(3);
    for _ in 0..pairs {
        let (first, second) = (draw(truth[0], state), 2 - draw(truth[1], state));
        counts.add((implementation.pair)(first, second));
    }
    counts
}

/// Number of simulated tests and matches of each kind.
const TESTS: u32 = 400;

/// The first check that an implementation fails.
fn judge(implementation: &Implementation) -> Result<(), String> {
    for PublishedLlr { source, counts, elo, model, llr: expected, tolerance } in published().llr {
        let counts = ResultCounts::from_counts(&counts).unwrap();
        let sprt = Sprt::new(elo[0], elo[1], 0.05, 0.05, model.parse().unwrap()).unwrap();
        let llr = (implementation.llr)(&sprt, &counts);
        // 1e-9: a figure halfway between two roundings may be off by floating-point error.
        let is_close = (llr - expected).abs() <= tolerance + 1e-9;
        if !is_close {
            return Err(format!("{source}: found an LLR of {llr}, expected {expected}"));
        }
    }
    let mut state = 29;
    let models: [(_, fn(Truth) -> f64, _); 2] =
        [(EloModel::Normalized, normalized_elo, &PLAYERS[..]), (EloModel::Logistic, logistic_elo, &PLAYERS[..1])];
    let tested =
        models.into_iter().flat_map(|(model, elo_of, players)| players.iter().map(move |at| (model, elo_of, at)));
    for (model, elo_of, &(players, at)) in tested {
        let sprt = Sprt::new(0.0, 100.0, 0.05, 0.1, model).unwrap();
        for (elo, wrong, limit) in [(0.0, SprtDecision::AcceptH1, 0.05), (100.0, SprtDecision::AcceptH0, 0.1)] {
            let truth = truth_with(elo, elo_of, at);
            let mut errors = 0;
            for _ in 0..TESTS {
                let mut counts = ResultCounts::of_pairs(3);
                let decision = (0..10_000).find_map(|_| {
                    let (first, second) = (draw(truth[0], &mut state), 2 - draw(truth[1], &mut state));
                    counts.add((implementation.pair)(first, second));
                    let decision = (implementation.decide)(&sprt, (implementation.llr)(&sprt, &counts));
                    decision.is_final().then_some(decision)
                });
                let Some(decision) = decision else {
                    return Err(format!("{players}, {elo} Elo: no decision after {:?}", counts.counts()));
                };
                errors += u32::from(decision == wrong);
            }
            // Four standard deviations.
            let share = f64::from(errors) / f64::from(TESTS);
            if share > limit + 4.0 * (limit * (1.0 - limit) / f64::from(TESTS)).sqrt() {
                return Err(format!("{players}, {elo} Elo: {wrong} in {share} of the tests, expected at most {limit}"));
            }
        }
    }
    for (players, at) in PLAYERS {
        let truth = truth_with(40.0, normalized_elo, at);
        let expected = logistic_elo(truth);
        let (mut covered, mut superior) = (0, 0.0);
        for _ in 0..TESTS {
            let estimate = (implementation.estimate)(&pair_counts(implementation, truth, 400, &mut state));
            covered += u32::from(estimate.elo.contains(expected));
            superior += estimate.los / f64::from(TESTS);
        }
        let share = f64::from(covered) / f64::from(TESTS);
        if !(0.91..=0.985).contains(&share) {
            return Err(format!("{players}: {share} of the intervals cover the Elo, expected 0.95"));
        }
        if superior < 0.5 {
            return Err(format!("{players}: a likelihood of superiority of {superior} of the stronger player"));
        }
    }
    Ok(())
}

#[test]
fn checks_pass_assay_and_find_every_liar() {
    assert_eq!(judge(&ASSAY), Ok(()));
    for (lie, implementation) in LIARS {
        let verdict = judge(implementation);
        println!("{lie}: {verdict:?}");
        assert!(verdict.is_err(), "undetected: {lie}");
    }
}

/// Counts of 3, 5 or 9 results, many of them 0 and some of them large.
fn random_counts(state: &mut u64) -> Vec<u64> {
    let length = [3, 5, 5, 9][(random(state) * 4.0) as usize];
    let largest = [3.0, 30.0, 1_000.0, 1e6, 1e11][(random(state) * 5.0) as usize];
    let empty = random(state);
    let mut counts: Vec<u64> =
        (0..length).map(|_| if random(state) < empty { 0 } else { (random(state).powi(3) * largest) as u64 }).collect();
    counts[(random(state) * f64::from(length)) as usize] += 1;
    counts
}

#[test]
fn llr_is_finite_antisymmetric_and_monotone() {
    let mut state = 17;
    let mut compared = 0;
    for round in 0..20_000 {
        let counts = random_counts(&mut state);
        let width = [5.0, 50.0, 990.0][round % 3];
        let elo0 = (2_000.0 - 1.02 * width) * random(&mut state) - 1_000.0;
        let elo1 = elo0 + width * (0.01 + random(&mut state));
        let total: u64 = counts.iter().sum();
        let tolerance = 1e-9 + total as f64 * 1e-12;
        let counts = ResultCounts::from_counts(&counts).unwrap();
        for model in [EloModel::Normalized, EloModel::Logistic, EloModel::Bayesian] {
            let llr = |elo0, elo1, counts: &ResultCounts| Sprt::new(elo0, elo1, 0.05, 0.05, model).unwrap().llr(counts);
            let ours = llr(elo0, elo1, &counts);
            assert!(ours.is_finite(), "{model:?} {elo0} {elo1} {counts:?}: {ours}");
            let theirs = llr(-elo1, -elo0, &counts.flipped());
            assert!((ours + theirs).abs() <= tolerance, "{model:?} {elo0} {elo1} {counts:?}: {ours} {theirs}");
            let worst = counts.counts().iter().position(|&count| count > 0).unwrap();
            if worst + 1 < counts.counts().len() {
                let mut better = counts.counts().to_vec();
                better[worst] -= 1;
                better[worst + 1] += 1;
                let improved = llr(elo0, elo1, &ResultCounts::from_counts(&better).unwrap());
                // A better result also changes the deviation, which may lower the normalized Elo of
                // a player who draws nearly all games.
                let t_value = elo0.abs().max(elo1.abs()) / 60.0;
                if model != EloModel::Normalized || counts.variance().unwrap().sqrt() > t_value {
                    assert!(improved >= ours - tolerance, "{model:?} {elo0} {elo1} {counts:?}: {ours} {improved}");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 20_000, "{compared}");
}

/// The greatest log-likelihood per observation, by comparing the distributions of a grid and then
/// of finer grids around the best one.
///
/// A distribution is given by its standard deviation, from which its mean follows if that is not
/// fixed, and the probabilities of all results but three, which follow.
fn brute_force(frequencies: &[f64], mean: Option<f64>, t_value: f64) -> f64 {
    let results = frequencies.len();
    let scores: Vec<f64> = (0..results).map(|index| index as f64 / (results - 1) as f64).collect();
    // The lowest, the middle and the highest result follow.
    let free: Vec<usize> = (1..results - 1).filter(|&index| index != results / 2).collect();
    let evaluate = |point: &[f64]| {
        let (mean, square) = match mean {
            Some(mean) => (mean, mean.powi(2) + point[0].powi(2)),
            None => (0.5 + t_value * point[0], (0.5 + t_value * point[0]).powi(2) + point[0].powi(2)),
        };
        if point[0] > 1e-9 {
            let mut p = vec![0.0; results];
            for (&index, &value) in free.iter().zip(&point[1..]) {
                p[index] = value;
            }
            let moment = |power: i32| -> f64 { scores.iter().zip(&p).map(|(score, p)| score.powi(power) * p).sum() };
            let (rest, rest1, rest2) = (1.0 - moment(0), mean - moment(1), square - moment(2));
            // At scores 0, 1/2 and 1.
            p[results / 2] = 4.0 * (rest1 - rest2);
            p[results - 1] = rest1 - p[results / 2] / 2.0;
            p[0] = rest - p[results / 2] - p[results - 1];
            if p.iter().all(|&p| p >= -1e-15) {
                let terms = frequencies.iter().zip(&p).filter(|(f, _)| **f > 0.0);
                return terms.map(|(f, p)| f * (p.max(0.0) / f).ln()).sum();
            }
        }
        f64::NEG_INFINITY
    };
    let dimensions = 1 + free.len();
    let (mut center, mut radius) = (vec![0.5; dimensions], 0.5);
    let mut best = f64::NEG_INFINITY;
    while radius > 1e-6 {
        let steps = |dimension: usize| {
            if dimension == 0 && (dimensions == 1 || radius > 0.4) { 1_000 } else { 24 }
        };
        let around = center.clone();
        let mut indices = vec![0; dimensions];
        'grid: loop {
            let at = |dimension: usize| {
                around[dimension] + radius * (2.0 * f64::from(indices[dimension]) / f64::from(steps(dimension)) - 1.0)
            };
            let point: Vec<f64> = (0..dimensions).map(at).collect();
            let value = evaluate(&point);
            if value > best {
                (best, center) = (value, point);
            }
            for (dimension, index) in indices.iter_mut().enumerate() {
                *index += 1;
                if *index <= steps(dimension) {
                    continue 'grid;
                }
                *index = 0;
            }
            break;
        }
        radius *= 0.5;
    }
    best
}

#[test]
fn llr_is_that_of_the_most_likely_distributions_of_a_grid() {
    let mut state = 41;
    let mut compared = 0;
    while compared < 60 {
        let counts = random_counts(&mut state);
        if counts.len() == 9 {
            // Too many dimensions for a grid.
            continue;
        }
        let total: u64 = counts.iter().sum();
        let frequencies: Vec<f64> = counts.iter().map(|&count| count as f64 / total as f64).collect();
        let counts = ResultCounts::from_counts(&counts).unwrap();
        let games = f64::from(counts.games_per_observation());
        // Far from the counts the best distributions of five results are too narrow for this grid.
        let widest = if counts.counts().len() == 3 { 900.0 } else { 300.0 };
        let width = [20.0, 100.0, widest][compared % 3];
        let elo = [0.2 + random(&mut state), -1.0 + 0.8 * random(&mut state)].map(|share| (share * width).min(990.0));
        let (elo1, elo0) = (elo[0], elo[1]);
        let sprt = |model| Sprt::new(elo0, elo1, 0.05, 0.05, model).unwrap().llr(&counts) / total as f64;
        let [normal0, normal1] =
            [elo0, elo1].map(|elo| brute_force(&frequencies, None, elo * games.sqrt() * 10f64.ln() / 800.0));
        let [mean0, mean1] =
            [elo0, elo1].map(|elo| brute_force(&frequencies, Some(1.0 / (1.0 + 10f64.powf(-elo / 400.0))), 0.0));
        for (model, expected) in [(EloModel::Normalized, normal1 - normal0), (EloModel::Logistic, mean1 - mean0)] {
            let llr = sprt(model);
            assert!((llr - expected).abs() < 2e-4, "{model:?} {elo0} {elo1} {counts:?}: {llr}, by the grid {expected}");
        }
        compared += 1;
    }
}
