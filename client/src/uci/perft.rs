//! The answer to `go perft`: a line for each root move and a total, in the formats of many engines.

use assay_rules::text::excerpt;

use super::UciEngine;
use crate::connection::{EngineError, Wait};

/// Counts of leaf nodes by root move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PerftAnswer {
    /// Root moves in lower case with their counts, sorted.
    pub moves: Vec<(String, u64)>,
    /// The total that the engine printed.
    pub total: u64,
}

impl PerftAnswer {
    /// Sum of the counts of the moves. It may differ from the printed total.
    pub fn sum(&self) -> u64 {
        self.moves.iter().map(|(_, count)| count).sum()
    }

    /// Reads a line of the answer to `go perft DEPTH`. Returns true at its end, the total.
    ///
    /// A root move is a line such as `e2e4: 20`, `e2e4 20`, `e2e4 - 20` or `1. e2e4: 20`; the total
    /// is `Nodes searched: 400`, `Total: 400`, `nodes 400` or `perft 2 = 400`. Other lines say
    /// something else, for example the time or the number of moves.
    fn read(&mut self, line: &str, depth: u32) -> Result<bool, EngineError> {
        let line = line.trim();
        let words: Vec<&str> = line
            .split(|c: char| c.is_whitespace() || c == ':')
            .filter(|word| !matches!(*word, "" | "-" | "=" | "->"))
            .collect();
        if words.first() == Some(&"info") {
            return Ok(false);
        }
        let is_number = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '(' | '[' | '#'));
        // The number of the line.
        let words = &words[usize::from(words.first().is_some_and(is_number))..];
        let fault = |why: String| EngineError::Unusable(format!("go perft {depth}: found {why}"));
        let malformed = || {
            fault(format!(
                "`{}`, expected a move and its count, such as `e2e4: 20`, or a total, such as `Nodes searched: 400`",
                excerpt(line)
            ))
        };
        if let Some(mv) = words.first().filter(|word| is_move(word)) {
            let [_, count] = words else { return Err(malformed()) };
            // The sum must be a number, too.
            let is_in_range = |count: &u64| self.sum().checked_add(*count).is_some();
            let count = parse_count(count).filter(is_in_range).ok_or_else(malformed)?;
            // Only drops have a letter in upper case.
            let mv = if mv.contains('@') { (*mv).to_owned() } else { mv.to_ascii_lowercase() };
            self.moves.push((mv, count));
            return Ok(false);
        }
        let Some(label) = total_label(words, depth) else {
            return Ok(false);
        };
        let total = words.get(label).and_then(|word| parse_count(word));
        self.total = total.ok_or_else(malformed)?;
        if self.moves.is_empty() && self.total > 0 {
            let total = self.total;
            let why = format!("the total {total} without moves, expected a line such as `e2e4: 20` for each move");
            return Err(fault(why));
        }
        self.moves.sort();
        Ok(true)
    }
}

fn parse_count(word: &str) -> Option<u64> {
    word.parse().ok().filter(|_| word.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Returns true for a word that begins with two squares, and for a drop such as `P@e4` or `+R@a1`.
fn is_move(word: &str) -> bool {
    let after_square = |text: &str| -> Option<usize> {
        let digits = text.strip_prefix(|c: char| c.is_ascii_alphabetic())?;
        let rank = digits.bytes().take_while(u8::is_ascii_digit).count();
        (1..=2).contains(&rank).then_some(1 + rank)
    };
    let square = |text: &str| after_square(text).map(|end| text[end..].to_owned());
    word.trim_start_matches('+').get(1..2) == Some("@") || square(word).is_some_and(|rest| square(&rest).is_some())
}

/// Number of words before the number, if the line is a total.
fn total_label(words: &[&str], depth: u32) -> Option<usize> {
    let is = |index: usize, known: &[&str]| {
        let word = words.get(index).copied().unwrap_or_default();
        known.iter().any(|known| word.eq_ignore_ascii_case(known))
    };
    let mut label = usize::from(is(0, &["total", "leaf"]));
    let is_total = label == 1 && !is(2, &["move", "moves"]);
    if is(label, &["node", "nodes", "leaves"]) {
        label += 1 + usize::from(is(label + 1, &["searched", "visited", "counted"]));
        return words.get(label).is_some_and(|word| parse_count(word).is_some() || label > 1).then_some(label);
    }
    if is_total && words.get(1).is_some_and(|word| parse_count(word).is_some()) {
        return Some(1);
    }
    (is(0, &["perft"]) && words.get(1).is_some_and(|word| *word == depth.to_string())).then_some(2)
}

impl UciEngine {
    /// Counts the leaf nodes below each root move of the current position with `go perft`.
    ///
    /// # Errors
    /// If the engine exits, does not answer in time, or prints something that cannot be read. That
    /// the counts are right, or add up to the total, is left to the caller.
    pub fn perft(&mut self, depth: u32, wait: Wait<'_>) -> Result<PerftAnswer, EngineError> {
        // Discards what an engine prints after a total.
        self.wait_ready(wait)?;
        let mut answer = PerftAnswer::default();
        let mut failure = None;
        let result = self.connection.query(&format!("go perft {depth}"), wait, |line| {
            answer.read(line, depth).unwrap_or_else(|error| {
                failure = Some(error);
                true
            })
        });
        match (result, failure) {
            (_, Some(error)) => Err(error),
            (Err(EngineError::Timeout { command, timeout }), None) if !answer.moves.is_empty() => {
                let why = format!(
                    "no end of the answer to `{command}` within {} s: found counts of moves, expected also a total, such as \
                     `Nodes searched: 400`",
                    timeout.as_secs_f64()
                );
                Err(EngineError::Unusable(why))
            }
            (result, None) => result.map(|()| answer),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<PerftAnswer, String> {
        let mut answer = PerftAnswer::default();
        for line in text.lines() {
            if answer.read(line, 2).map_err(|error| error.to_string())? {
                return Ok(answer);
            }
        }
        Err("no total".to_owned())
    }

    #[test]
    fn every_format_reads_alike() {
        let expected = PerftAnswer {
            moves: vec![("a1b1".to_owned(), 3), ("a7a8q".to_owned(), 20), ("j10a0".to_owned(), 7)],
            total: 30,
        };
        for text in [
            "j10a0: 7\na7a8q: 20\na1b1: 3\n\nNodes searched: 30",
            "a1b1 3\na7a8q 20\nj10a0 7\n\nNodes searched  : 30",
            "a1b1 - 3\na7a8Q - 20\nj10a0 - 7\ntotal 30",
            "\n\na1b1:3\n\ta7a8Q :\t20\nj10a0 : 7\n\nTotal: 30 nodes",
            "1. a1b1: 3\n2. a7a8q: 20\n10. j10a0: 7\nMoves: 3\nNodes: 30",
            "1 a1b1 3\n2 a7a8q 20\n3 j10a0 7\nTime 5\nTotal nodes: 30 (5 ms)",
            "1) A1B1 = 3\n2) A7A8Q = 20\n3) J10A0 = 7\nTotal moves: 3\nperft 1 = 3\nperft 2 = 30",
            "[1] a1b1 -> 3\n[2] a7a8q -> 20\n[3] j10a0 -> 7\nleaf nodes 30",
            "info string counting\na1b1: 3\ninfo depth 1 nodes 12 time 3\na7a8q: 20\nNodes/s: 12\nj10a0: 7\nNodes visited = 30",
            "Perft from FEN\na1b1: 3\na7a8q: 20\nj10a0: 7\nMoves: 3\nTotal time: 12\nNodes per second: 9\nTotal: 30",
        ] {
            assert_eq!(read(text).as_ref(), Ok(&expected), "{text}");
        }
        assert_eq!(read("\nNodes searched: 0"), Ok(PerftAnswer::default()));
    }

    #[test]
    fn drops_are_moves_also_of_promoted_pieces() {
        for word in ["P@e4", "+R@a1", "h2h3+", "a1b1"] {
            assert!(is_move(word), "{word}");
        }
        assert!(!is_move("+1") && !is_move("Nodes"));
    }

    #[test]
    fn lines_that_cannot_be_read_are_errors() {
        for (text, line) in [
            ("a1b1: x\nNodes searched: 1", "a1b1: x"),
            ("a1b1: -1\nNodes searched: 1", "a1b1: -1"),
            ("a1b1: +1\nNodes searched: 1", "a1b1: +1"),
            ("a1b1\nNodes searched: 1", "a1b1"),
            ("a1b1: 1 2\nNodes searched: 1", "a1b1: 1 2"),
            ("a1b1: 18446744073709551616", "a1b1: 18446744073709551616"),
            ("a1b1: 1\nb1c1: 18446744073709551615", "b1c1: 18446744073709551615"),
            ("a1b1: 1\nNodes searched: many", "Nodes searched: many"),
        ] {
            let expected = format!(
                "go perft 2: found `{line}`, expected a move and its count, such as `e2e4: 20`, or a total, such as `Nodes searched: 400`"
            );
            assert_eq!(read(text), Err(expected), "{text}");
        }
        let error = read("Nf3: 20\nNodes searched: 20").unwrap_err();
        assert_eq!(
            error,
            "go perft 2: found the total 20 without moves, expected a line such as `e2e4: 20` for each move"
        );
    }
}
