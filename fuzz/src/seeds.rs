//! Seeds from the files of the repository.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use assay_rules::{GameDef, Position, san};

/// A move of `testdata/notation/`.
#[derive(Clone, Debug)]
pub struct NotationCase {
    pub position: Position,
    pub uci: String,
    pub san: String,
}

/// A path of the repository.
fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

/// A text file of the repository.
pub fn read(path: &str) -> String {
    let path = repository(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The lines of a file, without comments.
pub fn lines(path: &str) -> Vec<Vec<u8>> {
    let text = read(path);
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| line.as_bytes().to_vec()).collect()
}

/// All files of these folders with this extension (any if empty), in the order of their names. A
/// missing folder has none.
pub fn files(extension: &str, folders: &[&str]) -> Vec<Vec<u8>> {
    let mut paths: Vec<PathBuf> = folders
        .iter()
        .filter_map(|folder| fs::read_dir(repository(folder)).ok())
        .flat_map(|entries| entries.flatten().map(|entry| entry.path()))
        .filter(|path| {
            path.is_file() && (extension.is_empty() || path.extension().is_some_and(|found| found == extension))
        })
        .collect();
    paths.sort();
    let read = |path: PathBuf| fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    paths.into_iter().map(read).collect()
}

/// All moves of `testdata/notation/`.
pub fn notation_cases() -> &'static [NotationCase] {
    static CASES: OnceLock<Vec<NotationCase>> = OnceLock::new();
    CASES.get_or_init(|| {
        let games = assay_rules::def::BUILTIN_NAMES.into_iter().filter_map(GameDef::builtin);
        let cases = games.flat_map(|game| {
            let text = read(&format!("testdata/notation/{}.txt", game.name));
            let case = |line: &str| {
                let mut fields = line.split(" | ");
                let position = Position::from_fen(&game, fields.next()?).ok()?;
                let (uci, san) = (fields.next()?.to_owned(), fields.next()?.to_owned());
                san::parse(&position, &san).ok()?;
                Some(NotationCase { position, uci, san })
            };
            text.lines().filter_map(case).collect::<Vec<_>>()
        });
        cases.collect()
    })
}

/// The positions of `perft/suites/` in built-in games, at most 40 of a suite.
pub fn suite_positions() -> Vec<Position> {
    let games = assay_rules::def::BUILTIN_NAMES.into_iter().filter_map(GameDef::builtin);
    let positions = games.flat_map(|game| {
        let text = read(&format!("perft/suites/{}.epd", game.name));
        let fens = text.lines().filter_map(|line| line.split(';').next());
        let positions = fens.filter_map(|fen| Position::from_fen(&game, fen).ok());
        positions.take(40).collect::<Vec<_>>()
    });
    positions.collect()
}

/// Words and short lines of the inputs that are text, in libFuzzer's format: from random bytes it
/// would hardly find a name.
pub fn dictionary(inputs: &[Vec<u8>]) -> String {
    /// The most bytes of an entry that libFuzzer takes.
    const MAX_ENTRY: usize = 64;
    let texts = inputs.iter().filter_map(|input| std::str::from_utf8(input).ok());
    let lines = texts.flat_map(|text| text.split_inclusive('\n'));
    let entries =
        lines.flat_map(|line| line.split(|c: char| !c.is_alphanumeric() && c != '-' && c != '_').chain([line]));
    let entries: BTreeSet<&str> = entries.filter(|entry| (2..=MAX_ENTRY).contains(&entry.len())).collect();
    let escaped = |entry: &str| entry.bytes().map(|byte| format!("\\x{byte:02x}")).collect::<String>();
    let lines = entries.into_iter().map(|entry| format!("\"{}\"\n", escaped(entry)));
    // libFuzzer refuses an empty file.
    std::iter::once("# words of the inputs\n".to_owned()).chain(lines).collect()
}
