//! The engine as a player: the game, whose turn it is, and what is being thought about.

mod answers;

use assay_rules::{Color, Game, Move, Position, Square, uci};

use super::clock::Clock;
use super::command::Command;
use super::{features, result, squares, thinking, variant};
use crate::protocol::event::{BestText, Event, LineText, Listener, SearchId};
use crate::protocol::options::{Change, Options};
use crate::protocol::output::Output;
use crate::protocol::request::Request;
use crate::protocol::session::{Session, Spec};

/// What the engine is for at the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// It plays neither side.
    Force,
    /// It plays one side.
    Play(Color),
    /// It looks at whatever is on the board.
    Analyze,
}

/// A search that goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    /// For a move to be made.
    Move,
    /// On the opponent's time.
    Ponder,
    Analysis,
}

/// Plays by the protocol.
pub(super) struct Player {
    output: Output,
    options: Options,
    session: Session,
    game: Game,
    mode: Mode,
    clock: Clock,
    /// Think on the opponent's time?
    ponders: bool,
    /// Show thinking?
    posts: bool,
    search: Option<(SearchId, Purpose)>,
    /// Pings to be answered when the move is made.
    pings: Vec<String>,
    /// What the opponent is expected to play.
    hint: Option<Move>,
    /// The square of the piece that the user has lifted.
    lifted: Option<Square>,
    /// The last line found, and the number of the root move and that move since.
    seen: Option<(LineText, usize, String)>,
    /// Is a position on the board that nobody can play from?
    illegal: bool,
}

impl Player {
    /// A player of chess, as Black, who tells the worker's news to `listener`.
    pub(super) fn new(output: Output, listener: Listener) -> Player {
        let options = Options::default();
        Player {
            game: Game::start(&options.game),
            output,
            options,
            session: Session::new(listener),
            mode: Mode::Play(Color::Black),
            clock: Clock::default(),
            ponders: false,
            posts: false,
            search: None,
            pings: Vec::new(),
            hint: None,
            lifted: None,
            seen: None,
            illegal: false,
        }
    }

    /// Stops everything.
    pub(super) fn quit(self) {
        self.session.quit();
    }

    /// Is a move being thought about?
    pub(super) fn is_about_to_move(&self) -> bool {
        matches!(self.search, Some((_, Purpose::Move)))
    }

    /// Does what a command says.
    pub(super) fn obey(&mut self, command: Command) {
        match command {
            // What the opponent has left changes nothing.
            Command::Nothing | Command::Quit | Command::Rejected(_) | Command::OtherTime(_) => {}
            Command::ProtocolVersion => {
                for line in features::lines(&self.options) {
                    self.output.line(&line);
                }
            }
            Command::New => self.new_game(),
            Command::Variant(name) => self.choose(&name),
            Command::Force | Command::Result | Command::LeaveAnalysis => self.force(),
            Command::Go => self.play_as(self.game.position().side_to_move()),
            Command::PlayOther => self.play_as(!self.game.position().side_to_move()),
            Command::Level(level) => self.clock.set_level(level),
            Command::SecondsPerMove(time) => self.clock.set_per_move(time),
            Command::Depth(depth) => self.clock.depth = Some(depth),
            Command::OwnTime(time) => self.clock.own = Some(time),
            Command::Move(text) => self.user_move(&text),
            Command::MoveNow => {
                if self.is_about_to_move() {
                    self.session.stop();
                }
            }
            Command::Ping(number) => self.ping(number),
            Command::SetBoard(fen) => self.set_board(&fen),
            Command::Hint => self.tell_hint(),
            Command::Book => self.output.line(" There is no book.\n"),
            Command::Undo => self.take_back(1, "undo"),
            Command::Remove => self.take_back(2, "remove"),
            Command::Ponder(ponders) => {
                self.ponders = ponders;
                if !ponders && matches!(self.search, Some((_, Purpose::Ponder))) {
                    self.stop();
                }
            }
            Command::Post(posts) => self.posts = posts,
            Command::Analyze => {
                self.mode = Mode::Analyze;
                self.consider();
            }
            Command::Status => self.tell_status(),
            // Beside the table the engine needs at most 64 MiB, mostly far less.
            Command::Memory(megabytes) => self.set_option(
                "Hash",
                Some(&(megabytes - (megabytes / 4).min(64)).clamp(1, 65_536).to_string()),
            ),
            Command::Cores(cores) => self.set_option("Threads", Some(&cores.clamp(1, 256).to_string())),
            Command::Option { name, value } => self.set_option(&name, value.as_deref()),
            Command::Lift(square) => self.lift(&square),
            Command::Put(square) => self.put(&square),
            Command::Wrong(what, line) => self.output.line(&format!("Error ({what}): {line}")),
        }
    }

    /// Takes news from the worker.
    pub(super) fn hear(&mut self, event: Event) {
        let current = self.search.map(|(id, _)| id);
        match event {
            Event::Note(text) | Event::Text(text) => {
                for line in text.lines() {
                    self.output.line(&format!("# {line}"));
                }
            }
            Event::Line(id, line) if Some(id) == current => {
                if self.posts || self.mode == Mode::Analyze {
                    self.output.line(&thinking::line(&self.options.game, &line));
                }
                let present = line.pv.first().cloned().unwrap_or_default();
                self.seen = Some((line, 0, present));
            }
            Event::Root { mv, number, .. } => {
                if let Some((_, searched, present)) = &mut self.seen {
                    (*searched, *present) = (number, mv);
                }
            }
            Event::Best(id, best) if Some(id) == current => self.decide(&best),
            // News from a search that has been stopped.
            Event::Line(..) | Event::Best(..) => {}
        }
    }

    fn new_game(&mut self) {
        self.stop();
        if self.options.game.name != "chess" {
            self.choose("normal");
        }
        self.session.new_game(&self.options);
        self.begin(Game::start(&self.options.game));
        self.mode = Mode::Play(Color::Black);
        self.clock.depth = None;
        self.clock.own = None;
    }

    /// Puts a new game on the board.
    fn begin(&mut self, game: Game) {
        self.game = game;
        self.hint = None;
        self.lifted = None;
        self.seen = None;
        self.illegal = false;
    }

    fn choose(&mut self, name: &str) {
        self.stop();
        let ours = if name == "normal" { "chess" } else { name };
        if let Err(note) = self.options.set("UCI_Variant", Some(ours)) {
            self.output.line(&format!("Error (unknown variant): {name}"));
            self.output.line(&format!("# {note}"));
            return;
        }
        self.session.apply(Change::Game, &self.options);
        self.begin(Game::start(&self.options.game));
        if ours != "chess" {
            for line in variant::lines(&self.options.game) {
                self.output.line(&line);
            }
        }
    }

    fn force(&mut self) {
        self.stop();
        self.mode = Mode::Force;
    }

    fn play_as(&mut self, color: Color) {
        self.stop();
        self.mode = Mode::Play(color);
        self.consider();
    }

    fn set_board(&mut self, fen: &str) {
        self.stop();
        match Position::from_fen(&self.options.game, &variant::own_fen(&self.options.game, fen)) {
            Ok(position) => self.begin(Game::new(position)),
            Err(error) => {
                self.illegal = true;
                self.output.line(&format!("tellusererror Illegal position: {error}"));
            }
        }
        self.consider_analysis();
    }

    fn user_move(&mut self, text: &str) {
        if self.is_about_to_move() {
            self.output.line(&format!("Illegal move (it is not your turn): {text}"));
            return;
        }
        let parsed = if self.illegal {
            Err("the position on the board is illegal".to_owned())
        } else if self.mode != Mode::Force && self.game.outcome().is_some() {
            Err("the game is over".to_owned())
        } else {
            self.read_move(text)
        };
        match parsed {
            Ok(mv) => {
                self.stop();
                self.play(mv);
                self.consider();
            }
            Err(why) => self.output.line(&format!("Illegal move ({why}): {text}")),
        }
    }

    fn read_move(&self, text: &str) -> Result<Move, String> {
        let position = self.game.position();
        match squares::from_xboard(&self.options.game, text) {
            Some(text) => uci::parse(position, &text).map_err(|error| match error {
                uci::UciError::Illegal { why, .. } => why,
                uci::UciError::Syntax { .. } => "not of the form e2e4".to_owned(),
            }),
            None => assay_rules::san::parse(position, text).map_err(|_| "not of the form e2e4".to_owned()),
        }
    }

    fn play(&mut self, mv: Move) {
        self.game.play(mv);
        self.hint = None;
        self.lifted = None;
    }

    fn take_back(&mut self, moves: usize, word: &str) {
        if self.game.moves().len() < moves {
            self.output.line(&format!("Error (command not legal now): {word}"));
            return;
        }
        self.stop();
        for _ in 0..moves {
            self.game.undo();
        }
        self.hint = None;
        self.consider_analysis();
    }

    /// Does what is due in the position on the board: claims a result, thinks, ponders, analyzes.
    fn consider(&mut self) {
        match self.mode {
            Mode::Force => {}
            Mode::Analyze => self.consider_analysis(),
            Mode::Play(_) if self.illegal => {}
            Mode::Play(color) => {
                if let Some(outcome) = self.game.outcome() {
                    self.output.line(&result::claim(&self.options.game, outcome));
                } else if self.game.position().side_to_move() == color {
                    let positions = self.game.positions();
                    let made = positions
                        .iter()
                        .rev()
                        .skip(1)
                        .filter(|position| position.side_to_move() == color)
                        .count();
                    let request = self.clock.request(color, made as u32);
                    self.start(request, Purpose::Move, None);
                } else if self.ponders && self.hint.is_some() {
                    self.start(endless(), Purpose::Ponder, self.hint);
                }
            }
        }
    }

    fn consider_analysis(&mut self) {
        if self.mode == Mode::Analyze && !self.illegal {
            self.stop();
            self.start(endless(), Purpose::Analysis, None);
        }
    }

    /// Starts a search of the position on the board, or of the one after `next`.
    fn start(&mut self, request: Request, purpose: Purpose, next: Option<Move>) {
        let game = &self.options.game;
        let start = Spec::Fen(self.game.positions()[0].fen());
        let moves = self
            .game
            .moves()
            .iter()
            .copied()
            .chain(next)
            .map(|mv| uci::format(game, mv))
            .collect();
        self.session.position(start, moves, &self.options);
        let id = self.session.go(request, &self.options);
        self.search = Some((id, purpose));
        self.seen = None;
    }

    /// Stops the search, whose result nobody wants any more.
    fn stop(&mut self) {
        if self.search.take().is_some() {
            self.session.stop();
        }
        self.answer_pings();
    }

    /// A search has ended.
    fn decide(&mut self, best: &BestText) {
        let purpose = self.search.take().map(|(_, purpose)| purpose);
        if purpose == Some(Purpose::Move)
            && let Some(text) = &best.best
            && let Ok(mv) = uci::parse(self.game.position(), text)
        {
            self.output
                .line(&format!("move {}", squares::to_xboard(&self.options.game, text)));
            self.play(mv);
            self.hint = best
                .ponder
                .as_ref()
                .and_then(|ponder| uci::parse(self.game.position(), ponder).ok());
            self.consider();
        }
        self.answer_pings();
    }
}

/// Until it is told to stop.
fn endless() -> Request {
    Request {
        infinite: true,
        ..Request::default()
    }
}
