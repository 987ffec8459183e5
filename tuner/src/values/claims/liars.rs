//! Liars: tests of claims that are wrong in one way each, on games whose true effect is known. Over
//! many data sets, an honest test finds the truth, and is wrong about an effect on the edge of the
//! claim as often as its level says.

use assay_rules::GameDef;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::runs::Runs;
use super::terms::PLAY;
use super::tests::{claims, equal, from_start, random_games, runs_of, simulation};
use super::{ClaimVerdict, Claimed, Comparison, Finding};
use crate::values::design::PhaseModel;
use crate::values::inference::Fit;
use crate::values::inference::liars::{self, drawn};

/// Data sets for each kind of test and each true effect.
const SETS: u64 = 300;

/// A kind of claim, with games whose true effect is given: the larger, the truer the claim.
struct Kind {
    game: &'static str,
    /// The formula and its tolerance, as a claims file has them.
    claim: &'static str,
    /// Plays games with a true effect and a seed.
    play: Box<dyn Fn(&mut Runs<'_>, f64, u64)>,
    /// An effect with which the claim holds, one on the edge of the claim, and one with which it
    /// does not hold.
    effects: [f64; 3],
    /// The largest effect that counts as none, if the claim has such.
    margin: Option<f64>,
    /// Tails of the p-value that lie outside of the claim at its edge: both, or one if a range is
    /// claimed.
    tails: f64,
}

/// The changes of a liar: what was measured and claimed before the verdict, and the finding after
/// it.
struct Lie {
    kind: &'static str,
    before: fn(&mut Finding),
    after: fn(&mut Finding),
}

const fn before(kind: &'static str, before: fn(&mut Finding)) -> Lie {
    Lie { kind, before, after: |_| () }
}

const fn after(kind: &'static str, after: fn(&mut Finding)) -> Lie {
    Lie { kind, before: |_| (), after }
}

/// Multiplies the errors.
fn stretch(finding: &mut Finding, factor: f64) {
    if let (Some(value), Some([low, high])) = (finding.measured, &mut finding.interval) {
        for end in [low, high] {
            *end = value + factor * (*end - value);
        }
    }
}

/// Moves the number with its interval.
fn shift(finding: &mut Finding, by: f64) {
    if let (Some(value), Some([low, high])) = (&mut finding.measured, &mut finding.interval) {
        for number in [value, low, high] {
            *number += by;
        }
    }
}

/// The claimed number minus the measured one.
fn off(finding: &Finding) -> f64 {
    finding.claimed.value().unwrap() - finding.measured.unwrap_or(0.0)
}

/// Lies about every kind of claim.
const LIES: [Lie; 12] = [
    before("sign or operands exchanged", |finding| {
        shift(finding, 2.0 * off(finding));
    }),
    before("games of one game twice, or of no effect", |finding| {
        shift(finding, off(finding));
    }),
    before("standard error too small", |finding| stretch(finding, 0.6)),
    before("standard error too large", |finding| stretch(finding, 1.7)),
    before("no error", |finding| stretch(finding, 0.0)),
    before("not a number", |finding| shift(finding, f64::NAN)),
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
    before("the wrong side", |finding| {
        finding.claimed = match finding.claimed {
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

const HONEST: Lie = before("honest", |_| ());

/// The only comparison of a claim.
fn comparison(kind: &Kind) -> (Comparison, Runs<'static>) {
    let found = claims(kind.game, kind.claim);
    let runs = runs_of(&found);
    (found.statements[0].parts[0].clone(), runs)
}

/// What is measured on data sets with one true effect, in the order of the seeds.
fn measured(kind: &Kind, effect: f64) -> Vec<Finding> {
    let (comparison, mut runs) = comparison(kind);
    let measure = |seed| {
        (kind.play)(&mut runs, effect, seed);
        comparison.measure(&Finding::default(), &mut runs)
    };
    (0..SETS).map(measure).collect()
}

/// The findings of a liar.
fn findings(lie: &Lie, measured: &[Finding]) -> Vec<Finding> {
    let finding = |measured: &Finding| {
        let mut finding = measured.clone();
        (lie.before)(&mut finding);
        let mut finding = finding.judged();
        (lie.after)(&mut finding);
        finding
    };
    measured.iter().map(finding).collect()
}

/// Checks a test by its results with the effects of the kind, and with an effect as large as the
/// margin.
fn faults(kind: &Kind, lie: &Lie, measured: &[Vec<Finding>]) -> Vec<String> {
    let mut faults = Vec::new();
    let mut expect = |what: &str, found: &[Finding], is: &dyn Fn(&Finding) -> bool, range: [f64; 2]| {
        liars::expect(&mut faults, what, found.iter().map(is), range);
    };
    let found: Vec<Vec<Finding>> = measured.iter().map(|measured| findings(lie, measured)).collect();
    let is = |verdict: ClaimVerdict| move |finding: &Finding| finding.verdict == verdict;
    expect("true and supported", &found[0], &is(ClaimVerdict::Holds), [0.85, 1.0]);
    expect("true and refuted", &found[0], &is(ClaimVerdict::DoesNotHold), [0.0, 0.025]);
    expect("false and refuted", &found[2], &is(ClaimVerdict::DoesNotHold), [0.85, 1.0]);
    expect("false and supported", &found[2], &is(ClaimVerdict::Holds), [0.0, 0.025]);
    expect("on the edge and refuted", &found[1], &is(ClaimVerdict::DoesNotHold), [0.0, 0.025]);
    expect("on the edge and supported", &found[1], &is(ClaimVerdict::Holds), [0.0, 0.025]);
    // At the edge of a range, the p-value has half of its distribution and is 1 inside.
    for level in [0.05, 0.5] {
        let share = level * kind.tails / 2.0;
        let is_below = |finding: &Finding| finding.p.is_some_and(|p| p < level);
        expect("on the edge and p below a level", &found[1], &is_below, [share, share]);
    }
    expect("false and a small p", &found[2], &|finding| finding.p.is_some_and(|p| p < 0.05), [0.85, 1.0]);
    let is_measured = |finding: &Finding| match (finding.claimed, finding.measured) {
        (Claimed::MoreThan { value, .. }, Some(measured)) => measured < value,
        (claimed, Some(measured)) => claimed.value().is_some_and(|value| measured > value),
        (_, None) => false,
    };
    expect("false and measured on that side", &found[2], &is_measured, [0.85, 1.0]);
    if let Some(found) = found.get(3) {
        expect("an effect without an effect", found, &is(ClaimVerdict::NoEffect), [0.0, 0.05]);
    }
    faults
}

/// A play of two runs of games between equal armies. `odds` gives White's wins and losses by the
/// effect, for the game of the claim.
fn scores(runs: &mut Runs<'_>, names: [&str; 2], pairs: usize, seed: u64, odds: (f64, f64)) {
    for (number, (name, odds)) in names.into_iter().zip([odds, (0.3, 0.3)]).enumerate() {
        runs.put_games(equal(name), &random_games(pairs, 2 * seed + number as u64, |_| odds));
    }
}

/// Games from starts of Apothecary Chess 2 with a handicap, with the gains of White's army.
fn handicaps(runs: &mut Runs<'_>, seed: u64, gains: &[(&str, f64)]) {
    for (number, (start, gain)) in gains.iter().enumerate() {
        let odds = |swapped| {
            if swapped { (0.4 - gain, 0.4 + gain) } else { (0.4 + gain, 0.4 - gain) }
        };
        let seed = gains.len() as u64 * seed + number as u64;
        runs.put_games(from_start(start), &random_games(400, seed, odds));
    }
}

/// A claim of a direction.
fn direction(
    game: &'static str,
    claim: &'static str,
    effect: f64,
    margin: f64,
    play: impl Fn(&mut Runs<'_>, f64, u64) + 'static,
) -> Kind {
    Kind { game, claim, play: Box::new(play), effects: [effect, 0.0, -effect], margin: Some(margin), tails: 2.0 }
}

/// A claim about values: `worth` gives the true values, by the effect, of pieces of chess that are
/// not worth what is published.
fn of_values(
    claim: &'static str,
    effects: [f64; 3],
    margin: f64,
    worth: fn(f64) -> Vec<(&'static str, f64, f64)>,
) -> Kind {
    let game = GameDef::builtin("chess").unwrap();
    let data = simulation(&game, 3_000, &worth(0.0)).data(5);
    let base = Fit::of_games(&data, PhaseModel::default()).unwrap();
    let play = move |runs: &mut Runs<'_>, effect: f64, seed: u64| {
        for (number, (name, effect)) in [("gunnery", effect), ("chess", 0.0)].into_iter().enumerate() {
            let truth = simulation(&game, 1, &worth(effect)).parameters(base.columns.iter().copied());
            runs.put_values(name, drawn(&base, &truth, 2 * seed + number as u64));
        }
    };
    Kind { effects, ..direction("gunnery", claim, 0.0, margin, play) }
}

/// A claim about the first measure in it, counted in each game. `count` gives its number, if the
/// game has one, by a random number in 0..1 and the effect.
fn counted(claim: &'static str, effect: f64, margin: f64, count: fn(f64, f64) -> Option<f64>) -> Kind {
    let measure = PLAY.into_iter().find(|measure| claim.starts_with(&format!("claim = '{measure} "))).unwrap();
    direction("gunnery", claim, effect, margin, move |runs, effect, seed| {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        for (name, effect) in [("gunnery", effect), ("chess", 0.0)] {
            let mut games = random_games(200, seed, |_| (0.3, 0.3));
            for game in &mut games {
                game.counted.extend(count(random.random(), effect).map(|number| (measure, number)));
            }
            runs.put_games(equal(name), &games);
        }
    })
}

fn kinds_of_play() -> Vec<Kind> {
    vec![
        Kind {
            effects: [0.0, 0.02, 0.05],
            margin: None,
            tails: 1.0,
            ..direction("gunnery", "claim = 'white_score = 50%'\nwithin = 0.02", 0.0, 0.0, |runs, effect, seed| {
                scores(runs, ["gunnery", "chess"], 3_000, seed, (0.4 + effect, 0.4 - effect));
            })
        },
        direction("gunnery", "claim = 'draws < chess: draws'\nwithin = 0.02", 0.12, 0.02, |runs, effect, seed| {
            scores(runs, ["gunnery", "chess"], 400, seed, (0.3 + effect / 2.0, 0.3 + effect / 2.0));
        }),
        // Pairs of openings that have nothing in common, so that the covariance is noise.
        direction(
            "chess",
            "claim = 'one: white_score < two: white_score'\nwithin = 0.02\n\
             [games]\none = { base = 'chess' }\ntwo = { base = 'chess' }",
            0.12,
            0.02,
            |runs, effect, seed| scores(runs, ["one", "two"], 400, seed, (0.3 - effect, 0.3 + effect)),
        ),
        direction(
            "apothecary2",
            "claim = 'score(14+pawn:a4) > score(14+pawn:b4)'\nwithin = 0.02",
            0.12,
            0.02,
            |runs, effect, seed| handicaps(runs, seed, &[("14+pawn:a4", effect), ("14+pawn:b4", 0.0)]),
        ),
        direction(
            "apothecary2",
            "claim = 'slope(score(14+pawn:a4), score(14+pawn:b4), score(14+pawn:c4)) > 0'\nwithin = 0.005",
            0.06,
            0.005,
            |runs, effect, seed| {
                let gains = [("14+pawn:a4", 0.0), ("14+pawn:b4", effect), ("14+pawn:c4", 2.0 * effect)];
                handicaps(runs, seed, &gains);
            },
        ),
        counted("claim = 'forcing_moves > chess: forcing_moves'\nwithin = '1%'", 0.08, 0.01, |random, effect| {
            Some(0.2 * (1.0 + effect) + 0.1 * (random - 0.5))
        }),
        counted(
            "claim = 'minor_for_two_pawns > chess: minor_for_two_pawns'\nwithin = 0.02",
            0.15,
            0.02,
            |random, effect| Some(f64::from(u8::from(random < 0.2 + effect))),
        ),
        // Most games have no shot.
        counted("claim = 'endgame_shot_gain < 0.25'\nwithin = 0.05", 0.25, 0.05, |random, effect| {
            (random < 0.3).then_some(0.25 - effect + 2.0 * (random / 0.3 - 0.5))
        }),
    ]
}

fn kinds_of_values() -> Vec<Kind> {
    vec![
        of_values("claim = 'queen > rook + bishop + pawn'\nwithin = '2%'", [0.4, 0.0, -0.4], 0.02, |effect| {
            vec![("queen", 9.0 * (1.0 + effect), 9.0 * (1.0 + effect)), ("bishop pair", 0.0, 0.0)]
        }),
        of_values(
            "claim = 'few: knight / rook > full: knight / rook'\nwithin = 0.05",
            [0.8, 0.0, -0.8],
            0.05,
            |effect| vec![("knight", 3.0, 3.0 + 5.0 * effect)],
        ),
        of_values(
            "claim = 'log_odds(knight) > chess: log_odds(knight)'\nwithin = '5%'",
            [1.0, 0.0, -0.8],
            0.05,
            |effect| vec![("knight", 3.0 * (1.0 + effect), 3.0 * (1.0 + effect))],
        ),
        of_values("claim = 'pawn / rook > chess: pawn / rook'\nwithin = 0.02", [0.3, 0.0, -0.3], 0.02, |effect| {
            vec![("pawn", 1.0 + 5.0 * effect, 1.0 + 5.0 * effect)]
        }),
    ]
}

#[test]
fn liars_about_claims_are_found() {
    let (mut undetected, mut unjustly) = (Vec::new(), Vec::new());
    for kind in kinds_of_play().into_iter().chain(kinds_of_values()) {
        let effects = kind.effects.into_iter().chain(kind.margin);
        let measured: Vec<Vec<Finding>> = effects.map(|effect| measured(&kind, effect)).collect();
        let honest = faults(&kind, &HONEST, &measured);
        unjustly.extend(honest.into_iter().map(|fault| format!("{}: {fault}", kind.claim)));
        let directions = LIES_ABOUT_DIRECTIONS.iter().filter(|_| kind.margin.is_some());
        for lie in LIES.iter().chain(directions) {
            if faults(&kind, lie, &measured).is_empty() {
                undetected.push(format!("{}: {}", kind.claim, lie.kind));
            }
        }
    }
    assert!(undetected.is_empty() && unjustly.is_empty(), "{undetected:#?}, accused unjustly: {unjustly:#?}");
}

/// Claims about five starts with one quote. A true statement is rejected no more often than its
/// level says although its parts miss more often, and a statement with one false part is rejected.
#[test]
fn statements_are_as_reliable_as_their_parts() {
    let starts = ["a4", "b4", "c4", "d4", "e4"].map(|square| format!("14+pawn:{square}"));
    for (relation, misses) in [("= 50%'", [0.15, 0.3]), ("< 50%'", [0.05, 0.2]), ("= 48%'\nwithin = 0.02", [0.05, 0.2])]
    {
        let claim = starts.each_ref().map(|start| format!("claim = 'white_score({start}) {relation}\n"));
        let statements = claims("apothecary2", &claim.join("[[claims]]\nquote = 'b'\n")).statements;
        assert_eq!(statements.len(), 1);
        let mut runs = runs_of(&claims("apothecary2", &claim[0]));
        let mut findings = |gain: f64| {
            let finding = |set: u64| {
                for (number, start) in (0..).zip(&starts) {
                    let gain = if number == 0 { gain } else { 0.0 };
                    let games = random_games(400, 5 * set + number, |_| (0.4 + gain, 0.4 - gain));
                    runs.put_games(from_start(start), &games);
                }
                statements[0].finding("apothecary2", &mut runs)
            };
            (0..SETS).map(finding).collect::<Vec<_>>()
        };
        let share = |found: &[Finding], is: &dyn Fn(&Finding) -> bool| {
            found.iter().filter(|finding| is(finding)).count() as f64 / SETS as f64
        };
        let is_rejected = |finding: &Finding| finding.verdict == ClaimVerdict::DoesNotHold;
        let found = findings(0.0);
        let missed = share(&found, &|finding| finding.parts.iter().any(is_rejected));
        assert!((misses[0]..misses[1]).contains(&missed), "{relation}: {missed}");
        // Three standard deviations above 5%.
        let rejected = share(&found, &is_rejected);
        assert!(rejected < 0.088, "{relation}: {rejected}");
        let found = findings(0.1);
        let rejected = share(&found, &is_rejected);
        assert!(rejected > 0.9, "{relation}: {rejected}");
        let holds = found.iter().any(|finding| finding.verdict == ClaimVerdict::Holds);
        assert!(!holds, "{relation}");
    }
}

/// No games, and games of a single opening.
#[test]
fn nothing_is_claimed_without_games() {
    for pairs in [0, 1] {
        for kind in kinds_of_play() {
            let (_, mut runs) = comparison(&kind);
            let statement = claims(kind.game, kind.claim).statements.remove(0);
            for run in statement.runs() {
                runs.put_games(
                    run.clone(),
                    &random_games(pairs, 1, |swapped| if swapped { (1.0, 0.0) } else { (0.0, 1.0) }),
                );
            }
            let finding = statement.finding(kind.game, &mut runs);
            let found = (finding.verdict, finding.measured, finding.p);
            assert_eq!(found, (ClaimVerdict::NotEnoughGames, None, None), "{pairs}: {finding:?}");
        }
    }
}
