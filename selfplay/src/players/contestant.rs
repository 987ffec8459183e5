//! Who plays in a match: an engine as the arbiter sees it.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use assay_rules::{ByColor, Color};

use crate::game::fault::Fault;
use crate::game::state::GameState;
use crate::players::limits::Clock;
use crate::players::player::Eval;

/// An answer, not yet known to be a legal move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The move as the engine wrote it.
    pub text: String,
    /// What the engine says the position is worth to the side to move, in its own units.
    pub eval: Option<Eval>,
    /// The last depth that it reported; 0 when it said nothing.
    pub depth: u32,
    /// The last number of nodes that it reported; 0 when it said nothing.
    pub nodes: u64,
    /// Time from question to answer.
    pub elapsed: Duration,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoAnswer {
    /// Somebody wants to stop.
    Stopped,
    /// The engine did something wrong. An answer that came too late is among these.
    Fault(Fault),
}

impl From<Fault> for NoAnswer {
    fn from(fault: Fault) -> NoAnswer {
        NoAnswer::Fault(fault)
    }
}

/// The clocks of a game; a side may have none.
pub type Clocks = ByColor<Option<Clock>>;

/// An engine in a match.
pub trait Contestant {
    /// A game begins: everything learned from others is forgotten.
    ///
    /// # Errors
    /// When the engine does not get ready.
    fn begin(&mut self, state: &GameState, stop: &AtomicBool) -> Result<(), NoAnswer>;

    /// Chooses a move for the side to move.
    ///
    /// # Errors
    /// When there is none in time.
    fn think(&mut self, state: &GameState, clocks: &Clocks, stop: &AtomicBool) -> Result<Answer, NoAnswer>;
}

/// The clock of the side to move.
pub(super) fn own_clock(clocks: &Clocks, side: Color) -> Option<&Clock> {
    clocks[side].as_ref()
}
