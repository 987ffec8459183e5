use std::collections::{BTreeMap, BTreeSet};

use assay_rules::Color;
use assay_rules::def::BUILTIN_NAMES;

use super::super::imbalance::Change;
use super::*;
use crate::material;
use crate::settings::StartChoice;

/// Considers every position balanced and every first legal move best.
fn indifferent(position: &Position) -> Option<OpeningEval> {
    Some(OpeningEval { mv: *position.legal_moves().first()?, eval: Some(Eval::Centipawns(0)) })
}

fn settings(material: Material, plies: u32) -> RandomOpenings {
    RandomOpenings { start: StartChoice::Random, plies, balance: None, material }
}

fn draw(name: &str, settings: &RandomOpenings, seed: u64, pair: u64) -> Opening {
    let game = GameDef::builtin(name).unwrap();
    let openings = OpeningGenerator::new(&game, settings, seed).unwrap();
    openings.draw(pair, indifferent).unwrap().unwrap()
}

fn pieces(position: &Position, color: Color) -> BTreeMap<u8, i64> {
    let mut pieces = BTreeMap::new();
    let on_board = position.pieces().filter(|(_, piece)| piece.color == color).map(|(_, piece)| piece.kind.0);
    for kind in on_board.chain(position.pocket(color).iter().map(|kind| kind.0)) {
        *pieces.entry(kind).or_default() += 1;
    }
    pieces
}

#[test]
fn openings_can_be_played_from_by_either_army() {
    for name in BUILTIN_NAMES {
        for material in [Material::None, Material::Values, Material::Playtest] {
            let settings = settings(material, 6);
            for pair in 0..12 {
                let opening = draw(name, &settings, 5, pair);
                for start in &opening.starts {
                    assert_eq!(start.outcome(), None, "{name} {}", start.fen());
                    assert!(!start.in_check(), "{name} {}", start.fen());
                    assert!(start.legal_moves().len() > 1, "{name} {}", start.fen());
                    assert_eq!(start.en_passant(), None);
                    // Only the FEN is stored, so it must describe the position completely.
                    assert_eq!(&Position::from_fen(start.game(), &start.fen()).unwrap(), start);
                }
                assert_eq!(
                    opening.starts[0].side_to_move(),
                    opening.starts[1].side_to_move(),
                    "the same color moves first in both games"
                );
                for color in Color::ALL {
                    assert_eq!(
                        pieces(&opening.starts[0], color),
                        pieces(&opening.starts[1], !color),
                        "the armies are swapped"
                    );
                }
            }
        }
    }
}

#[test]
fn openings_without_imbalances_are_complete() {
    for name in BUILTIN_NAMES {
        let opening = draw(name, &settings(Material::None, 10), 2, 7);
        assert_eq!(opening.imbalances, [None, None]);
        let start = Position::start(opening.starts[0].game());
        for color in Color::ALL {
            assert_eq!(pieces(&opening.starts[0], color), pieces(&start, color));
        }
        assert_eq!(opening.starts[0].fullmove_number(), 6);
    }
}

#[test]
fn imbalance_text_matches_the_removed_pieces() {
    let all = BUILTIN_NAMES
        .into_iter()
        .flat_map(|name| [Material::Values, Material::Playtest].map(|material| (name, material)));
    for (name, material) in all {
        let settings = settings(material, 6);
        for pair in 0..20 {
            let opening = draw(name, &settings, 9, pair);
            let start = Position::start(opening.starts[0].game());
            for (position, imbalance) in opening.starts.iter().zip(&opening.imbalances) {
                let imbalance = imbalance.as_ref().unwrap();
                for color in Color::ALL {
                    let mut expected = pieces(&start, color);
                    let change = &imbalance.changes[color];
                    for kind in &change.lost {
                        *expected.entry(kind.0).or_default() -= 1;
                    }
                    for kind in &change.gained {
                        *expected.entry(kind.0).or_default() += 1;
                    }
                    expected.retain(|_, count| *count != 0);
                    assert_eq!(pieces(position, color), expected, "{name} pair {pair}: {imbalance}");
                }
            }
        }
    }
}

#[test]
fn imbalances_are_formatted_as_text() {
    let game = GameDef::builtin("chess").unwrap();
    let kind = |letter| game.kinds.by_letter(letter).unwrap();
    let mut imbalance = Imbalance::new(&game, Default::default());
    imbalance.changes.0[0] = Change { lost: vec![kind('B'), kind('P')], gained: vec![kind('N')] };
    imbalance.changes.0[1] = Change { lost: vec![kind('R')], gained: Vec::new() };
    assert_eq!(imbalance.to_string(), "-BP+N/-R");
    assert_eq!(imbalance.swapped().to_string(), "-R/-BP+N");
    imbalance.changes = assay_rules::ByColor::default();
    assert_eq!(imbalance.to_string(), "/");
}

#[test]
fn the_same_pair_has_the_same_opening() {
    let values = settings(Material::Values, 6);
    assert_eq!(draw("apothecary2", &values, 4, 2), draw("apothecary2", &values, 4, 2));
    assert_ne!(draw("apothecary2", &values, 4, 2), draw("apothecary2", &values, 4, 3));
    assert_ne!(draw("apothecary2", &values, 4, 2), draw("apothecary2", &values, 5, 2));
}

#[test]
fn all_starts_of_a_game_are_used() {
    let none = settings(Material::None, 0);
    let openings: BTreeSet<String> = (0..300).map(|pair| draw("apothecary2", &none, 1, pair).starts[0].fen()).collect();
    assert_eq!(openings.len(), 24);
}

#[test]
fn a_handicap_changes_sides_with_the_army() {
    let game = GameDef::builtin("apothecary2").unwrap();
    let handicap = StartChoice::Named("14+pawn:e4".to_owned());
    let settings = RandomOpenings { start: handicap, ..settings(Material::None, 0) };
    let openings = OpeningGenerator::new(&game, &settings, 1).unwrap();
    let opening = openings.draw(0, indifferent).unwrap().unwrap();
    let e = |rank: i16| game.board.square_at(4, rank).unwrap();
    assert!(opening.starts[0].piece_at(e(4)).is_some_and(|piece| piece.color == Color::White));
    assert!(opening.starts[1].piece_at(e(7)).is_some_and(|piece| piece.color == Color::Black));
}

/// Considers every position lost.
fn pessimist(position: &Position) -> Option<OpeningEval> {
    Some(OpeningEval { eval: Some(Eval::Mate(-1)), ..indifferent(position)? })
}

#[test]
fn reports_impossible_openings() {
    let game = GameDef::builtin("chess").unwrap();
    let strict = RandomOpenings { balance: Some(10), ..settings(Material::None, 0) };
    let openings = OpeningGenerator::new(&game, &strict, 1).unwrap();
    let error = openings.draw(3, pessimist).unwrap_err();
    assert_eq!(
        error.to_string(),
        "pair 3: none of 8000 openings of 0 random plies is usable; the last one was rejected because it is unbalanced; \
         expected another number of plies or a wider balance"
    );
    let unknown = RandomOpenings { start: StartChoice::Named("99".to_owned()), ..strict };
    assert!(matches!(OpeningGenerator::new(&game, &unknown, 1), Err(OpeningError::Start(_))));
}

#[test]
fn comparisons_are_not_decided_in_advance() {
    for name in BUILTIN_NAMES {
        let game = GameDef::builtin(name).unwrap();
        let openings = OpeningGenerator::new(&game, &settings(Material::Values, 0), 8).unwrap();
        let values = material::guessed_values(&game);
        let value = |kind: &assay_rules::piece::Kind| values[kind.index()];
        for pair in 0..300 {
            let imbalance = openings.draw(pair, indifferent).unwrap().unwrap().imbalances[0].clone().unwrap();
            let missing = |color: Color| {
                let Change { lost, gained } = &imbalance.changes[color];
                lost.iter().map(value).sum::<f64>() - gained.iter().map(value).sum::<f64>()
            };
            let lead = (missing(Color::White) - missing(Color::Black)).abs();
            assert!(lead <= 2.01, "{name} pair {pair}: {imbalance} leaves {lead:.2} pawns");
        }
    }
}

/// No opening can begin there; formerly, a run ended without a game and without an error.
#[test]
fn a_start_in_which_the_game_is_over_is_an_error() {
    let text = "name = \"over\"\ntitle = \"Over\"\nbase = \"chess\"\nsource = \"a test\"\n[[starts]]\nid = \"1\"\ntitle = \"mate\"\n\
        fen = \"rnb1kbnr/pppp1ppp/4p3/8/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3\"\n";
    let game = Arc::new(GameDef::from_toml(text, "over.toml").unwrap());
    let error = OpeningGenerator::new(&game, &settings(Material::None, 8), 1).unwrap_err().to_string();
    assert!(error.contains("where the game is over (checkmate), expected a start"), "{error}");
}
