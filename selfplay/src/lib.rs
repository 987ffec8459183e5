//! Games of chess engines as data: self-play, matches, and the statistics of matches.
//!
//! One runner ([`run_games`]) plays all games in parallel and writes them to one store ([`Store`]):
//! Assay's engine against itself ([`generate()`]), or two engines against each other.
//! [`RunSettings`] determine the games; the same settings give the same games for any number of
//! threads, however often the run was stopped and resumed.
//!
//! | Job | Module |
//! |---|---|
//! | Settings of a run | [`settings`] |
//! | A pair of games as a function of settings and number | [`play`] |
//! | Workers, progress, resume | [`runner`] |
//! | Built-in players, engines of other programs | [`players`] |
//! | Random openings, planned imbalances, books | [`openings`] |
//! | Clocks, faults and the record of one game | [`game`] |
//! | A run with its games, in a file or in memory | [`run`] |
//! | The run file | [`store`] |
//! | Score and adjudication of matches | [`tournament`], [`standings`] |
//! | Elo, SPRT | [`statistics`] |
//! | Positions of games, which of them are quiet | [`positions`] |
//! | Counts of games, a run in words | [`tally`], [`description`] |
//! | Games of other programs | [`mod@import`], [`compressed`] |
//! | PGN and EPD, reports | [`export`], [`report`], [`info`] |
//!
//! The default feature `runs` has what needs a database or other programs: the runner, the
//! store, programs as players, imports, exports and pages. Without it, [`play`] plays pairs of
//! games, and openings, settings, statistics and the texts of reports remain.
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//! use assay_selfplay::settings::{GameSource, RunOptions, SelfPlay};
//! use assay_selfplay::{Store, generate};
//!
//! let choices = SelfPlay { nodes: 50, hash_mb: 1, ..SelfPlay::default() };
//! let settings = choices.settings(GameSource::builtin("chess").unwrap()).unwrap();
//! let options = RunOptions::self_play(2, 1);
//!
//! let folder = tempfile::tempdir().unwrap();
//! let path = folder.path().join("games.db");
//! let report = |progress: assay_selfplay::Progress<'_>| assert!(progress.summary.done <= 2);
//! let summary = generate(&settings, &options, &path, report, &AtomicBool::new(false)).unwrap();
//! assert_eq!(summary.done, 2);
//!
//! let store = Store::open_read(&path).unwrap();
//! for game in store.games() {
//!     game.unwrap().verify(&store.source().game).unwrap();
//! }
//! ```

#![allow(missing_docs, reason = "self-explanatory names need no comment")]
#![cfg_attr(not(feature = "runs"), allow(dead_code, reason = "runs alone need some of the functions"))]

pub mod compressed;
pub mod description;
#[cfg(feature = "runs")]
pub mod export;
pub mod game;
#[cfg(feature = "runs")]
pub mod import;
#[cfg(feature = "runs")]
pub mod info;
pub mod material;
pub mod mirror;
pub mod openings;
pub mod pgn;
pub mod play;
pub mod players;
pub mod positions;
pub mod report;
pub mod run;
#[cfg(feature = "runs")]
pub mod runner;
pub mod seed;
pub mod settings;
pub mod standings;
pub mod statistics;
#[cfg(feature = "runs")]
pub mod store;
pub mod tally;
pub mod tournament;

pub use game::{GameRecord, PlayedMove};
pub use mirror::{mirror, swap_armies};
pub use run::{MemoryRun, RecordedRun};
#[cfg(feature = "runs")]
pub use runner::{Progress, RunError, Summary, generate, run_games};
#[cfg(feature = "runs")]
pub use settings::RunOptions;
pub use settings::{GameSource, RunSettings};
#[cfg(feature = "runs")]
pub use store::{Store, StoreError};
