//! Ending games that are decided, by what both engines say. Off unless asked for.

use assay_rules::{ByColor, Color, Points};

use crate::game::end::Ending;
use crate::players::player::Eval;

/// When an engine resigns: it, and with `two_sided` its opponent as well, says so for `moves` of its moves in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resign {
    /// Moves in a row.
    pub moves: u32,
    /// Centipawns behind.
    pub score: u32,
    /// Must the opponent agree?
    pub two_sided: bool,
}

/// When a draw is agreed: from move `number` on, both say for `moves` of their moves in a row that nobody is ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draw {
    /// The first move number.
    pub number: u32,
    /// Moves in a row.
    pub moves: u32,
    /// Centipawns that count as nothing.
    pub score: u32,
}

/// What ends games besides the rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Adjudication {
    /// Resignation.
    pub resign: Option<Resign>,
    /// Agreed draws.
    pub draw: Option<Draw>,
    /// Games end as draws after so many moves of each side.
    pub most_moves: Option<u32>,
}

/// Watches a game.
#[derive(Clone, Debug)]
pub struct Adjudicator {
    settings: Adjudication,
    /// Moves in a row at which each side said that it is lost, that it is winning, that nobody is ahead.
    lost: ByColor<u32>,
    winning: ByColor<u32>,
    level: ByColor<u32>,
    plies: u32,
}

/// Mates are beyond every number of centipawns.
const MATE: i64 = 1_000_000;

impl Adjudicator {
    /// Watches a game from its start.
    pub fn new(settings: Adjudication) -> Adjudicator {
        let none = || ByColor::new_with(|_| 0);
        Adjudicator {
            settings,
            lost: none(),
            winning: none(),
            level: none(),
            plies: 0,
        }
    }

    /// A move was played by `side`, which says that the position was worth this to it. Is the game over?
    pub fn after(&mut self, side: Color, eval: Option<Eval>) -> Option<(Ending, Points)> {
        self.plies += 1;
        let value = eval.map(|eval| match eval {
            Eval::Centipawns(value) => i64::from(value),
            Eval::Mate(moves) if moves > 0 => MATE,
            Eval::Mate(_) => -MATE,
        });
        let count = |counts: &mut ByColor<u32>, holds: bool| {
            counts[side] = if holds { counts[side] + 1 } else { 0 };
        };
        if let Some(Resign {
            moves,
            score,
            two_sided,
        }) = self.settings.resign
        {
            count(&mut self.lost, value.is_some_and(|value| value <= -i64::from(score)));
            count(&mut self.winning, value.is_some_and(|value| value >= i64::from(score)));
            for loser in Color::ALL {
                if self.lost[loser] >= moves && (!two_sided || self.winning[!loser] >= moves) {
                    return Some((Ending::Resignation, Points::LOSS.for_white(loser)));
                }
            }
        }
        if let Some(Draw { number, moves, score }) = self.settings.draw {
            count(
                &mut self.level,
                value.is_some_and(|value| value.abs() <= i64::from(score)),
            );
            let long_enough = self.plies >= 2 * number;
            if long_enough && Color::ALL.into_iter().all(|color| self.level[color] >= moves) {
                return Some((Ending::DrawAgreed, Points::DRAW));
            }
        }
        let too_long = self.settings.most_moves.is_some_and(|most| self.plies >= 2 * most);
        too_long.then_some((Ending::TooLong, Points::DRAW))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(settings: Adjudication, evals: &[i32]) -> Option<(usize, Ending, Points)> {
        let mut adjudicator = Adjudicator::new(settings);
        evals.iter().enumerate().find_map(|(ply, &value)| {
            let side = if ply % 2 == 0 { Color::White } else { Color::Black };
            let (ending, score) = adjudicator.after(side, Some(Eval::Centipawns(value)))?;
            Some((ply + 1, ending, score))
        })
    }

    #[test]
    fn lost_games_are_resigned() {
        let resign = |two_sided| Adjudication {
            resign: Some(Resign {
                moves: 2,
                score: 500,
                two_sided,
            }),
            ..Adjudication::default()
        };
        let evals = [10, -600, 20, -700, 550, -700, 600, -900];
        assert_eq!(run(resign(false), &evals), Some((4, Ending::Resignation, Points::WIN)));
        assert_eq!(run(resign(true), &evals), Some((7, Ending::Resignation, Points::WIN)));
        assert_eq!(run(Adjudication::default(), &evals), None);
    }

    #[test]
    fn level_games_are_drawn() {
        let draw = Adjudication {
            draw: Some(Draw {
                number: 3,
                moves: 2,
                score: 10,
            }),
            ..Adjudication::default()
        };
        assert_eq!(run(draw, &[0; 10]), Some((6, Ending::DrawAgreed, Points::DRAW)));
        assert_eq!(
            run(draw, &[0, 0, 0, 0, 30, 0, 0, 0, 5, 5]),
            Some((9, Ending::DrawAgreed, Points::DRAW))
        );
    }

    #[test]
    fn long_games_end() {
        let most = Adjudication {
            most_moves: Some(4),
            ..Adjudication::default()
        };
        assert_eq!(run(most, &[100; 12]), Some((8, Ending::TooLong, Points::DRAW)));
    }
}
