use std::collections::BTreeMap;

use super::measure::solve;
use super::pair_scores::{PairScores, read_note};
use crate::values::inference::units::Unit;
use crate::values::inference::verdict::ValueVerdict;
use assay_rules::GameDef;
use assay_selfplay::statistics::ResultCounts;

/// Pairs whose mean score is that of a deficit in pawns, as nearly as whole pairs allow.
fn row(game: &GameDef, note: &str, pawns_behind: f64) -> (String, PairScores) {
    let mean = 1.0 / (1.0 + (0.5 * pawns_behind).exp());
    let mut sample = ResultCounts::of_pairs(3);
    for number in 0..4_000_u32 {
        // Quantiles instead of random numbers, so the mean is exact to 1/8000.
        let uniform = (f64::from(number) + 0.5) / 4_000.0;
        sample.add(if uniform < mean { 4 } else { 0 });
    }
    let missing = read_note(game, note).unwrap();
    (note.to_owned(), PairScores { missing, sample })
}

fn played() -> (std::sync::Arc<GameDef>, BTreeMap<String, PairScores>) {
    let game = GameDef::builtin("chess").unwrap();
    let worth = [('Q', 9.4), ('R', 4.7), ('B', 3.4), ('N', 3.1), ('P', 1.0)];
    let notes = [
        "-P/", "-PP/", "-N/-PPP", "-B/-N", "-B/-PPP", "-R/-NPP", "-R/-BP", "-Q/-RR", "-Q/-RBP", "-N+B/",
    ];
    let rows = notes.map(|note| {
        let missing = read_note(&game, note).unwrap();
        let behind: f64 = worth
            .iter()
            .map(|&(letter, worth)| missing[game.kind_by_letter(letter).unwrap().index()] * worth)
            .sum();
        row(&game, note, behind)
    });
    (game, BTreeMap::from(rows))
}

#[test]
fn recovers_known_values() {
    let (game, rows) = played();
    let found = solve("planted", &game, &rows).unwrap();
    assert_eq!(found.degrees_of_freedom, 5);
    assert!(found.chi_square < 0.1, "{}", found.chi_square);
    let army = 9.4 + 4.7 + 3.4 + 3.1;
    // Chess publishes 9, 5, 3 and 3.
    assert!(
        (found.unit_log_odds - 0.5 * army / 20.0).abs() < 0.002,
        "{}",
        found.unit_log_odds
    );
    let expected = [
        ("queen", 9.4),
        ("rook", 4.7),
        ("bishop", 3.4),
        ("knight", 3.1),
        ("pawn", 1.0),
    ];
    for (unit, scale, widest) in [(Unit::Pawns, 1.0, 1.2), (Unit::Army, 20.0 / army, 0.3)] {
        let table = found.values(unit).unwrap();
        for (value, (piece, worth)) in table.values.iter().zip(expected) {
            assert_eq!(value.piece, piece);
            assert!((value.measured.value - scale * worth).abs() < 0.01, "{value:?}");
            let width = value.measured.interval.width().unwrap();
            assert!(
                width < widest && (width > 0.01 || value.verdict == ValueVerdict::Unit),
                "{value:?}"
            );
        }
    }
}

#[test]
fn names_undetermined_pieces() {
    let (game, mut rows) = played();
    rows.retain(|note, _| !note.contains('Q'));
    let error = solve("a.db", &game, &rows).unwrap_err().to_string();
    assert!(
        error.starts_with("a.db: the comparisons played so far do not determine the values of queen;"),
        "{error}"
    );
    rows.retain(|note, _| !note.contains('P'));
    let error = solve("a.db", &game, &rows).unwrap_err().to_string();
    assert!(
        error.contains("do not determine the values of queen, rook, pawn;"),
        "{error}"
    );
}

/// Comparisons between pieces alone determine their ratios, and pawns are not needed for shares of the army.
#[test]
fn shares_of_the_army_do_not_need_the_pawn() {
    let (game, mut rows) = played();
    rows.retain(|note, _| !matches!(note.as_str(), "-P/" | "-PP/"));
    let narrow = solve("planted", &game, &rows).unwrap();
    let width = |unit| {
        narrow.values(unit).unwrap().values[0]
            .measured
            .interval
            .width()
            .unwrap()
            / narrow.values(unit).unwrap().values[0].measured.value
    };
    assert!(
        width(Unit::Army) < 0.5 * width(Unit::Pawns),
        "{} {}",
        width(Unit::Army),
        width(Unit::Pawns)
    );
}

#[test]
fn reads_material_notes() {
    let game = GameDef::builtin("chess").unwrap();
    let at = |letter| game.kind_by_letter(letter).unwrap().index();
    let missing = read_note(&game, "-BP+N/-R").unwrap();
    assert_eq!(
        ['B', 'P', 'N', 'R', 'Q'].map(|letter| missing[at(letter)] as i32),
        [1, 1, -1, -1, 0]
    );
    for wrong in ["", "-N", "N/", "-X/"] {
        assert_eq!(read_note(&game, wrong), None, "{wrong}");
    }
}
