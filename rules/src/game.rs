//! Games in progress: positions, moves and the repetition rule.

use std::collections::HashMap;
use std::sync::Arc;

use crate::types::color::Color;
use crate::types::moves::Move;
use crate::types::outcome::{Outcome, Points, Termination};
use crate::variant::GameDef;
use crate::variant::{Position, RepetitionKey};

/// A game in progress, with every position since the start.
///
/// ```
/// use assay_rules::{Game, GameDef, Termination, uci};
///
/// let mut game = Game::start(&GameDef::builtin("chess").unwrap());
/// for text in ["f2f3", "e7e5", "g2g4", "d8h4"] {
///     game.play(uci::parse(game.position(), text).unwrap());
/// }
/// assert_eq!(game.outcome().unwrap().termination, Termination::Checkmate);
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    positions: Vec<Position>,
    moves: Vec<Move>,
    occurrences: HashMap<RepetitionKey, u32>,
}

impl Game {
    /// Creates a game from any position, which counts as its first occurrence.
    pub fn new(start: Position) -> Game {
        let occurrences = HashMap::from([(start.repetition_key(), 1)]);
        Game { positions: vec![start], moves: Vec::new(), occurrences }
    }

    /// Creates a game from the default start position.
    pub fn start(game: &Arc<GameDef>) -> Game {
        Game::new(Position::start(game))
    }

    /// The current position.
    #[expect(clippy::missing_panics_doc, reason = "a game always has a position")]
    pub fn position(&self) -> &Position {
        self.positions.last().expect("a game has its start position")
    }

    /// All positions, beginning with the start: one more than the number of moves.
    pub fn positions(&self) -> &[Position] {
        &self.positions
    }

    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Plays a legal move.
    pub fn play(&mut self, mv: Move) {
        let next = self.position().play(mv);
        *self.occurrences.entry(next.repetition_key()).or_insert(0) += 1;
        self.positions.push(next);
        self.moves.push(mv);
    }

    /// Undoes the last move and returns it; `None` at the start.
    pub fn undo(&mut self) -> Option<Move> {
        let mv = self.moves.pop()?;
        let key = self.position().repetition_key();
        if let Some(count) = self.occurrences.get_mut(&key) {
            *count -= 1;
        }
        self.positions.pop();
        Some(mv)
    }

    /// How often the current position has occurred, including this occurrence.
    pub fn occurrences(&self) -> u32 {
        self.occurrences.get(&self.position().repetition_key()).copied().unwrap_or(0)
    }

    /// The outcome if the game is over. The order of precedence is goals and checks, checkmate and
    /// stalemate, dead position, repetition, move rule.
    pub fn outcome(&self) -> Option<Outcome> {
        let position = self.position();
        position
            .mate_or_dead()
            .or_else(|| {
                let repeated = self.occurrences() >= position.game().endings.repetitions;
                repeated.then(|| self.repetition_outcome())
            })
            .or_else(|| position.move_rule_outcome())
    }

    fn repetition_outcome(&self) -> Outcome {
        let termination = Termination::Repetition;
        match self.perpetual_checker() {
            Some(loser) => Outcome { termination, white: Points::LOSS.for_white(loser) },
            None => self.position().outcome_by(termination),
        }
    }

    /// The side that loses because it has given check with each of its moves since the first
    /// occurrence of the position, if the other has not done the same.
    fn perpetual_checker(&self) -> Option<Color> {
        if !self.position().game().endings.perpetual_check_loses {
            return None;
        }
        let key = self.position().repetition_key();
        let first = self.positions.iter().position(|position| position.repetition_key() == key)?;
        let checks_always = |side: Color| {
            let mut after_its_moves = self.positions[first + 1..].iter().filter(|after| after.side_to_move() != side);
            after_its_moves.all(Position::in_check)
        };
        match Color::ALL.map(checks_always) {
            [true, false] => Some(Color::White),
            [false, true] => Some(Color::Black),
            _ => None,
        }
    }
}
