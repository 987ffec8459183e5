//! Search.

use std::sync::{Arc, Mutex, MutexGuard, TryLockError};
use std::time::Duration;

use anyhow::{Context, anyhow};
use assay_engine::{CompiledRuleset, Limits, SearchInfo, SearchResult, Searcher, Tables, Visitor, Weights, dispatch};
use assay_selfplay::game::PackedMove;
use pyo3::prelude::*;

use crate::error::raise;
use crate::game::position::Position;
use crate::game::{Game, GameArg};
use crate::job::{self, Job};
use crate::number;

/// A score from the point of view of `turn`: either centipawns or a mate; the other one is None.
#[pyclass(frozen, eq, get_all, new = "from_fields", module = "assay", from_py_object)]
#[derive(Clone, PartialEq)]
pub(crate) struct Score {
    /// Hundredths of the game's own pawn.
    centipawns: Option<i32>,
    /// Moves to mate: positive if `turn` mates, negative if it is mated, 0 if it is mated already.
    mate: Option<i32>,
    /// Expected points, 0 to 1.
    expected: f64,
    /// The point of view: "white" or "black".
    turn: String,
}

#[pymethods]
impl Score {
    /// The score from White's point of view.
    #[getter]
    fn white(&self) -> Score {
        self.seen_by("white")
    }

    /// The score from Black's point of view.
    #[getter]
    fn black(&self) -> Score {
        self.seen_by("black")
    }

    fn __getnewargs__(&self) -> (Option<i32>, Option<i32>, f64, &str) {
        (self.centipawns, self.mate, self.expected, &self.turn)
    }

    fn __repr__(&self) -> String {
        let number = match (self.centipawns, self.mate) {
            (Some(centipawns), _) => format!("centipawns={centipawns}"),
            (None, mate) => format!("mate={}", mate.unwrap_or_default()),
        };
        format!("Score({number}, turn='{}')", self.turn)
    }
}

impl Score {
    fn new(score: assay_engine::Score, turn: &str) -> Score {
        Score {
            centipawns: score.centipawns(),
            mate: score.mate(),
            expected: score.expected_points(),
            turn: turn.to_owned(),
        }
    }

    fn seen_by(&self, turn: &str) -> Score {
        if turn == self.turn {
            return self.clone();
        }
        Score {
            centipawns: self.centipawns.map(i32::saturating_neg),
            mate: self.mate.map(i32::saturating_neg),
            expected: 1.0 - self.expected,
            turn: turn.to_owned(),
        }
    }
}

/// A principal variation.
#[pyclass(frozen, get_all, new = "from_fields", module = "assay", from_py_object)]
#[derive(Clone)]
pub(crate) struct Line {
    /// From the point of view of the side to move.
    score: Score,
    /// Moves in UCI notation, the best first.
    moves: Vec<String>,
    /// Depth of the iteration in plies.
    depth: u32,
    /// The deepest ply that was visited.
    seldepth: u32,
    /// "exact", "lower" (the true score is at least this) or "upper".
    bound: String,
}

#[pymethods]
impl Line {
    fn __getnewargs__(&self) -> (Score, Vec<String>, u32, u32, &str) {
        let (score, moves) = (self.score.clone(), self.moves.clone());
        (score, moves, self.depth, self.seldepth, &self.bound)
    }

    fn __repr__(&self) -> String {
        format!("<assay.Line {} depth {}: {}>", self.score.__repr__(), self.depth, self.moves.join(" "))
    }
}

/// The result of a search.
#[pyclass(frozen, get_all, new = "from_fields", module = "assay")]
pub(crate) struct Analysis {
    /// The best move in UCI notation; None if there is no legal move.
    best: Option<String>,
    /// The expected reply to it.
    ponder: Option<String>,
    /// From the point of view of the side to move.
    score: Score,
    /// The principal variations, the best first: `lines` of them, or fewer if there are fewer legal moves.
    lines: Vec<Line>,
    /// Depth of the last completed iteration in plies.
    depth: u32,
    /// Nodes visited by all threads.
    nodes: u64,
    /// Seconds.
    time: f64,
}

/// The fields of an [`Analysis`], in their order.
type AnalysisFields = (Option<String>, Option<String>, Score, Vec<Line>, u32, u64, f64);

#[pymethods]
impl Analysis {
    fn __getnewargs__(&self) -> AnalysisFields {
        let Analysis { depth, nodes, time, .. } = *self;
        let (best, ponder, lines) = (self.best.clone(), self.ponder.clone(), self.lines.clone());
        (best, ponder, self.score.clone(), lines, depth, nodes, time)
    }

    fn __repr__(&self) -> String {
        let best = self.best.as_deref().unwrap_or("none");
        format!("<assay.Analysis {best}, {}, depth {}, {} nodes>", self.score.__repr__(), self.depth, self.nodes)
    }
}

/// Assay's engine for one game. Searches share its transposition table and histories; `clear()` clears both.
///
/// `hash` is the size of the transposition table in MiB, 1 to 65,536. `threads` is 1 to 256. `evaluation` is "default" (the game's
/// network if it has one) or "linear" (the tuned weights, which have explicit piece values).
///
/// With one thread, a search limited by nodes or depth gives the same result every time after `clear()`. An engine runs one search at a
/// time; other threads need engines of their own.
#[pyclass(frozen, module = "assay")]
pub(crate) struct Engine {
    game: Game,
    search: Mutex<Box<dyn Search>>,
}

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(signature = (game, *, hash = 16, threads = 1, evaluation = "default"))]
    fn new(
        game: GameArg,
        #[pyo3(from_py_with = number::hash)] hash: usize,
        #[pyo3(from_py_with = number::engine_threads)] threads: usize,
        evaluation: &str,
    ) -> PyResult<Engine> {
        let game = game.load()?;
        let build = || {
            let is_linear = match evaluation {
                "default" => false,
                "linear" => true,
                _ => {
                    return Err(anyhow!("evaluation: found `{evaluation}`, expected `default` or `linear`"));
                }
            };
            let settings = NewSearch { hash, threads, is_linear };
            dispatch(game.definition(), settings)
        };
        let search = Mutex::new(build().map_err(raise)?);
        Ok(Engine { game, search })
    }

    /// The game that the engine plays.
    #[getter]
    fn game(&self) -> Game {
        self.game.clone()
    }

    /// Clears the transposition table and all histories, as before a new game. Raises AssayError while the engine searches.
    fn clear(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| self.idle_search().map(|mut search| search.clear())).map_err(raise)
    }

    /// Searches a position until a limit is reached: `nodes`, `depth` in plies, or `movetime` in seconds; at least one is needed.
    ///
    /// The moves that led to the position count for repetitions. `lines` is the number of principal variations, 1 to 256. Raises
    /// AssayError if the engine is searching already, in another thread or below `progress`.
    #[pyo3(signature = (position, *, nodes = None, depth = None, movetime = None, lines = 1, progress = None))]
    fn analyse(
        &self,
        py: Python<'_>,
        position: Position,
        #[pyo3(from_py_with = number::node_limit)] nodes: Option<u64>,
        #[pyo3(from_py_with = number::depth_limit)] depth: Option<u32>,
        movetime: Option<f64>,
        #[pyo3(from_py_with = number::lines)] lines: usize,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Analysis> {
        let (found, expected) = (&position.game, &self.game);
        if found.source.rules_hash() != expected.source.rules_hash() {
            let (found, expected) = (&found.definition().name, &expected.definition().name);
            return Err(raise(anyhow!("position: found one of {found}, expected {expected}")));
        }
        let movetime = movetime.map(|seconds| {
            let time = Duration::try_from_secs_f64(seconds).ok();
            time.with_context(|| format!("movetime: found {seconds}, expected seconds"))
        });
        let limits = Limits { nodes, depth, movetime: movetime.transpose().map_err(raise)?, ..Limits::default() };
        if !limits.is_bounded() {
            return Err(raise(anyhow!("found no limit, expected nodes, depth or movetime")));
        }
        job::run(py, progress, "nodes", |job| Ok(self.idle_search()?.run(&position.played, &limits, lines, job)))
    }

    fn __repr__(&self) -> String {
        format!("<assay.Engine {}>", self.game.definition().name)
    }
}

impl Engine {
    /// Fails at once if the engine is searching: a thread that waited could not be interrupted.
    fn idle_search(&self) -> anyhow::Result<MutexGuard<'_, Box<dyn Search>>> {
        match self.search.try_lock() {
            Ok(search) => Ok(search),
            Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => {
                Err(anyhow!("the engine is searching; use another Engine for another thread"))
            }
        }
    }
}

/// A searcher of some ruleset.
trait Search: Send {
    fn clear(&mut self);
    fn run(&mut self, played: &assay_rules::Game, limits: &Limits, lines: usize, job: &Job) -> Analysis;
}

struct NewSearch {
    hash: usize,
    threads: usize,
    is_linear: bool,
}

impl Visitor for NewSearch {
    type Output = anyhow::Result<Box<dyn Search>>;

    fn visit<R: CompiledRuleset>(self, tables: Arc<Tables<R>>) -> Self::Output {
        let mut searcher = if self.is_linear {
            Searcher::with_weights(&tables, self.hash, Weights::for_game(tables.game()))
        } else {
            Searcher::new(&tables, self.hash)
        }?;
        searcher.set_threads(self.threads).context("threads")?;
        Ok(Box::new(RulesetSearch { tables, searcher }))
    }
}

struct RulesetSearch<R: CompiledRuleset> {
    tables: Arc<Tables<R>>,
    searcher: Searcher<R>,
}

impl<R: CompiledRuleset> Search for RulesetSearch<R> {
    fn clear(&mut self) {
        self.searcher.clear();
    }

    fn run(&mut self, played: &assay_rules::Game, limits: &Limits, lines: usize, job: &Job) -> Analysis {
        let mut position = assay_engine::Position::new(&self.tables, &played.positions()[0]);
        for &mv in played.moves() {
            position.make(position.from_rules_move(mv));
        }
        let turn = match position.side_to_move() {
            assay_rules::Color::White => "white",
            assay_rules::Color::Black => "black",
        };
        let text = |mv: assay_engine::Move| PackedMove::of_engine(mv, self.tables.game()).uci(self.tables.game());
        let mut found: Vec<Line> = Vec::new();
        let mut time = Duration::ZERO;
        self.searcher.set_multi_pv(lines);
        let SearchResult { best_move, ponder, score, depth, nodes, .. } =
            self.searcher.search(&position, limits, &job.stop, &mut |info| {
                if let SearchInfo::Pv(info) = info {
                    job.report(info.nodes, limits.nodes.unwrap_or_default());
                    time = info.elapsed;
                    let line = Line {
                        score: Score::new(info.score, turn),
                        moves: info.pv.iter().copied().map(text).collect(),
                        depth: info.depth,
                        seldepth: info.seldepth,
                        bound: match info.bound {
                            assay_engine::Bound::Exact => "exact",
                            assay_engine::Bound::Lower => "lower",
                            assay_engine::Bound::Upper => "upper",
                        }
                        .to_owned(),
                    };
                    match found.get_mut(info.multipv - 1) {
                        Some(old) => *old = line,
                        None => found.push(line),
                    }
                }
            });
        Analysis {
            best: best_move.map(text),
            ponder: ponder.map(text),
            score: Score::new(score, turn),
            lines: found,
            depth,
            nodes,
            time: time.as_secs_f64(),
        }
    }
}
