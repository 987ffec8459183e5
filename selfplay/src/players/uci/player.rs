//! A UCI engine as a player.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use assay_rules::{Color, Game};

use super::info::ReportedInfo;
use super::{POLL_INTERVAL, UciEngine, UciEngineError, Wait, exit_text};
use crate::game::clock::{Clocks, EngineLimits};
use crate::game::{EngineFault, FaultKind, FenDialect, Reply};
use crate::players::process::OutputLine;
use crate::players::{Answer, NoAnswer, Player, own_clock};
use crate::settings::UciProgram;

/// Time limit of the handshake and of getting ready.
const STARTUP_TIMEOUT: Duration = Duration::from_mins(1);

/// Maximum time that an engine gets to answer after its time has run out, to distinguish a late engine from a hanging one.
const MAX_GRACE: Duration = Duration::from_secs(10);

/// An engine without clock may search this many stall times if it keeps printing.
const MAX_STALLS: u32 = 10;

/// A UCI engine that is ready to play.
#[derive(Debug)]
pub struct UciPlayer {
    engine: UciEngine,
    limits: EngineLimits,
    stall: Duration,
    dialect: FenDialect,
}

impl UciPlayer {
    /// Starts an engine and configures it for the game; `stall` is how long it may be silent beyond its time, or without a clock.
    ///
    /// # Errors
    /// If the engine cannot be started, does not speak UCI, lacks a requested option or the game, or reports an error of an option.
    pub fn start(
        settings: &UciProgram,
        game: &str,
        limits: EngineLimits,
        stall: Duration,
        stop: &AtomicBool,
    ) -> Result<UciPlayer, UciEngineError> {
        let wait = Wait {
            timeout: STARTUP_TIMEOUT,
            stop,
        };
        let mut engine = UciEngine::start(&settings.command)?;
        engine.handshake(wait)?;
        let variant = settings.variant.as_deref().unwrap_or(game);
        engine.select_variant(variant, settings.variant_path.as_deref(), wait)?;
        let is_set = |name: &str| settings.options.iter().any(|(set, _)| set.eq_ignore_ascii_case(name));
        if engine.option("Ponder").is_some() && !is_set("Ponder") {
            engine.set_option("Ponder", "false")?;
        }
        for (name, value) in &settings.options {
            engine.set_option(name, value)?;
        }
        engine.wait_options(wait)?;
        let dialect = settings.dialect;
        Ok(UciPlayer {
            limits,
            stall,
            dialect: dialect.unwrap_or_else(|| FenDialect::of_program(engine.id_name())),
            engine,
        })
    }

    /// The running engine.
    pub fn engine(&self) -> &UciEngine {
        &self.engine
    }

    fn fault(&self, kind: FaultKind, what: String) -> NoAnswer {
        NoAnswer::Fault(EngineFault {
            kind,
            what,
            dispute: None,
            stderr: self.engine.stderr_tail(),
        })
    }

    /// Classifies an error of the client as a crash or a stall.
    fn no_answer(&self, error: UciEngineError, activity: &str) -> NoAnswer {
        match error {
            UciEngineError::Stopped => NoAnswer::Stopped,
            UciEngineError::Exited { status, .. } => {
                self.fault(FaultKind::Crash, format!("{} while {activity}", exit_text(status)))
            }
            error => self.fault(FaultKind::Stall, error.to_string()),
        }
    }

    fn go_command(&self, game: &Game, clocks: &Clocks) -> String {
        let mut text = String::from("go");
        if let Some(own) = own_clock(clocks, game) {
            // UCI has times for both sides: an opponent without a clock is reported with ours.
            let of = |color| clocks[color].as_ref().unwrap_or(own);
            let (white, black) = (of(Color::White), of(Color::Black));
            let ms = |time: Duration| time.as_millis().max(1);
            text += &format!(
                " wtime {} btime {} winc {} binc {}",
                ms(white.remaining),
                ms(black.remaining),
                white.control.increment.as_millis(),
                black.control.increment.as_millis()
            );
            if let Some(moves) = own.to_go {
                text += &format!(" movestogo {moves}");
            }
        }
        if let Some(time) = self.limits.movetime {
            text += &format!(" movetime {}", time.as_millis().max(1));
        }
        if let Some(nodes) = self.limits.nodes {
            text += &format!(" nodes {nodes}");
        }
        if let Some(depth) = self.limits.depth {
            text += &format!(" depth {depth}");
        }
        text
    }

    /// The time in which the engine must answer, margin included; `None` without a clock.
    fn time_limit(&self, game: &Game, clocks: &Clocks) -> Option<Duration> {
        let clock = own_clock(clocks, game).map(|clock| clock.remaining);
        let shortest = clock.into_iter().chain(self.limits.movetime).min();
        shortest.map(|time| time + self.limits.margin)
    }

    /// Reads output until `bestmove`; returns that line and the last reported search.
    fn read_bestmove(
        &mut self,
        started: Instant,
        limit: Option<Duration>,
        stop: &AtomicBool,
    ) -> Result<(OutputLine, ReportedInfo), NoAnswer> {
        let poll = POLL_INTERVAL
            .min(limit.unwrap_or(POLL_INTERVAL))
            .max(Duration::from_millis(1));
        let mut info = ReportedInfo::default();
        let mut stop_sent = false;
        let mut last_output = started;
        loop {
            let line = self.engine.read_line("go", poll);
            if let Some(line) = line.map_err(|error| self.no_answer(error, "searching"))? {
                last_output = line.at;
                match line.text.split_whitespace().next() {
                    Some("bestmove") => return Ok((line, info)),
                    Some("info") => info.update(&line.text),
                    _ => {}
                }
            }
            if stop.load(Ordering::Relaxed) {
                return Err(NoAnswer::Stopped);
            }
            let now = Instant::now();
            let elapsed = now.saturating_duration_since(started);
            if let Some(limit) = limit {
                let late = elapsed.saturating_sub(limit);
                if !late.is_zero() && !stop_sent {
                    // The game is lost; an answer distinguishes a time loss from a stall.
                    self.engine.send("stop");
                    stop_sent = true;
                }
                if late > self.stall.min(MAX_GRACE) {
                    let what = format!("no answer {:.1} s after its time ran out", late.as_secs_f64());
                    return Err(self.fault(FaultKind::Stall, what));
                }
            } else if now.saturating_duration_since(last_output) > self.stall || elapsed > MAX_STALLS * self.stall {
                let what = format!("no answer within {:.1} s", elapsed.as_secs_f64());
                return Err(self.fault(FaultKind::Stall, what));
            }
        }
    }
}

impl Player for UciPlayer {
    fn new_game(&mut self, _game: &Game, stop: &AtomicBool) -> Result<(), NoAnswer> {
        let timeout = self.stall;
        let ready = self.engine.new_game(Wait { timeout, stop });
        ready.map_err(|error| self.no_answer(error, "getting ready"))
    }

    fn choose_move(&mut self, game: &Game, clocks: &Clocks, stop: &AtomicBool) -> Result<Answer, NoAnswer> {
        let (start, moves) = self.dialect.uci_position(game);
        self.engine.set_position(&start, &moves);
        // Output before `readyok`, such as a second `bestmove`, does not answer `go`.
        let timeout = self.stall;
        let ready = self.engine.wait_ready(Wait { timeout, stop });
        ready.map_err(|error| self.no_answer(error, "getting ready"))?;
        let limit = self.time_limit(game, clocks);
        let started = Instant::now();
        self.engine.send(&self.go_command(game, clocks));
        let (line, info) = self.read_bestmove(started, limit, stop)?;
        let elapsed = line.at.saturating_duration_since(started);
        if let Some(limit) = limit.filter(|&limit| elapsed > limit) {
            let stderr = self.engine.stderr_tail();
            return Err(NoAnswer::Fault(EngineFault::late(elapsed, limit, stderr)));
        }
        let text = line.text.split_whitespace().nth(1).unwrap_or_default();
        Ok(Answer {
            // A prefix is enough to recognize garbage.
            reply: Reply::Text(text.chars().take(80).collect()),
            info,
            elapsed,
        })
    }
}
