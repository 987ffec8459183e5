use assay_rules::{Game, Move, uci};

use super::fault::{Dispute, EngineFault, FaultKind};

/// The answer of a player, which need not be a legal move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    Move(Move),
    /// The text of the answer, normally a move in UCI notation.
    Text(String),
    /// The player gives the game up.
    Resignation,
}

impl Reply {
    /// Plays the reply of the side to move; returns the move, or `None` if the player resigns.
    ///
    /// # Errors
    /// If the reply is not a legal move.
    ///
    /// # Panics
    /// If a [`Reply::Move`] is illegal, which is a bug of a built-in player.
    pub fn play(&self, game: &mut Game) -> Result<Option<Move>, EngineFault> {
        let position = game.position();
        let mv = match self {
            &Reply::Move(mv) => {
                assert!(position.is_legal(mv), "the player chose {mv:?}, which is illegal in {}", position.fen());
                mv
            }
            Reply::Text(text) => parse(game, text).map_err(|(kind, what)| EngineFault {
                kind,
                what,
                dispute: Some(Box::new(dispute(game, text))),
                stderr: Vec::new(),
            })?,
            Reply::Resignation => return Ok(None),
        };
        game.play(mv);
        Ok(Some(mv))
    }
}

/// Both sides' views of a rejected reply.
fn dispute(game: &Game, found: &str) -> Dispute {
    let position = game.position();
    let legal = position.legal_moves().into_iter();
    let mut legal: Vec<String> = legal.map(|mv| uci::format(position.game(), mv)).collect();
    legal.sort();
    Dispute { ply: game.moves().len() + 1, fen: position.fen(), found: found.to_owned(), legal }
}

fn parse(game: &Game, text: &str) -> Result<Move, (FaultKind, String)> {
    match text {
        "" => Err((FaultKind::Malformed, "`bestmove` without a move".to_owned())),
        "(none)" | "0000" | "none" | "null" | "NULL" | "resign" => {
            Err((FaultKind::WrongClaim, format!("`bestmove {text}` while there are legal moves")))
        }
        _ => uci::parse(game.position(), text).map_err(|error| {
            let kind = match error {
                uci::UciError::Syntax { .. } => FaultKind::Malformed,
                uci::UciError::Illegal { .. } => FaultKind::IllegalMove,
            };
            (kind, error.to_string())
        }),
    }
}

#[cfg(test)]
mod tests {
    use assay_rules::{GameDef, Position};

    use super::*;
    use crate::game::FenDialect;

    #[test]
    fn classifies_rejected_replies() {
        let mut game = Game::new(Position::start(&GameDef::builtin("chess").unwrap()));
        let mut kind = |text: &str| Reply::Text(text.to_owned()).play(&mut game).unwrap_err().kind;
        assert_eq!(kind("e2e5"), FaultKind::IllegalMove);
        assert_eq!(kind("e7e5"), FaultKind::IllegalMove);
        assert_eq!(kind("e2e4q"), FaultKind::IllegalMove);
        assert_eq!(kind("castle"), FaultKind::Malformed);
        assert_eq!(kind(""), FaultKind::Malformed);
        assert_eq!(kind("(none)"), FaultKind::WrongClaim);
        assert_eq!(kind("0000"), FaultKind::WrongClaim);
        let empty = Reply::Text(String::new()).play(&mut game).unwrap_err();
        assert_eq!(empty.what, "`bestmove` without a move");
        Reply::Text("e2e4".to_owned()).play(&mut game).unwrap();
        assert_eq!(FenDialect::Assay.uci_position(&game), ("startpos".to_owned(), vec!["e2e4".to_owned()]));
        let illegal = Reply::Text("e2e4".to_owned()).play(&mut game).unwrap_err();
        assert_eq!(illegal.dispute.unwrap().legal.len(), 20);
    }
}
