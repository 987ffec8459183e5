use std::sync::Arc;
use std::time::Duration;

use assay_client::log::EngineLog;

use super::{RunSettings, Shard};

/// Options of a run that do not affect its games.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// Total number of games of the run, in all shards together; those in the file are not played
    /// again.
    pub games: u64,
    /// The part of the run to play; `None` for all of it.
    pub shard: Option<Shard>,
    /// The number of the first game to play, from 0, rounded down to its opening pair. The games
    /// before it are left to others.
    pub first_game: u64,
    /// Games played at the same time; 0 for one per processor.
    pub threads: usize,
    /// Consecutive crashes and stalls of one engine that end the run.
    pub max_faults: u32,
    /// The value of the PGN tag `Event`.
    pub event: String,
    /// Log of the programs that play.
    pub log: Option<Arc<EngineLog>>,
    /// The pause between the games of a match that follow one another.
    pub wait: Duration,
    /// The processors for each of the games that are played at the same time; if empty, the
    /// operating system chooses.
    pub processors: Vec<Vec<usize>>,
}

impl RunOptions {
    /// Number of games to play, in the shard or the run, from the first game on.
    pub fn shard_games(&self, settings: &RunSettings) -> u64 {
        let (shard, games_per_opening) = (self.shard.unwrap_or(Shard::WHOLE), settings.games_per_opening());
        let games_before = |game| shard.games(game, games_per_opening);
        let first = self.first_game - self.first_game % games_per_opening;
        games_before(self.games).saturating_sub(games_before(first))
    }

    pub fn self_play(games: u64, threads: usize) -> RunOptions {
        RunOptions {
            games,
            shard: None,
            first_game: 0,
            threads,
            max_faults: 1,
            event: "Assay self-play".to_owned(),
            log: None,
            wait: Duration::ZERO,
            processors: Vec::new(),
        }
    }
}
