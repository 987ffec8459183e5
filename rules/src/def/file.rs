//! The TOML structure of a definition file, and inheritance from another game (`base`).

use std::collections::BTreeMap;

use indexmap::IndexMap;
use serde::Deserialize;
use toml::Table;
use toml::de::{DeTable, DeValue};

use super::error::{DefError, parse_toml};
use crate::text::without_bom;

/// The keys of a definition file. All are optional here, because a file with a `base` inherits the rest.
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
    pub(super) piece_promotion: Option<RawPiecePromotion>,
    pub(super) forbids_immobility: Option<bool>,
    pub(super) castling: Option<RawCastling>,
    pub(super) gating: Option<RawGating>,
    pub(super) drops: Option<RawDrops>,
    pub(super) endings: Option<RawEndings>,
    pub(super) forbids_checks: Option<bool>,
    pub(super) forces_captures: Option<bool>,
    pub(super) explosions: Option<RawExplosions>,
    pub(super) flying_general: Option<bool>,
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
    pub(super) zone: Option<String>,
    pub(super) side: Option<String>,
    pub(super) value: Option<f64>,
    pub(super) rounded: Option<f64>,
    pub(super) pair: Option<f64>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RawPawns {
    pub(super) home_rank: Option<u8>,
    pub(super) first_rank_steps: Option<bool>,
    #[serde(default)]
    pub(super) promotion_limits: BTreeMap<String, u8>,
    pub(super) cannon: Option<bool>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RawPromotion {
    pub(super) to: Option<String>,
    pub(super) optional: Option<bool>,
    pub(super) squares: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RawPiecePromotion {
    pub(super) ranks: Option<[u8; 2]>,
    pub(super) forced: Option<bool>,
    pub(super) by_capture: Option<bool>,
    pub(super) demotes: Option<bool>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RawCastling {
    pub(super) partner: Option<String>,
    pub(super) kingside_file: Option<String>,
    pub(super) queenside_file: Option<String>,
    pub(super) from_any_file: Option<bool>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawExplosions {
    pub(super) immune: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RawGating {
    pub(super) pocket: Option<String>,
    pub(super) movers: Option<String>,
    pub(super) last_move: Option<RawLastMove>,
    pub(super) forbids_shielding: Option<bool>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawLastMove {
    pub(super) white: Option<u32>,
    pub(super) black: Option<u32>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RawDrops {
    pub(super) kinds: Option<String>,
    pub(super) captured: Option<String>,
    pub(super) promoted_revert: Option<bool>,
    #[serde(default)]
    pub(super) ranks: BTreeMap<String, [u8; 2]>,
    pub(super) promoted: Option<bool>,
    pub(super) pawns_per_file: Option<u8>,
    pub(super) pawn_mate: Option<bool>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RawEndings {
    pub(super) checkmate: Option<f64>,
    pub(super) stalemate: Option<f64>,
    pub(super) stalemate_by_count: Option<bool>,
    pub(super) draw: Option<f64>,
    pub(super) move_rule: Option<u32>,
    pub(super) repetitions: Option<u32>,
    pub(super) repetition: Option<String>,
    pub(super) perpetual_check_loses: Option<bool>,
    pub(super) insufficient_material: Option<Vec<String>>,
    pub(super) material_count: Option<RawMaterialCount>,
    pub(super) goal: Option<RawGoal>,
    pub(super) checks: Option<u8>,
    pub(super) bare_king_loses: Option<bool>,
    pub(super) extinction: Option<RawExtinction>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RawGoal {
    pub(super) piece: Option<String>,
    pub(super) squares: Option<String>,
    pub(super) black_squares: Option<String>,
    pub(super) last_turn: Option<bool>,
    pub(super) held: Option<bool>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RawExtinction {
    pub(super) pieces: Option<String>,
    pub(super) together: Option<bool>,
    pub(super) at_most: Option<u32>,
    pub(super) score: Option<f64>,
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
    pub(super) shuffled: Option<bool>,
}

/// A definition file merged with its base, and its text for error positions.
pub(super) struct Source<'t> {
    pub(super) file: &'t str,
    pub(super) text: &'t str,
    pub(super) raw: RawGame,
    /// The file and its base as tables, if it has a base.
    inheritance: Option<Inheritance>,
}

struct Inheritance {
    /// Name of the base.
    base: String,
    /// Keys of the file itself.
    own: Table,
    /// Keys of the base.
    inherited: Table,
}

/// Tables that depend on the board. They replace the base's table as a whole.
const REPLACED_TABLES: [&str; 4] = ["promotion", "promotion-limits", "pawn-on-rank", "ranks"];

impl Inheritance {
    /// The key in the file that would replace the inherited value of `key`. `None` if the value is the file's own, or missing.
    fn replacing_key<'k>(&self, key: &'k str) -> Option<&'k str> {
        let mut end = 0;
        let (mut own, mut inherited) = (Some(&self.own), &self.inherited);
        for part in key.split('.') {
            end += part.len() + usize::from(end > 0);
            let value = inherited.get(part)?;
            let own_value = own.and_then(|own| own.get(part));
            match value {
                toml::Value::Table(table) if !REPLACED_TABLES.contains(&part) => {
                    (own, inherited) = (own_value.and_then(toml::Value::as_table), table);
                    if end == key.len() {
                        return own_value.is_none().then_some(key);
                    }
                }
                _ => return own_value.is_none().then_some(&key[..end]),
            }
        }
        None
    }
}

impl<'t> Source<'t> {
    /// Parses the file and merges it with its base.
    pub(super) fn read(text: &'t str, file: &'t str) -> Result<Source<'t>, DefError> {
        let text = without_bom(text);
        let own: RawGame = parse_toml(text, file)?;
        let Some(base) = &own.base else {
            return Ok(Source {
                file,
                text,
                raw: own,
                inheritance: None,
            });
        };
        let mut source = Source {
            file,
            text,
            raw: own.clone(),
            inheritance: None,
        };
        // Name and title identify a game, so they are never inherited.
        for (key, value) in [("name", &own.name), ("title", &own.title)] {
            if value.is_none() {
                return Err(source.error(key, "missing: name and title are not inherited from the base"));
            }
        }
        // The base's source does not publish the values of this file.
        let has_values = |piece: &RawPiece| piece.value.is_some() || piece.pair.is_some();
        if own.source.is_none()
            && let Some((name, _)) = own.pieces.iter().find(|(_, piece)| has_values(piece))
        {
            return Err(source.error(
                &format!("pieces.{name}"),
                "found a value, expected also a source of the values, which is not inherited from the base",
            ));
        }
        let table = resolve_base(base, 0).ok_or_else(|| {
            let known = super::known_games();
            source.error("base", format!("found `{base}`, expected a built-in game: {known}"))
        })?;
        let (own_table, inherited): (Table, _) = (parse_toml(text, file)?, without_values(table));
        source.raw = merge(inherited.clone(), own_table.clone())
            .try_into()
            .map_err(|error: toml::de::Error| {
                source.error(
                    "base",
                    format!("cannot be combined with this file: {}", error.message()),
                )
            })?;
        source.inheritance = Some(Inheritance {
            base: base.clone(),
            own: own_table,
            inherited,
        });
        Ok(source)
    }

    /// Creates an error at a key, with the line of that key or of its closest enclosing table. The error of an inherited value
    /// is at `base` and says how to replace the value.
    pub(super) fn error(&self, key: &str, message: impl Into<String>) -> DefError {
        let message = message.into();
        if let Some(inheritance) = &self.inheritance
            && let Some(replacing) = inheritance.replacing_key(key)
        {
            let base = &inheritance.base;
            let message = format!("{message}; the value is inherited from `{base}`: give {replacing} in this file");
            return DefError::at(self.file, self.text, self.locate("base"), Some(key), message);
        }
        DefError::at(self.file, self.text, self.locate(key), Some(key), message)
    }

    /// Byte offset of the value of a dotted key, or of its closest enclosing table if the file does not contain the key.
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

/// The table of a built-in game, merged with its own base. The depth limit guards against circular bases.
fn resolve_base(name: &str, depth: usize) -> Option<Table> {
    let table: Table = toml::from_str(super::definition_text(name)?).ok()?;
    match table.get("base").and_then(|base| base.as_str()) {
        Some(base) if depth < 8 => Some(merge(without_values(resolve_base(base, depth + 1)?), table.clone())),
        Some(_) => None,
        None => Some(table),
    }
}

/// A base without the values of its pieces: what is published for one game is not published for another.
fn without_values(mut base: Table) -> Table {
    let pieces = base.get_mut("pieces").and_then(toml::Value::as_table_mut);
    let tables = pieces.into_iter().flat_map(|pieces| pieces.iter_mut());
    for piece in tables.filter_map(|(_, piece)| piece.as_table_mut()) {
        piece.remove("value");
        piece.remove("rounded");
        piece.remove("pair");
    }
    base
}

/// Merges tables key by key; any other value is replaced, and so are [`REPLACED_TABLES`].
fn merge(mut base: Table, file: Table) -> Table {
    for (key, value) in file {
        match (base.get_mut(&key), value) {
            (Some(toml::Value::Table(inherited)), toml::Value::Table(own))
                if !REPLACED_TABLES.contains(&key.as_str()) =>
            {
                *inherited = merge(std::mem::take(inherited), own);
            }
            (_, value) => {
                base.insert(key, value);
            }
        }
    }
    base
}
