//! Known effects in, verdicts out.

use std::path::Path;

use assay_rules::{GameDef, Points};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::run_cache::{FittedValues, GameResult, Run, RunCache};
use super::scores::{self, Handicap, Receiver};
use super::{ClaimVerdict, Claimed, Effect, Finding, Statement, Test, compare};
use crate::values::data::regressor::Regressor;
use crate::values::inference::fieller::ConfidenceRegion;
use crate::values::playtest::PawnCost;
use crate::values::simulate::{Simulation, TrueValue, synthetic_openings};

/// The log-odds of a pawn.
const PAWN: f64 = 0.4;

fn cache() -> RunCache {
    RunCache::new(Path::new("nowhere"), Vec::new())
}

/// Games in which each term is worth what `worth` says in pawns (by its name, on a full and on a bare board), else what the
/// inventor says, else 4 pawns.
fn put(cache: &RunCache, name: &str, pairs: usize, worth: &[(&str, f64, f64)]) {
    let game = GameDef::builtin(name).unwrap();
    let truth = Regressor::all(&game)
        .into_iter()
        .map(|term| {
            let told = worth.iter().find(|(named, ..)| *named == term.name(&game));
            let usual = match term {
                Regressor::Kind(_) => term.published_in_pawns(&game).unwrap_or(4.0),
                Regressor::Pair(_) => term.published_in_pawns(&game).unwrap_or(0.3),
                _ => 0.0,
            };
            let (full, bare) = told.map_or((usual, usual), |&(_, full, bare)| (full, bare));
            TrueValue {
                full: PAWN * full,
                bare: PAWN * bare,
            }
        })
        .collect();
    let planted = Simulation {
        truth,
        thresholds: vec![0.6],
        correlation: 0.3,
        openings: synthetic_openings(&game, 499, 1),
        pairs,
        positions: 6,
        game,
    };
    cache.put_values(name, FittedValues::of(&planted.data(5)).unwrap());
}

fn findings(test: Test, game: &str, cache: &RunCache) -> Vec<Finding> {
    let statement = Statement {
        quote: "",
        document: "",
        test,
    };
    statement.findings(game, cache)
}

fn verdict(test: Test, game: &str, cache: &RunCache) -> ClaimVerdict {
    findings(test, game, cache)[0].verdict
}

/// The verdict on the claim that speaks of something.
fn verdict_on(findings: &[Finding], of: &str) -> ClaimVerdict {
    let found = findings.iter().find(|finding| finding.claim.contains(of));
    found.unwrap_or_else(|| panic!("{of}: {findings:#?}")).verdict
}

#[test]
fn verdicts_follow_from_intervals() {
    let (holds, not, few) = (
        ClaimVerdict::Holds,
        ClaimVerdict::DoesNotHold,
        ClaimVerdict::NeedsMoreGames,
    );
    let equal = Claimed::Equal {
        value: 3.0,
        most_width: 1.0,
    };
    let near = Claimed::Near {
        value: 0.5,
        within: 0.02,
    };
    let cases = [
        (equal, 2.8, 3.3, holds),
        (equal, 2.0, 4.0, few),
        (equal, 3.1, 9.0, not),
        (near, 0.505, 0.515, holds),
        (near, 0.49, 0.53, few),
        (near, 0.51, 0.53, not),
        (Claimed::MoreThan { value: 0.0 }, 0.1, 0.2, holds),
        (Claimed::MoreThan { value: 0.0 }, -0.1, 0.2, few),
        (Claimed::MoreThan { value: 0.0 }, -0.2, -0.1, not),
        (Claimed::LessThan { value: 1.0 }, 0.1, 0.2, holds),
        (Claimed::LessThan { value: 1.0 }, 1.1, 1.2, not),
    ];
    for (claimed, low, high, expected) in cases {
        let found = claimed.judge(ConfidenceRegion::Bounded { low, high });
        assert_eq!(found, expected, "{claimed:?} {low} {high}");
    }
    assert_eq!(equal.judge(ConfidenceRegion::WholeLine), few);
}

#[test]
fn a_table_of_values_is_judged_value_by_value_and_together() {
    let cache = cache();
    put(&cache, "gamma2", 4_000, &[("archer", 8.0, 8.0)]);
    let found = findings(Test::Values, "gamma2", &cache);
    for right in ["queen", "ship", "rook", "bishop", "knight"] {
        assert_eq!(verdict_on(&found, right), ClaimVerdict::Holds, "{found:#?}");
    }
    assert_eq!(verdict_on(&found, "archer"), ClaimVerdict::DoesNotHold);
    assert_eq!(verdict_on(&found, "together"), ClaimVerdict::DoesNotHold);
    put(&cache, "gamma2", 60, &[]);
    let found = findings(Test::Values, "gamma2", &cache);
    assert_eq!(
        verdict_on(&found, "together"),
        ClaimVerdict::NeedsMoreGames,
        "{found:#?}"
    );
}

#[test]
fn pairs_and_jokers_are_judged() {
    for (worth, expected) in [(0.5, ClaimVerdict::Holds), (1.5, ClaimVerdict::DoesNotHold)] {
        let cache = cache();
        put(&cache, "berolina", 40_000, &[("bishop pair", worth, worth)]);
        assert_eq!(verdict(Test::Pair("bishop"), "berolina", &cache), expected, "{worth}");
    }
    for (worth, expected) in [(1.5, ClaimVerdict::Holds), (-1.5, ClaimVerdict::DoesNotHold)] {
        let cache = cache();
        put(&cache, "apothecary2", 8_000, &[("joker against a major", worth, worth)]);
        assert_eq!(
            verdict(Test::JokerAgainstMajors, "apothecary2", &cache),
            expected,
            "{worth}"
        );
    }
}

#[test]
fn a_scorpion_is_judged_by_light_pieces() {
    let others: &[&str] = &["knight", "bishop"];
    let share = Test::Share {
        kind: "scorpion",
        others,
        unit: 3.0,
        claimed: 1.5,
    };
    let gains = Test::Gains {
        kind: "scorpion",
        others,
    };
    let cache = cache();
    // The scorpion is the unit here: light pieces of 2 make it half of one.
    let right = [("knight", 2.0, 2.0), ("bishop", 2.0, 2.0), ("bishop pair", 0.0, 0.0)];
    put(&cache, "scorpion", 4_000, &right);
    let found = findings(share, "scorpion", &cache);
    assert_eq!(found.len(), 2);
    assert_eq!(found[0].verdict, ClaimVerdict::Holds, "{found:#?}");
    // Full boards alone are known less well.
    assert_ne!(found[1].verdict, ClaimVerdict::DoesNotHold, "{found:#?}");
    assert_eq!(verdict(gains, "scorpion", &cache), ClaimVerdict::NeedsMoreGames);
    put(
        &cache,
        "scorpion",
        4_000,
        &[("knight", 5.0, 0.5), ("bishop", 5.0, 0.5), ("bishop pair", 0.0, 0.0)],
    );
    assert_eq!(verdict(share, "scorpion", &cache), ClaimVerdict::DoesNotHold);
    assert_eq!(verdict(gains, "scorpion", &cache), ClaimVerdict::Holds);
}

#[test]
fn games_are_compared_piece_by_piece() {
    let cache = cache();
    put(&cache, "chess", 4_000, &[]);
    put(&cache, "gunnery", 4_000, &[("rook", 7.0, 7.0)]);
    let found = findings(Test::SameValues("chess"), "gunnery", &cache);
    assert_eq!(verdict_on(&found, "knight"), ClaimVerdict::Holds, "{found:#?}");
    assert_eq!(verdict_on(&found, "rook"), ClaimVerdict::DoesNotHold);
    assert_eq!(verdict_on(&found, "all pieces"), ClaimVerdict::DoesNotHold);
    // Three in four of everything: a pawn is worth more.
    let others: &[&str] = &["knight", "bishop"];
    let among = Test::PawnAmongPieces { than: "chess", others };
    put(&cache, "gunnery", 4_000, &[("knight", 2.5, 2.5), ("bishop", 2.5, 2.5)]);
    assert_eq!(verdict(among, "gunnery", &cache), ClaimVerdict::Holds);
}

#[test]
fn a_pawn_is_compared_by_what_it_costs() {
    let cost = |log_odds: f64| PawnCost {
        log_odds,
        standard_error: 0.02,
        pairs: 500,
    };
    let found = compare::over(&cost(0.6), &cost(0.4));
    assert!((found.value - 1.5).abs() < 1e-12);
    assert_eq!(
        Claimed::MoreThan { value: 1.0 }.judge(found.interval),
        ClaimVerdict::Holds
    );
    let found = compare::over(&cost(0.4), &cost(0.6));
    assert_eq!(
        Claimed::MoreThan { value: 1.0 }.judge(found.interval),
        ClaimVerdict::DoesNotHold
    );
}

#[test]
fn a_difference_of_equal_errors_has_the_usual_interval() {
    let effect = |value| Effect::from_error(value, 0.3, 1_000_001, 10);
    let ConfidenceRegion::Bounded { low, high } = compare::difference(&effect(3.0), &effect(2.0)).interval else {
        panic!("bounded");
    };
    let half = 1.959_96 * 0.3 * 2.0_f64.sqrt();
    assert!((low - (1.0 - half)).abs() < 1e-4 && (high - (1.0 + half)).abs() < 1e-4);
}

/// Games in which White wins and loses with these probabilities by start, and else draws.
fn played(pairs: u64, starts: usize, seed: u64, odds: impl Fn(usize, bool) -> (f64, f64)) -> Vec<GameResult> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut games = Vec::new();
    for pair in 0..pairs {
        let start = pair as usize % starts;
        for swapped in [false, true] {
            let (wins, losses) = odds(start, swapped);
            let luck = random.random::<f64>();
            let white = if luck < wins {
                Points::WIN
            } else if luck < wins + losses {
                Points::LOSS
            } else {
                Points::DRAW
            };
            games.push(GameResult {
                pair,
                swapped,
                white,
                start,
            });
        }
    }
    games
}

#[test]
fn draws_are_compared() {
    let cache = cache();
    cache.put_scores(Run::equal("chess"), played(2_000, 1, 1, |_, _| (0.3, 0.3)));
    cache.put_scores(Run::equal("gunnery"), played(2_000, 1, 2, |_, _| (0.4, 0.4)));
    let fewer = |game: &str, other: &'static str| findings(Test::FewerDraws(other), game, &cache).remove(0);
    let found = fewer("gunnery", "chess");
    assert_eq!(found.verdict, ClaimVerdict::Holds);
    assert!((found.measured.unwrap() + 0.2).abs() < 0.04, "{found:?}");
    assert_eq!(fewer("chess", "gunnery").verdict, ClaimVerdict::DoesNotHold);
    assert_eq!(fewer("chess", "chess").verdict, ClaimVerdict::NeedsMoreGames);
}

#[test]
fn the_first_move_and_a_rule_against_it_are_judged() {
    let cache = cache();
    // As many wins as losses by construction, so that no luck decides what is called even.
    let even: Vec<GameResult> = (0..4_000_u64)
        .flat_map(|pair| {
            let white = [Points::WIN, Points::LOSS, Points::DRAW, Points::DRAW][pair as usize % 4];
            [false, true].map(|swapped| GameResult {
                pair,
                swapped,
                white,
                start: 0,
            })
        })
        .collect();
    let ahead = played(4_000, 1, 4, |_, _| (0.5, 0.3));
    cache.put_scores(Run::equal("one"), even.clone());
    cache.put_scores(Run::equal("two"), ahead);
    assert_eq!(verdict(Test::FirstMove, "one", &cache), ClaimVerdict::Holds);
    assert_eq!(verdict(Test::FirstMove, "two", &cache), ClaimVerdict::DoesNotHold);
    let (with, without) = ("one", "two");
    assert_eq!(
        verdict(Test::RuleHelpsBlack { with, without }, "one", &cache),
        ClaimVerdict::Holds
    );
    // The same games: no error is small enough for a rule that never made a difference.
    cache.put_scores(Run::equal("three"), even);
    let without = "three";
    let found = findings(Test::RuleHelpsBlack { with, without }, "one", &cache).remove(0);
    assert_eq!((found.verdict, found.measured), (ClaimVerdict::NeedsMoreGames, None));
    assert!(found.note.unwrap().starts_with("of 4000 openings 0 scored differently"));
}

#[test]
fn starts_are_tested_for_being_alike() {
    let fair = scores::spread(&played(24_000, 24, 5, |_, _| (0.4, 0.4))).unwrap();
    assert!(fair.p > 0.01, "{fair:?}");
    assert!(
        fair.effect.interval.contains(0.0) || fair.effect.value < 0.01,
        "{fair:?}"
    );
    let unfair = scores::spread(&played(24_000, 24, 6, |start, _| {
        if start % 2 == 0 { (0.5, 0.3) } else { (0.3, 0.5) }
    }))
    .unwrap();
    assert!(unfair.p < 0.001, "{unfair:?}");
    // Expected scores of 0.6 and 0.4.
    assert!(unfair.effect.interval.contains(0.1), "{unfair:?}");
    assert!(scores::spread(&played(100, 24, 7, |_, _| (0.4, 0.4))).is_err());
}

/// A spread's interval holds the truth as often as it promises.
#[test]
fn intervals_of_spreads_hold_what_they_promise() {
    let mut held = 0;
    for seed in 0..200 {
        let games = played(2_400, 24, 1_000 + seed, |start, _| {
            // Normal quantiles times a twentieth, so that the deviation is about 0.05 points.
            let shift = 0.05 * ((start as f64 + 0.5) / 24.0 - 0.5) * 12.0_f64.sqrt();
            (0.4 + shift, 0.4 - shift)
        });
        let found = scores::spread(&games).unwrap();
        let true_spread = 0.05 * (1.0 - 1.0 / 576.0_f64).sqrt() * (24.0_f64 / 23.0).sqrt();
        held += u32::from(found.effect.interval.contains(true_spread));
    }
    // Fixed starts are a little more regular than random ones, so the intervals hold a little more.
    assert!((180..=200).contains(&held), "{held}");
}

#[test]
fn handicaps_are_put_in_order() {
    let arm = |name, start: &'static [&'static str], receiver, from_middle| Handicap {
        name,
        starts: start,
        receiver,
        from_middle,
    };
    let small = arm("small", &["1+small"], Receiver::FirstWhite, 4.0);
    let large = arm("large", &["1+large"], Receiver::FirstBlack, 0.0);
    let cache = cache();
    // The receiver's colour changes with the armies.
    let small_odds = |_, swapped| if swapped { (0.38, 0.42) } else { (0.42, 0.38) };
    let large_odds = |_, swapped| if swapped { (0.6, 0.2) } else { (0.2, 0.6) };
    cache.put_scores(Run::from("one", "1+small"), played(2_000, 1, 8, small_odds));
    cache.put_scores(Run::from("one", "1+large"), played(2_000, 1, 9, large_odds));
    let order = |arms: &'static [Handicap]| findings(Test::Handicaps(arms), "one", &cache).remove(0);
    let right = order(Box::leak(Box::new([small, large])));
    assert_eq!(right.verdict, ClaimVerdict::Holds, "{right:?}");
    assert!((right.measured.unwrap() - 0.18).abs() < 0.03, "{right:?}");
    assert_eq!(
        order(Box::leak(Box::new([large, small]))).verdict,
        ClaimVerdict::DoesNotHold
    );
    let says = "more";
    let test = Test::MoreThan {
        says,
        more: small,
        less: large,
    };
    assert_eq!(verdict(test, "one", &cache), ClaimVerdict::DoesNotHold);
    let nearer = Test::NearerTheMiddle(Box::leak(Box::new([small, large])));
    let slope = findings(nearer, "one", &cache).remove(0);
    assert_eq!(slope.verdict, ClaimVerdict::Holds);
    assert!((slope.measured.unwrap() - 0.18 / 4.0).abs() < 0.01, "{slope:?}");
}
