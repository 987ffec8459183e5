//! A UCI engine as a player.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use assay_client::uci::UciEngine;
use assay_rules::{Color, Game, Move, uci};

use crate::game::clock::{Clocks, EngineLimits};
use crate::game::{FaultKind, FenDialect, Reply};
use crate::players::info::ReportedInfo;
use crate::players::program::{Program, ProgramSetup};
use crate::players::thinking::{Thinking, answer, fault, no_answer};
use crate::players::{Answer, NoAnswer, Player, own_clock};
use assay_client::connection::{Connection, EngineError, STARTUP_TIMEOUT, Wait};
use assay_client::options::EngineOption;

/// A UCI engine that is ready to play.
#[derive(Debug)]
pub struct UciPlayer {
    engine: UciEngine,
    limits: EngineLimits,
    stall: Duration,
    dialect: FenDialect,
    can_ponder: bool,
    /// The opponent's move that the engine expects, as it wrote it.
    hint: Option<String>,
    /// The move after which the engine is thinking in the opponent's time.
    pondering: Option<Move>,
}

impl UciPlayer {
    /// Starts an engine and configures it for the game.
    ///
    /// # Errors
    /// If the engine cannot be started, does not speak UCI, lacks a requested option or the game, or reports an error of an option.
    pub(crate) fn start(setup: &ProgramSetup<'_>, stop: &AtomicBool) -> Result<UciPlayer, EngineError> {
        let wait = Wait { timeout: STARTUP_TIMEOUT, stop };
        let (settings, game) = (setup.program, setup.run.game());
        let mut engine = UciEngine::from(setup.start()?);
        engine.handshake(wait)?;
        let variant = settings.variant.as_deref().unwrap_or(&game.name);
        let (path, definition) = (settings.variant_path.as_deref(), setup.run.source.path.as_deref());
        engine.select_variant(variant, path, definition, game.shadows_builtin(), wait)?;
        let is_set = |name: &str| settings.options.iter().any(|(set, _)| set.eq_ignore_ascii_case(name));
        if settings.ponder {
            engine.set_option("Ponder", "true")?;
        } else if engine.option("Ponder").is_some() && !is_set("Ponder") {
            engine.set_option("Ponder", "false")?;
        }
        let options = engine.options().to_vec();
        for (name, value) in setup.known_options(&options) {
            engine.set_option(name, value)?;
        }
        engine.wait_options(wait)?;
        let dialect = settings.dialect;
        Ok(UciPlayer {
            limits: setup.settings.limits,
            stall: setup.run.stall,
            dialect: dialect.unwrap_or_else(|| FenDialect::of_program(engine.id_name())),
            engine,
            can_ponder: settings.ponder,
            hint: None,
            pondering: None,
        })
    }

    /// Ends a search in the opponent's time whose move was not played.
    fn stop_pondering(&mut self, stop: &AtomicBool) -> Result<(), NoAnswer> {
        if self.pondering.take().is_none() {
            return Ok(());
        }
        let timeout = self.stall;
        let is_last = |line: &str| line.split_whitespace().next() == Some("bestmove");
        let stopped = self.engine.connection.query("stop", Wait { timeout, stop }, is_last);
        stopped.map_err(|error| no_answer(&self.engine.connection, error, "pondering"))
    }

    /// Reads what the engine printed before `now`, in the opponent's time. It may not have moved.
    fn read_pondered(&mut self, now: Instant, info: &mut ReportedInfo) -> Result<(), NoAnswer> {
        let connection = &mut self.engine.connection;
        loop {
            let line = connection.read_line("ponderhit", Duration::ZERO);
            let Some(line) = line.map_err(|error| no_answer(connection, error, "pondering"))? else {
                return Ok(());
            };
            match line.text.split_whitespace().next() {
                Some("bestmove") => {
                    let text: String = line.text.chars().take(80).collect();
                    let what = format!("`{text}` while it pondered, before `ponderhit`");
                    return Err(fault(connection, FaultKind::Malformed, what));
                }
                Some("info") => info.update_uci(&line.text),
                _ => {}
            }
            if line.at >= now {
                return Ok(());
            }
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
}

impl Player for UciPlayer {
    fn new_game(&mut self, _game: &Game, stop: &AtomicBool) -> Result<(), NoAnswer> {
        self.stop_pondering(stop)?;
        self.hint = None;
        let timeout = self.stall;
        let ready = self.engine.new_game(Wait { timeout, stop });
        ready.map_err(|error| no_answer(&self.engine.connection, error, "getting ready"))
    }

    fn choose_move(&mut self, game: &Game, clocks: &Clocks, stop: &AtomicBool) -> Result<Answer, NoAnswer> {
        let mut info = ReportedInfo::default();
        // The time of a search that began in the opponent's time counts from the opponent's move.
        let mut started = Instant::now();
        let is_hit = self.pondering.is_some() && self.pondering.as_ref() == game.moves().last();
        if is_hit {
            self.pondering = None;
            self.read_pondered(started, &mut info)?;
            self.engine.send("ponderhit");
        } else {
            self.stop_pondering(stop)?;
            let (start, moves) = self.dialect.uci_position(game);
            self.engine.set_position(&start, &moves);
            // Output before `readyok`, such as a second `bestmove`, does not answer `go`.
            let timeout = self.stall;
            let ready = self.engine.wait_ready(Wait { timeout, stop });
            ready.map_err(|error| no_answer(&self.engine.connection, error, "getting ready"))?;
            started = Instant::now();
            self.engine.send(&self.go_command(game, clocks));
        }
        let thinking =
            Thinking { started, limit: self.limits.allowed(own_clock(clocks, game)), stall: self.stall, stop: "stop" };
        let mut hint = None;
        let take = |_: &Connection, line: &str| {
            let mut words = line.split_whitespace();
            match words.next() {
                Some("bestmove") => {
                    let answer = words.next().unwrap_or_default().to_owned();
                    let is_hint = words.next() == Some("ponder");
                    hint = words.next().filter(|_| is_hint).map(str::to_owned);
                    return Some(answer);
                }
                Some("info") => info.update_uci(line),
                _ => {}
            }
            None
        };
        let (text, elapsed) = answer(&mut self.engine.connection, thinking, stop, take)?;
        self.hint = hint;
        Ok(Answer {
            // A prefix is enough to recognize garbage.
            reply: Reply::Text(text.chars().take(80).collect()),
            info,
            elapsed,
        })
    }

    fn ponder(&mut self, game: &Game, clocks: &Clocks) {
        let hint = self.hint.take().filter(|_| self.can_ponder);
        // An engine may expect what is no move.
        let Some(expected) = hint.and_then(|text| uci::parse(game.position(), &text).ok()) else {
            return;
        };
        let mut game = game.clone();
        game.play(expected);
        if game.outcome().is_none() {
            let (start, moves) = self.dialect.uci_position(&game);
            self.engine.set_position(&start, &moves);
            self.engine.send(&self.go_command(&game, clocks).replacen("go", "go ponder", 1));
            self.pondering = Some(expected);
        }
    }

    fn end_game(&mut self) {
        if self.pondering.is_some() {
            self.engine.send("stop");
        }
    }
}

impl Program for UciPlayer {
    fn name(&self) -> &str {
        self.engine.id_name()
    }

    fn options(&self) -> &[EngineOption] {
        self.engine.options()
    }
}
