//! Which mechanisms a check of move lists and counts has exercised.

use assay_cli::format;
use assay_rules::{GameDef, Move, Position};
use serde_json::{Value, json};

use super::detect::{end_of_line, mechanisms_of_move, mechanisms_of_position};
use super::mechanism::{Coverage, Mechanism, MechanismSet};

/// How many of the given positions, and how many of the nodes compared in their trees, showed each
/// mechanism. A move is a node, and so is a position in check or at the end of a line.
#[derive(Clone, Debug, Default)]
pub struct Exercised {
    positions: Coverage,
    nodes: Coverage,
}

impl Exercised {
    /// Counts a node whose move list was compared, and adds what it showed to the set of its root.
    pub fn count_node(&mut self, position: &Position, legal: &[Move], root: &mut MechanismSet) {
        let mut count = |shown: MechanismSet| {
            self.nodes.count_set(shown);
            root.insert_all(shown);
        };
        let mut state = mechanisms_of_position(position);
        state.insert_all(end_of_line(position, !legal.is_empty()));
        count(state);
        for &mv in legal {
            count(mechanisms_of_move(position, mv));
        }
    }

    /// Counts a position, after all its nodes.
    pub fn count_position(&mut self, root: MechanismSet) {
        self.positions.count_set(root);
    }

    /// Adds the counts of another part of the check.
    pub fn add(&mut self, other: &Exercised) {
        self.positions.add(&other.positions);
        self.nodes.add(&other.nodes);
    }

    /// One line of counts, and, if the check was not ended early, a warning for each mechanism of
    /// the game that never occurred.
    pub fn text(&self, game: &GameDef, is_complete: bool) -> String {
        let counts = Mechanism::of_perft(game).filter(|&mechanism| self.nodes.get(mechanism) > 0);
        let counts: Vec<String> = counts
            .map(|mechanism| {
                let [positions, nodes] = self.counts(mechanism).map(format::grouped);
                format!("{} {positions}/{nodes}", mechanism.name())
            })
            .collect();
        let warnings: String = self.missing(game).filter(|_| is_complete).map(Mechanism::warning).collect();
        format!(
            "exercised in {} (positions/nodes): {}\n{warnings}",
            game.name,
            if counts.is_empty() { "nothing".to_owned() } else { counts.join(", ") },
        )
    }

    /// The same for `--json`.
    pub fn json(&self, game: &GameDef) -> Value {
        let counts: serde_json::Map<String, Value> = Mechanism::of_perft(game)
            .map(|mechanism| {
                let [positions, nodes] = self.counts(mechanism);
                let counts = json!({ "positions": positions, "nodes": nodes });
                (mechanism.name().to_owned(), counts)
            })
            .collect();
        Value::from(counts)
    }

    fn counts(&self, mechanism: Mechanism) -> [u64; 2] {
        [self.positions.get(mechanism), self.nodes.get(mechanism)]
    }

    fn missing(&self, game: &GameDef) -> impl Iterator<Item = Mechanism> {
        Mechanism::of_perft(game).filter(|&mechanism| self.nodes.get(mechanism) == 0)
    }
}
