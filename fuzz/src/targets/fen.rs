//! FEN and EPD: a position is printed and read back, without warnings, and errors have a column of
//! the text.

use std::sync::Arc;

use assay_rules::def::BUILTIN_NAMES;
use assay_rules::fen::{Epd, FenError};
use assay_rules::{GameDef, Position, Setup};

use super::common;
use crate::seeds;

pub fn target(data: &[u8]) {
    let Some((game, text)) = common::game_and_text(data) else {
        return;
    };
    let fen = Position::from_fen(&game, &text);
    let epd = Epd::read(&game, &text).map(|epd| epd.position);
    for error in [&fen, &epd].into_iter().filter_map(|read| read.as_ref().err()) {
        if let FenError::Syntax { column, .. } = error {
            assert!((1..=text.chars().count() + 1).contains(column), "{error}");
        }
    }
    let Ok(position) = fen.or(epd) else {
        return;
    };
    check_round_trip(&game, &position);
    for mv in position.legal_moves() {
        check_round_trip(&game, &position.play(mv));
    }
}

fn check_round_trip(game: &Arc<GameDef>, position: &Position) {
    let fen = position.fen();
    let setup = Setup::from_fen(game, &fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
    let (read, warnings) = Position::from_setup(game, &setup).unwrap_or_else(|errors| panic!("{fen}: {errors}"));
    assert_eq!(read, *position);
    assert!(warnings.is_empty(), "{fen}: {warnings:?}");
    let fields: Vec<&str> = fen.split(' ').collect();
    let (epd, counters) = (fields[..4].join(" "), &fields[4..]);
    let epd = format!("{epd} fmvn {}; c0 \"a; b\"; hmvc {};", counters[1], counters[0]);
    assert_eq!(Epd::read(game, &epd).map(|epd| epd.position).as_ref(), Ok(position), "{epd}");
    let copy = Position::from_setup(game, &position.setup().clone()).map(|(copy, _)| copy);
    assert_eq!(copy.as_ref(), Ok(position));
}

pub fn seeds() -> Vec<Vec<u8>> {
    let cases = seeds::notation_cases();
    let positions = cases.iter().map(|case| case.position.clone());
    let starts = common::games().into_iter().map(|game| Position::start(&game));
    let suites = seeds::suite_positions();
    let dialects = include_str!("../../../testdata/fens.txt").lines().filter_map(|line| {
        let mut fields = line.split(" | ");
        let game = fields.next().filter(|game| BUILTIN_NAMES.contains(game))?;
        Some(common::with_game(game, fields.next()?))
    });
    let mut seeds: Vec<Vec<u8>> = positions
        .chain(starts)
        .chain(suites)
        .map(|position| common::with_game(&position.game().name, &position.fen()))
        .chain(dialects)
        .collect();
    seeds.dedup();
    seeds
}
