//! Reading suites from files and from the program.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Error};
use assay_engine::file;
use assay_rules::GameDef;

use super::embedded;
use super::entry::{Source, Suite};
use super::games::Games;
use super::parse::parse;

/// Reads the suites that are compiled into the program; see [`read_files`].
///
/// # Errors
/// If an embedded suite is wrong.
pub fn read_embedded(only: Option<&Arc<GameDef>>, games: &mut Games) -> Result<Vec<Suite>, Vec<Error>> {
    collect(embedded::suites().map(|(name, text)| Ok(parse(Source::Embedded(name), text.as_bytes(), only, games)?)))
}

/// Reads suite files. If `only` is given, lines without `variant` belong to that game, and lines of other games are skipped.
///
/// # Errors
/// The first error of each file that cannot be read or is wrong.
pub fn read_files(paths: &[PathBuf], only: Option<&Arc<GameDef>>, games: &mut Games) -> Result<Vec<Suite>, Vec<Error>> {
    collect(paths.iter().map(|path| {
        let bytes = file::read(path, file::MAX_FILE).with_context(|| path.display().to_string())?;
        Ok(parse(Source::File(path.clone()), &bytes, only, games)?)
    }))
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
