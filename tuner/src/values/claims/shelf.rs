//! The games that claims need: which, in which files, and what is read from them. Each file is read once.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use assay_rules::{GameDef, Points};
use assay_selfplay::openings::Openings;
use assay_selfplay::settings::GameSource;

use super::table;
use crate::values::analysis::fit_values;
use crate::values::data::{self, DataError, DataFile, Dataset};
use crate::values::inference::estimate::Estimate;
use crate::values::playtest::{self, PawnCost};

/// A sort of games.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sort {
    /// Those from which `validate` takes values.
    Values,
    /// Those of the second method.
    Playtest,
    /// From equal armies, as `stats` plays them.
    Equal,
    /// From one start, with or without handicap.
    From(String),
}

/// Games that are needed: a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Run {
    /// The game's name.
    pub game: String,
    /// Which games.
    pub sort: Sort,
}

impl Run {
    /// Games for values.
    pub fn values(game: &str) -> Run {
        Run::of(game, Sort::Values)
    }

    /// Games of the second method.
    pub fn playtest(game: &str) -> Run {
        Run::of(game, Sort::Playtest)
    }

    /// Games from equal armies.
    pub fn equal(game: &str) -> Run {
        Run::of(game, Sort::Equal)
    }

    /// Games from one start.
    pub fn from(game: &str, start: &str) -> Run {
        Run::of(game, Sort::From(start.to_owned()))
    }

    fn of(game: &str, sort: Sort) -> Run {
        Run {
            game: game.to_owned(),
            sort,
        }
    }

    /// The file's name: that which the command for such games gives it, too.
    pub fn file_name(&self) -> String {
        let game = &self.game;
        match &self.sort {
            Sort::Values => format!("assay-{game}.db"),
            Sort::Playtest => format!("assay-{game}-playtest.db"),
            Sort::Equal => format!("assay-{game}-stats.db"),
            Sort::From(start) => {
                let start: String = start
                    .chars()
                    .map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' })
                    .collect();
                format!("assay-{game}-from-{start}.db")
            }
        }
    }
}

/// Values from games, without checks.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The game.
    pub game: Arc<GameDef>,
    /// The estimate that values are made of.
    pub estimate: Estimate,
    /// Opening pairs behind it.
    pub clusters: usize,
    /// Games behind it.
    pub games: u64,
}

impl Measured {
    /// Measures.
    ///
    /// # Errors
    /// Why the games do not tell.
    pub fn of(data: &Dataset) -> Result<Measured, String> {
        let fitted = data.games.iter().filter(|game| !game.samples.is_empty());
        let clusters: std::collections::BTreeSet<usize> = fitted.map(|game| game.cluster).collect();
        Ok(Measured {
            game: Arc::clone(&data.game),
            estimate: fit_values(data).map_err(|why| why.to_string())?,
            clusters: clusters.len(),
            games: data.games.len() as u64,
        })
    }
}

/// A game's result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scored {
    /// The opening's number.
    pub pair: u64,
    /// Were the armies swapped?
    pub swapped: bool,
    /// White's score.
    pub white: Points,
    /// Which of the game's starts it began from, in the order of the definition.
    pub start: usize,
}

/// Files of games in a folder, read when they are asked for.
#[derive(Debug)]
pub struct Shelf {
    folder: PathBuf,
    own: Vec<GameSource>,
    values: RefCell<BTreeMap<Run, Result<Rc<Measured>, String>>>,
    scores: RefCell<BTreeMap<Run, Result<Rc<Vec<Scored>>, String>>>,
    files: RefCell<BTreeMap<Run, DataFile>>,
    fault: RefCell<Option<DataError>>,
}

impl Shelf {
    /// The files in a folder; `own` are the games that are not built in.
    pub fn new(folder: &Path, own: Vec<GameSource>) -> Shelf {
        Shelf {
            folder: folder.to_owned(),
            own,
            values: RefCell::default(),
            scores: RefCell::default(),
            files: RefCell::default(),
            fault: RefCell::default(),
        }
    }

    /// A game by its name: built in, one that claims are tested with, or the user's own.
    pub fn source(&self, name: &str) -> Option<GameSource> {
        let own = self.own.iter().find(|source| source.game.name == name).cloned();
        own.or_else(|| GameSource::builtin(name))
            .or_else(|| table::variant(name))
    }

    /// Where a run is kept.
    pub fn path(&self, run: &Run) -> PathBuf {
        self.folder.join(run.file_name())
    }

    /// What is known of the files that were read.
    pub fn files(&self) -> Vec<DataFile> {
        self.files.borrow().values().cloned().collect()
    }

    /// The first file that was there and could not be used: no matter of more games.
    pub fn take_fault(&self) -> Option<DataError> {
        self.fault.borrow_mut().take()
    }

    /// The file of a run, when there is one.
    fn there(&self, run: &Run) -> Result<PathBuf, String> {
        let path = self.path(run);
        if path.exists() {
            Ok(path)
        } else {
            Err(format!("{}: no games yet", path.display()))
        }
    }

    /// Keeps the error for [`Shelf::take_fault`], and gives its text.
    fn faulty(&self, error: DataError) -> String {
        let text = error.to_string();
        self.fault.borrow_mut().get_or_insert(error);
        text
    }

    /// A game's values.
    ///
    /// # Errors
    /// Why the games do not tell.
    pub fn values(&self, game: &str) -> Result<Rc<Measured>, String> {
        let run = Run::values(game);
        let known = self.values.borrow().get(&run).cloned();
        known.unwrap_or_else(|| {
            let read = self.read_values(&run);
            self.values.borrow_mut().insert(run, read.clone());
            read
        })
    }

    /// Values as if they had been read.
    #[cfg(test)]
    pub(super) fn put_values(&self, game: &str, measured: Measured) {
        self.values
            .borrow_mut()
            .insert(Run::values(game), Ok(Rc::new(measured)));
    }

    /// Results as if they had been read.
    #[cfg(test)]
    pub(super) fn put_scores(&self, run: Run, scores: Vec<Scored>) {
        self.scores.borrow_mut().insert(run, Ok(Rc::new(scores)));
    }

    fn read_values(&self, run: &Run) -> Result<Rc<Measured>, String> {
        let data = Dataset::read(&[self.there(run)?]).map_err(|error| self.faulty(error))?;
        if let Some(file) = data.files.first() {
            self.files.borrow_mut().insert(run.clone(), file.clone());
        }
        Measured::of(&data).map(Rc::new)
    }

    /// What a missing pawn costs.
    ///
    /// # Errors
    /// Why the games do not tell.
    pub fn pawn_cost(&self, game: &str) -> Result<PawnCost, String> {
        let run = Run::playtest(game);
        // Its games are looked at twice, for their hash and for their scores.
        self.scores(&run)?;
        playtest::pawn_cost(&self.path(&run)).map_err(|error| error.to_string())
    }

    /// The results of a run, in the order of its games.
    ///
    /// # Errors
    /// Why the file cannot be read.
    pub fn scores(&self, run: &Run) -> Result<Rc<Vec<Scored>>, String> {
        let known = self.scores.borrow().get(run).cloned();
        known.unwrap_or_else(|| {
            let read = self.read_scores(run).map(Rc::new);
            self.scores.borrow_mut().insert(run.clone(), read.clone());
            read
        })
    }

    fn read_scores(&self, run: &Run) -> Result<Vec<Scored>, String> {
        let path = [self.there(run)?];
        let read = data::load_runs(&path).next().ok_or("no file")?;
        let read = read.map_err(|error| self.faulty(error))?;
        // Other games are not asked which start they began from, and their plans are long to make.
        let openings = match run.sort {
            Sort::Equal => Some(Openings::new(&read.game, &read.settings.opening, read.settings.seed)),
            _ => None,
        };
        let openings = openings.transpose().map_err(|error| error.to_string())?;
        self.files.borrow_mut().insert(run.clone(), read.file);
        let scored = read.records.iter().map(|record| Scored {
            pair: record.pair,
            swapped: record.index % 2 == 1,
            white: record.result,
            start: openings.as_ref().map_or(0, |openings| openings.start_of(record.pair)),
        });
        Ok(scored.collect())
    }
}
