//! Weights files (TOML).

use std::sync::Arc;

use ::toml::{Table, Value};
use assay_rules::GameDef;
use assay_rules::def::parse_toml;
use assay_rules::text::excerpt;

use super::{Weight, Weights};
use crate::eval::terms::{Section, Term, TermName, Terms};
use crate::file::ContentError;

/// Comment at the top of every file.
const HEADER: &str = "\
# Evaluation weights in centipawns of the game's own pawn: [middlegame, endgame].
# `ranks` and `passed` are listed from the owner's first rank, `files` from the edge to the center.
";

impl Weights {
    /// Reads a weights file. Above its tables it has the keys `game` and `source`; `[general]`
    /// holds the terms of tempo and pawn structure, `[pieces.NAME]` the terms of a piece kind. The
    /// weight of a term is `[middlegame, endgame]` in centipawns, that of a series a list of such
    /// pairs.
    ///
    /// # Errors
    /// Fails if the text is not TOML or is for another game, and if a term is missing, unknown or
    /// malformed.
    pub fn from_toml(game: &Arc<GameDef>, toml: &str) -> Result<Weights, ContentError> {
        let table: Table = parse_toml(toml, "").map_err(|error| {
            let (line, column) = (error.line.unwrap_or(1), error.column.unwrap_or(1));
            ContentError(format!("line {line}, column {column}: {}", error.message))
        })?;
        let mut entries = Vec::new();
        flatten("", &table, &mut entries);
        let found = string(&entries, "game")?;
        if found != game.name {
            let (found, expected) = (format!("`{}`", excerpt(found)), format!("`{}`", game.name));
            return Err(ContentError::at("game", found, expected));
        }
        let mut weights = Weights::zero(game, string(&entries, "source")?);
        let series = series(weights.terms());
        let is_known = |found: &str| {
            let mut keys = series.iter().map(|&(_, name, _)| key(game, name));
            found == "game" || found == "source" || keys.any(|key| key == found)
        };
        if let Some((found, _)) = entries.iter().find(|(found, _)| !is_known(found)) {
            return Err(ContentError(format!("{}: the game has no such term", excerpt(found))));
        }
        for (first, name, length) in series {
            let key = key(game, name);
            let pairs = match (name.index, get(&entries, &key)?) {
                (None, value) => vec![pair(value, &key)?],
                (Some(_), Value::Array(values)) if values.len() == length => {
                    values.iter().map(|value| pair(value, &key)).collect::<Result<Vec<_>, _>>()?
                }
                (Some(_), other) => {
                    let expected = format!("a list of {length} pairs");
                    return Err(ContentError::at(&key, describe(other), expected));
                }
            };
            for (index, weight) in pairs.into_iter().enumerate() {
                weights.set(first.plus(index as u8), weight);
            }
        }
        Ok(weights)
    }

    /// Writes a weights file.
    #[expect(clippy::missing_panics_doc, reason = "the table of a piece is inserted as a table")]
    pub fn to_toml(&self) -> String {
        let game = self.game();
        let (mut general, mut pieces) = (Table::new(), Table::new());
        for (first, name, length) in series(self.terms()) {
            let pair = |index| {
                let weight = self.get(first.plus(index as u8));
                Value::Array(vec![number(weight.middlegame), number(weight.endgame)])
            };
            let value = match name.index {
                None => pair(0),
                Some(_) => Value::Array((0..length).map(pair).collect()),
            };
            let section = match name.section {
                Section::General => &mut general,
                Section::Piece(kind) => {
                    let section = pieces.entry(&game.kind(kind).name);
                    let section = section.or_insert_with(|| Value::Table(Table::new()));
                    section.as_table_mut().expect("a table was inserted")
                }
            };
            section.insert(name.name.to_owned(), value);
        }
        let file = Table::from_iter([
            ("game".to_owned(), Value::from(game.name.clone())),
            ("source".to_owned(), Value::from(self.source())),
            ("general".to_owned(), Value::Table(general)),
            ("pieces".to_owned(), Value::Table(pieces)),
        ]);
        format!("{HEADER}{file}")
    }
}

/// The values of a file with their keys, such as `pieces.queen.material`.
type Entries<'t> = Vec<(String, &'t Value)>;

/// Adds the values of a table and of the tables in it.
fn flatten<'t>(prefix: &str, table: &'t Table, entries: &mut Entries<'t>) {
    for (name, value) in table {
        match value {
            Value::Table(table) if !table.is_empty() => flatten(&format!("{prefix}{name}."), table, entries),
            // The dot in the name of a value must not look like the path of another.
            value if name.contains('.') => entries.push((format!("{prefix}{name:?}"), value)),
            value => entries.push((format!("{prefix}{name}"), value)),
        }
    }
}

fn get<'t>(entries: &Entries<'t>, key: &str) -> Result<&'t Value, ContentError> {
    let found = entries.iter().find(|(found, _)| found == key);
    found.map(|&(_, value)| value).ok_or_else(|| ContentError(format!("{key}: missing")))
}

fn string<'t>(entries: &Entries<'t>, key: &str) -> Result<&'t str, ContentError> {
    match get(entries, key)? {
        Value::String(text) => Ok(text),
        other => Err(ContentError::at(key, describe(other), "a string")),
    }
}

/// Keys of a game's weights file: first term, its name, and the number of terms.
fn series(terms: &Terms) -> Vec<(Term, TermName, usize)> {
    let mut series: Vec<(Term, TermName, usize)> = Vec::new();
    for term in terms.all() {
        let name = terms.name(term);
        match series.last_mut() {
            Some((_, last, length)) if name.index.is_some_and(|index| index > 0) && last.name == name.name => {
                *length += 1;
            }
            _ => series.push((term, name, 1)),
        }
    }
    series
}

fn key(game: &GameDef, name: TermName) -> String {
    match name.section {
        Section::General => format!("general.{}", name.name),
        Section::Piece(kind) => format!("pieces.{}.{}", game.kind(kind).name, name.name),
    }
}

fn pair(value: &Value, key: &str) -> Result<Weight, ContentError> {
    let numbers: Option<Vec<f64>> = value.as_array().and_then(|values| values.iter().map(to_number).collect());
    match numbers.as_deref() {
        Some(&[middlegame, endgame]) if in_range(middlegame) && in_range(endgame) => Ok(Weight { middlegame, endgame }),
        _ => {
            let expected = format!("[middlegame, endgame] in centipawns, each within ±{MAX_WEIGHT}");
            Err(ContentError::at(key, describe(value), expected))
        }
    }
}

/// Maximum of a weight in absolute value, in centipawns.
const MAX_WEIGHT: f64 = 10_000.0;

/// Returns false for NaN.
fn in_range(centipawns: f64) -> bool {
    centipawns.abs() <= MAX_WEIGHT
}

fn to_number(value: &Value) -> Option<f64> {
    value.as_float().or_else(|| value.as_integer().map(|number| number as f64))
}

fn describe(value: &Value) -> String {
    match value {
        Value::Array(values) => format!("a list of {}", values.len()),
        Value::Table(_) => "a table".to_owned(),
        Value::String(text) => format!("`{}`", excerpt(text)),
        other => format!("`{other}`"),
    }
}

/// Rounds to tenths; whole numbers are integers.
fn number(centipawns: f64) -> Value {
    let tenths = (centipawns * 10.0).round() / 10.0;
    if tenths.fract() == 0.0 { Value::Integer(tenths as i64) } else { Value::Float(tenths) }
}

#[cfg(test)]
mod tests {
    use assay_rules::text::is_control;
    use proptest::prelude::*;

    use super::*;

    fn name() -> impl Strategy<Value = String> {
        "[^\\p{C}\\p{Zl}\\p{Zp}]{1,20}".prop_filter("control characters", |name| !name.contains(is_control))
    }

    proptest! {
        #[test]
        fn any_names_round_trip(knight in name(), bishop in name(), source in ".{0,20}") {
            let text = format!(
                "name = 'odd'\ntitle = 'Odd'\nbase = 'chess'\n[pieces]\nknight.name = {}\nbishop.name = {}\n",
                Value::from(knight), Value::from(bishop)
            );
            let Ok(game) = GameDef::from_toml(&text, "odd.toml").map(Arc::new) else { return Ok(()) };
            let mut weights = Weights::computed(&game);
            weights.set_source(&source);
            let again = Weights::from_toml(&game, &weights.to_toml()).unwrap();
            prop_assert_eq!(again.values(), weights.values());
            prop_assert_eq!(again.source(), weights.source());
        }
    }

    #[test]
    fn names_with_spaces_quotes_and_dots_round_trip() {
        for name in ["war elephant", "O'Kelly", "\"Ferz\"", "'\"both\"'", "a.b", "[x]", "é#", "general", " "] {
            let text =
                format!("name = 'odd'\ntitle = 'Odd'\nbase = 'chess'\npieces.knight.name = {}\n", Value::from(name));
            let game = Arc::new(GameDef::from_toml(&text, "odd.toml").unwrap());
            let weights = Weights::computed(&game);
            let again = Weights::from_toml(&game, &weights.to_toml()).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(again.values(), weights.values(), "{name}");
        }
    }

    #[test]
    fn errors_do_not_repeat_the_file() {
        let game = GameDef::builtin("chess").unwrap();
        let error = |text: &str| Weights::from_toml(&game, text).unwrap_err().to_string();
        let syntax = error("root:$6$salt$hash:19000:0:99999:7:::\n");
        assert!(syntax.starts_with("line 1, column 37: ") && !syntax.contains("salt"), "{syntax}");
        let long = error(&format!("game = \"{}\"\n", "secret ".repeat(20)));
        assert!(long.len() < 80, "{long}");
        assert!(error("game = \"a\\u001bb\"").starts_with("line 1, column 8: found the control character U+001B"));
    }

    #[test]
    fn errors_name_the_key() {
        let game = GameDef::builtin("chess").unwrap();
        let good = Weights::computed(&game).to_toml();
        assert!(Weights::from_toml(&game, &good).is_ok());
        let error = |text: &str| Weights::from_toml(&game, text).unwrap_err().to_string();
        assert_eq!(error(&good.replace("\"chess\"", "\"gamma2\"")), "game: found `gamma2`, expected `chess`");
        assert_eq!(error(&good.replace("tempo", "temper")), "general.temper: the game has no such term");
        assert_eq!(
            error(&good.replace("[pieces.queen]", "[pieces.quean]")),
            "pieces.quean.material: the game has no such term"
        );
        let without = good.lines().filter(|line| !line.starts_with("pawn_threat")).collect::<Vec<_>>().join("\n");
        assert_eq!(error(&without), "general.pawn_threat: missing");
        let malformed = good.replace("pawn_threat = [", "pawn_threat = [1, ");
        assert!(
            error(&malformed).starts_with("general.pawn_threat: found a list of 3, expected [middlegame, endgame]")
        );
    }
}
