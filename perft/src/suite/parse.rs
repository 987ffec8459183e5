//! Parser of suites.

use std::path::Path;
use std::sync::Arc;

use assay_cli::format;
use assay_rules::def::BUILTIN_NAMES;
use assay_rules::fen::FenError;
use assay_rules::text::{excerpt, without_bom};
use assay_rules::{GameDef, Position, Setup};
use thiserror::Error;

use super::entry::{Count, Entry, MAX_DEPTH, Source, Suite};
use super::games::Games;

/// A syntax error in a suite.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{source_file}:{line}:{column}: found {found}, expected {expected}")]
pub struct SuiteError {
    pub source_file: Source,
    /// Line number, from 1.
    pub line: usize,
    /// Character of the line, from 1.
    pub column: usize,
    /// What the parser found there.
    pub found: String,
    /// What it expected instead.
    pub expected: String,
}

/// Parses a suite; see [`read_files`](super::read_files).
///
/// # Errors
/// The first error.
pub fn parse(
    source: Source,
    bytes: &[u8],
    only: Option<&Arc<GameDef>>,
    games: &mut Games,
) -> Result<Suite, SuiteError> {
    let text = without_bom(utf8(&source, bytes)?);
    let (mut entries, mut other_games) = (Vec::new(), 0);
    for (index, text) in text.lines().enumerate() {
        let content = text.trim();
        if content.is_empty() || content.starts_with('#') {
            continue;
        }
        let line = Line {
            source: &source,
            number: index + 1,
            text,
        };
        match line.entry(only, games)? {
            Some(entry) => entries.push(entry),
            None => other_games += 1,
        }
    }
    Ok(Suite {
        source,
        entries,
        other_games,
    })
}

fn utf8<'b>(source: &Source, bytes: &'b [u8]) -> Result<&'b str, SuiteError> {
    std::str::from_utf8(bytes).map_err(|error| {
        let valid = String::from_utf8_lossy(&bytes[..error.valid_up_to()]).into_owned();
        SuiteError {
            source_file: source.clone(),
            line: valid.matches('\n').count() + 1,
            column: valid.rsplit('\n').next().map_or(0, |line| line.chars().count()) + 1,
            found: format!("byte {:#04x}", bytes[error.valid_up_to()]),
            expected: "text in UTF-8".to_owned(),
        }
    })
}

struct Line<'t> {
    source: &'t Source,
    number: usize,
    text: &'t str,
}

/// A field of a line: the trimmed text between two semicolons.
#[derive(Clone, Copy)]
struct Field<'t> {
    text: &'t str,
    /// Byte offset in the line.
    start: usize,
}

impl<'t> Line<'t> {
    /// An error at a byte offset.
    fn error(&self, offset: usize, found: impl Into<String>, expected: impl Into<String>) -> SuiteError {
        let before = self.text.get(..offset).unwrap_or(self.text);
        SuiteError {
            source_file: self.source.clone(),
            line: self.number,
            column: before.chars().count() + 1,
            found: found.into(),
            expected: expected.into(),
        }
    }

    /// An error at the end of the line.
    fn error_at_end(&self, found: &str, expected: &str) -> SuiteError {
        self.error(self.text.trim_end().len(), found, expected)
    }

    fn fields(&self) -> impl Iterator<Item = Field<'t>> {
        let mut offset = 0;
        self.text.split(';').map(move |part| {
            let text = part.trim();
            let blanks = if text.is_empty() {
                0
            } else {
                part.len() - part.trim_start().len()
            };
            let start = offset + blanks;
            offset += part.len() + 1;
            Field { text, start }
        })
    }

    /// Parses the line; `None` if it belongs to another game than `only`.
    fn entry(&self, only: Option<&Arc<GameDef>>, games: &mut Games) -> Result<Option<Entry>, SuiteError> {
        let mut fields = self.fields();
        let Some(fen) = fields.next() else { return Ok(None) };
        let mut game: Option<Arc<GameDef>> = None;
        let mut counts: Vec<Count> = Vec::new();
        for field in fields {
            let variant = field.text.strip_prefix("variant");
            if let Some(name) = variant.filter(|rest| rest.starts_with(char::is_whitespace)) {
                if game.is_some() {
                    return Err(self.error(field.start, "a second `variant`", "one game per line"));
                }
                game = Some(self.game(field, name.trim(), games)?);
                continue;
            }
            let count = self.count(field)?;
            if counts.iter().any(|other| other.depth == count.depth) {
                let found = format!("a second count of depth {}", count.depth);
                return Err(self.error(field.start, found, "each depth once"));
            }
            counts.push(count);
        }
        if counts.is_empty() {
            return Err(self.error_at_end("the end of the line", "a count such as `;D1 20`"));
        }
        counts.sort_by_key(|count| count.depth);
        let game = match (game, only) {
            (Some(game), Some(only)) if *game != **only => return Ok(None),
            (Some(game), _) => game,
            (None, Some(only)) => Arc::clone(only),
            (None, None) => {
                let expected = "`;variant NAME` (or --game NAME for lines without)";
                return Err(self.error_at_end("no game", expected));
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

    fn game(&self, field: Field<'_>, name: &str, games: &mut Games) -> Result<Arc<GameDef>, SuiteError> {
        let start = field.start + field.text.len() - name.len();
        let is_path = Path::new(name).extension().is_some_and(|extension| extension == "toml");
        if is_path {
            return games.load_beside(self.source, name).map_err(|error| {
                let expected = "the path of a definition file, relative to the suite";
                self.error(start, format!("`{}` ({error})", excerpt(name)), expected)
            });
        }
        GameDef::builtin(name).map_or_else(
            || {
                let known = BUILTIN_NAMES.join(", ");
                let expected = format!("a game: {known}, or the path of a definition file (.toml)");
                Err(self.error(start, format!("`{}`", excerpt(name)), expected))
            },
            |_| Ok(games.load(name).expect("a built-in game")),
        )
    }

    /// Parses `D3 8902`.
    fn count(&self, field: Field<'_>) -> Result<Count, SuiteError> {
        const FORM: &str = "`variant NAME` or a count such as `D3 8902`";
        let found = || match field.text {
            "" => "nothing".to_owned(),
            text => format!("`{}`", excerpt(text)),
        };
        let words = field
            .text
            .strip_prefix('D')
            .and_then(|rest| rest.split_once(char::is_whitespace))
            .map(|(depth, nodes)| (depth, nodes.trim_start()));
        let Some((depth, nodes)) = words.filter(|(_, nodes)| !nodes.contains(char::is_whitespace)) else {
            return Err(self.error(field.start, found(), FORM));
        };
        let whole_number = |text: &str| {
            let is_digits = text.bytes().all(|byte| byte.is_ascii_digit());
            text.parse::<u64>().ok().filter(|_| is_digits)
        };
        let depth = whole_number(depth)
            .and_then(|depth| u32::try_from(depth).ok())
            .filter(|depth| (1..=MAX_DEPTH).contains(depth))
            .ok_or_else(|| {
                let expected = format!("a depth from D1 to D{MAX_DEPTH}");
                self.error(field.start, format!("`D{}`", excerpt(depth)), expected)
            })?;
        let nodes = whole_number(nodes).ok_or_else(|| {
            let start = field.start + field.text.len() - nodes.len();
            self.error(start, format!("`{}`", excerpt(nodes)), "a count: a whole number")
        })?;
        Ok(Count { depth, nodes })
    }

    fn position(&self, fen: Field<'_>, game: &Arc<GameDef>) -> Result<Position, SuiteError> {
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
                    fen.start + byte,
                    found,
                    format!("{expected} ({} of a FEN of {})", field.name(), game.name),
                )
            }
            FenError::FieldCount { found } => {
                let expected = "six: board, side to move, rights, en passant, halfmove clock, move number";
                self.error(
                    fen.start,
                    format!("a FEN of {}", format::count(found, "field", "fields")),
                    expected,
                )
            }
            FenError::Impossible(faults) => self.error(fen.start, faults.to_string(), "a possible position"),
        })?;
        let (position, warnings) = Position::from_setup(game, &setup).map_err(|faults| {
            self.error(
                fen.start,
                format!("an impossible position: {faults}"),
                "one that can be played",
            )
        })?;
        if let Some(warning) = warnings.first() {
            let found = format!("a FEN to be corrected ({warning})");
            return Err(self.error(fen.start, found, "one that is exact"));
        }
        Ok(position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    fn file() -> Source {
        Source::File("s.epd".into())
    }

    fn read(text: &str) -> Result<Suite, String> {
        parse(file(), text.as_bytes(), None, &mut Games::default()).map_err(|error| error.to_string())
    }

    #[test]
    fn reads_a_line() {
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
    fn skips_byte_order_mark() {
        let suite = read(&format!("\u{feff}{START} ;variant chess ;D1 20\n")).unwrap();
        assert_eq!(suite.entries[0].line, 1);
        assert_eq!(read("\u{feff}# comment\n").unwrap().entries.len(), 0);
    }

    #[test]
    fn error_names_line_and_column() {
        let error = read(&format!("\n{START} ;variant chess ;D1 2x0")).unwrap_err();
        assert_eq!(error, "s.epd:2:77: found `2x0`, expected a count: a whole number");
        let error = read("rnbqkbnr/ppppxppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;variant chess ;D1 1").unwrap_err();
        assert!(
            error.starts_with("s.epd:1:14: found `x`, expected a piece (KQRBNP)"),
            "{error}"
        );
    }

    #[test]
    fn selected_game_is_the_default_and_skips_others() {
        let chess = GameDef::builtin("chess").unwrap();
        let text = format!("{START} ;D1 20\n{START} ;variant gunnery ;D1 20\n");
        let suite = parse(file(), text.as_bytes(), Some(&chess), &mut Games::default()).unwrap();
        assert_eq!((suite.entries.len(), suite.other_games), (1, 1));
    }
}
