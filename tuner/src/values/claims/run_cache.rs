//! Runs of games for testing claims: their files and what is computed from them.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use assay_engine::endgame::EndgameProgress;
use assay_rules::{GameDef, Points};
use assay_selfplay::Store;
use assay_selfplay::openings::OpeningGenerator;
use assay_selfplay::settings::{GameSource, Material, StartChoice};

use super::played_games::{self, PlayedGame};
use super::solved_endgames::{self, EndgameCounts};
use crate::values::data::{self, DataError, DataFile, Dataset, PairNumbers};
use crate::values::design::phase::PhaseModel;
use crate::values::fit::Fit;
use crate::values::playtest::{self, PawnCost};

/// Purpose of a run of games.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RunKind {
    /// Games with imbalances, as `validate` plays them.
    Values,
    /// Games of the playtest.
    Playtest,
    /// Games between equal armies, as `stats` plays them.
    Equal,
    /// Games from one start, with or without a handicap.
    Start(String),
}

/// A run of games, kept in one file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Run {
    /// Name of the game.
    pub game: String,
    /// Purpose of the games.
    pub kind: RunKind,
}

impl Run {
    /// Games with imbalances.
    pub fn values(game: &str) -> Run {
        Run::of(game, RunKind::Values)
    }

    pub fn playtest(game: &str) -> Run {
        Run::of(game, RunKind::Playtest)
    }

    /// Games between equal armies.
    pub fn equal(game: &str) -> Run {
        Run::of(game, RunKind::Equal)
    }

    pub fn from_start(game: &str, start: &str) -> Run {
        Run::of(game, RunKind::Start(start.to_owned()))
    }

    /// The run whose games a file holds; `None` for games that say nothing about any claim, such as those of a match.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn of_file(path: &Path) -> Result<Option<Run>, DataError> {
        let store = Store::open_read(path)?;
        let Some(openings) = store.run().settings.random_openings() else {
            return Ok(None);
        };
        let kind = match (openings.material, &openings.start) {
            (Material::Values | Material::Odds, _) => RunKind::Values,
            (Material::Playtest, _) => RunKind::Playtest,
            (Material::None, StartChoice::Random) => RunKind::Equal,
            (Material::None, StartChoice::Named(start)) => RunKind::Start(start.clone()),
        };
        Ok(Some(Run::of(&store.source().game.name, kind)))
    }

    fn of(game: &str, kind: RunKind) -> Run {
        Run {
            game: game.to_owned(),
            kind,
        }
    }

    /// File name, the same that `validate`, `playtest` and `stats` use by default.
    pub fn file_name(&self) -> String {
        let game = &self.game;
        match &self.kind {
            RunKind::Values => format!("assay-{game}.db"),
            RunKind::Playtest => format!("assay-{game}-playtest.db"),
            RunKind::Equal => format!("assay-{game}-stats.db"),
            RunKind::Start(start) => {
                let start: String = start
                    .chars()
                    .map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' })
                    .collect();
                format!("assay-{game}-from-{start}.db")
            }
        }
    }
}

/// Values fitted to games, without diagnostics.
#[derive(Clone, Debug)]
pub struct FittedValues {
    pub game: Arc<GameDef>,
    /// The fitted coefficients.
    pub estimate: Fit,
    /// Number of opening pairs.
    pub clusters: usize,
    /// Number of games.
    pub games: u64,
}

impl FittedValues {
    /// Fits the values.
    ///
    /// # Errors
    /// The reason if the games are not sufficient.
    pub fn of(data: &Dataset) -> Result<FittedValues, String> {
        let fitted = data.games.iter().filter(|game| !game.samples.is_empty());
        let clusters: std::collections::BTreeSet<usize> = fitted.map(|game| game.cluster).collect();
        Ok(FittedValues {
            game: Arc::clone(&data.game),
            estimate: Fit::of_games(data, PhaseModel::default()).map_err(|error| error.to_string())?,
            clusters: clusters.len(),
            games: data.games.len() as u64,
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameResult {
    /// Number of the opening pair, over all files.
    pub pair: u64,
    /// True in the second game of a pair, with the armies swapped.
    pub swapped: bool,
    /// White's score.
    pub white: Points,
    /// Index of the start in the order of the definition.
    pub start: usize,
}

/// Where the games of runs are.
#[derive(Clone, Debug)]
pub enum RunFiles {
    /// In this folder, in a file for each run.
    Folder(PathBuf),
    /// In these files.
    Named(BTreeMap<Run, Vec<PathBuf>>),
}

/// Files of games, read on first use.
#[derive(Debug)]
pub struct RunCache {
    locations: RunFiles,
    custom: Vec<GameSource>,
    values: RefCell<BTreeMap<Run, Result<Rc<FittedValues>, String>>>,
    scores: RefCell<BTreeMap<Run, Result<Rc<Vec<GameResult>>, String>>>,
    played: RefCell<BTreeMap<Run, Result<Rc<Vec<PlayedGame>>, String>>>,
    /// By game and pieces.
    endgames: RefCell<BTreeMap<(String, Vec<String>), Result<Rc<EndgameCounts>, String>>>,
    files: RefCell<BTreeMap<Run, Vec<DataFile>>>,
    error: RefCell<Option<DataError>>,
}

impl RunCache {
    /// Creates a cache of files. `custom` are the games that are not built in.
    pub fn new(locations: RunFiles, custom: Vec<GameSource>) -> RunCache {
        RunCache {
            locations,
            custom,
            values: RefCell::default(),
            scores: RefCell::default(),
            played: RefCell::default(),
            endgames: RefCell::default(),
            files: RefCell::default(),
            error: RefCell::default(),
        }
    }

    /// Finds a game by name among the custom games and the built-in ones.
    pub fn source(&self, name: &str) -> Option<GameSource> {
        let custom = self.custom.iter().find(|source| source.game.name == name).cloned();
        custom.or_else(|| GameSource::builtin(name))
    }

    /// Metadata of the files read so far.
    pub fn files(&self) -> Vec<DataFile> {
        self.files.borrow().values().flatten().cloned().collect()
    }

    /// Takes the first error of a file that exists but cannot be used, so that playing more games would not help.
    pub fn take_error(&self) -> Option<DataError> {
        self.error.borrow_mut().take()
    }

    /// Paths of a run's files, if they exist and hold games of the run.
    fn existing_files(&self, run: &Run) -> Result<Vec<PathBuf>, String> {
        let paths = self.paths(run)?;
        for path in &paths {
            self.check_games(run, path).map_err(|error| self.record_error(error))?;
        }
        Ok(paths)
    }

    /// Fails if a file has games of another run, or of another definition by the same name.
    fn check_games(&self, run: &Run, path: &Path) -> Result<(), DataError> {
        let found = Run::of_file(path)?;
        let game = Store::open_read(path)?.source().game.clone();
        let is_known = self.source(&run.game).is_some_and(|source| *source.game == *game);
        if found.as_ref() == Some(run) && is_known {
            return Ok(());
        }
        let of_run = |run: &Run| format!("{} like those of {}", run.game, run.file_name());
        Err(DataError::OtherGame {
            path: path.to_owned(),
            found: match &found {
                Some(found) if found == run => format!("another definition of {}", run.game),
                Some(found) => of_run(found),
                None => format!("{} that are no self-play from random openings", game.name),
            },
            expected: of_run(run),
        })
    }

    /// Paths of a run's files, if they exist.
    fn paths(&self, run: &Run) -> Result<Vec<PathBuf>, String> {
        match &self.locations {
            RunFiles::Folder(folder) => {
                let path = folder.join(run.file_name());
                let is_there = path.exists();
                let missing = || format!("{}: no games yet", path.display());
                is_there.then(|| vec![path.clone()]).ok_or_else(missing)
            }
            RunFiles::Named(files) => {
                let found = files.get(run).cloned();
                found.ok_or_else(|| format!("found no games like those of {}", run.file_name()))
            }
        }
    }

    /// Stores the error for [`RunCache::take_error`] and returns its text.
    fn record_error(&self, error: DataError) -> String {
        let text = error.to_string();
        self.error.borrow_mut().get_or_insert(error);
        text
    }

    /// Returns the fitted values of a game.
    ///
    /// # Errors
    /// The reason if the games are not sufficient.
    pub fn values(&self, game: &str) -> Result<Rc<FittedValues>, String> {
        let run = Run::values(game);
        let cached = self.values.borrow().get(&run).cloned();
        cached.unwrap_or_else(|| {
            let read = self.read_values(&run);
            self.values.borrow_mut().insert(run, read.clone());
            read
        })
    }

    /// Inserts values as if they had been read.
    #[cfg(test)]
    pub(super) fn put_values(&self, game: &str, fitted: FittedValues) {
        self.values.borrow_mut().insert(Run::values(game), Ok(Rc::new(fitted)));
    }

    /// Inserts games as if they had been read and measured.
    #[cfg(test)]
    pub(super) fn put_played(&self, run: Run, games: Vec<PlayedGame>) {
        self.played.borrow_mut().insert(run, Ok(Rc::new(games)));
    }

    /// Inserts results as if they had been read.
    #[cfg(test)]
    pub(super) fn put_scores(&self, run: Run, scores: Vec<GameResult>) {
        self.scores.borrow_mut().insert(run, Ok(Rc::new(scores)));
    }

    fn read_values(&self, run: &Run) -> Result<Rc<FittedValues>, String> {
        let data = Dataset::read(&self.existing_files(run)?).map_err(|error| self.record_error(error))?;
        self.files.borrow_mut().insert(run.clone(), data.files.clone());
        FittedValues::of(&data).map(Rc::new)
    }

    /// Returns the cost of a missing pawn.
    ///
    /// # Errors
    /// The reason if the games are not sufficient.
    pub fn pawn_cost(&self, game: &str) -> Result<PawnCost, String> {
        let run = Run::playtest(game);
        // Reads the files for their hashes; the playtest reads them again for its scores.
        self.scores(&run)?;
        playtest::pawn_cost(&self.existing_files(&run)?).map_err(|error| error.to_string())
    }

    /// Returns the results of a run in game order.
    ///
    /// # Errors
    /// The reason if the file cannot be read.
    pub fn scores(&self, run: &Run) -> Result<Rc<Vec<GameResult>>, String> {
        let cached = self.scores.borrow().get(run).cloned();
        cached.unwrap_or_else(|| {
            let read = self.read_scores(run).map(Rc::new);
            self.scores.borrow_mut().insert(run.clone(), read.clone());
            read
        })
    }

    /// Returns how the games of a run were played, in game order.
    ///
    /// # Errors
    /// The reason if the files cannot be read or the games not measured.
    pub fn played(&self, run: &Run) -> Result<Rc<Vec<PlayedGame>>, String> {
        let cached = self.played.borrow().get(run).cloned();
        cached.unwrap_or_else(|| {
            let read = self.read_played(run).map(Rc::new);
            self.played.borrow_mut().insert(run.clone(), read.clone());
            read
        })
    }

    fn read_played(&self, run: &Run) -> Result<Vec<PlayedGame>, String> {
        let mut games = Vec::new();
        let read = data::read_runs(
            &self.existing_files(run)?,
            &mut data::unwatched,
            |file, records, pairs| {
                games.extend(played_games::read(file, records, pairs)?);
                Ok(())
            },
        );
        let read = read.map_err(|error: DataError| self.record_error(error))?;
        self.files.borrow_mut().insert(run.clone(), read.files);
        played_games::measure(&games)
    }

    /// Solves the endgame of a king and pieces against a bare king, for [`RunCache::endgame`]. An endgame that cannot be solved, or whose analysis
    /// was stopped, is kept as the reason.
    pub fn solve_endgame(
        &self,
        game: &str,
        pieces: &[String],
        stop: &AtomicBool,
        report: &mut dyn FnMut(EndgameProgress),
    ) {
        let key = (game.to_owned(), pieces.to_vec());
        if self.endgames.borrow().contains_key(&key) {
            return;
        }
        let solved = match self.source(game) {
            Some(source) => {
                solved_endgames::solve(&source.game, pieces, stop, report).map_err(|error| error.to_string())
            }
            None => Err(format!("found `{game}`, expected a known game")),
        };
        self.endgames.borrow_mut().insert(key, solved.map(Rc::new));
    }

    /// Returns a solved endgame.
    ///
    /// # Errors
    /// The reason if it has not been solved.
    pub fn endgame(&self, game: &str, pieces: &[String]) -> Result<Rc<EndgameCounts>, String> {
        let endgames = self.endgames.borrow();
        let solved = endgames.get(&(game.to_owned(), pieces.to_vec())).cloned();
        solved.unwrap_or_else(|| Err("the endgame has not been solved".to_owned()))
    }

    fn read_scores(&self, run: &Run) -> Result<Vec<GameResult>, String> {
        let (mut files, mut scores, mut pairs) = (Vec::new(), Vec::new(), PairNumbers::default());
        for file in data::open_runs(&self.existing_files(run)?) {
            let file = file.map_err(|error| self.record_error(error))?;
            // Only claims about equal armies need the starts. Generating the openings of other runs takes long.
            let openings = match run.kind {
                RunKind::Equal => file.settings().random_openings(),
                _ => None,
            };
            let openings = openings
                .map(|openings| OpeningGenerator::new(&file.game, openings, file.settings().seed))
                .transpose()
                .map_err(|error| error.to_string())?;
            pairs.next_file();
            let read = file.read(&mut data::unwatched, |records| -> Result<(), DataError> {
                scores.extend(records.iter().map(|record| GameResult {
                    pair: pairs.number(record.pair) as u64,
                    swapped: record.index % 2 == 1,
                    white: record.result,
                    start: openings.as_ref().map_or(0, |openings| openings.start_of(record.pair)),
                }));
                Ok(())
            });
            files.push(read.map_err(|error| self.record_error(error))?);
        }
        self.files.borrow_mut().insert(run.clone(), files);
        Ok(scores)
    }
}
