//! Loading a game by name or path.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use assay_rules::GameDef;
use assay_rules::def::{DefError, fairy_ini, game_names, known_games};
use thiserror::Error;

use crate::file;

/// Error of [`load_game`].
#[derive(Debug, Error)]
pub enum LoadError {
    /// There is neither a built-in game nor a file of that name.
    #[error("no game `{name}`{}; built-in games: {}; or give the path of a definition file", hint(.suggestion.as_deref()), known_games())]
    Unknown {
        /// The name given.
        name: String,
        /// The most similar built-in name, if one is similar.
        suggestion: Option<String>,
    },
    /// The definition file cannot be read.
    #[error("{}: {source}", .path.display())]
    Read {
        /// Path of the file.
        path: PathBuf,
        /// The I/O error.
        source: std::io::Error,
    },
    /// The definition is invalid; the error names file, key and reason.
    #[error(transparent)]
    Definition(#[from] DefError),
}

fn hint(suggestion: Option<&str>) -> String {
    suggestion.map_or_else(String::new, |name| format!(" (did you mean `{name}`?)"))
}

/// Loads a built-in game by name, or a definition file by path; `my.ini:mygame` is a variant of a
/// file for Fairy-Stockfish.
///
/// # Errors
/// If there is neither, or the file cannot be read or is invalid.
pub fn load_game(name_or_path: &str) -> Result<Arc<GameDef>, LoadError> {
    if let Some(game) = GameDef::builtin(name_or_path) {
        return Ok(game);
    }
    let path = Path::new(name_or_path);
    let looks_like_path = name_or_path.contains(['/', '\\', '.']);
    if !looks_like_path && !path.exists() {
        return Err(LoadError::Unknown { name: name_or_path.to_owned(), suggestion: nearest(name_or_path) });
    }
    let game = match fairy_ini::split_name(name_or_path) {
        Some((file, variant)) => fairy_ini::game(&read_file(file)?, file, variant)?,
        None => GameDef::from_toml(&read_file(name_or_path)?, name_or_path)?,
    };
    Ok(Arc::new(game))
}

/// The games in a file, as [`load_game`] takes them: one for a definition, all variants for a file
/// for Fairy-Stockfish without the name of a variant.
///
/// # Errors
/// If a file for Fairy-Stockfish cannot be read.
pub(crate) fn games_in(path: &str) -> Result<Vec<String>, LoadError> {
    let Some((file, None)) = fairy_ini::split_name(path) else {
        return Ok(vec![path.to_owned()]);
    };
    let text = read_file(file)?;
    let variants = fairy_ini::variants(&text, file)?;
    Ok(variants.into_iter().map(|variant| format!("{file}:{variant}")).collect())
}

fn read_file(file: &str) -> Result<String, LoadError> {
    let path = Path::new(file);
    file::read_text(path, file::MAX_DEFINITION).map_err(|source| LoadError::Read { path: path.to_owned(), source })
}

/// The text of a definition file. A variant of a file for Fairy-Stockfish (`my.ini:mygame`) is
/// converted to one.
///
/// # Errors
/// If the file cannot be read, or has no such variant or one that Assay cannot play.
pub fn read_definition(name: &str) -> Result<String, LoadError> {
    match fairy_ini::split_name(name) {
        Some((file, variant)) => Ok(fairy_ini::to_toml(&read_file(file)?, file, variant)?),
        None => read_file(name),
    }
}

/// Returns the built-in name within an edit distance of 2, or 3 for long names.
fn nearest(name: &str) -> Option<String> {
    let name = name.to_lowercase();
    let (distance, near) = game_names().map(|known| (distance(&name, known), known)).min()?;
    let allowed = if near.len() > 7 { 3 } else { 2 };
    (distance <= allowed || near.starts_with(&name) && name.len() >= 3).then(|| near.to_owned())
}

/// Levenshtein distance.
fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, l) in left.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &r) in right.iter().enumerate() {
            let substituted = diagonal + usize::from(l != r);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggests_similar_names() {
        let error = load_game("gama2").unwrap_err().to_string();
        assert!(error.contains("did you mean `gamma2`?"), "{error}");
        let error = load_game("apothecary").unwrap_err().to_string();
        assert!(error.contains("did you mean `apothecary2`?"), "{error}");
        assert!(!load_game("janggi").unwrap_err().to_string().contains("did you mean"));
    }

    #[test]
    fn loads_variants_of_ini_files() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../python/tests/fairy_stockfish.ini");
        assert_eq!(load_game(&format!("{file}:gamma2")).unwrap().name, "gamma2");
        assert_eq!(load_game(file).unwrap().name, "gamma2", "the only variant");
        let error = load_game(&format!("{file}:gamma3")).unwrap_err().to_string();
        assert!(error.contains("found no variant `gamma3`, expected one of: gamma2"), "{error}");
    }

    #[test]
    fn reports_path_of_missing_file() {
        let error = load_game("no/such/game.toml").unwrap_err().to_string();
        assert!(error.starts_with("no/such/game.toml: "), "{error}");
    }
}
