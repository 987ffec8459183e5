//! Keys of a variant: what each sets, and how its value is read and written.

use std::fmt;
use std::num::NonZero;

use indexmap::IndexSet;

use super::super::super::error::DefError;
use super::super::kinds::{FairyKinds, Name};
use super::super::parse::Entry;
use super::super::region::{MAX_RANK, Region};
use super::Rules;
use crate::types::board::Board;
use crate::types::outcome::Points;

/// A row of the table of keys. Rows are read in the order of the table, whatever the order in the
/// file.
pub(super) struct Key {
    pub(super) name: &'static str,
    /// Names of the rows whose values it sets: its own, or others.
    pub(super) sets: &'static [&'static str],
    /// Keys of a definition: the one that it sets, and others that it can make wrong.
    pub(super) fills: &'static [&'static str],
    pub(super) read: fn(&mut Rules, &Entry<'_>, &FairyKinds) -> Result<(), DefError>,
    /// Writes the value. `None` for keys that set the values of other rows, or none.
    pub(super) write: Option<fn(&Rules, &FairyKinds) -> String>,
}

/// Declares the keys of a mechanism: a struct, a field of [`Rules`], with a field for each key, and
/// the table of their rows. A line is `field: type = value in Fairy-Stockfish, "key" => keys of a
/// definition`. `first` has former names and keys that set the values of other rows: they are read
/// before and not written.
macro_rules! keys {
    (
        $(#[$doc:meta])*
        $struct:ident in $rules:ident
        { $($(#[$field_doc:meta])* $field:ident: $type:ty = $default:expr, $key:literal => $fills:expr;)* }
        first { $($first:literal sets $sets:expr, $read:expr;)* }
    ) => {
        $(#[$doc])*
        #[derive(Clone)]
        pub(in super::super) struct $struct { $($(#[$field_doc])* pub(super) $field: $type,)* }

        impl Default for $struct {
            fn default() -> $struct { $struct { $($field: $default,)* } }
        }

        pub(super) const KEYS: &[Key] = &[
            $(Key { name: $first, sets: &$sets, fills: &[], read: $read, write: None },)*
            $(Key {
                name: $key,
                sets: &[$key],
                fills: $fills,
                read: |rules, entry, kinds| rules.$rules.$field.read(entry, kinds),
                write: Some(|rules, kinds| rules.$rules.$field.write(kinds)),
            },)*
        ];
    };
}
pub(super) use keys;

/// A value that is read and written.
pub(super) trait Setting {
    fn read(&mut self, entry: &Entry<'_>, kinds: &FairyKinds) -> Result<(), DefError>;

    fn write(&self, kinds: &FairyKinds) -> String;
}

/// Makes a type a setting that is one of some words.
macro_rules! words {
    ($type:ty: $($word:literal = $value:expr),+) => {
        impl Setting for $type {
            fn read(&mut self, entry: &Entry<'_>, _: &FairyKinds) -> Result<(), DefError> {
                *self = one_of(entry, &[$(($word, $value)),+])?;
                Ok(())
            }

            fn write(&self, _: &FairyKinds) -> String {
                let words = [$(($word, $value)),+];
                words.iter().find(|(_, value)| value == self).map_or("", |(word, _)| word).to_owned()
            }
        }
    };
}
pub(super) use words;

words!(bool: "true" = true, "false" = false);
words!(Points: "win" = Points::WIN, "draw" = Points::DRAW, "loss" = Points::LOSS);
words!(Option<Points>: "win" = Some(Points::WIN), "loss" = Some(Points::LOSS), "none" = None);

/// The value of the word that an entry has.
pub(super) fn one_of<T: Copy>(entry: &Entry<'_>, words: &[(&str, T)]) -> Result<T, DefError> {
    let found = words.iter().find(|(word, _)| *word == entry.text).map(|(_, value)| *value);
    found.ok_or_else(|| {
        let words: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        let (last, others) = words.split_last().unwrap_or((&"", &[]));
        entry.error(&format!("{} or {last}", others.join(", ")))
    })
}

/// Makes types settings that are written as text.
macro_rules! texts {
    ($($type:ty: $read:expr),+) => {$(
        impl Setting for $type {
            fn read(&mut self, entry: &Entry<'_>, _: &FairyKinds) -> Result<(), DefError> {
                *self = $read(entry)?;
                Ok(())
            }

            fn write(&self, _: &FairyKinds) -> String {
                self.to_string()
            }
        }
    )+};
}

texts!(
    String: |entry: &Entry<'_>| Ok::<_, DefError>(entry.text.to_owned()),
    u32: |entry: &Entry<'_>| entry.text.parse().map_err(|_| entry.error("a number")),
    NonZero<u8>: |entry: &Entry<'_>| entry.text.parse().map_err(|_| entry.error("a number from 1 to 255")),
    u8: rank,
    File: file,
    Region: Region::read
);

/// Reads the number of a rank.
pub(super) fn rank(entry: &Entry<'_>) -> Result<u8, DefError> {
    number(entry).ok_or_else(|| entry.error("a rank, from 1 to 26"))
}

/// Number of a file, counted from zero.
#[derive(Clone, Copy)]
pub(super) struct File(pub(super) u8);

impl fmt::Display for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Board::file_letter(self.0))
    }
}

fn file(entry: &Entry<'_>) -> Result<File, DefError> {
    let file = match entry.text.as_bytes() {
        [letter] if letter.is_ascii_lowercase() => Some(letter - b'a'),
        _ => number(entry).map(|number| number - 1),
    };
    file.map(File).ok_or_else(|| entry.error("a file: a letter, or a number from 1 to 26"))
}

/// A number of a rank or file. One beyond the largest has no letter.
fn number(entry: &Entry<'_>) -> Option<u8> {
    entry.text.parse().ok().filter(|number| (1..=MAX_RANK).contains(number))
}

/// Kinds by their letters; none for `-`.
impl Setting for Vec<Name> {
    fn read(&mut self, entry: &Entry<'_>, kinds: &FairyKinds) -> Result<(), DefError> {
        let letters = entry.text.chars().filter(|letter| !letter.is_whitespace());
        let names: Option<IndexSet<Name>> = letters.map(|letter| kinds.with_letter(letter)).collect();
        *self = match names {
            _ if entry.text == "-" => Vec::new(),
            Some(names) if !names.is_empty() => names.into_iter().collect(),
            _ => {
                let known: String = kinds.0.values().map(|kind| kind.letter).collect();
                return Err(entry.error(&format!("letters of pieces ({known}), or - for none")));
            }
        };
        Ok(())
    }

    fn write(&self, kinds: &FairyKinds) -> String {
        let letters = kinds.letters(self).to_lowercase();
        if letters.is_empty() { "-".to_owned() } else { letters }
    }
}

/// Kinds, or `None` for all, `*`.
impl Setting for Option<Vec<Name>> {
    fn read(&mut self, entry: &Entry<'_>, kinds: &FairyKinds) -> Result<(), DefError> {
        if entry.text == "*" {
            *self = None;
            return Ok(());
        }
        self.insert(Vec::new()).read(entry, kinds)
    }

    fn write(&self, kinds: &FairyKinds) -> String {
        self.as_ref().map_or_else(|| "*".to_owned(), |names| names.write(kinds))
    }
}

/// One kind, or none for `-`.
impl Setting for Option<Name> {
    fn read(&mut self, entry: &Entry<'_>, kinds: &FairyKinds) -> Result<(), DefError> {
        let mut names = Vec::new();
        names.read(entry, kinds)?;
        *self = names.pop();
        if names.is_empty() { Ok(()) } else { Err(entry.error("one letter, or - for none")) }
    }

    fn write(&self, kinds: &FairyKinds) -> String {
        self.as_slice().to_vec().write(kinds)
    }
}

/// A value for each of some kinds, `q:1 r:2`. Kinds that an entry does not name keep what they
/// inherit.
#[derive(Clone, Default)]
pub(super) struct Pairs<T>(pub(super) Vec<(Name, T)>);

/// The second part of a pair.
pub(super) trait PairValue: Sized {
    /// What an entry should have.
    const EXPECTED: &'static str;

    /// The word with which a kind loses the value that it inherits.
    const NONE: &'static str;

    fn read(text: &str, kinds: &FairyKinds) -> Option<Self>;

    fn write(&self, kinds: &FairyKinds) -> String;
}

impl<T: PairValue> Setting for Pairs<T> {
    fn read(&mut self, entry: &Entry<'_>, kinds: &FairyKinds) -> Result<(), DefError> {
        let pair = |pair: &str| {
            let (letter, value) = pair.split_once(':')?;
            let value = if value == T::NONE { None } else { Some(T::read(value, kinds)?) };
            Some((kinds.with_letter(letter.parse().ok()?)?, value))
        };
        let pairs: Option<Vec<_>> = entry.text.split_whitespace().map(pair).collect();
        for (name, value) in pairs.ok_or_else(|| entry.error(T::EXPECTED))? {
            self.0.retain(|(known, _)| *known != name);
            self.0.extend(value.map(|value| (name, value)));
        }
        Ok(())
    }

    fn write(&self, kinds: &FairyKinds) -> String {
        let pair = |(name, value): &(Name, T)| {
            Some(format!("{}:{}", kinds.letter(name)?.to_ascii_lowercase(), value.write(kinds)))
        };
        self.0.iter().filter_map(pair).collect::<Vec<_>>().join(" ")
    }
}
