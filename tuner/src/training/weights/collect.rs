//! Files of games as examples.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use assay_engine::eval::{MAX_PHASE, Tracer};
use assay_engine::{CompiledRuleset, Move, Position, Score, Tables, Visitor, dispatch};
use assay_rules::{Color, GameDef};
use assay_selfplay::players::player::Eval;
use assay_selfplay::store::ReplayError;
use assay_selfplay::{GameRecord, PlayedMove};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

use super::{Examples, TuneError};
use crate::values::data::{DataError, DataFile, LoadedRun, load_runs};

/// Positions of one game share its result, so they are dealt at random, with a fixed seed, lest a batch be a few games.
const DEAL_SEED: u64 = 0x0A55_A7E7_A1E0_0001;

/// The examples of all games.
#[derive(Clone, Debug)]
pub struct Collected {
    /// The game that they are from.
    pub game: Arc<GameDef>,
    /// The files.
    pub files: Vec<DataFile>,
    /// The positions, in a random but fixed order.
    pub examples: Examples,
    /// How many opening pairs there are.
    pub clusters: usize,
    /// By term and phase: how often either side has it, in positions that belong to that phase by that share.
    pub occurrences: Vec<[f64; 2]>,
}

/// Files of games, and what was made of each game.
pub(crate) struct Gathered<P> {
    /// The game that they are games of.
    pub(crate) game: Arc<GameDef>,
    /// The files.
    pub(crate) files: Vec<DataFile>,
    /// How many opening pairs there are.
    pub(crate) clusters: usize,
    /// By game, in the order of files and numbers.
    pub(crate) parts: Vec<P>,
}

/// The games of one file.
pub(crate) struct Games<'r> {
    /// The games.
    pub(crate) records: &'r [GameRecord],
    clusters: BTreeMap<u64, u32>,
}

impl Games<'_> {
    /// Makes something of each game, in parallel: `make` gets the game and the number of its opening pair.
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

/// Reads files of games one by one; `make` makes something of the games of each. The errors are those of [`collect`].
pub(crate) fn gather<P>(
    paths: &[PathBuf],
    make: impl Fn(&Arc<GameDef>, Games<'_>) -> Result<Vec<P>, ReplayError>,
) -> Result<Gathered<P>, TuneError> {
    let mut gathered: Option<Gathered<P>> = None;
    for run in load_runs(paths) {
        let LoadedRun {
            game, file, records, ..
        } = run?;
        let gathered = gathered.get_or_insert_with(|| Gathered {
            game: Arc::clone(&game),
            files: Vec::new(),
            clusters: 0,
            parts: Vec::new(),
        });
        let mut clusters = BTreeMap::new();
        for record in &records {
            let next = (gathered.clusters + clusters.len()) as u32;
            clusters.entry(record.pair).or_insert(next);
        }
        gathered.clusters += clusters.len();
        let games = Games {
            records: &records,
            clusters,
        };
        gathered
            .parts
            .extend(make(&game, games).map_err(|why| DataError::Replay {
                path: file.path.clone(),
                why,
            })?);
        gathered.files.push(file);
    }
    Ok(gathered.ok_or(DataError::NoFile)?)
}

/// All positions of games that have so many of them, as game and number within it, in random but fixed order.
pub(crate) fn shuffled(lengths: impl Iterator<Item = usize>) -> Vec<(usize, usize)> {
    let of_game = |(game, length): (usize, usize)| (0..length as u32).map(move |index| (game as u32, index));
    let mut order: Vec<(u32, u32)> = lengths.enumerate().flat_map(of_game).collect();
    order.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(DEAL_SEED));
    order
        .into_iter()
        .map(|(game, index)| (game as usize, index as usize))
        .collect()
}

/// Reads files of games and takes their quiet positions.
///
/// Quiet: the side to move is not in check, the move that was played neither captures nor promotes, and its search found no
/// mate. The evaluation is asked at the end of a quiescence search, so only of such positions. The random moves of the
/// openings come before a game's start and are no part of it.
///
/// All positions count alike: a long game has more of them than a short one, and the search meets more of their kind, too.
///
/// # Errors
/// When a file is unreadable, holds another game than the first one or the same run as another, or games that cannot be;
/// when no position is left.
pub fn collect(paths: &[PathBuf]) -> Result<Collected, TuneError> {
    let gathered = gather(paths, |game, games| dispatch(game, Collect(games)))?;
    let mut examples = Examples::default();
    for (game, index) in shuffled(gathered.parts.iter().map(|part| part.examples.len())) {
        examples.add(gathered.parts[game].examples.get(index));
    }
    if examples.is_empty() {
        return Err(TuneError::Empty { files: paths.to_vec() });
    }
    let mut occurrences = vec![[0.0; 2]; gathered.parts[0].occurrences.len()];
    for part in &gathered.parts {
        for (sum, more) in occurrences
            .as_flattened_mut()
            .iter_mut()
            .zip(part.occurrences.as_flattened())
        {
            *sum += more;
        }
    }
    Ok(Collected {
        game: gathered.game,
        files: gathered.files,
        examples,
        clusters: gathered.clusters,
        occurrences,
    })
}

/// What a game gives.
struct Part {
    examples: Examples,
    occurrences: Vec<[f64; 2]>,
}

struct Collect<'r>(Games<'r>);

impl Visitor for Collect<'_> {
    type Output = Result<Vec<Part>, ReplayError>;

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
) -> Result<Part, ReplayError> {
    let mut part = Part {
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

/// Shows the quiet positions of a game, each with White's points as the search expected them, 0 to 1.
pub(crate) fn quiet<R: CompiledRuleset>(
    tables: &Arc<Tables<R>>,
    record: &GameRecord,
    mut look: impl FnMut(&Position<R>, f64),
) -> Result<(), ReplayError> {
    record.walk(tables, |position, played| {
        if let Some((played, mv)) = played
            && let Some(expected) = white_expects(position, played, mv)
        {
            look(position, expected);
        }
        ControlFlow::Continue(())
    })
}

/// White's points as the search expected them, 0 to 1; `None` when the position is not quiet or nothing was said of it.
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
