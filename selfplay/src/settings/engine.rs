use std::fmt;
use std::time::Duration;

use assay_client::command::EngineCommand;
use assay_engine::Network;
use assay_engine::protocol::LINEAR;
use assay_rules::GameDef;
use serde::{Deserialize, Serialize};

use crate::game::FenDialect;
use crate::game::clock::{EngineLimits, millis};

/// The evaluation of the built-in engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Evaluation {
    /// Weights of named terms, among them a value for each piece; every game has them.
    #[default]
    Linear,
    /// The game's network, which plays better; only for games that have one.
    Network,
}

assay_cli::named!(Evaluation: Linear = "linear", Network = "network");

impl Evaluation {
    /// The chosen evaluation, or without a choice the network, in games that have one.
    pub fn of(game: &GameDef, chosen: Option<Evaluation>) -> Evaluation {
        let network = || Network::builtin(game).map(|_| Evaluation::Network);
        chosen.or_else(network).unwrap_or_default()
    }
}

/// Assay's engine in this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BuiltinEngine {
    /// Size of the transposition table in MiB.
    pub hash_mb: usize,
    /// Time that each move costs outside the search.
    #[serde(rename = "overhead_ms", with = "millis")]
    pub overhead: Duration,
    pub evaluation: Evaluation,
}

/// A program that speaks UCI or CECP.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineProgram {
    #[serde(flatten)]
    pub command: EngineCommand,
    /// Options in this order, except those that select the game.
    pub options: Vec<(String, String)>,
    /// The engine's name for the game; `None` for Assay's name.
    pub variant: Option<String>,
    /// A file that defines the game for the engine (`VariantPath`).
    pub variant_path: Option<String>,
    /// How the engine writes FENs; `None` to choose by its name.
    pub dialect: Option<FenDialect>,
    /// Whether it is started again for each game; `None` to let it choose, as XBoard engines can.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restart: Option<bool>,
    /// Whether it thinks in the opponent's time.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ponder: bool,
}

/// The program that plays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum EngineKind {
    Builtin(BuiltinEngine),
    Uci(EngineProgram),
    /// A program that speaks CECP, XBoard's protocol.
    Cecp(EngineProgram),
    /// Whoever played imported games; the games' own tags say who.
    Unknown,
}

impl EngineKind {
    /// The settings of a program; `None` of the built-in engine and of whoever played imported
    /// games.
    pub fn program(&self) -> Option<&EngineProgram> {
        match self {
            EngineKind::Uci(program) | EngineKind::Cecp(program) => Some(program),
            EngineKind::Builtin(_) | EngineKind::Unknown => None,
        }
    }

    /// Number of threads with which the engine searches, as far as its options say.
    pub fn threads(&self) -> usize {
        let name = if matches!(self, EngineKind::Uci(_)) { "Threads" } else { "cores" };
        let mut options = self.program().into_iter().flat_map(|program| &program.options);
        let threads = options.find(|(known, _)| known.eq_ignore_ascii_case(name));
        threads.and_then(|(_, value)| value.parse().ok()).unwrap_or(1)
    }
}

/// A player of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineSettings {
    /// Name in reports.
    pub name: String,
    #[serde(flatten)]
    pub kind: EngineKind,
    pub limits: EngineLimits,
}

impl EngineSettings {
    /// The built-in engine as self-play uses it.
    pub fn self_play(nodes: u64, hash_mb: usize, evaluation: Evaluation) -> EngineSettings {
        EngineSettings {
            name: "assay".to_owned(),
            kind: EngineKind::Builtin(BuiltinEngine { hash_mb, overhead: Duration::ZERO, evaluation }),
            limits: EngineLimits { nodes: Some(nodes), ..EngineLimits::default() },
        }
    }
}

/// In one line, as reports show it.
impl fmt::Display for EngineKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EngineKind::Builtin(engine) => {
                let overhead = engine.overhead.as_millis();
                write!(f, "builtin option.Hash={} option.Move Overhead={overhead}", engine.hash_mb)?;
                match engine.evaluation {
                    Evaluation::Linear => write!(f, " option.EvalFile={LINEAR}"),
                    Evaluation::Network => Ok(()),
                }
            }
            EngineKind::Uci(program) | EngineKind::Cecp(program) => {
                write!(f, "cmd={}", program.command.program.display())?;
                if matches!(self, EngineKind::Cecp(_)) {
                    f.write_str(" proto=cecp")?;
                }
                if !program.command.arguments.is_empty() {
                    write!(f, " args={}", program.command.arguments.join(" "))?;
                }
                let others = [
                    ("dir", program.command.folder.as_ref().map(|folder| folder.display().to_string())),
                    ("variant", program.variant.clone()),
                    ("option.VariantPath", program.variant_path.clone()),
                    ("dialect", program.dialect.map(|dialect| dialect.to_string())),
                    ("restart", program.restart.map(|on| if on { "on" } else { "off" }.to_owned())),
                ];
                for (key, value) in others {
                    if let Some(value) = value {
                        write!(f, " {key}={value}")?;
                    }
                }
                if program.ponder {
                    f.write_str(" ponder")?;
                }
                let mut options = program.options.iter();
                options.try_for_each(|(name, value)| write!(f, " option.{name}={value}"))
            }
            EngineKind::Unknown => f.write_str("unknown"),
        }
    }
}
