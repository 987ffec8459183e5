//! Games that suites name.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use assay_engine::LoadError;
use assay_rules::GameDef;

use super::embedded;
use super::entry::Source;

/// Games that suites name, each loaded once.
#[derive(Default)]
pub struct Games {
    loaded: HashMap<String, Arc<GameDef>>,
    embedded: HashMap<String, Arc<GameDef>>,
}

impl Games {
    /// Loads a game by name or path.
    ///
    /// # Errors
    /// If the name is unknown, or the file is wrong.
    pub fn load(&mut self, name: &str) -> Result<Arc<GameDef>, LoadError> {
        if let Some(game) = self.loaded.get(name) {
            return Ok(Arc::clone(game));
        }
        let game = assay_engine::load_game(name)?;
        self.loaded.insert(name.to_owned(), Arc::clone(&game));
        Ok(game)
    }

    /// Loads the definition file `name` that a suite refers to.
    pub(super) fn load_beside(&mut self, source: &Source, name: &str) -> Result<Arc<GameDef>, LoadError> {
        match source {
            Source::File(path) => {
                let folder = path.parent().unwrap_or(Path::new(""));
                self.load(&folder.join(name).display().to_string())
            }
            Source::Embedded(_) => {
                if let Some(game) = self.embedded.get(name) {
                    return Ok(Arc::clone(game));
                }
                let game = embedded::game(name)?;
                self.embedded.insert(name.to_owned(), Arc::clone(&game));
                Ok(game)
            }
        }
    }
}
