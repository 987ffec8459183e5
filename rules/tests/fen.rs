//! FEN and EPD.

use std::sync::Arc;

use assay_rules::fen::{Epd, FenError};
use assay_rules::{GameDef, Position};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

fn fen(text: &str) -> String {
    let chess = GameDef::builtin("chess").unwrap();
    Position::from_fen(&chess, text).map_or_else(|error| error.to_string(), |position| position.fen())
}

fn from_epd(game: &Arc<GameDef>, line: &str) -> Result<Position, FenError> {
    Epd::read(game, line).map(|epd| epd.position)
}

#[test]
fn counters_may_be_missing() {
    for (counters, expected) in [("", "0 1"), (" 7", "7 1"), ("  7\t3 ", "7 3"), (" - -", "0 1"), (" 7 0", "7 1")] {
        assert_eq!(fen(&format!("{START}{counters}")), format!("{START} {expected}"));
    }
    assert!(fen(&format!("{START} 0 1 2")).starts_with("FEN has 7 fields"));
    assert!(fen("8/8 w -").starts_with("FEN has 3 fields"));
}

#[test]
fn counts_of_checks_have_two_forms_and_may_be_missing() {
    let game = GameDef::builtin("5check").unwrap();
    let read = |read: fn(&Arc<GameDef>, &str) -> Result<Position, FenError>, text: &str| {
        read(&game, text).map_or_else(|error| error.to_string(), |position| position.fen())
    };
    for (rest, expected) in [
        ("", "5+5 0 1"),
        (" 2+0", "2+0 0 1"),
        (" 4+5 7 9", "4+5 7 9"),
        (" 7 9 +1+0", "4+5 7 9"),
        (" +5+0", "0+5 0 1"),
        (" 7 9", "5+5 7 9"),
    ] {
        let (fen, expected) = (format!("{START}{rest}"), format!("{START} {expected}"));
        assert_eq!(read(Position::from_fen, &fen), expected);
        assert_eq!(read(from_epd, &fen), expected);
        assert_eq!(read(from_epd, &format!("{fen} hmvc 7; fmvn 9;")), {
            let (fields, _) = expected.rsplit_once(' ').unwrap();
            format!("{} 7 9", fields.rsplit_once(' ').unwrap().0)
        });
    }
    for rest in [" 6+5", " 5+", " +5", " 5+5+5", " +6+0", " 1+1 0 1 +0+0"] {
        let error = read(Position::from_fen, &format!("{START}{rest}"));
        assert!(error.starts_with("FEN "), "{rest}: {error}");
    }
    assert!(fen(&format!("{START} 3+3 0 1")).contains("found `3+3`"));
    assert!(fen(&format!("{START} 3+3 0")).contains("found `3+3`"));
    let chess = GameDef::builtin("chess").unwrap();
    let error = from_epd(&chess, &format!("{START} 3+3;")).unwrap_err();
    assert!(error.to_string().contains("found `3+3`"), "{error}");
}

#[test]
fn files_of_rooks_are_rights_of_orthodox_castling_only() {
    assert_eq!(fen(&START.replace("KQkq", "HAha")), format!("{START} 0 1"));
    assert_eq!(fen("r3k2r/8/8/8/8/8/8/R3K2R b Ah - 3 4"), "r3k2r/8/8/8/8/8/8/R3K2R b Qk - 3 4");
    for (text, expected) in [
        ("1r2k2r/8/8/8/8/8/8/R3K2R w HAhb - 0 1", "1r2k2r/8/8/8/8/8/8/R3K2R w KQk - 0 1"),
        ("r3k2r/8/8/8/8/8/8/R2K3R w HA - 0 1", "r3k2r/8/8/8/8/8/8/R2K3R w - - 0 1"),
        (&START.replace("KQkq", "GA"), &format!("{} 0 1", START.replace("KQkq", "Q"))),
    ] {
        assert_eq!(fen(text), expected);
    }
    for (rights, column) in [("KH", 48), ("KQx", 49)] {
        let error = fen(&START.replace("KQkq", rights));
        assert!(error.starts_with(&format!("FEN column {column} (rights): found ")), "{error}");
    }
}

#[test]
fn reads_what_other_programs_write_and_says_what_it_drops() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../testdata/fens.txt");
    let text = std::fs::read_to_string(path).unwrap();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split(" | ").collect();
        let [game, text, expected, warnings] = fields[..] else { panic!("{line}: four fields") };
        let game = GameDef::builtin(game).unwrap();
        let found = match Position::read_fen(&game, text) {
            Ok((position, warnings)) => {
                let warnings: Vec<String> = warnings.iter().map(ToString::to_string).collect();
                (position.fen(), warnings.join("; "))
            }
            Err(error) => (error.to_string(), "error".to_owned()),
        };
        let is_said = if warnings == "none" { found.1.is_empty() } else { found.1.contains(warnings) };
        assert!(found.0.starts_with(expected) && is_said, "{line}\n{found:?}");
    }
}

#[test]
fn operations_of_epd_set_the_counters() {
    let chess = GameDef::builtin("chess").unwrap();
    let read = |operations: &str| {
        let line = format!("{START}{operations}");
        from_epd(&chess, &line).map_or_else(|error| error.to_string(), |position| position.fen())
    };
    for (operations, counters) in [
        ("", "0 1"),
        (" fmvn 17; hmvc 13;", "13 17"),
        (" hmvc 13;fmvn 0", "13 1"),
        (" 3 4 hmvc 5;", "5 4"),
        (" 3 4;variant chess;bm e4", "3 4"),
        ("; D1 20 ;D2 400", "0 1"),
        (" c0 \"a; hmvc 9; b\"; hmvc 2;", "2 1"),
    ] {
        assert_eq!(read(operations), format!("{START} {counters}"), "{operations}");
    }
    let error = read(" fmvn 17; hmvc x;");
    assert!(error.starts_with("FEN column 68 (halfmove clock): found `x`"), "{error}");
}

#[test]
fn fen_of_epd_is_kept_as_it_is_written() {
    let seirawan = GameDef::builtin("seirawan").unwrap();
    let antichess = GameDef::builtin("antichess").unwrap();
    let xiangqi = GameDef::builtin("xiangqi").unwrap();
    for (game, line, fen, operations) in [
        (&antichess, format!("{START} fmvn 7;bm e4"), format!("{START} 0 7"), "fmvn 7;bm e4"),
        (&antichess, format!(" {START} 3 ;D1 20"), format!("{START} 3 1"), ";D1 20"),
        (&seirawan, "4k3/8/8/8/8/8/8/4K3 w - - 5 6".to_owned(), "4k3/8/8/8/8/8/8/4K3 w - - 5 6".to_owned(), ""),
        (&xiangqi, "4k4/9/9/9/9/9/9/9/9/3K5 w ;D1 2".to_owned(), "4k4/9/9/9/9/9/9/9/9/3K5 w 0 1".to_owned(), ";D1 2"),
    ] {
        let epd = Epd::read(game, &line).unwrap();
        assert_eq!((epd.fen.as_str(), epd.operations), (fen.as_str(), operations));
        assert_eq!(Position::from_fen(game, &epd.fen), Ok(epd.position));
    }
    let lines = "\u{feff}# a\n% b\n\0\n\n 8/8 w - -\0\r\n";
    assert_eq!(lines.lines().filter_map(Epd::line).collect::<Vec<_>>(), ["8/8 w - -"]);
}
