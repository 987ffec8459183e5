//! Weights as TOML.

use std::fmt::Write;
use std::sync::Arc;

use assay_rules::GameDef;
use toml::{Table, Value};

use super::{Weight, Weights, WeightsError};
use crate::eval::terms::{Section, Term, TermName, Terms};

/// The beginning of every file.
const HEADER: &str = "\
# Weights of the evaluation, in centipawns of the game's own pawn: [with all pieces on the board, with kings and pawns alone].
# Series: `ranks` and `passed` from the owner's lowest rank up, `files` from the edge to the middle.
";

pub(super) fn read(game: &Arc<GameDef>, toml: &str) -> Result<Weights, WeightsError> {
    let table: Table = toml
        .parse()
        .map_err(|error: toml::de::Error| WeightsError::Toml(error.to_string()))?;
    let found = string(&table, "game")?;
    if found != game.name {
        return Err(WeightsError::Game {
            found,
            expected: game.name.clone(),
        });
    }
    let mut weights = Weights::zero(game, &string(&table, "source")?);
    let features = features(weights.terms());
    refuse_unknown(game, &table, &features)?;
    for (first, name, length) in features {
        let key = key(game, name);
        let value = section(game, &table, name.section)
            .and_then(|section| section.get(name.feature))
            .ok_or_else(|| WeightsError::Missing { key: key.clone() })?;
        let series = match (name.place, value) {
            (None, value) => vec![pair(value, &key)?],
            (Some(_), Value::Array(values)) if values.len() == length => values
                .iter()
                .map(|value| pair(value, &key))
                .collect::<Result<Vec<_>, _>>()?,
            (Some(_), other) => {
                let expected = format!("a list of {length} pairs");
                return Err(WeightsError::Form {
                    key,
                    found: describe(other),
                    expected,
                });
            }
        };
        for (place, weight) in series.into_iter().enumerate() {
            weights.set(first.plus(place as u8), weight);
        }
    }
    Ok(weights)
}

pub(super) fn write(weights: &Weights) -> String {
    let game = weights.game();
    let mut text = HEADER.to_owned();
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "game = {}\nsource = {}",
        Value::from(game.name.clone()),
        Value::from(weights.source())
    );
    let mut current = None;
    for (first, name, length) in features(weights.terms()) {
        if current != Some(name.section) {
            let _ = writeln!(text, "\n[{}]", heading(game, name.section));
            current = Some(name.section);
        }
        let pairs: Vec<String> = (0..length)
            .map(|place| weights.get(first.plus(place as u8)))
            .map(|weight| format!("[{}, {}]", number(weight.middlegame), number(weight.endgame)))
            .collect();
        let _ = match name.place {
            None => writeln!(text, "{} = {}", name.feature, pairs.concat()),
            Some(_) => writeln!(text, "{} = [{}]", name.feature, pairs.join(", ")),
        };
    }
    text
}

/// The features of a game: first term, name, and how many terms it has.
fn features(terms: &Terms) -> Vec<(Term, TermName, usize)> {
    let mut features: Vec<(Term, TermName, usize)> = Vec::new();
    for term in terms.all() {
        let name = terms.name(term);
        match features.last_mut() {
            Some((_, last, length)) if name.place.is_some_and(|place| place > 0) && last.feature == name.feature => {
                *length += 1;
            }
            _ => features.push((term, name, 1)),
        }
    }
    features
}

fn heading(game: &GameDef, section: Section) -> String {
    match section {
        Section::General => "general".to_owned(),
        Section::Piece(kind) => format!("pieces.{}", game.kind(kind).name),
    }
}

fn key(game: &GameDef, name: TermName) -> String {
    format!("{}.{}", heading(game, name.section), name.feature)
}

fn section<'t>(game: &GameDef, table: &'t Table, section: Section) -> Option<&'t Table> {
    match section {
        Section::General => table.get("general")?.as_table(),
        Section::Piece(kind) => table.get("pieces")?.as_table()?.get(&game.kind(kind).name)?.as_table(),
    }
}

/// Every key of the file must be one that is read.
fn refuse_unknown(game: &GameDef, table: &Table, features: &[(Term, TermName, usize)]) -> Result<(), WeightsError> {
    let mut keys: Vec<String> = Vec::new();
    for (key, value) in table {
        match (key.as_str(), value) {
            ("game" | "source", _) => {}
            ("general", Value::Table(section)) => {
                keys.extend(section.keys().map(|feature| format!("general.{feature}")));
            }
            ("pieces", Value::Table(pieces)) => {
                for (piece, value) in pieces {
                    match value {
                        Value::Table(section) => {
                            keys.extend(section.keys().map(|feature| format!("pieces.{piece}.{feature}")));
                        }
                        _ => keys.push(format!("pieces.{piece}")),
                    }
                }
            }
            (other, _) => keys.push(other.to_owned()),
        }
    }
    let known = |wanted: &String| features.iter().any(|&(_, name, _)| key(game, name) == *wanted);
    match keys.into_iter().find(|wanted| !known(wanted)) {
        Some(key) => Err(WeightsError::Unknown { key }),
        None => Ok(()),
    }
}

fn string(table: &Table, key: &str) -> Result<String, WeightsError> {
    let value = table
        .get(key)
        .ok_or_else(|| WeightsError::Missing { key: key.to_owned() })?;
    let form = || WeightsError::Form {
        key: key.to_owned(),
        found: describe(value),
        expected: "a string".to_owned(),
    };
    value.as_str().map(str::to_owned).ok_or_else(form)
}

fn pair(value: &Value, key: &str) -> Result<Weight, WeightsError> {
    let numbers: Option<Vec<f64>> = value
        .as_array()
        .and_then(|values| values.iter().map(to_number).collect());
    match numbers.as_deref() {
        Some(&[middle, end]) if in_range(middle) && in_range(end) => Ok(Weight {
            middlegame: middle,
            endgame: end,
        }),
        _ => Err(WeightsError::Form {
            key: key.to_owned(),
            found: describe(value),
            expected: format!("two numbers of centipawns, [middle, end], each within ±{LARGEST}"),
        }),
    }
}

/// No weight is further from zero, in centipawns.
const LARGEST: f64 = 10_000.0;

fn in_range(centipawns: f64) -> bool {
    centipawns.abs() <= LARGEST
}

fn to_number(value: &Value) -> Option<f64> {
    value
        .as_float()
        .or_else(|| value.as_integer().map(|number| number as f64))
}

fn describe(value: &Value) -> String {
    match value {
        Value::Array(values) => format!("a list of {}", values.len()),
        Value::Table(_) => "a table".to_owned(),
        other => format!("`{other}`"),
    }
}

/// Tenths of a centipawn, without a needless `.0`.
fn number(centipawns: f64) -> String {
    let tenths = (centipawns * 10.0).round() / 10.0;
    if tenths == 0.0 {
        "0".to_owned()
    } else {
        format!("{tenths}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_named() {
        let game = GameDef::builtin("chess").unwrap();
        let good = Weights::computed(&game).to_toml();
        assert!(read(&game, &good).is_ok());
        let error = |text: &str| read(&game, text).unwrap_err().to_string();
        assert_eq!(
            error(&good.replace("\"chess\"", "\"gamma2\"")),
            "game: found `gamma2`, expected `chess`"
        );
        assert_eq!(
            error(&good.replace("tempo", "temper")),
            "general.temper: the game has no such term"
        );
        assert_eq!(
            error(&good.replace("[pieces.queen]", "[pieces.quean]")),
            "pieces.quean.material: the game has no such term"
        );
        let without = good
            .lines()
            .filter(|line| !line.starts_with("pawn_threat"))
            .collect::<Vec<_>>()
            .join("\n");
        assert_eq!(error(&without), "general.pawn_threat: missing");
        let wrong = good.replace("pawn_threat = [", "pawn_threat = [1, ");
        assert!(error(&wrong).starts_with("general.pawn_threat: found a list of 3, expected two numbers"));
    }
}
