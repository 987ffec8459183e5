//! The log of what engines are sent and answer (`-log`).

use std::collections::VecDeque;
use std::fmt::Display;
use std::fs::File;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Lines of one engine that are longer are cut to this many characters.
const MAX_LINE: usize = 4_096;

/// The file that all engines of a run are logged to. Every line is written at once.
#[derive(Debug)]
pub struct EngineLog {
    file: Mutex<Output>,
    started: Instant,
    /// The number of lines to write of each game with a fault; `None` to write all lines of all
    /// games.
    fault_lines: Option<usize>,
}

#[derive(Debug)]
struct Output {
    file: File,
    /// The first error, after which nothing more is written.
    error: Option<io::Error>,
}

impl EngineLog {
    pub fn new(file: File, fault_lines: Option<usize>) -> EngineLog {
        EngineLog { file: Mutex::new(Output { file, error: None }), started: Instant::now(), fault_lines }
    }

    /// The error that ended the log early.
    pub fn take_error(&self) -> Option<io::Error> {
        self.output().error.take()
    }

    fn output(&self) -> MutexGuard<'_, Output> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self, text: &str) {
        let mut output = self.output();
        if output.error.is_none() {
            output.error = output.file.write_all(text.as_bytes()).err();
        }
    }
}

/// The part of the log that one worker writes: of the engines of one game at a time.
#[derive(Debug)]
pub struct GameLog {
    log: Arc<EngineLog>,
    /// The last lines of the game, if only games with faults are logged.
    lines: Mutex<VecDeque<String>>,
}

impl GameLog {
    pub fn new(log: &Arc<EngineLog>) -> GameLog {
        GameLog { log: Arc::clone(log), lines: Mutex::default() }
    }

    /// Logs a line that an engine was sent (`>`) or has printed (`<`).
    pub fn line(&self, at: Instant, engine: &str, direction: char, text: &str) {
        let short: String = text.chars().take(MAX_LINE).collect();
        self.add(at, format_args!("{engine} {direction} {short}"));
    }

    /// Begins the log of a game.
    pub fn begin_game(&self, what: impl Display) {
        self.lines().clear();
        self.add(Instant::now(), format_args!("-- {what}"));
    }

    /// Logs a fault, and the lines before it that have waited for one.
    pub fn fault(&self, what: impl Display) {
        self.add(Instant::now(), format_args!("-- {what}"));
        let lines: String = self.lines().drain(..).collect();
        self.log.write(&lines);
    }

    fn lines(&self) -> MutexGuard<'_, VecDeque<String>> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, at: Instant, text: impl Display) {
        let seconds = at.saturating_duration_since(self.log.started).as_secs_f64();
        // Engines may print control characters, which do not belong in a text file.
        let text = assay_rules::text::escaped(&text.to_string()).to_string();
        let line = format!("{seconds:.4} {text}\n");
        match self.log.fault_lines {
            None => self.log.write(&line),
            Some(count) => {
                let mut lines = self.lines();
                // The first line says which game it is.
                if lines.len() > count {
                    lines.remove(1);
                }
                lines.push_back(line);
            }
        }
    }
}
