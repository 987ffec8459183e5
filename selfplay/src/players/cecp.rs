//! A client for engines that speak CECP, the Chess Engine Communication Protocol of XBoard and
//! WinBoard (version 2).
//!
//! Before each move the engine is taken out of play (`force`), gets the moves that it does not
//! know, and is told to play (`go`). An engine that does not ponder therefore thinks only on its
//! own time, as under UCI, and both protocols give the same games. An engine that ponders stays in
//! play instead: it gets the clocks and the opponent's move, and answers.

mod features;
mod messages;

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use assay_engine::protocol::cecp::squares::{
    format_move, is_shuffled, move_from_xboard, move_to_xboard, san_from_xboard,
};
use assay_rules::{Color, Game, Move, Position, san, uci};

use super::info::ReportedInfo;
use super::program::{Program, ProgramSetup};
use super::thinking::{Thinking, answer, fault, no_answer};
use super::{Answer, NoAnswer, Player, own_clock};
use crate::game::clock::{Clock, Clocks};
use crate::game::{FaultKind, FenDialect, Reply};
use crate::settings::OpeningSource;
use assay_client::connection::{Connection, EngineError, STARTUP_TIMEOUT, Wait, option_error, unknown_variant};
use assay_client::options::{self, EngineOption, OptionKind};
use features::Features;
use messages::{Message, is_result, rejects};

/// Seconds per move of an engine without a limit of time: a day.
const UNLIMITED_SECONDS: f64 = 86_400.0;

/// A CECP engine that is ready to play.
#[derive(Debug)]
pub struct CecpPlayer<'r> {
    connection: Connection,
    features: Features,
    setup: ProgramSetup<'r>,
    /// The engine's name for the game.
    variant: String,
    dialect: FenDialect,
    /// Plies of the game that the engine knows.
    known: usize,
    /// Number of the last `ping`.
    pings: u32,
    /// True if the last search may go on: it ended without a move, and without `ping` nothing says
    /// when the engine has stopped.
    may_search: bool,
}

impl<'r> CecpPlayer<'r> {
    /// Starts an engine and configures it for the game.
    ///
    /// # Errors
    /// If the engine cannot be started, lacks a requested option, limit or the game, or reports an error of an option.
    pub(crate) fn start(setup: ProgramSetup<'r>, stop: &AtomicBool) -> Result<CecpPlayer<'r>, EngineError> {
        let timeout = STARTUP_TIMEOUT;
        let wait = Wait { timeout, stop };
        let mut connection = setup.start()?;
        let features = Features::ask(&mut connection, wait)?;
        let dialect = setup.program.dialect;
        let mut player = CecpPlayer {
            connection,
            dialect: dialect.unwrap_or_else(|| FenDialect::of_program(&features.name)),
            features,
            setup,
            variant: "normal".to_owned(),
            known: 0,
            pings: 0,
            may_search: false,
        };
        player.check_features()?;
        // What the engine says about its own start is no error of an option.
        player.wait_ready(wait, |_| {})?;
        if let Some(path) = player.setup.variant_path(&player.features.options) {
            player.set_option("VariantPath", &path)?;
            // The engine now lists the games of the file, too.
            player.wait_options(wait)?;
        }
        for (name, value) in player.setup.known_options(&player.features.options) {
            player.set_option(name, value)?;
        }
        player.variant = player.find_variant()?;
        player.connection.send("new");
        player.send_variant();
        player.connection.send("force");
        player.wait_options(wait)?;
        Ok(player)
    }

    /// Checks that the engine can play the games of the run.
    fn check_features(&self) -> Result<(), EngineError> {
        let lacks = |feature: &str, purpose: &str| {
            let none = if self.features.is_any { "" } else { " (it has sent no features)" };
            format!("has no feature {feature}{none}, without which {purpose}")
        };
        if self.setup.run.openings != OpeningSource::Start && !self.features.setboard {
            let why = lacks("setboard", "games begin at the start position (-openings none)");
            return Err(EngineError::NoPositions(why));
        }
        if self.setup.settings.limits.nodes.is_some() && !self.features.nps {
            let why = lacks("nps", "it cannot count nodes; expected depth=, st= or tc= instead of nodes=");
            return Err(EngineError::Unusable(why));
        }
        Ok(())
    }

    /// The engine's name for the game.
    fn find_variant(&self) -> Result<String, EngineError> {
        if self.setup.run.game().wall_rule().is_some() {
            let why = "found a game in which each move makes a wall, which programs write in several ways; expected proto=uci";
            return Err(EngineError::Unusable(why.to_owned()));
        }
        if let Some(name) = &self.setup.program.variant {
            return Ok(name.clone());
        }
        let name = match self.setup.run.game().name.as_str() {
            "chess" => "normal",
            name => name,
        };
        let known = self.features.variants.iter().map(String::as_str);
        let can_load =
            self.setup.program.variant_path.is_none() && options::find(&self.features.options, "VariantPath").is_some();
        let found = self.features.variant(name).map(str::to_owned);
        found.ok_or_else(|| unknown_variant(name, known, can_load))
    }

    fn send_variant(&self) {
        if self.variant != "normal" {
            self.connection.send(&format!("variant {}", self.variant));
        }
    }

    fn set_option(&self, name: &str, value: &str) -> Result<(), EngineError> {
        let found = options::checked(&self.features.options, name, value);
        let EngineOption { name, kind } = found.map_err(EngineError::Unusable)?;
        let has_command = matches!(name.as_str(), "memory" | "cores") || name.starts_with("egtpath ");
        self.connection.send(&match kind {
            _ if has_command => format!("{name} {value}"),
            OptionKind::Button => format!("option {name}"),
            OptionKind::Check => format!("option {name}={}", u8::from(value == "true")),
            _ => format!("option {name}={value}"),
        });
        Ok(())
    }

    /// Waits until all commands have been executed. An error that the engine reports is one of an
    /// option or the game.
    fn wait_options(&mut self, wait: Wait<'_>) -> Result<(), EngineError> {
        let mut failure = None;
        let result = self.wait_ready(wait, |line| {
            let is_error = line.starts_with("tellusererror ") || messages::is_option_error(line);
            if is_error && failure.is_none() {
                failure = Some(line.strip_prefix("tellusererror ").unwrap_or(line).to_owned());
            }
        });
        // An engine may exit after the error, which says more than the exit.
        failure.map_or(result, |text| Err(option_error(&text)))
    }

    /// Waits for the answer to `ping`, and passes each line before it to `see`. Of an engine
    /// without `ping`, only what has already arrived is read.
    fn wait_ready(&mut self, wait: Wait<'_>, mut see: impl FnMut(&str)) -> Result<(), EngineError> {
        if !self.features.ping {
            while let Some(line) = self.connection.read_line("force", Duration::ZERO)? {
                see(&line.text);
            }
            return Ok(());
        }
        self.pings += 1;
        let pong = format!("pong {}", self.pings);
        let mut changed = Vec::new();
        let result = self.connection.query(&format!("ping {}", self.pings), wait, |line| {
            if line.starts_with("feature ") {
                changed.push(line.to_owned());
            }
            see(line);
            line == pong
        });
        for line in changed {
            self.features.read(&line, &self.connection);
        }
        result
    }

    /// Waits until the engine has executed all commands; a fault if it rejects `text`, which it was
    /// sent.
    fn check_accepted(&mut self, text: &str, stop: &AtomicBool) -> Result<(), NoAnswer> {
        let timeout = self.setup.run.stall;
        let mut rejection = None;
        let ready = self.wait_ready(Wait { timeout, stop }, |line| {
            if rejection.is_none() && rejects(line, text) {
                rejection = Some(line.to_owned());
            }
        });
        ready.map_err(|error| no_answer(&self.connection, error, "getting ready"))?;
        rejection.map_or(Ok(()), |line| Err(self.rejected(text, &line)))
    }

    /// The fault of rejecting a legal move or position.
    fn rejected(&self, text: &str, line: &str) -> NoAnswer {
        let line: String = line.chars().take(200).collect();
        let what = format!("rejected `{text}`, which is legal: `{line}`");
        fault(&self.connection, FaultKind::WrongClaim, what)
    }

    /// The commands for the limits of a game.
    fn limit_commands(&self) -> Vec<String> {
        let mut commands = Vec::new();
        let limits = &self.setup.settings.limits;
        match (limits.clock, limits.movetime, limits.nodes) {
            (Some(control), ..) => {
                // The clock has minutes and seconds; `time` is exact.
                let seconds = control.time.as_secs_f64().ceil() as u64;
                let (minutes, seconds) = (seconds / 60, seconds % 60);
                let (moves, increment) = (control.moves.unwrap_or(0), control.increment.as_secs_f64());
                commands.push(format!("level {moves} {minutes}:{seconds:02} {increment}"));
            }
            (None, Some(time), _) => commands.push(format!("st {}", time.as_secs_f64())),
            // One second per move, and this many nodes in it.
            (None, None, Some(nodes)) => commands.extend(["st 1".to_owned(), format!("nps {nodes}")]),
            (None, None, None) => commands.push(format!("st {UNLIMITED_SECONDS}")),
        }
        commands.extend(limits.depth.map(|depth| format!("sd {depth}")));
        commands
    }

    /// A move as the engine reads it.
    fn move_text(&self, position: &Position, mv: Move) -> String {
        if self.features.san {
            return move_to_xboard(position.game(), &san::format(position, mv));
        }
        format_move(position, mv)
    }

    /// The engine's move; a text if it is none.
    fn reply(&self, position: &Position, text: &str) -> Reply {
        let game = self.setup.run.game();
        let translated = move_from_xboard(game, text);
        let played = translated.as_ref().and_then(|text| uci::parse(position, text).ok());
        match played.or_else(|| san::parse(position, &san_from_xboard(game, text)).ok()) {
            Some(mv) => Reply::Move(mv),
            // A prefix is enough to recognize garbage.
            None => Reply::Text(translated.unwrap_or_else(|| text.to_owned()).chars().take(80).collect()),
        }
    }

    /// Tells the engine the clocks, and to play.
    fn go(&self, color: Color, clocks: &Clocks, own: Option<&Clock>) {
        let name = |color: Color| if color == Color::White { "white" } else { "black" };
        // The old commands set the side to move and give the engine the other side, whose clock
        // `time` is.
        if self.features.colors {
            self.connection.send(name(!color));
        }
        self.send_times(color, clocks, own);
        if self.features.colors {
            self.connection.send(name(color));
        }
        self.connection.send("go");
    }

    fn send_times(&self, color: Color, clocks: &Clocks, own: Option<&Clock>) {
        if let Some(own) = own.filter(|_| self.features.time) {
            let centiseconds = |clock: &Clock| clock.remaining.as_millis() / 10;
            self.connection.send(&format!("time {}", centiseconds(own)));
            let other = clocks[!color].as_ref().unwrap_or(own);
            self.connection.send(&format!("otim {}", centiseconds(other)));
        }
    }

    /// Reads what the engine printed before `now`, in the opponent's time. It may have resigned,
    /// but not moved.
    fn read_pondered(&mut self, now: Instant, color: Color) -> Result<Option<Reply>, NoAnswer> {
        loop {
            let line = self.connection.read_line("usermove", Duration::ZERO);
            let Some(line) = line.map_err(|error| no_answer(&self.connection, error, "pondering"))? else {
                return Ok(None);
            };
            match Message::parse(&line.text, color) {
                Message::Resignation => return Ok(Some(Reply::Resignation)),
                Message::Move(text) => {
                    let text: String = text.chars().take(80).collect();
                    let what = format!("`move {text}` in the opponent's time");
                    return Err(fault(&self.connection, FaultKind::Malformed, what));
                }
                _ if line.at >= now => return Ok(None),
                _ => {}
            }
        }
    }
}

impl Player for CecpPlayer<'_> {
    fn new_game(&mut self, game: &Game, stop: &AtomicBool) -> Result<(), NoAnswer> {
        self.known = 0;
        self.connection.send("new");
        self.send_variant();
        for command in self.limit_commands() {
            self.connection.send(&command);
        }
        let ponder = if self.setup.program.ponder { "hard" } else { "easy" };
        for command in ["post", ponder, "force"] {
            self.connection.send(command);
        }
        let (start, rules) = (&game.positions()[0], self.setup.run.game());
        // The engine's own start of a shuffled game may be any of them.
        let mut fen = String::new();
        if self.features.setboard && (is_shuffled(rules) || *start != Position::start(rules)) {
            fen = self.dialect.fen(start);
            self.connection.send(&format!("setboard {fen}"));
        }
        self.check_accepted(&fen, stop)
    }

    fn choose_move(&mut self, game: &Game, clocks: &Clocks, stop: &AtomicBool) -> Result<Answer, NoAnswer> {
        let (position, color) = (game.position(), game.position().side_to_move());
        let own = own_clock(clocks, game);
        let is_pondering = self.setup.program.ponder && self.known > 0 && game.moves().len() == self.known + 1;
        let mut started = Instant::now();
        if is_pondering {
            // It goes on with the opponent's move, from which its time counts.
            if let Some(reply) = self.read_pondered(started, color)? {
                let info = ReportedInfo::default();
                return Ok(Answer { reply, info, elapsed: started.elapsed() });
            }
            self.send_times(color, clocks, own);
        } else if self.known > 0 {
            self.connection.send("force");
        }
        let mut last = String::new();
        for (position, &mv) in game.positions().iter().zip(game.moves()).skip(self.known) {
            last = self.move_text(position, mv);
            let usermove = if self.features.usermove { "usermove " } else { "" };
            self.connection.send(&format!("{usermove}{last}"));
        }
        if !is_pondering {
            // Output before the answer to `ping` does not answer `go`.
            self.check_accepted(&last, stop)?;
            started = Instant::now();
            self.go(color, clocks, own);
        }
        let is_first = self.known == 0;
        self.known = game.moves().len() + 1;
        let (limit, stall) = (self.setup.settings.limits.allowed(own), self.setup.run.stall);
        let thinking = Thinking { started, limit, stall, stop: "?" };
        let mut info = ReportedInfo::default();
        let mut claim = None;
        self.pings += 1;
        let (ping, has_ping) = (self.pings, self.features.ping);
        self.may_search = !has_ping;
        let may_search = &mut self.may_search;
        let take = |connection: &Connection, line: &str| match Message::parse(line, color) {
            // Without `ping`, the result of the last game may arrive only now.
            _ if !has_ping && is_first && is_result(line) => None,
            Message::Thinking => {
                info.update_cecp(line);
                None
            }
            // The engine may still send the move that makes the claim true; the answer to `ping`
            // comes after that.
            Message::Claim if has_ping => {
                connection.send(&format!("ping {ping}"));
                claim = Some(line.to_owned());
                None
            }
            Message::Pong(number) if number == ping => claim.take().map(Outcome::Claim),
            Message::Claim => Some(Outcome::Claim(line.to_owned())),
            Message::Resignation => Some(Outcome::Resignation),
            Message::Move(text) => {
                *may_search = false;
                Some(Outcome::Move(text.to_owned()))
            }
            Message::Other if rejects(line, &last) => Some(Outcome::Rejection(line.to_owned())),
            Message::Pong(_) | Message::Other => None,
        };
        let (outcome, elapsed) = answer(&mut self.connection, thinking, stop, take)?;
        let reply = match outcome {
            Outcome::Move(text) => self.reply(position, &text),
            Outcome::Resignation => Reply::Resignation,
            Outcome::Claim(line) => {
                let line: String = line.chars().take(200).collect();
                let what = format!("`{line}` while there are legal moves");
                return Err(fault(&self.connection, FaultKind::WrongClaim, what));
            }
            Outcome::Rejection(line) => return Err(self.rejected(&last, &line)),
        };
        Ok(Answer { reply, info, elapsed })
    }

    fn is_reusable(&self) -> bool {
        self.features.reuse
    }

    fn may_search(&self) -> bool {
        self.may_search
    }

    fn end_game(&mut self) {
        if self.setup.program.ponder {
            self.connection.send("force");
        }
    }
}

/// What ends a search.
enum Outcome {
    Move(String),
    Resignation,
    /// A result that the rules do not know; the line.
    Claim(String),
    /// The opponent's move was rejected; the line.
    Rejection(String),
}

impl Program for CecpPlayer<'_> {
    fn name(&self) -> &str {
        &self.features.name
    }

    fn options(&self) -> &[EngineOption] {
        &self.features.options
    }
}
