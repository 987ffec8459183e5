//! Suites that are compiled into the program, with the definition files that they refer to.

use std::path::Path;
use std::sync::Arc;

use assay_engine::LoadError;
use assay_rules::{GameDef, for_each_builtin};

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

/// Suites of the games in [`GAMES`].
const OTHER_SUITES: Files = files!["capablanca.epd", "gunnery10.epd"];

const GAMES: Files = files!["capablanca.toml", "gunnery10.toml"];

/// File names and contents of all suites.
pub(super) fn suites() -> impl Iterator<Item = &'static (&'static str, &'static str)> {
    BUILTIN_SUITES.iter().chain(OTHER_SUITES)
}

/// Loads an embedded definition file.
pub(super) fn game(name: &str) -> Result<Arc<GameDef>, LoadError> {
    let Some((_, text)) = GAMES.iter().find(|(known, _)| *known == name) else {
        return Err(LoadError::Read {
            path: Path::new("suites").join(name),
            source: std::io::ErrorKind::NotFound.into(),
        });
    };
    Ok(Arc::new(GameDef::from_toml(text, name)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn embeds_every_file_of_the_folder() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("suites");
        let mut files: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        files.sort();
        let mut embedded: Vec<&str> = suites().chain(GAMES).map(|(name, _)| *name).collect();
        embedded.sort_unstable();
        assert_eq!(files, embedded);
    }
}
