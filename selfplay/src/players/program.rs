//! Programs as players.

use std::sync::Arc;

use assay_client::connection::{Connection, EngineError};
use assay_client::log::GameLog;
use assay_client::options::{self, EngineOption};

use super::Player;
use crate::settings::{EngineProgram, EngineSettings, RunSettings};

/// Everything that is needed to start a program as a player.
#[derive(Clone, Debug)]
pub(crate) struct ProgramSetup<'r> {
    pub(super) run: &'r RunSettings,
    pub(super) settings: &'r EngineSettings,
    pub(super) program: &'r EngineProgram,
    pub(super) log: Option<Arc<GameLog>>,
}

impl ProgramSetup<'_> {
    /// Starts the program; what it is sent and answers is logged.
    pub(super) fn start(&self) -> Result<Connection, EngineError> {
        let log = self.log.as_ref().map(|log| (self.settings.name.clone(), Arc::clone(log)));
        Ok(Connection::start(&self.program.command)?.logged(log))
    }

    /// The file that defines the game for the engine: its own, or else the match's.
    pub(super) fn variant_path(&self, options: &[EngineOption]) -> Option<String> {
        let definition = self.run.source.path.as_ref().filter(|_| options::find(options, "VariantPath").is_some());
        self.program.variant_path.clone().or_else(|| Some(definition?.display().to_string()))
    }

    /// The options to set: without those that the engine lacks, unless the name resembles another,
    /// which a typing error does.
    pub(super) fn known_options<'s>(
        &'s self,
        options: &'s [EngineOption],
    ) -> impl Iterator<Item = &'s (String, String)> {
        let set = self.program.options.iter();
        set.filter(|(name, _)| !lacks_option(options, name))
    }
}

/// Whether an engine has neither this option nor one with a similar name.
pub(super) fn lacks_option(options: &[EngineOption], name: &str) -> bool {
    let names = options.iter().map(|option| option.name.as_str());
    options::find(options, name).is_none() && options::closest(name, names).is_none()
}

/// A player in a process of its own.
pub(crate) trait Program: Player {
    /// The name that the program reported; empty if it reported none.
    fn name(&self) -> &str;

    /// The options that the program reported.
    fn options(&self) -> &[EngineOption];
}
