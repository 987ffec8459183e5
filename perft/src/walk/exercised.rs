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
        let is_shown = |&mechanism: &Mechanism| self.nodes.get(mechanism) > 0;
        let (shown, missing): (Vec<Mechanism>, Vec<Mechanism>) = Mechanism::of_perft(game).partition(is_shown);
        let counts = shown.into_iter().map(|mechanism| {
            let [positions, nodes] =
                [&self.positions, &self.nodes].map(|counts| format::grouped(counts.get(mechanism)));
            format!("{} {positions}/{nodes}", mechanism.name())
        });
        let counts: Vec<String> = counts.collect();
        let warnings: String = missing.into_iter().filter(|_| is_complete).map(Mechanism::warning).collect();
        format!(
            "exercised in {} (positions/nodes): {}\n{warnings}",
            game.name,
            if counts.is_empty() { "nothing".to_owned() } else { counts.join(", ") },
        )
    }

    /// The same for `--json`.
    pub fn json(&self, game: &GameDef) -> Value {
        let counts = Mechanism::of_perft(game).map(|mechanism| {
            let (positions, nodes) = (self.positions.get(mechanism), self.nodes.get(mechanism));
            (mechanism.name().to_owned(), json!({ "positions": positions, "nodes": nodes }))
        });
        Value::Object(counts.collect())
    }
}
