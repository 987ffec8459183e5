//! Counts of finished games, the same for all kinds of runs.

use std::collections::BTreeMap;
use std::fmt;

use assay_cli::format::count;
use serde::{Serialize, Serializer};

use crate::game::{GameEnd, GameRecord, NamedCounts};
use crate::settings::RunSettings;
use crate::statistics::{ClusterSums, ClusteredMean};

/// Counts of games as they are added.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    results: Results,
    ends: BTreeMap<&'static str, u64>,
    /// The shortest and the longest game, in plies.
    lengths: Option<(u64, u64)>,
    plies: u64,
    nodes: u64,
    /// White's quarter points and the number of games, by pair.
    pairs: BTreeMap<u64, (u64, u64)>,
    /// Pairs with the same opening; 0 before the first game.
    pairs_per_opening: u64,
}

/// The counts of a [`Tally`], as JSON has them.
#[derive(Clone, Debug, Serialize)]
pub struct GameSummary {
    /// Number of games.
    pub games: u64,
    /// Number of pairs of which both games are finished.
    pub pairs: u64,
    /// Number of openings, or of clusters of imported games.
    pub openings: u64,
    /// Games by White's result.
    pub results: Results,
    /// Games by how they ended.
    pub endings: NamedCounts,
    /// White's mean score in points, with errors clustered by opening; `None` with fewer than two
    /// openings.
    pub white: Option<ClusteredMean>,
    /// Plies per game.
    pub plies: Option<GameLengths>,
    /// Nodes searched for all moves of all games.
    pub nodes: u64,
}

/// Games by White's result, in quarter points from 0 to 4. An object in JSON, wins first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Results([u64; 5]);

/// What the results are called, in the order of their points.
const RESULT_NAMES: [(&str, &str); 5] = [
    ("loss", "losses"),
    ("disadvantage", "disadvantages"),
    ("draw", "draws"),
    ("advantage", "advantages"),
    ("win", "wins"),
];

impl Serialize for Results {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let names = RESULT_NAMES.iter().map(|(_, many)| many);
        serializer.collect_map(names.zip(self.0).rev())
    }
}

impl Results {
    /// Returns true if a game was worth 0.25 or 0.75 points.
    fn has_quarters(self) -> bool {
        self.0[1] + self.0[3] > 0
    }

    /// `White +12 =3 -10`, or `White +12 adv 1 =3 dis 0 -10`, for progress displays.
    pub fn short(&self) -> String {
        let [losses, disadvantages, draws, advantages, wins] = self.0;
        if self.has_quarters() {
            format!("White +{wins} adv {advantages} ={draws} dis {disadvantages} -{losses}")
        } else {
            format!("White +{wins} ={draws} -{losses}")
        }
    }
}

/// `12 wins, 3 draws, 10 losses`, with advantages and disadvantages if any occurred.
impl fmt::Display for Results {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let results = self.0.iter().zip(RESULT_NAMES).rev();
        let shown = results.step_by(if self.has_quarters() { 1 } else { 2 });
        let texts: Vec<String> = shown.map(|(number, (one, many))| count(number, one, many)).collect();
        f.write_str(&texts.join(", "))
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
    /// The counts before the first game of a run.
    pub fn new(settings: &RunSettings) -> Tally {
        Tally { pairs_per_opening: settings.pairs_per_opening(), ..Tally::default() }
    }

    pub fn add(&mut self, game: &GameRecord) {
        let plies = game.moves.len() as u64;
        self.results.0[usize::from(game.result.quarters())] += 1;
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
        self.results.0.iter().sum()
    }

    /// Games by White's result.
    pub fn results(&self) -> Results {
        self.results
    }

    /// Games by how they ended, in the order of [`GameEnd::all`], without zeros.
    pub fn endings(&self) -> NamedCounts {
        let count = |end: GameEnd| Some((end.name(), *self.ends.get(end.name())?));
        GameEnd::all().filter_map(count).collect()
    }

    pub fn summary(&self) -> GameSummary {
        let (games, pairs) = (self.games(), self.pairs.values());
        let mut openings = ClusterSums::default();
        for (pair, &(quarters, games)) in &self.pairs {
            let opening = pair / self.pairs_per_opening.max(1);
            openings.add(opening as usize, quarters as f64 / 4.0, games as f64);
        }
        GameSummary {
            games,
            openings: openings.clusters() as u64,
            pairs: pairs.filter(|(_, games)| *games == 2).count() as u64,
            results: self.results(),
            endings: self.endings(),
            white: openings.mean(),
            plies: self.lengths.map(|(min, max)| GameLengths { min, mean: self.plies as f64 / games as f64, max }),
            nodes: self.nodes,
        }
    }
}
