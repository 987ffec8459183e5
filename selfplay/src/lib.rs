//! Assay's self-play: games between engines, as data that stands up to scrutiny.
//!
//! [`generate()`] plays a run of games in parallel into one durable file; [`Store`] reads them back. A run is decided by its
//! settings alone: the same settings give the same games, whatever the number of threads, and however often it was stopped.
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//! use assay_selfplay::settings::{GameSource, GenerateSettings, Material, OpeningSettings, RunSettings, StartChoice};
//! use assay_selfplay::{Store, generate};
//!
//! let opening =
//!     OpeningSettings { start: StartChoice::Random, plies: 8, balance: Some(300), material: Material::None };
//! let source = GameSource::builtin("chess").unwrap();
//! let run = RunSettings { source, seed: 1, nodes: 50, hash_mb: 1, opening, eval_jitter: Default::default() };
//! let settings = GenerateSettings { run, games: 2, threads: 1 };
//!
//! let folder = tempfile::tempdir().unwrap();
//! let path = folder.path().join("games.db");
//! let summary = generate(&settings, &path, |progress| assert!(progress.done <= 2), &AtomicBool::new(false)).unwrap();
//! assert_eq!(summary.done, 2);
//!
//! let store = Store::open_read(&path).unwrap();
//! for game in store.games() {
//!     let game = game.unwrap();
//!     game.verify(&store.settings().settings.source.game).unwrap();
//! }
//! ```

#![allow(missing_docs, reason = "names that say it all need no comment")]

pub mod export;
pub mod game;
pub mod info;
pub mod material;
pub mod openings;
pub mod players;
pub mod report;
pub mod runner;
pub mod seed;
pub mod settings;
pub mod statistics;
pub mod store;
pub mod tournament;

pub use openings::mirror::{mirror, swap_armies};
pub use runner::generate::{GenerateError, Progress, Summary, generate};
pub use settings::{GameSource, GenerateSettings, RunSettings};
pub use store::{GameRecord, PlayedMove, Store, StoreError, Tally};
