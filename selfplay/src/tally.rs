//! Counts of finished games, the same for all kinds of runs.

use std::collections::BTreeMap;
use std::fmt;

use assay_cli::format::count;
use assay_rules::Points;
use serde::{Serialize, Serializer};

use crate::game::{GameEnd, GameRecord};
use crate::statistics::Mean;

/// Counts by name, in a fixed order; an object in JSON.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NamedCounts(pub Vec<(&'static str, u64)>);

impl Serialize for NamedCounts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().copied())
    }
}

impl NamedCounts {
    /// The count with this name; 0 if there is none.
    pub fn get(&self, name: &str) -> u64 {
        let named = self.0.iter().find(|(known, _)| *known == name);
        named.map_or(0, |(_, count)| *count)
    }

    pub fn total(&self) -> u64 {
        self.0.iter().map(|(_, count)| count).sum()
    }
}

/// Counts of games as they are added.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    results: [u64; 5],
    ends: BTreeMap<&'static str, u64>,
    /// The shortest and the longest game, in plies.
    lengths: Option<(u64, u64)>,
    plies: u64,
    nodes: u64,
    /// White's quarter points and the number of games, by pair.
    pairs: BTreeMap<u64, (u64, u64)>,
}

/// The counts of a [`Tally`], as JSON has them.
#[derive(Clone, Debug, Serialize)]
pub struct GameSummary {
    /// Number of games.
    pub games: u64,
    /// Number of openings of which both games are finished.
    pub pairs: u64,
    /// Games by White's result.
    pub results: Results,
    /// Games by how they ended.
    pub endings: NamedCounts,
    /// White's mean score in points; its standard error is clustered by opening.
    pub white: Option<Mean>,
    /// Plies per game.
    pub plies: Option<GameLengths>,
    /// Nodes searched for all moves of all games.
    pub nodes: u64,
}

/// Games by White's result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Results {
    /// Worth 1 point.
    pub wins: u64,
    /// Worth 0.75 points.
    pub advantages: u64,
    /// Worth 0.5 points.
    pub draws: u64,
    /// Worth 0.25 points.
    pub disadvantages: u64,
    /// Worth 0 points.
    pub losses: u64,
}

impl Results {
    /// `White +12 =3 -10`, or `White +12 adv 1 =3 dis 0 -10`, for progress displays.
    pub fn short(&self) -> String {
        let Results {
            wins,
            advantages,
            draws,
            disadvantages,
            losses,
        } = self;
        if advantages + disadvantages == 0 {
            format!("White +{wins} ={draws} -{losses}")
        } else {
            format!("White +{wins} adv {advantages} ={draws} dis {disadvantages} -{losses}")
        }
    }
}

/// `12 wins, 3 draws, 10 losses`, with advantages and disadvantages if any occurred.
impl fmt::Display for Results {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, ", count(self.wins, "win", "wins"))?;
        let is_by_quarters = self.advantages + self.disadvantages > 0;
        if is_by_quarters {
            write!(f, "{}, ", count(self.advantages, "advantage", "advantages"))?;
        }
        write!(f, "{}, ", count(self.draws, "draw", "draws"))?;
        if is_by_quarters {
            write!(f, "{}, ", count(self.disadvantages, "disadvantage", "disadvantages"))?;
        }
        f.write_str(&count(self.losses, "loss", "losses"))
    }
}

/// Plies per game.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct GameLengths {
    pub min: u64,
    pub mean: f64,
    pub max: u64,
}

impl Tally {
    pub fn add(&mut self, game: &GameRecord) {
        let plies = game.moves.len() as u64;
        self.results[usize::from(game.result.quarters())] += 1;
        *self.ends.entry(game.end.name()).or_default() += 1;
        let (min, max) = self.lengths.unwrap_or((plies, plies));
        self.lengths = Some((min.min(plies), max.max(plies)));
        self.plies += plies;
        let nodes = game.moves.iter().map(|played| played.nodes);
        self.nodes = nodes.fold(self.nodes, u64::saturating_add);
        let (quarters, games) = self.pairs.entry(game.pair).or_default();
        *quarters += u64::from(game.result.quarters());
        *games += 1;
    }

    /// Number of games.
    pub fn games(&self) -> u64 {
        self.results.iter().sum()
    }

    /// Games by White's result.
    pub fn results(&self) -> Results {
        let with = |points: Points| self.results[usize::from(points.quarters())];
        Results {
            wins: with(Points::WIN),
            advantages: with(Points::ADVANTAGE),
            draws: with(Points::DRAW),
            disadvantages: with(Points::DISADVANTAGE),
            losses: with(Points::LOSS),
        }
    }

    /// Games by how they ended, in the order of [`GameEnd::all`], without zeros.
    pub fn endings(&self) -> NamedCounts {
        let count = |end: GameEnd| Some((end.name(), *self.ends.get(end.name())?));
        NamedCounts(GameEnd::all().filter_map(count).collect())
    }

    pub fn summary(&self) -> GameSummary {
        let (games, pairs) = (self.games(), self.pairs.values());
        let clusters: Vec<(f64, f64)> = pairs
            .clone()
            .map(|&(quarters, games)| (quarters as f64 / 4.0, games as f64))
            .collect();
        GameSummary {
            games,
            pairs: pairs.filter(|(_, games)| *games == 2).count() as u64,
            results: self.results(),
            endings: self.endings(),
            white: Mean::clustered(&clusters),
            plies: self.lengths.map(|(min, max)| GameLengths {
                min,
                mean: self.plies as f64 / games as f64,
                max,
            }),
            nodes: self.nodes,
        }
    }
}
