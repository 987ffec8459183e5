//! When a search must stop.

use std::time::Duration;

use crate::moves::Move;

/// The clocks of a game, as the side to move needs to know them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockLimits {
    /// What is left on the side to move's clock.
    pub remaining: Duration,
    /// What it gains with each move.
    pub increment: Duration,
    /// Moves until more time is added; `None` when what is left is for the whole game.
    pub moves_to_go: Option<u32>,
}

/// When a search must stop; without any limit it goes on until it is told to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The last iteration, in plies.
    pub depth: Option<u32>,
    /// The most nodes to visit; kept exactly.
    pub nodes: Option<u64>,
    /// Time for this move.
    pub movetime: Option<Duration>,
    /// A game's clock, of which the search takes its share.
    pub clock: Option<ClockLimits>,
    /// Stop when a mate in so many moves has been found.
    pub mate: Option<u32>,
    /// Go on until told to stop, also when nothing is left to find.
    pub infinite: bool,
    /// Search only these moves of the root; all of them when empty.
    pub search_moves: Vec<Move>,
}

impl Limits {
    /// Stop after exactly `nodes` nodes.
    pub fn nodes(nodes: u64) -> Limits {
        Limits {
            nodes: Some(nodes),
            ..Limits::default()
        }
    }

    /// Stop after iteration `depth`.
    pub fn depth(depth: u32) -> Limits {
        Limits {
            depth: Some(depth),
            ..Limits::default()
        }
    }

    /// Does it say when to stop, without anyone telling it to?
    pub fn is_bounded(&self) -> bool {
        !self.infinite
            && (self.depth.is_some() || self.nodes.is_some() || self.movetime.is_some() || self.clock.is_some())
    }
}
