//! Liars: tests of claims that are wrong in one way each, on games whose true effect is known. Over many data sets, an honest test finds the
//! truth, and is wrong about an effect on the edge of the claim as often as its level says.

use assay_rules::GameDef;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::played_games::PlayedGame;
use super::run_cache::{FittedValues, Run, RunCache};
use super::tests::{cache, random_games, simulation, statement, test};
use super::{ClaimVerdict, Claimed, Effect, Finding, Test, TestResult};
use crate::values::inference::fieller::ConfidenceRegion;
use crate::values::inference::liars::drawn;

/// Data sets for each kind of test and each true effect.
const SETS: u64 = 300;

/// A kind of test, with games whose true effect is given: the larger, the truer the claim.
struct Kind {
    name: String,
    test: Test,
    /// The claim among those of the test.
    of: &'static str,
    /// Plays games with a true effect and a seed.
    play: Box<dyn Fn(&RunCache, f64, u64)>,
    /// An effect with which the claim holds, one on the edge of the claim, and one with which it does not hold.
    effects: [f64; 3],
    /// The largest effect that counts as none, if the test has such.
    margin: Option<f64>,
    /// Tails of the p-value that lie outside of the claim at its edge: both, or one if a range is claimed.
    tails: f64,
}

/// The changes of a liar: the measured effect and the claimed number before the verdict, and the finding after it.
struct Lie {
    kind: &'static str,
    before: fn(&mut Effect, &mut Claimed),
    after: fn(&mut Finding),
}

const fn before(kind: &'static str, before: fn(&mut Effect, &mut Claimed)) -> Lie {
    Lie {
        kind,
        before,
        after: |_| (),
    }
}

const fn after(kind: &'static str, after: fn(&mut Finding)) -> Lie {
    Lie {
        kind,
        before: |_, _| (),
        after,
    }
}

/// Multiplies the errors.
fn stretch(effect: &mut Effect, factor: f64) {
    if let ConfidenceRegion::Bounded { low, high } = &mut effect.interval {
        for end in [low, high] {
            *end = effect.value + factor * (*end - effect.value);
        }
    }
    effect.p = None;
}

/// Moves the effect with its interval.
fn shift(effect: &mut Effect, by: f64) {
    effect.value += by;
    if let ConfidenceRegion::Bounded { low, high } = &mut effect.interval {
        *low += by;
        *high += by;
    }
    effect.p = None;
}

/// Lies about every kind of test.
const LIES: [Lie; 12] = [
    before("sign or operands exchanged", |effect, claimed| {
        let turned = -2.0 * (effect.value - claimed.value().unwrap());
        shift(effect, turned);
    }),
    before("games of one game twice, or of no effect", |effect, claimed| {
        let off = claimed.value().unwrap() - effect.value;
        shift(effect, off);
    }),
    before("standard error too small", |effect, _| stretch(effect, 0.6)),
    before("standard error too large", |effect, _| stretch(effect, 1.7)),
    before("no error", |effect, _| stretch(effect, 0.0)),
    before("not a number", |effect, _| shift(effect, f64::NAN)),
    after("p of a one-sided test", |finding| {
        finding.p = finding.p.map(|p| p / 2.0);
    }),
    after("p doubled", |finding| finding.p = finding.p.map(|p| (2.0 * p).min(1.0))),
    after("p of another test", |finding| finding.p = finding.p.map(|p| 1.0 - p)),
    after("the estimate decides", |finding| {
        let (measured, claimed) = (finding.measured.unwrap(), finding.claimed);
        finding.verdict = claimed.exact_verdict(measured);
    }),
    after("never refutes", |finding| {
        if finding.verdict == ClaimVerdict::DoesNotHold {
            finding.verdict = ClaimVerdict::NotEnoughGames;
        }
    }),
    after("never supports", |finding| {
        if finding.verdict == ClaimVerdict::Holds {
            finding.verdict = ClaimVerdict::NotEnoughGames;
        }
    }),
];

/// Lies about claimed directions.
const LIES_ABOUT_DIRECTIONS: [Lie; 2] = [
    before("the wrong side", |_, claimed| {
        *claimed = match *claimed {
            Claimed::MoreThan { value, margin } => Claimed::LessThan { value, margin },
            Claimed::LessThan { value, margin } => Claimed::MoreThan { value, margin },
            other => other,
        };
    }),
    after("too few games taken for no effect", |finding| {
        if finding.verdict == ClaimVerdict::NotEnoughGames {
            finding.verdict = ClaimVerdict::NoEffect;
        }
    }),
];

const HONEST: Lie = before("honest", |_, _| ());

/// The results of a test on data sets with one true effect, in the order of the seeds.
fn results(kind: &Kind, effect: f64) -> Vec<TestResult> {
    let cache = cache();
    let statement = statement(kind.test.clone());
    let result = |seed| {
        (kind.play)(&cache, effect, seed);
        let results = statement.results("one", &cache);
        let is_it =
            |result: &TestResult| matches!(result, TestResult::Number(number) if number.claim.contains(kind.of));
        results.into_iter().find(is_it).unwrap()
    };
    (0..SETS).map(result).collect()
}

/// The findings of a liar.
fn findings(lie: &Lie, results: &[TestResult]) -> Vec<Finding> {
    let finding = |result: &TestResult| {
        let mut result = result.clone();
        if let TestResult::Number(number) = &mut result
            && let Ok(effect) = &mut number.effect
        {
            (lie.before)(effect, &mut number.claimed);
        }
        let mut finding = statement(Test::FirstMove).finding("one", "One", result);
        (lie.after)(&mut finding);
        finding
    };
    results.iter().map(finding).collect()
}

/// Checks a test by its results with the effects of the kind, and with an effect as large as the margin.
fn faults(kind: &Kind, lie: &Lie, results: &[Vec<TestResult>]) -> Vec<String> {
    let mut faults = Vec::new();
    let mut expect = |what: &str, found: &[Finding], is: &dyn Fn(&Finding) -> bool, [low, high]: [f64; 2]| {
        let count = found.iter().filter(|finding| is(finding)).count();
        // Four standard deviations for the chance of the data sets.
        let error = |share: f64| 4.0 * (share * (1.0 - share) / found.len() as f64).sqrt();
        let share = count as f64 / found.len() as f64;
        if share < low - error(low) || share > high + error(high) {
            faults.push(format!("{what}: {share:.3}, expected {low} to {high}"));
        }
    };
    let found: Vec<Vec<Finding>> = results.iter().map(|results| findings(lie, results)).collect();
    let is = |verdict: ClaimVerdict| move |finding: &Finding| finding.verdict == verdict;
    expect("true and supported", &found[0], &is(ClaimVerdict::Holds), [0.85, 1.0]);
    expect(
        "true and refuted",
        &found[0],
        &is(ClaimVerdict::DoesNotHold),
        [0.0, 0.025],
    );
    expect(
        "false and refuted",
        &found[2],
        &is(ClaimVerdict::DoesNotHold),
        [0.85, 1.0],
    );
    expect("false and supported", &found[2], &is(ClaimVerdict::Holds), [0.0, 0.025]);
    expect(
        "on the edge and refuted",
        &found[1],
        &is(ClaimVerdict::DoesNotHold),
        [0.0, 0.025],
    );
    expect(
        "on the edge and supported",
        &found[1],
        &is(ClaimVerdict::Holds),
        [0.0, 0.025],
    );
    // At the edge of a range, the p-value has half of its distribution and is 1 inside.
    for level in [0.05, 0.5] {
        let share = level * kind.tails / 2.0;
        let is_below = |finding: &Finding| finding.p.is_some_and(|p| p < level);
        expect("on the edge and p below a level", &found[1], &is_below, [share, share]);
    }
    expect(
        "false and a small p",
        &found[2],
        &|finding| finding.p.is_some_and(|p| p < 0.05),
        [0.85, 1.0],
    );
    let is_measured = |finding: &Finding| match (finding.claimed, finding.measured) {
        (Claimed::MoreThan { value, .. }, Some(measured)) => measured < value,
        (claimed, Some(measured)) => claimed.value().is_some_and(|value| measured > value),
        (_, None) => false,
    };
    expect("false and measured on that side", &found[2], &is_measured, [0.85, 1.0]);
    if let Some(found) = found.get(3) {
        expect(
            "an effect without an effect",
            found,
            &is(ClaimVerdict::NoEffect),
            [0.0, 0.05],
        );
    }
    faults
}

/// A play of two runs of games between equal armies. `odds` gives White's wins and losses by the effect, for the game of the claim.
fn scores(cache: &RunCache, pairs: u64, seed: u64, odds: (f64, f64)) {
    cache.put_scores(Run::equal("one"), random_games(pairs, 1, 2 * seed, |_, _| odds));
    cache.put_scores(
        Run::equal("two"),
        random_games(pairs, 1, 2 * seed + 1, |_, _| (0.3, 0.3)),
    );
}

/// A kind of test of values: `worth` gives the true values, by the effect, of pieces of chess that are not worth what is published.
fn of_values(
    toml: &str,
    of: &'static str,
    effects: [f64; 3],
    margin: f64,
    worth: fn(f64) -> Vec<(&'static str, f64, f64)>,
) -> Kind {
    let game = GameDef::builtin("chess").unwrap();
    let base = FittedValues::of(&simulation(&game, 3_000, &worth(0.0)).data(5)).unwrap();
    let play = move |cache: &RunCache, effect: f64, seed: u64| {
        let truth = |effect| simulation(&game, 1, &worth(effect)).parameters(base.estimate.columns());
        let drawn = |effect: f64, seed: u64| FittedValues {
            estimate: drawn(&base.estimate, &truth(effect), seed),
            ..base.clone()
        };
        cache.put_values("one", drawn(effect, 2 * seed));
        cache.put_values("two", drawn(0.0, 2 * seed + 1));
    };
    Kind {
        name: toml.split_once(" =").map_or(toml, |(name, _)| name).to_owned(),
        test: test(toml),
        of,
        play: Box::new(play),
        effects,
        margin: Some(margin),
        tails: 2.0,
    }
}

#[expect(clippy::too_many_lines, reason = "one table")]
fn kinds() -> Vec<Kind> {
    let direction = |toml: &str, effect: f64, margin: f64, play: fn(&RunCache, f64, u64)| Kind {
        name: toml.split_once(" =").map_or(toml, |(name, _)| name).to_owned(),
        test: test(toml),
        of: "",
        play: Box::new(play),
        effects: [effect, 0.0, -effect],
        margin: Some(margin),
        tails: 2.0,
    };
    let start = |name: &str, from_center: u8| {
        format!("{{ name = '{name}', starts = ['1+{name}'], favors = 'white', from-center = {from_center} }}")
    };
    let handicap = |cache: &RunCache, name: &str, seed: u64, gain: f64| {
        let odds = |_, swapped| {
            if swapped {
                (0.4 - gain, 0.4 + gain)
            } else {
                (0.4 + gain, 0.4 - gain)
            }
        };
        cache.put_scores(Run::from_start("one", name), random_games(400, 1, seed, odds));
    };
    let game = |name: &str| format!("{{ name = '{name}', title = '{name}', base = 'chess' }}");
    vec![
        Kind {
            name: "first-move".to_owned(),
            test: Test::FirstMove,
            of: "",
            play: Box::new(|cache, effect, seed| scores(cache, 3_000, seed, (0.4 + effect, 0.4 - effect))),
            effects: [0.0, 0.02, 0.05],
            margin: None,
            tails: 1.0,
        },
        direction("fewer-draws = 'two'", 0.12, 0.02, |cache, effect, seed| {
            scores(cache, 400, seed, (0.3 + effect / 2.0, 0.3 + effect / 2.0));
        }),
        direction(
            &format!(
                "rule-helps-black = {{ with = {}, without = {} }}",
                game("one"),
                game("two")
            ),
            0.12,
            0.02,
            |cache, effect, seed| scores(cache, 400, seed, (0.3 - effect, 0.3 + effect)),
        ),
        Kind {
            play: Box::new(move |cache, effect, seed| {
                handicap(cache, "1+a", 2 * seed, effect);
                handicap(cache, "1+b", 2 * seed + 1, 0.0);
            }),
            ..direction(
                &format!(
                    "larger-handicap = {{ claim = 'x', more = {}, less = {} }}",
                    start("a", 0),
                    start("b", 0)
                ),
                0.12,
                0.02,
                |_, _, _| (),
            )
        },
        Kind {
            play: Box::new(move |cache, effect, seed| {
                for (place, name) in ["1+a", "1+b", "1+c"].into_iter().enumerate() {
                    handicap(cache, name, 3 * seed + place as u64, effect * (2.0 - place as f64));
                }
            }),
            ..direction(
                &format!(
                    "central-pawns = [{}, {}, {}]",
                    start("a", 0),
                    start("b", 1),
                    start("c", 2)
                ),
                0.06,
                0.005,
                |_, _, _| (),
            )
        },
        direction(
            "compare-play = { than = 'two', measure = 'forcing-moves', claim = 'x', \
             claimed = { shape = 'more-than', value = 1, margin = 0.01 } }",
            0.08,
            0.01,
            |cache, effect, seed| {
                let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
                for (name, share) in [("one", 0.2 * (1.0 + effect)), ("two", 0.2)] {
                    let game = |pair: u64| PlayedGame {
                        pair,
                        plies: 80,
                        forcing_moves: Some(share + 0.1 * (random.random::<f64>() - 0.5)),
                        score_change: None,
                    };
                    cache.put_played(
                        Run::equal(name),
                        (0..200).flat_map(|pair| [pair, pair]).map(game).collect(),
                    );
                }
            },
        ),
        of_values(
            "ratio = { of = ['queen'], to = ['rook', 'bishop', 'pawn'], claim = 'x', \
             claimed = { shape = 'more-than', value = 1, margin = 0.02 } }",
            "",
            [0.4, 0.0, -0.4],
            0.02,
            |effect| {
                vec![
                    ("queen", 9.0 * (1.0 + effect), 9.0 * (1.0 + effect)),
                    ("bishop pair", 0.0, 0.0),
                ]
            },
        ),
        of_values(
            "gains-in-endgame = { kind = 'knight', others = ['rook'] }",
            "",
            [0.8, 0.0, -0.8],
            0.05,
            |effect| vec![("knight", 3.0, 3.0 + 5.0 * effect)],
        ),
        of_values("more-power = 'two'", "knight", [1.0, 0.0, -0.8], 0.05, |effect| {
            vec![("knight", 3.0 * (1.0 + effect), 3.0 * (1.0 + effect))]
        }),
        of_values(
            "pawn-among-pieces = { than = 'two', others = ['rook'] }",
            "",
            [0.3, 0.0, -0.3],
            0.02,
            |effect| vec![("pawn", 1.0 + 5.0 * effect, 1.0 + 5.0 * effect)],
        ),
    ]
}

#[test]
fn liars_about_claims_are_found() {
    let (mut undetected, mut unjustly) = (Vec::new(), Vec::new());
    for kind in kinds() {
        let effects = kind.effects.into_iter().chain(kind.margin);
        let results: Vec<Vec<TestResult>> = effects.map(|effect| results(&kind, effect)).collect();
        let honest = faults(&kind, &HONEST, &results);
        unjustly.extend(honest.into_iter().map(|fault| format!("{}: {fault}", kind.name)));
        let directions = LIES_ABOUT_DIRECTIONS.iter().filter(|_| kind.margin.is_some());
        for lie in LIES.iter().chain(directions) {
            if faults(&kind, lie, &results).is_empty() {
                undetected.push(format!("{}: {}", kind.name, lie.kind));
            }
        }
    }
    assert!(
        undetected.is_empty() && unjustly.is_empty(),
        "{undetected:#?}, accused unjustly: {unjustly:#?}"
    );
}

/// No games, and games of a single opening.
#[test]
fn nothing_is_claimed_without_games() {
    let (none, one) = (
        |_: usize, _: bool| (0.4, 0.4),
        |_: usize, swapped: bool| if swapped { (1.0, 0.0) } else { (0.0, 1.0) },
    );
    for pairs in [0, 1] {
        let cache = cache();
        for run in [
            Run::equal("one"),
            Run::equal("two"),
            Run::from_start("one", "1+a"),
            Run::from_start("one", "1+b"),
        ] {
            cache.put_scores(run, random_games(pairs, 1, 1, if pairs == 0 { none } else { one }));
        }
        cache.put_played(Run::equal("one"), Vec::new());
        cache.put_played(Run::equal("two"), Vec::new());
        for kind in kinds().iter().take(6) {
            for finding in statement(kind.test.clone()).findings("one", &cache) {
                let found = (finding.verdict, finding.measured, finding.p);
                assert_eq!(
                    found,
                    (ClaimVerdict::NotEnoughGames, None, None),
                    "{pairs}: {finding:?}"
                );
            }
        }
    }
}
