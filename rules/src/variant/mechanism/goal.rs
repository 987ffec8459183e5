//! Goals: squares that win the game for a side when its piece reaches them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{KeyError, Mechanism, Parts, forbid, kinds_of, required, squares};
use crate::types::color::{ByColor, Color};
use crate::types::outcome::{Outcome, Points, Termination};
use crate::types::piece::Kind;
use crate::types::square::SquareSet;
use crate::variant::{GameDef, Position};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct GoalKeys {
    /// Letter of the piece.
    #[schemars(example = &"K")]
    pub piece: Option<String>,
    /// Squares of the goal.
    #[schemars(example = &"d4 e4 d5 e5")]
    pub squares: Option<String>,
    /// Black's squares of the goal; White's without the key.
    #[schemars(example = &"a1 b1")]
    pub black_squares: Option<String>,
    /// Whether a goal that White reaches leaves Black one move to reach it, too, which draws.
    pub last_turn: Option<bool>,
    /// Whether the piece must still be there when its side is to move again.
    pub held: Option<bool>,
}

/// Squares that win the game for a side when its piece reaches them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Goal {
    /// Kind that must reach one of the squares.
    pub kind: Kind,
    /// Squares that each side must reach.
    pub squares: ByColor<SquareSet>,
    /// True if Black has one more move when White has reached its squares: if Black then reaches
    /// its own, the game is drawn.
    pub last_turn: bool,
    /// True if the piece must still be on its square when its side is to move again.
    pub held: bool,
}

impl GoalKeys {
    pub(crate) fn build(&self, parts: Parts<'_>) -> Result<Goal, KeyError> {
        let key = "endings.goal.piece";
        let letters = required(key, self.piece.as_ref())?;
        let [kind] = kinds_of(parts.kinds, key, letters)?[..] else {
            return Err(KeyError::new(key, format!("found `{letters}`, expected the letter of one piece")));
        };
        let list = |key: &str, text: &str| {
            let squares = squares(parts.board, key, text)?;
            let message = "found no square, expected at least one, like `d4 e4`";
            if squares.is_empty() { Err(KeyError::new(key, message)) } else { Ok(squares) }
        };
        let key = "endings.goal.squares";
        let white = list(key, required(key, self.squares.as_ref())?)?;
        let black = self.black_squares.as_ref();
        let black = black.map(|squares| list("endings.goal.black-squares", squares)).transpose()?;
        let (last_turn, held) = (self.last_turn.unwrap_or(false), self.held.unwrap_or(false));
        let message = "found true, expected false for a goal with a last turn";
        forbid(last_turn && held, "endings.goal.held", message)?;
        Ok(Goal { kind, squares: ByColor([white, black.unwrap_or(white)]), last_turn, held })
    }
}

impl Goal {
    fn is_reached(&self, position: &Position, color: Color) -> bool {
        position.pieces().any(|(square, piece)| {
            piece.color == color
                && position.game().kinds.original(piece.kind) == self.kind
                && self.squares[color].contains(square)
        })
    }

    /// White's points if the goal has decided the game.
    fn points(&self, position: &Position) -> Option<Points> {
        let waiting = !position.side_to_move();
        if self.held {
            return self.is_reached(position, !waiting).then_some(Points::WIN.for_white(!waiting));
        }
        match (self.is_reached(position, Color::White), self.is_reached(position, Color::Black)) {
            (true, true) if self.last_turn => Some(position.game().endings.draw),
            (true, false) if self.last_turn && waiting == Color::White => {
                let draws = |mv| self.is_reached(&position.play_unchecked(mv), Color::Black);
                (!position.can_reply_if_undecided(draws)).then_some(Points::WIN)
            }
            (true, false) if self.last_turn || waiting == Color::White => Some(Points::WIN),
            (false, true) if self.last_turn || waiting == Color::Black => Some(Points::LOSS),
            (true, true) => Some(Points::WIN.for_white(waiting)),
            _ => None,
        }
    }
}

impl Mechanism for Goal {
    fn sentences(&self, game: &GameDef) -> Vec<String> {
        let Goal { kind, squares, last_turn, held } = self;
        let [white, black] = [Color::White, Color::Black].map(|color| game.board.square_names(squares[color]));
        let black = if white == black { String::new() } else { format!(" (Black: {black})") };
        let draw = if *last_turn {
            " When White has reached its goal, Black has one more move, and if it then reaches its own, the game is a draw."
        } else {
            ""
        };
        let name = &game.kind(*kind).name;
        vec![if *held {
            format!("A side wins when it is to move and its {name} is on one of {white}{black}.")
        } else {
            format!("A side wins when its {name} reaches one of {white}{black}.{draw}")
        }]
    }

    fn outcome(&self, position: &Position) -> Option<Outcome> {
        self.points(position).map(|white| Outcome { termination: Termination::Goal, white })
    }
}
