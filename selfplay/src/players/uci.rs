//! An engine that speaks UCI, in a process of its own.

pub mod info;
pub mod options;

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::game::fault::{Fault, FaultKind};
use crate::game::state::GameState;
use crate::players::contestant::{Answer, Clocks, Contestant, NoAnswer, own_clock};
use crate::players::fen_dialect::Dialect;
use crate::players::limits::EngineLimits;
use crate::players::process::{Heard, Line, Process};
use info::Said;
use options::{Offered, OptionError};

/// How long a program may take to start, and to get ready between games.
const READY: Duration = Duration::from_mins(1);

/// How often a wait looks whether somebody wants to stop.
const GLANCE: Duration = Duration::from_millis(50);

/// How long to wait for the status of a program that closed its output.
const LAST_WORDS: Duration = Duration::from_millis(300);

/// An engine whose time is up gets no more than this to come to an answer, which tells a late one from a hanging one.
const MOST_GRACE: Duration = Duration::from_secs(10);

/// How a program is started and set up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UciSettings {
    /// What the match calls it.
    pub name: String,
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// The folder that it runs in.
    pub folder: Option<PathBuf>,
    /// Options to set, in this order, apart from the game.
    pub options: Vec<(String, String)>,
    /// What the program calls the game.
    pub variant: String,
    /// A file that defines the game for the program (`VariantPath`).
    pub variant_path: Option<String>,
    /// How it writes positions; `None`: as its name lets expect.
    pub dialect: Option<Dialect>,
    /// When it has to move.
    pub limits: EngineLimits,
    /// How long it may be silent beyond its time, or while it has no clock.
    pub stall: Duration,
}

/// Why a program cannot play.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("engine {name}: {why}")]
pub struct StartError {
    /// What the match calls it.
    pub name: String,
    /// Why.
    pub why: String,
}

/// A program that is ready to play.
#[derive(Debug)]
pub struct UciEngine {
    process: Process,
    settings: UciSettings,
    /// What it calls itself.
    id_name: String,
    dialect: Dialect,
}

impl UciEngine {
    /// Starts a program and makes it ready for the game.
    ///
    /// # Errors
    /// When it cannot be started, does not speak UCI, or does not have the options or the game that are wanted.
    pub fn start(settings: &UciSettings, stop: &AtomicBool) -> Result<UciEngine, StartError> {
        let fail = |why: String| StartError {
            name: settings.name.clone(),
            why,
        };
        let process = Process::start(&settings.program, &settings.arguments, settings.folder.as_deref())
            .map_err(|error| fail(format!("cannot start `{}`: {error}", settings.program.display())))?;
        let mut engine = UciEngine {
            process,
            settings: settings.clone(),
            id_name: String::new(),
            dialect: Dialect::Assay,
        };
        engine.prepare(stop).map_err(fail)?;
        Ok(engine)
    }

    /// What it calls itself.
    pub fn id_name(&self) -> &str {
        &self.id_name
    }

    /// How it writes positions.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    fn prepare(&mut self, stop: &AtomicBool) -> Result<(), String> {
        let mut offered = self.greet(stop)?;
        let text = |error: OptionError| error.to_string();
        if let Some(path) = self.settings.variant_path.clone() {
            let line = options::set(&offered, "VariantPath", &path).map_err(text)?;
            self.process.send(&line);
            // The list of games is told again, now with those of the file; and `uci` may set the game back.
            offered = self.greet(stop)?;
        }
        let variant = &self.settings.variant;
        match options::find(&offered, "UCI_Variant") {
            Some(_) => {
                let line = options::set(&offered, "UCI_Variant", variant).map_err(|error| {
                    format!("{error}; variant=NAME says what it calls the game, option.VariantPath=FILE defines it")
                })?;
                self.process.send(&line);
            }
            None if variant == "chess" => {}
            None => {
                return Err(format!(
                    "plays chess only (it has no option UCI_Variant), expected one that knows {variant}"
                ));
            }
        }
        let chosen = |name: &str| {
            self.settings
                .options
                .iter()
                .any(|(option, _)| option.eq_ignore_ascii_case(name))
        };
        if options::find(&offered, "Ponder").is_some() && !chosen("Ponder") {
            self.process.send("setoption name Ponder value false");
        }
        for (name, value) in &self.settings.options {
            let line = options::set(&offered, name, value).map_err(text)?;
            self.process.send(&line);
        }
        self.wait_ready(READY, stop).map_err(|problem| match problem {
            NoAnswer::Fault(fault) => fault.what,
            NoAnswer::Stopped => "stopped".to_owned(),
        })?;
        self.dialect = self
            .settings
            .dialect
            .unwrap_or_else(|| Dialect::of_program(&self.id_name));
        Ok(())
    }

    /// Sends `uci` and gives the options that are offered.
    fn greet(&mut self, stop: &AtomicBool) -> Result<Vec<Offered>, String> {
        self.process.send("uci");
        let deadline = Instant::now() + READY;
        let mut offered = Vec::new();
        loop {
            match self.process.hear(GLANCE) {
                Heard::Line(line) => {
                    if line.text == "uciok" {
                        return Ok(offered);
                    }
                    if let Some(name) = line.text.strip_prefix("id name ") {
                        name.trim().clone_into(&mut self.id_name);
                    }
                    // A program that offers without end is none.
                    if offered.len() < 10_000 {
                        offered.extend(Offered::parse(&line.text));
                    }
                }
                Heard::Nothing => {}
                Heard::End => return Err(format!("{} before it said `uciok`", self.last_words())),
            }
            if stop.load(Ordering::Relaxed) {
                return Err("stopped while it was starting".to_owned());
            }
            if Instant::now() >= deadline {
                return Err(format!("no `uciok` within {} s: does it speak UCI?", READY.as_secs()));
            }
        }
    }

    fn wait_ready(&mut self, patience: Duration, stop: &AtomicBool) -> Result<(), NoAnswer> {
        self.process.send("isready");
        let deadline = Instant::now() + patience;
        loop {
            match self.process.hear(GLANCE) {
                Heard::Line(line) if line.text == "readyok" => return Ok(()),
                Heard::Line(_) | Heard::Nothing => {}
                Heard::End => return Err(self.crash("while it was getting ready").into()),
            }
            if stop.load(Ordering::Relaxed) {
                return Err(NoAnswer::Stopped);
            }
            if Instant::now() >= deadline {
                let what = format!("no `readyok` within {} s", patience.as_secs_f64());
                return Err(self.fault(FaultKind::Stall, what).into());
            }
        }
    }

    fn fault(&self, kind: FaultKind, what: String) -> Fault {
        Fault {
            kind,
            what,
            stderr: self.process.log(),
        }
    }

    fn crash(&mut self, when: &str) -> Fault {
        let how = self.last_words();
        self.fault(FaultKind::Crash, format!("{how} {when}"))
    }

    /// How it ended.
    fn last_words(&mut self) -> String {
        match self.process.status(LAST_WORDS) {
            Some(status) => format!("it ended ({status})"),
            None => "it closed its output".to_owned(),
        }
    }

    /// The `go` command.
    fn go(&self, state: &GameState, clocks: &Clocks) -> String {
        let mut text = String::from("go");
        let side = state.side();
        if let Some(own) = own_clock(clocks, side) {
            // Where the other side has no clock it is told ours.
            let of = |color| clocks[color].as_ref().unwrap_or(own);
            let (white, black) = (of(assay_rules::Color::White), of(assay_rules::Color::Black));
            let ms = |time: Duration| time.as_millis().max(1);
            text += &format!(
                " wtime {} btime {} winc {} binc {}",
                ms(white.remaining()),
                ms(black.remaining()),
                white.increment().as_millis(),
                black.increment().as_millis()
            );
            if let Some(moves) = own.to_go() {
                text += &format!(" movestogo {moves}");
            }
        }
        let limits = &self.settings.limits;
        for (name, value) in [
            (
                "movetime",
                limits.movetime.map(|time| time.as_millis().max(1).to_string()),
            ),
            ("nodes", limits.nodes.map(|nodes| nodes.to_string())),
            ("depth", limits.depth.map(|depth| depth.to_string())),
        ] {
            if let Some(value) = value {
                text += &format!(" {name} {value}");
            }
        }
        text
    }

    /// How long the answer may take; `None` without a clock.
    fn allowed(&self, state: &GameState, clocks: &Clocks) -> Option<Duration> {
        let clock = own_clock(clocks, state.side()).map(crate::players::limits::Clock::remaining);
        let shortest = clock.into_iter().chain(self.settings.limits.movetime).min();
        shortest.map(|time| time + self.settings.limits.margin)
    }

    /// Listens until `bestmove`; gives the words behind it.
    fn listen(
        &mut self,
        asked: Instant,
        allowed: Option<Duration>,
        stop: &AtomicBool,
    ) -> Result<(String, Line, Said), NoAnswer> {
        let stall = self.settings.stall;
        let mut said = Said::default();
        let mut told_to_stop = false;
        let mut last_word = asked;
        loop {
            match self
                .process
                .hear(GLANCE.min(allowed.unwrap_or(GLANCE)).max(Duration::from_millis(1)))
            {
                Heard::Line(line) => {
                    last_word = line.at;
                    let (first, rest) = line.text.split_once(char::is_whitespace).unwrap_or((&line.text, ""));
                    if first == "bestmove" {
                        return Ok((rest.to_owned(), line, said));
                    }
                    if first == "info" {
                        said.note(&line.text);
                    }
                }
                Heard::Nothing => {}
                Heard::End => return Err(self.crash("while it was thinking").into()),
            }
            if stop.load(Ordering::Relaxed) {
                return Err(NoAnswer::Stopped);
            }
            let now = Instant::now();
            if let Some(allowed) = allowed {
                let late = now.saturating_duration_since(asked + allowed);
                if !late.is_zero() && !told_to_stop {
                    // The game is lost anyway; whether it answers at all tells what is wrong.
                    self.process.send("stop");
                    told_to_stop = true;
                }
                if late > stall.min(MOST_GRACE) {
                    let what = format!("no answer {:.1} s after its time was up", late.as_secs_f64());
                    return Err(self.fault(FaultKind::Stall, what).into());
                }
            } else if now.saturating_duration_since(last_word) > stall
                || now.saturating_duration_since(asked) > 10 * stall
            {
                let what = format!(
                    "no answer within {:.1} s",
                    now.saturating_duration_since(asked).as_secs_f64()
                );
                return Err(self.fault(FaultKind::Stall, what).into());
            }
        }
    }
}

impl Contestant for UciEngine {
    fn begin(&mut self, _referee: &GameState, stop: &AtomicBool) -> Result<(), NoAnswer> {
        self.process.forget();
        self.process.send("ucinewgame");
        self.wait_ready(self.settings.stall, stop)
    }

    fn think(&mut self, state: &GameState, clocks: &Clocks, stop: &AtomicBool) -> Result<Answer, NoAnswer> {
        self.process.forget();
        self.process.send(&state.command(self.dialect));
        let go = self.go(state, clocks);
        let allowed = self.allowed(state, clocks);
        let asked = Instant::now();
        self.process.send(&go);
        let (rest, line, said) = self.listen(asked, allowed, stop)?;
        let elapsed = line.at.saturating_duration_since(asked);
        if let Some(allowed) = allowed.filter(|&allowed| elapsed > allowed) {
            let what = format!(
                "answered after {:.3} s, expected at most {:.3} s",
                elapsed.as_secs_f64(),
                allowed.as_secs_f64()
            );
            return Err(self.fault(FaultKind::TimeLoss, what).into());
        }
        let text = rest.split_whitespace().next().unwrap_or_default();
        Ok(Answer {
            // Long garbage is no better for being kept.
            text: text.chars().take(80).collect(),
            eval: said.eval,
            depth: said.depth,
            nodes: said.nodes,
            elapsed,
        })
    }
}
