//! Walls: squares that no piece enters, as in Duck chess.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{KeyError, MadeMove, Mechanism, Parts, kinds_of};
use crate::types::moves::Move;
use crate::types::piece::Kind;
use crate::types::square::SquareSet;
use crate::variant::{GameDef, Position};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct WallKeys {
    /// Wall that each move makes. `duck`: on any empty square, in place of the one before; `past`:
    /// on the square that the piece leaves, for good. Not with royal pieces, explosions or castling
    /// from any files. Without the key moves make none.
    #[schemars(with = "Option<String>", extend("enum" = ["duck", "past"]))]
    pub each_move: Option<WallRule>,
    /// Letters of kinds that become walls when they capture, neither royal pieces nor the pawn. Not
    /// with a duck or explosions.
    #[schemars(example = &"QRBN", extend("default" = ""))]
    pub petrified: Option<String>,
}

/// The square on which a move puts a wall.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WallRule {
    /// On any square that is empty after the move, in place of the wall of the move before: the
    /// duck of Duck chess.
    Duck,
    /// On the square that the piece leaves, for good.
    Past,
}

/// Walls: squares that no piece enters. They block lines and are screens of hoppers, as pieces are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Walls {
    /// The wall that each move makes; `None` if moves make none.
    pub rule: Option<WallRule>,
    /// Kinds that become walls on the square where they capture.
    pub petrified: Vec<Kind>,
}

impl WallKeys {
    pub(crate) fn build(&self, parts: Parts<'_>) -> Result<Walls, KeyError> {
        let key = "walls.petrified";
        let petrified = kinds_of(parts.kinds, key, self.petrified.as_deref().unwrap_or_default())?;
        let is_excluded = |kind: Kind| parts.kinds.is_royal(kind) || parts.pawns.contains(kind);
        if let Some(&kind) = petrified.iter().find(|&&kind| is_excluded(kind)) {
            let letter = parts.kinds[kind].letter;
            return Err(KeyError::new(key, format!("found {letter}, a royal piece or the pawn, expected others")));
        }
        Ok(Walls { rule: self.each_move, petrified })
    }
}

impl GameDef {
    /// The wall that each move makes.
    pub fn wall_rule(&self) -> Option<WallRule> {
        self.mechanisms.walls.as_ref()?.rule
    }

    /// Returns true if pieces of this kind become walls when they capture.
    pub fn is_petrified(&self, kind: Kind) -> bool {
        let walls = self.mechanisms.walls.as_ref();
        walls.is_some_and(|walls| walls.petrified.contains(&self.kinds.original(kind)))
    }
}

impl Mechanism for Walls {
    fn sentences(&self, game: &GameDef) -> Vec<String> {
        let Walls { rule, petrified } = self;
        let mut said =
            vec!["No piece enters or passes a wall; pieces that hop over others hop over walls, too.".to_owned()];
        said.extend(rule.map(|rule| match rule {
            WallRule::Duck => {
                "After a move, the same side puts the only wall, the duck, on another square that is empty.".to_owned()
            }
            WallRule::Past => "The square that a piece leaves becomes a wall.".to_owned(),
        }));
        if !petrified.is_empty() {
            let names = game.kinds.names(petrified);
            said.push(format!("A piece that captures becomes a wall on that square: {names}."));
        }
        said
    }

    /// Replaces each move by moves with each wall that it can make.
    fn change_moves(&self, position: &Position, moves: &mut Vec<Move>) {
        let Some(rule) = self.rule else { return };
        let earlier = position.walls();
        let with_walls = |mv: Move| {
            let after = position.play_unchecked(mv);
            let squares = position.game().board.squares();
            squares
                .filter(move |&square| after.is_empty(square) && !earlier.contains(square))
                .filter(move |&square| rule == WallRule::Duck || square == mv.from())
                .map(move |square| mv.with_wall(Some(square)))
        };
        *moves = moves.drain(..).flat_map(with_walls).collect();
    }

    fn after_move(&self, made: &MadeMove<'_>, after: &mut Position) {
        if made.captured.is_some() && after.game().is_petrified(made.piece.kind) {
            after.remove_piece(made.mv.to());
            after.setup.walls.insert(made.mv.to());
        }
        if self.rule == Some(WallRule::Duck) {
            after.setup.walls = SquareSet::EMPTY;
        }
        made.mv.wall().into_iter().for_each(|square| after.setup.walls.insert(square));
    }
}
