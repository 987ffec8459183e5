//! Ends games that are decided, by the scores of both players. Every rule is off by default.

use std::fmt;

use assay_rules::{ByColor, Color, Game, Points};
use serde::{Deserialize, Serialize};

use crate::game::{Eval, GameEnd, GameRecord};
use crate::seed::{Purpose, Stream};

/// A player loses when it reports a score at least `score` centipawns behind in `moves` consecutive
/// moves. With `two_sided`, both players must have reported scores at least that far from zero in
/// all of the last `2 * moves` plies, and the one that has just moved a lost one, as in fastchess.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResignRule {
    pub moves: u32,
    pub score: u32,
    pub two_sided: bool,
}

impl ResignRule {
    /// The end that the rule gives a recorded game: the number of plies, and White's points; `None`
    /// if the game was never decided.
    pub fn end_of(self, record: &GameRecord) -> Option<(usize, Points)> {
        let mut scores = DecidedScores::default();
        let mut moves = record.movers().zip(&record.moves).enumerate();
        let (ply, (side, _)) = moves.find(|(_, (side, played))| {
            let color = if *side == record.white { Color::White } else { Color::Black };
            scores.after_move(self, color, played.eval.map(value_of))
        })?;
        Some((ply + 1, if side == record.white { Points::LOSS } else { Points::WIN }))
    }
}

/// A game is drawn when at least `number` full moves have been played, counted as the game's FEN
/// counts them, and both players report scores within `score` centipawns of zero in `moves`
/// consecutive moves without a capture or pawn move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawRule {
    pub number: u32,
    pub moves: u32,
    pub score: u32,
}

/// Conditions that end a game besides its rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Adjudication {
    pub resign: Option<ResignRule>,
    pub draw: Option<DrawRule>,
    /// A game is drawn after this many moves of each player.
    pub max_moves: Option<u32>,
    /// One in this many pairs, at random, is played on where `resign` would end its games, which
    /// shows how often they end otherwise. 0 is none.
    #[serde(default)]
    pub played_on: u32,
}

impl Adjudication {
    /// The conditions of the games of a pair.
    #[must_use]
    pub fn of_pair(self, seed: u64, pair: u64) -> Adjudication {
        let is_played_on =
            self.played_on > 0 && Stream::new(Purpose::PlayedOn, seed, pair).below(self.played_on as usize) == 0;
        Adjudication { resign: self.resign.filter(|_| !is_played_on), ..self }
    }
}

/// As the command line writes it: `resign movecount=3 score=400 twosided=false, maxmoves 100`;
/// empty without rules.
impl fmt::Display for Adjudication {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let resign = self.resign.map(|ResignRule { moves, score, two_sided }| {
            format!("resign movecount={moves} score={score} twosided={two_sided}")
        });
        let draw = self.draw.map(|DrawRule { number, moves, score }| {
            format!("draw movenumber={number} movecount={moves} score={score}")
        });
        let max_moves = self.max_moves.map(|max| format!("maxmoves {max}"));
        let played_on = (self.played_on > 0).then(|| format!("one pair in {} played on", self.played_on));
        let parts: Vec<String> = [resign, played_on, draw, max_moves].into_iter().flatten().collect();
        f.write_str(&parts.join(", "))
    }
}

/// The scores of one game that say that it is decided.
#[derive(Clone, Debug, Default)]
struct DecidedScores {
    /// Consecutive moves at which each player reported a lost score.
    lost: ByColor<u32>,
    /// Consecutive plies at which the player who moved reported a lost or won score.
    decisive: u32,
}

impl DecidedScores {
    /// Counts a move of `side` with its score. Returns true if that side has lost by the rule.
    fn after_move(&mut self, rule: ResignRule, side: Color, value: Option<i64>) -> bool {
        let ResignRule { moves, score, two_sided } = rule;
        let is_lost = value.is_some_and(|value| value <= -i64::from(score));
        self.lost[side] = if is_lost { self.lost[side] + 1 } else { 0 };
        let is_decisive = value.is_some_and(|value| value.abs() >= i64::from(score));
        self.decisive = if is_decisive { self.decisive + 1 } else { 0 };
        if two_sided { is_lost && self.decisive >= 2 * moves } else { self.lost[side] >= moves }
    }
}

/// The score of a mate, above every number of centipawns.
const MATE: i64 = 1_000_000;

fn value_of(eval: Eval) -> i64 {
    match eval {
        Eval::Centipawns(value) => i64::from(value),
        Eval::Mate(moves) if moves > 0 => MATE,
        Eval::Mate(_) => -MATE,
    }
}

/// Applies the rules to one game.
#[derive(Clone, Debug)]
pub struct Adjudicator {
    rules: Adjudication,
    decided: DecidedScores,
    /// Consecutive moves at which each player reported a level score.
    level: ByColor<u32>,
    plies: u32,
}

impl Adjudicator {
    pub fn new(rules: Adjudication) -> Adjudicator {
        Adjudicator { rules, decided: DecidedScores::default(), level: ByColor::default(), plies: 0 }
    }

    /// Counts a move of `side` with its score from that side's point of view. `game` is the game
    /// after the move. Returns the end of the game and White's points if a rule applies.
    pub fn after_move(&mut self, side: Color, eval: Option<Eval>, game: &Game) -> Option<(GameEnd, Points)> {
        self.plies += 1;
        let draw = game.position().game().endings.draw;
        let value = eval.map(value_of);
        if self.rules.resign.is_some_and(|rule| self.decided.after_move(rule, side, value)) {
            return Some((GameEnd::Resignation, Points::LOSS.for_white(side)));
        }
        if let Some(DrawRule { number, moves, score }) = self.rules.draw {
            let is_level = value.is_some_and(|value| value.abs() <= i64::from(score));
            self.level[side] = if is_level { self.level[side] + 1 } else { 0 };
            if game.position().halfmove_clock() == 0 {
                self.level = ByColor::default();
            }
            let is_late_enough = game.position().fullmove_number() > number;
            if is_late_enough && Color::ALL.into_iter().all(|color| self.level[color] >= moves) {
                return Some((GameEnd::DrawAdjudication, draw));
            }
        }
        let is_too_long = self.rules.max_moves.is_some_and(|max| self.plies >= 2 * max);
        is_too_long.then_some((GameEnd::MoveLimit, draw))
    }
}

#[cfg(test)]
mod tests {
    use assay_rules::{GameDef, Position};

    use super::*;
    use crate::game::Reply;

    /// Plays knights back and forth from a start whose move number is `first`, or `moves`, with
    /// these scores.
    fn run_from(settings: Adjudication, first: u32, moves: &[&str], evals: &[i32]) -> Option<(usize, GameEnd, Points)> {
        let chess = GameDef::builtin("chess").unwrap();
        let fen = format!("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 {first}");
        let start = Position::from_fen(&chess, &fen).unwrap();
        let mut game = Game::new(start);
        let mut adjudicator = Adjudicator::new(settings);
        evals.iter().zip(moves.iter().cycle()).zip(1..).find_map(|((&value, mv), ply)| {
            let side = game.position().side_to_move();
            Reply::Text((*mv).to_owned()).play(&mut game).unwrap();
            let (end, score) = adjudicator.after_move(side, Some(Eval::Centipawns(value)), &game)?;
            Some((ply, end, score))
        })
    }

    const KNIGHTS: [&str; 4] = ["g1f3", "g8f6", "f3g1", "f6g8"];

    fn run(settings: Adjudication, evals: &[i32]) -> Option<(usize, GameEnd, Points)> {
        run_from(settings, 1, &KNIGHTS, evals)
    }

    #[test]
    fn adjudicates_lost_games() {
        let resign = |two_sided| Adjudication {
            resign: Some(ResignRule { moves: 2, score: 500, two_sided }),
            ..Adjudication::default()
        };
        let evals = [10, -600, 20, -700, 550, -700, 600, -900];
        assert_eq!(run(resign(false), &evals), Some((4, GameEnd::Resignation, Points::WIN)));
        assert_eq!(run(resign(true), &evals), Some((8, GameEnd::Resignation, Points::WIN)));
        // Four plies of scores that far from zero; then the first side to find itself lost.
        let evals = [600, 600, 600, 600, 600, -600];
        assert_eq!(run(resign(true), &evals), Some((6, GameEnd::Resignation, Points::WIN)));
        assert_eq!(run(Adjudication::default(), &evals), None);
    }

    #[test]
    fn adjudicates_level_games() {
        let draw = Adjudication { draw: Some(DrawRule { number: 3, moves: 2, score: 10 }), ..Adjudication::default() };
        assert_eq!(run(draw, &[0; 10]), Some((6, GameEnd::DrawAdjudication, Points::DRAW)));
        assert_eq!(run(draw, &[0, 0, 0, 0, 30, 0, 0, 0, 5, 5]), Some((9, GameEnd::DrawAdjudication, Points::DRAW)));
        // The move number is the game's own.
        assert_eq!(run_from(draw, 2, &KNIGHTS, &[0; 10]), Some((4, GameEnd::DrawAdjudication, Points::DRAW)));
        // A pawn move starts the count again.
        let moves = ["g1f3", "g8f6", "f3g1", "f6g8", "e2e4", "g8f6", "g1f3", "f6g8", "f3g1"];
        assert_eq!(run_from(draw, 1, &moves, &[0; 9]), Some((9, GameEnd::DrawAdjudication, Points::DRAW)));
    }

    #[test]
    fn ends_games_at_the_move_limit() {
        let limit = Adjudication { max_moves: Some(4), ..Adjudication::default() };
        assert_eq!(run(limit, &[100; 12]), Some((8, GameEnd::MoveLimit, Points::DRAW)));
    }
}
