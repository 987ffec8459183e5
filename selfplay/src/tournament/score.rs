//! The score of a match, pair by pair in the order of their numbers.
//!
//! A pair is counted when all of its games and all pairs before it are finished. So what is
//! counted, and where a test ends, depends on the games alone: not on the number of threads, and
//! not on short games arriving before long ones, which would favor whichever engine wins quickly.
//!
//! Deterministic engines play the same games again from the same opening. A pair whose games equal
//! those of an earlier pair is no new evidence: it is a *repeated* pair, which is not counted.

use std::collections::{BTreeMap, HashSet};

use super::search_totals::SearchTotals;
use crate::game::NamedCounts;
use crate::game::{FaultKind, GameEnd, GameRecord};
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
    /// The test that ends the match.
    pub sprt: Option<Sprt>,
    /// Counts of the outcomes of pairs, or of games if openings are not repeated.
    pub observation_counts: ResultCounts,
    /// Counts of the results of the same games one by one.
    pub game_counts: ResultCounts,
    /// The outcome (0 is the worst) of each counted pair.
    pub history: Vec<usize>,
    /// Pairs of a win and a loss, and pairs of two draws, that are counted.
    pub level_pairs: [u64; 2],
    /// Number of pairs (or of games, if openings are not repeated) whose games equal those of an
    /// earlier pair. They are not counted.
    pub repeated: u64,
    /// The log-likelihood ratio of the test; 0 without one.
    pub llr: f64,
    pub decision: SprtDecision,
    /// Number of games that each player lost through a fault, by kind of fault, in the order of
    /// [`FaultKind::ALL`].
    pub faults: [NamedCounts; 2],
    /// The first player's games by its color (White first) and its quarter points.
    pub by_color: [ResultCounts; 2],
    /// The searches of each player in finished games.
    pub searches: [SearchTotals; 2],
    /// The finished games of pairs that are not counted yet.
    waiting: BTreeMap<u64, [Option<FinishedGame>; 2]>,
    /// The next pair to be counted.
    next: u64,
    /// The games of each counted pair.
    seen: HashSet<[Digest; 2]>,
}

impl MatchScore {
    /// A score before the first game. `results` is the number of different results of a game: 3 or
    /// 5.
    pub fn new(results: usize, repeat: bool, sprt: Option<Sprt>) -> MatchScore {
        let observations = if repeat { ResultCounts::of_pairs } else { ResultCounts::of_games };
        MatchScore {
            sprt,
            observation_counts: observations(results),
            game_counts: ResultCounts::of_games(results),
            history: Vec::new(),
            level_pairs: [0; 2],
            repeated: 0,
            llr: 0.0,
            decision: SprtDecision::Continue,
            faults: [(); 2].map(|()| FaultKind::ALL.map(|kind| (kind.name(), 0)).into()),
            by_color: [5, 5].map(ResultCounts::of_games),
            searches: [SearchTotals::default(); 2],
            waiting: BTreeMap::new(),
            next: 0,
            seen: HashSet::new(),
        }
    }

    /// Returns true if each opening is played twice.
    pub fn is_paired(&self) -> bool {
        self.observation_counts.games_per_observation() == 2
    }

    /// Adds a finished game of a match.
    pub fn add(&mut self, game: &GameRecord) {
        self.add_to_pair(game, game.pair);
    }

    /// Adds a finished game of the pair with this number, from 0, among those of the two players.
    pub fn add_to_pair(&mut self, game: &GameRecord, pair: u64) {
        if let (GameEnd::Fault(kind), Some(fault)) = (game.end, &game.fault) {
            self.faults[fault.player][kind.name()] += 1;
        }
        let quarters = game.points_of(0).quarters();
        self.by_color[game.white].add(usize::from(quarters));
        for (player, played) in game.movers().zip(&game.moves) {
            self.searches[player].add(played);
        }
        let digest = digest(game);
        let number = if self.is_paired() { game.index % 2 } else { 0 };
        self.waiting.entry(pair).or_default()[number as usize] = Some(FinishedGame { quarters, digest });
        while self.decision == SprtDecision::Continue && self.count_next() {}
    }

    /// Counts the next pair if it is finished.
    fn count_next(&mut self) -> bool {
        let games = match self.waiting.get(&self.next) {
            Some(&games @ [Some(_), second]) if second.is_some() == self.is_paired() => games,
            _ => return false,
        };
        self.waiting.remove(&self.next);
        self.next += 1;
        let digests = games.map(|game| game.map_or_else(Digest::default, |game| game.digest));
        if !self.seen.insert(digests) {
            self.repeated += 1;
            return true;
        }
        let step = if self.game_counts.counts().len() == 5 { 1 } else { 2 };
        let mut outcome = 0;
        for game in games.into_iter().flatten() {
            let result = usize::from(game.quarters / step);
            self.game_counts.add(result);
            outcome += result;
        }
        if let [Some(first), Some(second)] = games.map(|game| game.map(|game| game.quarters)) {
            self.level_pairs[0] += u64::from(first != second && first + second == 4 && first % 4 == 0);
            self.level_pairs[1] += u64::from(first == 2 && second == 2);
        }
        self.observation_counts.add(outcome);
        self.history.push(outcome);
        if let Some(sprt) = self.sprt {
            self.llr = sprt.llr(if sprt.tests_single_games() { &self.game_counts } else { &self.observation_counts });
            self.decision = sprt.decide_at(self.llr);
        }
        true
    }
}

/// Identifies what happens in a game: who has White, the start, the moves and the result, but not
/// the evaluations and times.
fn digest(game: &GameRecord) -> Digest {
    let mut hasher = blake3::Hasher::new();
    hasher
        .update(&[game.white as u8, game.result.quarters()])
        .update(&(game.start_fen.len() as u64).to_le_bytes())
        .update(game.start_fen.as_bytes());
    for played in &game.moves {
        hasher.update(&played.mv.bytes().collect::<Vec<u8>>());
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
        let mut score = MatchScore::new(3, true, None);
        score.add(&game(2, 4));
        score.add(&game(3, 4));
        score.add(&game(1, 0));
        assert_eq!(score.observation_counts.observations(), 0);
        score.add(&game(0, 2));
        assert_eq!(score.observation_counts.counts(), [0, 1, 0, 0, 1]);
        assert_eq!(score.game_counts.counts(), [1, 1, 2]);
        assert_eq!(score.history, [1, 4]);
        assert_eq!(score.by_color[0].counts(), [0, 0, 1, 0, 1]);
    }

    #[test]
    fn five_results_make_nine_pair_outcomes() {
        let mut score = MatchScore::new(5, true, None);
        for (index, quarters) in [3, 4, 1, 0].into_iter().enumerate() {
            score.add(&game(index as u64, quarters));
        }
        assert_eq!(score.observation_counts.counts(), [0, 1, 0, 0, 0, 0, 0, 1, 0]);
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
            let mut score = MatchScore::new(3, true, Some(sprt));
            order.for_each(|game| score.add(game));
            score
        };
        for mut score in [score_of(&mut games.iter()), score_of(&mut games.iter().rev())] {
            assert_eq!(score.observation_counts.counts(), [0, 0, 0, 1, 1]);
            assert_eq!(score.game_counts.counts(), [0, 1, 3]);
            assert_eq!(score.repeated, 198);
            assert_eq!(score.decision, SprtDecision::Continue);
            // Another result of one game makes another pair.
            score.add(&GameRecord { start_fen: "opening 0".to_owned(), ..game(400, 0) });
            score.add(&GameRecord { start_fen: "opening 0".to_owned(), ..game(401, 4) });
            assert_eq!((score.history.len(), score.repeated), (3, 198));
        }
    }

    #[test]
    fn games_of_openings_played_once_may_repeat() {
        let mut score = MatchScore::new(3, false, None);
        for index in 0..4 {
            let first = game(0, 4);
            score.add(&GameRecord { index, pair: index, ..first });
        }
        assert_eq!(score.observation_counts.counts(), [0, 0, 1]);
        assert_eq!(score.repeated, 3);
    }

    #[test]
    fn decision_does_not_depend_on_the_order_of_games() {
        let sprt = Sprt::new(0.0, 100.0, 0.05, 0.05, EloModel::Logistic).unwrap();
        let games: Vec<GameRecord> = (0..400).map(|index| game(index, if index % 5 == 0 { 0 } else { 4 })).collect();
        let run = |order: &mut dyn Iterator<Item = &GameRecord>| {
            let mut score = MatchScore::new(3, true, Some(sprt));
            order.for_each(|game| score.add(game));
            (score.decision, score.llr, score.history.len())
        };
        let forwards = run(&mut games.iter());
        assert_eq!(forwards.0, SprtDecision::AcceptH1);
        assert!(forwards.2 < 200, "it stops where it is decided");
        assert_eq!(run(&mut games.iter().rev()), forwards);
    }
}
