//! Limits of a search as a protocol gives them.

use std::time::Duration;

use assay_rules::{ByColor, Color};

use crate::moves::Move;
use crate::search::{ClockLimits, Limits};

/// Limits of a search, with the clocks of both sides and with unparsed moves.
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
    /// Ponder until `ponderhit`.
    pub(crate) ponder: bool,
    /// Root moves to search in UCI notation; all if empty.
    pub(crate) search_moves: Vec<String>,
}

impl SearchRequest {
    /// Returns the limits if `side` is to move.
    pub(crate) fn limits(&self, side: Color, search_moves: Vec<Move>) -> Limits {
        // Only the opponent's clock is given: this side has no time.
        let time = self.time[side].or(self.time[!side].map(|_| Duration::ZERO));
        let clock = time.map(|remaining| ClockLimits {
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
        // Without any limit, the search runs until `stop`.
        limits.infinite |= !self.ponder && !limits.is_bounded() && limits.mate.is_none();
        limits
    }
}
