//! State of the engine under CECP: game, mode, clock and running search.

use assay_rules::{Color, Game, Move, Square, san, uci};

use super::clock::Clock;
use super::command::Command;
use super::{features, highlight, result, squares, thinking_output, variant};
use crate::protocol::options::{HASH, OptionChange, Options, THREADS};
use crate::protocol::output::Output;
use crate::protocol::refusal::Refusal;
use crate::protocol::session::Session;
use crate::protocol::session::event::{BestMove, Event, EventListener, PvLine, SearchId};
use crate::protocol::session::job::{Job, StartPosition};
use crate::protocol::session::search_request::SearchRequest;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// The engine plays neither side.
    Force,
    /// The engine plays one side.
    Play(Color),
    /// The engine analyzes the current position.
    Analyze,
}

/// Purpose of the running search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    /// Find the engine's move.
    Move,
    Ponder,
    Analysis,
}

/// State and command handlers of a CECP session.
pub(super) struct CecpEngine {
    output: Output,
    options: Options,
    session: Session,
    game: Game,
    mode: Mode,
    clock: Clock,
    /// Pondering is allowed (`hard`).
    can_ponder: bool,
    /// Thinking output is enabled (`post`).
    show_thinking: bool,
    search: Option<(SearchId, Purpose)>,
    /// Pings to answer after the engine's move.
    pending_pings: Vec<String>,
    /// Expected move of the opponent.
    hint: Option<Move>,
    /// The square of the piece that the user has lifted.
    lifted: Option<Square>,
    /// Last principal variation, with number and text of the current root move.
    last_pv: Option<(PvLine, usize, String)>,
    /// The last `setboard` was invalid; there is no legal position.
    is_illegal: bool,
}

impl CecpEngine {
    /// Creates an engine that plays chess as Black. Worker events go to `listener`.
    pub(super) fn new(output: Output, listener: EventListener) -> CecpEngine {
        let options = Options::new(output.debug_log());
        CecpEngine {
            game: Game::start(&options.game),
            output,
            options,
            session: Session::new(listener),
            mode: Mode::Play(Color::Black),
            clock: Clock::default(),
            can_ponder: false,
            show_thinking: false,
            search: None,
            pending_pings: Vec::new(),
            hint: None,
            lifted: None,
            last_pv: None,
            is_illegal: false,
        }
    }

    /// Stops the search and ends the worker.
    pub(super) fn quit(&mut self) {
        // Its result will not be used.
        self.search = None;
        self.session.quit();
    }

    /// Returns true while the engine searches for its move.
    pub(super) fn is_searching_for_move(&self) -> bool {
        matches!(self.search, Some((_, Purpose::Move)))
    }

    pub(super) fn execute(&mut self, command: Command) {
        match command {
            Command::Ignored | Command::Quit => {}
            Command::ProtocolVersion => {
                for line in features::feature_lines(&self.options) {
                    self.output.line(&line);
                }
            }
            Command::New => self.new_game(),
            Command::Variant(name) => self.select_variant(&name),
            Command::Force | Command::Result | Command::ExitAnalysis => self.enter_force_mode(),
            Command::Go => self.play_as(self.game.position().side_to_move()),
            Command::PlayOther => self.play_as(!self.game.position().side_to_move()),
            Command::Level(level) => self.clock.set_level(level),
            Command::SecondsPerMove(time) => self.clock.set_time_per_move(time),
            Command::Depth(depth) => self.clock.depth = Some(depth),
            Command::Time(time) => self.clock.remaining = Some(time),
            Command::Move(text) => self.user_move(&text),
            Command::MoveNow => {
                if self.is_searching_for_move() {
                    self.session.stop();
                }
            }
            Command::Ping(number) => self.answer_ping(number),
            Command::SetBoard(fen) => self.set_board(&fen),
            Command::Hint => self.print_hint(),
            Command::Book => self.output.line(" No opening book.\n"),
            Command::Undo => self.undo_moves(1, "undo"),
            Command::Remove => self.undo_moves(2, "remove"),
            Command::Ponder(can_ponder) => {
                self.can_ponder = can_ponder;
                if !can_ponder && matches!(self.search, Some((_, Purpose::Ponder))) {
                    self.stop_search();
                }
            }
            Command::Post(show_thinking) => self.show_thinking = show_thinking,
            Command::Analyze => {
                self.set_mode(Mode::Analyze);
                self.claim_or_search();
            }
            Command::Status => self.print_status(),
            // Reserves up to 64 MiB for memory other than the transposition table.
            Command::Memory(megabytes) => {
                let hash = (megabytes - (megabytes / 4).min(64)).clamp(*HASH.start(), *HASH.end());
                self.set_option("Hash", Some(&hash.to_string()));
            }
            Command::Cores(cores) => {
                let threads = cores.clamp(*THREADS.start(), *THREADS.end());
                self.set_option("Threads", Some(&threads.to_string()));
            }
            Command::Option { name, value } => self.set_option(&name, value.as_deref()),
            Command::Lift(square) => self.lift(&square),
            Command::Put(square) => self.put(&square),
            #[cfg(debug_assertions)]
            Command::Panic => self.session.send(Job::Panic, &self.options),
        }
    }

    /// Handles an event from the worker.
    pub(super) fn handle_event(&mut self, event: Event) {
        let current = self.search.map(|(id, _)| id);
        match event {
            Event::Message(text) | Event::Text(text) => {
                for line in text.lines() {
                    self.output.line(&format!("# {line}"));
                }
            }
            Event::Error(error) => self.output.line(&format!("tellusererror {error}")),
            Event::Reply(line) => self.output.line(&line),
            Event::Pv(id, line) if Some(id) == current => {
                if self.show_thinking || self.mode == Mode::Analyze {
                    self.output.line(&thinking_output::format_pv(&self.options.game, &line));
                }
                let current = line.pv.first().cloned().unwrap_or_default();
                self.last_pv = Some((line, 0, current));
            }
            Event::CurrentMove { mv, number, .. } => {
                if let Some((_, searched, current)) = &mut self.last_pv {
                    (*searched, *current) = (number, mv);
                }
            }
            Event::BestMove(id, answer) if Some(id) == current => self.finish_search(&answer),
            // Events of a stopped search.
            Event::Pv(..) | Event::BestMove(..) => {}
        }
    }

    fn new_game(&mut self) {
        self.stop_search();
        if self.options.game.name != "chess" {
            self.select_variant("normal");
        }
        self.session.update(Job::NewGame);
        self.set_game(Game::start(&self.options.game));
        self.set_mode(Mode::Play(Color::Black));
        self.clock.depth = None;
        self.clock.remaining = None;
    }

    fn set_game(&mut self, game: Game) {
        self.game = game;
        self.hint = None;
        self.lifted = None;
        self.last_pv = None;
        self.is_illegal = false;
    }

    fn select_variant(&mut self, name: &str) {
        self.stop_search();
        let variant_name = if name == "normal" { "chess" } else { name };
        if let Err(error) = self.options.set("UCI_Variant", Some(variant_name)) {
            self.output.line(&format!("Error (unknown variant): {name}"));
            self.output.line(&format!("# {error}"));
            return;
        }
        self.session.apply(OptionChange::Variant, &self.options);
        self.set_game(Game::start(&self.options.game));
        if variant_name != "chess" {
            for line in variant::describe(&self.options.game) {
                self.output.line(&line);
            }
        }
    }

    fn enter_force_mode(&mut self) {
        self.stop_search();
        self.set_mode(Mode::Force);
    }

    /// Changes the mode. Analysis has full strength.
    fn set_mode(&mut self, mode: Mode) {
        self.mode = mode;
        let change = self.options.set_analysis(mode == Mode::Analyze);
        self.session.apply(change, &self.options);
    }

    fn play_as(&mut self, color: Color) {
        self.stop_search();
        self.set_mode(Mode::Play(color));
        self.claim_or_search();
    }

    fn set_board(&mut self, fen: &str) {
        self.stop_search();
        match variant::read_fen(&self.options.game, fen) {
            Ok((position, warnings)) => {
                for warning in warnings {
                    self.output.line(&format!("# setboard: {warning}"));
                }
                self.set_game(Game::new(position));
            }
            Err(error) => {
                self.is_illegal = true;
                self.output.line(&format!("tellusererror Illegal position: {error}"));
            }
        }
        self.restart_analysis();
    }

    fn user_move(&mut self, text: &str) {
        if self.is_searching_for_move() {
            self.output.line(&format!("Illegal move (it is not your turn): {text}"));
            return;
        }
        let parsed = if self.is_illegal {
            Err(Refusal::because("the current position is illegal"))
        } else if matches!(self.mode, Mode::Play(_)) && self.game.outcome().is_some() {
            Err(Refusal::because("the game is over"))
        } else {
            self.parse_move(text)
        };
        match parsed {
            Ok(mv) => {
                self.stop_search();
                self.make_move(mv);
                self.claim_or_search();
            }
            Err(error) => self.output.line(&format!("Illegal move ({error}): {text}")),
        }
    }

    fn parse_move(&self, text: &str) -> Result<Move, Refusal> {
        let malformed = || Refusal::because("not of the form e2e4");
        let position = self.game.position();
        let game = &self.options.game;
        match squares::move_from_xboard(game, text) {
            Some(text) => uci::parse(position, &text).map_err(|error| match error {
                uci::UciError::Illegal { why, .. } => Refusal::because(why),
                uci::UciError::Syntax { .. } => malformed(),
            }),
            None => san::parse(position, &squares::san_from_xboard(game, text)).map_err(|_| malformed()),
        }
    }

    fn make_move(&mut self, mv: Move) {
        self.game.play(mv);
        self.hint = None;
        self.lifted = None;
    }

    fn undo_moves(&mut self, moves: usize, word: &str) {
        if self.game.moves().len() < moves {
            self.output.line(&format!("Error (command not legal now): {word}"));
            return;
        }
        self.stop_search();
        for _ in 0..moves {
            self.game.undo();
        }
        self.hint = None;
        self.restart_analysis();
    }

    /// Claims the result if the game is over; otherwise starts the search that the mode requires.
    fn claim_or_search(&mut self) {
        match self.mode {
            Mode::Force => {}
            Mode::Analyze => self.restart_analysis(),
            Mode::Play(_) if self.is_illegal => {}
            Mode::Play(color) => {
                if let Some(outcome) = self.game.outcome() {
                    self.output.line(&result::format_claim(&self.options.game, outcome));
                } else if self.game.position().side_to_move() == color {
                    let positions = self.game.positions();
                    let moves_made =
                        positions.iter().rev().skip(1).filter(|position| position.side_to_move() == color).count();
                    let request = self.clock.request(color, moves_made as u32);
                    self.start_search(request, Purpose::Move, None);
                } else if self.can_ponder && self.hint.is_some() {
                    self.start_search(infinite_request(), Purpose::Ponder, self.hint);
                }
            }
        }
    }

    fn restart_analysis(&mut self) {
        if self.mode == Mode::Analyze && !self.is_illegal {
            self.stop_search();
            self.start_search(infinite_request(), Purpose::Analysis, None);
        }
    }

    /// Starts a search of the current position, or of the position after `next`.
    fn start_search(&mut self, request: SearchRequest, purpose: Purpose, next: Option<Move>) {
        let game = &self.options.game;
        let start = StartPosition::Fen(self.game.positions()[0].fen());
        let moves = self.game.moves().iter().copied().chain(next).map(|mv| uci::format(game, mv)).collect();
        self.session.send(Job::Position { start, moves }, &self.options);
        let id = self.session.search(request, &self.options);
        self.search = Some((id, purpose));
        self.last_pv = None;
    }

    /// Stops the search and discards its result.
    fn stop_search(&mut self) {
        if self.search.take().is_some() {
            self.session.stop();
        }
        self.answer_pings();
    }

    /// Handles the result of the current search: makes the move if it is the engine's.
    fn finish_search(&mut self, answer: &BestMove) {
        let purpose = self.search.take().map(|(_, purpose)| purpose);
        if purpose == Some(Purpose::Move)
            && let BestMove::Found { mv: text, ponder } = answer
            && let Ok(mv) = uci::parse(self.game.position(), text)
        {
            let text = squares::format_move(self.game.position(), mv);
            self.output.line(&format!("move {text}"));
            self.make_move(mv);
            self.hint = ponder.as_ref().and_then(|ponder| uci::parse(self.game.position(), ponder).ok());
            self.claim_or_search();
        }
        self.answer_pings();
    }

    fn answer_ping(&mut self, number: String) {
        if self.is_searching_for_move() {
            self.pending_pings.push(number);
        } else {
            self.session.report(Event::Reply(format!("pong {number}")));
        }
    }

    /// Answers the pings that waited for the end of a search.
    pub(super) fn answer_pings(&mut self) {
        if !self.is_searching_for_move() {
            for number in self.pending_pings.drain(..) {
                self.output.line(&format!("pong {number}"));
            }
        }
    }

    fn print_hint(&self) {
        if let Some(hint) = self.hint {
            let text = squares::format_move(self.game.position(), hint);
            self.output.line(&format!("Hint: {text}"));
        }
    }

    fn print_status(&self) {
        if let Some((line, searched, current)) = &self.last_pv {
            let all = self.game.position().legal_moves().len();
            let current = squares::move_to_xboard(&self.options.game, current);
            self.output.line(&thinking_output::format_status(line, *searched, all, &current));
        }
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        match self.options.set(name, value) {
            Ok(change) => {
                let loaded = matches!(change, OptionChange::VariantsLoaded(_));
                self.session.apply(change, &self.options);
                if loaded {
                    self.output.line(&features::variants_line(&self.options));
                }
            }
            Err(error) => self.output.line(&format!("tellusererror {error}")),
        }
    }

    fn lift(&mut self, text: &str) {
        self.lifted = squares::parse_square_prefix(&self.options.game.board, text).map(|(square, _)| square);
        if let Some(square) = self.lifted {
            self.output.line(&highlight::format_highlight(self.game.position(), square));
        }
    }

    fn put(&mut self, text: &str) {
        let to = squares::parse_square_prefix(&self.options.game.board, text).map(|(square, _)| square);
        if let (Some(from), Some(to)) = (self.lifted, to)
            && let Some(choice) = highlight::promotion_choice(self.game.position(), from, to)
        {
            self.output.line(&choice);
        }
    }
}

fn infinite_request() -> SearchRequest {
    SearchRequest { infinite: true, ..SearchRequest::default() }
}
