//! Input lines of both protocols.

use std::io::{self, BufRead, Read};

use thiserror::Error;

/// Maximum length of a line in bytes: a `position` command with 200,000 moves.
const MAX_LINE: usize = 1 << 20;

#[derive(Debug, Error)]
pub(super) enum InputError {
    #[error("line {number}: found {found}, expected a command; the line is ignored")]
    Line { number: usize, found: String },
    #[error(transparent)]
    Read(#[from] io::Error),
}

/// The lines of an input, without line ends and without a byte order mark at the start.
pub(super) struct InputLines<R> {
    input: R,
    /// Number of the last line, from 1.
    number: usize,
}

impl<R: BufRead> InputLines<R> {
    pub(super) fn new(input: R) -> InputLines<R> {
        InputLines { input, number: 0 }
    }

    fn read_line(&mut self) -> Result<Option<String>, InputError> {
        let mut line = Vec::new();
        let max_read = MAX_LINE as u64 + 1;
        if self.input.by_ref().take(max_read).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        self.number += 1;
        let number = self.number;
        let ignored = |found: &str| InputError::Line { number, found: found.to_owned() };
        if line.len() > MAX_LINE && !line.ends_with(b"\n") {
            self.input.skip_until(b'\n')?;
            return Err(ignored(&format!("more than {MAX_LINE} bytes")));
        }
        let text = String::from_utf8(line).map_err(|_| ignored("bytes that are not UTF-8"))?;
        let text = text.trim_end_matches(['\r', '\n']);
        let is_first = number == 1;
        let text = text.strip_prefix('\u{feff}').filter(|_| is_first).unwrap_or(text);
        Ok(Some(text.to_owned()))
    }
}

impl<R: BufRead> Iterator for InputLines<R> {
    type Item = Result<String, InputError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read_line().transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(input: &[u8]) -> Vec<String> {
        let lines = InputLines::new(input);
        lines.map(|line| line.unwrap_or_else(|error| format!("({error})"))).collect()
    }

    #[test]
    fn skips_byte_order_mark() {
        assert_eq!(lines("\u{feff}uci\r\n\nquit".as_bytes()), ["uci", "", "quit"]);
    }

    #[test]
    fn refuses_lines_that_are_too_long_or_not_utf8() {
        let longest = "x".repeat(MAX_LINE);
        let input = format!("{longest}\ny{longest}{longest}\nuci\nyy{longest}");
        let read = lines(input.as_bytes());
        assert_eq!([read[0].as_str(), read[2].as_str()], [longest.as_str(), "uci"]);
        for (index, number) in [(1, 2), (3, 4)] {
            let start = format!("(line {number}: found more than 1048576 bytes, expected a command");
            assert!(read[index].starts_with(&start), "{}", read[index]);
        }
        let read = lines(b"\xff\xfe\nuci\n");
        assert!(read[0].starts_with("(line 1: found bytes that are not UTF-8"), "{}", read[0]);
        assert_eq!(read[1], "uci");
    }
}
