//! A UCI engine as a player.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use assay_client::uci::UciEngine;
use assay_rules::{Color, Game};

use crate::game::clock::{Clocks, EngineLimits};
use crate::game::{FenDialect, Reply};
use crate::players::info::ReportedInfo;
use crate::players::thinking::{Thinking, Thinks};
use crate::players::{Answer, NoAnswer, Player, Program, ProgramSetup, own_clock};
use assay_client::connection::{Connection, EngineError, STARTUP_TIMEOUT, Wait};
use assay_client::options::EngineOption;

/// A UCI engine that is ready to play.
#[derive(Debug)]
pub struct UciPlayer {
    engine: UciEngine,
    limits: EngineLimits,
    stall: Duration,
    dialect: FenDialect,
}

impl UciPlayer {
    /// Starts an engine and configures it for the game.
    ///
    /// # Errors
    /// If the engine cannot be started, does not speak UCI, lacks a requested option or the game, or reports an error of an option.
    pub(crate) fn start(setup: &ProgramSetup, stop: &AtomicBool) -> Result<UciPlayer, EngineError> {
        let wait = Wait {
            timeout: STARTUP_TIMEOUT,
            stop,
        };
        let settings = &setup.program;
        let mut engine = UciEngine::from(setup.start()?);
        engine.handshake(wait)?;
        let variant = settings.variant.as_deref().unwrap_or(&setup.game.name);
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
            limits: setup.limits,
            stall: setup.stall,
            dialect: dialect.unwrap_or_else(|| FenDialect::of_program(engine.id_name())),
            engine,
        })
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
        let timeout = self.stall;
        let ready = self.engine.new_game(Wait { timeout, stop });
        ready.map_err(|error| self.engine.connection().no_answer(error, "getting ready"))
    }

    fn choose_move(&mut self, game: &Game, clocks: &Clocks, stop: &AtomicBool) -> Result<Answer, NoAnswer> {
        let (start, moves) = self.dialect.uci_position(game);
        self.engine.set_position(&start, &moves);
        // Output before `readyok`, such as a second `bestmove`, does not answer `go`.
        let timeout = self.stall;
        let ready = self.engine.wait_ready(Wait { timeout, stop });
        ready.map_err(|error| self.engine.connection().no_answer(error, "getting ready"))?;
        let thinking = Thinking {
            started: Instant::now(),
            limit: self.limits.allowed(own_clock(clocks, game)),
            stall: self.stall,
            stop: "stop",
        };
        self.engine.send(&self.go_command(game, clocks));
        let mut info = ReportedInfo::default();
        let take = |_: &Connection, line: &str| {
            let mut words = line.split_whitespace();
            match words.next() {
                Some("bestmove") => return Some(words.next().unwrap_or_default().to_owned()),
                Some("info") => info.update_uci(line),
                _ => {}
            }
            None
        };
        let (text, elapsed) = self.engine.connection_mut().answer(thinking, stop, take)?;
        Ok(Answer {
            // A prefix is enough to recognize garbage.
            reply: Reply::Text(text.chars().take(80).collect()),
            info,
            elapsed,
        })
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
