//! Suites: files of positions with known counts.
//!
//! One position a line: `FEN ;variant NAME ;D1 20 ;D2 400`. `NAME` is a built-in game, or the path of a definition file
//! (ending in `.toml`) relative to the suite. Empty lines and lines that begin with `#` say nothing.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Result, bail};
use assay_rules::fen::FenError;
use assay_rules::{GameDef, Position, Setup};
use thiserror::Error;

/// The deepest count a suite may state.
pub const MAX_DEPTH: u32 = 64;

/// A count of one depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// Plies.
    pub depth: u32,
    /// Move sequences of that length.
    pub nodes: u64,
}

/// One line of a suite.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The line of the file, from 1.
    pub line: usize,
    /// The game.
    pub game: Arc<GameDef>,
    /// The position.
    pub position: Position,
    /// The counts in ascending order of depth; at least one.
    pub counts: Vec<Count>,
}

/// A file of positions.
#[derive(Clone, Debug)]
pub struct Suite {
    /// The file as it was named.
    pub path: PathBuf,
    /// Its positions.
    pub entries: Vec<Entry>,
    /// Lines of other games than the one asked for.
    pub left_out: usize,
}

/// Something wrong with a suite.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}:{line}:{column}: found {found}, expected {expected}", .path.display())]
pub struct SuiteError {
    /// The file.
    pub path: PathBuf,
    /// The line, from 1.
    pub line: usize,
    /// The character of the line, from 1.
    pub column: usize,
    /// What stands there.
    pub found: String,
    /// What could stand there.
    pub expected: String,
}

/// Games that suites name, each loaded once.
#[derive(Default)]
pub struct Games {
    loaded: HashMap<String, Arc<GameDef>>,
}

impl Games {
    /// The game of that name or path.
    ///
    /// # Errors
    /// When there is none, or its file is wrong.
    pub fn load(&mut self, name: &str) -> Result<Arc<GameDef>, assay_engine::LoadError> {
        if let Some(game) = self.loaded.get(name) {
            return Ok(Arc::clone(game));
        }
        let game = assay_engine::load_game(name)?;
        self.loaded.insert(name.to_owned(), Arc::clone(&game));
        Ok(game)
    }
}

/// Reads suites. With `only`, lines without `variant` are of that game, and lines of other games are left out.
///
/// # Errors
/// When a file cannot be read, or any line of any file is wrong: the first error of each file, a line each.
pub fn read_all(paths: &[PathBuf], only: Option<&Arc<GameDef>>, games: &mut Games) -> Result<Vec<Suite>> {
    let mut suites = Vec::new();
    let mut wrong = Vec::new();
    for path in paths {
        let bytes = match std::fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) => {
                wrong.push(format!("{}: {error}", path.display()));
                continue;
            }
        };
        match text_of(path, &bytes).and_then(|text| parse(path, text, only, games)) {
            Ok(suite) => suites.push(suite),
            Err(error) => wrong.push(error.to_string()),
        }
    }
    if !wrong.is_empty() {
        bail!("{}", wrong.join("\nerror: "));
    }
    Ok(suites)
}

/// The bytes of a suite as text.
fn text_of<'b>(path: &Path, bytes: &'b [u8]) -> Result<&'b str, SuiteError> {
    std::str::from_utf8(bytes).map_err(|error| {
        let good = String::from_utf8_lossy(&bytes[..error.valid_up_to()]).into_owned();
        SuiteError {
            path: path.to_owned(),
            line: good.matches('\n').count() + 1,
            column: good.rsplit('\n').next().map_or(0, |line| line.chars().count()) + 1,
            found: format!("byte {:#04x}", bytes[error.valid_up_to()]),
            expected: "text in UTF-8".to_owned(),
        }
    })
}

/// Reads one suite.
///
/// # Errors
/// The first wrong line.
pub fn parse(path: &Path, text: &str, only: Option<&Arc<GameDef>>, games: &mut Games) -> Result<Suite, SuiteError> {
    let mut suite = Suite {
        path: path.to_owned(),
        entries: Vec::new(),
        left_out: 0,
    };
    for (index, line) in text.lines().enumerate() {
        let content = line.trim();
        if content.is_empty() || content.starts_with('#') {
            continue;
        }
        let line = Line {
            path,
            number: index + 1,
            text: line,
        };
        let Some(entry) = line.entry(only, games)? else {
            suite.left_out += 1;
            continue;
        };
        suite.entries.push(entry);
    }
    Ok(suite)
}

/// A line being read.
struct Line<'t> {
    path: &'t Path,
    number: usize,
    text: &'t str,
}

/// A part of a line between semicolons, without the blanks around it.
#[derive(Clone, Copy)]
struct Part<'t> {
    text: &'t str,
    /// The byte of the line where it begins.
    at: usize,
}

impl<'t> Line<'t> {
    fn error(&self, at: usize, found: impl Into<String>, expected: impl Into<String>) -> SuiteError {
        let before = self.text.get(..at).unwrap_or(self.text);
        SuiteError {
            path: self.path.to_owned(),
            line: self.number,
            column: before.chars().count() + 1,
            found: found.into(),
            expected: expected.into(),
        }
    }

    fn parts(&self) -> Vec<Part<'t>> {
        let mut parts = Vec::new();
        let mut at = 0;
        for piece in self.text.split(';') {
            let inside = piece.trim();
            let blanks = piece.len() - piece.trim_start().len();
            parts.push(Part {
                text: inside,
                at: at + if inside.is_empty() { 0 } else { blanks },
            });
            at += piece.len() + 1;
        }
        parts
    }

    /// The line's meaning; `None` when it is of another game than `only`.
    fn entry(&self, only: Option<&Arc<GameDef>>, games: &mut Games) -> Result<Option<Entry>, SuiteError> {
        let parts = self.parts();
        let Some((&fen, operations)) = parts.split_first() else {
            return Ok(None);
        };
        let mut game: Option<Arc<GameDef>> = None;
        let mut counts: Vec<Count> = Vec::new();
        for &part in operations {
            if let Some(name) = part
                .text
                .strip_prefix("variant")
                .filter(|rest| rest.starts_with(char::is_whitespace))
            {
                if game.is_some() {
                    return Err(self.error(part.at, "a second `variant`", "one game a line"));
                }
                game = Some(self.game(part, name.trim(), games)?);
            } else {
                let count = self.count(part)?;
                if counts.iter().any(|earlier| earlier.depth == count.depth) {
                    return Err(self.error(
                        part.at,
                        format!("a second count of depth {}", count.depth),
                        "each depth once",
                    ));
                }
                counts.push(count);
            }
        }
        if counts.is_empty() {
            return Err(self.error(
                self.text.trim_end().len(),
                "the end of the line",
                "a count like `;D1 20`",
            ));
        }
        counts.sort_by_key(|count| count.depth);
        let game = match (game, only) {
            (Some(game), Some(only)) if *game != **only => return Ok(None),
            (Some(game), _) => game,
            (None, Some(only)) => Arc::clone(only),
            (None, None) => {
                let expected = "`;variant NAME` (or --game NAME for lines without)";
                return Err(self.error(self.text.trim_end().len(), "no game", expected));
            }
        };
        let position = self.position(fen, &game)?;
        Ok(Some(Entry {
            line: self.number,
            game,
            position,
            counts,
        }))
    }

    fn game(&self, part: Part<'_>, name: &str, games: &mut Games) -> Result<Arc<GameDef>, SuiteError> {
        let at = part.at + part.text.len() - name.len();
        let is_path = Path::new(name).extension().is_some_and(|extension| extension == "toml");
        let asked = match self.path.parent() {
            Some(folder) if is_path => folder.join(name).display().to_string(),
            _ => name.to_owned(),
        };
        let known = assay_rules::def::BUILTIN_NAMES.join(", ");
        if !is_path && GameDef::builtin(name).is_none() {
            return Err(self.error(
                at,
                format!("`{name}`"),
                format!("a game: {known}, or the path of a definition file (.toml)"),
            ));
        }
        games.load(&asked).map_err(|error| {
            let expected = "the path of a definition file, relative to the suite";
            self.error(at, format!("`{name}` ({error})"), expected)
        })
    }

    fn count(&self, part: Part<'_>) -> Result<Count, SuiteError> {
        const FORM: &str = "`variant NAME` or a count like `D3 8902`";
        let Some(rest) = part.text.strip_prefix('D') else {
            let found = if part.text.is_empty() {
                "nothing".to_owned()
            } else {
                format!("`{}`", part.text)
            };
            return Err(self.error(part.at, found, FORM));
        };
        let mut words = rest.split_whitespace();
        let (Some(depth), Some(nodes), None) = (words.next(), words.next(), words.next()) else {
            return Err(self.error(part.at, format!("`{}`", part.text), FORM));
        };
        let whole = |text: &str| {
            text.bytes()
                .all(|byte| byte.is_ascii_digit())
                .then(|| text.parse::<u64>().ok())
                .flatten()
        };
        let depth = whole(depth)
            .filter(|depth| {
                (1..=u64::from(MAX_DEPTH)).contains(depth) && rest.starts_with(|c: char| c.is_ascii_digit())
            })
            .ok_or_else(|| {
                self.error(
                    part.at,
                    format!("`D{depth}`"),
                    format!("a depth from D1 to D{MAX_DEPTH}"),
                )
            })?;
        let nodes_at = part.at + part.text.len() - nodes.len();
        let nodes =
            whole(nodes).ok_or_else(|| self.error(nodes_at, format!("`{nodes}`"), "a count: a whole number"))?;
        Ok(Count {
            depth: depth as u32,
            nodes,
        })
    }

    fn position(&self, fen: Part<'_>, game: &Arc<GameDef>) -> Result<Position, SuiteError> {
        let setup = Setup::from_fen(game, fen.text).map_err(|error| match error {
            FenError::Syntax {
                field,
                column,
                found,
                expected,
            } => {
                let byte = fen
                    .text
                    .char_indices()
                    .nth(column - 1)
                    .map_or(fen.text.len(), |(byte, _)| byte);
                self.error(
                    fen.at + byte,
                    found,
                    format!("{expected} ({} of a FEN of {})", field.name(), game.name),
                )
            }
            FenError::FieldCount { found } => {
                let expected = "six: board, side to move, rights, en passant, halfmove clock, move number";
                self.error(fen.at, format!("a FEN of {found} fields"), expected)
            }
            FenError::Impossible(faults) => self.error(fen.at, faults.to_string(), "a possible position"),
        })?;
        let (position, warnings) = Position::from_setup(game, &setup).map_err(|faults| {
            self.error(
                fen.at,
                format!("an impossible position: {faults}"),
                "one that can be played",
            )
        })?;
        if let Some(warning) = warnings.first() {
            let found = format!("a FEN to be corrected ({warning})");
            return Err(self.error(fen.at, found, "one that is exact"));
        }
        Ok(position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    fn read(text: &str) -> Result<Suite, String> {
        parse(Path::new("s.epd"), text, None, &mut Games::default()).map_err(|error| error.to_string())
    }

    #[test]
    fn a_line_is_read() {
        let suite = read(&format!("# comment\n\n  {START} ;variant chess ;D2 400 ;D1 20\n")).unwrap();
        let [entry] = suite.entries.as_slice() else {
            panic!("one entry")
        };
        assert_eq!((entry.line, entry.game.name.as_str()), (3, "chess"));
        assert_eq!(
            entry.counts,
            [Count { depth: 1, nodes: 20 }, Count { depth: 2, nodes: 400 }]
        );
    }

    #[test]
    fn errors_name_the_place() {
        let error = read(&format!("\n{START} ;variant chess ;D1 2x0")).unwrap_err();
        assert_eq!(error, "s.epd:2:77: found `2x0`, expected a count: a whole number");
        let error = read("rnbqkbnr/ppppxppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;variant chess ;D1 1").unwrap_err();
        assert!(
            error.starts_with("s.epd:1:14: found `x`, expected a piece (KQRBNP)"),
            "{error}"
        );
    }

    #[test]
    fn a_game_may_be_left_out_when_one_is_asked_for() {
        let chess = GameDef::builtin("chess").unwrap();
        let text = format!("{START} ;D1 20\n{START} ;variant gunnery ;D1 20\n");
        let suite = parse(Path::new("s.epd"), &text, Some(&chess), &mut Games::default()).unwrap();
        assert_eq!((suite.entries.len(), suite.left_out), (1, 1));
    }
}
