//! The definition file as TOML: its keys and their types, and games that build on another (`base`).

use std::collections::BTreeMap;

use indexmap::IndexMap;
use serde::Deserialize;
use toml::Table;
use toml::de::{DeTable, DeValue};

use super::error::{DefError, line_and_column};

/// A definition file as typed. Everything is optional here: a file that names a `base` takes the rest from it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RawGame {
    pub(super) name: Option<String>,
    pub(super) title: Option<String>,
    pub(super) base: Option<String>,
    pub(super) source: Option<String>,
    pub(super) default_start: Option<String>,
    pub(super) handicaps: Option<bool>,
    pub(super) board: Option<RawBoard>,
    #[serde(default)]
    pub(super) pieces: IndexMap<String, RawPiece>,
    pub(super) pawns: Option<RawPawns>,
    #[serde(default)]
    pub(super) promotion: IndexMap<String, RawPromotion>,
    pub(super) castling: Option<RawCastling>,
    pub(super) gating: Option<RawGating>,
    pub(super) endings: Option<RawEndings>,
    #[serde(default)]
    pub(super) starts: Vec<RawStart>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RawBoard {
    pub(super) files: Option<u8>,
    pub(super) ranks: Option<u8>,
    pub(super) first_rank: Option<u8>,
    pub(super) holes: Option<String>,
    pub(super) hanging: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RawPiece {
    pub(super) name: Option<String>,
    pub(super) letter: Option<String>,
    #[serde(rename = "move")]
    pub(super) movement: Option<String>,
    pub(super) class: Option<String>,
    pub(super) value: Option<f64>,
    pub(super) pair: Option<RawPair>,
}

/// A bonus, or `false` to take a base's bonus away.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum RawPair {
    Off(bool),
    Bonus(f64),
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RawPawns {
    pub(super) home_rank: Option<u8>,
    pub(super) cannon: Option<bool>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RawPromotion {
    pub(super) to: Option<String>,
    pub(super) optional: Option<bool>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RawCastling {
    pub(super) partner: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RawGating {
    pub(super) pocket: Option<String>,
    pub(super) movers: Option<String>,
    pub(super) last_move: Option<RawLastMove>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawLastMove {
    pub(super) white: Option<u32>,
    pub(super) black: Option<u32>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RawEndings {
    pub(super) stalemate: Option<f64>,
    pub(super) move_rule: Option<u32>,
    pub(super) repetitions: Option<u32>,
    pub(super) insufficient_material: Option<Vec<String>>,
    pub(super) material_count: Option<RawMaterialCount>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RawMaterialCount {
    pub(super) major: Option<u32>,
    pub(super) average: Option<u32>,
    pub(super) minor: Option<u32>,
    pub(super) joker: Option<u32>,
    pub(super) joker_against_majors: Option<u32>,
    pub(super) pawn: Option<u32>,
    #[serde(default)]
    pub(super) pawn_on_rank: BTreeMap<String, u32>,
    pub(super) lead: Option<u32>,
    pub(super) score: Option<f64>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawStart {
    pub(super) id: Option<String>,
    pub(super) title: Option<String>,
    pub(super) fen: Option<String>,
}

/// A definition file with everything that it takes from its bases, and the text itself so that errors can name lines.
pub(super) struct Source<'t> {
    pub(super) file: &'t str,
    pub(super) text: &'t str,
    pub(super) raw: RawGame,
}

impl<'t> Source<'t> {
    /// Reads the file, and lays it over its base.
    pub(super) fn read(text: &'t str, file: &'t str) -> Result<Source<'t>, DefError> {
        let own: RawGame = toml::from_str(text).map_err(|error| syntax_error(text, file, &error))?;
        let Some(base) = &own.base else {
            return Ok(Source { file, text, raw: own });
        };
        let here = Source {
            file,
            text,
            raw: own.clone(),
        };
        // A game built on another is still a game of its own: these two are never taken over.
        for (key, value) in [("name", &own.name), ("title", &own.title)] {
            if value.is_none() {
                return Err(here.error(key, "missing: a base lends everything but name and title"));
            }
        }
        let table = whole_table(base, 0).ok_or_else(|| {
            let known = super::BUILTIN_NAMES.join(", ");
            here.error("base", format!("found `{base}`, expected a built-in game: {known}"))
        })?;
        let over: Table = toml::from_str(text).map_err(|error| syntax_error(text, file, &error))?;
        let raw = lay_over(table, over).try_into().map_err(|error: toml::de::Error| {
            here.error("base", format!("does not go with it: {}", error.message()))
        })?;
        Ok(Source { file, text, raw })
    }

    /// An error at a key, with its line where the file has that key (or the nearest table around it).
    pub(super) fn error(&self, key: &str, message: impl Into<String>) -> DefError {
        let place = self.locate(key).map(|byte| line_and_column(self.text, byte));
        DefError {
            file: self.file.to_owned(),
            line: place.map(|(line, _)| line),
            column: place.map(|(_, column)| column),
            key: Some(key.to_owned()),
            message: message.into(),
        }
    }

    /// The byte where the value of a dotted key begins; of the nearest table around it when the key itself is not there.
    fn locate(&self, key: &str) -> Option<usize> {
        let root = DeTable::parse(self.text).ok()?;
        let mut found = None;
        let mut parts = key.split('.');
        let first = parts.next()?;
        let (_, mut value) = root.get_ref().iter().find(|(name, _)| name.get_ref() == first)?;
        found = Some(value.span().start).or(found);
        for part in parts {
            value = match value.get_ref() {
                DeValue::Table(table) => match table.iter().find(|(name, _)| name.get_ref() == part) {
                    Some((_, inner)) => inner,
                    None => return found,
                },
                DeValue::Array(array) => match part.parse::<usize>().ok().and_then(|index| array.get(index)) {
                    Some(inner) => inner,
                    None => return found,
                },
                _ => return found,
            };
            found = Some(value.span().start);
        }
        found
    }
}

/// The tables of a built-in game with those of its bases underneath. Built-in bases are few and never circular; the depth
/// keeps a slip there from looping.
fn whole_table(name: &str, depth: usize) -> Option<Table> {
    let table: Table = toml::from_str(super::builtin::text(name)?).ok()?;
    match table.get("base").and_then(|base| base.as_str()) {
        Some(base) if depth < 8 => Some(lay_over(whole_table(base, depth + 1)?, table.clone())),
        Some(_) => None,
        None => Some(table),
    }
}

/// Tables are joined key by key, anything else is replaced. Promotion ranks and starts belong to one board: a file that has
/// its own replaces all of its base's.
fn lay_over(mut under: Table, over: Table) -> Table {
    for (key, value) in over {
        match (under.get_mut(&key), value) {
            (Some(toml::Value::Table(below)), toml::Value::Table(above)) if key != "promotion" => {
                *below = lay_over(std::mem::take(below), above);
            }
            (_, value) => {
                under.insert(key, value);
            }
        }
    }
    under
}

fn syntax_error(text: &str, file: &str, error: &toml::de::Error) -> DefError {
    let place = error.span().map(|span| line_and_column(text, span.start));
    DefError {
        file: file.to_owned(),
        line: place.map(|(line, _)| line),
        column: place.map(|(_, column)| column),
        key: None,
        message: error.message().trim().replace('\n', ", "),
    }
}
