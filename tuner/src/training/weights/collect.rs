//! Training examples from files of games.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use assay_engine::eval::{MAX_PHASE, Tracer};
use assay_engine::{CompiledRuleset, Move, Position, Score, Tables, Visitor, dispatch};
use assay_rules::{Color, GameDef};
use assay_selfplay::game::{Eval, ReplayError};
use assay_selfplay::{GameRecord, PlayedMove};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

use super::{Examples, TrainingError};
use crate::values::data::{DataError, DataFile, PairNumbers, open_runs, unwatched};

/// Positions are shuffled with a fixed seed, because neighboring positions share a game and its result.
const SHUFFLE_SEED: u64 = 0x0A55_A7E7_A1E0_0001;

/// Examples of all games.
#[derive(Clone, Debug)]
pub struct TuningData {
    /// The chess variant.
    pub game: Arc<GameDef>,
    /// Files of games.
    pub files: Vec<DataFile>,
    /// Examples in a fixed random order.
    pub examples: Examples,
    /// Number of opening pairs.
    pub clusters: usize,
    /// By term: number of occurrences weighted by the middlegame share and by the endgame share of the position.
    pub occurrences: Vec<[f64; 2]>,
}

/// Files of games with one result for each game.
pub(crate) struct LoadedGames<P> {
    /// The chess variant.
    pub(crate) game: Arc<GameDef>,
    pub(crate) files: Vec<DataFile>,
    /// Number of opening pairs.
    pub(crate) clusters: usize,
    /// Results in the order of files and game numbers.
    pub(crate) parts: Vec<P>,
}

pub(crate) struct FileGames<'r> {
    pub(crate) records: &'r [GameRecord],
    clusters: BTreeMap<u64, u32>,
}

impl FileGames<'_> {
    /// Maps each game in parallel; `make` takes the game and the index of its opening pair.
    pub(crate) fn each<P: Send>(
        &self,
        make: impl Fn(&GameRecord, u32) -> Result<P, ReplayError> + Sync,
    ) -> Result<Vec<P>, ReplayError> {
        let made: Vec<Result<P, ReplayError>> = self
            .records
            .par_iter()
            .map(|record| make(record, self.clusters[&record.pair]))
            .collect();
        made.into_iter().collect()
    }
}

/// Reads files of games and maps the games a chunk at a time. Errors are those of [`collect`].
pub(crate) fn load_games<P>(
    paths: &[PathBuf],
    make: impl Fn(&Arc<GameDef>, FileGames<'_>) -> Result<Vec<P>, ReplayError>,
) -> Result<LoadedGames<P>, TrainingError> {
    let (mut loaded, mut pairs) = (None::<LoadedGames<P>>, PairNumbers::default());
    for run in open_runs(paths) {
        let run = run?;
        let loaded = loaded.get_or_insert_with(|| LoadedGames {
            game: Arc::clone(&run.game),
            files: Vec::new(),
            clusters: 0,
            parts: Vec::new(),
        });
        pairs.next_file();
        let file = run.read(&mut unwatched, |records| -> Result<(), DataError> {
            let clusters = records
                .iter()
                .map(|record| (record.pair, pairs.number(record.pair) as u32))
                .collect();
            let made = make(&run.game, FileGames { records, clusters });
            loaded.parts.extend(made.map_err(|error| run.replay_error(error))?);
            Ok(())
        })?;
        loaded.clusters = pairs.count();
        loaded.files.push(file);
    }
    Ok(loaded.ok_or(DataError::NoFile)?)
}

/// All positions of games with these lengths as (game, index) in a fixed random order.
pub(crate) fn shuffled(lengths: impl Iterator<Item = usize>) -> Vec<(usize, usize)> {
    let of_game = |(game, length): (usize, usize)| (0..length as u32).map(move |index| (game as u32, index));
    let mut order: Vec<(u32, u32)> = lengths.enumerate().flat_map(of_game).collect();
    order.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(SHUFFLE_SEED));
    order
        .into_iter()
        .map(|(game, index)| (game as usize, index as usize))
        .collect()
}

/// Reads files of games and extracts their quiet positions.
///
/// A position is quiet if the side to move is not in check, the move played neither captures nor promotes, and the search found no mate: the engine
/// evaluates only such positions, at the leaves of quiescence search. The random opening moves precede a game's start and are not included.
///
/// All positions have equal weight.
///
/// # Errors
/// If a file is unreadable, holds another variant than the first one or a run for the second time, or contains illegal games; if no position
/// is left.
pub fn collect(paths: &[PathBuf]) -> Result<TuningData, TrainingError> {
    let loaded = load_games(paths, |game, games| dispatch(game, Collect(games)))?;
    let mut examples = Examples::default();
    for (game, index) in shuffled(loaded.parts.iter().map(|part| part.examples.len())) {
        examples.add(loaded.parts[game].examples.get(index));
    }
    if examples.is_empty() {
        return Err(TrainingError::Empty { files: paths.to_vec() });
    }
    let mut occurrences = vec![[0.0; 2]; loaded.parts[0].occurrences.len()];
    for part in &loaded.parts {
        for (sum, more) in occurrences
            .as_flattened_mut()
            .iter_mut()
            .zip(part.occurrences.as_flattened())
        {
            *sum += more;
        }
    }
    Ok(TuningData {
        game: loaded.game,
        files: loaded.files,
        examples,
        clusters: loaded.clusters,
        occurrences,
    })
}

/// Examples and term occurrences of one game.
struct GameExamples {
    examples: Examples,
    occurrences: Vec<[f64; 2]>,
}

struct Collect<'r>(FileGames<'r>);

impl Visitor for Collect<'_> {
    type Output = Result<Vec<GameExamples>, ReplayError>;

    fn visit<R: CompiledRuleset>(self, tables: Arc<Tables<R>>) -> Self::Output {
        let tracer = Tracer::<R>::new(tables.game());
        self.0.each(|record, cluster| part(&tables, &tracer, record, cluster))
    }
}

fn part<R: CompiledRuleset>(
    tables: &Arc<Tables<R>>,
    tracer: &Tracer<R>,
    record: &GameRecord,
    cluster: u32,
) -> Result<GameExamples, ReplayError> {
    let mut part = GameExamples {
        examples: Examples::default(),
        occurrences: vec![[0.0; 2]; tracer.terms().len()],
    };
    quiet(tables, record, |position, expected| {
        let trace = tracer.trace(position);
        part.examples.push(&trace, record.result.as_f64(), expected, cluster);
        let share = f64::from(trace.phase) / f64::from(MAX_PHASE);
        for (term, [white, black]) in trace.terms {
            let [middle, end] = &mut part.occurrences[term.index()];
            let times = f64::from(white.abs() + black.abs());
            *middle += times * share;
            *end += times * (1.0 - share);
        }
    })?;
    Ok(part)
}

/// Calls `look` with each quiet position of a game and the search's expected points for White, 0 to 1.
pub(crate) fn quiet<R: CompiledRuleset>(
    tables: &Arc<Tables<R>>,
    record: &GameRecord,
    mut look: impl FnMut(&Position<R>, f64),
) -> Result<(), ReplayError> {
    record.visit_positions(tables, |position, played| {
        if let Some((played, mv)) = played
            && let Some(expected) = white_expects(position, played, mv)
        {
            look(position, expected);
        }
        ControlFlow::Continue(())
    })
}

/// White's expected points by the search, 0 to 1; `None` if the position is not quiet or has no score.
fn white_expects<R: CompiledRuleset>(position: &Position<R>, played: &PlayedMove, mv: Move) -> Option<f64> {
    let Some(Eval::Centipawns(centipawns)) = played.eval else {
        return None;
    };
    if position.in_check() || mv.promotion().is_some() || position.is_capture(mv) {
        return None;
    }
    let points = Score::from_centipawns(centipawns).expected_points();
    Some(match position.side_to_move() {
        Color::White => points,
        Color::Black => 1.0 - points,
    })
}
