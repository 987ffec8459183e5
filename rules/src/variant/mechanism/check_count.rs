//! A number of checks that wins.

use serde::Serialize;

use super::{KeyError, MadeMove, Mechanism, forbid};
use crate::types::outcome::{Outcome, Points, Termination};
use crate::variant::{GameDef, Position};

/// Largest number of checks that a game can ask for.
pub const MAX_CHECKS: u8 = 9;

/// The number of checks that a side must give to win, at most [`MAX_CHECKS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct CheckCount(pub u8);

impl CheckCount {
    pub(crate) fn new(checks: u8) -> Result<CheckCount, KeyError> {
        let message = format!("found {checks}, expected 1 to {MAX_CHECKS} checks");
        forbid(!(1..=MAX_CHECKS).contains(&checks), "endings.checks", message).map(|()| CheckCount(checks))
    }
}

impl Mechanism for CheckCount {
    fn sentences(&self, _game: &GameDef) -> Vec<String> {
        vec![format!("The side that has given {} checks wins.", self.0)]
    }

    fn after_turn(&self, made: &MadeMove<'_>, after: &mut Position) {
        let side = made.piece.color;
        if after.is_royal_attacked(!side) {
            after.setup.checks_left[side] = after.setup.checks_left[side].saturating_sub(1);
        }
    }

    fn outcome(&self, position: &Position) -> Option<Outcome> {
        let waiting = !position.side_to_move();
        let has_won = position.checks_left(waiting) == 0;
        has_won.then_some(Outcome { termination: Termination::Checks, white: Points::WIN.for_white(waiting) })
    }
}
