//! How a match stands: results by round, in the order of rounds.
//!
//! Rounds count in the order of their numbers, not of their ends: a round is counted when all games of it and of all rounds
//! before it are over. So what is counted, and where a test ends, depends on the games alone: not on how many are played at
//! a time, and not on short games coming in before long ones, which would favour whoever wins quickly.

use std::collections::BTreeMap;

use assay_rules::Color;

use crate::game::end::Ending;
use crate::game::fault::FaultKind;
use crate::game::match_record::MatchGame;
use crate::statistics::{ResultCounts, Sprt, SprtDecision};

/// How a match stands, from the first engine's view.
#[derive(Clone, Debug)]
pub struct MatchScore {
    results: usize,
    repeat: bool,
    sprt: Option<Sprt>,
    tests_singles: bool,
    /// Rounds that are not counted yet: the first engine's quarter points in the games that are over.
    waiting: BTreeMap<u64, [Option<u8>; 2]>,
    /// The next round to be counted.
    next: u64,
    sample: ResultCounts,
    singles: ResultCounts,
    /// The score's number of each counted round.
    history: Vec<usize>,
    llr: f64,
    verdict: SprtDecision,
    games: u64,
    /// Games of each engine that ended with each fault.
    faults: [[u64; FaultKind::ALL.len()]; 2],
    endings: BTreeMap<&'static str, u64>,
    /// The first engine's results by colour (White first), by quarter points.
    by_color: [[u64; 5]; 2],
}

impl MatchScore {
    /// Before the first game. `results` is 3 or 5.
    pub fn new(results: usize, repeat: bool, sprt: Option<Sprt>, tests_singles: bool) -> MatchScore {
        let sample = if repeat {
            ResultCounts::of_pairs(results)
        } else {
            ResultCounts::of_games(results)
        };
        MatchScore {
            results,
            repeat,
            sprt,
            tests_singles,
            waiting: BTreeMap::new(),
            next: 0,
            sample,
            singles: ResultCounts::of_games(results),
            history: Vec::new(),
            llr: 0.0,
            verdict: SprtDecision::Continue,
            games: 0,
            faults: [[0; FaultKind::ALL.len()]; 2],
            endings: BTreeMap::new(),
            by_color: [[0; 5]; 2],
        }
    }

    /// A game is over.
    pub fn add(&mut self, game: &MatchGame) {
        self.games += 1;
        if let (Ending::Fault(kind), Some(culprit)) = (game.ending, game.culprit) {
            self.faults[culprit][kind as usize] += 1;
        }
        *self.endings.entry(game.ending.name()).or_insert(0) += 1;
        let quarters = game.score_of(0).quarters();
        self.by_color[usize::from(game.color_of(0) == Color::Black)][usize::from(quarters)] += 1;
        let each = if self.repeat { 2 } else { 1 };
        self.waiting.entry(game.round).or_default()[(game.index % each) as usize] = Some(quarters);
        while self.verdict == SprtDecision::Continue && self.count_next() {}
    }

    /// Counts the next round, if it is over.
    fn count_next(&mut self) -> bool {
        let step = if self.results == 5 { 1 } else { 2 };
        let number = |quarters: u8| usize::from(quarters / step);
        let score = match self.waiting.get(&self.next) {
            Some([Some(first), Some(second)]) if self.repeat => {
                self.singles.add(number(*first));
                self.singles.add(number(*second));
                number(*first) + number(*second)
            }
            Some([Some(only), _]) if !self.repeat => {
                self.singles.add(number(*only));
                number(*only)
            }
            _ => return false,
        };
        self.waiting.remove(&self.next);
        self.next += 1;
        self.sample.add(score);
        self.history.push(score);
        if let Some(sprt) = self.sprt {
            self.llr = sprt.llr(if self.tests_singles {
                &self.singles
            } else {
                &self.sample
            });
            self.verdict = sprt.decide_at(self.llr);
        }
        true
    }

    /// The results that count: pairs, or single games where openings are not repeated.
    pub fn sample(&self) -> &ResultCounts {
        &self.sample
    }

    /// The same as single games.
    pub fn singles(&self) -> &ResultCounts {
        &self.singles
    }

    /// Different results of a game: 3 or 5.
    pub fn results(&self) -> usize {
        self.results
    }

    /// Is each opening played twice?
    pub fn is_paired(&self) -> bool {
        self.repeat
    }

    /// The score's number (0 for the least) of each counted round.
    pub fn history(&self) -> &[usize] {
        &self.history
    }

    /// The test.
    pub fn sprt(&self) -> Option<Sprt> {
        self.sprt
    }

    /// Is it about single games?
    pub fn tests_singles(&self) -> bool {
        self.tests_singles
    }

    /// The log-likelihood ratio of the test; 0 without one.
    pub fn llr(&self) -> f64 {
        self.llr
    }

    /// What the test says.
    pub fn verdict(&self) -> SprtDecision {
        self.verdict
    }

    /// All games that are over.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Games that are over but do not count (yet).
    pub fn uncounted(&self) -> u64 {
        self.games - self.singles.games()
    }

    /// How often an engine (0 or 1) lost by a fault.
    pub fn faults(&self, engine: usize, kind: FaultKind) -> u64 {
        self.faults[engine][kind as usize]
    }

    /// All faults of both engines.
    pub fn all_faults(&self) -> u64 {
        self.faults.iter().flatten().sum()
    }

    /// Games by how they ended, in the order of [`Ending::all`].
    pub fn endings(&self) -> Vec<(Ending, u64)> {
        let count = |ending: Ending| Some((ending, *self.endings.get(ending.name())?));
        Ending::all().filter_map(count).collect()
    }

    /// All games of the first engine with a colour by its score in quarter points.
    pub fn with_color(&self, color: Color) -> [u64; 5] {
        self.by_color[usize::from(color == Color::Black)]
    }
}

#[cfg(test)]
mod tests {
    use assay_rules::{Points, Termination};

    use super::*;
    use crate::statistics::EloModel;

    fn game(index: u64, quarters: u8) -> MatchGame {
        let white = (index % 2) as usize;
        let ours = Points::from_quarters(quarters).unwrap();
        MatchGame {
            index,
            round: index / 2,
            white,
            start: String::new(),
            opening: String::new(),
            result: if white == 0 { ours } else { ours.flipped() },
            ending: Ending::Rules(Termination::Checkmate),
            culprit: None,
            detail: None,
            moves: Vec::new(),
            ended: String::new(),
        }
    }

    #[test]
    fn rounds_count_in_their_order() {
        let mut standing = MatchScore::new(3, true, None, false);
        standing.add(&game(2, 4));
        standing.add(&game(3, 4));
        standing.add(&game(1, 0));
        assert_eq!((standing.sample().observations(), standing.uncounted()), (0, 3));
        standing.add(&game(0, 2));
        assert_eq!(standing.sample().counts(), [0, 1, 0, 0, 1]);
        assert_eq!(standing.singles().counts(), [1, 1, 2]);
        assert_eq!(standing.history(), [1, 4]);
        assert_eq!(standing.uncounted(), 0);
        assert_eq!(standing.with_color(Color::White), [0, 0, 1, 0, 1]);
    }

    #[test]
    fn five_results_make_nine_sorts_of_pairs() {
        let mut standing = MatchScore::new(5, true, None, false);
        for (index, quarters) in [3, 4, 1, 0].into_iter().enumerate() {
            standing.add(&game(index as u64, quarters));
        }
        assert_eq!(standing.sample().counts(), [0, 1, 0, 0, 0, 0, 0, 1, 0]);
    }

    #[test]
    fn a_verdict_is_the_same_in_whatever_order_games_end() {
        let sprt = Sprt::new(0.0, 100.0, 0.05, 0.05, EloModel::Logistic).unwrap();
        let games: Vec<MatchGame> = (0..400)
            .map(|index| game(index, if index % 5 == 0 { 0 } else { 4 }))
            .collect();
        let run = |order: &mut dyn Iterator<Item = &MatchGame>| {
            let mut standing = MatchScore::new(3, true, Some(sprt), false);
            order.for_each(|game| standing.add(game));
            (standing.verdict(), standing.llr(), standing.history().len())
        };
        let forwards = run(&mut games.iter());
        assert_eq!(forwards.0, SprtDecision::AcceptH1);
        assert!(forwards.2 < 200, "it stops where it is decided");
        assert_eq!(run(&mut games.iter().rev()), forwards);
    }
}
