//! Positions: a game in progress by the reference rules; hashes and counts come from the engine.

use std::ffi::CString;

use anyhow::{Context, anyhow};
use assay_perft::divide::divide;
use assay_perft::generator::{self, CountOptions, GeneratorKind};
use assay_rules::svg::{SvgOptions, svg_board};
use assay_rules::{Move, diagram, parse_move, san, uci};
use pyo3::exceptions::{PyIndexError, PyUserWarning};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};

use crate::error::raise;
use crate::game::{Game, GameArg};
use crate::{job, number};

/// How a game ended.
#[pyclass(frozen, eq, get_all, new = "from_fields", module = "assay")]
#[derive(PartialEq)]
pub(crate) struct Outcome {
    /// The rule: "checkmate", "stalemate", "dead-position", "repetition", "move-rule", "goal", "checks", "bare-king" or "extinction".
    reason: String,
    /// White's points, 0 to 1; some games have 0.25 and 0.75.
    white: f64,
}

#[pymethods]
impl Outcome {
    fn __getnewargs__(&self) -> (&str, f64) {
        (&self.reason, self.white)
    }

    fn __repr__(&self) -> String {
        format!("Outcome(reason='{}', white={})", self.reason, self.white)
    }
}

/// A position with the moves that led to it.
///
/// Moves are texts in UCI notation or SAN. Methods that return moves return UCI notation unless they say SAN.
///
/// >>> position = assay.Position("chess")
/// >>> position.push("e4")
/// >>> position.fen
/// 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1'
#[pyclass(module = "assay", from_py_object)]
#[derive(Clone)]
pub(crate) struct Position {
    pub(crate) game: Game,
    pub(crate) played: assay_rules::Game,
}

impl Position {
    pub(crate) fn create(py: Python<'_>, game: &Game, fen: Option<&str>, setup: Option<&str>) -> PyResult<Position> {
        let definition = game.definition();
        let start = match (fen, setup) {
            (Some(_), Some(_)) => return Err(raise(anyhow!("found fen and setup, expected one of the two"))),
            (None, None) => assay_rules::Position::start(definition),
            (None, Some(setup)) => {
                let start = assay_rules::Position::from_start(definition, setup);
                start.context("setup").map_err(raise)?
            }
            (Some(fen), None) => {
                let read = assay_rules::Position::read_fen(definition, fen);
                let (position, warnings) = read.with_context(|| format!("fen `{fen}`")).map_err(raise)?;
                for warning in warnings {
                    let text = CString::new(warning.to_string())?;
                    PyErr::warn(py, &py.get_type::<PyUserWarning>(), &text, 1)?;
                }
                position
            }
        };
        Ok(Position { game: game.clone(), played: assay_rules::Game::new(start) })
    }

    fn now(&self) -> &assay_rules::Position {
        self.played.position()
    }

    fn uci(&self, mv: Move) -> String {
        uci::format(self.game.definition(), mv)
    }

    fn parse(&self, text: &str) -> PyResult<Move> {
        parse_move(self.now(), text).map_err(raise)
    }
}

#[pymethods]
impl Position {
    #[new]
    #[pyo3(signature = (game, fen = None, *, setup = None))]
    fn new(py: Python<'_>, game: GameArg, fen: Option<&str>, setup: Option<&str>) -> PyResult<Position> {
        Position::create(py, &game.load()?, fen, setup)
    }

    /// The game whose rules apply.
    #[getter]
    fn game(&self) -> Game {
        self.game.clone()
    }

    /// The position in six fields; an extra bracket holds pockets and what a joker imitates.
    #[getter]
    fn fen(&self) -> String {
        self.now().fen()
    }

    /// The side to move: "white" or "black".
    #[getter]
    fn turn(&self) -> String {
        self.now().side_to_move().to_string().to_lowercase()
    }

    /// Plies since the last capture or pawn move.
    #[getter]
    fn halfmove_clock(&self) -> u32 {
        self.now().halfmove_clock()
    }

    /// Move number: 1 at the start, incremented after Black's turn.
    #[getter]
    fn fullmove_number(&self) -> u32 {
        self.now().fullmove_number()
    }

    /// Pieces by square: letters, upper case for White; after a `+` for a piece promoted as in shogi.
    #[getter]
    fn pieces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let game = self.game.definition();
        let pieces = PyDict::new(py);
        for (square, piece) in self.now().pieces() {
            pieces.set_item(game.board.square_name(square), game.kinds.symbol(piece.kind, piece.color))?;
        }
        Ok(pieces)
    }

    /// The moves played since the position was created.
    #[getter]
    fn moves(&self) -> Vec<String> {
        self.played.moves().iter().map(|&mv| self.uci(mv)).collect()
    }

    /// All legal moves.
    fn legal_moves(&self) -> Vec<String> {
        let moves = self.game.generator().node(self.now()).legal_moves();
        moves.into_iter().map(|mv| self.uci(mv)).collect()
    }

    /// All legal moves in SAN, in the order of `legal_moves()`.
    fn legal_sans(&self) -> Vec<String> {
        let moves = self.now().legal_moves();
        moves.into_iter().map(|mv| san::format(self.now(), mv)).collect()
    }

    /// A legal move in SAN.
    #[pyo3(name = "san")]
    fn san_of(&self, r#move: &str) -> PyResult<String> {
        Ok(san::format(self.now(), self.parse(r#move)?))
    }

    /// A legal move in UCI notation.
    #[pyo3(name = "uci")]
    fn uci_of(&self, r#move: &str) -> PyResult<String> {
        Ok(self.uci(self.parse(r#move)?))
    }

    /// Plays a legal move.
    fn push(&mut self, r#move: &str) -> PyResult<()> {
        let mv = self.parse(r#move)?;
        self.played.play(mv);
        Ok(())
    }

    /// Plays a legal move in UCI notation only.
    fn push_uci(&mut self, r#move: &str) -> PyResult<()> {
        let mv = uci::parse(self.now(), r#move).map_err(raise)?;
        self.played.play(mv);
        Ok(())
    }

    /// Checks that a text is a legal move in UCI notation, and returns it.
    fn parse_uci(&self, r#move: &str) -> PyResult<String> {
        let mv = uci::parse(self.now(), r#move).map_err(raise)?;
        Ok(self.uci(mv))
    }

    /// Takes the last move back and returns it. Raises IndexError if none was played.
    fn pop(&mut self) -> PyResult<String> {
        let mv = self.played.undo();
        mv.map(|mv| self.uci(mv)).ok_or_else(|| PyIndexError::new_err("pop: no move was played"))
    }

    /// True if the side to move is in check.
    #[getter]
    fn is_check(&self) -> bool {
        self.now().in_check()
    }

    /// True if a legal move captures.
    fn is_capture(&self, r#move: &str) -> PyResult<bool> {
        Ok(self.now().is_capture(self.parse(r#move)?))
    }

    /// The result if the game is over by the rules, repetition included; None if it is not.
    fn outcome(&self) -> Option<Outcome> {
        self.played
            .outcome()
            .map(|outcome| Outcome { reason: outcome.termination.name().to_owned(), white: outcome.white.as_f64() })
    }

    /// How often the position has occurred since the start, this time included.
    #[getter]
    fn occurrences(&self) -> u32 {
        self.played.occurrences()
    }

    /// Zobrist hash, 64 bits: equal for positions that are the same under the repetition rule.
    #[getter]
    fn hash(&self) -> u64 {
        self.game.generator().node(self.now()).hash().unwrap_or_default()
    }

    /// The number of move sequences of `depth` plies, 1 to 64. Options as for `divide`.
    #[pyo3(signature = (depth, *, threads = 1, hash = 0, generator = "engine", progress = None))]
    fn perft(
        slf: &Bound<'_, Self>,
        #[pyo3(from_py_with = number::perft_depth)] depth: u32,
        #[pyo3(from_py_with = number::threads)] threads: usize,
        #[pyo3(from_py_with = number::perft_hash)] hash: usize,
        generator: &str,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<u64> {
        let position = slf.borrow().clone();
        let counts = position.count(slf.py(), depth, threads, hash, generator, progress)?;
        Ok(counts.iter().map(|(_, count)| count).sum())
    }

    /// The number of move sequences of `depth` plies, 1 to 64, below each legal move.
    ///
    /// `threads` is 0 for one on each processor; `hash` the size of the hash table in MiB, 0 for none; `generator` "engine" (fast) or
    /// "rules" (the reference).
    #[pyo3(signature = (depth, *, threads = 1, hash = 0, generator = "engine", progress = None))]
    fn divide<'py>(
        slf: &Bound<'py, Self>,
        #[pyo3(from_py_with = number::perft_depth)] depth: u32,
        #[pyo3(from_py_with = number::threads)] threads: usize,
        #[pyo3(from_py_with = number::perft_hash)] hash: usize,
        generator: &str,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let position = slf.borrow().clone();
        let divided = PyDict::new(slf.py());
        for (mv, count) in position.count(slf.py(), depth, threads, hash, generator, progress)? {
            divided.set_item(position.uci(mv), count)?;
        }
        Ok(divided)
    }

    /// An SVG drawing. `size` is that of a square in pixels.
    #[pyo3(signature = (*, size = 48, flipped = false, coordinates = true))]
    fn svg(&self, #[pyo3(from_py_with = number::square_size)] size: u32, flipped: bool, coordinates: bool) -> String {
        let options = SvgOptions {
            square_size: size,
            last_move: self.played.moves().last().copied(),
            flipped,
            coordinates,
            ..SvgOptions::default()
        };
        svg_board(self.now(), &options)
    }

    fn _repr_svg_(&self) -> String {
        self.svg(48, false, true)
    }

    /// A copy with the same moves.
    fn copy(&self) -> Position {
        self.clone()
    }

    fn __copy__(&self) -> Position {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Position {
        self.clone()
    }

    /// A position is pickled as its game, its start and its moves.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyType>, (Game, String), Vec<String>) {
        let position = slf.borrow();
        let start = position.played.positions()[0].fen();
        (slf.get_type(), (position.game.clone(), start), position.moves())
    }

    fn __setstate__(&mut self, moves: Vec<String>) -> PyResult<()> {
        moves.iter().try_for_each(|mv| self.push_uci(mv))
    }

    fn __str__(&self) -> String {
        diagram::text_board(self.now())
    }

    fn __repr__(&self) -> String {
        format!("<assay.Position {}: {}>", self.game.definition().name, self.fen())
    }

    /// Compares all fields of the FEN, not the moves that led here.
    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let other = other.extract::<PyRef<'_, Position>>();
        other.is_ok_and(|other| other.now() == self.now())
    }
}

impl Position {
    /// Positions that Python can reach are cloned before they count, so that they can be changed meanwhile.
    fn count(
        &self,
        py: Python<'_>,
        depth: u32,
        threads: usize,
        hash: usize,
        generator: &str,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<(Move, u64)>> {
        let kind = GeneratorKind::ALL.into_iter().find(|kind| kind.name() == generator);
        let kind =
            kind.ok_or_else(|| raise(anyhow!("generator: found `{generator}`, expected `engine` or `rules`")))?;
        if kind == GeneratorKind::Rules && hash > 0 {
            return Err(raise(anyhow!("hash: found {hash}, but the generator `rules` has no hash table; expected 0")));
        }
        let options = CountOptions { full: false, hash_mb: hash };
        let division = job::run_in_pool(py, progress, "parts", threads, |job| {
            let rules;
            let generator = match kind {
                GeneratorKind::Engine => self.game.generator(),
                GeneratorKind::Rules => {
                    rules = generator::new(kind, self.game.definition());
                    rules.as_ref()
                }
            };
            let report = |progress: assay_perft::divide::DivideProgress| job.report(progress.done, progress.total);
            divide(generator, self.now(), depth, options, &job.stop, &report)
        })?;
        Ok(division.counts)
    }
}
