//! `info` lines that an engine prints while it searches.

use crate::game::Eval;

/// Search statistics reported by a player; of a UCI engine, the last values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReportedInfo {
    /// Evaluation from the side to move's point of view, if reported.
    pub eval: Option<Eval>,
    /// Depth in plies; 0 if not reported.
    pub depth: u32,
    /// Selective depth in plies; 0 if not reported, as by the built-in players.
    pub seldepth: u32,
    /// Nodes searched; 0 if not reported.
    pub nodes: u64,
}

impl ReportedInfo {
    /// Updates the values from an `info` line. Lines of the second and further variations (`multipv`) are ignored.
    pub fn update(&mut self, line: &str) {
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
        // A bound is not a value.
        if words.contains(&"lowerbound") || words.contains(&"upperbound") {
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
        if let Some(seldepth) = after("seldepth").and_then(|word| word.parse().ok()) {
            self.seldepth = seldepth;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_last_exact_score() {
        let mut info = ReportedInfo::default();
        info.update("info depth 5 seldepth 9 multipv 1 score cp -31 nodes 900 nps 1 pv e2e4 depth");
        info.update("info depth 6 score cp 500 lowerbound nodes 1000");
        info.update("info depth 6 multipv 2 score cp 700 nodes 1100");
        info.update("info string score mate 1");
        info.update("info depth 6 currmove e2e4 nodes 1200");
        assert_eq!(
            info,
            ReportedInfo {
                eval: Some(Eval::Centipawns(-31)),
                depth: 5,
                seldepth: 9,
                nodes: 1200
            }
        );
        info.update("info depth 7 score mate -3");
        assert_eq!((info.eval, info.depth), (Some(Eval::Mate(-3)), 7));
        info.update("info score cp");
        info.update("info score");
        assert_eq!(info.eval, Some(Eval::Mate(-3)));
    }
}
