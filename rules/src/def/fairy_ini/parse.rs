//! Sections, keys and values of a file, with their places.

use std::ops::RangeInclusive;

use super::super::error::DefError;
use crate::text::is_control;

/// Numbers of files and ranks: a file beyond these has no letter.
const NUMBERS: RangeInclusive<u8> = 1..=26;

/// Most variants of a file. Each is read anew with those above it.
const MAX_VARIANTS: usize = 1000;

/// Most squares and ranks of a region: each of the largest board, and some twice.
const MAX_REGION: usize = 200;

/// A value with its place.
#[derive(Clone, Copy)]
pub(super) struct Value<'t> {
    pub(super) text: &'t str,
    pub(super) file: &'t str,
    /// Text of the file, and the byte at which the value begins.
    pub(super) whole: &'t str,
    pub(super) byte: usize,
}

#[derive(Clone)]
pub(super) struct Section<'t> {
    pub(super) name: Value<'t>,
    pub(super) base: Option<Value<'t>>,
    pub(super) entries: Vec<(&'t str, Value<'t>)>,
}

pub(super) fn sections<'t>(text: &'t str, file: &'t str) -> Result<Vec<Section<'t>>, DefError> {
    let mut sections: Vec<Section<'t>> = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let at = |part: &'t str| Value {
            text: part,
            file,
            whole: text,
            byte: part.as_ptr() as usize - text.as_ptr() as usize,
        };
        let trimmed = line.trim();
        let is_comment = trimmed.starts_with(['#', ';']);
        let is_wrong = |&(_, c): &(usize, char)| is_control(c) && !is_comment && !matches!(c, '\t' | '\r' | '\n');
        if let Some((at, c)) = line.char_indices().find(is_wrong) {
            let message = format!("found the control character U+{:04X}, expected printable characters", u32::from(c));
            return Err(DefError::at(file, text, Some(start + at), None, message));
        }
        let error = |message: &str| {
            DefError::at(file, text, Some(start), None, format!("found `{trimmed}`, expected {message}"))
        };
        if let Some(inner) = trimmed.strip_prefix('[') {
            let inner = inner.strip_suffix(']').ok_or_else(|| error("a section: [variant] or [variant:base]"))?;
            let (name, base) = match inner.split_once(':') {
                Some((name, base)) => (at(name.trim()), Some(at(base.trim()))),
                None => (at(inner.trim()), None),
            };
            if sections.len() == MAX_VARIANTS {
                return Err(error(&format!("at most {MAX_VARIANTS} variants")));
            }
            if sections.iter().any(|section| section.name.text == name.text) {
                return Err(error("a variant of another name: this one is above"));
            }
            sections.push(Section { name, base, entries: Vec::new() });
        } else if !trimmed.is_empty() && !is_comment {
            let (key, value) = trimmed.split_once('=').ok_or_else(|| error("`key = value`"))?;
            if line.starts_with([' ', '\t']) {
                return Err(error("it without spaces before: Fairy-Stockfish ignores indented keys"));
            }
            let section = sections.last_mut().ok_or_else(|| error("a section [variant] first"))?;
            section.entries.push((key.trim(), at(value.trim())));
        }
        start += line.len();
    }
    Ok(sections)
}

impl<'t> Value<'t> {
    pub(super) fn error(self, key: &str, expected: &str) -> DefError {
        let message = format!("found `{}`, expected {expected}", self.text);
        DefError::at(self.file, self.whole, Some(self.byte), Some(key), message)
    }

    pub(super) fn number(self, key: &str) -> Result<u32, DefError> {
        self.text.parse().map_err(|_| self.error(key, "a number"))
    }

    /// Points of the side to which something happens.
    pub(super) fn result(self, key: &str) -> Result<f64, DefError> {
        match self.text {
            "win" => Ok(1.0),
            "draw" => Ok(0.5),
            "loss" => Ok(0.0),
            _ => Err(self.error(key, "win, draw or loss")),
        }
    }

    pub(super) fn is_true(self, key: &str) -> Result<bool, DefError> {
        match self.text {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => Err(self.error(key, "true or false")),
        }
    }

    /// The number of a file, from 0: `g`, or counted from 1.
    pub(super) fn file_index(self, key: &str) -> Result<u8, DefError> {
        let by_letter = match self.text.as_bytes() {
            [letter] if letter.is_ascii_lowercase() => Some(letter - b'a'),
            _ => self.text.parse().ok().filter(|number| NUMBERS.contains(number)).map(|number: u8| number - 1),
        };
        by_letter.ok_or_else(|| self.error(key, "a file: a letter, or a number from 1 to 26"))
    }

    pub(super) fn rank_number(self, key: &str) -> Result<u8, DefError> {
        let number = self.text.parse().ok().filter(|number| NUMBERS.contains(number));
        number.ok_or_else(|| self.error(key, "a rank, from 1 to 26"))
    }

    /// Squares and ranks (`*8`) of the largest board, separated by spaces; none for `-`.
    pub(super) fn region(self, key: &str) -> Result<String, DefError> {
        let squares: Vec<&str> = self.text.split_whitespace().collect();
        if squares.len() > MAX_REGION {
            let message = format!("found {} squares and ranks, expected at most {MAX_REGION}", squares.len());
            return Err(DefError::at(self.file, self.whole, Some(self.byte), Some(key), message));
        }
        let is_square = |square: &&str| {
            let rank = square.strip_prefix(|file: char| file == '*' || ('a'..='l').contains(&file));
            rank.is_some_and(|rank| (1..=10).any(|number: u8| number.to_string() == rank))
        };
        match squares.as_slice() {
            ["-"] => Ok(String::new()),
            squares if squares.iter().all(is_square) => Ok(squares.join(" ")),
            _ => Err(self.error(key, "squares from a1 to l10 and ranks such as *8, or - for none")),
        }
    }

    /// A letter with a text for each of some kinds: `p:g s:g`.
    pub(super) fn pairs(self, key: &str) -> Result<Vec<(char, &'t str)>, DefError> {
        let pair = |pair: &'t str| {
            let (kind, text) = pair.split_once(':')?;
            let kind = kind.parse::<char>().ok().filter(char::is_ascii_alphabetic)?;
            Some((kind.to_ascii_uppercase(), text))
        };
        let pairs: Option<Vec<(char, &str)>> = self.text.split_whitespace().map(pair).collect();
        pairs.ok_or_else(|| self.error(key, "a letter, a colon and a value for each kind, such as p:g s:g"))
    }
}
