//! The score of a match, pair by pair in the order of their numbers.
//!
//! A pair is counted when all of its games and all pairs before it are finished. So what is counted, and where a test ends,
//! depends on the games alone: not on the number of threads, and not on short games arriving before long ones, which would
//! favor whichever engine wins quickly.
//!
//! Deterministic engines play the same games again from the same opening. A pair whose games equal those of an earlier pair is no new
//! evidence: it is a *repeated* pair, which is not counted.

use std::collections::{BTreeMap, HashSet};

use assay_rules::Color;

use super::search_totals::SearchTotals;
use crate::game::{FaultKind, GameEnd, GameRecord, PackedMove};
use crate::statistics::{ResultCounts, Sprt, SprtDecision};

/// The first 16 bytes of a BLAKE3 hash.
type Digest = [u8; 16];

/// A finished game that is not counted yet.
#[derive(Clone, Copy, Debug)]
struct FinishedGame {
    /// The first player's quarter points.
    quarters: u8,
    digest: Digest,
}

/// The score of a match from the first player's point of view.
#[derive(Clone, Debug)]
pub struct MatchScore {
    /// Number of different results of a game: 3 or 5.
    results: usize,
    repeat: bool,
    sprt: Option<Sprt>,
    tests_single_games: bool,
    /// The finished games of pairs that are not counted yet.
    waiting: BTreeMap<u64, [Option<FinishedGame>; 2]>,
    /// The next pair to be counted.
    next: u64,
    /// The games of each counted pair.
    seen: HashSet<[Digest; 2]>,
    /// Number of repeated pairs.
    repeated: u64,
    observation_counts: ResultCounts,
    game_counts: ResultCounts,
    /// The outcome of each counted pair.
    history: Vec<usize>,
    llr: f64,
    decision: SprtDecision,
    /// Number of faults of each player by kind.
    faults: [[u64; FaultKind::ALL.len()]; 2],
    /// The first player's games by its color (White first) and its quarter points.
    by_color: [[u64; 5]; 2],
    /// By player.
    searches: [SearchTotals; 2],
}

impl MatchScore {
    /// A score before the first game. `results` is the number of different results of a game: 3 or 5.
    pub fn new(results: usize, repeat: bool, sprt: Option<Sprt>, tests_single_games: bool) -> MatchScore {
        let observation_counts = if repeat {
            ResultCounts::of_pairs(results)
        } else {
            ResultCounts::of_games(results)
        };
        MatchScore {
            results,
            repeat,
            sprt,
            tests_single_games,
            waiting: BTreeMap::new(),
            next: 0,
            seen: HashSet::new(),
            repeated: 0,
            observation_counts,
            game_counts: ResultCounts::of_games(results),
            history: Vec::new(),
            llr: 0.0,
            decision: SprtDecision::Continue,
            faults: [[0; FaultKind::ALL.len()]; 2],
            by_color: [[0; 5]; 2],
            searches: [SearchTotals::default(); 2],
        }
    }

    /// Adds a finished game.
    pub fn add(&mut self, game: &GameRecord) {
        if let (GameEnd::Fault(kind), Some(fault)) = (game.end, &game.fault) {
            self.faults[fault.player][kind as usize] += 1;
        }
        let quarters = game.points_of(0).quarters();
        self.by_color[usize::from(game.color_of(0) == Color::Black)][usize::from(quarters)] += 1;
        for (player, played) in game.movers().zip(&game.moves) {
            self.searches[player].add(played);
        }
        let games_per_opening = if self.repeat { 2 } else { 1 };
        let finished = FinishedGame {
            quarters,
            digest: digest(game),
        };
        self.waiting.entry(game.pair).or_default()[(game.index % games_per_opening) as usize] = Some(finished);
        while self.decision == SprtDecision::Continue && self.count_next() {}
    }

    /// Counts the next pair if it is finished.
    fn count_next(&mut self) -> bool {
        let games = match self.waiting.get(&self.next) {
            Some(&[Some(first), Some(second)]) if self.repeat => [Some(first), Some(second)],
            Some(&[Some(only), _]) if !self.repeat => [Some(only), None],
            _ => return false,
        };
        self.waiting.remove(&self.next);
        self.next += 1;
        if !self
            .seen
            .insert(games.map(|game| game.map_or_else(Digest::default, |game| game.digest)))
        {
            self.repeated += 1;
            return true;
        }
        let step = if self.results == 5 { 1 } else { 2 };
        let mut outcome = 0;
        for game in games.into_iter().flatten() {
            let result = usize::from(game.quarters / step);
            self.game_counts.add(result);
            outcome += result;
        }
        self.observation_counts.add(outcome);
        self.history.push(outcome);
        if let Some(sprt) = self.sprt {
            self.llr = sprt.llr(if self.tests_single_games {
                &self.game_counts
            } else {
                &self.observation_counts
            });
            self.decision = sprt.decide_at(self.llr);
        }
        true
    }

    /// Counts of the outcomes of pairs, or of games if openings are not repeated.
    pub fn observation_counts(&self) -> &ResultCounts {
        &self.observation_counts
    }

    /// Counts of the results of the same games one by one.
    pub fn game_counts(&self) -> &ResultCounts {
        &self.game_counts
    }

    /// Number of different results of a game: 3 or 5.
    pub fn results(&self) -> usize {
        self.results
    }

    /// Returns true if each opening is played twice.
    pub fn is_paired(&self) -> bool {
        self.repeat
    }

    /// The outcome (0 is the worst) of each counted pair.
    pub fn history(&self) -> &[usize] {
        &self.history
    }

    pub fn sprt(&self) -> Option<Sprt> {
        self.sprt
    }

    /// Returns true if the test counts single games.
    pub fn tests_single_games(&self) -> bool {
        self.tests_single_games
    }

    /// The log-likelihood ratio of the test; 0 without one.
    pub fn llr(&self) -> f64 {
        self.llr
    }

    pub fn decision(&self) -> SprtDecision {
        self.decision
    }

    /// Number of pairs (or of games, if openings are not repeated) whose games equal those of an earlier pair. They are not counted.
    pub fn repeated(&self) -> u64 {
        self.repeated
    }

    /// Number of games that player 0 or 1 lost through a fault.
    pub fn faults(&self, player: usize, kind: FaultKind) -> u64 {
        self.faults[player][kind as usize]
    }

    /// The searches of player 0 or 1 in finished games.
    pub fn searches(&self, player: usize) -> &SearchTotals {
        &self.searches[player]
    }

    /// The first player's games with a color, by its quarter points.
    pub fn with_color(&self, color: Color) -> [u64; 5] {
        self.by_color[usize::from(color == Color::Black)]
    }
}

/// Identifies what happens in a game: who has White, the start, the moves and the result, but not the evaluations and times.
fn digest(game: &GameRecord) -> Digest {
    let mut hasher = blake3::Hasher::new();
    hasher
        .update(&[game.white as u8, game.result.quarters()])
        .update(&(game.start_fen.len() as u64).to_le_bytes())
        .update(game.start_fen.as_bytes());
    for played in &game.moves {
        let PackedMove { from, to, extra } = played.mv;
        hasher.update(&[from.0, to.0, extra.map_or(0, |kind| kind.0 + 1)]);
    }
    let mut digest = Digest::default();
    digest.copy_from_slice(&hasher.finalize().as_bytes()[..size_of::<Digest>()]);
    digest
}

#[cfg(test)]
mod tests {
    use assay_rules::{Points, Termination};

    use super::*;
    use crate::statistics::EloModel;

    fn game(index: u64, quarters: u8) -> GameRecord {
        let white = (index % 2) as usize;
        let ours = Points::from_quarters(quarters).unwrap();
        GameRecord {
            index,
            pair: index / 2,
            white,
            start_fen: format!("opening {}", index / 2),
            opening: String::new(),
            material: None,
            result: if white == 0 { ours } else { ours.flipped() },
            end: GameEnd::Rules(Termination::Checkmate),
            fault: None,
            moves: Vec::new(),
            ended: None,
        }
    }

    #[test]
    fn counts_pairs_in_order() {
        let mut score = MatchScore::new(3, true, None, false);
        score.add(&game(2, 4));
        score.add(&game(3, 4));
        score.add(&game(1, 0));
        assert_eq!(score.observation_counts().observations(), 0);
        score.add(&game(0, 2));
        assert_eq!(score.observation_counts().counts(), [0, 1, 0, 0, 1]);
        assert_eq!(score.game_counts().counts(), [1, 1, 2]);
        assert_eq!(score.history(), [1, 4]);
        assert_eq!(score.with_color(Color::White), [0, 0, 1, 0, 1]);
    }

    #[test]
    fn five_results_make_nine_pair_outcomes() {
        let mut score = MatchScore::new(5, true, None, false);
        for (index, quarters) in [3, 4, 1, 0].into_iter().enumerate() {
            score.add(&game(index as u64, quarters));
        }
        assert_eq!(score.observation_counts().counts(), [0, 1, 0, 0, 0, 0, 0, 1, 0]);
    }

    #[test]
    fn repeated_pairs_count_once() {
        let sprt = Sprt::new(0.0, 100.0, 0.05, 0.05, EloModel::Logistic).unwrap();
        let games: Vec<GameRecord> = (0..400)
            .map(|index| GameRecord {
                // The first and the second round, again and again.
                start_fen: format!("opening {}", index / 2 % 2),
                ..game(index, if index % 4 == 0 { 2 } else { 4 })
            })
            .collect();
        let score_of = |order: &mut dyn Iterator<Item = &GameRecord>| {
            let mut score = MatchScore::new(3, true, Some(sprt), false);
            order.for_each(|game| score.add(game));
            score
        };
        for mut score in [score_of(&mut games.iter()), score_of(&mut games.iter().rev())] {
            assert_eq!(score.observation_counts().counts(), [0, 0, 0, 1, 1]);
            assert_eq!(score.game_counts().counts(), [0, 1, 3]);
            assert_eq!(score.repeated(), 198);
            assert_eq!(score.decision(), SprtDecision::Continue);
            // Another result of one game makes another pair.
            score.add(&GameRecord {
                start_fen: "opening 0".to_owned(),
                ..game(400, 0)
            });
            score.add(&GameRecord {
                start_fen: "opening 0".to_owned(),
                ..game(401, 4)
            });
            assert_eq!((score.history().len(), score.repeated()), (3, 198));
        }
    }

    #[test]
    fn games_of_openings_played_once_may_repeat() {
        let mut score = MatchScore::new(3, false, None, false);
        for index in 0..4 {
            let first = game(0, 4);
            score.add(&GameRecord {
                index,
                pair: index,
                ..first
            });
        }
        assert_eq!(score.observation_counts().counts(), [0, 0, 1]);
        assert_eq!(score.repeated(), 3);
    }

    #[test]
    fn decision_does_not_depend_on_the_order_of_games() {
        let sprt = Sprt::new(0.0, 100.0, 0.05, 0.05, EloModel::Logistic).unwrap();
        let games: Vec<GameRecord> = (0..400)
            .map(|index| game(index, if index % 5 == 0 { 0 } else { 4 }))
            .collect();
        let run = |order: &mut dyn Iterator<Item = &GameRecord>| {
            let mut score = MatchScore::new(3, true, Some(sprt), false);
            order.for_each(|game| score.add(game));
            (score.decision(), score.llr(), score.history().len())
        };
        let forwards = run(&mut games.iter());
        assert_eq!(forwards.0, SprtDecision::AcceptH1);
        assert!(forwards.2 < 200, "it stops where it is decided");
        assert_eq!(run(&mut games.iter().rev()), forwards);
    }
}
