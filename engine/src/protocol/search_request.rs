//! What a search is asked for.

use std::time::Duration;

use assay_rules::{ByColor, Color};

use crate::moves::Move;
use crate::search::{ClockLimits, Limits};

/// Limits of a search, with both sides' clocks and with moves still as text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SearchRequest {
    pub(crate) depth: Option<u32>,
    pub(crate) nodes: Option<u64>,
    pub(crate) movetime: Option<Duration>,
    pub(crate) time: ByColor<Option<Duration>>,
    pub(crate) increment: ByColor<Duration>,
    pub(crate) moves_to_go: Option<u32>,
    pub(crate) mate: Option<u32>,
    pub(crate) infinite: bool,
    /// On the opponent's time, until it is said that the opponent has made the expected move.
    pub(crate) ponder: bool,
    /// Only these; all when empty.
    pub(crate) search_moves: Vec<String>,
}

impl SearchRequest {
    /// The limits for the side to move.
    pub(crate) fn limits(&self, side: Color, search_moves: Vec<Move>) -> Limits {
        let clock = self.time[side].map(|remaining| ClockLimits {
            remaining,
            increment: self.increment[side],
            moves_to_go: self.moves_to_go,
        });
        let mut limits = Limits {
            depth: self.depth,
            nodes: self.nodes,
            movetime: self.movetime,
            clock,
            mate: self.mate,
            infinite: self.infinite,
            search_moves,
        };
        // Nothing said: until it is told to stop.
        limits.infinite |= !self.ponder && !limits.is_bounded() && limits.mate.is_none();
        limits
    }

    /// Will the search end by itself when `side` is to move?
    pub(crate) fn is_bounded_for(&self, side: Color) -> bool {
        !self.ponder && self.limits(side, Vec::new()).is_bounded()
    }

    /// Will the search end by itself, whichever side is to move?
    pub(crate) fn is_bounded(&self) -> bool {
        Color::ALL.into_iter().all(|side| self.is_bounded_for(side))
    }
}
