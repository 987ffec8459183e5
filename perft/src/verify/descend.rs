//! Where two generators part: the shallowest position in which they do not have the same legal moves.

use assay_rules::{Move, Position, uci};
use serde::Serialize;

use crate::generator::{Counting, Node, Pair};
use crate::interrupt;

/// Positions that a descent compares before it gives up.
const BUDGET: u64 = 300_000;

/// A difference between the engine and the reference in one position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// Moves from where the descent began.
    pub path: Vec<String>,
    /// The position.
    pub fen: String,
    /// What differs, in words.
    pub what: String,
    /// Legal moves that the engine does not have.
    pub missing: Vec<String>,
    /// Moves that the engine has and that are not legal.
    pub extra: Vec<String>,
}

/// Where the generators part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Parting {
    /// Here.
    At(Box<Difference>),
    /// Nowhere: they agree in every position down to the depth. The counts below each root move follow.
    Nowhere(Vec<(String, u64)>),
    /// They agree in this many positions, and then the search was given up.
    Unknown(u64),
}

/// Finds the shallowest parting at which the two differ, in the plies that a count of `depth` plies generates moves in.
pub fn first_parting(pair: &Pair, position: &Position, depth: u32) -> Parting {
    let mut search = Search { position, compared: 0 };
    for plies in 0..depth {
        let mut engine = pair.engine.node(position);
        match search.level(engine.as_mut(), position, plies, &mut Vec::new()) {
            Ok(()) => {}
            Err(Stop::Found(difference)) => return Parting::At(difference),
            Err(Stop::Enough) => return Parting::Unknown(search.compared),
        }
    }
    let game = position.game();
    let mut rows = Vec::new();
    pair.engine.node(position).each_child(&mut |mv, child| {
        let count = child.count(depth.saturating_sub(1), &Counting::default());
        rows.push((uci::format(game, mv), count.unwrap_or_default()));
    });
    rows.sort();
    Parting::Nowhere(rows)
}

enum Stop {
    Found(Box<Difference>),
    Enough,
}

struct Search<'p> {
    position: &'p Position,
    compared: u64,
}

impl Search<'_> {
    /// Compares all positions exactly `plies` below this one.
    fn level(&mut self, engine: &mut dyn Node, rules: &Position, plies: u32, path: &mut Vec<Move>) -> Result<(), Stop> {
        if plies == 0 {
            self.compared += 1;
            if self.compared > BUDGET || interrupt::requested() {
                return Err(Stop::Enough);
            }
            return match compare(engine, rules) {
                None => Ok(()),
                Some(difference) => Err(Stop::Found(Box::new(Difference {
                    path: self.names(path),
                    ..difference
                }))),
            };
        }
        let mut stop = Ok(());
        engine.each_child(&mut |mv, child| {
            if stop.is_ok() {
                path.push(mv);
                stop = self.level(child, &rules.play(mv), plies - 1, path);
                path.pop();
            }
        });
        stop
    }

    fn names(&self, path: &[Move]) -> Vec<String> {
        path.iter().map(|&mv| uci::format(self.position.game(), mv)).collect()
    }
}

/// Compares one position in both generators: the position itself, check, moves, and the engine's count of them.
pub fn compare(engine: &mut dyn Node, rules: &Position) -> Option<Difference> {
    let game = rules.game();
    let fen = rules.fen();
    let difference = |what: String| Difference {
        path: Vec::new(),
        fen: fen.clone(),
        what,
        missing: Vec::new(),
        extra: Vec::new(),
    };
    let engine_fen = engine.position().fen();
    if engine_fen != fen {
        return Some(difference(format!("the engine's position is {engine_fen}")));
    }
    let (ours, theirs) = (engine.in_check(), rules.in_check());
    if ours != theirs {
        return Some(difference(format!("in check: engine {ours}, rules {theirs}")));
    }
    let (have, legal) = (engine.moves(), rules.legal_moves());
    if have != legal {
        let names = |moves: &[Move], but: &[Move]| {
            moves
                .iter()
                .filter(|mv| !but.contains(mv))
                .map(|&mv| uci::format(game, mv))
                .collect::<Vec<_>>()
        };
        let (missing, extra) = (names(&legal, &have), names(&have, &legal));
        let what = if missing.is_empty() && extra.is_empty() {
            "the engine has a legal move more than once".to_owned()
        } else {
            "legal moves".to_owned()
        };
        return Some(Difference {
            missing,
            extra,
            ..difference(what)
        });
    }
    let count = engine.count(1, &Counting::default())?;
    (count != legal.len() as u64)
        .then(|| difference(format!("the engine counts {count} moves and makes {}", legal.len())))
}
