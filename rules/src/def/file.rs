//! A definition file merged with the game that it inherits from (`base`).

use toml::Table;
use toml::de::{DeTable, DeValue};

use super::error::{DefError, parse_toml, plain_message};
use super::keys::{GameKeys, PieceKeys};
use crate::text::without_bom;

/// A definition file merged with its base, and its text for error positions.
pub(super) struct Source<'t> {
    pub(super) file: &'t str,
    pub(super) text: &'t str,
    pub(super) raw: GameKeys,
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

/// Tables that depend on the board or the pieces. They replace the base's table as a whole.
const REPLACED_TABLES: [&str; 5] = ["promotion", "promotion-limits", "pawn-on-rank", "ranks", "armies"];

impl Inheritance {
    /// The key in the file that would replace the inherited value of `key`. `None` if the value is
    /// the file's own, or missing.
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

impl GameKeys {
    /// The keys of a definition file together with those of its base, so that it needs none.
    ///
    /// # Errors
    /// If the text is not TOML, has an unknown key, or its base is unknown.
    pub fn whole(text: &str, file: &str) -> Result<GameKeys, DefError> {
        let mut keys = GameKeys { base: None, ..Source::read(text, file)?.raw };
        // A partner that the base gave to a king that no longer castles.
        let castles = |piece: &PieceKeys| piece.movement.as_ref().is_some_and(|movement| movement.contains('O'));
        if !keys.pieces.values().any(castles) {
            keys.castling = None;
        }
        Ok(keys)
    }
}

impl<'t> Source<'t> {
    /// Parses the file and merges it with its base.
    pub(super) fn read(text: &'t str, file: &'t str) -> Result<Source<'t>, DefError> {
        let text = without_bom(text);
        let source = Source { file, text, raw: parse_toml(text, file)?, inheritance: None };
        // Empty tables are there, too: they replace the tables of the base.
        source.inherit(|_| parse_toml(text, file))
    }

    /// Takes keys that no text gives, and merges them with their base. Errors have no position.
    pub(super) fn of_keys(keys: GameKeys, file: &'t str) -> Result<Source<'t>, DefError> {
        let source = Source { file, text: "", raw: keys, inheritance: None };
        source.inherit(|source| {
            let table = Table::try_from(&source.raw);
            table.map_err(|error| source.error("base", format!("cannot be read: {error}")))
        })
    }

    /// `table` gives the own keys as a table.
    fn inherit(self, table: impl Fn(&Source<'t>) -> Result<Table, DefError>) -> Result<Source<'t>, DefError> {
        let mut source = self;
        let Some(base) = source.raw.base.clone() else { return Ok(source) };
        let own = source.raw.clone();
        // Name and title identify a game, so they are never inherited.
        for (key, value) in [("name", &own.name), ("title", &own.title)] {
            if value.is_none() {
                return Err(source.error(key, "missing: name and title are not inherited from the base"));
            }
        }
        // The base's source does not publish the values of this file.
        let has_values = |piece: &PieceKeys| piece.value.is_some() || piece.pair.is_some();
        if own.source.is_none()
            && let Some((name, _)) = own.pieces.iter().find(|(_, piece)| has_values(piece))
        {
            return Err(source.error(
                &format!("pieces.{name}"),
                "found a value, expected also a source of the values, which is not inherited from the base",
            ));
        }
        let base_table = resolve_base(&base, 0).ok_or_else(|| {
            let known = super::known_games();
            source.error("base", format!("found `{base}`, expected a built-in game: {known}"))
        })?;
        let (own_table, inherited) = (table(&source)?, without_values(base_table));
        source.raw = merge(inherited.clone(), own_table.clone()).try_into().map_err(|error: toml::de::Error| {
            source.error("base", format!("cannot be combined with this file: {}", plain_message(&error)))
        })?;
        source.inheritance = Some(Inheritance { base, own: own_table, inherited });
        Ok(source)
    }

    /// Creates an error at a key, with the line of that key or of its closest enclosing table. The
    /// error of an inherited value is at `base` and says how to replace the value.
    pub(super) fn error(&self, key: &str, message: impl Into<String>) -> DefError {
        let message = message.into();
        if let Some(inheritance) = &self.inheritance
            && let Some(replacing) = inheritance.replacing_key(key)
        {
            let base = &inheritance.base;
            let message = format!("{message}; the value is inherited from `{base}`: give {replacing} in this file");
            return DefError::at(self.file, self.text, self.locate("base"), Some(key), message);
        }
        let place = self.locate(key).or_else(|| self.locate("base"));
        DefError::at(self.file, self.text, place, Some(key), message)
    }

    /// Byte offset of the value of a dotted key, or of its closest enclosing table if the file does
    /// not contain the key.
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

/// The table of a built-in game, merged with its own base. The depth limit guards against circular
/// bases.
fn resolve_base(name: &str, depth: usize) -> Option<Table> {
    let table: Table = toml::from_str(super::definition_text(name)?).ok()?;
    match table.get("base").and_then(|base| base.as_str()) {
        Some(base) if depth < 8 => Some(merge(without_values(resolve_base(base, depth + 1)?), table.clone())),
        Some(_) => None,
        None => Some(table),
    }
}

/// A base without the values of its pieces: what is published for one game is not published for
/// another.
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
