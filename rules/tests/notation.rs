//! SAN and PGN against the cases in `testdata/notation` and `testdata/pgn`.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use assay_rules::def::builtin_variant;
use assay_rules::pgn::PgnReader;
use assay_rules::san::{self, SanError};
use assay_rules::{GameDef, Position, uci};

fn testdata(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata").join(folder)
}

fn game(name: &str) -> Arc<GameDef> {
    GameDef::builtin(name).unwrap_or_else(|| {
        let file = testdata("games").join(format!("{name}.toml"));
        let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        Arc::new(GameDef::from_toml(&text, name).unwrap_or_else(|error| panic!("{error}")))
    })
}

/// Fields of all lines of a file, with their position for messages.
fn cases(file: &str) -> Vec<(String, Vec<String>)> {
    let path = testdata("notation").join(file);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.lines()
        .enumerate()
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .map(|(index, line)| {
            let fields = line.split(" | ").map(|field| field.trim().to_owned()).collect();
            (format!("{file}:{}: {line}", index + 1), fields)
        })
        .collect()
}

#[test]
fn formats_and_parses_san_of_every_game() {
    let mut count = 0;
    for name in assay_rules::def::BUILTIN_NAMES.into_iter().chain(["crazyhouse", "duck"]) {
        let game = game(name);
        for (place, fields) in cases(&format!("{name}.txt")) {
            let [fen, move_text, san] = fields.as_slice() else { panic!("{place}: three fields") };
            let position = Position::from_fen(&game, fen).unwrap_or_else(|error| panic!("{place}: {error}"));
            let mv = uci::parse(&position, move_text).unwrap_or_else(|error| panic!("{place}: {error}"));
            assert_eq!(&san::format(&position, mv), san, "{place}");
            assert_eq!(san::parse(&position, san), Ok(mv), "{place}");
            count += 1;
        }
    }
    assert!(count >= 60, "only {count} cases were found");
}

#[test]
fn parses_or_rejects_san_input() {
    for (place, fields) in cases("input.txt") {
        let [name, fen, text, expected] = fields.as_slice() else { panic!("{place}: four fields") };
        let position = Position::from_fen(&game(name), fen).unwrap_or_else(|error| panic!("{place}: {error}"));
        let read = san::parse(&position, text);
        let category = match &read {
            Ok(_) => "move",
            Err(SanError::Syntax { .. }) => "malformed",
            Err(SanError::Illegal { .. }) => "illegal",
            Err(SanError::Uci { .. }) => "uci",
            Err(SanError::Ambiguous { .. }) => "ambiguous",
        };
        match read {
            Ok(mv) => assert_eq!(&uci::format(position.game(), mv), expected, "{place}"),
            Err(error) => {
                let message = error.to_string();
                let words = expected.strip_prefix(category).unwrap_or_else(|| panic!("{place}: {message}"));
                assert!(message.contains(text.as_str()), "{place}: {message}");
                for word in words.split_whitespace() {
                    assert!(message.contains(word), "{place}: no `{word}` in: {message}");
                }
            }
        }
    }
}

/// Games and errors in the format of the `.expected` files.
fn summaries(text: &str) -> Vec<String> {
    let reader = PgnReader::new(text, &game("chess"), builtin_variant);
    reader
        .map(|read| match read {
            Ok(game) => {
                let result = game.result().map_or("*".to_owned(), |points| points.to_string());
                format!("game {} {} {} {}", game.game().name, game.moves().len(), result, game.end().fen())
            }
            Err(error) => format!("error {error}"),
        })
        .collect()
}

fn pgn_files() -> Vec<(String, String, Vec<String>)> {
    let mut files: Vec<PathBuf> = fs::read_dir(testdata("pgn"))
        .expect("testdata/pgn exists")
        .map(|entry| entry.expect("a folder entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "pgn"))
        .collect();
    files.sort();
    assert!(!files.is_empty());
    files
        .into_iter()
        .map(|path| {
            let read = |path: &Path| {
                fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display())).replace('\r', "")
            };
            let expected = read(&path.with_extension("expected"));
            let expected = expected.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect();
            (path.display().to_string(), read(&path), expected)
        })
        .collect()
}

fn compare(path: &str, found: &[String], expected: &[String]) {
    assert!(found == expected, "{path}\nfound\n{}\nexpected\n{}", found.join("\n"), expected.join("\n"));
}

#[test]
fn pgn_files_parse_as_expected() {
    for (path, text, expected) in pgn_files() {
        compare(&path, &summaries(&text), &expected);
    }
}

#[test]
fn accepts_crlf_and_byte_order_mark() {
    for (path, text, expected) in pgn_files() {
        let other = format!("\u{feff}{}", text.replace('\n', "\r\n"));
        compare(&path, &summaries(&other), &expected);
    }
}

#[test]
fn pgn_round_trips() {
    for (path, text, _) in pgn_files() {
        let read = |text: &str| -> Vec<_> {
            PgnReader::new(text, &game("chess"), builtin_variant).filter_map(Result::ok).collect()
        };
        let games = read(&text);
        let written: String = games.iter().map(ToString::to_string).collect();
        for line in written.lines().filter(|line| !line.starts_with('[')) {
            assert!(line.chars().count() < 80, "{path}: {line}");
        }
        assert_eq!(read(&written), games, "{path}");
        assert_eq!(read(&written).iter().map(ToString::to_string).collect::<String>(), written, "{path}");
    }
}

#[test]
fn the_number_of_tags_is_limited() {
    let text: String = (0..100_000).map(|number| format!("[Tag{number} \"x\"]\n")).collect();
    let chess = GameDef::builtin("chess").unwrap();
    let mut games = PgnReader::new(&text, &chess, builtin_variant);
    let error = games.next().unwrap().unwrap_err().to_string();
    assert!(error.contains("found tag `Tag256`, expected at most 256 tags"), "{error}");
}

#[test]
fn variations_are_read_where_they_are_wanted() {
    let chess = game("chess");
    let read = |text: &str| {
        PgnReader::new(text, &chess, builtin_variant).with_variations().next().expect("a game").map(|game| {
            let (_, moves) =
                game.to_string().split_once("\n\n").map(|(tags, moves)| (tags.len(), moves.to_owned())).unwrap();
            moves.split_whitespace().collect::<Vec<_>>().join(" ")
        })
    };
    for (text, expected) in [
        // After the move that they replace, in one another, with numbers, glyphs and comments.
        (
            "1. e4 (1. d4! $1 d5 {x} (1... Nf6 2.c4) 2. c4) (1. c4) 1... e5 *",
            "1. e4 (1. d4 d5 (1... Nf6 2. c4) 2. c4) (1. c4) 1... e5 *",
        ),
        ("1. e4 e5 (1... c5 2. Nf3 1-0) 2. Nf3 1-0", "1. e4 e5 (1... c5 2. Nf3) 2. Nf3 1-0"),
        // Up to a null move or an illegal one; what is inside of the rest is skipped, too.
        ("1. e4 e5 (1... -- 2. d4) (1... c5 2. Qh7 (2. Nf3) d6) *", "1. e4 e5 (1... c5) *"),
        // Before any move there is none to replace.
        ("(1. e4) 1. d4 (()) ((1. e4)) *", "1. d4 *"),
    ] {
        assert_eq!(read(text).as_deref(), Ok(expected), "{text}");
    }
    let mut reader =
        PgnReader::new("1. e4 (1. Z0 e5) (1. d4 Qh5) (1. c4 0-1) *", &chess, builtin_variant).with_variations();
    assert!(reader.next().is_some_and(|game| game.is_ok()));
    assert_eq!(reader.cut_variations(), 2);
    let nested = |depth| format!("1. e4 {}1. d4{} *", "(1. d4 ".repeat(depth - 1) + "(", ")".repeat(depth));
    assert!(read(&nested(64)).is_ok());
    let error = read(&nested(65)).unwrap_err();
    assert_eq!(error.to_string(), "line 1, column 455: found `(`, expected at most 64 variations in one another");
    let skipped = PgnReader::new(&nested(65), &chess, builtin_variant).next().expect("a game");
    assert_eq!(skipped.expect("variations are skipped").moves().len(), 1);
}
