//! Playing the games of a pair.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use assay_rules::{ByColor, Color, Game, Points, Position};

use crate::game::clock::{Clock, Clocks, TimeControl};
use crate::game::{FaultRecord, GameEnd, GameRecord, PlayedMove};
use crate::openings::{Opening, OpeningError, Openings};
use crate::players::{Answer, BuiltinPlayer, NoAnswer, Player};
use crate::settings::RunSettings;
use crate::tournament::adjudication::Adjudicator;

/// Plays a pair of games of self-play, which depend only on the settings and the number of the
/// pair; `None` if `stop` was raised. `player` is the player of the settings.
///
/// # Errors
/// If no random opening is usable.
pub fn play_pair(
    settings: &RunSettings,
    openings: &Openings,
    player: &mut dyn BuiltinPlayer,
    pair: u64,
    stop: &AtomicBool,
) -> Result<Option<Vec<GameRecord>>, OpeningError> {
    let Some(opening) = draw_opening(settings, openings, player, pair, stop)? else {
        return Ok(None);
    };
    let games = PlannedGame::of_pair(settings, pair, opening).into_iter().take(settings.games_per_opening() as usize);
    Ok(games.map(|game| game.play(settings, &mut [&mut *player], stop)).collect())
}

/// Draws the opening of a pair of self-play, which the player judges with the piece values that it
/// plays the pair with; `None` if `stop` was raised.
///
/// # Errors
/// If no random opening is usable.
pub(crate) fn draw_opening(
    settings: &RunSettings,
    openings: &Openings,
    player: &mut dyn BuiltinPlayer,
    pair: u64,
    stop: &AtomicBool,
) -> Result<Option<Opening>, OpeningError> {
    let jitter = &settings.eval_jitter;
    if !jitter.is_none() {
        player.set_value_factors(&jitter.factors(settings.game(), settings.seed, pair));
    }
    openings.draw(pair, true, |position| player.evaluate_opening(position, stop))
}

/// A game before its first move.
pub(crate) struct PlannedGame {
    pub(crate) index: u64,
    pair: u64,
    /// The side that has White.
    white: usize,
    start: Position,
    opening: String,
    pub(crate) material: Option<String>,
}

impl PlannedGame {
    /// The two games of a pair with this opening; without pairs, only the first one is played.
    pub(crate) fn of_pair(settings: &RunSettings, pair: u64, opening: Opening) -> [PlannedGame; 2] {
        let Opening { starts: [first, second], imbalances, source } = opening;
        let [first_material, second_material] = imbalances.map(|imbalance| Some(imbalance?.to_string()));
        [(0, first, first_material), (1, second, second_material)].map(|(number, start, material)| {
            let index = settings.games_per_opening() * pair + number;
            let white = settings.white_side(index);
            PlannedGame { index, pair, white, start, opening: source.clone(), material }
        })
    }

    /// The side that has a color.
    fn side_of(&self, color: Color) -> usize {
        if color == Color::White { self.white } else { 1 - self.white }
    }

    /// The numbers of White's and Black's player.
    pub(crate) fn players(&self, settings: &RunSettings) -> [usize; 2] {
        let sides = settings.players.of_pair(self.pair);
        Color::ALL.map(|color| sides[self.side_of(color)])
    }

    /// Plays the game; `None` if `stop` was raised. `players` are White's and Black's, or one for
    /// both sides, as in self-play.
    pub(crate) fn play(
        self,
        settings: &RunSettings,
        players: &mut [&mut dyn Player],
        stop: &AtomicBool,
    ) -> Option<GameRecord> {
        let controls = ByColor(self.players(settings).map(|player| settings.players.all()[player].limits.clock));
        let mut moves = Vec::new();
        let adjudicator = Adjudicator::new(settings.adjudication.of_pair(settings.seed, self.pair));
        let played =
            play_game(settings, adjudicator, Game::new(self.start.clone()), controls, players, &mut moves, stop);
        for player in players {
            player.end_game();
        }
        let (end, result, fault) = match played {
            Ok((end, result)) => (end, result, None),
            Err((_, NoAnswer::Stopped)) => return None,
            Err((loser, NoAnswer::Fault(fault))) => {
                let record = FaultRecord {
                    player: self.side_of(loser),
                    what: fault.what,
                    dispute: fault.dispute.map(|dispute| *dispute),
                    stderr: fault.stderr,
                };
                (GameEnd::Fault(fault.kind), Points::LOSS.for_white(loser), Some(record))
            }
        };
        Some(GameRecord {
            index: self.index,
            pair: self.pair,
            white: self.white,
            start_fen: self.start.fen(),
            opening: self.opening,
            material: self.material,
            moves,
            result,
            end,
            fault,
            ended: None,
        })
    }
}

/// Plays a game to its end; returns how it ended, and White's points. `players` are White's and
/// Black's, or one for both sides, as in self-play. The moves that were played are added to
/// `moves`.
///
/// # Errors
/// If a player does not answer or its answer is no legal move, and whose turn it was.
fn play_game(
    settings: &RunSettings,
    mut adjudicator: Adjudicator,
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
