//! Tests on simulated games with known effects.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use assay_rules::{GameDef, Points};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::played_games::PlayedGame;
use super::run_cache::{FittedValues, GameResult, Run, RunCache, RunFiles};
use super::{
    ClaimVerdict, Claimed, Effect, Finding, NumberResult, StatedAs, Statement, Test, TestResult, compare,
    correct_for_number_of_tests, scores,
};
use crate::values::data::regressor::Regressor;
use crate::values::inference::fieller::ConfidenceRegion;
use crate::values::playtest::PawnCost;
use crate::values::simulate::{Simulation, TrueValue, synthetic_openings};

/// True log-odds of a pawn.
const PAWN: f64 = 0.4;

pub(super) fn cache() -> RunCache {
    RunCache::new(RunFiles::Folder(PathBuf::from("nowhere")), Vec::new())
}

/// Simulates games and caches their fitted values.
fn simulate(cache: &RunCache, name: &str, pairs: usize, worth: &[(&str, f64, f64)]) {
    simulate_game(cache, &GameDef::builtin(name).unwrap(), pairs, worth);
}

fn simulate_game(cache: &RunCache, game: &Arc<GameDef>, pairs: usize, worth: &[(&str, f64, f64)]) {
    let simulated = simulation(game, pairs, worth).data(5);
    cache.put_values(&game.name, FittedValues::of(&simulated).unwrap());
}

/// `worth` lists true values in pawns: name, full board, few pieces. Other pieces have their published value, or else 4 pawns.
pub(super) fn simulation(game: &Arc<GameDef>, pairs: usize, worth: &[(&str, f64, f64)]) -> Simulation {
    let game = Arc::clone(game);
    let truth = Regressor::all(&game)
        .into_iter()
        .map(|term| {
            let listed = worth.iter().find(|(named, ..)| *named == term.name(&game));
            let default = match term {
                Regressor::Kind(_) => term.published_in_pawns(&game).unwrap_or(4.0),
                Regressor::Pair(_) => term.published_in_pawns(&game).unwrap_or(0.3),
                _ => 0.0,
            };
            let (full, few) = listed.map_or((default, default), |&(_, full, few)| (full, few));
            TrueValue {
                full: PAWN * full,
                few: PAWN * few,
            }
        })
        .collect();
    Simulation {
        truth,
        given: Vec::new(),
        thresholds: vec![0.6],
        correlation: 0.3,
        openings: synthetic_openings(&game, 499, 1),
        pairs,
        positions: 6,
        game,
    }
}

/// Reads a test as a claims file has it.
pub(super) fn test(toml: &str) -> Test {
    toml::from_str(toml).unwrap()
}

pub(super) fn statement(test: Test) -> Statement {
    Statement {
        quote: String::new(),
        document: String::new(),
        stated_as: StatedAs::Claim,
        test,
    }
}

fn findings(test: Test, game: &str, cache: &RunCache) -> Vec<Finding> {
    statement(test).findings(game, cache)
}

fn verdict(test: Test, game: &str, cache: &RunCache) -> ClaimVerdict {
    findings(test, game, cache)[0].verdict
}

/// The verdict on the first claim that contains the text `of`.
fn verdict_on(findings: &[Finding], of: &str) -> ClaimVerdict {
    let found = findings.iter().find(|finding| finding.claim.contains(of));
    found.unwrap_or_else(|| panic!("{of}: {findings:#?}")).verdict
}

#[test]
fn verdicts_follow_from_intervals() {
    let (holds, not, few) = (
        ClaimVerdict::Holds,
        ClaimVerdict::DoesNotHold,
        ClaimVerdict::NotEnoughGames,
    );
    let equal = Claimed::Equal {
        value: 3.0,
        max_width: 1.0,
    };
    let near = Claimed::Near {
        value: 0.5,
        within: 0.02,
    };
    let more = |value| Claimed::MoreThan { value, margin: 0.05 };
    let less = |value| Claimed::LessThan { value, margin: 0.0 };
    let none = ClaimVerdict::NoEffect;
    let cases = [
        (equal, 2.8, 3.3, holds),
        (equal, 2.0, 4.0, few),
        (equal, 3.1, 9.0, not),
        (near, 0.505, 0.515, holds),
        (near, 0.49, 0.53, few),
        (near, 0.51, 0.53, few),
        (near, 0.519, 0.6, few),
        (near, 0.521, 0.6, not),
        (near, 0.4, 0.479, not),
        (more(0.0), 0.1, 0.2, holds),
        (more(0.0), 0.01, 0.02, holds),
        (more(0.0), -0.1, 0.2, few),
        (more(0.0), -0.04, 0.03, none),
        (more(0.0), -0.2, -0.1, not),
        (less(1.0), 0.1, 0.2, holds),
        (less(1.0), 0.99, 1.01, few),
        (less(1.0), 1.1, 1.2, not),
        // A bound on the claimed number excludes nothing.
        (equal, 2.5, 3.0, holds),
        (near, 0.48, 0.52, holds),
        (near, 0.52, 0.6, few),
        (more(0.0), 0.0, 0.2, few),
        (less(1.0), 0.8, 1.0, few),
        (more(0.0), f64::NAN, f64::NAN, few),
        (equal, f64::NAN, f64::NAN, few),
    ];
    for (claimed, low, high, expected) in cases {
        let region = ConfidenceRegion::Bounded { low, high };
        let tested = claimed.tested_number(f64::midpoint(low, high)).unwrap();
        let is_rejected = !region.contains(tested);
        assert_eq!(
            claimed.verdict(region, is_rejected),
            expected,
            "{claimed:?} {low} {high}"
        );
    }
    assert_eq!(equal.verdict(ConfidenceRegion::WholeLine, false), few);
}

#[test]
fn verdicts_are_corrected_for_the_number_of_tests() {
    let number = |value: f64, standard_error: f64| {
        let claimed = Claimed::MoreThan {
            value: 0.0,
            margin: 0.5,
        };
        let effect = Effect::from_error(value, standard_error, 1_000_001, 10).unwrap();
        let result = TestResult::Number(NumberResult {
            claim: String::new(),
            unit: String::new(),
            claimed,
            effect: Ok(effect),
            note: None,
        });
        statement(Test::Values).finding("one", "The first game", result)
    };
    // p-values of 0.046 and below 0.001 among nine without any effect.
    let mut findings: Vec<Finding> = (0..9).map(|_| number(0.0, 1.0)).collect();
    findings.extend([number(2.0, 1.0), number(6.0, 1.0), number(0.2, 0.1)]);
    correct_for_number_of_tests(&mut findings);
    let verdicts = |index: usize| (findings[index].verdict, findings[index].corrected_verdict.unwrap());
    assert_eq!(
        verdicts(0),
        (ClaimVerdict::NotEnoughGames, ClaimVerdict::NotEnoughGames)
    );
    assert_eq!(verdicts(9), (ClaimVerdict::Holds, ClaimVerdict::NotEnoughGames));
    assert_eq!(verdicts(10), (ClaimVerdict::Holds, ClaimVerdict::Holds));
    // Too small to matter either way.
    assert_eq!(verdicts(11), (ClaimVerdict::Holds, ClaimVerdict::NoEffect));
    assert!((findings[9].p.unwrap() - 0.0455).abs() < 1e-4);
}

#[test]
fn published_values_are_tested_individually_and_jointly() {
    let cache = cache();
    // The pawn is worth half of what is published, and half of the pair's bonus belongs to the only bishop value that the document gives.
    let worth = [("pawn", 0.5, 0.5), ("bishop", 2.821, 2.821), ("bishop pair", 1.5, 1.5)];
    simulate(&cache, "gamma2", 4_000, &worth);
    let found = findings(Test::Values, "gamma2", &cache);
    for right in ["queen", "ship", "rook", "archer", "knight", "jointly"] {
        assert_eq!(verdict_on(&found, right), ClaimVerdict::Holds, "{found:#?}");
    }
    let bishop = "the bishop with half of the pair's bonus is worth 3.75 where the army is worth 34.5925";
    assert_eq!(verdict_on(&found, bishop), ClaimVerdict::Holds, "{found:#?}");
    let pawn = "the pawn is worth 1.05 where the army is worth 34.5925";
    assert_eq!(verdict_on(&found, pawn), ClaimVerdict::DoesNotHold, "{found:#?}");
    // Six pieces have five ratios.
    let joint = found.iter().find(|finding| finding.claim.contains("jointly")).unwrap();
    assert_eq!(joint.claimed, Claimed::Joint { values: 5 });
    simulate(&cache, "gamma2", 4_000, &[("archer", 9.0, 9.0)]);
    let found = findings(Test::Values, "gamma2", &cache);
    assert_eq!(verdict_on(&found, "archer"), ClaimVerdict::DoesNotHold);
    assert_eq!(verdict_on(&found, "jointly"), ClaimVerdict::DoesNotHold);
    simulate(&cache, "gamma2", 60, &[]);
    let found = findings(Test::Values, "gamma2", &cache);
    assert_eq!(
        verdict_on(&found, "jointly"),
        ClaimVerdict::NotEnoughGames,
        "{found:#?}"
    );
}

#[test]
fn pair_and_joker_bonuses_are_tested() {
    for (worth, expected) in [(0.5, ClaimVerdict::Holds), (1.5, ClaimVerdict::DoesNotHold)] {
        let cache = cache();
        simulate(&cache, "berolina", 40_000, &[("bishop pair", worth, worth)]);
        assert_eq!(
            verdict(Test::Pair("bishop".to_owned()), "berolina", &cache),
            expected,
            "{worth}"
        );
    }
    for (worth, expected) in [(1.5, ClaimVerdict::Holds), (-1.5, ClaimVerdict::DoesNotHold)] {
        let cache = cache();
        simulate(&cache, "apothecary2", 8_000, &[("joker against a major", worth, worth)]);
        assert_eq!(
            verdict(Test::JokerAgainstMajors, "apothecary2", &cache),
            expected,
            "{worth}"
        );
    }
}

#[test]
fn scorpion_is_measured_relative_to_minor_pieces() {
    let share =
        || test("relative-value = { kind = 'scorpion', others = ['knight', 'bishop'], unit = 3, claimed = 1.5 }");
    let gains = || test("gains-in-endgame = { kind = 'scorpion', others = ['knight', 'bishop'] }");
    let cache = cache();
    // The scorpion is the unit: minor pieces worth 2 make it worth half a minor piece.
    let right = [("knight", 2.0, 2.0), ("bishop", 2.0, 2.0), ("bishop pair", 0.0, 0.0)];
    simulate(&cache, "scorpion", 4_000, &right);
    let found = findings(share(), "scorpion", &cache);
    assert_eq!(found.len(), 2);
    assert_eq!(found[0].verdict, ClaimVerdict::Holds, "{found:#?}");
    // The value on full boards alone is less precise.
    assert_ne!(found[1].verdict, ClaimVerdict::DoesNotHold, "{found:#?}");
    assert_eq!(verdict(gains(), "scorpion", &cache), ClaimVerdict::NotEnoughGames);
    simulate(
        &cache,
        "scorpion",
        4_000,
        &[("knight", 5.0, 1.5), ("bishop", 5.0, 1.5), ("bishop pair", 0.0, 0.0)],
    );
    assert_eq!(verdict(share(), "scorpion", &cache), ClaimVerdict::DoesNotHold);
    let found = findings(gains(), "scorpion", &cache);
    assert_eq!(found[0].verdict, ClaimVerdict::Holds, "{found:#?}");
}

#[test]
fn sums_of_pieces_are_compared_as_a_ratio() {
    let sum = || {
        test(
            "ratio = { of = ['queen'], to = ['rook', 'bishop', 'pawn'], claimed = { shape = 'equal', value = 1, max-width = 0.5 }, claim = 'sum' }",
        )
    };
    let cache = cache();
    simulate(&cache, "gamma2", 4_000, &[("bishop pair", 0.0, 0.0)]);
    let found = findings(sum(), "gamma2", &cache).remove(0);
    assert_eq!(
        (found.claim.as_str(), found.verdict),
        ("sum", ClaimVerdict::Holds),
        "{found:?}"
    );
    // Half of the pair's bonus belongs to the only bishop value that the document gives.
    let worth = [("bishop", 2.8, 2.8), ("bishop pair", 1.5, 1.5)];
    simulate(&cache, "gamma2", 4_000, &worth);
    let found = findings(sum(), "gamma2", &cache).remove(0);
    assert_eq!(found.verdict, ClaimVerdict::Holds, "{found:?}");
    simulate(&cache, "gamma2", 4_000, &[("queen", 15.0, 15.0)]);
    assert_eq!(verdict(sum(), "gamma2", &cache), ClaimVerdict::DoesNotHold);
}

#[test]
fn values_are_compared_between_games() {
    let cache = cache();
    simulate(&cache, "chess", 4_000, &[]);
    // A cheap pawn changes all values in pawns and no share of the army.
    let pawns = [
        ("queen", 11.25),
        ("rook", 6.25),
        ("bishop", 3.75),
        ("knight", 3.75),
        ("bishop pair", 0.375),
    ];
    simulate(
        &cache,
        "gunnery",
        4_000,
        &pawns.map(|(name, worth)| (name, worth, worth)),
    );
    let found = findings(Test::SameValues("chess".to_owned()), "gunnery", &cache);
    assert_eq!(found.len(), 5);
    for finding in &found {
        assert_ne!(finding.verdict, ClaimVerdict::DoesNotHold, "{found:#?}");
    }
    assert_eq!(verdict_on(&found, "knight"), ClaimVerdict::Holds, "{found:#?}");
    simulate(&cache, "gunnery", 4_000, &[("rook", 7.0, 7.0)]);
    let found = findings(Test::SameValues("chess".to_owned()), "gunnery", &cache);
    assert_eq!(verdict_on(&found, "rook"), ClaimVerdict::DoesNotHold);
    assert_eq!(verdict_on(&found, "all pieces"), ClaimVerdict::DoesNotHold);
    // Minor pieces are worth fewer pawns, so a pawn is worth more relative to them.
    let among = test("pawn-among-pieces = { than = 'chess', others = ['knight', 'bishop'] }");
    simulate(&cache, "gunnery", 4_000, &[("knight", 2.5, 2.5), ("bishop", 2.5, 2.5)]);
    assert_eq!(verdict(among, "gunnery", &cache), ClaimVerdict::Holds);
}

#[test]
fn power_is_compared_in_log_odds() {
    let cache = cache();
    simulate(&cache, "chess", 4_000, &[]);
    let stronger = [("queen", 13.0), ("rook", 5.0), ("knight", 4.5), ("pawn", 1.5)];
    simulate(
        &cache,
        "gunnery",
        4_000,
        &stronger.map(|(name, worth)| (name, worth, worth)),
    );
    let found = findings(Test::MorePower("chess".to_owned()), "gunnery", &cache);
    assert_eq!(found.len(), 5);
    for kind in ["queen", "knight", "pawn"] {
        assert_eq!(verdict_on(&found, kind), ClaimVerdict::Holds, "{found:#?}");
    }
    assert_ne!(verdict_on(&found, "rook"), ClaimVerdict::Holds, "{found:#?}");
}

#[test]
fn pawn_costs_are_compared_as_a_ratio() {
    let cost = |log_odds: f64| PawnCost {
        log_odds,
        standard_error: 0.02,
        pairs: 500,
    };
    let more = Claimed::MoreThan {
        value: 1.0,
        margin: 0.0,
    };
    let ratio = |here: f64, there: f64| compare::cost_ratio(&cost(here), &cost(there), "chess");
    let found = ratio(0.6, 0.4).unwrap();
    assert!((found.value - 1.5).abs() < 1e-12);
    assert_eq!(more.verdict(found.interval, true), ClaimVerdict::Holds);
    let found = ratio(0.4, 0.6).unwrap();
    assert_eq!(more.verdict(found.interval, true), ClaimVerdict::DoesNotHold);
    // A pawn that costs nothing, or less, refutes the claim, but nothing can be measured in such pawns.
    for nothing in [0.01, -0.01] {
        let found = ratio(nothing, 0.4).unwrap();
        assert_eq!(more.verdict(found.interval, true), ClaimVerdict::DoesNotHold);
        assert_eq!(
            ratio(0.4, nothing).unwrap_err(),
            "the cost of a missing pawn in chess is not significantly above zero in these games"
        );
    }
}

#[test]
fn games_that_all_end_alike_prove_nothing() {
    let cache = cache();
    let drawn = || random_games(3, 1, 1, |_, _| (0.0, 0.0));
    let starts = [
        Run::equal("one"),
        Run::equal("two"),
        Run::from_start("one", "1+a"),
        Run::from_start("one", "1+b"),
    ];
    for run in starts {
        cache.put_scores(run, drawn());
    }
    let handicap = |start: &str| format!("{{ name = 'x', starts = ['{start}'], favors = 'white', from-center = 1 }}");
    let (a, b) = (handicap("1+a"), handicap("1+b"));
    let tests = [
        Test::FirstMove,
        Test::FewerDraws("two".to_owned()),
        test(&format!("handicaps = [{a}, {b}]")),
        test(&format!("larger-handicap = {{ claim = 'x', more = {a}, less = {b} }}")),
        test(&format!("central-pawns = [{a}, {b}]")),
    ];
    for test in tests {
        let found = findings(test, "one", &cache).remove(0);
        let numbers = (found.verdict, found.measured, found.interval);
        assert_eq!(numbers, (ClaimVerdict::NotEnoughGames, None, None), "{found:?}");
        let note = found.note.as_deref();
        assert_eq!(note, Some("all openings scored the same, so the error is unknown"));
    }
    // Games of the same length.
    let game = |pair: u64| PlayedGame {
        pair,
        plies: 80,
        forcing_moves: None,
        score_change: None,
    };
    cache.put_played(Run::equal("one"), (0..9).map(game).collect());
    cache.put_played(Run::equal("two"), (0..9).map(game).collect());
    let longer = test(
        "compare-play = { than = 'two', measure = 'length', claim = 'x', claimed = { shape = 'equal', value = 1, max-width = 1 } }",
    );
    let found = findings(longer, "one", &cache).remove(0);
    assert_eq!((found.verdict, found.interval), (ClaimVerdict::NotEnoughGames, None));
    // Exact counts have no error.
    let pieces = test("setup = { measure = 'pieces', claimed = 16, claim = 'x' }");
    assert_eq!(verdict(pieces, "chess", &cache), ClaimVerdict::Holds);
}

#[test]
fn replaced_piece_is_measured_on_the_scale_of_the_others() {
    let replaced = |claimed: f64| {
        test(&format!(
            "replaced-piece = {{ kind = 'knight', claimed = {claimed}, claim = 'x', \
             game = {{ name = 'commoner', title = 'c', base = 'gamma2', pieces.knight.move = 'K' }} }}"
        ))
    };
    let game = match &replaced(3.2) {
        Test::ReplacedPiece { game, .. } => game.clone(),
        other => panic!("{other:?}"),
    };
    // What is published for a knight is not published for the piece in its place.
    assert!(game.game.kinds.iter().all(|kind| kind.value.is_none()));
    let cache = RunCache::new(RunFiles::Folder(PathBuf::from("nowhere")), vec![game.clone()]);
    // Pieces are worth what is published for Gamma2, and the new piece is worth 3.2. A bishop is worth less, but a pair makes up for it; the
    // pawn is not part of the scale.
    let worth = [
        ("queen", 10.25),
        ("ship", 6.2625),
        ("rook", 5.5),
        ("archer", 5.45),
        ("bishop", 3.25),
        ("bishop pair", 1.0),
        ("knight", 3.2),
        ("pawn", 0.7),
    ];
    let worth = worth.map(|(name, worth)| (name, worth, worth));
    simulate_game(&cache, &game.game, 6_000, &worth);
    let found = findings(replaced(3.2), "gamma2", &cache).remove(0);
    assert_eq!(found.verdict, ClaimVerdict::Holds, "{found:#?}");
    assert!((found.measured.unwrap() - 3.2).abs() < 0.25, "{found:#?}");
    assert!(
        found
            .unit
            .contains("queen, rook, bishop, ship, archer together are worth 31.2125"),
        "{}",
        found.unit
    );
    let found = findings(replaced(4.5), "gamma2", &cache).remove(0);
    assert_eq!(found.verdict, ClaimVerdict::DoesNotHold, "{found:#?}");
}

#[test]
fn endgames_are_decided_exactly() {
    let test = || test("cannot-force-mate = [['bishop'], ['rook']]");
    let cache = cache();
    let missing = findings(test(), "berolina", &cache);
    assert_eq!(missing[0].verdict, ClaimVerdict::NotEnoughGames);
    assert_eq!(missing[0].note.as_deref(), Some("the endgame has not been solved"));
    for pieces in test().endgames() {
        cache.solve_endgame("berolina", pieces, &AtomicBool::new(false), &mut |_| {});
    }
    let found = findings(test(), "berolina", &cache);
    let numbers = |finding: &Finding| (finding.verdict, finding.measured, finding.p, finding.interval);
    assert_eq!(numbers(&found[0]), (ClaimVerdict::Holds, Some(0.0), None, None));
    assert_eq!(numbers(&found[1]), (ClaimVerdict::DoesNotHold, Some(1.0), None, None));
    assert_eq!(found[0].claim, "king and bishop cannot force mate against a bare king");
    assert!(found[1].positions.is_some_and(|positions| positions > 100_000));
    assert!(found[1].note.as_ref().unwrap().contains("in 16 moves"), "{found:#?}");
}

#[test]
fn ways_of_playing_are_compared_as_a_ratio() {
    let compare = |value: f64, shape: &str| {
        test(&format!(
            "compare-play = {{ than = 'chess', measure = 'forcing-moves', claim = 'x', \
             claimed = {{ shape = '{shape}', value = {value}, margin = 0.05 }} }}"
        ))
    };
    let games = |share: f64, seed: u64| {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut game = |pair: u64| PlayedGame {
            pair,
            plies: 80,
            forcing_moves: Some(share + 0.1 * (random.random::<f64>() - 0.5)),
            score_change: None,
        };
        (0..1_000).flat_map(|pair| [pair, pair]).map(&mut game).collect()
    };
    let cache = cache();
    cache.put_played(Run::equal("chess"), games(0.2, 1));
    cache.put_played(Run::equal("gunnery"), games(0.25, 2));
    let found = findings(compare(1.0, "more-than"), "gunnery", &cache).remove(0);
    assert!((found.measured.unwrap() - 1.25).abs() < 0.03, "{found:?}");
    assert_eq!((found.verdict, found.games), (ClaimVerdict::Holds, 4_000));
    assert_eq!(
        verdict(compare(1.5, "less-than"), "gunnery", &cache),
        ClaimVerdict::Holds
    );
    assert_eq!(
        verdict(compare(1.2, "less-than"), "gunnery", &cache),
        ClaimVerdict::DoesNotHold
    );
    assert_eq!(
        verdict(compare(1.0, "more-than"), "chess", &cache),
        ClaimVerdict::NoEffect
    );
}

#[test]
fn difference_of_equal_errors_has_the_normal_interval() {
    let effect = |value| Effect::from_error(value, 0.3, 1_000_001, 10).unwrap();
    let ConfidenceRegion::Bounded { low, high } = compare::difference(&effect(3.0), &effect(2.0)).interval else {
        panic!("bounded");
    };
    let half = 1.959_96 * 0.3 * 2.0_f64.sqrt();
    assert!((low - (1.0 - half)).abs() < 1e-4 && (high - (1.0 + half)).abs() < 1e-4);
}

/// Random games. `odds` returns the probabilities of White's wins and losses by start and swap.
pub(super) fn random_games(
    pairs: u64,
    starts: usize,
    seed: u64,
    odds: impl Fn(usize, bool) -> (f64, f64),
) -> Vec<GameResult> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut games = Vec::new();
    for pair in 0..pairs {
        let start = pair as usize % starts;
        for swapped in [false, true] {
            let (wins, losses) = odds(start, swapped);
            let draw = random.random::<f64>();
            let white = if draw < wins {
                Points::WIN
            } else if draw < wins + losses {
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
fn draw_rates_are_compared() {
    let cache = cache();
    cache.put_scores(Run::equal("chess"), random_games(2_000, 1, 1, |_, _| (0.3, 0.3)));
    cache.put_scores(Run::equal("gunnery"), random_games(2_000, 1, 2, |_, _| (0.4, 0.4)));
    let fewer = |game: &str, other: &str| findings(Test::FewerDraws(other.to_owned()), game, &cache).remove(0);
    let found = fewer("gunnery", "chess");
    assert_eq!(found.verdict, ClaimVerdict::Holds);
    assert!((found.measured.unwrap() + 0.2).abs() < 0.04, "{found:?}");
    assert_eq!(fewer("chess", "gunnery").verdict, ClaimVerdict::DoesNotHold);
    assert_eq!(fewer("chess", "chess").verdict, ClaimVerdict::NotEnoughGames);
}

#[test]
fn first_move_and_rule_against_it_are_tested() {
    let cache = cache();
    // As many wins as losses by construction, so chance cannot make the score uneven.
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
    let ahead = random_games(4_000, 1, 4, |_, _| (0.5, 0.3));
    cache.put_scores(Run::equal("one"), even.clone());
    cache.put_scores(Run::equal("two"), ahead);
    assert_eq!(verdict(Test::FirstMove, "one", &cache), ClaimVerdict::Holds);
    assert_eq!(verdict(Test::FirstMove, "two", &cache), ClaimVerdict::DoesNotHold);
    let rule = |with: &str, without: &str| {
        let game = |name: &str| format!("{{ name = '{name}', title = '{name}', base = 'chess' }}");
        let rule = format!(
            "rule-helps-black = {{ with = {}, without = {} }}",
            game(with),
            game(without)
        );
        findings(test(&rule), "one", &cache).remove(0)
    };
    assert_eq!(rule("one", "two").verdict, ClaimVerdict::Holds);
    // Identical games have no variance, so a rule without any effect cannot be tested.
    cache.put_scores(Run::equal("three"), even);
    let found = rule("one", "three");
    assert_eq!((found.verdict, found.measured), (ClaimVerdict::NotEnoughGames, None));
    assert!(found.note.unwrap().starts_with("of 4000 openings 0 scored differently"));
}

#[test]
fn starts_are_tested_for_equality() {
    let fair = scores::spread(&random_games(24_000, 24, 5, |_, _| (0.4, 0.4))).unwrap();
    assert!(fair.p > 0.01, "{fair:?}");
    assert!(
        fair.effect.interval.contains(0.0) || fair.effect.value < 0.01,
        "{fair:?}"
    );
    let unfair = scores::spread(&random_games(24_000, 24, 6, |start, _| {
        if start % 2 == 0 { (0.5, 0.3) } else { (0.3, 0.5) }
    }))
    .unwrap();
    assert!(unfair.p < 0.001, "{unfair:?}");
    assert!(unfair.effect.p.unwrap() < 0.001, "{unfair:?}");
    // Expected scores of 0.6 and 0.4.
    assert!(unfair.effect.interval.contains(0.1), "{unfair:?}");
    assert!(scores::spread(&random_games(100, 24, 7, |_, _| (0.4, 0.4))).is_err());
    // Chance spreads few games: the interval of such a spread ends at 0, and equality is not rejected.
    for seed in 0..20 {
        let fair = scores::spread(&random_games(480, 24, seed, |_, _| (0.4, 0.4))).unwrap();
        let p = fair.effect.p.unwrap();
        assert!(p > 0.01 && (p < 1.0) == (fair.effect.value > 0.02), "{seed}: {fair:?}");
    }
}

#[test]
fn spread_intervals_have_nominal_coverage() {
    let mut covered = 0;
    for seed in 0..200 {
        let games = random_games(2_400, 24, 1_000 + seed, |start, _| {
            // Normal quantiles times a twentieth, so that the deviation is about 0.05 points.
            let shift = 0.05 * ((start as f64 + 0.5) / 24.0 - 0.5) * 12.0_f64.sqrt();
            (0.4 + shift, 0.4 - shift)
        });
        let found = scores::spread(&games).unwrap();
        let true_spread = 0.05 * (1.0 - 1.0 / 576.0_f64).sqrt() * (24.0_f64 / 23.0).sqrt();
        covered += u32::from(found.effect.interval.contains(true_spread));
    }
    // Fixed starts vary less than random ones, so coverage is slightly above nominal.
    assert!((180..=200).contains(&covered), "{covered}");
}

#[test]
fn handicaps_are_tested_for_order() {
    let small = "{ name = 'small', starts = ['1+small'], favors = 'white', from-center = 4 }";
    let large = "{ name = 'large', starts = ['1+large'], favors = 'black' }";
    let cache = cache();
    // The receiver changes color with the armies.
    let small_odds = |_, swapped| if swapped { (0.38, 0.42) } else { (0.42, 0.38) };
    let large_odds = |_, swapped| if swapped { (0.6, 0.2) } else { (0.2, 0.6) };
    cache.put_scores(Run::from_start("one", "1+small"), random_games(2_000, 1, 8, small_odds));
    cache.put_scores(Run::from_start("one", "1+large"), random_games(2_000, 1, 9, large_odds));
    let order = |one: &str, two: &str| findings(test(&format!("handicaps = [{one}, {two}]")), "one", &cache).remove(0);
    let right = order(small, large);
    assert_eq!(right.verdict, ClaimVerdict::Holds, "{right:?}");
    assert!((right.measured.unwrap() - 0.18).abs() < 0.03, "{right:?}");
    assert_eq!(order(large, small).verdict, ClaimVerdict::DoesNotHold);
    // Black, who has an extra move in every game, scores 0.6 with it and 0.45 without.
    let even = |_, _| (0.45, 0.35);
    let extra_move = |_, _| (0.3, 0.5);
    cache.put_scores(Run::from_start("one", "1"), random_games(2_000, 1, 10, even));
    cache.put_scores(
        Run::from_start("one", "1+two-moves"),
        random_games(2_000, 1, 11, extra_move),
    );
    let moves = "{ name = 'move', starts = ['1+two-moves'], favors = 'black-in-both-games' }";
    let found = order(small, moves);
    assert!((found.measured.unwrap() - (0.15 - 0.02)).abs() < 0.03, "{found:?}");
    let larger = test(&format!(
        "larger-handicap = {{ claim = 'larger', more = {small}, less = {large} }}"
    ));
    assert_eq!(verdict(larger, "one", &cache), ClaimVerdict::DoesNotHold);
    let nearer = test(&format!("central-pawns = [{small}, {large}]"));
    let slope = findings(nearer, "one", &cache).remove(0);
    assert_eq!(slope.verdict, ClaimVerdict::Holds);
    assert!((slope.measured.unwrap() - 0.18 / 4.0).abs() < 0.01, "{slope:?}");
}
