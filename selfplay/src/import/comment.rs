//! What programs write about moves into PGN comments.
//!
//! * Assay, cutechess and fastchess: the mover's evaluation in pawns, depth, and time or nodes: `+0.35/12 1.204s, n=4000, sd=20`,
//!   `-M5/20 0.01s`, `+0.35/9 2000n`.
//! * lichess: White's evaluation of the position after the move, and the mover's clock: `[%eval 0.35] [%clk 0:03:00]`, `[%eval #-3]`.
//! * Time of the move: `[%emt 0:00:05]`.

use crate::game::Eval;

/// What a comment says about its move. All numbers are 0 or `None` if they are missing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct MoveReport {
    /// From the mover's point of view, of the position before the move.
    pub(super) eval: Option<Eval>,
    pub(super) depth: u32,
    pub(super) seldepth: u32,
    pub(super) nodes: u64,
    pub(super) time_ms: Option<u64>,
    /// From White's point of view, of the position after the move.
    pub(super) eval_after: Option<Eval>,
}

impl MoveReport {
    /// Adds what another comment on the same move says.
    pub(super) fn read(&mut self, comment: &str) {
        for command in comment.split("[%").skip(1) {
            let command = command.split(']').next().unwrap_or_default();
            match command.split_once(char::is_whitespace) {
                Some(("eval", value)) => {
                    // A depth may follow: `0.35,20`.
                    let value = value.trim().split(',').next().unwrap_or_default();
                    self.eval_after = read_eval(value).or(self.eval_after);
                }
                Some(("emt", value)) => self.time_ms = read_clock(value.trim()).or(self.time_ms),
                _ => {}
            }
        }
        let mut words = comment.split([' ', ',', '\t', '\n', '\r']).filter(|word| !word.is_empty());
        let Some((eval, depth)) = words.next().and_then(|first| first.split_once('/')) else {
            return;
        };
        let (Ok(depth), eval) = (depth.parse(), read_eval(eval)) else {
            return;
        };
        (self.eval, self.depth) = (eval, depth);
        for word in words {
            let number = |name: &str| word.strip_prefix(name)?.parse::<u64>().ok();
            if let Some(nodes) = number("n=").or_else(|| word.strip_suffix('n')?.parse().ok()) {
                self.nodes = nodes;
            } else if let Some(depth) = number("sd=") {
                self.seldepth = u32::try_from(depth).unwrap_or(0);
            } else if let Some(seconds) = word.strip_suffix('s') {
                self.time_ms = read_seconds(seconds).or(self.time_ms);
            }
        }
    }
}

/// `+0.35`, `-12`, `+M5`, `#-3`.
fn read_eval(text: &str) -> Option<Eval> {
    let (sign, size) = match text.as_bytes().first()? {
        b'-' => (-1, &text[1..]),
        b'+' => (1, &text[1..]),
        _ => (1, text),
    };
    if let Some(moves) = size.strip_prefix(['M', '#']) {
        return Some(Eval::Mate(sign * moves.parse::<i32>().ok()?));
    }
    if !size.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let pawns: f64 = size.parse().ok().filter(|pawns| *pawns < 1e6)?;
    Some(Eval::Centipawns(sign * (100.0 * pawns).round() as i32))
}

/// Seconds, of less than a year, in milliseconds.
fn read_seconds(text: &str) -> Option<u64> {
    let seconds: f64 = text.parse().ok().filter(|seconds| (0.0..3e7).contains(seconds))?;
    Some((1_000.0 * seconds).round() as u64)
}

/// `0:03:00` or `0:00:05.2` in milliseconds.
fn read_clock(text: &str) -> Option<u64> {
    let mut parts = text.rsplit(':');
    let seconds = read_seconds(parts.next()?)?;
    let units = [60_000, 3_600_000];
    parts.zip(units).try_fold(seconds, |sum, (part, unit)| Some(sum + u64::from(part.parse::<u32>().ok()?) * unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_the_programs_write() {
        let none = MoveReport::default();
        let cp = |value| Some(Eval::Centipawns(value));
        for (text, expected) in [
            ("+0.35/12 1.204s", MoveReport { eval: cp(35), depth: 12, time_ms: Some(1_204), ..none }),
            (
                "-M5/20 0.01s, White mates",
                MoveReport { eval: Some(Eval::Mate(-5)), depth: 20, time_ms: Some(10), ..none },
            ),
            ("0.00/9 2000n", MoveReport { eval: cp(0), depth: 9, nodes: 2_000, ..none }),
            (
                "-1.50/9 0.25s, n=77, sd=14, nps=308",
                MoveReport { eval: cp(-150), depth: 9, seldepth: 14, nodes: 77, time_ms: Some(250), ..none },
            ),
            ("/7 1s", MoveReport { depth: 7, time_ms: Some(1_000), ..none }),
            ("[%eval 0.35] [%clk 0:03:00]", MoveReport { eval_after: cp(35), ..none }),
            (
                "[%eval #-3,18][%emt 1:00:05.5]",
                MoveReport { eval_after: Some(Eval::Mate(-3)), time_ms: Some(3_605_500), ..none },
            ),
            ("book", none),
            ("better was Nf3, 1/2 point", none),
            ("", none),
            ("1e99/3 1e99s", MoveReport { depth: 3, ..none }),
            ("NaN/5 -1s", MoveReport { depth: 5, ..none }),
        ] {
            let mut report = none;
            report.read(text);
            assert_eq!(report, expected, "{text}");
        }
    }
}
