//! Comparison of the two generators in one position.

use std::sync::atomic::AtomicBool;

use assay_rules::{Move, Position, uci};
use serde::Serialize;

use crate::generator::{CountMode, Node};

/// A difference between the engine and the rules in one position.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// Description.
    pub what: String,
    /// Legal moves that the engine does not generate.
    pub missing: Vec<String>,
    /// Moves that the engine generates and that are not legal.
    pub extra: Vec<String>,
}

impl From<String> for Difference {
    fn from(what: String) -> Difference {
        Difference { what, ..Difference::default() }
    }
}

impl Difference {
    /// The difference with another description.
    #[must_use]
    pub fn described(self, what: impl FnOnce(&str) -> String) -> Difference {
        Difference { what: what(&self.what), ..self }
    }

    /// Lines that list the missing and the extra moves, indented; none if there are no such moves.
    pub fn move_lines(&self) -> Vec<String> {
        [("missing from", &self.missing), ("extra in", &self.extra)]
            .into_iter()
            .filter(|(_, moves)| !moves.is_empty())
            .map(|(relation, moves)| format!("  {relation} the engine: {}", moves.join(" ")))
            .collect()
    }
}

/// Compares position, check, legal moves and their bulk count.
///
/// # Errors
/// The first difference.
pub fn compare_position(engine: &mut dyn Node, rules: &Position) -> Result<(), Difference> {
    let engine_position = engine.position();
    if engine_position.fen() != rules.fen() {
        return Err(format!("the engine's position is {}", engine_position.fen()).into());
    }
    let (engine_check, rules_check) = (engine.in_check(), rules.in_check());
    if engine_check != rules_check {
        return Err(format!("in check: engine {engine_check}, rules {rules_check}").into());
    }
    let legal = rules.legal_moves();
    compare_moves(rules, engine.legal_moves(), &legal)?;
    match engine.perft(1, &CountMode::default(), &AtomicBool::new(false)) {
        Some(count) if count != legal.len() as u64 => {
            Err(format!("the engine counts {count} moves and generates {}", legal.len()).into())
        }
        _ => Ok(()),
    }
}

/// Compares the engine's moves, in any order, with the legal ones.
///
/// # Errors
/// The missing and the extra moves.
pub fn compare_moves(position: &Position, mut generated: Vec<Move>, legal: &[Move]) -> Result<(), Difference> {
    generated.sort_unstable();
    if generated == legal {
        return Ok(());
    }
    let not_in = |moves: &[Move], others: &[Move]| -> Vec<String> {
        moves.iter().filter(|mv| !others.contains(mv)).map(|&mv| uci::format(position.game(), mv)).collect()
    };
    let (missing, extra) = (not_in(legal, &generated), not_in(&generated, legal));
    let what = if missing.is_empty() && extra.is_empty() {
        "the engine generates a legal move more than once"
    } else {
        "legal moves"
    };
    Err(Difference { what: what.to_owned(), missing, extra })
}
