//! Parser of suites.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use assay_cli::{format, output};
use assay_rules::GameDef;
use assay_rules::def::known_games;
use assay_rules::fen::{Epd, FenError};
use assay_rules::text::excerpt;
use thiserror::Error;

use super::{Count, Entry, Games, MAX_DEPTH, Suite};

/// The kind of an operation.
const OPERATION: &str = "`variant NAME` or a count such as `D3 8902` or `perft 3 = 8902`";

/// A syntax error in a suite.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}:{line}:{column}: found {found}, expected {expected}", .source_file.display())]
pub struct SuiteError {
    pub source_file: PathBuf,
    /// Line number, from 1.
    pub line: usize,
    /// Character of the line, from 1.
    pub column: usize,
    /// What the parser found there.
    pub found: String,
    /// What it expected instead.
    pub expected: String,
}

/// What the lines of a suite must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lines {
    /// A count or more, and nothing that is not understood.
    Counted,
    /// A position. Operations other than `variant` do not matter.
    Positions,
}

/// Parses a suite; see [`read_files`](super::read_files). Lines that cannot be read become
/// [`Suite::faults`].
///
/// # Errors
/// If the file is not text.
pub fn parse(
    source: PathBuf,
    bytes: &[u8],
    lines: Lines,
    only: Option<&Arc<GameDef>>,
    games: &mut Games,
) -> Result<Suite, SuiteError> {
    let text = utf8(&source, bytes)?;
    let mut suite = Suite { source, entries: Vec::new(), other_games: 0, faults: Vec::new() };
    // The last line of a block `epd FEN`, and its entry unless it is wrong or of another game.
    let mut block: Option<(Line<'_>, Option<Entry>)> = None;
    let source = suite.source.clone();
    for (index, text) in text.lines().enumerate() {
        let text = without_comment(text.trim_matches(['\0', '\u{feff}']));
        if Epd::line(text).is_none() {
            continue;
        }
        let line = Line { source: &source, number: index + 1, text, lines };
        let (word, rest) = text.trim().split_once(char::is_whitespace).unwrap_or((text.trim(), ""));
        match (word, &mut block) {
            ("perft", Some((_, None))) => {}
            ("perft", Some((_, Some(entry)))) => {
                if let Err(fault) = line.push_counts(&words(text), &mut entry.counts) {
                    suite.faults.push(fault);
                    block = None;
                }
            }
            ("id" | "epd", _) => {
                suite.push_block(block.take());
                if word == "epd" {
                    let entry = line.entry(rest, only, games);
                    block = Some((line, suite.note(entry)));
                }
            }
            _ => {
                let entry = line.entry(text, only, games).and_then(|entry| line.counted(entry));
                let entry = suite.note(entry);
                suite.entries.extend(entry);
            }
        }
    }
    suite.push_block(block);
    Ok(suite)
}

impl Suite {
    /// Notes a line that is wrong or of another game.
    fn note(&mut self, entry: Result<Option<Entry>, SuiteError>) -> Option<Entry> {
        match entry {
            Ok(Some(entry)) => return Some(entry),
            Ok(None) => self.other_games += 1,
            Err(fault) => self.faults.push(fault),
        }
        None
    }

    /// Adds the entry of a block of lines, if it has one.
    fn push_block(&mut self, block: Option<(Line<'_>, Option<Entry>)>) {
        let Some((line, Some(entry))) = block else { return };
        let entry = line.counted(Some(entry));
        let entry = self.note(entry);
        self.entries.extend(entry);
    }
}

/// The line without a comment: `#` at its start or after a blank.
fn without_comment(line: &str) -> &str {
    let begins_comment = |&(at, _): &(usize, &str)| line[..at].trim_end().len() < at || at == 0;
    let comment = line.match_indices('#').find(begins_comment);
    comment.map_or(line, |(at, _)| &line[..at])
}

fn utf8<'b>(source: &Path, bytes: &'b [u8]) -> Result<&'b str, SuiteError> {
    std::str::from_utf8(bytes).map_err(|error| {
        let valid = String::from_utf8_lossy(&bytes[..error.valid_up_to()]).into_owned();
        SuiteError {
            source_file: source.to_owned(),
            line: valid.matches('\n').count() + 1,
            column: valid.rsplit('\n').next().map_or(0, |line| line.chars().count()) + 1,
            found: format!("byte {:#04x}", bytes[error.valid_up_to()]),
            expected: "text in UTF-8".to_owned(),
        }
    })
}

struct Line<'t> {
    source: &'t Path,
    number: usize,
    text: &'t str,
    lines: Lines,
}

/// A word of a line, a semicolon, or an equals sign.
#[derive(Clone, Copy)]
struct Word<'t> {
    text: &'t str,
    /// Byte offset in the line.
    start: usize,
}

impl Word<'_> {
    fn end(&self) -> usize {
        self.start + self.text.len()
    }
}

fn words(line: &str) -> Vec<Word<'_>> {
    let is_alone = |c: char| matches!(c, ';' | '=');
    let mut words: Vec<Word<'_>> = Vec::new();
    for (start, c) in line.char_indices().filter(|(_, c)| !c.is_whitespace()) {
        let end = start + c.len_utf8();
        match words.last_mut() {
            Some(word) if word.end() == start && !is_alone(c) && !word.text.starts_with(is_alone) => {
                word.text = &line[word.start..end];
            }
            _ => words.push(Word { text: &line[start..end], start }),
        }
    }
    words
}

impl<'t> Line<'t> {
    /// An error at a byte offset.
    fn error(&self, offset: usize, found: impl Into<String>, expected: impl Into<String>) -> SuiteError {
        let before = self.text.get(..offset).unwrap_or(self.text);
        SuiteError {
            source_file: self.source.to_owned(),
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

    /// The text from the first to the last of the words, which are not none.
    fn text_of(&self, words: &[Word<'_>]) -> &'t str {
        &self.text[words[0].start..words[words.len() - 1].end()]
    }

    /// Parses `text`, the end of the line; `None` if it belongs to another game than `only`.
    fn entry(&self, text: &str, only: Option<&Arc<GameDef>>, games: &mut Games) -> Result<Option<Entry>, SuiteError> {
        let before = self.text.trim_end().len() - text.trim_end().len();
        let words: Vec<Word<'_>> = words(self.text).into_iter().filter(|word| word.start >= before).collect();
        let game = self.game(&words, games)?;
        let game = match (game, only) {
            (Some(game), Some(only)) if *game != **only => return Ok(None),
            (Some(game), _) => game,
            (None, Some(only)) => Arc::clone(only),
            (None, None) => {
                let expected = "`;variant NAME` (or --game NAME for lines without)";
                return Err(self.error_at_end("no game", expected));
            }
        };
        let epd = Epd::read(&game, text).map_err(|error| self.fen_error(before, error, &game))?;
        let ignored = epd.warnings.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
        if !ignored.is_empty() {
            output::warning(format_args!("{}:{}: {ignored}", self.source.display(), self.number));
        }
        let mut counts: Vec<Count> = Vec::new();
        let mut offset = before + text.trim_end().len() - epd.operations.trim_end().len();
        let operations = words.partition_point(|word| word.start < offset);
        let mut operations = words[operations..].split(|word| word.text == ";").peekable();
        // Nothing needs to stand between the FEN and the first semicolon, or behind the last.
        operations.next_if(|operation| operation.is_empty());
        while let Some(operation) = operations.next() {
            let Some((first, rest)) = operation.split_first() else {
                if operations.peek().is_none() || self.lines == Lines::Positions {
                    continue;
                }
                return Err(self.error(offset, "nothing", OPERATION));
            };
            offset = operation[operation.len() - 1].end();
            match (first.text, rest) {
                ("variant" | "id", [_, ..]) | ("hmvc" | "fmvn", [_]) => {}
                _ if self.lines == Lines::Positions => {}
                _ => self.push_counts(operation, &mut counts)?,
            }
        }
        Ok(Some(Entry { line: self.number, game, fen: epd.fen, ignored, position: epd.position, counts }))
    }

    /// Reads one count or several, such as `D1 20` or `perft 2 = 400`.
    fn push_counts(&self, mut words: &[Word<'_>], counts: &mut Vec<Count>) -> Result<(), SuiteError> {
        while !words.is_empty() {
            let (place, count) = (words[0].start, self.count(&mut words)?);
            if counts.iter().any(|earlier| earlier.depth == count.depth) {
                let found = format!("a second count of depth {}", count.depth);
                return Err(self.error(place, found, "each depth once"));
            }
            counts.push(count);
        }
        counts.sort_by_key(|count| count.depth);
        Ok(())
    }

    /// The entry, if it has the counts that it needs.
    fn counted(&self, entry: Option<Entry>) -> Result<Option<Entry>, SuiteError> {
        match &entry {
            Some(entry) if entry.counts.is_empty() && self.lines == Lines::Counted => {
                Err(self.error_at_end("the end of the line", "a count such as `;D1 20`"))
            }
            _ => Ok(entry),
        }
    }

    /// The game that an operation `variant NAME` names.
    fn game(&self, words: &[Word<'_>], games: &mut Games) -> Result<Option<Arc<GameDef>>, SuiteError> {
        // The first operation may follow the FEN without a semicolon.
        let begins =
            |at: usize| at > 1 && (words[at - 1].text == ";" || words[..at].iter().all(|word| word.text != ";"));
        let mut named = (0..words.len().saturating_sub(1)).filter(|&at| words[at].text == "variant" && begins(at));
        let Some(at) = named.next() else { return Ok(None) };
        if let Some(second) = named.next() {
            return Err(self.error(words[second].start, "a second `variant`", "one game per line"));
        }
        let end = words[at..].iter().position(|word| word.text == ";").map_or(words.len(), |length| at + length);
        let [first, ..] = &words[at + 1..end] else { return Ok(None) };
        let (start, name) = (first.start, self.text_of(&words[at + 1..end]));
        let is_path = Path::new(name).extension().is_some_and(|extension| extension == "toml");
        if is_path {
            return games.load(self.source.with_file_name(name)).map(Some).map_err(|error| {
                let expected = "the path of a definition file, relative to the suite";
                self.error(start, format!("`{}` ({error})", excerpt(name)), expected)
            });
        }
        GameDef::builtin(name).map_or_else(
            || {
                let known = known_games();
                let expected = format!("a game: {known}, or the path of a definition file (.toml)");
                Err(self.error(start, format!("`{}`", excerpt(name)), expected))
            },
            |_| Ok(Some(games.load(name).expect("a built-in game"))),
        )
    }

    /// Parses a count at the start of the words, such as `D3 8902` or `perft 3 = 8902`, and removes
    /// it.
    fn count(&self, words: &mut &[Word<'_>]) -> Result<Count, SuiteError> {
        let first = words[0];
        let name = |length: usize| first.text.get(..length).unwrap_or_default().to_ascii_lowercase();
        let (depth, rest) = match *words {
            [_, depth, rest @ ..] if name(5) == "perft" && first.text.len() == 5 => (*depth, rest),
            [_, rest @ ..] if name(1) == "d" && first.text.len() > 1 => {
                let text = &first.text[1..];
                (Word { text, start: first.start }, rest)
            }
            _ => (first, &[][..]),
        };
        let (nodes, rest) = match rest {
            [equals, nodes, rest @ ..] if equals.text == "=" => (nodes, rest),
            [nodes, rest @ ..] => (nodes, rest),
            [] => return Err(self.error(first.start, format!("`{}`", excerpt(self.text_of(words))), OPERATION)),
        };
        let whole_number = |text: &str| {
            let is_digits = text.bytes().all(|byte| byte.is_ascii_digit());
            text.parse::<u64>().ok().filter(|_| is_digits)
        };
        let depth = whole_number(depth.text)
            .and_then(|depth| u32::try_from(depth).ok())
            .filter(|depth| *depth <= MAX_DEPTH)
            .ok_or_else(|| {
                let expected = format!("a depth from D0 to D{MAX_DEPTH}");
                self.error(depth.start, format!("`D{}`", excerpt(depth.text)), expected)
            })?;
        let nodes = whole_number(nodes.text)
            .ok_or_else(|| self.error(nodes.start, format!("`{}`", excerpt(nodes.text)), "a count: a whole number"))?;
        *words = rest;
        Ok(Count { depth, nodes })
    }

    /// The error of a FEN that begins at a byte offset.
    fn fen_error(&self, offset: usize, error: FenError, game: &GameDef) -> SuiteError {
        let (column, found, expected) = match error {
            FenError::Syntax { field, column, found, expected } => {
                (column, found, format!("{expected} ({} of a FEN of {})", field.name(), game.name))
            }
            FenError::FieldCount { found } => {
                let expected = "four to six: board, side to move, rights, en passant, halfmove clock, move number";
                (1, format!("a FEN of {}", format::count(found, "field", "fields")), expected.to_owned())
            }
            FenError::Impossible(faults) => {
                (1, format!("an impossible position: {faults}"), "one that can be played".to_owned())
            }
            FenError::Chess960 => {
                (1, "castling rights of Chess960".to_owned(), "those of chess, or `;variant fischerandom`".to_owned())
            }
        };
        let before =
            self.text[offset..].char_indices().nth(column - 1).map_or(self.text.len(), |(byte, _)| offset + byte);
        self.error(before, found, expected)
    }
}

#[cfg(test)]
mod tests {
    use assay_rules::Position;

    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    fn file() -> PathBuf {
        "s.epd".into()
    }

    fn read(text: &str) -> Result<Suite, String> {
        read_for(None, text)
    }

    fn read_for(only: Option<&str>, text: &str) -> Result<Suite, String> {
        let only = only.map(|name| GameDef::builtin(name).unwrap());
        let mut suite = parse(file(), text.as_bytes(), Lines::Counted, only.as_ref(), &mut Games::default()).unwrap();
        if suite.faults.is_empty() { Ok(suite) } else { Err(suite.faults.remove(0).to_string()) }
    }

    #[test]
    fn reads_a_line() {
        let suite = read(&format!("# comment\n\n  {START} ;variant chess ;D2 400 ;D1 20\n")).unwrap();
        let [entry] = suite.entries.as_slice() else { panic!("one entry") };
        assert_eq!((entry.line, entry.game.name.as_str()), (3, "chess"));
        assert_eq!(entry.counts, [Count { depth: 1, nodes: 20 }, Count { depth: 2, nodes: 400 }]);
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
        assert!(error.starts_with("s.epd:1:14: found `x`, expected a piece (KQRBNP)"), "{error}");
    }

    #[test]
    fn lines_of_other_programs_read_alike() {
        let expected = [0, 1, 2].map(|depth| Count { depth, nodes: 20_u64.pow(depth) });
        let board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
        for line in [
            "w KQkq - ;D0 1 ;D1 20 ;D2 400",
            "w KQkq - 0 ;D0 1 ;D1 20 ;D2 400",
            "w KQkq - 0 1; D0 1; D1 20; D2 400;",
            "w KQkq - 0 1 D0 1; D1 20; D2 400; ",
            "w KQkq - D0 1 ;D1 20 ;D2 400",
            "w KQkq - 0 1;D0 1;D1 20;D2 400",
            "w KQkq - 0 1 D0 1 D1 20 D2 400",
            "w KQkq - 0 1; perft 0=1; D1=20; D2 =400; id \"start\";",
            "\tw\tKQkq\t-\t0\t1\t;D0\t1\t;D1\t20\t;D2\t400\t",
            "w KQkq - 0 1; perft 0 = 1; perft 1 = 20; Perft 2 400;",
            "w KQkq - 0 1 ;d2 = 400 ;D1 20 ;D0 1 # trailing ;D9 9",
            "w KQkq - ;D0 1 ;D1 20 ;D2 400; #",
        ] {
            let text = format!("# comment\n   # another\n{board} {line}\r\n");
            let chess = GameDef::builtin("chess").unwrap();
            let suite = parse(file(), text.as_bytes(), Lines::Counted, Some(&chess), &mut Games::default()).unwrap();
            assert_eq!(suite.faults, [], "{line}");
            assert_eq!(suite.entries[0].counts, expected, "{line}");
            assert_eq!(suite.entries[0].position, Position::start(&chess), "{line}");
        }
    }

    #[test]
    fn words_that_are_no_operation_are_named() {
        for (operations, message) in [
            ("0 1 20 ;D1 20", "s.epd:1:58: found `20`, expected `variant NAME` or a count"),
            ("0 1 ;D1", "s.epd:1:59: found `D1`, expected `variant NAME` or a count"),
            ("0 1 ;D1 =", "s.epd:1:62: found `=`, expected a count: a whole number"),
            ("0 1 ;D1 20 30", "s.epd:1:65: found `30`, expected `variant NAME` or a count"),
            ("0 1 ;D 1 20", "s.epd:1:59: found `D 1 20`, expected `variant NAME` or a count"),
            ("0 1 ;perft 2", "s.epd:1:59: found `perft 2`, expected `variant NAME` or a count"),
            ("0 1 ;perft x 20", "s.epd:1:65: found `Dx`, expected a depth from D0 to D64"),
            ("-1 1 ;D1 20 ;variant chess", "s.epd:1:54: found `-1 1`, expected `variant NAME` or a count"),
            ("0 1 ;D1 20;;D2 400", "s.epd:1:64: found nothing, expected `variant NAME` or a count"),
        ] {
            let line = format!("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - {operations}");
            let error = read_for(Some("chess"), &line).unwrap_err();
            assert!(error.starts_with(message), "{operations}: {error}");
        }
        let error = read(&format!("{START} ;D1 20 #;D2")).unwrap_err();
        assert!(error.starts_with("s.epd:1:64: found no game"), "{error}");
    }

    #[test]
    fn selected_game_is_the_default_and_skips_others() {
        let chess = GameDef::builtin("chess").unwrap();
        let text = format!("{START} ;D1 20\n{START} ;variant gunnery ;D1 20\n");
        let suite = parse(file(), text.as_bytes(), Lines::Counted, Some(&chess), &mut Games::default()).unwrap();
        assert_eq!((suite.entries.len(), suite.other_games), (1, 1));
    }

    /// FENs are read as everywhere: without fields that a game does not use, and with rights that
    /// nothing gives.
    #[test]
    fn fens_of_other_programs_are_read() {
        for line in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;variant antichess ;D1 20",
            "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL[-] w 0 1 ;variant shogi ;D1 30",
            "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w ;variant xiangqi ;D1 44",
            "4k3/8/8/8/8/8/8/4K2R w KQ - 0 1; variant chess; D1 15;",
            "2k5/8/8/8/8/8/8/4K3/Qn w - - 0 1 variant crazyhouse; perft 1 = 20;",
        ] {
            assert_eq!(read(line).map(|suite| suite.entries.len()), Ok(1), "{line}");
        }
        let error = read("nrbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/NRBQKBNR w KQkq - 0 1 ;variant chess ;D1 20").unwrap_err();
        assert!(error.starts_with("s.epd:1:1: found castling rights of Chess960"), "{error}");
    }

    /// As python-chess, shakmaty and scalachess write them.
    #[test]
    fn blocks_of_lines_are_positions() {
        let text = "# comment\n\nid first\nepd rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\nperft 1 20\nperft 2 400\n\n\
                    id wrong\nepd rnbqkbnr/8 w KQkq - 0 1\nperft 1 20\n\n\
                    id second\nepd 4k3/8/8/8/8/8/8/4K3 b - - 5 9\nperft 1 5\nid empty\nepd 4k3/8/8/8/8/8/8/4K3 w - -\n\
                    id twice\nepd 4k3/8/8/8/8/8/8/4K3 w - -\nperft 1 5\nperft 1 5\n";
        let chess = GameDef::builtin("chess").unwrap();
        let read = |lines| parse(file(), text.as_bytes(), lines, Some(&chess), &mut Games::default()).unwrap();
        let suite = read(Lines::Counted);
        let [first, second] = suite.entries.as_slice() else { panic!("{suite:?}") };
        assert_eq!((first.line, first.fen.as_str()), (4, START));
        assert_eq!(first.counts, [Count { depth: 1, nodes: 20 }, Count { depth: 2, nodes: 400 }]);
        assert_eq!((second.line, second.fen.as_str()), (13, "4k3/8/8/8/8/8/8/4K3 b - - 5 9"));
        let lines: Vec<usize> = suite.faults.iter().map(|fault| fault.line).collect();
        assert_eq!(lines, [9, 16, 20]);
    }

    /// What other programs write beside positions; and the FEN is kept as it is written.
    #[test]
    fn positions_need_no_counts() {
        let text = "% a comment\n8/8/3p4/KPp4r/R4p1k/8/4P1P1/8 w - c6 0 2 ;D1 15\n\
                    8/8/3p4/KPp4r/R4p1k/8/4P1P1/8 w - c6 bm b5b6; id \"a; b\"; hmvc 3; fmvn 7;\0\n\
                    4k3/8/8/8/8/8/8/4K2R w KQ - 0 1\n4k3/8/8 w - - 0 1\n4k3/8/8/8/8/8/8/4K2R w K\n\0";
        let chess = GameDef::builtin("chess").unwrap();
        let suite = parse(file(), text.as_bytes(), Lines::Positions, Some(&chess), &mut Games::default()).unwrap();
        let fens: Vec<&str> = suite.entries.iter().map(|entry| entry.fen.as_str()).collect();
        let pinned = "8/8/3p4/KPp4r/R4p1k/8/4P1P1/8 w - c6";
        assert_eq!(fens, [&format!("{pinned} 0 2"), &format!("{pinned} 3 7"), "4k3/8/8/8/8/8/8/4K2R w KQ - 0 1"]);
        assert_eq!(suite.entries[0].position.legal_moves().len(), 15);
        let lines: Vec<usize> = suite.faults.iter().map(|fault| fault.line).collect();
        assert_eq!(lines, [5, 6]);
    }
}
