//! A game that is being played on the page.

use std::sync::Arc;

use assay_rules::pgn::{MAX_NESTED_VARIATIONS, PgnGame, PgnReader, Variation, move_number};
use assay_rules::svg::{SvgOptions, svg_board};
use assay_rules::{Color, Game, GameDef, Move, Outcome, Points, Position, san, uci};
use serde::Serialize;
use serde_json::{Value, json};
use wasm_bindgen::prelude::*;

use crate::definition::Definition;
use crate::{Fault, fault, json};

/// A game with variations, and the position that is shown. The positions of its tree have numbers:
/// 0 is the start, and every move leads to another.
#[wasm_bindgen]
pub struct Play {
    start: Position,
    /// The moves to positions 1, 2 and so on.
    moves: Vec<Played>,
    /// The positions after each position. The first one is on the main line.
    next: Vec<Vec<usize>>,
    /// The line that is shown, up to its end: positions after the start.
    line: Vec<usize>,
    /// The line up to the position that is shown.
    shown: Game,
    cut: usize,
}

/// A move. Its texts are kept because the page asks for all of them after every move.
struct Played {
    mv: Move,
    /// The position that it was played in.
    before: usize,
    number: String,
    san: String,
    uci: String,
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
    tree: Vec<Value>,
    text: String,
    at: Option<usize>,
    legal: Vec<Value>,
    outcome: Option<Value>,
    pockets: Value,
}

/// A part of the text of a tree.
#[derive(Clone, Copy)]
enum Part {
    Open,
    Move(usize),
    Close,
}

#[wasm_bindgen]
impl Play {
    /// `start` is a FEN, the id of a start, or empty.
    #[wasm_bindgen(constructor)]
    pub fn new(definition: &Definition, start: &str) -> Result<Play, String> {
        Ok(Play::from_start(position(definition.game(), start)?))
    }

    /// The first game of a PGN.
    pub fn pgn(definition: &Definition, text: &str) -> Result<Play, String> {
        let game = definition.game();
        let resolve = |name: &str| (name == game.name).then(|| Arc::clone(game)).or_else(|| GameDef::builtin(name));
        let mut reader = PgnReader::new(text, game, resolve).with_variations();
        let read = reader.next().ok_or_else(|| fault("found no game, expected a PGN"))?;
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
        let mut play = Play::from_start(read.start().clone());
        play.add_line(0, read.start().clone(), read.moves(), read.variations());
        play.cut = reader.cut_variations();
        play.show(play.end());
        Ok(play)
    }

    /// Adds moves in UCI notation from the start, with variations in parentheses as in PGN, and
    /// shows the position after `at` of them, or the end of the main line.
    pub fn read(&mut self, text: &str, at: Option<usize>) -> Result<(), String> {
        let start = self.start.clone();
        // The numbers of the positions before and after the last move of each open line.
        let mut open = vec![[(0, start.clone()), (0, start)]];
        for word in text.replace('(', " ( ").replace(')', " ) ").split_whitespace() {
            let depth = open.len();
            let [before, end] = &mut open[depth - 1];
            match word {
                "(" if depth > MAX_NESTED_VARIATIONS => return Err(too_deep()),
                "(" => {
                    let line = [before.clone(), before.clone()];
                    open.push(line);
                }
                ")" if depth == 1 => return Err(fault("found `)`, expected a move: no variation is open")),
                ")" => drop(open.pop()),
                _ => {
                    let mv = uci::parse(&end.1, word).map_err(fault)?;
                    let after = (self.add(end.0, &end.1, mv), end.1.play(mv));
                    *before = std::mem::replace(end, after);
                }
            }
        }
        self.show(at.map_or(self.end(), |at| at.min(self.moves.len())));
        Ok(())
    }

    /// The number of variations of a PGN that end before something that is no legal move.
    pub fn cut(&self) -> usize {
        self.cut
    }

    pub fn state(&self) -> String {
        let position = self.shown.position();
        let ply = self.shown.moves().len();
        let outcome = self.shown.outcome();
        // Legal moves may be left when the game is over.
        let legal = if outcome.is_none() { position.legal_moves() } else { Vec::new() };
        let symbols = |color| -> Vec<String> {
            position.pocket(color).iter().map(|&kind| position.game().kinds.symbol(kind, color)).collect()
        };
        let parts = self.parts();
        let line = || self.line.iter().map(|&id| self.played(id));
        let told = |part: &Part| match *part {
            Part::Open => json!("("),
            Part::Close => json!(")"),
            Part::Move(id) => {
                let Played { number, san, .. } = self.played(id);
                json!({ "id": id, "number": number, "san": san, "shown": id == self.at() })
            }
        };
        let written = parts.iter().map(|part| match *part {
            Part::Open => "(",
            Part::Close => ")",
            Part::Move(id) => &self.played(id).uci,
        });
        let mut order = parts.iter().filter_map(|part| if let Part::Move(id) = part { Some(*id) } else { None });
        json(&State {
            fen: position.fen(),
            turn: name(position.side_to_move()),
            ply,
            check: position.in_check(),
            start: self.start.fen(),
            uci: line().take(ply).map(|played| played.uci.as_str()).collect::<Vec<_>>().join(" "),
            moves: line().map(|played| played.san.clone()).collect(),
            numbers: line().map(|played| played.number.clone()).collect(),
            tree: parts.iter().map(told).collect(),
            text: written.collect::<Vec<_>>().join(" "),
            at: (self.at() != self.end()).then(|| order.position(|id| id == self.at()).map_or(0, |index| index + 1)),
            legal: legal.into_iter().map(|mv| legal_move(position, mv)).collect(),
            outcome: outcome.map(self::told),
            pockets: json!({ "white": symbols(Color::White), "black": symbols(Color::Black) }),
        })
    }

    /// Plays a legal move in the position that is shown. Another move than the one that follows
    /// there begins a variation.
    pub fn make(&mut self, mv: &str) -> Result<(), String> {
        let position = self.shown.position().clone();
        let mv = uci::parse(&position, mv).map_err(fault)?;
        let at = self.at();
        let id = self.add(at, &position, mv);
        if self.depth() > MAX_NESTED_VARIATIONS {
            self.next[at].pop();
            return Err(too_deep());
        }
        self.line.truncate(self.shown.moves().len());
        self.line.push(id);
        self.go_on();
        self.shown.play(mv);
        Ok(())
    }

    /// Takes the last move before the position that is shown back, and all that followed it.
    pub fn undo(&mut self) {
        let id = self.at();
        if id > 0 {
            let before = self.played(id).before;
            self.next[before].retain(|&next| next != id);
            self.shown.undo();
            self.line.truncate(self.shown.moves().len());
            self.go_on();
        }
    }

    /// Exchanges the innermost variation that the position shown is in with the line around it.
    pub fn promote(&mut self) -> Result<(), String> {
        let path = &self.line[..self.shown.moves().len()];
        let beside = |&&id: &&usize| self.next[self.played(id).before][0] != id;
        if let Some(&id) = path.iter().rev().find(beside) {
            let before = self.played(id).before;
            let index = self.next[before].iter().position(|&next| next == id).unwrap_or(0);
            self.next[before].swap(0, index);
            if self.depth() > MAX_NESTED_VARIATIONS {
                self.next[before].swap(0, index);
                return Err(too_deep());
            }
        }
        Ok(())
    }

    /// Shows the position after so many plies of the line.
    pub fn go(&mut self, ply: usize) {
        self.shown = Game::new(self.start.clone());
        for &id in self.line.iter().take(ply) {
            self.shown.play(self.moves[id - 1].mv);
        }
    }

    /// Shows a position of the tree.
    pub fn show(&mut self, id: usize) {
        self.line.clear();
        let mut at = id;
        while at > 0 {
            self.line.push(at);
            at = self.played(at).before;
        }
        self.line.reverse();
        let ply = self.line.len();
        self.go_on();
        self.go(ply);
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
        let line = self.line_after(0, Vec::new());
        let mut game = Game::new(self.start.clone());
        for mv in line.moves {
            pgn.push(mv);
            game.play(mv);
        }
        pgn.set_variations(line.variations);
        pgn.set_result(game.outcome().map(|outcome| outcome.white));
        pgn.to_string()
    }
}

impl Play {
    fn from_start(start: Position) -> Play {
        let shown = Game::new(start.clone());
        Play { start, moves: Vec::new(), next: vec![Vec::new()], line: Vec::new(), shown, cut: 0 }
    }

    fn played(&self, id: usize) -> &Played {
        &self.moves[id - 1]
    }

    /// The position that is shown.
    fn at(&self) -> usize {
        self.shown.moves().len().checked_sub(1).map_or(0, |last| self.line[last])
    }

    /// The end of the main line.
    fn end(&self) -> usize {
        let mut at = 0;
        while let Some(&next) = self.next[at].first() {
            at = next;
        }
        at
    }

    /// The position after a move, which is added if it is not there.
    fn add(&mut self, before: usize, position: &Position, mv: Move) -> usize {
        if let Some(&known) = self.next[before].iter().find(|&&id| self.played(id).mv == mv) {
            return known;
        }
        self.moves.push(Played {
            mv,
            before,
            number: move_number(position.fullmove_number(), position.side_to_move()),
            san: san::format(position, mv),
            uci: uci::format(position.game(), mv),
        });
        self.next.push(Vec::new());
        self.next[before].push(self.moves.len());
        self.moves.len()
    }

    fn add_line(&mut self, mut at: usize, mut position: Position, moves: &[Move], variations: &[Variation]) {
        let mut variations = variations.iter().peekable();
        for (ply, &mv) in moves.iter().enumerate() {
            let id = self.add(at, &position, mv);
            while let Some(variation) = variations.next_if(|variation| variation.ply == ply) {
                self.add_line(at, position.clone(), &variation.moves, &variation.variations);
            }
            position = position.play(mv);
            at = id;
        }
    }

    /// The moves, after some that lead to a position, of the line from there, and its variations.
    fn line_after(&self, mut at: usize, moves: Vec<Move>) -> Variation {
        let mut line = Variation { ply: 0, moves, variations: Vec::new() };
        while let Some((&first, others)) = self.next[at].split_first() {
            let ply = line.moves.len();
            let instead = |&id: &usize| Variation { ply, ..self.line_after(id, vec![self.played(id).mv]) };
            line.variations.extend(others.iter().map(instead));
            line.moves.push(self.played(first).mv);
            at = first;
        }
        line
    }

    /// Continues the line that is shown to its end.
    fn go_on(&mut self) {
        while let Some(&next) = self.next[self.line.last().copied().unwrap_or(0)].first() {
            self.line.push(next);
        }
    }

    /// All moves in the order of PGN.
    fn parts(&self) -> Vec<Part> {
        enum Step {
            Line(usize),
            Variation(usize),
            Close,
        }
        let mut parts = Vec::new();
        let mut steps = vec![Step::Line(0)];
        while let Some(step) = steps.pop() {
            match step {
                Step::Line(at) => {
                    if let Some((&first, others)) = self.next[at].split_first() {
                        parts.push(Part::Move(first));
                        steps.push(Step::Line(first));
                        steps.extend(others.iter().rev().map(|&id| Step::Variation(id)));
                    }
                }
                Step::Variation(id) => {
                    parts.extend([Part::Open, Part::Move(id)]);
                    steps.extend([Step::Close, Step::Line(id)]);
                }
                Step::Close => parts.push(Part::Close),
            }
        }
        parts
    }

    /// Most variations in one another.
    fn depth(&self) -> usize {
        let mut depth = 0_usize;
        let mut deepest = 0;
        for part in self.parts() {
            match part {
                Part::Open => depth += 1,
                Part::Close => depth -= 1,
                Part::Move(_) => {}
            }
            deepest = deepest.max(depth);
        }
        deepest
    }

    fn picture(&self, flipped: bool, embedded: bool) -> String {
        let last_move = self.shown.moves().last().copied();
        svg_board(self.shown.position(), &SvgOptions { last_move, flipped, embedded, ..SvgOptions::default() })
    }
}

fn too_deep() -> String {
    fault(format!("found another variation, expected at most {MAX_NESTED_VARIATIONS} in one another"))
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
