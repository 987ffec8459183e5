use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use assay_rules::{ByColor, Color, Game, Points};

use crate::game::clock::{Clock, Clocks, TimeControl};
use crate::game::{GameEnd, PlayedMove};
use crate::players::{Answer, NoAnswer, Player};
use crate::settings::RunSettings;
use crate::tournament::adjudication::Adjudicator;

/// Plays a game to its end; returns how it ended, and White's points. `players` are White's and
/// Black's, or one for both sides, as in self-play. The moves that were played are added to
/// `moves`.
///
/// # Errors
/// If a player does not answer or its answer is no legal move, and whose turn it was.
pub(super) fn play_game(
    settings: &RunSettings,
    mut game: Game,
    controls: ByColor<Option<TimeControl>>,
    players: &mut [&mut dyn Player],
    moves: &mut Vec<PlayedMove>,
    stop: &AtomicBool,
) -> Result<(GameEnd, Points), (Color, NoAnswer)> {
    let mut clocks: Clocks = ByColor::new_with(|color| controls[color].map(Clock::new));
    // Many searches take less than a millisecond: what rounding takes from one move is given to the
    // next.
    let mut spent = ByColor::new_with(|_| Duration::ZERO);
    let rounded = |time: Duration| (time.as_secs_f64() * 1000.0).round() as u64;
    let mut adjudicator = Adjudicator::new(settings.adjudication);
    for (player, color) in players.iter_mut().zip(Color::ALL) {
        let ready = player.new_game(&game, stop);
        ready.map_err(|no_answer| (color, no_answer))?;
    }
    loop {
        if let Some(outcome) = game.outcome() {
            return Ok((GameEnd::Rules(outcome.termination), outcome.white));
        }
        let color = game.position().side_to_move();
        if stop.load(Ordering::Relaxed) {
            return Err((color, NoAnswer::Stopped));
        }
        let number = color as usize % players.len();
        let answer = players[number].choose_move(&game, &clocks, stop);
        let Answer { reply, info, elapsed } = answer.map_err(|no_answer| (color, no_answer))?;
        let played = reply.play(&mut game).map_err(|fault| (color, NoAnswer::Fault(fault)))?;
        let Some(mv) = played else {
            return Ok((GameEnd::Resignation, Points::LOSS.for_white(color)));
        };
        if let Some(clock) = &mut clocks[color] {
            clock.spend(elapsed);
        }
        let before = spent[color];
        spent[color] += elapsed;
        let milliseconds = rounded(spent[color]) - rounded(before);
        moves.push(PlayedMove {
            mv: mv.into(),
            eval: info.eval,
            depth: info.depth,
            seldepth: info.seldepth,
            nodes: info.nodes,
            time_ms: (!settings.players.is_self_play()).then_some(milliseconds),
        });
        // The rules come first: a mate in a lost position wins.
        let adjudicated = adjudicator.after_move(color, info.eval, &game);
        if let Some(end) = adjudicated
            && game.outcome().is_none()
        {
            return Ok(end);
        }
        players[number].ponder(&game, &clocks);
    }
}
