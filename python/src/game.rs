//! Games: definitions of rules.

pub(crate) mod position;

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use anyhow::{Context, anyhow};
use assay_engine::file;
use assay_perft::generator::{self, Generator, GeneratorKind};
use assay_rules::def::{Captured, fairy_ini};
use assay_rules::{Color, GameDef};
use assay_selfplay::GameSource;
use assay_tuner::values::candidate::{HostArmy, Sides, definition_with_pieces};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error::raise;
use position::Position;

/// The rules of a game: a built-in one by name, or a definition file by path.
///
/// >>> assay.Game("gamma2").title
/// 'Gamma2 Chess'
#[pyclass(frozen, module = "assay", from_py_object)]
#[derive(Clone)]
pub(crate) struct Game {
    pub(crate) source: GameSource,
    /// The engine's generator, whose tables take a few milliseconds to build.
    generator: Arc<OnceLock<Box<dyn Generator>>>,
}

impl From<GameSource> for Game {
    fn from(source: GameSource) -> Game {
        Game { source, generator: Arc::default() }
    }
}

impl Game {
    pub(crate) fn definition(&self) -> &Arc<GameDef> {
        &self.source.game
    }

    pub(crate) fn generator(&self) -> &dyn Generator {
        let build = || generator::new(GeneratorKind::Engine, self.definition());
        self.generator.get_or_init(build).as_ref()
    }
}

#[pymethods]
impl Game {
    #[new]
    fn new(name_or_path: GameArg) -> PyResult<Game> {
        name_or_path.load()
    }

    /// Reads a definition file.
    #[staticmethod]
    fn from_file(path: PathBuf) -> PyResult<Game> {
        let text = file::read_text(&path, file::MAX_DEFINITION).with_context(|| path.display().to_string());
        Game::from_toml(text.map_err(raise)?, &path.display().to_string())
    }

    /// Reads a definition in TOML. `name` is the name of the file in error messages.
    #[staticmethod]
    #[pyo3(signature = (text, name = "definition"))]
    fn from_toml(text: String, name: &str) -> PyResult<Game> {
        GameSource::from_text(text, name).map(Game::from).map_err(raise)
    }

    /// Reads all variants of a file for Fairy-Stockfish (`variants.ini`) from its text. `name` is the name of the file in error messages.
    #[staticmethod]
    #[pyo3(signature = (text, name = "variants.ini"))]
    fn from_ini(text: &str, name: &str) -> PyResult<Vec<Game>> {
        let variants = fairy_ini::variants(text, name).map_err(raise)?;
        let game = |variant: &str| {
            Game::from_toml(fairy_ini::to_toml(text, name, Some(variant)).map_err(raise)?, &format!("{name}:{variant}"))
        };
        variants.into_iter().map(game).collect()
    }

    /// An orthodox army in which a piece with this XBetza movement (letter X) replaces the piece of the nearest value, as
    /// `assay-tuner weigh` plays it. `board` is "8x8", "10x8", "10x10" or "12x10".
    #[staticmethod]
    #[pyo3(signature = (movement, board = "8x8"))]
    fn with_piece(movement: &str, board: &str) -> PyResult<Game> {
        let army = match board {
            "8x8" => HostArmy::Chess,
            "10x8" => HostArmy::Capablanca,
            "10x10" => HostArmy::Grand,
            "12x10" => HostArmy::Wide,
            _ => {
                return Err(raise(anyhow!("board: found `{board}`, expected 8x8, 10x8, 10x10 or 12x10")));
            }
        };
        Game::from_toml(definition_with_pieces(&[movement], &army.into(), Sides::Both).map_err(raise)?, "piece")
    }

    /// The name that UCI uses.
    #[getter]
    fn name(&self) -> &str {
        &self.definition().name
    }

    /// The name for people.
    #[getter]
    fn title(&self) -> &str {
        &self.definition().title
    }

    /// Number of files of the board.
    #[getter]
    fn files(&self) -> u8 {
        self.definition().board.files()
    }

    /// Number of ranks of the board, those of hanging squares included.
    #[getter]
    fn ranks(&self) -> u8 {
        self.definition().board.ranks()
    }

    /// Identifiers of the start positions; the default is that of `position()`.
    #[getter]
    fn setups(&self) -> Vec<&str> {
        self.definition().starts.iter().map(|start| start.id.as_str()).collect()
    }

    /// The kinds of pieces: dictionaries of name, letter, movement (XBetza; empty for a joker) and value (as the inventor published it,
    /// in the inventor's units, or None).
    #[getter]
    fn pieces<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let game = self.definition();
        game.kinds
            .all()
            .map(|kind| {
                let letter = game.kinds.symbol(kind, Color::White);
                let kind = game.kind(kind);
                let piece = PyDict::new(py);
                piece.set_item("name", &kind.name)?;
                piece.set_item("letter", letter)?;
                piece.set_item("movement", &kind.betza)?;
                piece.set_item("value", kind.value)?;
                Ok(piece)
            })
            .collect()
    }

    /// True if captured pieces can be dropped by the side that captured them.
    #[getter]
    fn captures_to_hand(&self) -> bool {
        let drops = self.definition().mechanisms.drops.as_ref();
        drops.is_some_and(|drops| drops.captured == Captured::ToCapturer)
    }

    /// The pawn's movement in XBetza.
    #[getter]
    fn pawn_movement(&self) -> &str {
        let game = self.definition();
        &game.kind(game.first_pawn()).betza
    }

    /// The text of the definition; None for a built-in game.
    #[getter]
    fn definition_text(&self) -> Option<&str> {
        self.source.text.as_deref()
    }

    /// Games are pickled as their definition.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let (class, game) = (slf.get_type(), slf.get());
        Ok(match &game.source.text {
            Some(text) => (class.getattr("from_toml")?, (text.clone(),)),
            None => (class.into_any(), (game.name().to_owned(),)),
        })
    }

    /// The default start, or the position of a FEN, or a start by its identifier and handicaps (`setup="14+pawn:e4"`).
    #[pyo3(signature = (fen = None, *, setup = None))]
    fn position(&self, py: Python<'_>, fen: Option<&str>, setup: Option<&str>) -> PyResult<Position> {
        Position::create(py, self, fen, setup)
    }

    fn __repr__(&self) -> String {
        format!("<assay.Game {}>", self.name())
    }

    /// Games are equal if their rules are equal.
    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let other = other.cast::<Game>();
        other.is_ok_and(|other| other.get().source.rules_hash() == self.source.rules_hash())
    }

    fn __hash__(&self) -> u64 {
        u64::from_str_radix(&self.source.rules_hash()[..15], 16).unwrap_or(0)
    }
}

/// A game, or its name or path, as an argument.
pub(crate) enum GameArg {
    Game(Game),
    NameOrPath(PathBuf),
}

impl<'py> FromPyObject<'_, 'py> for GameArg {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<GameArg> {
        if let Ok(game) = value.cast::<Game>() {
            return Ok(GameArg::Game(game.get().clone()));
        }
        value.extract().map(GameArg::NameOrPath).map_err(|_| {
            let found = &*value;
            PyTypeError::new_err(format!("game: found {found:?}, expected a Game, its name or a path"))
        })
    }
}

impl GameArg {
    pub(crate) fn load(self) -> PyResult<Game> {
        match self {
            GameArg::Game(game) => Ok(game),
            GameArg::NameOrPath(text) => GameSource::load(&text.to_string_lossy()).map(Game::from).map_err(raise),
        }
    }
}
