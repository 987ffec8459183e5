//! A game that is being played on the page.

use std::sync::Arc;

use assay_rules::pgn::{PgnGame, PgnReader, move_number};
use assay_rules::svg::{SvgOptions, svg_board};
use assay_rules::{Color, Game, GameDef, Move, Outcome, Points, Position, san, uci};
use serde::Serialize;
use serde_json::{Value, json};
use wasm_bindgen::prelude::*;

use crate::definition::Definition;
use crate::{Fault, fault, json};

/// A game, and the ply that is shown.
#[wasm_bindgen]
pub struct Play {
    start: Position,
    moves: Vec<Move>,
    /// Number and SAN of each move, kept because the page asks for all of them after every move.
    written: Vec<[String; 2]>,
    /// The game up to the position that is shown.
    shown: Game,
}

#[derive(Serialize)]
struct State {
    fen: String,
    turn: &'static str,
    ply: usize,
    check: bool,
    start: String,
    uci: String,
    moves: Vec<String>,
    numbers: Vec<String>,
    legal: Vec<Value>,
    outcome: Option<Value>,
    pockets: Value,
}

#[wasm_bindgen]
impl Play {
    /// `start` is a FEN, the id of a start, or empty.
    #[wasm_bindgen(constructor)]
    pub fn new(definition: &Definition, start: &str) -> Result<Play, String> {
        let start = position(definition.game(), start)?;
        Ok(Play { shown: Game::new(start.clone()), start, moves: Vec::new(), written: Vec::new() })
    }

    /// The first game of a PGN.
    pub fn pgn(definition: &Definition, text: &str) -> Result<Play, String> {
        let game = definition.game();
        let resolve = |name: &str| (name == game.name).then(|| Arc::clone(game)).or_else(|| GameDef::builtin(name));
        let read = PgnReader::new(text, game, resolve).next().ok_or_else(|| fault("found no game, expected a PGN"))?;
        let read = read.map_err(|error| {
            String::from(Fault {
                message: error.kind.to_string(),
                line: Some(error.line),
                column: Some(error.column),
                key: None,
            })
        })?;
        if read.game() != game {
            return Err(fault(format!("found a game of {}, expected {}", read.game().title, game.title)));
        }
        let start = read.start().clone();
        let mut play = Play { shown: Game::new(start.clone()), start, moves: Vec::new(), written: Vec::new() };
        read.moves().iter().for_each(|&mv| play.push(mv));
        Ok(play)
    }

    pub fn state(&self) -> String {
        let position = self.shown.position();
        let (numbers, moves) = self.written.iter().cloned().map(|[number, san]| (number, san)).unzip();
        let outcome = self.shown.outcome();
        // Legal moves may be left when the game is over.
        let legal = if outcome.is_none() { position.legal_moves() } else { Vec::new() };
        let symbols = |color| -> Vec<String> {
            position.pocket(color).iter().map(|&kind| position.game().kinds.symbol(kind, color)).collect()
        };
        json(&State {
            fen: position.fen(),
            turn: name(position.side_to_move()),
            ply: self.shown.moves().len(),
            check: position.in_check(),
            start: self.start.fen(),
            uci: self.shown.moves().iter().map(|&mv| uci::format(position.game(), mv)).collect::<Vec<_>>().join(" "),
            moves,
            numbers,
            legal: legal.into_iter().map(|mv| legal_move(position, mv)).collect(),
            outcome: outcome.map(told),
            pockets: json!({ "white": symbols(Color::White), "black": symbols(Color::Black) }),
        })
    }

    /// Plays a legal move in the position that is shown. The moves that followed are cut.
    pub fn make(&mut self, mv: &str) -> Result<(), String> {
        let mv = uci::parse(self.shown.position(), mv).map_err(fault)?;
        self.cut();
        self.push(mv);
        Ok(())
    }

    /// Takes the last move before the position that is shown back, and those that followed it.
    pub fn undo(&mut self) {
        self.shown.undo();
        self.cut();
    }

    /// Shows the position after so many plies.
    pub fn go(&mut self, ply: usize) {
        self.shown = Game::new(self.start.clone());
        self.moves.iter().take(ply).for_each(|&mv| self.shown.play(mv));
    }

    /// The board as a part of the page.
    pub fn board(&self, flipped: bool) -> String {
        self.picture(flipped, true)
    }

    /// The board as a file of its own.
    pub fn svg(&self, flipped: bool) -> String {
        self.picture(flipped, false)
    }

    /// The game as PGN, with the names of its players.
    ///
    /// # Panics
    /// Never: the names of the tags are letters.
    #[wasm_bindgen(js_name = toPgn)]
    pub fn to_pgn(&self, white: &str, black: &str) -> String {
        let mut pgn = PgnGame::new(self.start.clone());
        for (name, player) in [("White", white), ("Black", black)] {
            pgn.set_tag(name, player).expect("the name is made of letters");
        }
        let mut game = Game::new(self.start.clone());
        for &mv in &self.moves {
            pgn.push(mv);
            game.play(mv);
        }
        pgn.set_result(game.outcome().map(|outcome| outcome.white));
        pgn.to_string()
    }
}

impl Play {
    /// Plays a move at the end of the game, which is shown.
    fn push(&mut self, mv: Move) {
        let position = self.shown.position();
        let number = move_number(position.fullmove_number(), position.side_to_move());
        self.written.push([number, san::format(position, mv)]);
        self.moves.push(mv);
        self.shown.play(mv);
    }

    /// Cuts the moves after the position that is shown.
    fn cut(&mut self) {
        let plies = self.shown.moves().len();
        self.moves.truncate(plies);
        self.written.truncate(plies);
    }

    fn picture(&self, flipped: bool, embedded: bool) -> String {
        let last_move = self.shown.moves().last().copied();
        svg_board(self.shown.position(), &SvgOptions { last_move, flipped, embedded, ..SvgOptions::default() })
    }
}

/// The position of a FEN, of a start's id, or the default start if the text is empty.
pub(crate) fn position(game: &Arc<GameDef>, start: &str) -> Result<Position, String> {
    if start.is_empty() {
        return Ok(Position::start(game));
    }
    if start.contains(' ') {
        return Position::from_fen(game, start).map_err(fault);
    }
    Position::from_start(game, start).map_err(fault)
}

pub(crate) fn name(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

/// A legal move, with what tells it apart from others between the same squares.
fn legal_move(position: &Position, mv: Move) -> Value {
    let game = position.game();
    let (from, to) = mv.uci_squares();
    let drop = match mv {
        Move::Drop { kind, .. } => Some(game.kinds.symbol(kind, position.side_to_move())),
        _ => None,
    };
    let named = |kind| game.kind(kind).name.as_str();
    let choice = match (mv, mv.promotion(), mv.gate()) {
        (Move::Drop { .. }, ..) => None,
        (_, Some(promotion), _) => Some(named(promotion).to_owned()),
        (Move::Castle { .. }, _, Some(gate)) => Some(format!("castle, gate {}", named(gate))),
        (_, _, Some(gate)) => Some(format!("gate {}", named(gate))),
        (Move::Castle { .. }, ..) => Some("castle".to_owned()),
        (Move::Cannon { .. }, ..) => Some("shoot".to_owned()),
        _ => None,
    };
    json!({
        "uci": uci::format(game, mv), "san": san::format(position, mv), "from": drop.is_none().then_some(from),
        "to": to, "drop": drop, "choice": choice, "wall": mv.wall(),
    })
}

/// Result and reason of a finished game.
fn told(outcome: Outcome) -> Value {
    let points = outcome.white;
    let (result, told) = match points {
        Points::WIN => ("1-0", "White wins".to_owned()),
        Points::LOSS => ("0-1", "Black wins".to_owned()),
        Points::DRAW => ("1/2-1/2", "draw".to_owned()),
        _ => ("*", format!("White gets {points}, Black {}", points.flipped())),
    };
    let why = outcome.termination.name().replace('-', " ");
    json!({ "result": result, "text": format!("{why}: {told}") })
}
