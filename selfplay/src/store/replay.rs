//! Playing stored games again: by the rules, slow and sure, or by the engine, for those who want many positions.

use std::ops::ControlFlow;
use std::sync::Arc;

use assay_engine::{CompiledRuleset, MoveList, Position as EnginePosition, Tables};
use assay_rules::{Game, GameDef, Position};
use thiserror::Error;

use super::record::{GameRecord, PackedMove, PlayedMove};

/// Why a stored game cannot be played again.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ReplayError {
    /// It begins nowhere.
    #[error("game {game}, start: {error}")]
    Start {
        /// The game's number.
        game: u64,
        /// What is wrong with its start.
        error: assay_rules::fen::FenError,
    },
    /// A move is not legal.
    #[error("game {game}, ply {ply}: found {found}, which is not legal in {fen}")]
    Illegal {
        /// The game's number.
        game: u64,
        /// The ply, from 1.
        ply: usize,
        /// The move.
        found: String,
        /// Where it was played.
        fen: String,
    },
    /// The rules say something else about its end.
    #[error("game {game}, end: found {found}, expected {expected}")]
    Outcome {
        /// The game's number.
        game: u64,
        /// What is stored.
        found: String,
        /// What the rules say.
        expected: String,
    },
}

impl GameRecord {
    /// The start position.
    ///
    /// # Errors
    /// When the FEN is none of this game.
    pub fn start(&self, game: &Arc<GameDef>) -> Result<Position, ReplayError> {
        Position::from_fen(game, &self.start_fen).map_err(|error| ReplayError::Start {
            game: self.index,
            error,
        })
    }

    /// Plays the moves by the rules, without asking how the game ends.
    ///
    /// # Errors
    /// When the start is impossible or a move is not legal.
    pub fn replay(&self, game: &Arc<GameDef>) -> Result<Game, ReplayError> {
        let mut replayed = Game::new(self.start(game)?);
        for (at, played) in self.moves.iter().enumerate() {
            let found = played.mv.find(replayed.position());
            let mv = found.ok_or_else(|| self.illegal(at, played, game, replayed.position()))?;
            replayed.play(mv);
        }
        Ok(replayed)
    }

    /// Plays the moves by the rules and sees that the game ends as it is stored, and not before.
    ///
    /// # Errors
    /// When the game is not one that the rules allow.
    pub fn verify(&self, game: &Arc<GameDef>) -> Result<(), ReplayError> {
        let replayed = self.replay(game)?;
        let ends = |found: String, expected: String| ReplayError::Outcome {
            game: self.index,
            found,
            expected,
        };
        let stored = format!("{} by {}", self.result, self.reason);
        let mut again = Game::new(replayed.positions()[0].clone());
        for (ply, &mv) in replayed.moves().iter().enumerate() {
            if let Some(outcome) = again.outcome() {
                let expected = format!("{} by {} at ply {ply}", outcome.white, outcome.termination);
                return Err(ends(stored, expected));
            }
            again.play(mv);
        }
        match again.outcome() {
            Some(outcome) if outcome.white == self.result && outcome.termination == self.reason => Ok(()),
            Some(outcome) => Err(ends(stored, format!("{} by {}", outcome.white, outcome.termination))),
            None => Err(ends(stored, "a game that goes on".to_owned())),
        }
    }

    /// Calls `visit` with every position of the game in the engine's form and the move played in it, none for the last one,
    /// until it breaks off. Many times faster than [`GameRecord::replay`]; the legality of moves is the engine's.
    ///
    /// # Errors
    /// When the start is impossible or a move is not legal.
    pub fn walk<R: CompiledRuleset>(
        &self,
        tables: &Arc<Tables<R>>,
        mut visit: impl FnMut(&EnginePosition<R>, Option<(&PlayedMove, assay_engine::Move)>) -> ControlFlow<()>,
    ) -> Result<(), ReplayError> {
        let game = tables.game();
        let mut position = EnginePosition::new(tables, &self.start(game)?);
        let mut legal = MoveList::new();
        for (at, played) in self.moves.iter().enumerate() {
            position.legal_moves(&mut legal);
            let found = legal.into_iter().find(|&mv| PackedMove::from(mv) == played.mv);
            let mv = found.ok_or_else(|| self.illegal(at, played, game, &position.to_rules()))?;
            if visit(&position, Some((played, mv))).is_break() {
                return Ok(());
            }
            position.make(mv);
        }
        // Whether it breaks off now makes no difference.
        let _ = visit(&position, None);
        Ok(())
    }

    fn illegal(&self, at: usize, played: &PlayedMove, game: &GameDef, position: &Position) -> ReplayError {
        ReplayError::Illegal {
            game: self.index,
            ply: at + 1,
            found: played.mv.uci(game),
            fen: position.fen(),
        }
    }
}
