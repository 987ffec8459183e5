//! The option `EvalFile`: selects the evaluation of a game.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use assay_rules::GameDef;
use assay_rules::text::escaped;

use super::refusal::Refusal;
use crate::eval::Weights;
use crate::file::{self, ContentError};
use crate::nnue::Network;
use crate::registry::CompiledRuleset;
use crate::search::Searcher;

/// Value of `EvalFile` that selects the linear evaluation with the game's default weights, even if
/// the game has a network.
pub const LINEAR: &str = "<linear>";

/// Value of the option.
#[derive(Debug, Default)]
pub(crate) enum EvalFile {
    /// The game's default evaluation.
    #[default]
    Default,
    /// The linear evaluation with the game's default weights.
    Linear,
    /// Path and content of a weights file or network file.
    File(PathBuf, Vec<u8>),
}

#[derive(Debug)]
pub(crate) enum Evaluation {
    /// The built-in network, if the game has one, and the default weights.
    Default,
    /// Linear weights without a network; `None` for the game's default weights.
    Linear(Option<Box<Weights>>),
    /// A network. The default weights still decide exchanges, drawish endings and bare kings.
    Network(Arc<Network>),
}

impl EvalFile {
    /// Reads a non-empty option value: [`LINEAR`], or the path of a weights file or network file.
    pub(crate) fn read(value: &str) -> Result<EvalFile, Refusal> {
        if value == LINEAR {
            return Ok(EvalFile::Linear);
        }
        match file::read(Path::new(value), file::MAX_FILE) {
            Ok(bytes) => Ok(EvalFile::File(PathBuf::from(value), bytes)),
            Err(error) => Err(Refusal::because(format_args!("EvalFile: {value}: {error}"))),
        }
    }

    /// Returns the evaluation of a game.
    pub(crate) fn evaluation(&self, game: &Arc<GameDef>) -> Result<Evaluation, Refusal> {
        match self {
            EvalFile::Default => Ok(Evaluation::Default),
            EvalFile::Linear => Ok(Evaluation::Linear(None)),
            EvalFile::File(path, bytes) => parse(game, bytes).map_err(|error| {
                Refusal::because(format_args!(
                    "EvalFile: {}: {error}; {} is played with its default evaluation",
                    path.display(),
                    game.name
                ))
            }),
        }
    }
}

fn parse(game: &Arc<GameDef>, bytes: &[u8]) -> Result<Evaluation, ContentError> {
    if Network::is_file(bytes) {
        return Ok(Evaluation::Network(Arc::new(Network::read(game, bytes)?)));
    }
    let text = std::str::from_utf8(bytes).map_err(|_| {
        let message = "found neither text nor a network, expected a weights file (TOML) or a network file";
        ContentError(message.to_owned())
    })?;
    let weights = Weights::from_toml(game, text)?;
    Ok(Evaluation::Linear(Some(Box::new(weights))))
}

impl Evaluation {
    /// Describes weights or a network from a file; `None` for the default evaluations.
    pub(crate) fn description(&self, game: &GameDef) -> Option<String> {
        match self {
            Evaluation::Default | Evaluation::Linear(None) => None,
            Evaluation::Linear(Some(weights)) => Some(format!("weights of {}: {}", game.name, weights.source())),
            Evaluation::Network(network) => {
                Some(format!("network of {}: {} hidden; {}", game.name, network.hidden(), escaped(network.source())))
            }
        }
    }

    /// Sets the evaluation of a searcher.
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
