use assay_rules::{Color, Game, Move, Outcome, Points, Position, uci};

use super::end::GameEnd;
use super::fault::{Dispute, EngineFault, FaultKind};
use super::fen_dialect::FenDialect;
use super::record::RecordedMove;
use super::unruled::UnruledGame;

/// Where a game starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// A position of a game whose rules are known.
    Position(Box<Position>),
    /// The start of an unruled game: a FEN, or `startpos`.
    Text(String),
}

/// The answer of a player, which need not be a legal move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    Move(Move),
    /// The text after `bestmove`, normally a move in UCI notation.
    Text(String),
}

impl Reply {
    /// Returns true if the reply means "I have no move".
    fn is_no_move(&self) -> bool {
        matches!(self, Reply::Text(text) if matches!(text.as_str(), "(none)" | "0000" | "none" | "null" | "resign" | "NULL"))
    }
}

/// A game in progress, by Assay's rules or, in a game without a definition, by the moves and claims of the players.
#[derive(Clone, Debug)]
pub enum GameState {
    Ruled(Box<Game>),
    Unruled(UnruledGame),
}

impl GameState {
    pub fn new(start: Start) -> GameState {
        match start {
            Start::Position(position) => GameState::Ruled(Box::new(Game::new(*position))),
            Start::Text(text) => GameState::Unruled(UnruledGame::new(&text)),
        }
    }

    /// The game by the rules; `None` in an unruled game.
    pub fn game(&self) -> Option<&Game> {
        match self {
            GameState::Ruled(game) => Some(game),
            GameState::Unruled(_) => None,
        }
    }

    /// The side to move.
    pub fn side_to_move(&self) -> Color {
        match self {
            GameState::Ruled(game) => game.position().side_to_move(),
            GameState::Unruled(game) => game.side_to_move(),
        }
    }

    /// The number of the move to be played, from the one that the start's FEN names.
    pub fn fullmove_number(&self) -> u32 {
        match self {
            GameState::Ruled(game) => game.position().fullmove_number(),
            GameState::Unruled(game) => game.turn_after(game.moves().len()).0,
        }
    }

    /// Returns true if the last move was a capture or a pawn move; false in an unruled game, where it is not known.
    pub fn is_after_irreversible_move(&self) -> bool {
        self.game()
            .is_some_and(|game| !game.moves().is_empty() && game.position().halfmove_clock() == 0)
    }

    /// The start in the form of the store: a FEN, or `startpos` in an unruled game.
    pub fn start_text(&self) -> String {
        match self {
            GameState::Ruled(game) => game.positions()[0].fen(),
            GameState::Unruled(game) => game.start().to_owned(),
        }
    }

    /// The start and the moves as UCI's `position` command takes them.
    pub fn uci_position(&self, dialect: FenDialect) -> (String, Vec<String>) {
        match self {
            GameState::Ruled(game) => {
                let def = game.position().game();
                let moves = game.moves().iter().map(|&mv| uci::format(def, mv)).collect();
                let start = &game.positions()[0];
                if *start == Position::start(def) {
                    ("startpos".to_owned(), moves)
                } else {
                    (dialect.fen(start), moves)
                }
            }
            GameState::Unruled(game) => {
                let moves = game.moves().iter().map(|text| text.as_str().to_owned());
                (game.start().to_owned(), moves.collect())
            }
        }
    }

    /// Plays the reply of the side to move. Returns the move, or `None` for a claim to have no move, which ends an unruled
    /// game.
    ///
    /// # Errors
    /// If the reply is not a legal move.
    ///
    /// # Panics
    /// If a [`Reply::Move`] is illegal, which is a bug of a built-in player.
    pub fn play(&mut self, reply: &Reply) -> Result<Option<RecordedMove>, EngineFault> {
        let is_no_move = reply.is_no_move();
        match (self, reply) {
            (GameState::Ruled(game), &Reply::Move(mv)) => {
                assert!(
                    game.position().is_legal(mv),
                    "the player chose {mv:?}, which is illegal in {}",
                    game.position().fen()
                );
                game.play(mv);
                Ok(Some(mv.into()))
            }
            (_, Reply::Text(text)) if text.is_empty() => {
                let what = "`bestmove` without a move".to_owned();
                Err(EngineFault::new(FaultKind::Malformed, what))
            }
            (GameState::Ruled(_), Reply::Text(text)) if is_no_move => Err(EngineFault::new(
                FaultKind::WrongClaim,
                format!("`bestmove {text}` while there are legal moves"),
            )),
            (GameState::Ruled(game), Reply::Text(text)) => {
                let mv = uci::parse(game.position(), text).map_err(|error| {
                    let kind = match error {
                        uci::UciError::Syntax { .. } => FaultKind::Malformed,
                        uci::UciError::Illegal { .. } => FaultKind::IllegalMove,
                    };
                    EngineFault::new(kind, error.to_string())
                })?;
                game.play(mv);
                Ok(Some(mv.into()))
            }
            (GameState::Unruled(game), Reply::Text(_)) if is_no_move => {
                game.claim_no_move();
                Ok(None)
            }
            (GameState::Unruled(game), Reply::Text(text)) => game.play(text).map(|text| Some(RecordedMove::Text(text))),
            (GameState::Unruled(_), Reply::Move(mv)) => unreachable!("{mv:?} in a game without rules"),
        }
    }

    /// The end of the game and White's points, if it is over.
    pub fn end(&self) -> Option<(GameEnd, Points)> {
        match self {
            GameState::Ruled(game) => {
                let Outcome { termination, white } = game.outcome()?;
                Some((GameEnd::Rules(termination), white))
            }
            GameState::Unruled(game) => game.end(),
        }
    }

    /// Both sides' views of a rejected reply; `None` in an unruled game.
    pub fn dispute(&self, reply: &Reply) -> Option<Dispute> {
        let game = self.game()?;
        let position = game.position();
        let legal = position.legal_moves().into_iter();
        let mut legal: Vec<String> = legal.map(|mv| uci::format(position.game(), mv)).collect();
        legal.sort();
        Some(Dispute {
            ply: game.moves().len() + 1,
            fen: position.fen(),
            found: match reply {
                Reply::Move(mv) => uci::format(position.game(), *mv),
                Reply::Text(text) => text.clone(),
            },
            legal,
        })
    }
}

#[cfg(test)]
mod tests {
    use assay_rules::GameDef;

    use super::*;

    fn state(fen: Option<&str>) -> GameState {
        let chess = GameDef::builtin("chess").unwrap();
        let start = fen.map_or_else(
            || Position::start(&chess),
            |fen| Position::from_fen(&chess, fen).unwrap(),
        );
        GameState::new(Start::Position(Box::new(start)))
    }

    #[test]
    fn classifies_rejected_replies() {
        let mut state = state(None);
        let mut kind = |text: &str| state.play(&Reply::Text(text.to_owned())).unwrap_err().kind;
        assert_eq!(kind("e2e5"), FaultKind::IllegalMove);
        assert_eq!(kind("e7e5"), FaultKind::IllegalMove);
        assert_eq!(kind("e2e4q"), FaultKind::IllegalMove);
        assert_eq!(kind("castle"), FaultKind::Malformed);
        assert_eq!(kind(""), FaultKind::Malformed);
        assert_eq!(kind("(none)"), FaultKind::WrongClaim);
        assert_eq!(kind("0000"), FaultKind::WrongClaim);
        let empty = state.play(&Reply::Text(String::new())).unwrap_err();
        assert_eq!(empty.what, "`bestmove` without a move");
        let reply = Reply::Text("e2e4".to_owned());
        state.play(&reply).unwrap();
        assert_eq!(
            state.uci_position(FenDialect::Assay),
            ("startpos".to_owned(), vec!["e2e4".to_owned()])
        );
        assert_eq!(state.dispute(&reply).unwrap().legal.len(), 20);
    }

    #[test]
    fn ends_by_the_rules() {
        let mut state = state(Some("7k/8/5KQ1/8/8/8/8/8 w - - 0 1"));
        assert_eq!(state.end(), None);
        assert_eq!(state.uci_position(FenDialect::Fairy).0, "7k/8/5KQ1/8/8/8/8/8 w - - 0 1");
        state.play(&Reply::Text("g6g7".to_owned())).unwrap();
        assert_eq!(
            state.end().map(|(end, white)| (end.name(), white)),
            Some(("checkmate", Points::WIN))
        );
    }
}
