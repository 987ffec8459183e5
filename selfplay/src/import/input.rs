//! Texts of single games from a file, which may be compressed. Memory is bounded whatever the file
//! holds.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use assay_engine::file::check_regular;

use crate::compressed::{BUFFER, decompressed};

/// The longest text of a game, in bytes. Long annotated games have a tenth of it.
pub(super) const MAX_GAME: usize = 1 << 20;

/// The decompressed text of a file, or of standard input for `-`. `read` counts the bytes of the
/// file.
pub(super) fn open(path: &Path, read: &Arc<AtomicU64>) -> io::Result<Box<dyn BufRead>> {
    let source: Box<dyn Read> = if path == Path::new("-") {
        Box::new(io::stdin())
    } else {
        check_regular(path)?;
        Box::new(File::open(path)?)
    };
    let count = Arc::clone(read);
    decompressed(Counted { source: BufReader::with_capacity(BUFFER, source), count })
}

/// Counts bytes as they are used: what is read ahead may be a whole compressed file.
struct Counted {
    source: BufReader<Box<dyn Read>>,
    count: Arc<AtomicU64>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

impl BufRead for Counted {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.source.fill_buf()
    }

    fn consume(&mut self, used: usize) {
        self.count.fetch_add(used as u64, Ordering::Relaxed);
        self.source.consume(used);
    }
}

/// The text from the first line of a game up to that of the next one.
#[derive(Debug)]
pub(super) struct GameText {
    /// Number of its first line, counted from 1.
    pub(super) line: u64,
    /// The text; without its end if it is too long.
    pub(super) bytes: Vec<u8>,
    pub(super) is_too_long: bool,
    /// Whether the file ends with it.
    pub(super) is_last: bool,
}

/// Splits a text into those of its games.
pub(super) struct GameTexts<'h, S> {
    source: S,
    hasher: &'h mut blake3::Hasher,
    /// Number of the current line, counted from 1.
    line_number: u64,
    /// The current line, if it begins the next game.
    line: Vec<u8>,
    is_pending: bool,
    line_is_too_long: bool,
}

impl<'h, S: BufRead> GameTexts<'h, S> {
    /// Reads from the beginning of a file; `hasher` hashes the text.
    pub(super) fn new(source: S, hasher: &'h mut blake3::Hasher) -> GameTexts<'h, S> {
        GameTexts { source, hasher, line_number: 0, line: Vec::new(), is_pending: false, line_is_too_long: false }
    }

    /// The next game; `None` at the end.
    pub(super) fn next_game(&mut self) -> io::Result<Option<GameText>> {
        let mut scan = Scan::default();
        let mut game = GameText { line: 0, bytes: Vec::new(), is_too_long: false, is_last: false };
        loop {
            if !std::mem::take(&mut self.is_pending) && !self.read_line()? {
                game.is_last = true;
                break;
            }
            if game.bytes.is_empty() {
                if self.line.trim_ascii().is_empty() {
                    continue;
                }
                game.line = self.line_number;
            } else if scan.begins_game(&self.line) {
                self.is_pending = true;
                break;
            }
            let room = MAX_GAME - game.bytes.len();
            game.is_too_long |= self.line_is_too_long || self.line.len() > room;
            game.bytes.extend(&self.line[..self.line.len().min(room)]);
            if scan.ends_game(&self.line) {
                break;
            }
        }
        Ok((!game.bytes.is_empty()).then_some(game))
    }

    /// Reads a line with its end, as much of it as a game may have; returns false at the end of the
    /// file.
    fn read_line(&mut self) -> io::Result<bool> {
        self.line.clear();
        self.line_is_too_long = false;
        let mut is_read = false;
        loop {
            let buffer = self.source.fill_buf()?;
            if buffer.is_empty() {
                break;
            }
            let newline = buffer.iter().position(|&byte| byte == b'\n');
            let part = &buffer[..newline.map_or(buffer.len(), |at| at + 1)];
            let room = MAX_GAME - self.line.len();
            self.line.extend(&part[..part.len().min(room)]);
            self.line_is_too_long |= part.len() > room;
            self.hasher.update(part);
            is_read = true;
            let length = part.len();
            self.source.consume(length);
            if newline.is_some() {
                break;
            }
        }
        self.line_number += u64::from(is_read);
        if self.line_number == 1 && self.line.starts_with(b"\xef\xbb\xbf") {
            self.line.drain(..3);
        }
        Ok(is_read)
    }
}

/// What the lines of a game contain so far.
#[derive(Default)]
struct Scan {
    has_event: bool,
    has_moves: bool,
    in_comment: bool,
    /// Open variations.
    depth: usize,
}

impl Scan {
    /// Returns true if a line begins the next game: a tag after moves, or a second `Event` tag, by
    /// which a comment or a game that was cut off ends, too.
    fn begins_game(&self, line: &[u8]) -> bool {
        let line = line.trim_ascii_start();
        let is_tag = line.starts_with(b"[");
        let is_event = line.starts_with(b"[Event ") || line.starts_with(b"[Event\t");
        (is_tag && self.has_moves && !self.in_comment) || (is_event && (self.has_event || self.has_moves))
    }

    /// Looks at a line of the game; returns true if the game ends with it.
    fn ends_game(&mut self, line: &[u8]) -> bool {
        let line = line.trim_ascii();
        if !self.in_comment && (line.starts_with(b"[") || line.starts_with(b"%")) {
            self.has_event |= line.starts_with(b"[Event ") || line.starts_with(b"[Event\t");
            return false;
        }
        for &byte in line {
            match byte {
                b'}' => self.in_comment = false,
                _ if self.in_comment => {}
                b'{' => (self.in_comment, self.has_moves) = (true, true),
                b';' => return false,
                b'(' => self.depth += 1,
                b')' => self.depth = self.depth.saturating_sub(1),
                _ => self.has_moves = true,
            }
        }
        let last = line.rsplit(|&byte| byte == b' ').next().unwrap_or_default();
        let is_marker = [&b"1-0"[..], b"0-1", b"1/2-1/2", b"*"].contains(&last);
        is_marker && !self.in_comment && self.depth == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &[u8]) -> Vec<(u64, String, bool)> {
        let mut hasher = blake3::Hasher::new();
        let mut texts = GameTexts::new(text, &mut hasher);
        let mut games = Vec::new();
        while let Some(game) = texts.next_game().unwrap() {
            let text = String::from_utf8_lossy(&game.bytes).trim().to_owned();
            games.push((game.line, text, game.is_too_long));
        }
        games
    }

    #[test]
    fn games_begin_with_tags_and_end_with_results() {
        let text = "\u{feff}\n[Event \"a\"]\r\n[Round \"1\"]\r\n\r\n1. e4 {one\n[%clk 0:01:00]\n\n} (1. d4 *\n) e5\n*\n\n1. c4 1-0\n1. Nf3\n\
            [White \"b\"]\n\n1. b4 {cut off\n[Event \"c\"]\n\n0-1\n";
        let games = split(text.as_bytes());
        let lines: Vec<u64> = games.iter().map(|game| game.0).collect();
        assert_eq!(lines, [2, 12, 13, 14, 17], "{games:?}");
        assert!(games[0].1.ends_with("e5\n*"), "{games:?}");
        assert_eq!(games[4].1, "[Event \"c\"]\n\n0-1");
        assert!(split(b" \n\n").is_empty());
    }

    #[test]
    fn endless_lines_and_games_are_cut_off() {
        let mut text = b"1. e4 {".to_vec();
        text.resize(3 * MAX_GAME, b'x');
        text.extend(b"} *\n[Event \"b\"]\n\n1. e4 *\n");
        text.extend(b"1. e4 e5\n".repeat(MAX_GAME / 4));
        let games = split(&text);
        assert_eq!(games.len(), 3);
        assert!(games[0].2 && games[0].1.len() <= MAX_GAME);
        assert!(!games[1].2 && games[1].0 == 2);
        assert!(games[2].2 && games[2].1.len() <= MAX_GAME);
    }
}
