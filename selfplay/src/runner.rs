//! The one runner of games: self-play, matches and playtests are settings of it.
//!
//! Workers play pairs of games in parallel; one thread writes finished games to the store, counts
//! them and reports progress. A pair depends only on the settings and its own number. So a run
//! without time limits has the same games for any number of threads and however often it was
//! stopped and resumed.

pub mod affinity;
mod missing;
pub(crate) mod redraw;
mod worker;

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use assay_cli::format::{count, grouped};
use assay_cli::output;
use assay_engine::HashError;
use thiserror::Error;

use crate::game::{GameEnd, GameRecord, ReplayError};
use crate::openings::{OpeningError, Openings};
use crate::players::builtin::{BuiltinPlayers, builtin_players};
use crate::players::{EngineSlot, StartError};
use crate::run::RunHeader;
use crate::settings::{RunOptions, RunSettings};
use crate::standings::Standings;
use crate::store::{NewRun, Store, StoreError};
use crate::tally::Tally;
use assay_client::log::GameLog;
use missing::MissingPairs;
use worker::{STACK_SIZE, Workers};

/// Finished games that may wait to be written before workers block.
const BACKLOG: usize = 256;

/// Pause between two transactions, so that games that end within it share one: each costs a sync.
const COMMIT_INTERVAL: Duration = Duration::from_millis(20);

/// How often the runner checks whether it should stop.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Why a run ended early.
#[derive(Debug, Error)]
pub enum RunError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Openings(#[from] OpeningError),
    #[error(transparent)]
    Start(#[from] StartError),
    /// There is no memory for the transposition table of a built-in player.
    #[error(transparent)]
    Hash(#[from] HashError),
    /// A stored game, whose opening a missing game shares, cannot be replayed.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// An engine keeps crashing or stalling.
    #[error(
        "engine {name}: crashed or stalled in {games} games in a row, last: {why}; the run is abandoned (finished games are kept)"
    )]
    TooManyFaults {
        name: String,
        /// Consecutive games.
        games: u32,
        /// What happened in the last one.
        why: String,
    },
    #[error("cannot start a thread: {0}")]
    Thread(std::io::Error),
    #[error(
        "there is no memory for {} at a time, with transposition tables of {} MiB each{}",
        count(.games, "game", "games"),
        grouped(.mebibytes),
        if *.games > 1 { "; fewer threads need less" } else { "" }
    )]
    Memory {
        games: usize,
        /// Total of all players of one game.
        mebibytes: usize,
    },
    /// The caller stopped the run while its engines were starting.
    #[error("stopped before the first game")]
    Stopped,
}

/// Progress of a run.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'p> {
    /// The run so far.
    pub summary: &'p Summary,
    /// Games finished since the last report; none in the first report.
    pub new: &'p [GameRecord],
    /// Numbers of the games of programs that have started since the last report.
    pub started: &'p [u64],
    /// The run in the store.
    pub run: &'p RunHeader,
}

/// The state of a run, or its result. Every game counted here is durable.
#[derive(Clone, Debug)]
pub struct Summary {
    /// Total number of games of the run, or of its shard that is played.
    pub games: u64,
    /// Number of games in the store.
    pub done: u64,
    /// Number of these that this call has played.
    pub played: u64,
    /// Time that this call took; set at its end.
    pub elapsed: Duration,
    /// Results and ends of the games in the store.
    pub tally: Tally,
    /// Score of each pairing; none in self-play.
    pub standings: Standings,
    /// Identities of the players; see [`RunHeader::identities`].
    pub identities: Vec<String>,
}

impl Summary {
    fn new(
        settings: &RunSettings,
        options: &RunOptions,
        store: &Store,
        identities: Vec<String>,
    ) -> Result<Summary, StoreError> {
        let mut summary = Summary {
            games: options.shard_games(settings),
            done: 0,
            played: 0,
            elapsed: Duration::ZERO,
            tally: Tally::new(settings),
            standings: Standings::new(settings),
            identities,
        };
        for game in store.games() {
            summary.add(&game?);
        }
        Ok(summary)
    }

    fn add(&mut self, game: &GameRecord) {
        self.done += 1;
        self.tally.add(game);
        self.standings.add(game);
    }

    /// Returns true if the test is decided.
    fn is_decided(&self) -> bool {
        self.standings.decision().is_final()
    }

    /// Returns true if the run was stopped before all games were played or its test was decided.
    pub fn is_incomplete(&self) -> bool {
        !self.is_decided() && self.done < self.games
    }
}

/// Plays self-play games into a run file, which is created, or resumed if it exists. See
/// [`run_games`].
///
/// # Errors
/// As [`run_games`].
pub fn generate(
    settings: &RunSettings,
    options: &RunOptions,
    path: &Path,
    progress: impl FnMut(Progress<'_>),
    stop: &AtomicBool,
) -> Result<Summary, RunError> {
    let (summary, store) = run_games(settings, options, Some(path), true, progress, stop)?;
    store.close()?;
    Ok(summary)
}

/// Plays the games of a run that are missing in its store: the file at `path`, or memory without a
/// path. An existing file is an error unless it is to `resume`.
///
/// `progress` is called before the first game and whenever games have been stored. Raising `stop`
/// ends the run at once: unfinished games are lost, finished games are kept. Returns the store as
/// well, for reports and exports; close it.
///
/// # Errors
/// If there are no openings, an engine cannot be started or keeps failing, or the file cannot be used. Games in the file are
/// kept.
pub fn run_games(
    settings: &RunSettings,
    options: &RunOptions,
    path: Option<&Path>,
    resume: bool,
    mut progress: impl FnMut(Progress<'_>),
    stop: &AtomicBool,
) -> Result<(Summary, Store), RunError> {
    let started = Instant::now();
    // Checked before the file is opened, so that settings that cannot be played create no file.
    check_memory(settings, threads(options, options.games))?;
    let openings = Openings::new(settings)?;
    openings.warnings().iter().for_each(output::warning);
    let builtin = builtin_players(settings.game());
    let identities = match identities(settings, options, builtin.as_ref(), stop) {
        Err(_) if stop.load(Ordering::Relaxed) => return Err(RunError::Stopped),
        identities => identities?,
    };
    let new = NewRun { settings, options, identities: &identities, book_hash: openings.book_hash() };
    let store = match path {
        Some(path) => Store::open_run(path, &new, resume)?,
        None => Store::open_memory(&new)?,
    };
    let mut run = Run { summary: Summary::new(settings, options, &store, identities)?, settings, options, store };
    progress(Progress { summary: &run.summary, new: &[], started: &[], run: run.store.header() });
    let pairs = MissingPairs::new(settings, options, &run.store)?;
    if pairs.games() > 0 && !run.summary.is_decided() {
        run.play(&pairs, &openings, builtin.as_ref(), &mut progress, stop)?;
    }
    run.summary.elapsed = started.elapsed();
    Ok((run.summary, run.store))
}

/// A run that is being played.
struct Run<'r> {
    settings: &'r RunSettings,
    options: &'r RunOptions,
    store: Store,
    summary: Summary,
}

impl Run<'_> {
    /// Plays the games of pairs until all are played, or no more are wanted.
    fn play(
        &mut self,
        pairs: &MissingPairs,
        openings: &Openings,
        builtin: &dyn BuiltinPlayers,
        progress: &mut impl FnMut(Progress<'_>),
        stop: &AtomicBool,
    ) -> Result<(), RunError> {
        let Run { settings, options, store, summary } = self;
        let mut faults = FaultCount(vec![0; settings.players.all().len()]);
        let halt = AtomicBool::new(false);
        std::thread::scope(|scope| -> Result<(), RunError> {
            let (sender, receiver) = mpsc::sync_channel(BACKLOG);
            // Whatever ends this function, including a panic, ends the games.
            let _halt_at_end = RaiseOnDrop(&halt);
            let workers = Workers { settings, options, openings, builtin, pairs, halt: &halt };
            workers.spawn(scope, threads(options, pairs.games()), &sender)?;
            // The workers have clones of it.
            drop(sender);
            loop {
                let mut pause = Duration::ZERO;
                match receiver.recv_timeout(POLL_INTERVAL) {
                    Ok(first) => {
                        let (mut new, mut started) = (Vec::new(), Vec::new());
                        for event in std::iter::once(first).chain(receiver.try_iter()) {
                            match event? {
                                GameEvent::Started(index) => started.push(index),
                                GameEvent::Finished(game) => new.push(*game),
                            }
                        }
                        if !settings.players.is_self_play() {
                            let now = store.now()?;
                            for game in &mut new {
                                game.ended = Some(now.clone());
                            }
                        }
                        if !new.is_empty() {
                            store.add(&new)?;
                        }
                        for game in &new {
                            summary.add(game);
                        }
                        summary.played += new.len() as u64;
                        progress(Progress { summary, new: &new, started: &started, run: store.header() });
                        if summary.is_decided() {
                            halt.store(true, Ordering::Relaxed);
                        }
                        faults.add(settings, options, &new)?;
                        // Games that end soon after others share a transaction with each other. An
                        // engine that keeps failing is stopped at once.
                        if !new.is_empty() && new.iter().all(|game| game.fault.is_none()) {
                            pause = COMMIT_INTERVAL;
                        }
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                    // The workers have ended.
                    Err(RecvTimeoutError::Disconnected) => return Ok(()),
                }
                if stop.load(Ordering::Relaxed) {
                    halt.store(true, Ordering::Relaxed);
                }
                std::thread::sleep(pause);
            }
        })
    }
}

fn identities(
    settings: &RunSettings,
    options: &RunOptions,
    builtin: &dyn BuiltinPlayers,
    stop: &AtomicBool,
) -> Result<Vec<String>, StartError> {
    let log = options.log.as_ref().map(|log| Arc::new(GameLog::new(log)));
    (0..settings.players.all().len())
        .map(|player| EngineSlot::new(settings, player, builtin, log.clone()).identity(stop))
        .collect()
}

fn threads(options: &RunOptions, missing_games: u64) -> usize {
    NonZeroUsize::new(options.threads)
        .or_else(|| std::thread::available_parallelism().ok())
        .map_or(1, NonZeroUsize::get)
        .min(usize::try_from(missing_games).unwrap_or(usize::MAX).max(1))
}

/// Checks that there is memory for all transposition tables and the stacks of the workers by
/// reserving and releasing it at once.
fn check_memory(settings: &RunSettings, games: usize) -> Result<(), RunError> {
    let mebibytes = settings.hash_sizes().sum::<usize>();
    let bytes = (mebibytes.saturating_mul(1 << 20).saturating_add(STACK_SIZE)).saturating_mul(games);
    let reserved = Vec::<u8>::new().try_reserve_exact(bytes);
    reserved.map_err(|_| RunError::Memory { games, mebibytes })
}

struct RaiseOnDrop<'f>(&'f AtomicBool);

impl Drop for RaiseOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// What a worker reports.
enum GameEvent {
    /// The game with this number begins; not in self-play.
    Started(u64),
    Finished(Box<GameRecord>),
}

type WorkerResult = Result<GameEvent, RunError>;

/// Consecutive crashes and stalls of each player.
struct FaultCount(Vec<u32>);

impl FaultCount {
    fn add(&mut self, settings: &RunSettings, options: &RunOptions, new: &[GameRecord]) -> Result<(), RunError> {
        for game in new {
            for (side, player) in settings.players.of_pair(game.pair).into_iter().enumerate() {
                let faults = &mut self.0[player];
                match (game.end, &game.fault) {
                    (GameEnd::Fault(kind), Some(fault)) if kind.needs_restart() && fault.player == side => *faults += 1,
                    _ => *faults = 0,
                }
                if *faults >= options.max_faults {
                    return Err(RunError::TooManyFaults {
                        name: settings.players.all()[player].name.clone(),
                        games: *faults,
                        why: game.fault.as_ref().map_or_else(String::new, |fault| fault.what.clone()),
                    });
                }
            }
        }
        Ok(())
    }
}
