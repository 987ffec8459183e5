//! What a program says while it thinks.

use crate::players::player::Eval;

/// The last things that were said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Said {
    /// The value of the position for the side to move.
    pub eval: Option<Eval>,
    /// Plies.
    pub depth: u32,
    /// Nodes.
    pub nodes: u64,
}

impl Said {
    /// Takes note of a line that begins with `info`; lines of other variations than the best are left out.
    pub fn note(&mut self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let after = |key: &str| {
            let at = words.iter().position(|&word| word == key)?;
            words.get(at + 1).copied()
        };
        if words.get(1) == Some(&"string") || after("multipv").is_some_and(|number| number != "1") {
            return;
        }
        if let Some(nodes) = after("nodes").and_then(|word| word.parse().ok()) {
            self.nodes = nodes;
        }
        let Some(at) = words.iter().position(|&word| word == "score") else {
            return;
        };
        // Beyond a bound the value is not known.
        if after("lowerbound").is_some()
            || after("upperbound").is_some()
            || words.last() == Some(&"lowerbound")
            || words.last() == Some(&"upperbound")
        {
            return;
        }
        let value = words.get(at + 2).and_then(|word| word.parse::<i32>().ok());
        self.eval = match (words.get(at + 1).copied(), value) {
            (Some("cp"), Some(value)) => Some(Eval::Centipawns(value)),
            (Some("mate"), Some(value)) => Some(Eval::Mate(value)),
            _ => return,
        };
        if let Some(depth) = after("depth").and_then(|word| word.parse().ok()) {
            self.depth = depth;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_full_word_counts() {
        let mut said = Said::default();
        said.note("info depth 5 seldepth 9 multipv 1 score cp -31 nodes 900 nps 1 pv e2e4 depth");
        said.note("info depth 6 score cp 500 lowerbound nodes 1000");
        said.note("info depth 6 multipv 2 score cp 700 nodes 1100");
        said.note("info string score mate 1");
        said.note("info depth 6 currmove e2e4 nodes 1200");
        assert_eq!(
            said,
            Said {
                eval: Some(Eval::Centipawns(-31)),
                depth: 5,
                nodes: 1200
            }
        );
        said.note("info depth 7 score mate -3");
        assert_eq!((said.eval, said.depth), (Some(Eval::Mate(-3)), 7));
        said.note("info score cp");
        said.note("info score");
        assert_eq!(said.eval, Some(Eval::Mate(-3)));
    }
}
