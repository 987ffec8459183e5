//! Reading suites from files and from the program.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Error};
use assay_engine::file;
use assay_rules::{GameDef, for_each_builtin};

use super::parse::{Lines, parse};
use super::{Games, Suite};

/// File names and contents from `perft/suites/`.
macro_rules! files {
    ($($name:expr),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../suites/", $name)))),*]
    };
}

macro_rules! builtin_suites {
    ($($name:ident $ruleset:ident,)+) => {
        files![$(concat!(stringify!($name), ".epd")),+]
    };
}

type Files = &'static [(&'static str, &'static str)];

const BUILTIN_SUITES: Files = for_each_builtin!(builtin_suites);

/// Suites of the other built-in games and of those in [`GAMES`].
const OTHER_SUITES: Files = files!["capablanca.epd", "variants.epd", "gunnery10.epd"];

const GAMES: Files = files!["gunnery10.toml"];

/// File names and contents of all suites that are compiled into the program.
fn suites() -> impl Iterator<Item = &'static (&'static str, &'static str)> {
    BUILTIN_SUITES.iter().chain(OTHER_SUITES)
}

/// The path under which a file is compiled into the program.
fn path_of(name: &str) -> PathBuf {
    Path::new("suites").join(name)
}

/// Reads the suites that are compiled into the program; see [`read_files`].
///
/// # Errors
/// If an embedded suite is wrong.
pub fn read_embedded(only: Option<&Arc<GameDef>>, games: &mut Games) -> Result<Vec<Suite>, Vec<Error>> {
    for (name, text) in GAMES {
        let game = GameDef::from_toml(text, name).map_err(|error| vec![error.into()])?;
        games.loaded.insert(path_of(name), Arc::new(game));
    }
    let parse = |(name, text): &(&str, &str)| parse(path_of(name), text.as_bytes(), Lines::Counted, only, games);
    collect(suites().map(parse).map(|suite| without_faults(suite?)))
}

/// Reads suite files. If `only` is given, lines without `variant` belong to that game, and lines of
/// other games are skipped.
///
/// # Errors
/// For each file, that it cannot be read, or the first of its lines that is wrong.
pub fn read_files(paths: &[PathBuf], only: Option<&Arc<GameDef>>, games: &mut Games) -> Result<Vec<Suite>, Vec<Error>> {
    collect(paths.iter().map(|path| without_faults(read_file(path, Lines::Counted, only, games)?)))
}

/// Reads a suite file, whose wrong lines are [`Suite::faults`].
///
/// # Errors
/// If the file cannot be read or is not text.
pub fn read_file(path: &Path, lines: Lines, only: Option<&Arc<GameDef>>, games: &mut Games) -> Result<Suite, Error> {
    let bytes = file::read(path, file::MAX_FILE).with_context(|| path.display().to_string())?;
    Ok(parse(path.to_owned(), &bytes, lines, only, games)?)
}

fn without_faults(suite: Suite) -> Result<Suite, Error> {
    match suite.faults.first() {
        Some(fault) => Err(fault.clone().into()),
        None => Ok(suite),
    }
}

fn collect(results: impl Iterator<Item = Result<Suite, Error>>) -> Result<Vec<Suite>, Vec<Error>> {
    let (mut suites, mut errors) = (Vec::new(), Vec::new());
    for result in results {
        match result {
            Ok(suite) => suites.push(suite),
            Err(error) => errors.push(error),
        }
    }
    if errors.is_empty() { Ok(suites) } else { Err(errors) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn embeds_every_file_of_the_folder() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("suites");
        let mut files: Vec<String> =
            std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        files.sort();
        let mut embedded: Vec<&str> = suites().chain(GAMES).map(|(name, _)| *name).collect();
        embedded.sort_unstable();
        assert_eq!(files, embedded);
    }
}
