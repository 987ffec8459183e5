//! Results of games.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::color::Color;

/// Points that one side receives for a game, in quarters: 4 for a win, 2 for a draw, 0 for a loss.
/// Games with five results also award 3 (an advantage) and 1 (a disadvantage).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Points(u8);

impl Points {
    /// 1 point.
    pub const WIN: Points = Points(4);
    /// 0.75 points.
    pub const ADVANTAGE: Points = Points(3);
    /// 0.5 points.
    pub const DRAW: Points = Points(2);
    /// 0.25 points.
    pub const DISADVANTAGE: Points = Points(1);
    pub const LOSS: Points = Points(0);

    /// Converts quarter points, 0 to 4.
    pub const fn from_quarters(quarters: u8) -> Option<Points> {
        if quarters <= 4 { Some(Points(quarters)) } else { None }
    }

    /// Converts points: 0, 0.25, 0.5, 0.75 or 1.
    pub fn from_f64(points: f64) -> Option<Points> {
        (0..=4).map(Points).find(|known| (known.as_f64() - points).abs() < 1e-9)
    }

    /// Quarter points, 0 to 4.
    pub const fn quarters(self) -> u8 {
        self.0
    }

    /// Points, 0 to 1.
    pub fn as_f64(self) -> f64 {
        f64::from(self.0) / 4.0
    }

    #[must_use]
    pub const fn flipped(self) -> Points {
        Points(4 - self.0)
    }

    /// Converts White's points to points of `color`, or back.
    #[must_use]
    pub const fn for_white(self, color: Color) -> Points {
        match color {
            Color::White => self,
            Color::Black => self.flipped(),
        }
    }
}

impl TryFrom<f64> for Points {
    type Error = String;

    fn try_from(points: f64) -> Result<Points, String> {
        Points::from_f64(points).ok_or_else(|| format!("found {points}, expected 0, 0.25, 0.5, 0.75 or 1"))
    }
}

impl From<Points> for f64 {
    fn from(points: Points) -> f64 {
        points.as_f64()
    }
}

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(["0", "0.25", "0.5", "0.75", "1"][usize::from(self.0)])
    }
}

/// The rule that ended a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Termination {
    /// The side to move is in check and has no legal move.
    Checkmate,
    /// The side to move is not in check and has no legal move.
    Stalemate,
    /// Neither side has enough material to checkmate.
    DeadPosition,
    /// The position has occurred for the last permitted time.
    Repetition,
    /// Too many plies without a capture or pawn move, or in a count of moves.
    MoveRule,
    /// A side has reached its goal, or both have.
    Goal,
    /// A side has given the number of checks that wins.
    Checks,
    /// A side has lost all its pieces but the king.
    BareKing,
    /// A side has lost its pieces of some kind.
    Extinction,
}

impl Termination {
    /// Name in data files and output, in kebab case.
    pub const fn name(self) -> &'static str {
        match self {
            Termination::Checkmate => "checkmate",
            Termination::Stalemate => "stalemate",
            Termination::DeadPosition => "dead-position",
            Termination::Repetition => "repetition",
            Termination::MoveRule => "move-rule",
            Termination::Goal => "goal",
            Termination::Checks => "checks",
            Termination::BareKing => "bare-king",
            Termination::Extinction => "extinction",
        }
    }
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The result of a finished game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    pub termination: Termination,
    pub white: Points,
}
