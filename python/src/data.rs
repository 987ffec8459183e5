//! Run files: stored games and their positions.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf, absolute};
use std::sync::Arc;

use anyhow::ensure;
use arrow_array::builder::{Float64Builder, Int32Builder, StringBuilder, UInt32Builder, UInt64Builder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, SchemaRef};
use assay_engine::{CompiledRuleset, Tables, Visitor, dispatch};
use assay_rules::{Color, GameDef};
use assay_selfplay::game::{Eval, ReplayError};
use assay_selfplay::info::{Details, EndgameFilter, Info};
use assay_selfplay::run::RunHeader;
use assay_selfplay::{GameRecord, GameSource, Store, StoreError};
use pyo3::prelude::*;
use rayon::prelude::*;

use crate::game::Game;
use crate::job::{self, Job};
use crate::number;
use crate::table::Table;

/// Games of a batch of rows.
const CHUNK: usize = 512;

/// A run file: games of self-play or of a match, as `assay.selfplay` and `assay-selfplay` write them.
#[pyclass(frozen, module = "assay", from_py_object)]
#[derive(Clone)]
pub(crate) struct Run {
    /// Absolute.
    pub(crate) path: PathBuf,
    identity: String,
    source: GameSource,
    games: u64,
    planned: u64,
    seed: u64,
}

/// Opens a run file. The file is only read.
#[pyfunction]
pub(crate) fn open(py: Python<'_>, path: PathBuf) -> PyResult<Run> {
    job::run(py, None, "files", |_| Run::new(&path, &Store::open_snapshot(&path)?))
}

/// Identity of a run: another run in the same file has another one.
fn identity(run: &RunHeader) -> String {
    let settings = &run.settings;
    let identity = (
        settings.source.rules_hash(),
        settings.seed,
        &settings.openings,
        &settings.players,
        &run.identities,
        run.shard,
        &run.created,
    );
    format!("{identity:?}")
}

impl Run {
    fn new(path: &Path, store: &Store) -> anyhow::Result<Run> {
        let settings = &store.header().settings;
        Ok(Run {
            source: settings.source.clone(),
            games: store.count()?,
            planned: store.header().games,
            seed: settings.seed,
            identity: identity(store.header()),
            path: absolute(path)?,
        })
    }

    /// Opens a file that was just written.
    pub(crate) fn open_checked(py: Python<'_>, path: &Path) -> PyResult<Run> {
        job::run(py, None, "files", |_| Run::new(path, &Store::open_checked(path)?))
    }

    /// Opens the file again.
    fn store(&self, open: impl Fn(&Path) -> Result<Store, StoreError>) -> anyhow::Result<Store> {
        let store = open(&self.path)?;
        ensure!(
            identity(store.header()) == self.identity,
            "{}: found another run than the one that was opened, expected the same; open the file again",
            self.path.display()
        );
        Ok(store)
    }
}

#[pymethods]
impl Run {
    /// The absolute path.
    #[getter]
    fn path(&self) -> PathBuf {
        self.path.clone()
    }

    /// The game, from the definition in the file if it is not built in.
    #[getter]
    fn game(&self) -> Game {
        Game::from(self.source.clone())
    }

    /// Planned number of games of the run, in all shards together.
    #[getter]
    fn planned(&self) -> u64 {
        self.planned
    }

    /// The seed of all random choices.
    #[getter]
    fn seed(&self) -> u64 {
        self.seed
    }

    /// Number of games in the file when it was opened.
    fn __len__(&self) -> usize {
        self.games as usize
    }

    /// The missing games of a run of `games` games, as half-open ranges of game numbers: (first, end).
    fn missing(&self, py: Python<'_>, #[pyo3(from_py_with = number::games)] games: u64) -> PyResult<Vec<(u64, u64)>> {
        let stored = job::run(py, None, "files", |_| Ok(self.store(Store::open_checked)?.indices()?))?;
        let (mut next, mut missing) = (0, Vec::new());
        for index in stored.into_iter().filter(|&index| index < games).chain([games]) {
            if next < index {
                missing.push((next, index));
            }
            next = index + 1;
        }
        Ok(missing)
    }

    /// Settings, results, endings and faults: the JSON of `assay-selfplay info --json` as Python objects. With `details`, also
    /// statistics with errors: results, endings, length, legal moves, and endgames with at most `max_pieces` pieces besides the kings
    /// that occur in at least `min_games` games. `progress` is called at the beginning and at the end.
    #[pyo3(signature = (*, details = false, max_pieces = 3, min_games = 20, progress = None))]
    fn info<'py>(
        &self,
        py: Python<'py>,
        details: bool,
        max_pieces: usize,
        min_games: usize,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let text = job::run(py, progress, "games", |job| {
            let store = self.store(Store::open_read)?;
            let total = store.count()?;
            job.report(0, total);
            let mut info = Info::read(&store, None)?;
            if details {
                info.details = Some(Details::read(&store, EndgameFilter { max_pieces, min_games })?);
            }
            job.report(total, total);
            assay_cli::output::json_text(&info)
        })?;
        py.import("json")?.call_method1("loads", (text,))
    }

    /// The games, one row each.
    ///
    /// game, pair: numbers from 0; the games of a pair share an opening. white: the side that has White, 0 or 1. start: FEN.
    /// opening: its source. material: the imbalance of the armies, White's first (`-NP/-B`), or null. moves: UCI notation,
    /// separated by spaces. plies. points: White's, 0 to 1. end: the rule or fault that ended the game.
    #[pyo3(signature = (*, progress = None))]
    fn games(&self, py: Python<'_>, progress: Option<&Bound<'_, PyAny>>) -> PyResult<Table> {
        job::run_in_pool(py, progress, "games", 0, |job| {
            let store = self.store(Store::open_read)?;
            batches(&store, job, |records| game_rows(&self.source.game, records))
        })
    }

    /// All positions of all games, final positions included, one row each.
    ///
    /// game, pair: as in `games()`. ply: plies since the start. fen. turn: "white" or "black". move: the move played, in UCI notation;
    /// null at the end. eval, mate: what the search reported, centipawns or moves to mate, from the point of view of the side to move;
    /// null if unknown. depth: plies searched. nodes: nodes searched. points: White's in the game, 0 to 1.
    #[pyo3(signature = (*, progress = None))]
    fn positions(&self, py: Python<'_>, progress: Option<&Bound<'_, PyAny>>) -> PyResult<Table> {
        job::run_in_pool(py, progress, "games", 0, |job| {
            let store = self.store(Store::open_read)?;
            let game = store.source().game.clone();
            dispatch(&game, AllPositions { store: &store, job })
        })
    }

    /// A run is pickled as its path.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (PathBuf,))> {
        Ok((py.import("assay")?.getattr("open")?, (self.path.clone(),)))
    }

    fn __repr__(&self) -> String {
        let name = &self.source.game.name;
        format!("<assay.Run {}: {} games of {name}>", self.path.display(), self.games)
    }
}

/// A column under construction.
fn column(name: &str, array: impl arrow_array::Array + 'static, is_nullable: bool) -> (String, ArrayRef, bool) {
    (name.to_owned(), Arc::new(array), is_nullable)
}

/// Reads games one chunk at a time and turns chunks into batches in parallel.
fn batches<E>(
    store: &Store,
    job: &Job,
    rows: impl Fn(&[GameRecord]) -> Result<RecordBatch, E> + Sync,
) -> anyhow::Result<Table>
where
    E: Into<anyhow::Error> + Send,
{
    let total = store.count()?;
    let (mut games, mut done) = (store.games(), 0);
    let wave = CHUNK * rayon::current_num_threads();
    let mut found: Vec<RecordBatch> = Vec::new();
    loop {
        let records: Vec<GameRecord> = games.by_ref().take(wave).collect::<Result<_, _>>()?;
        // An empty table has a schema, too.
        if records.is_empty() && !found.is_empty() || job.stop.load(std::sync::atomic::Ordering::Relaxed) {
            break;
        }
        if records.is_empty() {
            found.push(rows(&[]).map_err(Into::into)?);
            break;
        }
        let new: Result<Vec<RecordBatch>, E> = records.par_chunks(CHUNK).map(&rows).collect();
        found.extend(new.map_err(Into::into)?);
        done += records.len() as u64;
        job.report(done, total);
    }
    let schema: SchemaRef = found.first().map_or_else(|| Arc::new(arrow_schema::Schema::empty()), RecordBatch::schema);
    Ok(Table::new(schema, found))
}

fn game_rows(game: &GameDef, records: &[GameRecord]) -> Result<RecordBatch, ArrowError> {
    let (mut index, mut pair) = (UInt64Builder::new(), UInt64Builder::new());
    let (mut white, mut plies) = (UInt32Builder::new(), UInt32Builder::new());
    let (mut start, mut opening, mut material) = (StringBuilder::new(), StringBuilder::new(), StringBuilder::new());
    let (mut moves, mut end, mut points) = (StringBuilder::new(), StringBuilder::new(), Float64Builder::new());
    for record in records {
        index.append_value(record.index);
        pair.append_value(record.pair);
        white.append_value(record.white as u32);
        start.append_value(&record.start_fen);
        opening.append_value(&record.opening);
        material.append_option(record.material.as_deref());
        let texts = record.moves.iter().map(|played| played.mv.uci(game));
        moves.append_value(texts.collect::<Vec<_>>().join(" "));
        plies.append_value(record.moves.len() as u32);
        points.append_value(record.result.as_f64());
        end.append_value(record.end.name());
    }
    RecordBatch::try_from_iter_with_nullable([
        column("game", index.finish(), false),
        column("pair", pair.finish(), false),
        column("white", white.finish(), false),
        column("start", start.finish(), false),
        column("opening", opening.finish(), false),
        column("material", material.finish(), true),
        column("moves", moves.finish(), false),
        column("plies", plies.finish(), false),
        column("points", points.finish(), false),
        column("end", end.finish(), false),
    ])
}

struct AllPositions<'r> {
    store: &'r Store,
    job: &'r Job,
}

impl Visitor for AllPositions<'_> {
    type Output = anyhow::Result<Table>;

    fn visit<R: CompiledRuleset>(self, tables: Arc<Tables<R>>) -> Self::Output {
        batches(self.store, self.job, |records| -> anyhow::Result<RecordBatch> {
            let mut rows = PositionRows::default();
            for record in records {
                rows.add(&tables, record)?;
            }
            Ok(rows.finish()?)
        })
    }
}

#[derive(Default)]
struct PositionRows {
    game: UInt64Builder,
    pair: UInt64Builder,
    ply: UInt32Builder,
    fen: StringBuilder,
    turn: StringBuilder,
    played: StringBuilder,
    eval: Int32Builder,
    mate: Int32Builder,
    depth: UInt32Builder,
    nodes: UInt64Builder,
    points: Float64Builder,
}

impl PositionRows {
    fn add<R: CompiledRuleset>(&mut self, tables: &Arc<Tables<R>>, record: &GameRecord) -> Result<(), ReplayError> {
        let game = tables.game();
        let mut ply = 0;
        record.visit_positions(tables, |position, next| {
            let played = next.map(|(played, _)| played);
            let (eval, mate) = match played.and_then(|played| played.eval) {
                Some(Eval::Centipawns(eval)) => (Some(eval), None),
                Some(Eval::Mate(moves)) => (None, Some(moves)),
                None => (None, None),
            };
            self.game.append_value(record.index);
            self.pair.append_value(record.pair);
            self.ply.append_value(ply);
            self.fen.append_value(position.to_rules().fen());
            self.turn.append_value(match position.side_to_move() {
                Color::White => "white",
                Color::Black => "black",
            });
            self.played.append_option(played.map(|played| played.mv.uci(game)));
            self.eval.append_option(eval);
            self.mate.append_option(mate);
            self.depth.append_value(played.map_or(0, |played| played.depth));
            self.nodes.append_value(played.map_or(0, |played| played.nodes));
            self.points.append_value(record.result.as_f64());
            ply += 1;
            ControlFlow::Continue(())
        })
    }

    fn finish(mut self) -> Result<RecordBatch, ArrowError> {
        RecordBatch::try_from_iter_with_nullable([
            column("game", self.game.finish(), false),
            column("pair", self.pair.finish(), false),
            column("ply", self.ply.finish(), false),
            column("fen", self.fen.finish(), false),
            column("turn", self.turn.finish(), false),
            column("move", self.played.finish(), true),
            column("eval", self.eval.finish(), true),
            column("mate", self.mate.finish(), true),
            column("depth", self.depth.finish(), false),
            column("nodes", self.nodes.finish(), false),
            column("points", self.points.finish(), false),
        ])
    }
}
