use std::fmt;
use std::str::FromStr;

/// The largest number of shards of a run.
pub const MAX_SHARDS: u64 = 10_000;

/// A part of a run that one machine plays: shard I of N has every N-th opening pair, beginning with
/// the I-th. A longer run has the same pairs in the same shards, and more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Shard {
    /// From 1 to `count`.
    number: u64,
    count: u64,
}

impl Shard {
    /// The only shard of a run that is not divided.
    pub const WHOLE: Shard = Shard { number: 1, count: 1 };

    /// Shard `number`, from 1, of `count`; `None` if there is no such shard.
    pub fn new(number: u64, count: u64) -> Option<Shard> {
        let exists = count <= MAX_SHARDS && (1..=count).contains(&number);
        exists.then_some(Shard { number, count })
    }

    /// The number of this shard, from 1.
    pub fn number(self) -> u64 {
        self.number
    }

    /// The number of shards of the run.
    pub fn count(self) -> u64 {
        self.count
    }

    /// Returns true if the opening pair with this number, from 0, belongs to the shard.
    pub fn contains(self, pair: u64) -> bool {
        pair % self.count == self.number - 1
    }

    /// The number, from 0, of the n-th opening pair of the shard, from 0.
    pub(crate) fn nth_pair(self, n: u64) -> u64 {
        n * self.count + self.number - 1
    }

    /// The number of opening pairs of the shard before the pair with this number, from 0.
    pub(crate) fn pairs_before(self, pair: u64) -> u64 {
        pair.saturating_sub(self.number - 1).div_ceil(self.count)
    }

    /// The number of games of the shard in a run of `games` games.
    pub fn games(self, games: u64, games_per_opening: u64) -> u64 {
        let pairs = games / games_per_opening;
        let complete = self.pairs_before(pairs);
        let last = if self.contains(pairs) { games % games_per_opening } else { 0 };
        complete * games_per_opening + last
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.count)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let number = |text: &str| text.parse().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()));
        let shard = text.split_once('/');
        let shard = shard.and_then(|(shard, count)| Shard::new(number(shard)?, number(count)?));
        shard.ok_or_else(|| format!("expected I/N, like 2/8: shard I, from 1 to N, of at most {MAX_SHARDS}"))
    }
}

assay_cli::serde_by_text!(Shard);

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_pair_belongs_to_one_shard(games in 0_u64..300, count in 1_u64..20, games_per_opening in 1_u64..=2) {
            let shards: Vec<Shard> = (1..=count).map(|number| Shard::new(number, count).unwrap()).collect();
            for pair in 0..games {
                let owners: Vec<_> = shards.iter().filter(|shard| shard.contains(pair)).collect();
                prop_assert_eq!(owners.len(), 1);
                prop_assert_eq!(owners[0].nth_pair(pair / count), pair);
            }
            for shard in &shards {
                prop_assert_eq!(shard.pairs_before(games), (0..games).filter(|&pair| shard.contains(pair)).count() as u64);
                let counted = (0..games).filter(|index| shard.contains(index / games_per_opening)).count() as u64;
                prop_assert_eq!(shard.games(games, games_per_opening), counted);
            }
        }
    }

    #[test]
    fn shards_are_written_as_i_of_n() {
        assert_eq!("2/8".parse::<Shard>().unwrap().to_string(), "2/8");
        for wrong in ["", "2", "0/4", "5/4", "1/0", "1/10001", "-1/4", "+1/4", "1/4/2", "1 /4", "a/b"] {
            assert!(wrong.parse::<Shard>().unwrap_err().contains("expected I/N"), "{wrong}");
        }
    }
}
