//! Parts that several targets share.

use std::borrow::Cow;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use assay_engine::{CompiledRuleset, Evaluator, Network, Score, Tables, Visitor, Weights};
use assay_rules::def::BUILTIN_NAMES;
use assay_rules::{GameDef, Position};

use crate::seeds;

/// The built-in games.
pub(super) fn games() -> Vec<Arc<GameDef>> {
    BUILTIN_NAMES.into_iter().filter_map(GameDef::builtin).collect()
}

/// Splits off the first byte, a digit that chooses one of `count`; any other byte also chooses one.
pub(super) fn choose(data: &[u8], count: usize) -> Option<(usize, &[u8])> {
    let (&first, rest) = data.split_first()?;
    Some((usize::from(first.wrapping_sub(b'0')) % count, rest))
}

/// A built-in game and the text after its digit.
pub(super) fn game_and_text(data: &[u8]) -> Option<(Arc<GameDef>, Cow<'_, str>)> {
    let (index, rest) = choose(data, BUILTIN_NAMES.len())?;
    Some((GameDef::builtin(BUILTIN_NAMES[index])?, String::from_utf8_lossy(rest)))
}

/// The digit that chooses a game, and a text.
pub(super) fn with_game(game: &str, text: &str) -> Vec<u8> {
    let index = BUILTIN_NAMES
        .iter()
        .position(|&name| name == game)
        .expect("a built-in game");
    format!("{index}{text}").into_bytes()
}

/// A position of the notation cases, chosen by two bytes, and the text after them.
pub(super) fn position_and_text(data: &[u8]) -> Option<(&'static Position, Cow<'_, str>)> {
    static POSITIONS: OnceLock<Vec<Position>> = OnceLock::new();
    let positions = POSITIONS.get_or_init(|| {
        let cases = seeds::notation_cases();
        cases.iter().map(|case| case.position.clone()).collect()
    });
    let (&[high, low], rest) = data.split_first_chunk()?;
    let index = usize::from(u16::from_be_bytes([high, low])) % positions.len();
    Some((&positions[index], String::from_utf8_lossy(rest)))
}

/// Seeds of [`position_and_text`]: every notation case in the notation that `text` selects.
pub(super) fn notation_seeds(text: fn(&seeds::NotationCase) -> &str) -> Vec<Vec<u8>> {
    let seed =
        |(index, case): (usize, &seeds::NotationCase)| [&(index as u16).to_be_bytes(), text(case).as_bytes()].concat();
    seeds::notation_cases().iter().enumerate().map(seed).collect()
}

/// Asserts that line and column, both from 1, are a place in the text or just past the end of a line.
pub(super) fn assert_place(text: &str, line: usize, column: usize) {
    let found = text.split('\n').nth(line.wrapping_sub(1));
    let length = found.map(|line| line.chars().count());
    let inside = length.is_some_and(|length| (1..=length + 1).contains(&column));
    assert!(
        inside,
        "the error is at line {line}, column {column}, outside of the text"
    );
}

/// The output of a session.
#[derive(Clone, Default)]
pub(super) struct Transcript(Arc<Mutex<Vec<u8>>>);

impl Transcript {
    /// Number of lines that begin with a word.
    pub(super) fn count(&self, word: &str) -> usize {
        let bytes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&bytes);
        text.lines().filter(|line| line.split(' ').next() == Some(word)).count()
    }
}

impl Write for Transcript {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Evaluates the start position of one game with any weights or network.
pub(super) trait Evaluate: Send + Sync {
    fn evaluate_weights(&self, weights: &Weights) -> Score;
    fn evaluate_network(&self, network: &Network) -> Score;
}

/// The start position in the game's ruleset, built once.
pub(super) fn evaluator(game: &Arc<GameDef>) -> &'static dyn Evaluate {
    static BUILT: [OnceLock<Box<dyn Evaluate>>; 6] = [const { OnceLock::new() }; 6];
    let index = BUILTIN_NAMES
        .iter()
        .position(|&name| name == game.name)
        .expect("a built-in game");
    BUILT[index]
        .get_or_init(|| assay_engine::dispatch(game, BuildEvaluator))
        .as_ref()
}

struct BuildEvaluator;

impl Visitor for BuildEvaluator {
    type Output = Box<dyn Evaluate>;

    fn visit<R: CompiledRuleset>(self, tables: Arc<Tables<R>>) -> Box<dyn Evaluate> {
        let position = assay_engine::Position::new(&tables, &Position::start(tables.game()));
        Box::new(StartPosition { tables, position })
    }
}

struct StartPosition<R: CompiledRuleset> {
    tables: Arc<Tables<R>>,
    position: assay_engine::Position<R>,
}

impl<R: CompiledRuleset> Evaluate for StartPosition<R> {
    fn evaluate_weights(&self, weights: &Weights) -> Score {
        Evaluator::new(&self.tables, weights).evaluate(&self.position)
    }

    fn evaluate_network(&self, network: &Network) -> Score {
        network.evaluate(&self.position)
    }
}
