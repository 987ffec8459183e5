//! Runs with their games, wherever these are: in a run file ([`Store`](crate::Store), with the
//! feature `runs`), or in memory ([`MemoryRun`]). What is measured of games is a function of
//! [`RecordedRun`].

use std::collections::BTreeMap;
use std::error::Error;
use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use crate::game::{GameRecord, GameTags};
use crate::settings::{RunSettings, Shard};

/// The name and version of this program, as runs have it.
pub(crate) const PROGRAM: &str = concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION"));

/// What is known of a run besides its games.
#[derive(Clone, Debug)]
pub struct RunHeader {
    pub settings: RunSettings,
    /// Identity of each player: its name or version and a hash.
    pub identities: Vec<String>,
    /// The part of the run whose games there are; `None` for all of it.
    pub shard: Option<Shard>,
    /// Planned number of games of the run, in all shards together.
    pub games: u64,
    /// The value of the PGN tag `Event`.
    pub event: String,
    /// The program that started the run.
    pub program: String,
    /// When the run was started, in UTC; empty if that is not known.
    pub created: String,
    /// Looks at the results so far, in their order.
    pub looks: Vec<Look>,
}

/// A look at the results of a run, after which it may be extended. Tests at several looks must
/// share their error probability.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Look {
    /// The same for all runs that a command looks at, and larger than at earlier looks.
    pub number: u64,
    /// Number of games at that time.
    pub games: u64,
    /// True if fewer games than planned had been played.
    pub is_interim: bool,
}

impl RunHeader {
    /// Planned number of games of the run, or of the shard of it that there is.
    pub fn shard_games(&self) -> u64 {
        let shard = self.shard.unwrap_or(Shard::WHOLE);
        shard.games(self.games, self.settings.games_per_opening())
    }

    /// Identifier of the run, 12 hexadecimal digits: a hash of the settings that determine its
    /// games. All shards of a run have the same one.
    pub fn id(&self) -> String {
        let settings = &self.settings;
        let rules_hash = Some(settings.source.rules_hash());
        // Games with a clock cannot be played again, so two runs with the same settings differ.
        let mut limits = settings.players.all().iter().map(|player| &player.limits);
        let is_timed = limits.any(|limits| limits.clock.is_some() || limits.movetime.is_some());
        let decisive = (
            settings.seed,
            settings.repeat,
            is_timed.then_some(&self.created),
            rules_hash,
            (&settings.players, &self.identities),
            &settings.openings,
            &settings.eval_jitter,
            settings.adjudication,
        );
        let hash = blake3::hash(format!("{decisive:?}").as_bytes());
        hash.to_hex()[..12].to_owned()
    }
}

/// Why the games of a run cannot be read.
pub type ReadError = Box<dyn Error + Send + Sync>;

/// A run with its games.
pub trait RecordedRun {
    /// The name of the run in messages: the path of its file.
    fn name(&self) -> String;

    fn header(&self) -> &RunHeader;

    /// All games in the order of their numbers. An error of reading ends the iteration.
    fn games(&self) -> Box<dyn Iterator<Item = Result<GameRecord, ReadError>> + '_>;

    /// The tags of the games with these numbers; empty for games that Assay has played.
    ///
    /// # Errors
    /// If the tags cannot be read.
    fn tags(&self, games: RangeInclusive<u64>) -> Result<BTreeMap<u64, GameTags>, ReadError>;
}

/// A run of games that this program has played and keeps in memory.
#[derive(Clone, Debug)]
pub struct MemoryRun {
    name: String,
    header: RunHeader,
    games: Vec<GameRecord>,
}

impl MemoryRun {
    /// The run with these settings. `name` is its name in messages, `identities` has the identity of
    /// each player, and the games may be in any order.
    pub fn new(
        name: impl Into<String>,
        settings: RunSettings,
        identities: Vec<String>,
        mut games: Vec<GameRecord>,
    ) -> MemoryRun {
        games.sort_by_key(|game| game.index);
        let header = RunHeader {
            settings,
            identities,
            shard: None,
            games: games.len() as u64,
            event: String::new(),
            program: PROGRAM.to_owned(),
            created: String::new(),
            looks: Vec::new(),
        };
        MemoryRun { name: name.into(), header, games }
    }
}

impl RecordedRun for MemoryRun {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn header(&self) -> &RunHeader {
        &self.header
    }

    fn games(&self) -> Box<dyn Iterator<Item = Result<GameRecord, ReadError>> + '_> {
        Box::new(self.games.iter().cloned().map(Ok))
    }

    fn tags(&self, _: RangeInclusive<u64>) -> Result<BTreeMap<u64, GameTags>, ReadError> {
        Ok(BTreeMap::new())
    }
}
