use std::sync::atomic::{AtomicBool, Ordering};

use assay_rules::{ByColor, Color, Game, Points};

use crate::game::clock::{Clock, Clocks, EngineLimits};
use crate::game::{EngineFault, GameEnd, PlayedMove};
use crate::players::{Answer, NoAnswer, Player};
use crate::tournament::adjudication::{Adjudication, Adjudicator};

/// How a game is played.
#[derive(Clone, Copy, Debug)]
pub(super) struct Conditions {
    pub(super) limits: ByColor<EngineLimits>,
    pub(super) adjudication: Adjudication,
    /// Whether the time of each move is recorded.
    pub(super) record_times: bool,
}

/// A game that is over.
pub(super) struct FinishedGame {
    pub(super) moves: Vec<PlayedMove>,
    pub(super) end: GameEnd,
    /// White's points.
    pub(super) result: Points,
    /// The fault that ended the game, and whose it is.
    pub(super) fault: Option<(Color, EngineFault)>,
}

/// Plays a game to its end; `None` if `stop` was raised. `players` are White's and Black's, or one for both sides, as in self-play.
pub(super) fn play_game(
    mut game: Game,
    players: &mut [&mut dyn Player],
    conditions: &Conditions,
    stop: &AtomicBool,
) -> Option<FinishedGame> {
    let mut clocks: Clocks = ByColor::new_with(|color| conditions.limits[color].clock.map(Clock::new));
    let mut adjudicator = Adjudicator::new(conditions.adjudication);
    let mut moves = Vec::new();
    for (player, color) in players.iter_mut().zip(Color::ALL) {
        if let Err(no_answer) = player.new_game(&game, stop) {
            return FinishedGame::without_answer(color, no_answer, moves);
        }
    }
    loop {
        if let Some(outcome) = game.outcome() {
            return Some(FinishedGame::ended(
                GameEnd::Rules(outcome.termination),
                outcome.white,
                moves,
            ));
        }
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        let side = game.position().side_to_move();
        let number = side as usize % players.len();
        let answer = match players[number].choose_move(&game, &clocks, stop) {
            Ok(answer) => answer,
            Err(no_answer) => return FinishedGame::without_answer(side, no_answer, moves),
        };
        let Answer {
            reply,
            eval,
            depth,
            seldepth,
            nodes,
            elapsed,
        } = answer;
        let mv = match reply.play(&mut game) {
            Ok(mv) => mv,
            Err(fault) => return Some(FinishedGame::lost(side, fault, moves)),
        };
        if let Some(clock) = &mut clocks[side] {
            clock.spend(elapsed);
        }
        moves.push(PlayedMove {
            mv: mv.into(),
            eval,
            depth,
            seldepth,
            nodes,
            time_ms: conditions
                .record_times
                .then(|| (elapsed.as_secs_f64() * 1000.0).round() as u64),
        });
        // The rules come first: a mate in a lost position wins.
        let adjudicated = adjudicator.after_move(side, eval, &game);
        if let Some((end, result)) = adjudicated
            && game.outcome().is_none()
        {
            return Some(FinishedGame::ended(end, result, moves));
        }
    }
}

impl FinishedGame {
    fn ended(end: GameEnd, result: Points, moves: Vec<PlayedMove>) -> FinishedGame {
        FinishedGame {
            moves,
            end,
            result,
            fault: None,
        }
    }

    /// `None` if the player was stopped.
    fn without_answer(side: Color, no_answer: NoAnswer, moves: Vec<PlayedMove>) -> Option<FinishedGame> {
        match no_answer {
            NoAnswer::Stopped => None,
            NoAnswer::Fault(fault) => Some(FinishedGame::lost(side, fault, moves)),
        }
    }

    fn lost(loser: Color, fault: EngineFault, moves: Vec<PlayedMove>) -> FinishedGame {
        FinishedGame {
            moves,
            end: GameEnd::Fault(fault.kind),
            result: Points::LOSS.for_white(loser),
            fault: Some((loser, fault)),
        }
    }
}
