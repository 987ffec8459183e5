//! Playing a run: games in parallel, each finished one in the file before anybody is told of it.
//!
//! A game depends on the run's settings and its own number alone, never on the thread that plays it or on what else is
//! played, so a run has the same games whatever the number of threads and however often it was stopped and continued.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::openings::{Opening, OpeningError, Openings, OpeningsError};
use crate::players::engine_player::engine_maker;
use crate::players::player::{MakePlayer, Player};
use crate::runner::play::play;
use crate::settings::{GenerateSettings, RunSettings};
use crate::store::tally::Tally;
use crate::store::{GameRecord, PlayedMove, Store, StoreError};

/// Finished games that may wait for the file before players have to.
const BACKLOG: usize = 256;

/// Searches recurse with lists of moves on the stack.
const STACK: usize = 16 << 20;

/// Why a run did not come to its end.
#[derive(Debug, Error)]
pub enum GenerateError {
    /// The file cannot be used, or not be written any more.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The game or its start cannot be played in pairs.
    #[error(transparent)]
    Openings(#[from] OpeningsError),
    /// An opening could not be found.
    #[error(transparent)]
    Opening(#[from] OpeningError),
    /// The threads could not be started.
    #[error("{0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// How far a run is; everything counted here is safely in the file.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'p> {
    /// Games that the file is to hold.
    pub games: u64,
    /// Games that it holds.
    pub done: u64,
    /// Games of these that this call has played.
    pub played: u64,
    /// How the games in the file ended.
    pub tally: &'p Tally,
    /// The games that have come in since the last report; none at the first report.
    pub new: &'p [GameRecord],
}

/// What became of a run.
#[derive(Clone, Debug)]
pub struct Summary {
    /// Games that the file is to hold.
    pub games: u64,
    /// Games that it holds.
    pub done: u64,
    /// Games of these that this call has played.
    pub played: u64,
    /// The time that took.
    pub elapsed: Duration,
    /// How the games in the file ended.
    pub tally: Tally,
}

impl Summary {
    /// Was the run stopped before all its games were played?
    pub fn is_incomplete(&self) -> bool {
        self.done < self.games
    }
}

/// Plays the games of a run that are not yet in the file at `path`, which is made when there is none.
///
/// `progress` is called once before the first game and whenever games have been written. Raising `stop` ends the run
/// within the time of a few nodes; games that are not finished are lost, finished ones are kept.
///
/// # Errors
/// When the file holds something else or cannot be written, or the settings make no games. Games in the file stay there.
pub fn generate(
    settings: &GenerateSettings,
    path: &Path,
    progress: impl FnMut(Progress<'_>),
    stop: &AtomicBool,
) -> Result<Summary, GenerateError> {
    let run = &settings.run;
    let maker = engine_maker(&run.source.game, run.nodes, run.hash_mb);
    generate_with(maker.as_ref(), settings, path, progress, stop)
}

/// As [`generate`], with other players than the engine.
///
/// # Errors
/// As [`generate`].
pub fn generate_with(
    maker: &dyn MakePlayer,
    settings: &GenerateSettings,
    path: &Path,
    mut progress: impl FnMut(Progress<'_>),
    stop: &AtomicBool,
) -> Result<Summary, GenerateError> {
    let begun = Instant::now();
    let run = &settings.run;
    // Before the file: settings that make no games make no file either.
    let openings = Openings::new(&run.source.game, &run.opening, run.seed)?;
    let mut store = Store::open_run(path, settings, &maker.identity())?;
    let pairs = Pair::group(&store.missing(settings.games)?);
    let mut tally = store.tally()?;
    progress(Progress {
        games: settings.games,
        done: tally.games(),
        played: 0,
        tally: &tally,
        new: &[],
    });

    let threads = NonZeroUsize::new(settings.threads)
        .or_else(|| std::thread::available_parallelism().ok())
        .map_or(1, NonZeroUsize::get)
        .min(pairs.len().max(1));
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .stack_size(STACK)
        .build()?;
    let next = AtomicUsize::new(0);
    let mut played = 0;
    std::thread::scope(|scope| -> Result<(), GenerateError> {
        let (sender, receiver) = mpsc::sync_channel(BACKLOG);
        let (pairs, openings, next) = (&pairs, &openings, &next);
        scope.spawn(move || {
            pool.broadcast(|_| {
                let worker = Worker {
                    run,
                    openings,
                    pairs,
                    next,
                    stop,
                    sender: &sender,
                };
                worker.work(maker.make().as_mut());
            });
        });
        // When this fails the receiver is dropped, and the workers end with the game that they cannot deliver.
        while let Some(new) = batch(&receiver) {
            let new = new?;
            store.add(&new)?;
            played += new.len() as u64;
            for game in &new {
                tally.add(game);
            }
            progress(Progress {
                games: settings.games,
                done: tally.games(),
                played,
                tally: &tally,
                new: &new,
            });
        }
        Ok(())
    })?;
    store.close()?;
    Ok(Summary {
        games: settings.games,
        done: tally.games(),
        played,
        elapsed: begun.elapsed(),
        tally,
    })
}

/// All games that are waiting, at least one; `None` when the workers are gone.
fn batch(receiver: &Receiver<Delivery>) -> Option<Delivery<Vec<GameRecord>>> {
    let first = receiver.recv().ok()?;
    Some(std::iter::once(first).chain(receiver.try_iter()).collect())
}

type Delivery<T = GameRecord> = Result<T, GenerateError>;

/// An opening of which games are missing.
struct Pair {
    number: u64,
    /// Is the first, is the second game missing?
    missing: [bool; 2],
}

impl Pair {
    fn group(missing: &[u64]) -> Vec<Pair> {
        let mut pairs: Vec<Pair> = Vec::new();
        for &index in missing {
            let number = index / 2;
            if pairs.last().is_none_or(|pair| pair.number != number) {
                pairs.push(Pair {
                    number,
                    missing: [false; 2],
                });
            }
            if let Some(pair) = pairs.last_mut() {
                pair.missing[(index % 2) as usize] = true;
            }
        }
        pairs
    }
}

/// What a thread needs to play.
struct Worker<'w> {
    run: &'w RunSettings,
    openings: &'w Openings,
    pairs: &'w [Pair],
    next: &'w AtomicUsize,
    stop: &'w AtomicBool,
    sender: &'w SyncSender<Delivery>,
}

impl Worker<'_> {
    /// Plays pairs, lowest numbers first, until there are no more, or nobody wants them.
    fn work(&self, player: &mut dyn Player) {
        while let Some(pair) = self.pairs.get(self.next.fetch_add(1, Ordering::Relaxed)) {
            if self.stop.load(Ordering::Relaxed) {
                return;
            }
            let eval_jitter = &self.run.eval_jitter;
            if !eval_jitter.is_plain() {
                player.believe(&eval_jitter.of_pair(&self.run.source.game, self.run.seed, pair.number));
            }
            let opening = match self.openings.draw(pair.number, player, self.stop) {
                Ok(Some(opening)) => opening,
                Ok(None) => return,
                Err(error) => {
                    // If nobody listens, the run has failed for another reason already.
                    let _ = self.sender.send(Err(error.into()));
                    return;
                }
            };
            for (game, _) in [0, 1].into_iter().zip(pair.missing).filter(|(_, missing)| *missing) {
                let Some(record) = play_one(pair.number, game, &opening, player, self.stop) else {
                    return;
                };
                if self.sender.send(Ok(record)).is_err() {
                    return;
                }
            }
        }
    }
}

fn play_one(pair: u64, game: u64, opening: &Opening, player: &mut dyn Player, stop: &AtomicBool) -> Option<GameRecord> {
    let swapped = game == 1;
    let start = opening.start(swapped);
    let played = play(start.clone(), player, stop)?;
    Some(GameRecord {
        index: 2 * pair + game,
        pair,
        start_fen: start.fen(),
        moves: played.choices.iter().map(PlayedMove::from).collect(),
        result: played.outcome.white,
        reason: played.outcome.termination,
        material: opening.imbalance(swapped).map(|imbalance| imbalance.to_string()),
    })
}
