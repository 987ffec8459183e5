//! Playing a match: games in parallel, each finished one in the file before anybody is told of it.
//!
//! A round depends on the settings and its own number alone, so at fixed nodes or depth a match has the same games whatever
//! is played at a time and however often it was stopped and continued.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, SyncSender};
use std::time::{Duration, Instant};

use assay_rules::{ByColor, Color, Position};
use thiserror::Error;

use crate::game::end::Ending;
use crate::game::match_record::MatchGame;
use crate::openings::book::Begin;
use crate::openings::source::{MatchOpenings, MatchOpeningsError, state};
use crate::players::engine_player::engine_maker;
use crate::players::player::MakePlayer;
use crate::players::slot::{EngineSlot, StartError};
use crate::runner::play_game::{Over, play};
use crate::statistics::SprtDecision;
use crate::store::StoreError;
use crate::store::match_store::{MatchStore, NewMatch};
use crate::tournament::score::MatchScore;
use crate::tournament::settings::{MatchSettings, Rules};

/// Assay's engine looks at random openings with so many nodes and megabytes.
const JUDGE: (u64, usize) = (1_000, 1);

/// Searches recurse with lists of moves on the stack.
const STACK: usize = 16 << 20;

/// How often the match looks whether somebody wants to stop.
const GLANCE: Duration = Duration::from_millis(50);

/// Why a match did not come to its end.
#[derive(Debug, Error)]
pub enum MatchError {
    /// The file cannot be used, or not be written any more.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// There are no openings.
    #[error(transparent)]
    Openings(#[from] MatchOpeningsError),
    /// An engine cannot be started.
    #[error(transparent)]
    Start(#[from] StartError),
    /// An engine does nothing but crash and hang.
    #[error(
        "engine {name}: crashed or stalled in {games} games in a row, the last time because {why}; the match is given up (finished games are kept)"
    )]
    Hopeless {
        /// What the match calls it.
        name: String,
        /// Games in a row.
        games: u32,
        /// The last one's fault.
        why: String,
    },
    /// A thread could not be started.
    #[error("cannot start a thread: {0}")]
    Thread(std::io::Error),
}

/// How far a match is; everything counted here is safely in the file.
#[derive(Clone, Copy, Debug)]
pub struct MatchProgress<'p> {
    /// How it stands.
    pub standing: &'p MatchScore,
    /// Games that it is to have.
    pub games: u64,
    /// Games of these that this call has played.
    pub played: u64,
    /// The game that has just come in; none at the first report.
    pub new: Option<&'p MatchGame>,
}

/// What became of a match.
#[derive(Clone, Debug)]
pub struct MatchSummary {
    /// How it stands.
    pub standing: MatchScore,
    /// Games that it is to have.
    pub games: u64,
    /// Games that this call has played.
    pub played: u64,
    /// The time that took.
    pub elapsed: Duration,
    /// What tells the engines apart: what they call themselves, and a hash.
    pub identities: [String; 2],
}

impl MatchSummary {
    /// Was it stopped before all games were played or the test was decided?
    pub fn is_incomplete(&self) -> bool {
        self.standing.verdict() == SprtDecision::Continue && self.standing.games() < self.games
    }
}

/// Where the games go.
#[derive(Clone, Copy, Debug)]
pub struct Place<'p> {
    /// The file; without one the games are kept in memory and lost.
    pub path: Option<&'p Path>,
    /// May the file hold games already?
    pub resume: bool,
    /// The words of the command, to be kept in the file.
    pub words: &'p [String],
}

/// Plays the games of a match that are missing.
///
/// `progress` is called once before the first game and whenever a game has been written. Raising `stop` ends the match at
/// once; games that are not finished are lost, finished ones are kept. `finish` is given the store before it is closed.
///
/// # Errors
/// When an engine cannot be started or does nothing but fail, the file holds something else or cannot be written, or there
/// are no openings. Games in the file stay there.
pub fn play_match(
    settings: &MatchSettings,
    place: Place<'_>,
    mut progress: impl FnMut(MatchProgress<'_>),
    finish: impl FnOnce(&MatchStore),
    stop: &AtomicBool,
) -> Result<MatchSummary, MatchError> {
    let begun = Instant::now();
    // Before the file: what cannot be played makes no file.
    let openings = MatchOpenings::new(settings)?;
    let game = match &settings.rules {
        Rules::Known(source) => Some(&source.game),
        Rules::Unruled { .. } => None,
    };
    let identity = |engine| EngineSlot::new(settings, engine, game).identity(stop);
    let identities = [identity(0)?, identity(1)?];
    let deciding = settings.deciding(&identities, openings.fingerprint());
    let others = others(settings, place.words);
    let new = NewMatch {
        deciding: &deciding,
        others: &others,
    };
    let mut store = MatchStore::open(place.path, &new, place.resume)?;

    let mut standing = MatchScore::new(
        settings.rules.results(),
        settings.repeat,
        settings.sprt,
        settings.tests_singles(),
    );
    let there = store.games()?;
    for game in &there {
        standing.add(game);
    }
    let rounds = Rounds::missing(settings, &there);
    progress(MatchProgress {
        standing: &standing,
        games: settings.games(),
        played: 0,
        new: None,
    });

    let halt = AtomicBool::new(standing.verdict() != SprtDecision::Continue);
    let next = AtomicUsize::new(0);
    let mut played = 0;
    let mut failures = [0; 2];
    let workers = settings.concurrency.clamp(1, rounds.all.len().max(1));
    std::thread::scope(|scope| -> Result<(), MatchError> {
        let (sender, receiver) = mpsc::sync_channel(workers);
        // Whatever ends this function, a panic of our own included, ends the games.
        let _raised_at_the_end = Raise(&halt);
        for _ in 0..workers {
            let worker = Worker {
                settings,
                openings: &openings,
                rounds: &rounds,
                next: &next,
                halt: &halt,
                sender: sender.clone(),
            };
            let spawned = std::thread::Builder::new()
                .stack_size(STACK)
                .spawn_scoped(scope, move || worker.work());
            spawned.map_err(MatchError::Thread)?;
        }
        drop(sender);
        loop {
            let mut game = match receiver.recv_timeout(GLANCE) {
                Ok(delivered) => delivered?,
                Err(RecvTimeoutError::Timeout) => {
                    if stop.load(Ordering::Relaxed) {
                        halt.store(true, Ordering::Relaxed);
                    }
                    continue;
                }
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            };
            game.ended = store.now()?;
            store.add(&game)?;
            played += 1;
            standing.add(&game);
            progress(MatchProgress {
                standing: &standing,
                games: settings.games(),
                played,
                new: Some(&game),
            });
            if standing.verdict() != SprtDecision::Continue || stop.load(Ordering::Relaxed) {
                halt.store(true, Ordering::Relaxed);
            }
            give_up(settings, &game, &mut failures)?;
        }
    })?;
    finish(&store);
    store.close()?;
    Ok(MatchSummary {
        standing,
        games: settings.games(),
        played,
        elapsed: begun.elapsed(),
        identities,
    })
}

/// What the file tells besides the settings that decide the games.
fn others(settings: &MatchSettings, words: &[String]) -> Vec<(&'static str, String)> {
    let definition = match &settings.rules {
        Rules::Known(source) => source.text.clone().unwrap_or_default(),
        Rules::Unruled { .. } => String::new(),
    };
    vec![
        ("definition", definition),
        ("event", settings.event.clone()),
        ("rounds", settings.rounds.to_string()),
        ("words", serde_json::to_string(words).unwrap_or_default()),
        (
            "program",
            format!("{} {}", env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION")),
        ),
        ("results", settings.rules.results().to_string()),
    ]
}

/// Counts games in a row that an engine lost by crashing or hanging.
fn give_up(settings: &MatchSettings, game: &MatchGame, failures: &mut [u32; 2]) -> Result<(), MatchError> {
    for (engine, failures) in failures.iter_mut().enumerate() {
        match game.ending {
            Ending::Fault(kind) if kind.needs_restart() => {
                if game.culprit == Some(engine) {
                    *failures += 1;
                }
            }
            _ => *failures = 0,
        }
        if *failures >= settings.most_faults {
            return Err(MatchError::Hopeless {
                name: settings.engines[engine].name.clone(),
                games: *failures,
                why: game
                    .detail
                    .as_ref()
                    .map_or_else(String::new, |detail| detail.what.clone()),
            });
        }
    }
    Ok(())
}

struct Raise<'r>(&'r AtomicBool);

impl Drop for Raise<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Rounds with missing games, in ascending order.
struct Rounds {
    all: Vec<(u64, [bool; 2])>,
    /// Where rounds that are half played began, so that their other game begins there too.
    begun: HashMap<u64, (String, String)>,
}

impl Rounds {
    fn missing(settings: &MatchSettings, there: &[MatchGame]) -> Rounds {
        let each = settings.games_each();
        let played: HashSet<u64> = there.iter().map(|game| game.index).collect();
        let is_missing = |index: u64| !played.contains(&index);
        let all = (0..settings.rounds)
            .map(|round| {
                (
                    round,
                    [is_missing(each * round), each == 2 && is_missing(each * round + 1)],
                )
            })
            .filter(|(_, missing)| missing.contains(&true))
            .collect();
        let begun = there
            .iter()
            .map(|game| (game.round, (game.start.clone(), game.opening.clone())))
            .collect();
        Rounds { all, begun }
    }
}

type Delivery = Result<MatchGame, MatchError>;

/// What a thread needs to play.
struct Worker<'w> {
    settings: &'w MatchSettings,
    openings: &'w MatchOpenings,
    rounds: &'w Rounds,
    next: &'w AtomicUsize,
    halt: &'w AtomicBool,
    sender: SyncSender<Delivery>,
}

impl Worker<'_> {
    /// Plays rounds, lowest numbers first, until there are no more, or nobody wants them.
    fn work(&self) {
        let game = match &self.settings.rules {
            Rules::Known(source) => Some(&source.game),
            Rules::Unruled { .. } => None,
        };
        let mut slots = [
            EngineSlot::new(self.settings, 0, game),
            EngineSlot::new(self.settings, 1, game),
        ];
        let judge = match self.openings {
            MatchOpenings::Random(_) => game.map(|game| engine_maker(game, JUDGE.0, JUDGE.1)),
            _ => None,
        };
        while let Some(&(round, missing)) = self.rounds.all.get(self.next.fetch_add(1, Ordering::Relaxed)) {
            match self.round(round, missing, &mut slots, judge.as_deref()) {
                Ok(true) => {}
                Ok(false) => return,
                // An engine that was being started when the match was stopped.
                Err(_) if self.halt.load(Ordering::Relaxed) => return,
                Err(error) => {
                    // If nobody listens, the match has failed for another reason already.
                    let _ = self.sender.send(Err(error));
                    return;
                }
            }
        }
    }

    /// Plays the missing games of a round; says no when nobody wants more.
    fn round(
        &self,
        round: u64,
        missing: [bool; 2],
        slots: &mut [EngineSlot<'_>; 2],
        judge: Option<&dyn MakePlayer>,
    ) -> Result<bool, MatchError> {
        if self.halt.load(Ordering::Relaxed) {
            return Ok(false);
        }
        let Some((begin, opening)) = self.opening(round, judge)? else {
            return Ok(false);
        };
        for (number, _) in (0..).zip(missing).filter(|(_, missing)| *missing) {
            // The first engine has White in the first game of a pair; without pairs in every other game.
            let index = self.settings.games_each() * round + number;
            let white = (index % 2) as usize;
            let Some(over) = self.game(begin.clone(), white, slots)? else {
                return Ok(false);
            };
            let engine_of = |color: Color| if color == Color::White { white } else { 1 - white };
            if let (Ending::Fault(kind), Some(culprit)) = (over.ending, over.culprit)
                && kind.needs_restart()
            {
                slots[engine_of(culprit)].end();
            }
            let game = MatchGame {
                index,
                round,
                white,
                start: state(begin.clone()).start_text(),
                opening: opening.clone(),
                result: over.white,
                ending: over.ending,
                culprit: over.culprit.map(engine_of),
                detail: over.detail,
                moves: over.moves,
                ended: String::new(),
            };
            if self.sender.send(Ok(game)).is_err() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn opening(&self, round: u64, judge: Option<&dyn MakePlayer>) -> Result<Option<(Begin, String)>, MatchError> {
        if let Some((start, opening)) = self.rounds.begun.get(&round) {
            let begin = match &self.settings.rules {
                Rules::Known(source) => {
                    let position = Position::from_fen(&source.game, start).map_err(|error| StoreError::Setting {
                        path: std::path::PathBuf::new(),
                        setting: "start",
                        why: error.to_string(),
                    })?;
                    Begin::Position(Box::new(position))
                }
                Rules::Unruled { .. } => Begin::Text(start.clone()),
            };
            return Ok(Some((begin, opening.clone())));
        }
        Ok(self.openings.draw(round, judge, self.halt)?)
    }

    fn game(&self, begin: Begin, white: usize, slots: &mut [EngineSlot<'_>; 2]) -> Result<Option<Over>, MatchError> {
        let [first, second] = slots;
        let (white_slot, black_slot) = if white == 0 { (first, second) } else { (second, first) };
        let mut players = ByColor([white_slot.engine(self.halt)?, black_slot.engine(self.halt)?]);
        let limits = ByColor([white, 1 - white].map(|engine| self.settings.engines[engine].limits));
        Ok(play(
            state(begin),
            &mut players,
            limits,
            self.settings.adjudication,
            self.halt,
        ))
    }
}
