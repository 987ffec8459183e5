//! Runs of games for testing claims: their files, what is computed from them, and the numbers of
//! formulas.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use assay_engine::endgame::EndgameProgress;
use assay_rules::{GameDef, Kind};
use assay_selfplay::run::Look;
use assay_selfplay::settings::GameSource;
use assay_selfplay::{Store, StoreError};

use super::exact::{self, Place, SolvedEndgame};
use super::looks::AlphaShare;
use super::play::{self, Means};
use super::terms::{PAWN_COST, Run, RunKind, Term};
use crate::values::data::{self, DataError, DataFile, Dataset};
use crate::values::design::PhaseModel;
use crate::values::inference::{Fit, Quantity};
use crate::values::playtest;

/// The games of all runs, read on first use, and the endgames solved so far.
#[derive(Debug)]
pub struct Runs {
    /// Where the games of each run are.
    paths: BTreeMap<Run, Vec<PathBuf>>,
    /// The games that are not built in.
    sources: Vec<GameSource>,
    values: BTreeMap<Run, Result<Fit, String>>,
    means: BTreeMap<Run, Result<Means, String>>,
    /// By game and pieces.
    endgames: BTreeMap<(String, Vec<Kind>), Result<SolvedEndgame, String>>,
    files: BTreeMap<Run, Vec<DataFile>>,
    /// Looks at the games so far.
    looks: BTreeMap<Run, Vec<Look>>,
    error: Option<DataError>,
}

impl Runs {
    pub fn new(paths: BTreeMap<Run, Vec<PathBuf>>, sources: Vec<GameSource>) -> Runs {
        Runs {
            paths,
            sources,
            values: BTreeMap::new(),
            means: BTreeMap::new(),
            endgames: BTreeMap::new(),
            files: BTreeMap::new(),
            looks: BTreeMap::new(),
            error: None,
        }
    }

    /// Stores in all files that have new games that these are looked at. `is_interim` tells that
    /// fewer games than planned have been played.
    ///
    /// # Errors
    /// If a file cannot be used. One that may not be written can.
    pub fn look(&mut self, is_interim: bool) -> Result<(), StoreError> {
        let paths = self.paths.iter().flat_map(|(run, paths)| paths.iter().map(move |path| (run, path)));
        let existing = paths.filter(|(_, path)| path.exists());
        let stores = existing.map(|(run, path)| Ok((run, Store::open_checked(path)?)));
        let mut stores = stores.collect::<Result<Vec<_>, StoreError>>()?;
        let last = stores.iter().flat_map(|(_, store)| &store.header().looks).map(|look| look.number).max();
        for (run, store) in &mut stores {
            store.add_look(last.unwrap_or(0).saturating_add(1), is_interim)?;
            self.looks.entry(run.clone()).or_default().extend(store.header().looks.iter().cloned());
        }
        Ok(())
    }

    /// The part of the error probability that the present look at the games of some runs may use.
    pub(super) fn alpha<'r>(&self, runs: impl Iterator<Item = &'r Run>) -> AlphaShare {
        AlphaShare::of(runs.filter_map(|run| self.looks.get(run)).flatten())
    }

    /// Finds a game by name among those given and the built-in ones.
    pub fn source(&self, name: &str) -> Option<GameSource> {
        let given = self.sources.iter().find(|source| source.game.name == name).cloned();
        given.or_else(|| GameSource::builtin(name))
    }

    /// Metadata of the files read so far.
    pub fn files(&self) -> Vec<DataFile> {
        self.files.values().flatten().cloned().collect()
    }

    /// Takes the first error of a file that exists but cannot be used, so that playing more games
    /// would not help.
    pub fn take_error(&mut self) -> Option<DataError> {
        self.error.take()
    }

    /// The number of a term; `place` is the start and side whose pieces are counted.
    ///
    /// # Errors
    /// The reason if the games do not give it.
    pub(super) fn number(&mut self, term: &Term, place: Place) -> Result<Quantity, String> {
        match term {
            Term::Value { run, regressor, left } => {
                if !self.values.contains_key(run) {
                    let read = self.read_values(run);
                    self.values.insert(run.clone(), read);
                }
                let fit = self.values[run].as_ref().map_err(Clone::clone)?;
                // A document that gives a color-bound kind one value means each of two, so half of
                // the pair's bonus belongs to it.
                let worth = fit.worth(*regressor, left.unwrap_or(fit.mean_left));
                let worth = worth.ok_or_else(|| format!("{} is not measured", regressor.name(&fit.game)))?;
                Ok(fit.quantity(worth))
            }
            Term::Measure { run, name } => {
                if !self.means.contains_key(run) {
                    let read = self.read_means(run);
                    self.means.insert(run.clone(), read);
                }
                self.means[run].as_ref().map_err(Clone::clone)?[name].clone()
            }
            Term::Setup { game, name } => {
                let source = self.source(game).ok_or_else(|| format!("{game} is not known"))?;
                exact::setup(&source.game, name, place).map(Quantity::constant)
            }
            Term::ForcedMates { game, pieces } => {
                self.endgame(game, pieces).map(|solved| Quantity::constant(solved.won))
            }
        }
    }

    /// Returns a solved endgame.
    pub(super) fn endgame(&self, game: &str, pieces: &[Kind]) -> Result<&SolvedEndgame, String> {
        let solved = self.endgames.get(&(game.to_owned(), pieces.to_vec()));
        let solved = solved.ok_or_else(|| "the endgame has not been solved".to_owned())?;
        solved.as_ref().map_err(Clone::clone)
    }

    /// Solves the endgame of a king and pieces against a bare king. An endgame that cannot be
    /// solved, or whose analysis was stopped, is kept as the reason.
    pub fn solve_endgame(
        &mut self,
        game: &Arc<GameDef>,
        pieces: &[Kind],
        stop: &AtomicBool,
        report: &mut dyn FnMut(EndgameProgress),
    ) {
        let solve = || exact::solve(game, pieces, stop, report).map_err(|error| error.to_string());
        let endgame = (game.name.clone(), pieces.to_vec());
        self.endgames.entry(endgame).or_insert_with(solve);
    }

    /// Inserts values as if they had been read.
    #[cfg(test)]
    pub(super) fn put_values(&mut self, game: &str, values: Fit) {
        self.values.insert(Run::new(game, RunKind::Values), Ok(values));
    }

    /// Inserts games as if they had been read.
    #[cfg(test)]
    pub(super) fn put_games(&mut self, run: Run, games: &[play::PlayedGame]) {
        let is_shared = self.has_shared_openings(&run);
        self.means.insert(run, Ok(play::means(games, is_shared)));
    }

    /// Paths of a run's files, if they exist and hold games of the run.
    fn existing_files(&mut self, run: &Run) -> Result<Vec<PathBuf>, String> {
        let paths = self.paths.get(run);
        let paths = paths.filter(|paths| paths.iter().all(|path| path.exists())).cloned();
        let paths = paths.ok_or_else(|| format!("found no games like those of {}", run.file_name()))?;
        let checked = paths.iter().try_for_each(|path| self.check_games(run, path));
        checked.map_err(|error| self.record_error(error))?;
        Ok(paths)
    }

    /// Fails if a file has games of another run, or by other rules of the same name.
    fn check_games(&self, run: &Run, path: &Path) -> Result<(), DataError> {
        let found = Run::of_file(path)?;
        let stored = Store::open_read(path)?.source().clone();
        let game = &stored.game;
        let is_known = self.source(&run.game).is_some_and(|source| source.rules_hash() == stored.rules_hash());
        if found.contains(run) && is_known {
            return Ok(());
        }
        let of_run = |run: &Run| format!("{} like those of {}", run.game, run.file_name());
        let found = match found.first() {
            Some(_) if found.contains(run) => format!("other rules of {}", run.game),
            Some(found) => of_run(found),
            None => format!("{} that are no self-play from random openings", game.name),
        };
        let fault = format!("found games of {found}, expected {}", of_run(run));
        Err(DataError::at(path, fault))
    }

    /// Stores the error for [`Runs::take_error`] and returns its text.
    fn record_error(&mut self, error: DataError) -> String {
        let text = error.to_string();
        self.error.get_or_insert(error);
        text
    }

    fn read_values(&mut self, run: &Run) -> Result<Fit, String> {
        let paths = self.existing_files(run)?;
        let mut data = Dataset::read(&paths).map_err(|error| self.record_error(error))?;
        // Published values may have changed since the games were played.
        if let Some(source) = self.source(&run.game) {
            data.game = source.game;
        }
        self.files.insert(run.clone(), data.files.clone());
        Fit::of_games(&data, PhaseModel::default()).map_err(|error| error.to_string())
    }

    fn read_means(&mut self, run: &Run) -> Result<Means, String> {
        let paths = self.existing_files(run)?;
        let mut games = Vec::new();
        let read = data::read_runs(&paths, &mut data::unwatched, |file, records, pairs| {
            games.extend(play::read(file, records, pairs, run.kind == RunKind::Equal)?);
            Ok(())
        });
        let read = read.map_err(|error: DataError| self.record_error(error))?;
        self.files.insert(run.clone(), read.files);
        if run.kind == RunKind::Playtest {
            let cost = playtest::pawn_cost(&paths).map_err(|error| error.to_string());
            return Ok(BTreeMap::from([(PAWN_COST, cost)]));
        }
        Ok(play::means(&games, self.has_shared_openings(run)))
    }

    /// Games between equal armies of two definitions that somebody compares come from the same
    /// openings: the same seed draws the same moves as long as the rules allow them.
    fn has_shared_openings(&self, run: &Run) -> bool {
        run.kind == RunKind::Equal && self.source(&run.game).is_some_and(|source| source.text.is_some())
    }
}
