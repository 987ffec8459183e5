//! Who chooses moves.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use assay_rules::{Game, GameDef, Move, Position};

/// What a player thinks of a position, from the view of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Eval {
    /// So many hundredths of the game's own pawn; positive is good for the side to move.
    Centipawns(i32),
    /// Mate in so many moves: positive when the side to move mates, negative when it is mated.
    Mate(i32),
}

/// As comments in PGN have it: pawns with two decimals, `+0.35`; a mate in 3 as `+M3`, or `-M3` for the side that is mated.
impl fmt::Display for Eval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = |number: i32| if number < 0 { '-' } else { '+' };
        match *self {
            Eval::Centipawns(value) => {
                let size = value.unsigned_abs();
                write!(f, "{}{}.{:02}", sign(value), size / 100, size % 100)
            }
            Eval::Mate(moves) => write!(f, "{}M{}", sign(moves), moves.unsigned_abs()),
        }
    }
}

/// A chosen move, and what the player says about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The move: legal in the position that was shown.
    pub mv: Move,
    /// What the position is worth to the side to move, if the player says.
    pub eval: Option<Eval>,
    /// Plies searched; 0 when nothing was.
    pub depth: u32,
    /// Nodes searched.
    pub nodes: u64,
}

/// Chooses the moves of a game, of one side or of both.
pub trait Player {
    /// From now on pieces are believed to be worth so many times what they were at first, by kind, by both sides. A player without
    /// eval_jitter need not care.
    fn believe(&mut self, _factors: &[f64]) {}

    /// A game begins: everything remembered of others is forgotten, so that games cannot depend on each other.
    fn begin(&mut self, start: &Position);

    /// Chooses a move where there is one; `None` when `stop` was raised before there was a choice.
    fn choose(&mut self, game: &Game, stop: &AtomicBool) -> Option<Choice>;

    /// Judges a position that a game may begin with, as if it had begun; `None` when `stop` was raised before there was a
    /// choice. A player that plays hastily may take more time for this.
    fn judge(&mut self, position: &Position, stop: &AtomicBool) -> Option<Choice> {
        self.begin(position);
        self.choose(&Game::new(position.clone()), stop)
    }

    /// This move has been played, whoever chose it.
    fn played(&mut self, mv: Move);
}

/// Makes the players of a run: one for each thread.
pub trait MakePlayer: Sync {
    /// A new player of this maker's game.
    fn make(&self) -> Box<dyn Player + '_>;

    /// Which games it plays.
    fn game(&self) -> &Arc<GameDef>;

    /// A text that changes when the player's play changes, so that a run is not resumed by another player.
    fn identity(&self) -> String;
}
