//! Playing one game of a match.

use std::sync::atomic::{AtomicBool, Ordering};

use assay_rules::{ByColor, Color, Points};

use crate::game::end::Ending;
use crate::game::fault::Fault;
use crate::game::match_record::{Detail, Dispute, PlayedHere};
use crate::game::state::GameState;
use crate::players::contestant::{Answer, Clocks, Contestant, NoAnswer};
use crate::players::limits::{Clock, EngineLimits};
use crate::tournament::adjudication::{Adjudication, Adjudicator};

/// A game that is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Over {
    /// Its moves.
    pub moves: Vec<PlayedHere>,
    /// How it ended.
    pub ending: Ending,
    /// White's score.
    pub white: Points,
    /// Who did something wrong, if anybody did.
    pub culprit: Option<Color>,
    /// What is known of that.
    pub detail: Option<Detail>,
}

/// Plays a game to its end; `None` when somebody wanted to stop.
///
/// # Panics
/// Never: each side has a contestant.
pub fn play(
    mut state: GameState,
    players: &mut ByColor<&mut dyn Contestant>,
    limits: ByColor<EngineLimits>,
    adjudication: Adjudication,
    stop: &AtomicBool,
) -> Option<Over> {
    let mut clocks: Clocks = ByColor::new_with(|color| limits[color].clock.map(Clock::new));
    let mut adjudicator = Adjudicator::new(adjudication);
    let mut moves = Vec::new();
    for color in Color::ALL {
        match players[color].begin(&state, stop) {
            Ok(()) => {}
            Err(NoAnswer::Stopped) => return None,
            Err(NoAnswer::Fault(fault)) => return Some(lost(color, fault, moves, None)),
        }
    }
    loop {
        if let Some((ending, white)) = state.ending() {
            return Some(over(ending, white, moves));
        }
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        let side = state.side();
        let answer = match players[side].think(&state, &clocks, stop) {
            Ok(answer) => answer,
            Err(NoAnswer::Stopped) => return None,
            Err(NoAnswer::Fault(fault)) => return Some(lost(side, fault, moves, None)),
        };
        if let GameState::Trust(trusted) = &mut state {
            trusted.note(answer.eval);
        }
        let plies = state.plies();
        if let Err(rejected) = state.play(&answer.text) {
            let dispute = state.situation().map(|(fen, legal)| Dispute {
                ply: plies + 1,
                fen,
                found: answer.text.clone(),
                legal,
            });
            return Some(lost(side, Fault::new(rejected.kind, rejected.why), moves, dispute));
        }
        if let Some(clock) = &mut clocks[side] {
            clock.spend(answer.elapsed);
        }
        if state.plies() > plies {
            let Answer {
                text,
                eval,
                depth,
                nodes,
                elapsed,
            } = answer;
            moves.push(PlayedHere {
                uci: text,
                eval,
                depth,
                nodes,
                millis: elapsed.as_millis() as u64,
            });
            // The rules come first: who mates in a lost position has mated.
            if state.ending().is_none()
                && let Some((ending, white)) = adjudicator.after(side, eval)
            {
                return Some(over(ending, white, moves));
            }
        }
    }
}

fn over(ending: Ending, white: Points, moves: Vec<PlayedHere>) -> Over {
    Over {
        moves,
        ending,
        white,
        culprit: None,
        detail: None,
    }
}

fn lost(loser: Color, fault: Fault, moves: Vec<PlayedHere>, dispute: Option<Dispute>) -> Over {
    Over {
        moves,
        ending: Ending::Fault(fault.kind),
        white: Points::LOSS.for_white(loser),
        culprit: Some(loser),
        detail: Some(Detail {
            what: fault.what,
            dispute,
            stderr: fault.stderr,
        }),
    }
}
