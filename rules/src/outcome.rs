//! How games end, and what each side gets.

use std::fmt;

use crate::color::Color;

/// Points of one side in quarters: 4 is a win, 3 an advantage, 2 a draw, 1 a disadvantage, 0 a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
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
    /// 0 points.
    pub const LOSS: Points = Points(0);

    /// The score of that many quarter points, up to 4.
    pub const fn from_quarters(quarters: u8) -> Option<Points> {
        if quarters <= 4 { Some(Points(quarters)) } else { None }
    }

    /// The score of that many points, if it is one of the five.
    pub fn from_f64(points: f64) -> Option<Points> {
        (0..=4).map(Points).find(|score| (score.as_f64() - points).abs() < 1e-9)
    }

    /// Quarter points, 0 to 4.
    pub const fn quarters(self) -> u8 {
        self.0
    }

    /// Points, 0 to 1.
    pub fn as_f64(self) -> f64 {
        f64::from(self.0) / 4.0
    }

    /// What the other side gets.
    #[must_use]
    pub const fn flipped(self) -> Points {
        Points(4 - self.0)
    }

    /// This score of `color` as White's score, and the other way round.
    #[must_use]
    pub const fn for_white(self, color: Color) -> Points {
        match color {
            Color::White => self,
            Color::Black => self.flipped(),
        }
    }
}

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(["0", "0.25", "0.5", "0.75", "1"][usize::from(self.0)])
    }
}

/// Why a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Termination {
    /// The side to move is in check and has no legal move.
    Checkmate,
    /// The side to move is not in check and has no legal move.
    Stalemate,
    /// Neither side can ever mate.
    DeadPosition,
    /// The position has occurred as often as ends the game.
    Repetition,
    /// Too many plies without capture or pawn move.
    MoveRule,
}

impl Termination {
    /// The reason's name in data and on screens.
    pub const fn name(self) -> &'static str {
        match self {
            Termination::Checkmate => "checkmate",
            Termination::Stalemate => "stalemate",
            Termination::DeadPosition => "dead-position",
            Termination::Repetition => "repetition",
            Termination::MoveRule => "move-rule",
        }
    }
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// Why it ended.
    pub termination: Termination,
    /// White's score.
    pub white: Points,
}
