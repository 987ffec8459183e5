//! What programs write about moves into PGN comments.
//!
//! * Assay, cutechess and fastchess: the mover's evaluation in pawns, depth, and time or nodes: `+0.35/12 1.204s, n=4000, sd=20`,
//!   `-M5/20 0.01s`, `+0.35/9 2000n`.
//! * lichess: White's evaluation of the position after the move, and the mover's clock: `[%eval 0.35] [%clk 0:03:00]`, `[%eval #-3]`.
//! * Time of the move: `[%emt 0:00:05]`.
//! * OpenBench: the mover's evaluation, depth and selective depth, milliseconds, nodes:
//!   `+0.57 17/28 583 363004`.
//! * TCEC: depth, selective depth, milliseconds, nodes and the evaluation from White's point of
//!   view: `d=39, sd=53, mt=84000, n=2100394, wv=0.80, pv=...`.

use crate::game::Eval;

/// What a comment says about its move. All numbers are 0 or `None` if they are missing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct MoveReport {
    /// From the mover's point of view, of the position before the move.
    pub(super) eval: Option<Eval>,
    /// The same from White's point of view.
    pub(super) white_eval: Option<Eval>,
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
        let first = words.next().unwrap_or_default();
        if first.starts_with("d=") {
            return self.read_tcec(comment);
        }
        let Some((eval, depth)) = first.split_once('/') else {
            return self.read_openbench(first, words);
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

impl MoveReport {
    fn read_tcec(&mut self, comment: &str) {
        let fields = comment.split([',', ';']).filter_map(|field| field.trim().split_once('='));
        for (name, value) in fields {
            match name {
                "d" => self.depth = value.parse().unwrap_or(self.depth),
                "sd" => self.seldepth = value.parse().unwrap_or(self.seldepth),
                "mt" => self.time_ms = value.parse().ok().or(self.time_ms),
                "n" => self.nodes = value.parse().unwrap_or(self.nodes),
                "wv" => self.white_eval = read_eval(value).or(self.white_eval),
                _ => {}
            }
        }
    }

    /// Reads `+0.57 17/28 583 363004`.
    fn read_openbench<'t>(&mut self, eval: &str, mut words: impl Iterator<Item = &'t str>) {
        let depths = words.next().and_then(|depths| depths.split_once('/'));
        let (Some(eval), Some((depth, seldepth))) = (read_eval(eval), depths) else {
            return;
        };
        let mut number = || words.next()?.parse::<u64>().ok();
        let (Ok(depth), Ok(seldepth), Some(time_ms), Some(nodes)) =
            (depth.parse(), seldepth.parse(), number(), number())
        else {
            return;
        };
        (self.eval, self.depth, self.seldepth) = (Some(eval), depth, seldepth);
        (self.time_ms, self.nodes) = (Some(time_ms), nodes);
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
            (
                "+0.57 17/28 583 363004",
                MoveReport { eval: cp(57), depth: 17, seldepth: 28, nodes: 363_004, time_ms: Some(583), ..none },
            ),
            (
                "d=39, sd=53, mt=84000, tl=7116000, s=24, n=2100394, pv=Nf3 d=5, wv=0.80, ",
                MoveReport {
                    depth: 39,
                    seldepth: 53,
                    nodes: 2_100_394,
                    time_ms: Some(84_000),
                    white_eval: cp(80),
                    ..none
                },
            ),
            (
                "d=39, mt=84, wv=-0.80, R50=49, pv=Nf3 d5,",
                MoveReport { depth: 39, time_ms: Some(84), white_eval: cp(-80), ..none },
            ),
            (
                "d=1, sd=1, mt=0, tl=1, n=0, wv=M7, ",
                MoveReport { depth: 1, seldepth: 1, time_ms: Some(0), white_eval: Some(Eval::Mate(7)), ..none },
            ),
            ("+0.57 moves 17/28 583", none),
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
