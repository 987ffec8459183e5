//! Reading the games of runs, with checks and a hash of the contents.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::ops::ControlFlow;
use std::sync::Arc;

use assay_rules::{GameDef, Points};
use assay_selfplay::game::GameTags;
use assay_selfplay::positions::{Ply, replay};
use assay_selfplay::run::ReadError;
use assay_selfplay::settings::{Material, RunSettings, Shard};
use assay_selfplay::{GameRecord, RecordedRun};
use thiserror::Error;

use super::description::{DataFile, are_disjoint};

/// Games in memory at a time. Reading can be stopped between chunks, so a chunk takes less than a
/// second.
const CHUNK: usize = 1_024;

/// An error in reading runs, or in measuring results from their games.
#[derive(Debug, Error)]
pub enum DataError {
    /// The games of a run cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The contents of a run, or of all runs together: the place, what was found and what was
    /// expected.
    #[error("{0}")]
    Contents(String),
    /// The caller ended the reading.
    #[error("stopped before all games were read")]
    Stopped,
}

impl DataError {
    /// An invalid run or text with this name: what was found and what was expected.
    pub(crate) fn at(name: impl Display, fault: impl Display) -> DataError {
        DataError::Contents(format!("{name}: {fault}"))
    }
}

/// Watches the reading of games: called after each chunk with the number of its games. `Break`
/// ends the reading with [`DataError::Stopped`].
pub type ReadWatch<'w> = &'w mut dyn FnMut(u64) -> ControlFlow<()>;

/// The watch of a reading that shows no progress and cannot be stopped.
pub(crate) fn unwatched(_: u64) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// A run that is read, alone or with others. [`RunReader::read`] reads the games.
pub(crate) struct RunReader<'r> {
    pub(crate) game: Arc<GameDef>,
    /// Its number among the runs that are read together, from 0.
    pub(crate) number: usize,
    run: &'r dyn RecordedRun,
}

impl RunReader<'_> {
    /// Settings that determine the games.
    pub(crate) fn settings(&self) -> &RunSettings {
        &self.run.header().settings
    }

    /// Modification of the armies.
    pub(crate) fn material(&self) -> Material {
        material_of(self.run)
    }

    /// Replays games in parallel and passes the positions of each (the start and one after every
    /// move) to `look`. Results are in the order of the games.
    pub(crate) fn replay<T: Send>(
        &self,
        records: &[GameRecord],
        look: impl Fn(&GameRecord, &[Ply]) -> T + Sync,
    ) -> Result<Vec<T>, DataError> {
        replay(&self.game, records, look).map_err(|error| self.fault(error))
    }

    /// White's rating minus Black's in units of 400 points for each of some games in the order of
    /// their numbers; 0 if a rating is unknown.
    pub(crate) fn rating_differences(&self, records: &[GameRecord]) -> Result<Vec<f32>, DataError> {
        let Some((first, last)) = records.first().zip(records.last()) else {
            return Ok(Vec::new());
        };
        let tags = self.run.tags(first.index..=last.index)?;
        let difference = |record: &GameRecord| {
            let ratings = tags.get(&record.index).and_then(GameTags::ratings);
            ratings.map_or(0.0, |[white, black]| (white as f32 - black as f32) / 400.0)
        };
        Ok(records.iter().map(difference).collect())
    }

    /// An error in the contents of the run: what was found and what was expected.
    pub(crate) fn fault(&self, fault: impl Display) -> DataError {
        DataError::at(self.run.name(), fault)
    }

    /// Fails if a game has an impossible result.
    fn check(&self, record: GameRecord, possible: &BTreeSet<Points>) -> Result<GameRecord, DataError> {
        if possible.contains(&record.result) {
            return Ok(record);
        }
        let expected: Vec<String> = possible.iter().map(Points::to_string).collect();
        Err(self.fault(format_args!(
            "game {}: found White's score {}, which is impossible in {}; expected one of {}",
            record.index,
            record.result,
            self.game.name,
            expected.join(", ")
        )))
    }

    /// Passes the games to `use_games` in the order of their numbers, a chunk at a time: the moves
    /// of all games would need more memory than what is measured from them. Games lost through an
    /// engine fault are left out. Returns the description of the run.
    ///
    /// # Errors
    /// The first error in the order of the games: of `use_games`, or if a game cannot be read or
    /// has an impossible result. Games before it have been passed on, so the error does not depend
    /// on the size of the chunks.
    pub(crate) fn read<E: From<DataError>>(
        &self,
        watch: ReadWatch<'_>,
        mut use_games: impl FnMut(&[GameRecord]) -> Result<(), E>,
    ) -> Result<DataFile, E> {
        let possible = possible_scores(&self.game);
        let (mut hasher, mut games, mut error) = (blake3::Hasher::new(), 0, None);
        // A game lost through an engine fault says nothing about the position.
        let mut records =
            self.run.games().filter(|record| record.as_ref().map_or(true, |record| record.fault.is_none()));
        loop {
            let check = |record: Result<GameRecord, ReadError>| {
                let checked = record.map_err(DataError::from).and_then(|record| self.check(record, &possible));
                checked.map_err(|wrong| error = Some(wrong)).ok()
            };
            let chunk: Vec<GameRecord> = records.by_ref().map_while(check).take(CHUNK).collect();
            for record in &chunk {
                hasher.update(hashed_line(&self.game, record).as_bytes());
            }
            games += chunk.len();
            use_games(&chunk)?;
            if let Some(error) = error {
                return Err(error.into());
            }
            if watch(chunk.len() as u64).is_break() {
                return Err(DataError::Stopped.into());
            }
            if chunk.len() < CHUNK {
                let hash = hasher.finalize().to_hex().to_string();
                return Ok(DataFile::of(self.run, &self.game, games, hash));
            }
        }
    }
}

/// Modification of the armies in a run.
pub fn material_of(run: &dyn RecordedRun) -> Material {
    let openings = run.header().settings.random_openings();
    openings.map_or(Material::None, |openings| openings.material)
}

/// Sentences about the runs whose definition of the game is not the first one's, although the rules
/// are: reading takes the words and values of the first one.
pub fn other_definitions(runs: &[&dyn RecordedRun]) -> Vec<String> {
    let source = |run: &dyn RecordedRun| run.header().settings.source.clone();
    let sentence = |run: &&dyn RecordedRun| {
        let (first, other) = (source(runs[0]), source(*run));
        (first.game != other.game && first.rules_hash() == other.rules_hash()).then(|| {
            let (name, first) = (run.name(), runs[0].name());
            format!("{name}: the definition is that of {first} (same rules, other words or values)")
        })
    };
    runs.iter().filter_map(sentence).collect()
}

/// The number, over all runs, of the opening of a pair of the run that is read. Openings are
/// numbered without gaps, in the order of runs and games. Different runs have different openings,
/// since no two hold games of the same part of a run.
pub(crate) type PairNumber<'n> = &'n mut dyn FnMut(u64) -> usize;

/// What several runs of one game have in common.
pub(crate) struct ReadRuns {
    pub(crate) game: Arc<GameDef>,
    /// The text of a user's definition; `None` for a built-in game.
    pub(crate) definition: Option<String>,
    pub(crate) files: Vec<DataFile>,
    /// Number of opening pairs.
    pub(crate) pairs: usize,
}

/// Reads runs one after the other and passes their games to `use_games`, a chunk at a time.
///
/// # Errors
/// The first error: of [`RunReader::read`] and `use_games`, or if a run is of another game than the first one or holds games of the
/// same run as an earlier one (other shards excepted), or no run is given.
pub(crate) fn read_runs<E: From<DataError>>(
    runs: &[&dyn RecordedRun],
    watch: ReadWatch<'_>,
    mut use_games: impl FnMut(&RunReader<'_>, &[GameRecord], PairNumber<'_>) -> Result<(), E>,
) -> Result<ReadRuns, E> {
    let first = runs
        .first()
        .ok_or_else(|| DataError::Contents("found no file, expected at least one file of games".to_owned()))?;
    let source = &first.header().settings.source;
    let rules = source.rules_hash();
    let (mut files, mut pairs) = (Vec::new(), BTreeMap::new());
    let mut earlier: Vec<(String, Option<Shard>)> = Vec::new();
    for (number, run) in runs.iter().enumerate() {
        let header = run.header();
        if header.settings.source.rules_hash() != rules {
            let (found, expected) = (&header.settings.game().name, &source.game.name);
            let same_name = if found == expected { "another game named " } else { "" };
            let fault = format!(
                "found games of {same_name}{found}, expected {expected} as in {}; all files must hold the same game",
                first.name()
            );
            return Err(DataError::at(run.name(), fault).into());
        }
        let (id, shard) = (header.id(), header.shard);
        let reader = RunReader { game: Arc::clone(&source.game), number, run: *run };
        let overlaps = |(other_id, other): &(String, Option<Shard>)| *other_id == id && !are_disjoint(*other, shard);
        if let Some(overlap) = earlier.iter().position(overlaps) {
            let part = |shard: Option<Shard>| shard.map_or_else(|| "all".to_owned(), |shard| format!("shard {shard}"));
            let fault = format!(
                "found {} of the run of which {} holds {}; expected every game once, so a whole run or shards of one division",
                part(shard),
                runs[overlap].name(),
                part(earlier[overlap].1)
            );
            return Err(DataError::at(run.name(), fault).into());
        }
        earlier.push((id, shard));
        // All pairings of a round of a tournament have the same opening, so their results are not
        // independent.
        let round = |pair: u64| header.settings.round(pair);
        let mut pair_number = |pair: u64| {
            let next = pairs.len();
            *pairs.entry((number, round(pair))).or_insert(next)
        };
        files.push(reader.read(watch, |records| use_games(&reader, records, &mut pair_number))?);
    }
    Ok(ReadRuns { game: Arc::clone(&source.game), definition: source.text.clone(), files, pairs: pairs.len() })
}

/// The names of runs in an error message.
pub(crate) fn join_names(files: &[DataFile]) -> String {
    let names: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
    names.join(", ")
}

/// White's possible scores in a game.
fn possible_scores(game: &GameDef) -> BTreeSet<Points> {
    let mut scores = BTreeSet::from([Points::WIN, Points::DRAW, Points::LOSS]);
    let points = game.endings.material_count.as_ref().map(|points| points.score);
    for score in [Some(game.endings.stalemate), points].into_iter().flatten() {
        scores.extend([score, score.flipped()]);
    }
    scores
}

/// The text of one game that is hashed for [`DataFile::hash`].
fn hashed_line(game: &GameDef, record: &GameRecord) -> String {
    let mut line = format!("{} {} {}", record.index, record.pair, record.start_fen);
    for played in &record.moves {
        line.push(' ');
        line.push_str(&played.mv.uci(game));
    }
    line.push_str(&format!(" {} {}\n", record.result, record.end));
    line
}
