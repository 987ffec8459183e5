//! Opening books: an accepted file gives playable openings, and errors name the file.

use std::path::PathBuf;

use assay_selfplay::openings::Book;
use assay_selfplay::settings::{BookFormat, BookOrder, BookSettings, OpeningPolicy};

use super::common;
use crate::seeds;

const FORMATS: [BookFormat; 3] = [BookFormat::Epd, BookFormat::Pgn, BookFormat::Polyglot];

/// Pairs whose openings are drawn.
const PAIRS: u64 = 4;

pub fn target(data: &[u8]) {
    let Some((format, data)) = common::choose(data, FORMATS.len()) else {
        return;
    };
    let Some((game, contents)) = common::choose(data, common::games().len()) else {
        return;
    };
    let game = &common::games()[game];
    common::with_file("fuzzed-book", contents, |path| {
        let settings = BookSettings {
            file: PathBuf::from(path),
            format: FORMATS[format],
            order: BookOrder::Random,
            start: 1,
            plies: Some(6),
            policy: OpeningPolicy::default(),
        };
        match Book::read(&settings, 1, game) {
            Ok(book) => {
                for pair in 0..PAIRS {
                    let (position, source) = book.opening(pair);
                    assert!(!source.is_empty() && position.outcome().is_none(), "{}", position.fen());
                    assert_eq!(book.opening(pair).0.fen(), position.fen());
                }
            }
            Err(error) => assert!(error.to_string().contains("fuzzed-book") && !error.why.is_empty(), "{error}"),
        }
    });
}

pub fn seeds() -> Vec<Vec<u8>> {
    let pgn = seeds::files("pgn", &["testdata/pgn"]);
    let epd = common::games().into_iter().enumerate().map(|(index, game)| {
        let positions = seeds::suite_positions().into_iter().filter(|position| position.game().name == game.name);
        let lines: Vec<String> = positions.take(4).map(|position| position.fen()).collect();
        format!("0{index}{}", lines.join("\n")).into_bytes()
    });
    // An entry of a Polyglot book: the key of the start position of chess, e2e4, weight 1, no
    // learning.
    let polyglot = [b"20".as_slice(), &0x463b_9618_1691_fc9c_u64.to_be_bytes(), &[0x03, 0x1c, 0, 1, 0, 0, 0, 0]];
    let mut seeds: Vec<Vec<u8>> = pgn.into_iter().map(|text| [b"10", text.as_slice()].concat()).collect();
    seeds.extend(epd);
    seeds.push(polyglot.concat());
    seeds.retain(|seed| seed.len() < 8_000);
    seeds
}
