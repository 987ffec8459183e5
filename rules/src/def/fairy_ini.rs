//! Variant files of Fairy-Stockfish (`variants.ini`): conversion of a variant to a definition file.
//!
//! A variant inherits from another one of the file, or from a built-in one. Every key that a
//! variant has must be one of those below: a key that is not understood would make another game of
//! it.

mod kinds;
mod parse;
mod region;
mod variant;

use std::path::Path;

use self::parse::{Entry, Section, sections};
use self::variant::{Conflict, Variant, check, distance_to_conflict, distance_to_key};
use super::builtin::builtin_variant;
use super::error::DefError;
use super::keys::GameKeys;
use crate::text::{is_control, without_bom};
use crate::variant::GameDef;

/// Splits the name of a game in a variant file, `my.ini:mygame`, into file and variant. The variant
/// may be missing. `None` for any other name.
pub fn split_name(name: &str) -> Option<(&str, Option<&str>)> {
    let is_ini =
        |file: &str| Path::new(file).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("ini"));
    if is_ini(name) {
        return Some((name, None));
    }
    let (file, variant) = name.rsplit_once(':')?;
    is_ini(file).then_some((file, Some(variant)))
}

/// The variants of a file, in its order.
///
/// # Errors
/// If a line is neither a section, nor a key with a value, nor a comment.
pub fn variants<'t>(text: &'t str, file: &'t str) -> Result<Vec<&'t str>, DefError> {
    Ok(sections(without_bom(text), file)?.into_iter().map(|section| section.name.text).collect())
}

/// Converts a variant, or without a name the only one of the file, to a game.
///
/// # Errors
/// If the file has no such variant, a base is unknown, a key has no counterpart in definitions, or
/// the game is wrong.
pub fn game(text: &str, file: &str, variant: Option<&str>) -> Result<GameDef, DefError> {
    convert(text, file, variant).map(|(_, game)| game)
}

/// Converts a variant, as [`game`] does, to the text of a definition file.
///
/// # Errors
/// As [`game`].
pub fn to_toml(text: &str, file: &str, variant: Option<&str>) -> Result<String, DefError> {
    let (keys, _) = convert(text, file, variant)?;
    keys.to_toml().map_err(|error| DefError::at(file, text, None, None, error.to_string()))
}

/// Converts a variant to the keys of a definition, and to the game that they define.
fn convert(text: &str, file: &str, variant: Option<&str>) -> Result<(GameKeys, GameDef), DefError> {
    let text = without_bom(text);
    let own = sections(text, file)?;
    let chain = chain(&own, text, file, variant)?;
    let name = chain[chain.len() - 1].name;
    let mut variant = match chain[0].base {
        Some(base) => builtin(&base)?,
        None => Variant::default(),
    };
    chain.iter().try_for_each(|section| variant.read(section))?;
    let source = format!("{file}, variant {} of Fairy-Stockfish", name.text);
    let at_cause = |conflict: Conflict| {
        error_at_cause(&chain, |entry| distance_to_conflict(entry.key, &conflict), conflict.message.clone())
    };
    let keys = variant.definition(name.text, &source.replace(is_control, " ")).map_err(at_cause)?;
    let game = GameDef::from_keys(keys.clone(), file).map_err(|error| {
        let wrong = error.key.unwrap_or_default();
        let message = format!("as a definition, {wrong}: {}", error.message);
        error_at_cause(&chain, |entry| distance_to_key(entry.key, &wrong), message)
    })?;
    check(&game).map_err(at_cause)?;
    Ok((keys, game))
}

/// An error at the entry that is nearest to it, the last of several. At the name of the variant if
/// no entry can have caused it.
fn error_at_cause(chain: &[&Section<'_>], distance: impl Fn(&Entry<'_>) -> Option<u8>, message: String) -> DefError {
    let entries = chain.iter().flat_map(|section| &section.entries).rev();
    let near = entries.filter_map(|entry| Some((distance(entry)?, entry))).min_by_key(|&(distance, _)| distance);
    near.map_or(&chain[chain.len() - 1].name, |(_, entry)| entry).error_here(message)
}

/// The sections of a variant, from its last base in the file to its own.
fn chain<'s, 't>(
    own: &'s [Section<'t>],
    text: &str,
    file: &str,
    variant: Option<&str>,
) -> Result<Vec<&'s Section<'t>>, DefError> {
    let known = || own.iter().map(|section| section.name.text).collect::<Vec<_>>().join(", ");
    let error = |message| DefError::at(file, text, None, None, message);
    let place = match (variant, own) {
        (None, [_]) => 0,
        (None, _) => return Err(error(format!("found no variant, expected {file}:NAME with one of: {}", known()))),
        (Some(variant), _) => own
            .iter()
            .rposition(|section| section.name.text == variant)
            .ok_or_else(|| error(format!("found no variant `{variant}`, expected one of: {}", known())))?,
    };
    // A base stands above the variants that inherit from it, so there are no circles.
    let base = |&place: &usize| {
        let base = own[place].base?;
        own[..place].iter().rposition(|section| section.name.text == base.text)
    };
    let mut chain: Vec<_> = std::iter::successors(Some(place), base).map(|place| &own[place]).collect();
    chain.reverse();
    Ok(chain)
}

fn builtin(base: &Entry<'_>) -> Result<Variant, DefError> {
    let variant = builtin_variant(base.text).and_then(|game| Variant::builtin(&game).ok());
    variant.ok_or_else(|| {
        let expected =
            "a variant above this one, or a built-in game that both programs have, such as chess or capablanca";
        base.error_here(format!("found the base `{}`, expected {expected}", base.text))
    })
}

/// A game as a variant file for Fairy-Stockfish.
///
/// # Errors
/// Names what such a file cannot say.
pub fn from_game(game: &GameDef) -> Result<String, String> {
    let variant = Variant::of_game(game)
        .map_err(|what| format!("{}: found {what}, which a file for Fairy-Stockfish cannot express", game.name))?;
    let chess = GameDef::builtin("chess").and_then(|chess| Variant::of_game(&chess).ok()).unwrap_or_default();
    Ok(format!("# {}\n[{}:chess]\n{}", game.title, game.name, variant.text(&chess)))
}
