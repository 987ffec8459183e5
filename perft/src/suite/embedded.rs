//! Suites that are compiled into the program, with the definition files that they refer to.

use std::path::Path;
use std::sync::Arc;

use assay_engine::LoadError;
use assay_rules::GameDef;

/// File names and contents from `perft/suites/`.
macro_rules! files {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("../../suites/", $name)))),*]
    };
}

pub(super) const SUITES: [(&str, &str); 8] = files![
    "apothecary2.epd",
    "berolina.epd",
    "capablanca.epd",
    "chess.epd",
    "gamma2.epd",
    "gunnery.epd",
    "gunnery10.epd",
    "scorpion.epd",
];

const GAMES: [(&str, &str); 2] = files!["capablanca.toml", "gunnery10.toml"];

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
        let mut embedded: Vec<&str> = SUITES.iter().chain(&GAMES).map(|(name, _)| *name).collect();
        embedded.sort_unstable();
        assert_eq!(files, embedded);
    }
}
