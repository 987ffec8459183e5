//! A game: its start, its moves, and how it ends.

use std::collections::HashMap;
use std::sync::Arc;

use crate::def::GameDef;
use crate::moves::Move;
use crate::outcome::{Outcome, Termination};
use crate::position::{Position, RepetitionKey};

/// A game in progress: every position since the start, so that repetitions are seen.
#[derive(Clone, Debug)]
pub struct Game {
    positions: Vec<Position>,
    moves: Vec<Move>,
    occurrences: HashMap<RepetitionKey, u32>,
}

impl Game {
    /// A game that begins with `start`, its first occurrence.
    pub fn new(start: Position) -> Game {
        let occurrences = HashMap::from([(start.repetition_key(), 1)]);
        Game {
            positions: vec![start],
            moves: Vec::new(),
            occurrences,
        }
    }

    /// A game from the default start position.
    pub fn start(game: &Arc<GameDef>) -> Game {
        Game::new(Position::start(game))
    }

    /// The position now.
    ///
    /// # Panics
    /// Never: a game always has a position.
    pub fn position(&self) -> &Position {
        self.positions.last().expect("a game has its start position")
    }

    /// All positions, start first; one more than there are moves.
    pub fn positions(&self) -> &[Position] {
        &self.positions
    }

    /// All moves so far.
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

    /// Takes the last move back; `None` at the start.
    pub fn undo(&mut self) -> Option<Move> {
        let mv = self.moves.pop()?;
        let key = self.position().repetition_key();
        if let Some(count) = self.occurrences.get_mut(&key) {
            *count -= 1;
        }
        self.positions.pop();
        Some(mv)
    }

    /// How often the present position has occurred, this time included.
    pub fn occurrences(&self) -> u32 {
        self.occurrences
            .get(&self.position().repetition_key())
            .copied()
            .unwrap_or(0)
    }

    /// How the game is over, if it is: checkmate and stalemate first, then a dead position, then repetition, then the move rule.
    pub fn outcome(&self) -> Option<Outcome> {
        let position = self.position();
        position
            .mate_or_dead()
            .or_else(|| {
                let repeated = self.occurrences() >= position.game().endings.repetitions;
                repeated.then(|| position.outcome_by(Termination::Repetition))
            })
            .or_else(|| position.move_rule_outcome())
    }
}
