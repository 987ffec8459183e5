//! Descriptions of run files and their players, as reports show them.

use std::sync::Arc;

use assay_cli::format::grouped;
use assay_engine::nnue::Network;
use assay_rules::GameDef;
use assay_selfplay::RecordedRun;
use assay_selfplay::settings::{ClusterBy, EngineKind, EngineSettings, Evaluation, ImportSettings, Material, Shard};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

use crate::values::distinct;
use assay_selfplay::statistics::range;

/// A run whose games were read, usually a file.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct DataFile {
    /// The path of the file, or another name of the run.
    pub path: String,
    /// The part of the run that was read, as `2/8`; `None` for all of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    #[serde(deserialize_with = "range::count")]
    pub games: usize,
    /// BLAKE3 hash, in hexadecimal, of starts, moves and results in the order of game numbers. It
    /// does not depend on the order in which the games were written.
    #[serde(deserialize_with = "hash")]
    pub hash: String,
    /// Seed of the run.
    pub seed: u64,
    /// Search nodes per move.
    #[serde(deserialize_with = "range::any")]
    pub nodes: u64,
    /// Transposition table size in megabytes.
    #[serde(deserialize_with = "range::any")]
    pub hash_mb: usize,
    /// Start position before the random moves.
    pub setup: String,
    /// Number of random opening plies.
    pub opening_plies: u32,
    /// Maximum evaluation difference of the opening in centipawns, before material is removed;
    /// `None` if unlimited.
    pub balance: Option<u32>,
    /// Centipawns for one side at which games end as decided; `None` if they are played on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decided: Option<u32>,
    /// Modification of the armies: `values`, `playtest`, `odds` or `none`.
    pub material: String,
    /// Jitter of the players' piece values, in percent.
    pub jitter: String,
    pub player: String,
    /// Who played: one player in self-play, two in a match.
    pub players: Vec<DataPlayer>,
    /// The program that started the run.
    pub program: String,
    /// Where the games come from, unless Assay has played them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub imported: Option<ImportSettings>,
}

/// Digits of a file's hash that reports show.
const SHOWN_DIGITS: usize = 16;

/// The hash of a stored result.
fn hash<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let hash = String::deserialize(deserializer)?;
    if hash.len() >= SHOWN_DIGITS && hash.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return Ok(hash);
    }
    let found: String = hash.escape_debug().take(SHOWN_DIGITS).collect();
    let fault = format_args!("found `{found}`, expected at least {SHOWN_DIGITS} hexadecimal digits");
    Err(D::Error::custom(fault))
}

impl DataFile {
    /// The description of a run from which this many games were read.
    pub(super) fn of(run: &dyn RecordedRun, game: &Arc<GameDef>, games: usize, hash: String) -> DataFile {
        let (path, run) = (run.name(), run.header());
        let settings = &run.settings;
        let openings = settings.random_openings();
        let players = settings.players.all().iter().zip(&run.identities);
        DataFile {
            path,
            shard: run.shard,
            games,
            hash,
            seed: settings.seed,
            nodes: settings.nodes(),
            hash_mb: settings.hash_mb(),
            setup: openings.map_or_else(|| settings.openings.to_string(), |openings| openings.start.to_string()),
            opening_plies: openings.map_or(0, |openings| openings.plies),
            balance: openings.and_then(|openings| openings.balance),
            decided: settings.adjudication.resign.map(|rule| rule.score),
            material: openings.map_or(Material::None, |openings| openings.material).to_string(),
            jitter: settings.eval_jitter.to_string(),
            player: run.identities.join(", "),
            players: players.map(|(player, identity)| DataPlayer::of(player, identity, game)).collect(),
            program: run.program.clone(),
            imported: settings.import().cloned(),
        }
    }

    /// Returns true if games of both come from the same openings: both are parts of one run, or
    /// imports of the same texts. Different shards have different openings.
    pub fn overlaps(&self, other: &DataFile) -> bool {
        let run = |file: &DataFile| {
            let (path, hash, program) = Default::default();
            DataFile { path, shard: None, games: 0, hash, program, ..file.clone() }
        };
        let is_same_run = match (&self.imported, &other.imported) {
            (Some(one), Some(other)) => one.hash == other.hash,
            _ => run(self) == run(other),
        };
        self.hash == other.hash || is_same_run && !are_disjoint(self.shard, other.shard)
    }

    /// Who played, in a few words: `Assay, 2,000 nodes, linear`, or `A against B`.
    pub fn players_label(&self) -> String {
        let mut labels: Vec<String> = self.players.iter().map(DataPlayer::label).collect();
        labels.dedup();
        labels.join(" against ")
    }

    /// As [`DataFile::players_label`], but only the nodes per move for the player that measures
    /// values unless another one is asked for.
    pub fn players_or_nodes(&self) -> String {
        match &*self.players {
            [player] if player.evaluation.as_deref() == Some("linear") => {
                format!("{} nodes per move", grouped(self.nodes))
            }
            _ => self.players_label(),
        }
    }

    /// The command that generates the games, or the players of a match; with the programs that
    /// played and the hash of the games.
    pub fn command(&self, game: &str) -> String {
        let hash = &self.hash[..16];
        if let Some(import) = &self.imported {
            let filters = Some(import.filters.to_string()).filter(|filters| !filters.is_empty());
            let filters = filters.map_or_else(String::new, |filters| format!(" {filters}"));
            return format!(
                "`assay-selfplay import {} --game {game} --cluster {}{filters}` (texts {}, games {hash})",
                import.files.join(" "),
                import.cluster,
                import.hash
            );
        }
        let [player] = &*self.players else {
            return format!(
                "a match of {}, seed {} (players {}; {} games {hash})",
                self.players_label(),
                self.seed,
                self.player,
                self.games
            );
        };
        let evaluation = player.evaluation.as_ref();
        let evaluation = evaluation.map_or_else(String::new, |name| format!(" --evaluation {name}"));
        let [balance, decided] =
            [self.balance, self.decided].map(|limit| limit.map_or_else(|| "off".to_owned(), |limit| limit.to_string()));
        format!(
            "`assay-selfplay generate {game} --games {} --nodes {} --seed {} --setup {} --opening-plies {} --balance {balance} \
             --decided {decided} --material {} --jitter {} --hash {}{evaluation}` (player {}, games {hash})",
            self.games,
            self.nodes,
            self.seed,
            self.setup,
            self.opening_plies,
            self.material,
            self.jitter,
            self.hash_mb,
            self.player,
        )
    }
}

/// Returns true if two parts of a run have no opening in common: they are different shards of one
/// division.
pub(super) fn are_disjoint(one: Option<Shard>, other: Option<Shard>) -> bool {
    matches!((one, other), (Some(one), Some(other)) if one.count() == other.count() && one != other)
}

/// How the games of imports among some files are clustered, each way once; empty without imports.
pub fn clusters_of_imports(files: &[DataFile]) -> Vec<ClusterBy> {
    let imports = files.iter().filter_map(|file| file.imported.as_ref());
    distinct(imports.map(|import| import.cluster))
}

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
    fn of(settings: &EngineSettings, identity: &str, game: &Arc<GameDef>) -> DataPlayer {
        let evaluation = match &settings.kind {
            EngineKind::Builtin(engine) => match engine.evaluation {
                Evaluation::Network if Network::builtin(game).is_some() => Some("network"),
                Evaluation::Network | Evaluation::Linear => Some("linear"),
            },
            EngineKind::Uci(_) | EngineKind::Cecp(_) | EngineKind::Unknown => None,
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

    /// The player in a few words: `Assay, 2,000 nodes, linear` or
    /// `Fairy-Stockfish 14, 5,000 nodes`.
    pub fn label(&self) -> String {
        let program = if self.evaluation.is_some() { "Assay" } else { &self.identity };
        let parts = [Some(program), Some(&*self.limits), self.evaluation.as_deref()];
        let parts: Vec<&str> = parts.into_iter().flatten().filter(|part| !part.is_empty()).collect();
        parts.join(", ")
    }
}
