//! What an engine reports while it searches: `info` lines of UCI, thinking output of CECP.

use crate::game::Eval;

/// CECP's score of a mate in `n` moves is this plus `n`, of being mated its negative.
const MATE: i32 = 100_000;
const MATED: i32 = -MATE;

/// Search statistics reported by a player; of a program, the last values.
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
    /// Updates the values from an `info` line. Lines of the second and further variations
    /// (`multipv`) are ignored.
    pub fn update_uci(&mut self, line: &str) {
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

    /// Updates the values from a line of CECP's thinking output: depth, score, time and nodes,
    /// which may be followed by the selective depth, speed and table hits and a tab, then the
    /// variation. Any other line is ignored.
    pub fn update_cecp(&mut self, line: &str) {
        // Without a tab, what follows the nodes belongs to the variation.
        let (numbers, has_tab) = match line.split_once('\t') {
            Some((numbers, _)) => (numbers, true),
            None => (line, false),
        };
        let words: Vec<&str> = numbers.split_whitespace().collect();
        let [depth, score, time, nodes, ..] = words[..] else {
            return;
        };
        // GNU Chess and others mark the depth: `9.`, `9&`.
        let depth = depth.trim_end_matches(|c: char| !c.is_ascii_digit()).parse();
        let (Ok(depth), Ok(score), Ok(nodes)) = (depth, score.parse::<i32>(), nodes.parse()) else {
            return;
        };
        if time.parse::<f64>().is_err() {
            return;
        }
        self.nodes = nodes;
        // A bound is not a value.
        if line.ends_with(" !") || line.ends_with(" ?") {
            return;
        }
        self.depth = depth;
        self.eval = Some(match score {
            MATE.. => Eval::Mate((score - MATE).max(1)),
            ..=MATED => Eval::Mate((score + MATE).min(-1)),
            _ => Eval::Centipawns(score),
        });
        if let Some(seldepth) = words.get(4).filter(|_| has_tab).and_then(|word| word.parse().ok()) {
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
        info.update_uci("info depth 5 seldepth 9 multipv 1 score cp -31 nodes 900 nps 1 pv e2e4 depth");
        info.update_uci("info depth 6 score cp 500 lowerbound nodes 1000");
        info.update_uci("info depth 6 multipv 2 score cp 700 nodes 1100");
        info.update_uci("info string score mate 1");
        info.update_uci("info depth 6 currmove e2e4 nodes 1200");
        assert_eq!(info, ReportedInfo { eval: Some(Eval::Centipawns(-31)), depth: 5, seldepth: 9, nodes: 1200 });
        info.update_uci("info depth 7 score mate -3");
        assert_eq!((info.eval, info.depth), (Some(Eval::Mate(-3)), 7));
        info.update_uci("info score cp");
        info.update_uci("info score");
        assert_eq!(info.eval, Some(Eval::Mate(-3)));
    }

    #[test]
    fn reads_thinking_output() {
        let after = |line: &str| {
            let mut info = ReportedInfo::default();
            info.update_cecp(line);
            (info.depth, info.eval, info.nodes, info.seldepth)
        };
        let cp = |value| Some(Eval::Centipawns(value));
        assert_eq!(after("9 156 1084 48000 14 4428 0\tf2g3 e7d6"), (9, cp(156), 48_000, 14));
        assert_eq!(after("  8     -51     9    26766  e7-e5  Nb1-c3"), (8, cp(-51), 26_766, 0));
        assert_eq!(after("5. +15 3 17318 1. ...  d5 2. Nc3"), (5, cp(15), 17_318, 0));
        assert_eq!(after("7& 100003 3 20\tf2g3"), (7, Some(Eval::Mate(3)), 20, 0));
        assert_eq!(after("7 -100002 3 20 f2g3"), (7, Some(Eval::Mate(-2)), 20, 0));
        assert_eq!(after("7 30 3 20 f2g3 !"), (0, None, 20, 0));
        for other in
            ["1. e2e4", "1. ... d7d5", "2 knights are worth more", "7 30 3", "7 x 3 20 e4", "9999999999999 1 1 1", ""]
        {
            assert_eq!(after(other), (0, None, 0, 0), "{other}");
        }
    }
}
