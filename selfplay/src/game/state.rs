//! Who says what is legal and when a game is over: Assay's rules, or, where Assay does not know the game, the engines.

use std::sync::Arc;

use assay_rules::{Color, Game, GameDef, Outcome, Points, Position, uci};

use crate::game::end::Ending;
use crate::game::fault::FaultKind;
use crate::game::unruled::Unruled;
use crate::players::fen_dialect::FenDialect;

/// A game in progress with the one who judges it.
#[derive(Clone, Debug)]
pub enum GameState {
    /// By Assay's rules.
    Rules(Box<Game>),
    /// By what the engines say.
    Trust(Unruled),
}

/// Why an answer is not played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejected {
    /// What is wrong with it.
    pub kind: FaultKind,
    /// Why, in one line.
    pub why: String,
}

/// The moves that mean "there is none".
fn is_no_move(text: &str) -> bool {
    matches!(text, "(none)" | "0000" | "none" | "null" | "resign" | "NULL")
}

impl GameState {
    /// A game by the rules.
    pub fn of_rules(start: Position) -> GameState {
        GameState::Rules(Box::new(Game::new(start)))
    }

    /// The position by the rules, when they are known.
    pub fn game(&self) -> Option<&Game> {
        match self {
            GameState::Rules(game) => Some(game),
            GameState::Trust(_) => None,
        }
    }

    /// Whose move it is.
    pub fn side(&self) -> Color {
        match self {
            GameState::Rules(game) => game.position().side_to_move(),
            GameState::Trust(trusted) => trusted.side(),
        }
    }

    /// Moves played so far.
    pub fn plies(&self) -> usize {
        match self {
            GameState::Rules(game) => game.moves().len(),
            GameState::Trust(trusted) => trusted.moves().len(),
        }
    }

    /// The start as it is stored: a FEN, or `startpos` where nothing else is known.
    pub fn start_text(&self) -> String {
        match self {
            GameState::Rules(game) => game.positions()[0].fen(),
            GameState::Trust(trusted) => trusted.start().to_owned(),
        }
    }

    /// The `position` command that tells an engine where the game stands.
    pub fn command(&self, dialect: FenDialect) -> String {
        let (start, moves) = match self {
            GameState::Rules(game) => {
                let def = game.position().game();
                let moves: Vec<String> = game.moves().iter().map(|&mv| uci::format(def, mv)).collect();
                let start = &game.positions()[0];
                let start = if *start == Position::start(def) {
                    "startpos".to_owned()
                } else {
                    dialect.fen(start)
                };
                (start, moves)
            }
            GameState::Trust(trusted) => (trusted.start().to_owned(), trusted.moves().to_vec()),
        };
        let start = if start == "startpos" {
            start
        } else {
            format!("fen {start}")
        };
        if moves.is_empty() {
            format!("position {start}")
        } else {
            format!("position {start} moves {}", moves.join(" "))
        }
    }

    /// Plays the answer of the side to move.
    ///
    /// # Errors
    /// When it cannot be played.
    pub fn play(&mut self, answer: &str) -> Result<(), Rejected> {
        match self {
            GameState::Rules(game) => {
                if is_no_move(answer) {
                    let why = format!("`bestmove {answer}` while there are legal moves");
                    return Err(Rejected {
                        kind: FaultKind::WrongClaim,
                        why,
                    });
                }
                let mv = uci::parse(game.position(), answer).map_err(|error| {
                    let kind = match error {
                        uci::UciError::Syntax { .. } => FaultKind::Garbled,
                        uci::UciError::Illegal { .. } => FaultKind::IllegalMove,
                    };
                    Rejected {
                        kind,
                        why: error.to_string(),
                    }
                })?;
                game.play(mv);
                Ok(())
            }
            GameState::Trust(trusted) => trusted.play(answer, is_no_move(answer)),
        }
    }

    /// How the game is over, if it is.
    pub fn ending(&self) -> Option<(Ending, Points)> {
        match self {
            GameState::Rules(game) => {
                let Outcome { termination, white } = game.outcome()?;
                Some((Ending::Rules(termination), white))
            }
            GameState::Trust(trusted) => trusted.ending(),
        }
    }

    /// The position in which a game by the rules stands, with all its legal moves as UCI writes them.
    pub fn situation(&self) -> Option<(String, Vec<String>)> {
        let position = self.game()?.position();
        let game: &Arc<GameDef> = position.game();
        let mut legal: Vec<String> = position
            .legal_moves()
            .into_iter()
            .map(|mv| uci::format(game, mv))
            .collect();
        legal.sort();
        Some((position.fen(), legal))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_told_apart() {
        let chess = GameDef::builtin("chess").unwrap();
        let mut state = GameState::of_rules(Position::start(&chess));
        let mut kind = |answer: &str| state.play(answer).unwrap_err().kind;
        assert_eq!(kind("e2e5"), FaultKind::IllegalMove);
        assert_eq!(kind("e7e5"), FaultKind::IllegalMove);
        assert_eq!(kind("e2e4q"), FaultKind::IllegalMove);
        assert_eq!(kind("castle"), FaultKind::Garbled);
        assert_eq!(kind(""), FaultKind::Garbled);
        assert_eq!(kind("(none)"), FaultKind::WrongClaim);
        assert_eq!(kind("0000"), FaultKind::WrongClaim);
        state.play("e2e4").unwrap();
        assert_eq!(state.command(FenDialect::Assay), "position startpos moves e2e4");
        assert_eq!(state.situation().unwrap().1.len(), 20);
    }

    #[test]
    fn the_end_is_the_rules() {
        let chess = GameDef::builtin("chess").unwrap();
        let start = Position::from_fen(&chess, "7k/8/5KQ1/8/8/8/8/8 w - - 0 1").unwrap();
        let mut state = GameState::of_rules(start);
        assert_eq!(state.ending(), None);
        assert_eq!(
            state.command(FenDialect::Fairy),
            "position fen 7k/8/5KQ1/8/8/8/8/8 w - - 0 1"
        );
        state.play("g6g7").unwrap();
        assert_eq!(
            state.ending(),
            Some((Ending::Rules(assay_rules::Termination::Checkmate), Points::WIN))
        );
    }
}
