//! Who played the games of a file.

use assay_cli::format::grouped;
use assay_engine::nnue::Network;
use assay_rules::GameDef;
use assay_selfplay::settings::{EngineKind, EngineSettings, Evaluation};
use serde::{Deserialize, Serialize};

/// A player of a file's games, as JSON and labels show it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct DataPlayer {
    /// Name in reports of the match.
    pub name: String,
    /// What the program says it is.
    pub identity: String,
    /// `linear` or `network` for Assay's engine; `None` for other programs.
    pub evaluation: Option<String>,
    /// Program, arguments and options.
    pub settings: String,
    /// Limits of a move or a game, such as `2,000 nodes`.
    pub limits: String,
}

impl DataPlayer {
    /// The player with these settings in runs of a game.
    pub(super) fn of(settings: &EngineSettings, identity: &str, game: &std::sync::Arc<GameDef>) -> DataPlayer {
        let evaluation = match &settings.kind {
            EngineKind::Builtin(engine) => match engine.evaluation {
                Evaluation::Default if Network::builtin(game).is_some() => Some("network"),
                Evaluation::Default | Evaluation::Linear => Some("linear"),
            },
            EngineKind::Uci(_) => None,
        };
        let mut others = settings.limits;
        others.nodes = None;
        let nodes = settings.limits.nodes.map(|nodes| format!("{} nodes", grouped(nodes)));
        let others = Some(others.to_string()).filter(|others| !others.is_empty());
        DataPlayer {
            name: settings.name.clone(),
            identity: identity.to_owned(),
            evaluation: evaluation.map(str::to_owned),
            settings: settings.kind.to_string(),
            limits: nodes.into_iter().chain(others).collect::<Vec<_>>().join(", "),
        }
    }

    /// The player in a few words: `Assay, 2,000 nodes, linear` or `Fairy-Stockfish 14, 5,000 nodes`.
    pub fn label(&self) -> String {
        let program = if self.evaluation.is_some() {
            "Assay"
        } else {
            &self.identity
        };
        let parts = [Some(program), Some(&*self.limits), self.evaluation.as_deref()];
        let parts: Vec<&str> = parts.into_iter().flatten().filter(|part| !part.is_empty()).collect();
        parts.join(", ")
    }
}
