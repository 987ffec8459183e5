//! Tests of claims on simulated games with known effects, and of the errors in claims files.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use assay_rules::{GameDef, Points};
use assay_selfplay::settings::GameSource;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::file::GameClaims;
use super::play::{Counted, PlayedGame};
use super::runs::Runs;
use super::terms::{Run, RunKind};
use super::{ClaimVerdict, Claimed, Finding, correct_for_number_of_tests};
use crate::simulation::{Simulation, TrueValue};
use crate::values::data::Regressor;
use crate::values::design::PhaseModel;
use crate::values::inference::{Fit, Quantity};

use ClaimVerdict::{DoesNotHold, Holds, NoEffect, NotEnoughGames, NotTested};

/// True log-odds of a pawn.
const PAWN: f64 = 0.4;

/// A claims file about a built-in game, with this end of its only claim.
pub(super) fn claims(game: &str, claim: &str) -> GameClaims {
    parse(GameSource::builtin(game).unwrap(), claim).unwrap()
}

fn parse(source: GameSource, claim: &str) -> Result<GameClaims, String> {
    let text = format!("document = 'a'\n\n[[claims]]\nquote = 'b'\n{claim}\n");
    GameClaims::parse(&text, "my.claims.toml", source).map_err(|error| error.to_string())
}

pub(super) fn runs_of(claims: &GameClaims) -> Runs<'static> {
    let sources = claims.sources().cloned().collect();
    Runs::new(BTreeMap::new(), sources)
}

/// Games between equal armies.
pub(super) fn equal(game: &str) -> Run {
    Run::new(game, RunKind::Equal)
}

/// Games from a start of Apothecary Chess 2.
pub(super) fn from_start(start: &str) -> Run {
    Run::new("apothecary2", RunKind::Start(start.to_owned()))
}

/// Built-in games without any run.
fn no_runs() -> Runs<'static> {
    runs_of(&claims("chess", "claim = 'draws < 1'"))
}

/// The finding on the only statement, after those on its parts.
fn findings(game: &str, claim: &str, runs: &mut Runs<'_>) -> Vec<Finding> {
    let finding = claims(game, claim).statements[0].finding(game, runs);
    [finding.parts.clone(), vec![finding]].concat()
}

fn verdict(game: &str, claim: &str, runs: &mut Runs<'_>) -> ClaimVerdict {
    findings(game, claim, runs)[0].verdict
}

/// The verdict on the first claim that contains the text `of`.
fn verdict_on(findings: &[Finding], of: &str) -> ClaimVerdict {
    let found = findings.iter().find(|finding| finding.claim.contains(of));
    found.unwrap_or_else(|| panic!("{of}: {findings:#?}")).verdict
}

/// Simulates games and keeps their fitted values.
fn simulate(runs: &mut Runs<'_>, name: &str, pairs: usize, worth: &[(&str, f64, f64)]) {
    let game = runs.source(name).unwrap().game;
    let simulated = simulation(&game, pairs, worth).data(5);
    runs.put_values(name, Fit::of_games(&simulated, PhaseModel::default()).unwrap());
}

/// `worth` lists true values in pawns: name, full board, few pieces. Other pieces have their
/// published value, or else 4 pawns.
pub(super) fn simulation(game: &Arc<GameDef>, pairs: usize, worth: &[(&str, f64, f64)]) -> Simulation {
    let truth = |term: Regressor| {
        let listed = worth.iter().find(|(named, ..)| *named == term.name(game));
        let default = match term {
            Regressor::Kind(_) => term.published_in_pawns(game).unwrap_or(4.0),
            Regressor::Pair(_) => term.published_in_pawns(game).unwrap_or(0.3),
            _ => 0.0,
        };
        let (full, few) = listed.map_or((default, default), |&(_, full, few)| (full, few));
        TrueValue { full: PAWN * full, few: PAWN * few }
    };
    let truth = Regressor::all(game).into_iter().map(truth).collect();
    Simulation { thresholds: vec![0.6], correlation: 0.3, positions: 6, ..Simulation::synthetic(game, truth, pairs) }
}

/// Random games. `odds` returns the probabilities of White's wins and losses in the first and, with
/// `true`, the second game of a pair.
pub(super) fn random_games(pairs: usize, seed: u64, odds: impl Fn(bool) -> (f64, f64)) -> Vec<PlayedGame> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut games = Vec::new();
    for pair in 0..pairs {
        for swapped in [false, true] {
            let (wins, losses) = odds(swapped);
            let draw = random.random::<f64>();
            let white = if draw < wins {
                Points::WIN
            } else if draw < wins + losses {
                Points::LOSS
            } else {
                Points::DRAW
            };
            games.push(game(pair, swapped, white));
        }
    }
    games
}

fn game(pair: usize, swapped: bool, white: Points) -> PlayedGame {
    PlayedGame {
        pair,
        white,
        army: if swapped { white.flipped() } else { white },
        first: white,
        counted: Counted::new(),
        evals: Vec::new(),
    }
}

#[test]
fn verdicts_follow_from_intervals() {
    let equal = Claimed::Equal { value: 3.0, max_width: 1.0 };
    let near = Claimed::Near { value: 0.5, within: 0.02 };
    let more = |value| Claimed::MoreThan { value, margin: 0.05 };
    let less = |value| Claimed::LessThan { value, margin: 0.0 };
    let cases = [
        (equal, 2.8, 3.3, Holds),
        (equal, 2.0, 4.0, NotEnoughGames),
        (equal, 3.1, 9.0, DoesNotHold),
        (near, 0.505, 0.515, Holds),
        (near, 0.49, 0.53, NotEnoughGames),
        (near, 0.51, 0.53, NotEnoughGames),
        (near, 0.519, 0.6, NotEnoughGames),
        (near, 0.521, 0.6, DoesNotHold),
        (near, 0.4, 0.479, DoesNotHold),
        (more(0.0), 0.1, 0.2, Holds),
        (more(0.0), 0.01, 0.02, Holds),
        (more(0.0), -0.1, 0.2, NotEnoughGames),
        (more(0.0), -0.04, 0.03, NoEffect),
        (more(0.0), -0.2, -0.1, DoesNotHold),
        (less(1.0), 0.1, 0.2, Holds),
        (less(1.0), 0.99, 1.01, NotEnoughGames),
        (less(1.0), 1.1, 1.2, DoesNotHold),
        // A bound on the claimed number excludes nothing.
        (equal, 2.5, 3.0, Holds),
        (near, 0.48, 0.52, Holds),
        (near, 0.52, 0.6, NotEnoughGames),
        (more(0.0), 0.0, 0.2, NotEnoughGames),
        (less(1.0), 0.8, 1.0, NotEnoughGames),
        (more(0.0), f64::NAN, f64::NAN, NotEnoughGames),
        (equal, f64::NAN, f64::NAN, NotEnoughGames),
    ];
    for (claimed, low, high, expected) in cases {
        let tested = claimed.tested_number(f64::midpoint(low, high)).unwrap();
        let is_rejected = !(low..=high).contains(&tested);
        let found = claimed.verdict([low, high], is_rejected);
        assert_eq!(found, expected, "{claimed:?} {low} {high}");
    }
}

#[test]
fn p_values_are_those_of_students_t() {
    let finding = |value: f64, openings: usize| Finding {
        measured: Some(value),
        interval: Quantity::single(value, 1.0, openings, 20).estimate().interval,
        openings,
        ..Finding::default()
    };
    // Tail probabilities of t with 9 degrees of freedom, whose 97.5% quantile is 2.262.
    let few = finding(1.0, 10);
    let p = |value: f64| few.p_value(value).unwrap();
    assert!((p(1.0 + 2.262_157) - 0.05).abs() < 1e-6 && (p(1.0 - 2.262_157) - 0.05).abs() < 1e-6);
    let twice = p(1.0 + 2.0 * 2.262_157);
    assert!((0.001_3..0.001_5).contains(&twice), "{twice}");
    assert!((p(1.0) - 1.0).abs() < 1e-12);
    // With many clusters, three standard errors have the normal probability.
    assert!((finding(3.0, 1_000_001).p_value(0.0).unwrap() - 0.002_700).abs() < 1e-5);
}

#[test]
fn verdicts_are_corrected_for_the_number_of_tests() {
    let comparison = &claims("gunnery", "claim = 'draws > chess: draws'\nwithin = 0.5").statements[0].parts[0];
    let number = |value: f64, standard_error: f64| {
        let quantity = Quantity::single(value, standard_error, 1_000_001, 10);
        let finding = Finding {
            claimed: comparison.claimed,
            measured: Some(value),
            interval: quantity.estimate().interval,
            openings: quantity.clusters(),
            ..Finding::default()
        };
        finding.judged()
    };
    // p-values of 0.046 and below 0.001 among nine without any effect.
    let mut findings: Vec<Finding> = (0..9).map(|_| number(0.0, 1.0)).collect();
    findings.extend([number(2.0, 1.0), number(6.0, 1.0), number(0.2, 0.1)]);
    let by_itself: Vec<ClaimVerdict> = findings.iter().map(|finding| finding.verdict).collect();
    correct_for_number_of_tests(&mut findings);
    let verdicts = |index: usize| (by_itself[index], findings[index].verdict);
    assert_eq!(verdicts(0), (NotEnoughGames, NotEnoughGames));
    assert_eq!(verdicts(9), (Holds, NotEnoughGames));
    assert_eq!(verdicts(10), (Holds, Holds));
    // Too small to matter either way.
    assert_eq!(verdicts(11), (Holds, NoEffect));
    assert!((findings[9].p.unwrap() - 0.0455).abs() < 1e-4);
}

#[test]
fn published_values_are_tested_as_ratios() {
    let mut runs = no_runs();
    let worth = [("bishop", 2.821, 2.821), ("bishop pair", 1.5, 1.5)];
    simulate(&mut runs, "gamma2", 4_000, &worth);
    // Half of the pair's bonus belongs to the only bishop value that the document gives.
    let found = findings("gamma2", "claim = 'published'\nwithin = '25%'", &mut runs);
    assert!(found.iter().all(|finding| finding.verdict == Holds), "{found:#?}");
    assert_eq!(found[6].claimed, Claimed::Joint { values: 6 });
    simulate(&mut runs, "gamma2", 4_000, &[("archer", 9.0, 9.0)]);
    let found = findings("gamma2", "claim = 'published'", &mut runs);
    assert_eq!(verdict_on(&found, "rook / archer = 5.5 / 5.45"), DoesNotHold);
    assert_ne!(verdict_on(&found, "bishop / knight = 3.75 / 3.38"), DoesNotHold);
    assert_eq!(found[6].verdict, DoesNotHold);
    // An archer is worth 5.45 or 5.5, a bishop 3.75.
    let Claimed::Near { value, within } = found[3].claimed else { panic!("{:?}", found[3]) };
    let margin = 0.1 * 5.45 / 3.75;
    assert!((value - within - (5.45 / 3.75 - margin)).abs() < 1e-9);
    assert!((value + within - (5.5 / 3.75 + margin)).abs() < 1e-9);
    simulate(&mut runs, "gamma2", 60, &[]);
    assert_eq!(findings("gamma2", "claim = 'published'", &mut runs)[6].verdict, NotEnoughGames);
}

#[test]
fn values_of_a_definition_are_claims() {
    let definition = |values: &[(&str, f64)]| {
        let values = values.iter().map(|(piece, value)| format!("[pieces.{piece}]\nvalue = {value}\n"));
        let values: String = values.collect();
        let text = format!("name = 'x'\ntitle = 'x'\nbase = 'chess'\nsource = 'nobody'\n{values}");
        let claims = GameClaims::of_definition(GameSource::from_text(text, "x").unwrap());
        let parts = claims.statements.iter().flat_map(|statement| &statement.parts);
        parts.map(|part| part.label.clone()).collect::<Vec<_>>()
    };
    let found = definition(&[("queen", 900.0), ("pawn", 100.0), ("king", 400.0), ("rook", 512.5)]);
    assert_eq!(found, ["queen / rook = 900 / 512.5", "rook / pawn = 512.5 / 100"]);
    assert!(definition(&[("queen", 9.0)]).is_empty());
}

/// Consecutive claims with the same words.
#[test]
fn claims_are_parts_of_statements() {
    let text = |quotes: &[(&str, &str)]| {
        let claims = quotes.iter().map(|(quote, stated)| {
            format!("[[claims]]\nquote = '{quote}'\nclaim = 'draws < 1'\nstated-as = '{stated}'\n")
        });
        format!("document = 'a'\n{}", claims.collect::<String>())
    };
    let long = "words ".repeat(20);
    let quotes = [(&*long, "claim"), (&long, "claim"), (&long, "aim"), ("b", "aim"), (&long, "claim")];
    let chess = GameSource::builtin("chess").unwrap();
    let found = GameClaims::parse(&text(&quotes), "", chess).unwrap().statements;
    let parts: Vec<usize> = found.iter().map(|statement| statement.parts.len()).collect();
    assert_eq!(parts, [2, 1, 1, 1]);
    let title = format!("\u{201c}{}words ...\u{201d}", "words ".repeat(12));
    assert_eq!((&*found[0].claim, &*found[1].claim), (&*title, "draws < 1"));
}

/// Parts without games, and exact ones.
#[test]
fn verdicts_on_statements_follow_from_their_parts() {
    let part = |verdict, p: Option<f64>| {
        let exact = Finding {
            verdict,
            measured: Some(if verdict == Holds { 1.0 } else { -1.0 }),
            claimed: Claimed::MoreThan { value: 0.0, margin: 0.0 },
            ..Finding::default()
        };
        let interval = p.map(|_| [0.0, 2.0]);
        Finding { interval, p, ..exact }
    };
    let cases = [
        (vec![part(Holds, None), part(Holds, None)], Holds, None),
        (vec![part(Holds, Some(0.01)), part(Holds, Some(0.04))], Holds, Some(0.04)),
        (vec![part(Holds, Some(0.01)), part(Holds, None)], Holds, Some(1.0)),
        (vec![part(Holds, Some(0.01)), part(DoesNotHold, None)], DoesNotHold, None),
        (vec![part(Holds, Some(0.01)), part(DoesNotHold, Some(0.03))], NotEnoughGames, Some(0.06)),
        (vec![part(Holds, Some(0.01)), part(DoesNotHold, Some(0.02))], DoesNotHold, Some(0.04)),
        (vec![part(Holds, Some(0.01)), part(NoEffect, Some(0.5))], NoEffect, Some(1.0)),
        (vec![part(NotEnoughGames, None), part(NoEffect, Some(0.5))], NotEnoughGames, Some(0.5)),
        (vec![part(NotEnoughGames, None), part(Holds, Some(0.01))], NotEnoughGames, Some(1.0)),
    ];
    for (parts, verdict, p) in cases {
        let found = Finding::default().of_parts(parts, None);
        assert_eq!((found.verdict, found.p), (verdict, p), "{found:#?}");
    }
    // Both directions hold by themselves, but not after the correction.
    let both = Finding::default().of_parts(vec![part(Holds, Some(0.01)), part(Holds, Some(0.04))], None);
    let mut found = vec![both, part(NotEnoughGames, Some(0.9))];
    correct_for_number_of_tests(&mut found);
    assert_eq!(found[0].verdict, NotEnoughGames);
}

#[test]
fn pair_and_joker_bonuses_are_tested() {
    let pair = "claim = '21 * pair(bishop) / (queen + rook + bishop + knight) = 0.5'\nwithin = 0.4";
    let joker = "claim = 'against_majors(joker) / pawn > 0'\nwithin = 0.25";
    let mut runs = no_runs();
    for (worth, expected) in [(0.5, Holds), (2.0, DoesNotHold)] {
        simulate(&mut runs, "berolina", 40_000, &[("bishop pair", worth, worth)]);
        assert_eq!(verdict("berolina", pair, &mut runs), expected, "{worth}");
    }
    for (worth, expected) in [(1.5, Holds), (-1.5, DoesNotHold)] {
        simulate(&mut runs, "apothecary2", 8_000, &[("joker against a major", worth, worth)]);
        assert_eq!(verdict("apothecary2", joker, &mut runs), expected, "{worth}");
    }
}

#[test]
fn values_are_measured_in_a_phase() {
    let share = "claim = '3 * scorpion / mean(knight, bishop) = 1.5'";
    let gains = "claim = 'few: scorpion / mean(knight, bishop) > full: scorpion / mean(knight, bishop)'\nwithin = 0.05";
    let mut runs = no_runs();
    // The scorpion is the unit: minor pieces worth 2 make it worth half a minor piece.
    let right = [("knight", 2.0, 2.0), ("bishop", 2.0, 2.0), ("bishop pair", 0.0, 0.0)];
    simulate(&mut runs, "scorpion", 4_000, &right);
    assert_eq!(verdict("scorpion", share, &mut runs), Holds);
    // The value on full boards alone is less precise.
    let width = |claim: &str, runs: &mut Runs<'_>| {
        let [low, high] = findings("scorpion", claim, runs)[0].interval.unwrap();
        high - low
    };
    let full = share.replace("'3", "'full: 3");
    assert!(width(&full, &mut runs) > 1.2 * width(share, &mut runs));
    assert_eq!(verdict("scorpion", gains, &mut runs), NotEnoughGames);
    let changing = [("knight", 5.0, 1.5), ("bishop", 5.0, 1.5), ("bishop pair", 0.0, 0.0)];
    simulate(&mut runs, "scorpion", 4_000, &changing);
    assert_eq!(verdict("scorpion", share, &mut runs), DoesNotHold);
    assert_eq!(verdict("scorpion", gains, &mut runs), Holds);
}

#[test]
fn sums_of_pieces_are_compared_as_a_ratio() {
    let sum = "claim = 'queen = rook + bishop + pawn'";
    let mut runs = no_runs();
    simulate(&mut runs, "gamma2", 4_000, &[("bishop pair", 0.0, 0.0)]);
    let found = findings("gamma2", sum, &mut runs).remove(0);
    assert_eq!((&*found.claim, found.verdict), ("queen = rook + bishop + pawn", Holds), "{found:?}");
    // Half of the pair's bonus belongs to the only bishop value that the document gives.
    simulate(&mut runs, "gamma2", 4_000, &[("bishop", 2.8, 2.8), ("bishop pair", 1.5, 1.5)]);
    let found = findings("gamma2", sum, &mut runs).remove(0);
    assert_eq!((found.verdict, found.claimed.value()), (Holds, Some(1.0)), "{found:?}");
    simulate(&mut runs, "gamma2", 4_000, &[("queen", 15.0, 15.0)]);
    assert_eq!(verdict("gamma2", sum, &mut runs), DoesNotHold);
    // A relation that is true of all games says nothing about these.
    let same = findings("gamma2", "claim = 'queen + queen > queen'", &mut runs).remove(0);
    assert_eq!((same.verdict, same.measured), (NotEnoughGames, None));
}

#[test]
fn values_are_compared_between_games() {
    let same = "claim = 'each / mean(queen, rook, bishop, knight) = chess: each / mean(queen, rook, bishop, knight)'\n\
                each = ['queen', 'rook', 'bishop', 'knight']\nlabel = 'each is the same'";
    let mut runs = no_runs();
    simulate(&mut runs, "chess", 4_000, &[]);
    // A cheap pawn changes all values in pawns and no share of the army.
    let pawns = [("queen", 11.25), ("rook", 6.25), ("bishop", 3.75), ("knight", 3.75), ("bishop pair", 0.375)];
    simulate(&mut runs, "gunnery", 4_000, &pawns.map(|(name, worth)| (name, worth, worth)));
    let found = findings("gunnery", same, &mut runs);
    assert_eq!(found.len(), 5);
    assert!(found.iter().all(|finding| finding.verdict != DoesNotHold), "{found:#?}");
    assert_eq!(verdict_on(&found, "the knight is the same"), Holds, "{found:#?}");
    assert_eq!(found[4].claimed, Claimed::Joint { values: 4 });
    simulate(&mut runs, "gunnery", 4_000, &[("rook", 7.0, 7.0)]);
    let found = findings("gunnery", same, &mut runs);
    assert_eq!(verdict_on(&found, "rook"), DoesNotHold);
    assert_eq!(verdict_on(&found, "each is the same"), DoesNotHold);
    // Minor pieces are worth fewer pawns, so a pawn is worth more relative to them.
    let among = "claim = 'pawn / mean(knight, bishop) > chess: pawn / mean(knight, bishop)'\nwithin = 0.02";
    simulate(&mut runs, "gunnery", 4_000, &[("knight", 2.5, 2.5), ("bishop", 2.5, 2.5)]);
    assert_eq!(verdict("gunnery", among, &mut runs), Holds);
    // Power is compared in log-odds.
    let power =
        "claim = 'log_odds(each) > chess: log_odds(each)'\neach = ['queen', 'rook', 'knight', 'pawn']\nwithin = '5%'";
    let stronger = [("queen", 13.0), ("rook", 5.0), ("knight", 4.5), ("pawn", 1.5)];
    simulate(&mut runs, "gunnery", 4_000, &stronger.map(|(name, worth)| (name, worth, worth)));
    let found = findings("gunnery", power, &mut runs);
    let verdicts: Vec<ClaimVerdict> = found.iter().map(|finding| finding.verdict).collect();
    assert!(verdicts == [Holds, NotEnoughGames, Holds, Holds, NotEnoughGames], "{found:#?}");
}

#[test]
fn a_piece_of_a_defined_game_is_measured_on_the_scale_of_the_others() {
    let claim = "claim = 'commoner: 31.2125 * knight / (queen + rook + bishop + pair(bishop) / 2 + ship + archer) = 3.2'\n\
                 [games.commoner]\nbase = 'gamma2'\npieces.knight.move = 'K'";
    let mut runs = runs_of(&claims("gamma2", claim));
    // Pieces are worth what is published for Gamma2, and the new piece is worth 3.2. A bishop is
    // worth less, but a pair makes up for it.
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
    simulate(&mut runs, "commoner", 6_000, &worth.map(|(name, worth)| (name, worth, worth)));
    let found = findings("gamma2", claim, &mut runs).remove(0);
    assert_eq!(found.verdict, Holds, "{found:#?}");
    assert!((found.measured.unwrap() - 3.2).abs() < 0.25, "{found:#?}");
    let other = claim.replace("= 3.2'", "= 4.5'");
    assert_eq!(verdict("gamma2", &other, &mut runs), DoesNotHold);
}

/// A game whose second start has fewer pieces than the first one, as a game of the claims file.
const TWO_STARTS: &str = "[games.two]\nbase = 'chess'\n\
    [[games.two.starts]]\nid = '1'\ntitle = 'a'\nfen = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'\n\
    [[games.two.starts]]\nid = '2'\ntitle = 'b'\nfen = 'r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1'";

#[test]
fn pieces_are_counted_at_all_starts_of_both_games() {
    let claim = |formula: &str| format!("claim = '{formula}'\n{TWO_STARTS}");
    let found = |formula: &str| {
        let claims = claims("chess", &claim(formula));
        let found = claims.statements[0].finding("chess", &mut runs_of(&claims));
        (found.verdict, found.measured, found.positions)
    };
    for (formula, verdict, measured, positions) in [
        ("two: pieces = 16", DoesNotHold, 11.0, 2),
        ("two: pieces = pieces", DoesNotHold, -5.0, 2),
        ("pieces = two: pieces", DoesNotHold, 5.0, 2),
        ("two: density = density", DoesNotHold, -0.15625, 2),
        ("pieces > two: pieces", DoesNotHold, 0.0, 2),
        ("pieces = gunnery: pieces", Holds, 0.0, 1),
        ("pieces < apothecary2: pieces", Holds, -9.0, 24),
    ] {
        assert_eq!(found(formula), (verdict, Some(measured), Some(positions)), "{formula}");
    }
}

#[test]
fn each_is_a_word() {
    let claim = "claim = 'each = 6'\neach = ['kinds']\nlabel = 'each side can reach each beach: each.'";
    let found = findings("chess", claim, &mut no_runs()).remove(0);
    assert_eq!(found.claim, "the kinds side can reach the kinds beach: the kinds.");
    assert_eq!(found.formula, "kinds = 6");
}

#[test]
fn names_of_pieces_may_have_apostrophes() {
    let text = "name = 'x'\ntitle = 'x'\nbase = 'chess'\nsource = 'x'\n[pieces.rook]\nname = \"king's man\"\nvalue = 5\n\
        [pieces.queen]\nvalue = 9\n";
    let source = GameSource::from_text(text.to_owned(), "x").unwrap();
    let claims = GameClaims::of_definition(source);
    assert!(!claims.statements.is_empty());
    assert!(claims.statements[0].runs().next().is_some());
}

#[test]
fn games_that_all_end_alike_prove_nothing() {
    let mut runs = no_runs();
    for run in ["14+pawn:a4", "14+pawn:b4"].map(from_start) {
        runs.put_games(run, &random_games(3, 1, |_| (0.0, 0.0)));
    }
    for game in ["chess", "apothecary2"] {
        runs.put_games(equal(game), &random_games(3, 1, |_| (0.0, 0.0)));
    }
    for claim in [
        "white_score = 50%",
        "draws < chess: draws",
        "length / chess: length = 1",
        "score(14+pawn:a4) < score(14+pawn:b4)",
        "score(14+pawn:a4) = score(14+pawn:b4) = white_score",
    ] {
        let found = findings("apothecary2", &format!("claim = '{claim}'"), &mut runs).remove(0);
        let numbers = (found.verdict, found.measured, found.interval);
        assert_eq!(numbers, (NotEnoughGames, None, None), "{found:?}");
        assert!(found.note.as_ref().unwrap().contains("all scored the same"), "{found:?}");
    }
}

#[test]
fn exact_numbers_are_decided_without_games() {
    let mut runs = no_runs();
    let found = findings("chess", "claim = 'pieces = 16'", &mut runs).remove(0);
    assert_eq!((found.verdict, found.measured, found.positions), (Holds, Some(16.0), Some(1)));
    // Two starts: the one that is farther from the claim decides.
    let text = "name = 'x'\ntitle = 'x'\nbase = 'chess'\n\
                starts = [{ id = '1', title = 'x', fen = '4k3/8/8/8/8/8/8/R3K3 w - - 0 1' }, \
                { id = '2', title = 'y', fen = '4k3/8/8/8/8/8/8/RR2K3 w - - 0 1' }]\n";
    let found = parse(GameSource::from_text(text.to_owned(), "x").unwrap(), "claim = 'pieces < 3'").unwrap();
    let found = found.statements[0].finding("x", &mut runs_of(&found));
    assert_eq!((found.verdict, found.measured, found.positions), (DoesNotHold, Some(3.0), Some(2)));

    let endgame = |pieces: &str| format!("claim = 'forced_mates({pieces}) < 0.1%'\nlabel = 'no mate'");
    let missing = findings("berolina", &endgame("bishop"), &mut runs).remove(0);
    assert_eq!(missing.verdict, NotEnoughGames);
    assert_eq!(missing.note.as_deref(), Some("the endgame has not been solved"));
    let berolina = GameDef::builtin("berolina").unwrap();
    for (pieces, expected, won) in [("bishop", Holds, 0.0), ("rook", DoesNotHold, 1.0)] {
        for (_, pieces) in claims("berolina", &endgame(pieces)).statements[0].endgames() {
            runs.solve_endgame(&berolina, pieces, &AtomicBool::new(false), &mut |_| {});
        }
        let found = findings("berolina", &endgame(pieces), &mut runs).remove(0);
        let numbers = (found.verdict, found.measured, found.p, found.interval);
        assert_eq!(numbers, (expected, Some(won), None, None));
        assert!(found.positions.is_some_and(|positions| positions > 100_000));
        assert_eq!(found.note.as_ref().unwrap().contains("in 16 moves"), won > 0.0, "{found:#?}");
    }
}

#[test]
fn ways_of_playing_are_compared() {
    let games = |share: f64, draws: f64, seed: u64| {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut games = random_games(2_000, seed, |_| (0.5 - draws / 2.0, 0.5 - draws / 2.0));
        for game in &mut games {
            game.counted.insert("forcing_moves", share + 0.1 * (random.random::<f64>() - 0.5));
        }
        games
    };
    let mut runs = no_runs();
    runs.put_games(equal("chess"), &games(0.2, 0.4, 1));
    runs.put_games(equal("gunnery"), &games(0.25, 0.2, 2));
    runs.put_games(equal("berolina"), &games(0.2, 0.4, 3));
    let more = "claim = 'forcing_moves > chess: forcing_moves'\nwithin = '5%'";
    let found = findings("gunnery", more, &mut runs).remove(0);
    assert!((found.measured.unwrap() - 1.25).abs() < 0.03, "{found:?}");
    assert_eq!((found.verdict, found.games), (Holds, 8_000));
    assert_eq!(verdict("berolina", more, &mut runs), NoEffect);
    for (bound, expected) in [(1.5, Holds), (1.2, DoesNotHold)] {
        let bound = format!("claim = 'forcing_moves / chess: forcing_moves < {bound}'\nwithin = 0.05");
        assert_eq!(verdict("gunnery", &bound, &mut runs), expected);
    }
    let fewer = "claim = 'draws < chess: draws'\nwithin = 0.02";
    let found = findings("gunnery", fewer, &mut runs).remove(0);
    assert!((found.measured.unwrap() + 0.2).abs() < 0.04, "{found:?}");
    assert_eq!(found.verdict, Holds);
    assert_eq!(verdict("chess", "claim = 'draws < gunnery: draws'", &mut runs), DoesNotHold);
}

#[test]
fn first_move_and_rule_against_it_are_tested() {
    let even = "claim = 'white_score = 50%'\nwithin = 0.02";
    let rule = |with: &str, without: &str| {
        format!(
            "claim = '{with}: white_score < {without}: white_score'\nwithin = 0.02\n\
             [games]\none = {{ base = 'chess' }}\ntwo = {{ base = 'chess' }}\nthree = {{ base = 'chess' }}"
        )
    };
    let mut runs = runs_of(&claims("chess", &rule("one", "two")));
    // As many wins as losses by construction, so chance cannot make the score uneven.
    let fair = |pair: usize| [Points::WIN, Points::LOSS, Points::DRAW, Points::DRAW][pair % 4];
    let games: Vec<PlayedGame> =
        (0..4_000).flat_map(|pair| [false, true].map(|swapped| game(pair, swapped, fair(pair)))).collect();
    // The rule costs White a win in every tenth pair. Unpaired, 4,000 pairs would not show it.
    let mut with = games.clone();
    for game in with.iter_mut().filter(|game| game.pair % 40 == 0) {
        game.white = Points::DRAW;
    }
    runs.put_games(equal("one"), &with);
    runs.put_games(equal("two"), &games);
    runs.put_games(equal("three"), &games);
    runs.put_games(equal("chess"), &games);
    runs.put_games(equal("gunnery"), &random_games(4_000, 4, |_| (0.5, 0.3)));
    assert_eq!(verdict("chess", even, &mut runs), Holds);
    assert_eq!(verdict("gunnery", even, &mut runs), DoesNotHold);
    let found = findings("chess", &rule("one", "two"), &mut runs).remove(0);
    assert_eq!(found.verdict, Holds, "{found:?}");
    // Identical games have no variance, so a rule without any effect cannot be tested.
    let found = findings("chess", &rule("two", "three"), &mut runs).remove(0);
    assert_eq!((found.verdict, found.measured), (NotEnoughGames, None));
    assert!(found.note.unwrap().contains("do not differ"));
}

#[test]
fn what_players_do_not_do_is_not_tested() {
    let claim = "claim = 'white_score > 50%'\nneeds = 'late_placements > 0.05'";
    let unplayed = findings("apothecary2", claim, &mut no_runs()).remove(0);
    assert_eq!(unplayed.verdict, NotEnoughGames, "{unplayed:?}");
    // One game in so many has a late placement.
    for (every, verdict, note) in [
        (10_000, NotTested, "late_placements > 0.05, found in no game"),
        (100, NotTested, "late_placements > 0.05, found 0.010"),
        (20, NotEnoughGames, "late_placements > 0.05, found 0.050"),
        (3, Holds, ""),
    ] {
        let mut games = random_games(400, 1, |_| (0.6, 0.3));
        for (number, game) in (1..).zip(&mut games) {
            game.counted.insert("late_placements", f64::from(u8::from(number % every == 0)));
        }
        let mut runs = no_runs();
        runs.put_games(equal("apothecary2"), &games);
        let found = findings("apothecary2", claim, &mut runs).remove(0);
        assert_eq!(found.verdict, verdict, "{found:?}");
        assert!(found.note.as_deref().unwrap_or_default().ends_with(note), "{found:?}");
    }
}

#[test]
fn starts_are_tested_for_equality() {
    let fair = "claim = 'fair_starts'\nlabel = 'all starts are fair'";
    let statement = claims("apothecary2", fair).statements.remove(0);
    let mut runs = no_runs();
    let mut test = |unfair: f64| {
        for (number, run) in statement.runs().enumerate() {
            let shift = if number % 4 == 0 { unfair } else { 0.0 };
            runs.put_games(run.clone(), &random_games(2_000, number as u64, |_| (0.4 + shift, 0.4 - shift)));
        }
        statement.finding("apothecary2", &mut runs)
    };
    let found = test(0.0);
    let starts = GameDef::builtin("apothecary2").unwrap().starts.len();
    assert_eq!(found.claimed, Claimed::Joint { values: starts - 1 });
    assert_eq!((&*found.claim, found.verdict), ("all starts are fair", Holds), "{found:?}");
    assert_eq!(test(0.05).verdict, DoesNotHold);
}

#[test]
fn handicaps_are_tested_for_order() {
    let mut runs = no_runs();
    let mut put = |start: &str, seed: u64, odds: &dyn Fn(bool) -> (f64, f64)| {
        runs.put_games(from_start(start), &random_games(2_000, seed, odds));
    };
    // The receiver changes color with the armies: White's army scores 0.52, and Black's 0.7.
    put("14+pawn:a4", 8, &|swapped| {
        if swapped { (0.38, 0.42) } else { (0.42, 0.38) }
    });
    put("14+rook:a1:d4,e4:e8", 9, &|swapped| {
        if swapped { (0.6, 0.2) } else { (0.2, 0.6) }
    });
    // Black, who has an extra move in every game, scores 0.6 with it and 0.45 without.
    put("14", 10, &|_| (0.45, 0.35));
    put("14+two-moves:black", 11, &|_| (0.3, 0.5));
    let large = "0.5 - score(14+rook:a1:d4,e4:e8)";
    let small = "score(14+pawn:a4) - 0.5";
    let black_moves = "white_score(14) - white_score(14+two-moves:black)";
    let order = |formula: &str, runs: &mut Runs<'_>| findings("apothecary2", &format!("claim = '{formula}'"), runs);
    let chain = order(&format!("{small} < {black_moves} < {large}"), &mut runs);
    assert_eq!(chain[2].verdict, Holds);
    let found: Vec<(&str, ClaimVerdict)> =
        chain[..2].iter().map(|finding| (&*finding.claim, finding.verdict)).collect();
    let [first, second] = [format!("{small} < {black_moves}"), format!("{black_moves} < {large}")];
    assert_eq!(found, [(&*first, Holds), (&*second, Holds)]);
    assert!((chain[0].measured.unwrap() + 0.15 - 0.02).abs() < 0.03, "{chain:?}");
    assert!((chain[1].measured.unwrap() + 0.2 - 0.15).abs() < 0.03, "{chain:?}");
    assert_eq!(order(&format!("{small} > {large}"), &mut runs)[0].verdict, DoesNotHold);
    // Several starts have equal weight.
    let mean = order("score(14+pawn:a4 14+rook:a1:d4,e4:e8) < 0.5", &mut runs).remove(0);
    assert!((mean.measured.unwrap() - 0.41).abs() < 0.03, "{mean:?}");
    let slope =
        order("slope(score(14+pawn:a4), white_score(14), white_score(14+two-moves:black)) < 0", &mut runs).remove(0);
    assert!((slope.measured.unwrap() + 0.06).abs() < 0.02, "{slope:?}");
}

#[test]
fn builtin_claims_can_be_tested() {
    for files in assay_rules::def::BUILTIN_FILES {
        let claims = GameClaims::builtin(GameSource::builtin(files.name).unwrap());
        assert_eq!(claims.statements.is_empty(), files.name == "chess");
    }
    let apothecary = GameSource::builtin("apothecary2").unwrap();
    let claims = GameClaims::builtin(apothecary.clone());
    let defined = |name: &str| &claims.defined.iter().find(|source| source.game.name == name).unwrap().game;
    let (with, without) = (defined("apothecary2-12-18"), defined("apothecary2-12-12"));
    assert_eq!(with.mechanisms.gating, apothecary.game.mechanisms.gating);
    assert_ne!(without.mechanisms.gating, apothecary.game.mechanisms.gating);
    assert_eq!(with.starts, without.starts);
    let plain_zebra = defined("apothecary2-plain-zebra");
    assert_ne!(plain_zebra.kinds, apothecary.game.kinds);
}

mod bad_files;
