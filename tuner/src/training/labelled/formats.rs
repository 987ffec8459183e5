//! The formats of labelled positions, and what a record of each says.

use std::io;

use assay_rules::fen::FenError;
use assay_rules::text::excerpt;
use assay_rules::{MoveError, Points};
use assay_selfplay::game::Eval;
use thiserror::Error;

/// Scores from here on are mates or won endgames, in all formats whose scores are numbers:
/// Stockfish counts a mate as 32000 less the plies to it, the EPD standard as 32767 less these.
const MATE: i32 = 30_000;

/// The last line of each position in Stockfish's plain format.
pub(super) const END_OF_PLAIN: &str = "a line `e` at the end of each position";

/// A fault with the number of the line or row.
pub(super) type PlacedFault = (u64, RecordFault);

/// What is wrong with a record of a file.
#[derive(Debug, Error)]
pub enum RecordFault {
    /// The file cannot be read.
    #[error("{0}")]
    Read(#[from] io::Error),
    #[error("found a line of more than {0} bytes, expected a position and its result")]
    LongLine(u64),
    #[error("found bytes that are not UTF-8 text, expected a position and its result")]
    NotText,
    #[error("found a Parquet file, which this build cannot read; build it with --features parquet")]
    Parquet,
    #[error("{0}")]
    Position(#[from] FenError),
    #[error("{0}")]
    Move(#[from] MoveError),
    /// A part of the record: what was found and what was expected.
    #[error("{field}: found {found}, expected {expected}")]
    Field { field: &'static str, found: String, expected: String },
}

impl RecordFault {
    pub(super) fn field(field: &'static str, found: &str, expected: &str) -> RecordFault {
        let found = if found.is_empty() { "nothing".to_owned() } else { format!("`{}`", excerpt(found)) };
        let expected = expected.to_owned();
        RecordFault::Field { field, found, expected }
    }
}

/// A position with the result of its game, as a record says it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LabelledPosition<'t> {
    /// FEN, or a line of EPD.
    pub position: &'t str,
    /// White's points, 0 to 1.
    pub result: f64,
    /// Score of a search, from the side to move's point of view.
    pub eval: Option<Eval>,
    /// The move that was played or found best, in UCI notation or SAN.
    pub best: Option<&'t str>,
    /// Name of the game of which it is a position.
    pub variant: Option<&'t str>,
    /// Identifier of the game in which it occurred, unique in the file.
    pub game: Option<&'t str>,
    /// Identifier of the opening of that game, unique in the file.
    pub pair: Option<&'t str>,
    /// True for the last position of a game.
    pub is_end: bool,
}

/// How the records of a file are written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Layout {
    /// A position and its result in each line: EPD with the result in a comment (`c9 "1-0";`), FEN
    /// with the result in brackets or behind a semicolon or a space, or bullet's text format
    /// `FEN | score | result` (centipawns and points of White).
    Lines,
    /// Comma-separated values.
    Csv(Columns),
    /// Stockfish's plain text: lines `fen`, `move`, `score`, `ply`, `result`, `e`. Score and result
    /// (1, 0, -1) are those of the side to move.
    Plain,
}

/// The columns of comma-separated values that are read, by number.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Columns {
    fen: usize,
    result: usize,
    /// Centipawns, from the side to move's point of view.
    eval: Option<usize>,
    best: Option<usize>,
    variant: Option<usize>,
    game: Option<usize>,
    pair: Option<usize>,
    /// Columns of the header; 0 without one.
    count: usize,
}

impl Columns {
    /// The columns that a header names; `None` if it names no position.
    pub(super) fn of(header: &str) -> Result<Option<Columns>, RecordFault> {
        let names: Vec<String> = header.split(',').map(|name| unquoted(name).to_ascii_lowercase()).collect();
        let column = |names_of_column: &[&str]| {
            let mut wanted = names_of_column.iter();
            wanted.find_map(|wanted| names.iter().position(|name| name == wanted))
        };
        let read = ["fen", "epd", "result", "wdl", "score"];
        let twice = |wanted: &&str| names.iter().filter(|name| name == wanted).count() > 1;
        if let Some(twice) = read.into_iter().find(twice) {
            return Err(RecordFault::field("columns", header, &format!("one column {twice}")));
        }
        let Some(fen) = column(&["fen", "epd"]) else {
            return Ok(None);
        };
        // Assay's own files call White's points `score`.
        let result = column(&["result", "wdl", "score"])
            .ok_or_else(|| RecordFault::field("columns", header, "a column `result` with White's points"))?;
        Ok(Some(Columns {
            fen,
            result,
            eval: column(&["eval"]),
            best: column(&["best"]),
            variant: column(&["variant"]),
            game: column(&["game"]),
            pair: column(&["pair"]),
            count: names.len(),
        }))
    }
}

impl Layout {
    /// The layout of a file that begins with this line, and whether the line is a header.
    pub(super) fn of(line: &str) -> Result<(Layout, bool), RecordFault> {
        if line.starts_with("fen ") {
            return Ok((Layout::Plain, false));
        }
        if let Some(columns) = Columns::of(line)? {
            return Ok((Layout::Csv(columns), true));
        }
        let is_two_columns = line.split_once(',').is_some_and(|(fen, result)| {
            fen.split_whitespace().count() >= 4 && !fen.contains('"') && points(unquoted(result)).is_some()
        });
        let columns = Columns { result: 1, ..Columns::default() };
        Ok((if is_two_columns { Layout::Csv(columns) } else { Layout::Lines }, false))
    }

    /// What a record says. The position and the move are not checked.
    ///
    /// # Errors
    /// If the record has no result, or a part of it is malformed.
    pub fn parse<'t>(&self, text: &'t str) -> Result<LabelledPosition<'t>, RecordFault> {
        match self {
            Layout::Lines if text.contains('|') => parse_bullet(text),
            Layout::Lines => parse_line(text),
            Layout::Csv(columns) => parse_csv(text, columns),
            Layout::Plain => parse_plain(text),
        }
    }
}

fn labelled(position: &str, result: f64) -> LabelledPosition<'_> {
    LabelledPosition { position, result, eval: None, best: None, variant: None, game: None, pair: None, is_end: false }
}

/// A line of EPD, or a FEN followed by a result.
fn parse_line(text: &str) -> Result<LabelledPosition<'_>, RecordFault> {
    let end = position_end(text);
    let label = text[end..].trim_matches(|c: char| c.is_whitespace() || c == ';' || c == ',');
    if let Some(bracketed) = label.strip_prefix('[') {
        // Some files have a score behind the bracket, and do not say whose.
        let (result, behind) = bracketed.split_once(']').unwrap_or((bracketed, ""));
        if behind.contains('[') || ["1-0", "0-1", "1/2-1/2"].contains(&behind.trim()) {
            return Err(RecordFault::field("result", label, "one result"));
        }
        return Ok(labelled(&text[..end], read_points(result)?));
    }
    if let Some(result) = points(unquoted(label)) {
        return Ok(labelled(&text[..end], result));
    }
    let mut found = labelled(text, f64::NAN);
    let (mut result, mut score) = (None, None);
    let set = |known: &mut Option<f64>, points: f64| {
        let is_same = known.is_none_or(|known| known.total_cmp(&points).is_eq());
        *known = Some(points);
        is_same.then_some(()).ok_or_else(|| RecordFault::field("result", label, "one result"))
    };
    for operation in parts(label, ';').map(str::trim) {
        let (opcode, operand) = operation.split_once(char::is_whitespace).unwrap_or((operation, ""));
        let operand = unquoted(operand);
        match opcode.as_bytes() {
            b"ce" => found.eval = Some(read_score(operand)?),
            b"sm" => found.best = Some(operand),
            [b'c', b'0'..=b'9'] => match operand.split_once(' ') {
                Some(("variant", name)) => found.variant = Some(name),
                Some(("game", game)) => found.game = Some(game),
                Some(("pair", pair)) => found.pair = Some(pair),
                Some(("end", _)) => found.is_end = true,
                Some(("result", text)) => set(&mut result, read_points(text)?)?,
                Some(("score", text)) => set(&mut score, read_points(text)?)?,
                // A whole number can be anything.
                _ if operand.contains(['-', '.']) => {
                    if let Some(points) = points(operand) {
                        set(&mut result, points)?;
                    }
                }
                _ => {}
            },
            _ => {}
        }
    }
    // A result of 0.75 points is a draw in `result`.
    if let (Some(result), Some(score)) = (result, score) {
        set(&mut Some(result), if score.fract() == 0.0 { score } else { 0.5 })?;
    }
    found.result = score.or(result).ok_or_else(|| {
        let expected = "a result such as `c9 \"1-0\"`, `[0.5]` or `1/2-1/2` behind the position";
        RecordFault::field("result", label, expected)
    })?;
    Ok(found)
}

/// The end of the position in a line: four fields, and up to three counters.
fn position_end(line: &str) -> usize {
    let is_counter = |field: &str| field == "-" || field.bytes().all(|byte| byte.is_ascii_digit() || byte == b'+');
    let mut end = 0;
    for number in 0..7 {
        let rest = &line[end..];
        let start = end + rest.len() - rest.trim_start().len();
        let field = line[start..].split(|c: char| c.is_whitespace() || c == ';').next();
        let field = field.unwrap_or_default();
        if field.is_empty() || (number >= 4 && !is_counter(field)) {
            break;
        }
        end = start + field.len();
    }
    end
}

/// The parts between separators: the operations of EPD, the fields of CSV. A separator in a quoted
/// text does not end a part.
fn parts(text: &str, separator: char) -> impl Iterator<Item = &str> {
    let mut is_quoted = false;
    text.split(move |c| {
        is_quoted ^= c == '"';
        c == separator && !is_quoted
    })
}

fn parse_bullet(text: &str) -> Result<LabelledPosition<'_>, RecordFault> {
    let parts: Vec<&str> = text.split('|').map(str::trim).collect();
    let [fen, score, result] = parts[..] else {
        return Err(RecordFault::field("line", text, "three parts, `FEN | score | result`"));
    };
    let mut found = labelled(fen, read_points(result)?);
    found.eval = Some(if is_black(fen) { flipped(read_score(score)?) } else { read_score(score)? });
    Ok(found)
}

fn parse_csv<'t>(text: &'t str, columns: &Columns) -> Result<LabelledPosition<'t>, RecordFault> {
    let fields: Vec<&str> = parts(text, ',').map(unquoted).collect();
    if !text.matches('"').count().is_multiple_of(2) {
        return Err(RecordFault::field("line", text, "a closed quotation"));
    }
    if columns.count > 0 && fields.len() > columns.count {
        let expected = format!("{} fields, as the header has", columns.count);
        return Err(RecordFault::field("line", text, &expected));
    }
    let field = |column: Option<usize>| Some(*fields.get(column?)?).filter(|field| !field.is_empty());
    let needed = |column: usize| {
        field(Some(column)).ok_or_else(|| {
            let expected = format!("a value in column {}", column + 1);
            RecordFault::field("line", text, &expected)
        })
    };
    Ok(LabelledPosition {
        eval: field(columns.eval).map(read_score).transpose()?,
        best: field(columns.best),
        variant: field(columns.variant),
        game: field(columns.game),
        pair: field(columns.pair),
        ..labelled(needed(columns.fen)?, read_points(needed(columns.result)?)?)
    })
}

fn parse_plain(text: &str) -> Result<LabelledPosition<'_>, RecordFault> {
    if text != "e" && !text.ends_with("\ne") {
        return Err(RecordFault::field("position", text, END_OF_PLAIN));
    }
    let value = |name: &'static str| {
        let mut lines = text.lines().filter_map(|line| line.split_once(' ')).filter(|(key, _)| *key == name);
        let value = lines.next().map(|(_, value)| value.trim());
        match lines.next() {
            Some((_, again)) => Err(RecordFault::field(name, again.trim(), "one line of this name in each position")),
            None => Ok(value),
        }
    };
    let needed = |name: &'static str| value(name)?.ok_or_else(|| RecordFault::field(name, "", "a line of this name"));
    let (fen, result) = (needed("fen")?, needed("result")?);
    let points = match result {
        "1" => 1.0,
        "0" => 0.5,
        "-1" => 0.0,
        _ => {
            let expected = "1, 0 or -1 for a win, a draw or a loss of the side to move";
            return Err(RecordFault::field("result", result, expected));
        }
    };
    Ok(LabelledPosition {
        eval: value("score")?.map(read_score).transpose()?,
        best: value("move")?,
        ..labelled(fen, if is_black(fen) { 1.0 - points } else { points })
    })
}

fn is_black(fen: &str) -> bool {
    fen.split_whitespace().nth(1) == Some("b")
}

fn flipped(eval: Eval) -> Eval {
    match eval {
        Eval::Centipawns(score) => Eval::Centipawns(-score),
        Eval::Mate(moves) => Eval::Mate(-moves),
    }
}

fn unquoted(text: &str) -> &str {
    text.trim().trim_matches('"').trim()
}

/// White's points as results of games or as a number write them.
fn points(text: &str) -> Option<f64> {
    match text {
        "1-0" => Some(Points::WIN.as_f64()),
        "0-1" => Some(Points::LOSS.as_f64()),
        "1/2-1/2" | "1/2" => Some(Points::DRAW.as_f64()),
        _ => text.parse().ok().filter(|points| (0.0..=1.0).contains(points)),
    }
}

fn read_points(text: &str) -> Result<f64, RecordFault> {
    let text = text.trim();
    points(text).ok_or_else(|| RecordFault::field("result", text, "1-0, 1/2-1/2, 0-1, or White's points from 0 to 1"))
}

/// A score in centipawns. Where it is a mate, the number of moves is not known.
fn read_score(text: &str) -> Result<Eval, RecordFault> {
    let score: i32 = text.parse().map_err(|_| RecordFault::field("score", text, "a whole number of centipawns"))?;
    Ok(if score.saturating_abs() >= MATE { Eval::Mate(score.signum()) } else { Eval::Centipawns(score) })
}

#[cfg(test)]
mod tests;
