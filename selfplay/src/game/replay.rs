//! Replaying recorded games: by the rules, or many times faster by the engine.

use std::ops::ControlFlow;
use std::sync::Arc;

use assay_engine::{CompiledRuleset, MoveList, Position as EnginePosition, Tables};
use assay_rules::{Game, GameDef, Position, uci};
use thiserror::Error;

use super::end::GameEnd;
use super::fault::FaultKind;
use super::record::{GameRecord, PackedMove, PlayedMove};

/// Why a recorded game cannot be replayed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ReplayError {
    /// The start is not a position of the game.
    #[error("game {game}, start: {error}")]
    Start { game: u64, error: assay_rules::fen::FenError },
    /// A move is not legal.
    #[error("game {game}, ply {ply}: found {found}, which is not legal in {fen}")]
    Illegal {
        game: u64,
        /// The ply, from 1.
        ply: usize,
        found: String,
        /// The position before the move.
        fen: String,
    },
    /// The game does not end as recorded.
    #[error("game {game}, end: found {found}, expected {expected}")]
    Outcome { game: u64, found: String, expected: String },
}

impl GameRecord {
    /// The start position.
    ///
    /// # Errors
    /// If the FEN is not valid in this game.
    pub fn start(&self, game: &Arc<GameDef>) -> Result<Position, ReplayError> {
        Position::from_fen(game, &self.start_fen).map_err(|error| ReplayError::Start { game: self.index, error })
    }

    /// Replays the moves by the rules, without checking the end of the game.
    ///
    /// # Errors
    /// If the start or a move is illegal.
    pub fn replay(&self, game: &Arc<GameDef>) -> Result<Game, ReplayError> {
        let mut replayed = Game::new(self.start(game)?);
        for (at, played) in self.moves.iter().enumerate() {
            let found = played.mv.find(replayed.position());
            let mv = found.ok_or_else(|| self.illegal(at, played, game, replayed.position()))?;
            replayed.play(mv);
        }
        Ok(replayed)
    }

    /// Replays the game by the rules and checks its end: where the rules ended it, they end it at
    /// its last move and with its result; where they did not, they do not end it earlier; and a
    /// move that was rejected as illegal is illegal.
    ///
    /// # Errors
    /// The first contradiction.
    pub fn verify(&self, game: &Arc<GameDef>) -> Result<(), ReplayError> {
        let replayed = self.replay(game)?;
        let contradiction = |expected: String| ReplayError::Outcome {
            game: self.index,
            found: format!("{} by {}", self.result, self.end),
            expected,
        };
        let mut again = Game::new(replayed.positions()[0].clone());
        for (ply, &mv) in replayed.moves().iter().enumerate() {
            if let Some(outcome) = again.outcome() {
                let expected = format!("{} by {} at ply {ply}", outcome.white, outcome.termination);
                return Err(contradiction(expected));
            }
            again.play(mv);
        }
        match (self.end, again.outcome()) {
            (GameEnd::Rules(termination), Some(outcome))
                if outcome.termination == termination && outcome.white == self.result =>
            {
                Ok(())
            }
            (_, Some(outcome)) => Err(contradiction(format!("{} by {}", outcome.white, outcome.termination))),
            (GameEnd::Rules(_), None) => Err(contradiction("a game that goes on".to_owned())),
            (GameEnd::Fault(FaultKind::IllegalMove), None) => {
                let dispute = self.fault.as_ref().and_then(|fault| fault.dispute.as_ref());
                match dispute {
                    Some(dispute) if uci::parse(again.position(), &dispute.found).is_err() => Ok(()),
                    Some(dispute) => Err(contradiction(format!("`{}` to be legal", dispute.found))),
                    None => Err(contradiction("the illegal move".to_owned())),
                }
            }
            (_, None) => Ok(()),
        }
    }

    /// Calls `visit` with every position of the game, as an engine position, and the move played
    /// there (`None` for the last position), until it breaks. Many times faster than
    /// [`GameRecord::replay`]; legality is checked by the engine's generator.
    ///
    /// # Errors
    /// If the start or a move is illegal.
    pub fn visit_positions<R: CompiledRuleset>(
        &self,
        tables: &Arc<Tables<R>>,
        mut visit: impl FnMut(&EnginePosition<R>, Option<(&PlayedMove, assay_engine::Move)>) -> ControlFlow<()>,
    ) -> Result<(), ReplayError> {
        let game = tables.game();
        let mut position = EnginePosition::new(tables, &self.start(game)?);
        let mut legal = MoveList::new();
        for (at, played) in self.moves.iter().enumerate() {
            position.legal_moves(&mut legal);
            let found = legal.into_iter().find(|&mv| played.mv == PackedMove::of_engine(mv, game));
            let mv = found.ok_or_else(|| self.illegal(at, played, game, &position.to_rules()))?;
            if visit(&position, Some((played, mv))).is_break() {
                return Ok(());
            }
            position.make(mv);
        }
        // A break has no effect at the last position.
        let _ = visit(&position, None);
        Ok(())
    }

    fn illegal(&self, at: usize, played: &PlayedMove, game: &GameDef, position: &Position) -> ReplayError {
        ReplayError::Illegal { game: self.index, ply: at + 1, found: played.mv.uci(game), fen: position.fen() }
    }
}
