//! What positions are evaluated with, as the option `EvalFile` says.

use std::path::PathBuf;
use std::sync::Arc;

use assay_rules::GameDef;

use crate::eval::Weights;
use crate::nnue::Network;
use crate::registry::CompiledRuleset;
use crate::search::Searcher;

/// The value of `EvalFile` for the linear evaluation with the game's own weights, also where there is a network.
pub(crate) const LINEAR: &str = "<linear>";

/// What `EvalFile` says.
#[derive(Debug, Default)]
pub(crate) enum EvalFile {
    /// Nothing: what the game is played with.
    #[default]
    Default,
    /// The game's own weights and no network.
    Linear,
    /// A file of the user's: where it is, and what is in it.
    File(PathBuf, Vec<u8>),
}

/// What a game is to be evaluated with.
#[derive(Debug)]
pub(crate) enum Evaluation {
    /// What it is played with: its network where it has one, with its weights.
    Default,
    /// Weights alone; the game's own when none are given.
    Linear(Option<Box<Weights>>),
    /// A network, with the game's own weights for what they alone say.
    Network(Arc<Network>),
}

impl EvalFile {
    /// Reads the option's value: nothing, [`LINEAR`], or the path of a weights file or a network file.
    ///
    /// # Errors
    /// A note for the user, when there is such a file and it cannot be read.
    pub(crate) fn read(value: &str) -> Result<EvalFile, String> {
        match value {
            LINEAR => Ok(EvalFile::Linear),
            path => {
                let bytes = std::fs::read(path).map_err(|error| format!("EvalFile: {path}: {error}"))?;
                Ok(EvalFile::File(PathBuf::from(path), bytes))
            }
        }
    }

    /// What it means for a game.
    ///
    /// # Errors
    /// A note for the user, when the file is wrong or another game's.
    pub(crate) fn evaluation(&self, game: &Arc<GameDef>) -> Result<Evaluation, String> {
        match self {
            EvalFile::Default => Ok(Evaluation::Default),
            EvalFile::Linear => Ok(Evaluation::Linear(None)),
            EvalFile::File(path, bytes) => parse(game, bytes).map_err(|error| {
                format!(
                    "EvalFile: {}: {error}; {} is played with its own evaluation",
                    path.display(),
                    game.name
                )
            }),
        }
    }
}

fn parse(game: &Arc<GameDef>, bytes: &[u8]) -> Result<Evaluation, String> {
    if Network::is_file(bytes) {
        let network = Network::read(game, bytes).map_err(|error| error.to_string())?;
        return Ok(Evaluation::Network(Arc::new(network)));
    }
    let text = std::str::from_utf8(bytes)
        .map_err(|_| "found neither text nor a network, expected a weights file (TOML) or a network file".to_owned())?;
    let weights = Weights::from_toml(game, text).map_err(|error| error.to_string())?;
    Ok(Evaluation::Linear(Some(Box::new(weights))))
}

impl Evaluation {
    /// What the user is told of it; nothing when the game's own evaluation is used.
    pub(crate) fn description(&self, game: &GameDef) -> Option<String> {
        match self {
            Evaluation::Default | Evaluation::Linear(None) => None,
            Evaluation::Linear(Some(weights)) => Some(format!("weights of {}: {}", game.name, weights.source())),
            Evaluation::Network(network) => Some(format!(
                "network of {}: {} hidden; {}",
                game.name,
                network.hidden(),
                network.source()
            )),
        }
    }

    /// Has a searcher use it from now on.
    pub(crate) fn install<R: CompiledRuleset>(self, searcher: &mut Searcher<R>, game: &Arc<GameDef>) {
        let (weights, network) = match self {
            Evaluation::Default => (None, Network::builtin(game)),
            Evaluation::Linear(weights) => (weights, None),
            Evaluation::Network(network) => (None, Some(network)),
        };
        searcher.set_weights(weights.map_or_else(|| Weights::for_game(game), |weights| *weights));
        if network.is_some() {
            searcher.set_network(network.as_ref());
        }
    }
}
