//! Limits of a search.

use std::time::Duration;

use crate::moves::Move;

/// A game clock, as the side to move sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockLimits {
    /// Time left for the side to move.
    pub remaining: Duration,
    /// Time added after each move.
    pub increment: Duration,
    /// Moves to the next time control; `None` in sudden death.
    pub moves_to_go: Option<u32>,
}

/// Limits of a search. Without any limit the search runs until it is stopped.
///
/// ```
/// use assay_engine::Limits;
///
/// let limits = Limits { depth: Some(20), ..Limits::nodes(1_000_000) };
/// assert!(limits.is_bounded());
/// assert!(!Limits::default().is_bounded());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Depth of the last iteration, in plies.
    pub depth: Option<u32>,
    /// Maximum number of nodes, over all threads. Exact with one thread.
    pub nodes: Option<u64>,
    /// Time for this move.
    pub movetime: Option<Duration>,
    /// Game clock, from which the time manager allots time to this move.
    pub clock: Option<ClockLimits>,
    /// Stop after finding a mate in at most this many moves.
    pub mate: Option<u32>,
    /// Run until stopped, even if nothing is left to search.
    pub infinite: bool,
    /// Search only these root moves; all of them if empty.
    pub search_moves: Vec<Move>,
}

impl Limits {
    /// Limits the search to `nodes` nodes; exact with one thread.
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// Stops after the iteration of `depth` plies.
    pub fn depth(depth: u32) -> Limits {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    /// Returns true if the search ends without being stopped. A mate limit alone is no bound, since
    /// there may be no mate.
    pub fn is_bounded(&self) -> bool {
        !self.infinite
            && (self.depth.is_some() || self.nodes.is_some() || self.movetime.is_some() || self.clock.is_some())
    }
}
