//! The games that a run still has to play.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};

use assay_rules::Position;

use super::RunError;
use crate::game::GameRecord;
use crate::settings::{RunOptions, RunSettings, Shard};
use crate::store::Store;

/// An opening with missing games.
pub(super) struct Pair {
    pub(super) number: u64,
    /// Whether the first and the second game are missing.
    pub(super) missing: [bool; 2],
    /// The other game, if it is stored, and its start. A match begins both games of a pair at the
    /// same position, even if the opening would be drawn differently now.
    pub(super) other: Option<(Position, GameRecord)>,
}

/// The pairs with missing games, in ascending order. Workers take them one by one; a run may have
/// more pairs than fit into memory.
pub(super) struct MissingPairs {
    games: u64,
    /// Number of games to play if none is stored.
    shard_games: u64,
    first_game: u64,
    shard: Shard,
    games_per_opening: u64,
    /// The numbers of the stored games, in ascending order.
    stored: Vec<u64>,
    /// The stored games of pairs of which the other game is missing, with their starts.
    others: HashMap<u64, (Position, GameRecord)>,
    /// Pairs of the shard that were taken.
    next: AtomicU64,
}

impl MissingPairs {
    pub(super) fn new(settings: &RunSettings, options: &RunOptions, store: &Store) -> Result<MissingPairs, RunError> {
        let shard = options.shard.unwrap_or(Shard::WHOLE);
        let games_per_opening = settings.games_per_opening();
        let first_pair = options.first_game / games_per_opening;
        let mut pairs = MissingPairs {
            games: options.games,
            shard_games: options.shard_games(settings),
            first_game: first_pair * games_per_opening,
            shard,
            games_per_opening,
            stored: store.indices()?,
            others: HashMap::new(),
            next: AtomicU64::new(shard.pairs_before(first_pair)),
        };
        if pairs.games_per_opening == 2 && !settings.players.is_self_play() {
            // The games of a pair have the numbers 2 n and 2 n + 1.
            let incomplete: Vec<u64> =
                pairs.stored.iter().copied().filter(|&index| pairs.is_missing(index ^ 1)).collect();
            for index in incomplete {
                if let Some(game) = store.game(index)? {
                    let start = game.start(settings.game())?;
                    pairs.others.insert(game.pair, (start, game));
                }
            }
        }
        Ok(pairs)
    }

    fn is_missing(&self, index: u64) -> bool {
        index < self.games && self.stored.binary_search(&index).is_err()
    }

    /// The number of missing games.
    pub(super) fn games(&self) -> u64 {
        let is_requested = |&&index: &&u64| (self.first_game..self.games).contains(&index);
        self.shard_games - self.stored.iter().filter(is_requested).count() as u64
    }

    /// Takes the next pair; `None` if there are no more.
    pub(super) fn take_next(&self) -> Option<Pair> {
        loop {
            let number = self.shard.nth_pair(self.next.fetch_add(1, Ordering::Relaxed));
            let first = number * self.games_per_opening;
            if first >= self.games {
                return None;
            }
            let missing = [0, 1].map(|game| game < self.games_per_opening && self.is_missing(first + game));
            if missing != [false; 2] {
                let other = self.others.get(&number).cloned();
                return Some(Pair { number, missing, other });
            }
        }
    }
}
