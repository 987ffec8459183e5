//! Sections and entries of a file, with their places.

use super::super::error::DefError;
use crate::text::is_control;

/// Most variants of a file. Each is read anew with those above it.
const MAX_VARIANTS: usize = 1000;

/// A key with its value, or the name of a section: then the key is the name.
#[derive(Clone, Copy)]
pub(super) struct Entry<'t> {
    pub(super) key: &'t str,
    /// The value.
    pub(super) text: &'t str,
    file: &'t str,
    /// Text of the file, and the byte at which the value begins.
    whole: &'t str,
    byte: usize,
}

pub(super) struct Section<'t> {
    pub(super) name: Entry<'t>,
    pub(super) base: Option<Entry<'t>>,
    pub(super) entries: Vec<Entry<'t>>,
}

pub(super) fn sections<'t>(text: &'t str, file: &'t str) -> Result<Vec<Section<'t>>, DefError> {
    let mut sections: Vec<Section<'t>> = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let entry = |key: &'t str, value: &'t str| Entry {
            key: key.trim(),
            text: value.trim(),
            file,
            whole: text,
            byte: value.trim_start().as_ptr() as usize - text.as_ptr() as usize,
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
            let inner = inner.strip_suffix(']').filter(|inner| !inner.contains('\t'));
            let inner = inner.ok_or_else(|| error("a section: [variant] or [variant:base]"))?;
            let (name, base) = match inner.split_once(':') {
                Some((name, base)) => (name, Some(entry("", base))),
                None => (inner, None),
            };
            if sections.len() == MAX_VARIANTS {
                return Err(error(&format!("at most {MAX_VARIANTS} variants")));
            }
            if sections.iter().any(|section| section.name.text == name.trim()) {
                return Err(error("a variant of another name: this one is above"));
            }
            sections.push(Section { name: entry(name, name), base, entries: Vec::new() });
        } else if !trimmed.is_empty() && !is_comment {
            let (key, value) = trimmed.split_once('=').ok_or_else(|| error("`key = value`"))?;
            if line.starts_with([' ', '\t']) {
                return Err(error("it without spaces before: Fairy-Stockfish ignores indented keys"));
            }
            let section = sections.last_mut().ok_or_else(|| error("a section [variant] first"))?;
            section.entries.push(entry(key, value));
        }
        start += line.len();
    }
    Ok(sections)
}

impl Entry<'_> {
    /// An error in the value.
    pub(super) fn error(&self, expected: &str) -> DefError {
        self.error_here(format!("found `{}`, expected {expected}", self.text))
    }

    /// An error at the place of the entry.
    pub(super) fn error_here(&self, message: String) -> DefError {
        let key = Some(self.key).filter(|key| !key.is_empty());
        DefError::at(self.file, self.whole, Some(self.byte), key, message)
    }
}
