//! Parts that several targets share.

use std::borrow::Cow;
use std::fs;
use std::io::{self, Cursor, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use assay_engine::protocol;
use assay_engine::{CompiledRuleset, Evaluator, Network, Score, Tables, Visitor, Weights};
use assay_rules::def::{BUILTIN_NAMES, DefError};
use assay_rules::{GameDef, Position};
use tempfile::TempDir;

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
    let index = BUILTIN_NAMES.iter().position(|&name| name == game).expect("a built-in game");
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

/// Asserts that line and column, both from 1, are a place in the text or just past the end of a
/// line.
pub(super) fn assert_place(text: &str, line: usize, column: usize) {
    let found = text.split('\n').nth(line.wrapping_sub(1));
    let length = found.map(|line| line.chars().count());
    let inside = length.is_some_and(|length| (1..=length + 1).contains(&column));
    assert!(inside, "the error is at line {line}, column {column}, outside of the text");
}

/// Asserts that an error of a definition says something, at a place in the text if it has one.
pub(super) fn check_error(text: &str, error: &DefError) {
    assert!(!error.message.is_empty());
    if let (Some(line), Some(column)) = (error.line, error.column) {
        assert_place(text, line, column);
    }
}

/// Calls a function with the path of a file that holds these bytes and has this name.
pub(super) fn with_file(name: &str, bytes: &[u8], check: impl FnOnce(&Path)) {
    thread_local! {
        static FOLDER: TempDir = tempfile::tempdir().expect("a temporary folder");
    }
    FOLDER.with(|folder| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).expect("a temporary file");
        check(&path);
    });
}

/// Runs the first lines of a session after `setup`, as `bounded` returns them, up to `quit`.
/// Returns the number of lines with the command `ping`, and the output.
pub(super) fn run_session(
    setup: &str,
    data: &[u8],
    bounded: fn(&str) -> Option<String>,
    command_of: fn(&str) -> Option<&str>,
    ping: &str,
) -> (usize, Transcript) {
    const MAX_LINES: usize = 40;
    let text = String::from_utf8_lossy(data);
    let (mut input, mut pings) = (setup.to_owned(), 0);
    for line in text.lines().take(MAX_LINES).filter_map(bounded) {
        let command = command_of(&line);
        if command == Some("quit") {
            break;
        }
        pings += usize::from(command == Some(ping));
        input += &line;
        input.push('\n');
    }
    let output = Transcript::default();
    protocol::run(Cursor::new(input.into_bytes()), output.clone(), true).expect("the input can be read");
    (pings, output)
}

/// Seeds of sessions: the lines of a file in groups, and some of all of them.
pub(super) fn session_seeds(path: &str) -> Vec<Vec<u8>> {
    let lines = seeds::lines(path);
    let mut sessions: Vec<Vec<u8>> = lines.chunks(12).map(|lines| lines.join(&b'\n')).collect();
    sessions.push(lines.into_iter().step_by(7).collect::<Vec<_>>().join(&b'\n'));
    sessions
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

/// An evaluator of positions.
pub(super) enum Model<'m> {
    Weights(&'m Weights),
    Network(&'m Network),
}

/// Evaluates the start position of one game.
type Evaluate = Box<dyn Fn(&Model) -> Score + Send + Sync>;

/// Evaluates the start position of a built-in game, whose tables are built once.
pub(super) fn evaluate_start(game: &Arc<GameDef>, model: &Model) -> Score {
    static BUILT: [OnceLock<Evaluate>; 6] = [const { OnceLock::new() }; 6];
    let index = BUILTIN_NAMES.iter().position(|&name| name == game.name).expect("a built-in game");
    BUILT[index].get_or_init(|| assay_engine::dispatch(game, BuildEvaluate))(model)
}

struct BuildEvaluate;

impl Visitor for BuildEvaluate {
    type Output = Evaluate;

    fn visit<R: CompiledRuleset>(self, tables: Arc<Tables<R>>) -> Evaluate {
        let position = assay_engine::Position::new(&tables, &Position::start(tables.game()));
        Box::new(move |model| match model {
            Model::Weights(weights) => Evaluator::new(&tables, weights).evaluate(&position),
            Model::Network(network) => network.evaluate(&position),
        })
    }
}
