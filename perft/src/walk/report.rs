//! The result of a walk.

use assay_cli::{Table, format, row};
use assay_rules::GameDef;
use serde::{Serialize, Serializer};

use super::lockstep::{GameDifference, GameResult};
use super::mechanism::{Coverage, Mechanism};

/// What was compared in random games, and the first difference.
#[derive(Serialize)]
pub struct Report {
    /// True if the generators agree in all games.
    pub agree: bool,
    interrupted: bool,
    games_played: u64,
    positions: u64,
    successors: u64,
    leaf_nodes: u64,
    #[serde(serialize_with = "as_map")]
    coverage: Vec<(&'static str, u64)>,
    #[serde(skip)]
    warnings: String,
    difference: Option<GameDifference>,
}

fn as_map<S: Serializer>(rows: &[(&'static str, u64)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(rows.iter().copied())
}

impl Report {
    /// The result of these games, which were played to the end unless they were interrupted.
    pub fn new(game: &GameDef, results: &[GameResult], interrupted: bool) -> Report {
        let mut coverage = Coverage::default();
        for result in results {
            coverage.add(&result.coverage);
        }
        let mechanisms = || Mechanism::ALL.into_iter().filter(|mechanism| mechanism.is_in(game));
        let never = mechanisms().filter(|&mechanism| coverage.get(mechanism) == 0);
        let difference = results.iter().find_map(|result| result.difference.clone());
        Report {
            agree: difference.is_none(),
            interrupted,
            games_played: results.len() as u64,
            positions: results.iter().map(|result| result.positions).sum(),
            successors: results.iter().map(|result| result.successors).sum(),
            leaf_nodes: results.iter().map(|result| result.leaf_nodes).sum(),
            warnings: never.map(Mechanism::warning).collect(),
            coverage: mechanisms().map(|mechanism| (mechanism.name(), coverage.get(mechanism))).collect(),
            difference,
        }
    }

    /// Tables and sentences. `seed` is that of the games.
    pub fn text(&self, seed: u64) -> String {
        let rows = self.coverage.iter().map(|&(name, count)| row(name, [format::grouped(count)]));
        let mut text = Table::of("", ["mechanism", "occurred"], rows).to_string();
        if let Some(found) = &self.difference {
            text += &format!("difference in game {} of seed {seed}: {}\n", found.game_index, found.difference.what);
            for line in found.difference.move_lines() {
                text += &format!("{line}\n");
            }
            text += &format!("  at: {}\n  start: {}\n  moves: {}\n", found.fen, found.start, found.moves.join(" "));
        }
        text += &self.warnings;
        let verdict = match (self.agree, self.interrupted) {
            (false, _) => "DIFFER",
            (true, true) => "interrupted, all agree so far",
            (true, false) => "all agree",
        };
        text + &format!(
            "{verdict}: {}, {}, {} and {} of perft compared\n",
            format::count(self.games_played, "game", "games"),
            format::count(self.positions, "position", "positions"),
            format::count(self.successors, "successor", "successors"),
            format::count(self.leaf_nodes, "leaf node", "leaf nodes")
        )
    }
}
