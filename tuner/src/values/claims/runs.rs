//! Runs of games for testing claims: what is computed from them, and the numbers of formulas.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use assay_engine::endgame::EndgameProgress;
use assay_rules::{GameDef, Kind};
use assay_selfplay::RecordedRun;
use assay_selfplay::settings::GameSource;

use super::exact::{self, Place, SolvedEndgame};
use super::looks::AlphaShare;
use super::play::{self, Means};
use super::terms::{PAWN_COST, Run, RunKind, Term};
use crate::values::data::{self, DataError, DataFile, Dataset};
use crate::values::design::PhaseModel;
use crate::values::inference::{Fit, Quantity};
use crate::values::playtest;

/// The games of all runs, read on first use, and the endgames solved so far.
pub struct Runs<'r> {
    /// The games of each run.
    games: BTreeMap<Run, Vec<&'r dyn RecordedRun>>,
    /// The games that are not built in.
    sources: Vec<GameSource>,
    values: BTreeMap<Run, Result<Fit, String>>,
    means: BTreeMap<Run, Result<Means, String>>,
    /// By game and pieces.
    endgames: BTreeMap<(String, Vec<Kind>), Result<SolvedEndgame, String>>,
    files: BTreeMap<Run, Vec<DataFile>>,
    error: Option<DataError>,
}

/// Finds a game by name among some and the built-in ones.
pub fn source_named(sources: &[GameSource], name: &str) -> Option<GameSource> {
    let given = sources.iter().find(|source| source.game.name == name).cloned();
    given.or_else(|| GameSource::builtin(name))
}

impl<'r> Runs<'r> {
    pub fn new(games: BTreeMap<Run, Vec<&'r dyn RecordedRun>>, sources: Vec<GameSource>) -> Runs<'r> {
        Runs {
            games,
            sources,
            values: BTreeMap::new(),
            means: BTreeMap::new(),
            endgames: BTreeMap::new(),
            files: BTreeMap::new(),
            error: None,
        }
    }

    /// The part of the error probability that the last look at the games of some runs may use.
    pub(super) fn alpha<'n>(&self, runs: impl Iterator<Item = &'n Run>) -> AlphaShare {
        let games = runs.filter_map(|run| self.games.get(run)).flatten();
        AlphaShare::of(games.flat_map(|games| &games.header().looks))
    }

    /// Finds a game by name among those given and the built-in ones.
    pub fn source(&self, name: &str) -> Option<GameSource> {
        source_named(&self.sources, name)
    }

    /// Returns true if there are games of a run whose play has been measured.
    pub(super) fn has_games(&self, run: &Run) -> bool {
        self.means.get(run).is_some_and(Result::is_ok)
    }

    /// Metadata of the files read so far.
    pub fn files(&self) -> Vec<DataFile> {
        self.files.values().flatten().cloned().collect()
    }

    /// Takes the first error of games that there are but cannot be used, so that playing more games
    /// would not help.
    pub fn take_error(&mut self) -> Option<DataError> {
        self.error.take()
    }

    /// The number of a term; `place` is the start and side whose pieces are counted.
    ///
    /// # Errors
    /// The reason if the games do not give it.
    pub(super) fn number(&mut self, term: &Term, place: &Place) -> Result<Quantity, String> {
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
                let start = place.starts.get(game).copied().unwrap_or(0);
                exact::setup(&source.game, name, start, place.color).map(Quantity::constant)
            }
            Term::ForcedMates { game, pieces } => {
                self.endgame(game, pieces).map(|solved| Quantity::constant(solved.won))
            }
            Term::ColorBound { game, kind } => {
                let source = self.source(game).ok_or_else(|| format!("{game} is not known"))?;
                Ok(Quantity::constant(f64::from(u8::from(source.game.kinds.is_color_bound(*kind)))))
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

    /// The games of a run, if there are any and they are those of the run.
    fn games_of(&mut self, run: &Run) -> Result<Vec<&'r dyn RecordedRun>, String> {
        let games = self.games.get(run).cloned();
        let games = games.ok_or_else(|| format!("found no games like those of {}", run.file_name()))?;
        let checked = games.iter().try_for_each(|games| self.check_games(run, *games));
        checked.map_err(|error| self.record_error(error))?;
        Ok(games)
    }

    /// Fails if games are of another run, or by other rules of the same name.
    fn check_games(&self, run: &Run, games: &dyn RecordedRun) -> Result<(), DataError> {
        let found = Run::all_of(games);
        let recorded = &games.header().settings.source;
        let is_known = self.source(&run.game).is_some_and(|source| source.rules_hash() == recorded.rules_hash());
        if found.contains(run) && is_known {
            return Ok(());
        }
        let of_run = |run: &Run| format!("{} like those of {}", run.game, run.file_name());
        let found = match found.first() {
            Some(_) if found.contains(run) => format!("other rules of {}", run.game),
            Some(found) => of_run(found),
            None => format!("{} that are no self-play from random openings", recorded.game.name),
        };
        Err(DataError::at(games.name(), format_args!("found games of {found}, expected {}", of_run(run))))
    }

    /// Stores the error for [`Runs::take_error`] and returns its text.
    fn record_error(&mut self, error: DataError) -> String {
        let text = error.to_string();
        self.error.get_or_insert(error);
        text
    }

    fn read_values(&mut self, run: &Run) -> Result<Fit, String> {
        let games = self.games_of(run)?;
        let mut data = Dataset::read(&games).map_err(|error| self.record_error(error))?;
        // Published values may have changed since the games were played.
        if let Some(source) = self.source(&run.game) {
            data.game = source.game;
        }
        self.files.insert(run.clone(), data.files.clone());
        Fit::of_games(&data, PhaseModel::default()).map_err(|error| error.to_string())
    }

    fn read_means(&mut self, run: &Run) -> Result<Means, String> {
        let games = self.games_of(run)?;
        let mut played = Vec::new();
        let read = data::read_runs(&games, &mut data::unwatched, |reader, records, pairs| {
            played.extend(play::read(reader, records, pairs, run.kind == RunKind::Equal)?);
            Ok(())
        });
        let read = read.map_err(|error: DataError| self.record_error(error))?;
        self.files.insert(run.clone(), read.files);
        if run.kind == RunKind::Playtest {
            let cost = playtest::pawn_cost(&games).map_err(|error| error.to_string());
            return Ok(BTreeMap::from([(PAWN_COST, cost)]));
        }
        Ok(play::means(&played, self.has_shared_openings(run)))
    }

    /// Games between equal armies of two definitions that somebody compares come from the same
    /// openings: the same seed draws the same moves as long as the rules allow them.
    fn has_shared_openings(&self, run: &Run) -> bool {
        run.kind == RunKind::Equal && self.source(&run.game).is_some_and(|source| source.text.is_some())
    }
}
