//! Totals over a player's searches: nodes, time and depth.

use serde::Serialize;

use crate::game::PlayedMove;

/// Larger counts of nodes in one move are errors of the engine, and would spoil the means.
const MAX_NODES: u64 = 1_000_000_000_000;

/// Totals over the searches of a player. Moves whose depth, nodes or time are not known count where
/// they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchTotals {
    /// Plies per move.
    depth: Ratio,
    /// Milliseconds per move.
    time: Ratio,
    /// Nodes per millisecond, of the moves that have both.
    speed: Ratio,
}

/// Speed and depth of an engine's searches; `None` where it does not report what they need.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct SearchReport {
    /// By wall-clock time, communication with the engine included.
    pub nodes_per_second: Option<f64>,
    /// Of the last iteration, in plies.
    pub mean_depth: Option<f64>,
    pub seconds_per_move: Option<f64>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Ratio {
    sum: u64,
    per: u64,
}

impl Ratio {
    fn add(&mut self, sum: u64, per: u64) {
        self.sum = self.sum.saturating_add(sum);
        self.per = self.per.saturating_add(per);
    }

    /// The ratio, times `scale`.
    fn value(self, scale: f64) -> Option<f64> {
        (self.per > 0).then(|| scale * self.sum as f64 / self.per as f64)
    }
}

impl SearchTotals {
    /// Adds the search of a move.
    pub fn add(&mut self, played: &PlayedMove) {
        if played.depth > 0 {
            self.depth.add(u64::from(played.depth), 1);
        }
        if let Some(milliseconds) = played.time_ms {
            self.time.add(milliseconds, 1);
            if (1..=MAX_NODES).contains(&played.nodes) {
                self.speed.add(played.nodes, milliseconds);
            }
        }
    }

    /// Adds the searches of another total.
    pub fn add_all(&mut self, other: &SearchTotals) {
        self.depth.add(other.depth.sum, other.depth.per);
        self.time.add(other.time.sum, other.time.per);
        self.speed.add(other.speed.sum, other.speed.per);
    }

    pub fn report(&self) -> SearchReport {
        SearchReport {
            nodes_per_second: self.speed.value(1000.0),
            mean_depth: self.depth.value(1.0),
            seconds_per_move: self.time.value(1.0).map(|milliseconds| milliseconds / 1000.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use assay_rules::Square;

    use super::*;
    use crate::game::PackedMove;

    fn played(depth: u32, nodes: u64, time_ms: Option<u64>) -> PlayedMove {
        PlayedMove {
            mv: PackedMove { from: Square(12), to: Square(28), extra: None, wall: None },
            eval: None,
            depth,
            seldepth: 0,
            nodes,
            time_ms,
        }
    }

    #[test]
    fn unknown_values_do_not_count() {
        let mut totals = SearchTotals::default();
        assert_eq!((totals.report().nodes_per_second, totals.report().mean_depth), (None, None));
        totals.add(&played(0, 0, Some(50)));
        totals.add(&played(7, 3_000, None));
        totals.add(&played(9, 2_000, Some(10)));
        assert_eq!(totals.report().nodes_per_second, Some(200_000.0));
        assert_eq!(totals.report().mean_depth, Some(8.0));
        assert_eq!(totals.report().seconds_per_move, Some(0.03));
    }

    #[test]
    fn impossible_counts_do_not_count() {
        let mut totals = SearchTotals::default();
        totals.add(&played(9, 2_000, Some(10)));
        totals.add(&played(9, u64::MAX, Some(10)));
        totals.add(&played(9, 2_000, Some(u64::MAX)));
        totals.add(&played(9, MAX_NODES, Some(u64::MAX)));
        assert!(totals.report().nodes_per_second.is_some_and(|rate| rate < 200_000.0));
        assert_eq!(totals.report().mean_depth, Some(9.0));
    }
}
