use std::collections::BTreeMap;

use assay_rules::{GameDef, Position};
use assay_selfplay::openings::Plan;
use assay_selfplay::statistics::ResultCounts;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use statrs::distribution::{ContinuousCDF, Normal};

use super::measure::{PairScores, fit_costs, goodness_of_fit, solve};
use crate::values::data::material::missing_pieces;
use crate::values::inference::{Unit, ValueVerdict, critical_value};
use crate::values::model::logistic;

/// Pairs whose mean score is that of a deficit in pawns, as nearly as whole pairs allow.
fn row(game: &GameDef, note: &str, pawns_behind: f64) -> (String, PairScores) {
    let mean = 1.0 / (1.0 + (0.5 * pawns_behind).exp());
    let mut sample = ResultCounts::of_pairs(3);
    for number in 0..4_000_u32 {
        // Quantiles instead of random numbers, so the mean is exact to 1/8000.
        let uniform = (f64::from(number) + 0.5) / 4_000.0;
        sample.add(if uniform < mean { 4 } else { 0 });
    }
    let missing = missing_pieces(game, note).unwrap();
    (note.to_owned(), PairScores { missing, is_white_twice: false, sample })
}

fn played() -> (std::sync::Arc<GameDef>, BTreeMap<String, PairScores>) {
    let game = GameDef::builtin("chess").unwrap();
    let worth = [('Q', 9.4), ('R', 4.7), ('B', 3.4), ('N', 3.1), ('P', 1.0)];
    let notes = ["-P/", "-PP/", "-N/-PPP", "-B/-N", "-B/-PPP", "-R/-NPP", "-R/-BP", "-Q/-RR", "-Q/-RBP", "-N+B/"];
    let rows = notes.map(|note| {
        let missing = missing_pieces(&game, note).unwrap();
        let behind: f64 =
            worth.iter().map(|&(letter, worth)| missing[game.kinds.by_letter(letter).unwrap().index()] * worth).sum();
        row(&game, note, behind)
    });
    (game, BTreeMap::from(rows))
}

#[test]
fn recovers_known_values() {
    let (game, rows) = played();
    let found = solve("planted", &game, &rows).unwrap();
    let fit = found.goodness_of_fit.unwrap();
    assert_eq!(fit.degrees_of_freedom, 5);
    assert!(fit.chi_square < 0.1 && fit.p > 0.999, "{fit:?}");
    let army = 9.4 + 4.7 + 3.4 + 3.1;
    // Chess publishes 9, 5, 3 and 3.
    assert!((found.unit_log_odds - 0.5 * army / 20.0).abs() < 0.002, "{}", found.unit_log_odds);
    let expected = [("queen", 9.4), ("rook", 4.7), ("bishop", 3.4), ("knight", 3.1), ("pawn", 1.0)];
    for (unit, scale, widest) in [(Unit::Pawns, 1.0, 1.2), (Unit::Army, 20.0 / army, 0.3)] {
        let table = found.values(unit).unwrap();
        for (value, (piece, worth)) in table.values.iter().zip(expected) {
            assert_eq!(value.piece, piece);
            assert!((value.measured.value - scale * worth).abs() < 0.01, "{value:?}");
            let width = value.measured.width().unwrap();
            assert!(width < widest && (width > 0.01 || value.verdict == ValueVerdict::Unit), "{value:?}");
        }
    }
}

/// White's army is two pawns ahead before anything is removed, and has White in both games of a
/// pair.
#[test]
fn armies_that_cannot_be_exchanged_have_an_advantage_of_their_own() {
    let (game, rows) = played();
    let ahead = |(note, pair): (String, PairScores)| {
        let log_odds = |mean: f64| (mean / (1.0 - mean)).ln();
        let behind = -2.0 * log_odds(pair.sample.mean().unwrap());
        let (_, shifted) = row(&game, &note, behind - 2.0);
        let pair = PairScores { is_white_twice: true, ..shifted };
        (note, pair)
    };
    let mut rows: BTreeMap<String, PairScores> = rows.into_iter().map(ahead).collect();
    let (note, lost_by_black) = row(&game, "/-P", -3.0);
    let lost_by_black = PairScores { is_white_twice: true, ..lost_by_black };
    rows.insert(note, lost_by_black);
    let table = solve("planted", &game, &rows).unwrap();
    let table = table.values(Unit::Pawns).unwrap();
    for (value, worth) in table.values.iter().zip([9.4, 4.7, 3.4, 3.1, 1.0]) {
        assert!((value.measured.value - worth).abs() < 0.05, "{value:?}");
    }
}

#[test]
fn names_undetermined_pieces() {
    let (game, mut rows) = played();
    rows.retain(|note, _| !note.contains('Q'));
    // A piece that no comparison is about leaves the others to be measured.
    let others = solve("a.db", &game, &rows).unwrap();
    let pieces: Vec<_> = others.values(Unit::Army).unwrap().values.iter().map(|value| &*value.piece).collect();
    assert_eq!(pieces, ["rook", "bishop", "knight", "pawn"]);
    rows.retain(|note, _| !note.contains('P'));
    let error = solve("a.db", &game, &rows).unwrap_err().to_string();
    assert!(error.contains("do not determine the values of bishop, knight;"), "{error}");
}

/// Comparisons between pieces alone determine their ratios, and pawns are not needed for shares of
/// the army.
#[test]
fn shares_of_the_army_do_not_need_the_pawn() {
    let (game, mut rows) = played();
    rows.retain(|note, _| !matches!(note.as_str(), "-P/" | "-PP/"));
    let narrow = solve("planted", &game, &rows).unwrap();
    let width = |unit| {
        narrow.values(unit).unwrap().values[0].measured.width().unwrap()
            / narrow.values(unit).unwrap().values[0].measured.value
    };
    assert!(width(Unit::Army) < 0.5 * width(Unit::Pawns), "{} {}", width(Unit::Army), width(Unit::Pawns));
}

/// A kind that is missing only from armies that lose all games has no finite cost.
#[test]
fn names_pieces_whose_comparisons_one_side_won_throughout() {
    let (game, mut rows) = played();
    for (_, row) in rows.iter_mut().filter(|(note, _)| note.contains('Q')) {
        row.sample = ResultCounts::from_counts(&[50, 0, 0, 0, 0]).unwrap();
    }
    let error = solve("a.db", &game, &rows).unwrap_err().to_string();
    assert!(error.starts_with("a.db: the comparisons played so far do not determine the values of queen;"), "{error}");
}

/// A comparison that one side won throughout shows that the difference is large, even though its
/// log-odds are infinite.
#[test]
fn comparisons_won_throughout_count() {
    let (game, mut rows) = played();
    for row in rows.values_mut() {
        row.sample =
            ResultCounts::from_counts(&row.sample.counts().iter().map(|count| count / 100).collect::<Vec<_>>())
                .unwrap();
    }
    let cost = |rows: &BTreeMap<String, PairScores>| solve("planted", &game, rows).unwrap().unit_log_odds;
    let without = cost(&rows);
    let missing = missing_pieces(&game, "-QR/").unwrap();
    let sample = ResultCounts::from_counts(&[2_000, 0, 0, 0, 0]).unwrap();
    rows.insert("-QR/".to_owned(), PairScores { missing, is_white_twice: false, sample });
    assert!(cost(&rows) > 1.01 * without, "{} {without}", cost(&rows));
}

/// Two pawns cost three times as much as one.
#[test]
fn costs_that_do_not_add_up_are_detected() {
    let (game, mut rows) = played();
    rows.extend([row(&game, "-PP/", 3.0)]);
    let fit = solve("planted", &game, &rows).unwrap().goodness_of_fit.unwrap();
    assert!(fit.chi_square > 50.0 && fit.p < 1e-6, "{fit:?}");
}

#[test]
fn goodness_of_fit_needs_more_comparisons_than_kinds() {
    let (game, mut rows) = played();
    rows.retain(|note, _| matches!(note.as_str(), "-P/" | "-N/-PPP" | "-B/-N" | "-R/-NPP" | "-Q/-RR"));
    assert_eq!(solve("planted", &game, &rows).unwrap().goodness_of_fit, None);
}

/// Scores of pairs between armies that differ by these log-odds. 35% of the games between equal
/// armies are drawn, and the results of the two games of a pair have a Gaussian copula with
/// correlation 0.3, so that the variance of a pair's score is about 0.42 p (1 - p). In six
/// playtests of 900 to 1,700 games it was 0.39 to 0.49 p (1 - p).
fn simulated_pairs(random: &mut Xoshiro256PlusPlus, log_odds: f64, pairs: usize) -> ResultCounts {
    const CORRELATION: f64 = 0.3;
    let normal = Normal::standard();
    let expected = logistic(-log_odds);
    let draws = 4.0 * 0.35 * expected * (1.0 - expected);
    // Half points of a game whose latent result is this quantile.
    let half_points = |latent: f64| {
        let uniform = normal.cdf(latent);
        usize::from(uniform > 1.0 - expected - draws / 2.0) + usize::from(uniform > 1.0 - expected + draws / 2.0)
    };
    let mut deviate = || normal.inverse_cdf(random.random::<f64>().clamp(1e-12, 1.0 - 1e-12));
    let mut sample = ResultCounts::of_pairs(3);
    for _ in 0..pairs {
        let shared = CORRELATION.sqrt() * deviate();
        let mut game = || half_points(shared + (1.0 - CORRELATION).sqrt() * deviate());
        sample.add(game() + game());
    }
    sample
}

/// The comparisons that Apothecary Chess 2 is measured with, 9 pairs each (27 and 18 of missing
/// pawns), with known costs.
#[test]
fn intervals_cover_known_costs() {
    const PLAYTESTS: usize = 400;
    let game = GameDef::builtin("apothecary2").unwrap();
    let kinds: Vec<_> = game.kinds.all().filter(|&kind| Some(kind) != game.kinds.king()).collect();
    let truth = |kind| 0.2 * game.value_in_pawns(kind).unwrap_or(5.5);
    let plan = Plan::playtest(&Position::start(&game)).unwrap();
    let mut planned: BTreeMap<String, usize> = BTreeMap::new();
    for comparison in plan.comparisons() {
        *planned.entry(comparison.to_string()).or_default() += 9;
    }
    assert!(planned.len() > 45, "{}", planned.len());
    let (mut covered, mut measured, mut rejected) = (0_usize, 0, 0);
    let (mut sum_of_z, mut sum_of_squares) = (0.0, 0.0);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
    for _ in 0..PLAYTESTS {
        let rows: BTreeMap<String, PairScores> = planned
            .iter()
            .map(|(note, &pairs)| {
                let missing = missing_pieces(&game, note).unwrap();
                let costs = kinds.iter().map(|&kind| missing[kind.index()] * truth(kind));
                let sample = simulated_pairs(&mut random, costs.sum(), pairs);
                (note.clone(), PairScores { missing, is_white_twice: false, sample })
            })
            .collect();
        let fit = fit_costs("simulated", &game, &rows, &kinds).unwrap();
        let pairs: usize = planned.values().sum();
        for (index, &kind) in kinds.iter().enumerate() {
            let z = (fit.coefficients[index] - truth(kind)) / fit.sample.covariance[(index, index)].sqrt();
            covered += usize::from(z.abs() <= critical_value(pairs));
            measured += 1;
            sum_of_z += z;
            sum_of_squares += z * z;
        }
        rejected += usize::from(goodness_of_fit(&fit, &rows).unwrap().p < 0.05);
    }
    let measured = f64::from(measured);
    let coverage = covered as f64 / measured;
    assert!((0.93..0.97).contains(&coverage), "{coverage}");
    // The costs of a playtest are correlated: their mean z has a standard deviation of at most 1 /
    // sqrt(PLAYTESTS) = 0.05.
    let bias = sum_of_z / measured;
    assert!(bias.abs() < 0.2, "{bias}");
    // Weighted least squares on the log-odds of each comparison had 1.09, and a coverage of 0.936,
    // in a separate simulation of such playtests.
    let spread = (sum_of_squares / measured).sqrt();
    assert!((0.94..1.06).contains(&spread), "{spread}");
    // 20 of 400 are expected, with a standard deviation of 4.4.
    assert!((7..=33).contains(&rejected), "{rejected}");
}

#[test]
fn reads_material_notes() {
    let game = GameDef::builtin("chess").unwrap();
    let at = |letter| game.kinds.by_letter(letter).unwrap().index();
    let missing = missing_pieces(&game, "-BP+N/-R").unwrap();
    assert_eq!(['B', 'P', 'N', 'R', 'Q'].map(|letter| missing[at(letter)] as i32), [1, 1, -1, -1, 0]);
    for wrong in ["", "-N", "N/", "-X/"] {
        assert_eq!(missing_pieces(&game, wrong), None, "{wrong}");
    }
}
