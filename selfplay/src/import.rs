//! Games of other programs and of people, read from PGN into a run file.
//!
//! A file is read a game at a time, games are parsed in parallel, and memory stays small whatever
//! the file holds: only the hashes of the games, which find duplicates, are kept. The run file has
//! its name only when it is complete.

mod board;
mod comment;
mod input;
mod players;
mod read;

use std::collections::{HashMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use assay_cli::output_file::PartFile;
use assay_rules::Color;
use assay_rules::def::builtin_variant;
use indexmap::IndexMap;
use rayon::prelude::*;
use thiserror::Error;

use crate::game::clock::EngineLimits;
use crate::game::{GameRecord, GameTags};
use crate::settings::{
    ClusterBy, DEFAULT_STALL, EngineKind, EngineSettings, EvalJitter, Filters, GameSource, ImportSettings,
    OpeningSource, PlayerSlots, RunOptions, RunSettings,
};
use crate::store::{NewRun, Store, StoreError, remove_siblings};
use crate::tournament::adjudication::Adjudication;
use input::{GameText, GameTexts};
pub use players::ImportedMatch;
use read::{Found, Reader};

/// Games that are parsed at the same time, and the most bytes of their texts.
const BATCH: usize = 4_096;
const BATCH_BYTES: usize = 16 << 20;

/// The reason for leaving out a game that equals an earlier one.
const DUPLICATE: &str = "duplicates";

/// The settings of an import.
#[derive(Clone, Debug)]
pub struct Import {
    /// PGN files, also compressed with gzip or zstd; `-` for standard input.
    pub files: Vec<PathBuf>,
    /// The game; `None` for that of the first game's tag `Variant`, or chess;
    /// games of other variants are left out then.
    pub source: Option<GameSource>,
    pub cluster: ClusterBy,
    pub filters: Filters,
    /// Whether the first broken game ends the import.
    pub is_strict: bool,
}

/// An error that ended an import.
#[derive(Debug, Error)]
pub enum ImportError {
    #[error("{}: {source}", .path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The first broken game of a strict import.
    #[error("{0}")]
    Broken(String),
    #[error("{}: {why}", .path.display())]
    Output { path: PathBuf, why: String },
    #[error("found no game to import in {0}")]
    NoGames(String),
    #[error("stopped; nothing was imported")]
    Stopped,
}

/// The counts of an import.
#[derive(Clone, Debug, Default)]
pub struct ImportSummary {
    /// The name of the game.
    pub game: String,
    /// Games in the file.
    pub games: u64,
    /// Games read, whatever became of them.
    pub read: u64,
    /// Games with a fault, which were left out.
    pub broken: u64,
    /// Games left out, by the reason: an option, `duplicates`, `of another game`,
    /// `without a result`.
    pub left_out: IndexMap<&'static str, u64>,
    /// Clusters of games whose results may depend on one another.
    pub clusters: u64,
}

/// An event during an import.
#[derive(Clone, Copy, Debug)]
pub enum ImportEvent<'e> {
    /// Bytes of the files read so far, and the games imported.
    Progress(u64, &'e ImportSummary),
    /// A broken game: `FILE: game 812, line 10133: column 4: ...`.
    Broken(&'e str),
}

impl Import {
    /// Reads the games into a new run file.
    ///
    /// # Errors
    /// If a file cannot be read, `out` exists or cannot be written, there is no game, the import is strict and a game is broken, or
    /// `stop` is raised. Then there is no file `out`.
    pub fn run(
        &self,
        out: &Path,
        mut report: impl FnMut(ImportEvent<'_>),
        stop: &AtomicBool,
    ) -> Result<ImportSummary, ImportError> {
        let output = |why: String| ImportError::Output { path: out.to_owned(), why };
        if out.exists() {
            return Err(output("the file exists; choose another file".to_owned()));
        }
        let part = PartFile::create(out).map_err(|error| output(format!("{error:#}")))?;
        let _beside = RemoveSiblings(part.path().to_owned());
        let mut work = Work {
            import: self,
            part: &part,
            target: None,
            known: HashSet::new(),
            clusters: HashMap::new(),
            summary: ImportSummary::default(),
        };
        let (mut hasher, read) = (blake3::Hasher::new(), Arc::new(AtomicU64::new(0)));
        for path in &self.files {
            let failed = |source| ImportError::Io { path: path.clone(), source };
            let mut texts = GameTexts::new(input::open(path, &read).map_err(failed)?, &mut hasher);
            let mut number = 1;
            loop {
                let batch = next_batch(&mut texts).map_err(failed)?;
                if batch.is_empty() {
                    break;
                }
                work.add(&file_name(path), &batch, &mut number, &mut report)?;
                report(ImportEvent::Progress(read.load(Ordering::Relaxed), &work.summary));
                if stop.load(Ordering::Relaxed) {
                    return Err(ImportError::Stopped);
                }
            }
        }
        let summary = work.finish(&hasher.finalize().to_hex()[..12])?;
        part.place_new().map_err(|error| output(error.to_string()))?;
        Ok(summary)
    }

    fn settings(&self, hash: &str) -> ImportSettings {
        ImportSettings {
            files: self.files.iter().map(|path| file_name(path)).collect(),
            hash: hash.to_owned(),
            cluster: self.cluster,
            filters: self.filters.clone(),
        }
    }

    /// The settings of the run file.
    fn run_settings(&self, source: GameSource) -> RunSettings {
        let player =
            EngineSettings { name: "imported".to_owned(), kind: EngineKind::Unknown, limits: EngineLimits::default() };
        RunSettings {
            source,
            players: PlayerSlots::Shared(player),
            openings: OpeningSource::Import(self.settings("")),
            repeat: false,
            seed: 0,
            eval_jitter: EvalJitter::default(),
            adjudication: Adjudication::default(),
            sprt: None,
            stall: DEFAULT_STALL,
        }
    }
}

/// Removes what SQLite leaves beside a file that it could not complete, such as on a full disk.
struct RemoveSiblings(PathBuf);

impl Drop for RemoveSiblings {
    fn drop(&mut self) {
        remove_siblings(&self.0);
    }
}

/// An import under way.
struct Work<'i> {
    import: &'i Import,
    part: &'i PartFile,
    /// The run file that is being written, and what reads its games; `None` before the first text,
    /// which decides the game.
    target: Option<(Store, Reader)>,
    /// Hashes of start and moves of all games.
    known: HashSet<u128>,
    /// Numbers of the clusters, by the hash of what their games share.
    clusters: HashMap<u128, u64>,
    summary: ImportSummary,
}

impl Work<'_> {
    /// Reads a batch of texts of a file in parallel, and stores their games. `number` is that of
    /// the next game in the file.
    fn add(
        &mut self,
        file: &str,
        batch: &[GameText],
        number: &mut u64,
        report: &mut impl FnMut(ImportEvent<'_>),
    ) -> Result<(), ImportError> {
        if self.target.is_none() {
            self.target = Some(self.open(&batch[0])?);
        }
        let Some((store, reader)) = &mut self.target else { return Ok(()) };
        let found: Vec<Vec<Found>> = batch.par_iter().map(|text| reader.read(file, text)).collect();
        let mut games = Vec::new();
        for found in found.into_iter().flatten() {
            self.summary.read += 1;
            let left_out = match found {
                Found::Game(game) if self.known.insert(hash_of_game(&game.0, &game.1)) => {
                    let (mut record, tags) = *game;
                    record.index = self.summary.games;
                    let next = self.clusters.len() as u64;
                    let key = cluster_key(self.import.cluster, &record, &tags);
                    record.pair = *self.clusters.entry(key).or_insert(next);
                    self.summary.games += 1;
                    games.push((record, tags));
                    None
                }
                Found::Game(_) => Some(DUPLICATE),
                Found::LeftOut(reason) => Some(reason),
                Found::Broken(line, why) => {
                    let text = format!("{file}: game {number}, line {line}: {why}");
                    if self.import.is_strict {
                        return Err(ImportError::Broken(text));
                    }
                    self.summary.broken += 1;
                    report(ImportEvent::Broken(&text));
                    None
                }
            };
            if let Some(reason) = left_out {
                *self.summary.left_out.entry(reason).or_default() += 1;
            }
            *number += 1;
        }
        Ok(store.add_imported(&games)?)
    }

    /// Creates the run file. The first text decides the game unless it was given.
    fn open(&mut self, first: &GameText) -> Result<(Store, Reader), ImportError> {
        let source = self.import.source.clone().unwrap_or_else(|| {
            let text = String::from_utf8_lossy(&first.bytes);
            let variant = text.split_once("[Variant \"").and_then(|(_, rest)| Some(rest.split_once('"')?.0));
            let game = variant.and_then(builtin_variant).map_or_else(|| "chess".to_owned(), |game| game.name.clone());
            GameSource::builtin(&game).expect("a built-in game")
        });
        let game = Arc::clone(&source.game);
        self.summary.game.clone_from(&game.name);
        let settings = self.import.run_settings(source);
        let options = RunOptions { event: "imported".to_owned(), ..RunOptions::self_play(0, 0) };
        let run = NewRun {
            settings: &settings,
            options: &options,
            identities: &[settings.openings.to_string()],
            book_hash: None,
        };
        let store = Store::open_run(self.part.path(), &run, false)?;
        let (boards, filters) = (board::boards(&game), self.import.filters.clone());
        let reader = Reader { game, overrules_tag: self.import.source.is_some(), boards, filters };
        Ok((store, reader))
    }

    /// Completes the run file. `hash` is that of all texts.
    fn finish(mut self, hash: &str) -> Result<ImportSummary, ImportError> {
        self.summary.clusters = self.clusters.len() as u64;
        match self.target {
            Some((mut store, _)) if self.summary.games > 0 => {
                store.finish_import(&self.import.settings(hash), self.summary.games)?;
                store.close()?;
                Ok(self.summary)
            }
            _ => {
                let files: Vec<String> = self.import.files.iter().map(|path| path.display().to_string()).collect();
                let mut text = files.join(", ");
                let mut reasons: Vec<String> =
                    self.summary.left_out.iter().map(|(reason, games)| format!("{games} {reason}")).collect();
                reasons.extend((self.summary.broken > 0).then(|| format!("{} broken", self.summary.broken)));
                if !reasons.is_empty() {
                    text += &format!(" (left out: {})", reasons.join(", "));
                }
                Err(ImportError::NoGames(text))
            }
        }
    }
}

fn next_batch(texts: &mut GameTexts<'_, Box<dyn io::BufRead>>) -> io::Result<Vec<GameText>> {
    let (mut batch, mut bytes) = (Vec::new(), 0);
    while batch.len() < BATCH && bytes < BATCH_BYTES {
        let Some(text) = texts.next_game()? else { break };
        bytes += text.bytes.len();
        batch.push(text);
    }
    Ok(batch)
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

fn hash(parts: impl IntoIterator<Item = impl AsRef<[u8]>>) -> u128 {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(part.as_ref()).update(b"\n");
    }
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
    u128::from_le_bytes(bytes)
}

/// Hash of the start and the first `plies` moves.
fn hash_of_moves(game: &GameRecord, plies: usize) -> u128 {
    let moves = game.moves.iter().take(plies).flat_map(|played| played.mv.bytes());
    hash([game.start_fen.as_bytes(), &moves.collect::<Vec<u8>>()])
}

/// Hash of what two copies of a game share. Engines may well play the same moves again: with
/// exchanged colors, or in another round.
fn hash_of_game(game: &GameRecord, tags: &GameTags) -> u128 {
    let tags = ["White", "Black", "Date", "Round"].map(|name| tags.get(name).unwrap_or_default().as_bytes());
    let moves = hash_of_moves(game, usize::MAX).to_le_bytes();
    hash(tags.into_iter().chain([moves.as_slice()]))
}

/// Hash of what the games of a cluster share.
fn cluster_key(cluster: ClusterBy, game: &GameRecord, tags: &GameTags) -> u128 {
    match cluster {
        ClusterBy::Opening { plies } => hash_of_moves(game, plies),
        ClusterBy::Players => {
            let mut players = Color::ALL.map(|color| tags.player(color).unwrap_or_default());
            players.sort_unstable();
            hash(players)
        }
    }
}
