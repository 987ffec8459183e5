//! Scores of search and evaluation: centipawns, or mate in a number of plies.

use std::fmt;
use std::ops::{Add, Neg, Sub};

use assay_rules::Points;

/// Maximum ply of a search tree; the root is at ply 0.
pub const MAX_PLY: usize = 127;

/// Score of delivering mate at the root; a mate `n` plies from the root scores `n` less.
const MATE: i32 = 32_000;
/// Lower bound of the absolute value of a mate score.
const NEAREST_TO_ZERO: i32 = MATE - MAX_PLY as i32 - 1;
/// Largest absolute value of an evaluation.
const EVALUATION_LIMIT: i32 = 30_000;

/// A score from the side to move's point of view.
///
/// It is either in *centipawns* (hundredths of the game's own pawn, within ±30,000) or a *mate* at
/// a number of plies from the root; every mate is further from zero than any number of centipawns.
/// A game that ends with 0.75 points, in variants that have such results, scores
/// [`Score::ADVANTAGE`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(i32);

impl Score {
    pub const DRAW: Score = Score(0);

    /// The score of a game that ended with 0.75 points for the side to move.
    ///
    /// Centipawns correspond to expected points by a logistic curve ([`Score::expected_points`]),
    /// scaled so that this score expects 0.75 points. The search therefore accepts such a result
    /// exactly if it expects less from playing on.
    pub const ADVANTAGE: Score = Score(300);

    /// An upper bound of all scores, which no position has.
    pub(crate) const INFINITE: Score = Score(MATE + 1);

    /// Creates a score in centipawns, clamped to the range of evaluations.
    pub fn from_centipawns(centipawns: i32) -> Score {
        Score(centipawns.clamp(-EVALUATION_LIMIT, EVALUATION_LIMIT))
    }

    /// The side to move mates at `ply` plies from the root.
    pub fn mating(ply: usize) -> Score {
        Score(MATE - ply as i32)
    }

    /// The side to move is mated at `ply` plies from the root (0: at the root).
    pub fn mated(ply: usize) -> Score {
        Score(ply as i32 - MATE)
    }

    /// The score of a game that ended at `ply` with `points` for the side to move.
    pub fn of_points(points: Points, ply: usize) -> Score {
        match points {
            Points::WIN => Score::mating(ply),
            Points::ADVANTAGE => Score::ADVANTAGE,
            Points::DISADVANTAGE => -Score::ADVANTAGE,
            Points::LOSS => Score::mated(ply),
            _ => Score::DRAW,
        }
    }

    /// Returns the centipawns; `None` for a mate.
    pub fn centipawns(self) -> Option<i32> {
        (!self.is_mate()).then_some(self.0)
    }

    /// Returns the moves to mate, negative if the side to move gets mated, 0 if it is mated
    /// already; `None` for centipawns.
    pub fn mate(self) -> Option<i32> {
        let plies = self.mate_plies()?;
        Some(if plies > 0 { (plies + 1) / 2 } else { plies / 2 })
    }

    /// Returns the plies to mate, negative if the side to move gets mated, 0 if it is mated
    /// already; `None` for centipawns.
    pub fn mate_plies(self) -> Option<i32> {
        let plies = MATE - self.0.abs();
        self.is_mate().then(|| if self.0 > 0 { plies } else { -plies })
    }

    /// Returns true for a mate of either side.
    pub fn is_mate(self) -> bool {
        self.0.abs() >= NEAREST_TO_ZERO
    }

    /// Returns true if the side to move mates.
    pub fn is_winning_mate(self) -> bool {
        self.0 >= NEAREST_TO_ZERO
    }

    /// Returns true if the side to move gets mated.
    pub fn is_losing_mate(self) -> bool {
        self.0 <= -NEAREST_TO_ZERO
    }

    /// Returns the expected points of the side to move, 0 to 1: 0.5 at 0, 0.75 at
    /// [`Score::ADVANTAGE`].
    pub fn expected_points(self) -> f64 {
        match self.centipawns() {
            Some(centipawns) => 1.0 / (1.0 + 3f64.powf(-f64::from(centipawns) / f64::from(Score::ADVANTAGE.0))),
            None => f64::from(u8::from(self.is_winning_mate())),
        }
    }

    /// Converts for the transposition table, in which mates count from the position at `ply`
    /// instead of the root.
    pub(crate) fn to_table(self, ply: usize) -> i16 {
        let shift = if self.is_winning_mate() {
            ply as i32
        } else if self.is_losing_mate() {
            -(ply as i32)
        } else {
            0
        };
        (self.0 + shift) as i16
    }

    /// Inverse of [`Score::to_table`], for a position at `ply`.
    pub(crate) fn from_table(stored: i16, ply: usize) -> Score {
        let stored = Score(i32::from(stored));
        let shift = if stored.is_winning_mate() {
            -(ply as i32)
        } else if stored.is_losing_mate() {
            ply as i32
        } else {
            0
        };
        Score(stored.0 + shift)
    }
}

impl Neg for Score {
    type Output = Score;

    #[inline]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

/// Adds centipawns; for window bounds, not for results.
impl Add<i32> for Score {
    type Output = Score;

    #[inline]
    fn add(self, centipawns: i32) -> Score {
        Score(self.0 + centipawns)
    }
}

/// Subtracts centipawns; for window bounds, not for results.
impl Sub<i32> for Score {
    type Output = Score;

    #[inline]
    fn sub(self, centipawns: i32) -> Score {
        Score(self.0 - centipawns)
    }
}

impl Sub for Score {
    type Output = i32;

    #[inline]
    fn sub(self, other: Score) -> i32 {
        self.0 - other.0
    }
}

/// Formats as in UCI: `cp 34`, `mate 3`, `mate -2`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mate() {
            Some(moves) => write!(f, "mate {moves}"),
            None => write!(f, "cp {}", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn converts_mate_plies_to_moves_for_either_side() {
        let texts = [
            (Score::mating(1), "mate 1"),
            (Score::mating(2), "mate 1"),
            (Score::mating(3), "mate 2"),
            (Score::mated(0), "mate 0"),
            (Score::mated(2), "mate -1"),
            (Score::mated(4), "mate -2"),
            (Score::from_centipawns(-34), "cp -34"),
            (Score::from_centipawns(1_000_000), "cp 30000"),
        ];
        for (score, text) in texts {
            assert_eq!(score.to_string(), text);
        }
    }

    #[test]
    fn table_mates_count_from_their_position() {
        for score in [Score::mating(9), Score::mated(8), Score::from_centipawns(-120), Score::ADVANTAGE, Score::DRAW] {
            assert_eq!(Score::from_table(score.to_table(5), 5), score);
        }
        // Mate four plies below ply 5 is mate four plies below ply 2.
        assert_eq!(Score::from_table(Score::mating(9).to_table(5), 2), Score::mating(6));
        assert_eq!(Score::from_table(Score::mated(9).to_table(5), 2), Score::mated(6));
        // The extremes fit.
        assert_eq!(Score::from_table(Score::mating(MAX_PLY).to_table(MAX_PLY), MAX_PLY), Score::mating(MAX_PLY));
        assert_eq!(Score::from_table(Score::mated(MAX_PLY).to_table(0), 0), Score::mated(MAX_PLY));
    }

    #[test]
    fn orders_all_five_results() {
        let results: Vec<Score> =
            (0..=4).map(|quarters| Score::of_points(Points::from_quarters(quarters).unwrap(), 3)).collect();
        assert!(results.is_sorted());
        assert!(Score::from_centipawns(299) < Score::ADVANTAGE && Score::ADVANTAGE < Score::from_centipawns(301));
        assert!((Score::ADVANTAGE.expected_points() - 0.75).abs() < 1e-12);
        assert!((Score::DRAW.expected_points() - 0.5).abs() < 1e-12);
    }
}
