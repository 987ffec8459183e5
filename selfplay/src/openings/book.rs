//! Openings from a file: positions, or games that are played to some ply.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use assay_rules::def::builtin_variant;
use assay_rules::pgn::PgnReader;
use assay_rules::{Game, GameDef, Position};
use thiserror::Error;

use crate::seed::Stream;
use crate::tournament::settings::{BookFormat, Order};

/// Why a file of openings cannot be used.
#[derive(Debug, Error)]
pub enum BookError {
    /// It cannot be read.
    #[error("{}: {source}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Something in it is no opening.
    #[error("{}{place}: {why}", .path.display())]
    Opening {
        /// The file.
        path: PathBuf,
        /// Where: `:7` for line 7.
        place: String,
        /// What is wrong.
        why: String,
    },
}

/// Where a game of the match begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Begin {
    /// A position of a game that Assay knows.
    Position(Box<Position>),
    /// What the engines are told.
    Text(String),
}

/// Openings in the order of a file, with their places in it.
#[derive(Clone, Debug)]
pub struct Book {
    openings: Vec<(Begin, String)>,
    order: Order,
    start: usize,
    seed: u64,
    fingerprint: String,
}

impl Book {
    /// Reads a file. Without a game (`None`) the positions are taken as they are.
    ///
    /// # Errors
    /// When it cannot be read, or something in it is no opening of the game.
    pub fn read(
        path: &Path,
        format: BookFormat,
        plies: Option<usize>,
        game: Option<&Arc<GameDef>>,
        (order, start, seed): (Order, usize, u64),
    ) -> Result<Book, BookError> {
        let bytes = std::fs::read(path).map_err(|source| BookError::Read {
            path: path.to_owned(),
            source,
        })?;
        let fault = |place: String, why: String| BookError::Opening {
            path: path.to_owned(),
            place,
            why,
        };
        let text =
            String::from_utf8(bytes).map_err(|_| fault(String::new(), "the file is no UTF-8 text".to_owned()))?;
        let openings = match (format, game) {
            (BookFormat::Epd, _) => read_epd(&text, game).map_err(|(line, why)| fault(format!(":{line}"), why))?,
            (BookFormat::Pgn, Some(game)) => read_pgn(&text, game, plies).map_err(|why| fault(String::new(), why))?,
            (BookFormat::Pgn, None) => {
                let why = "a PGN file can be read only for a game that Assay knows; expected format=epd".to_owned();
                return Err(fault(String::new(), why));
            }
        };
        if openings.is_empty() {
            return Err(fault(String::new(), "found no openings".to_owned()));
        }
        if start > openings.len() {
            let why = format!("found {} openings, expected at least start={start}", openings.len());
            return Err(fault(String::new(), why));
        }
        let hash = blake3::hash(text.as_bytes()).to_hex();
        Ok(Book {
            openings,
            order,
            start: start.saturating_sub(1),
            seed,
            fingerprint: format!(" ({})", &hash[..12]),
        })
    }

    /// A mark of what the file holds.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// How many openings there are.
    #[expect(clippy::len_without_is_empty, reason = "a book without openings cannot be read")]
    pub fn len(&self) -> usize {
        self.openings.len()
    }

    /// The opening of a round, with its place in the file.
    pub fn opening(&self, round: u64) -> (Begin, String) {
        let count = self.openings.len() as u64;
        let number = round + self.start as u64;
        let at = match self.order {
            Order::Sequential => (number % count) as usize,
            Order::Random => {
                Stream::book(self.seed, number / count).order(self.openings.len())[(number % count) as usize]
            }
        };
        self.openings[at].clone()
    }
}

fn read_epd(text: &str, game: Option<&Arc<GameDef>>) -> Result<Vec<(Begin, String)>, (usize, String)> {
    let mut openings = Vec::new();
    let lines = text.strip_prefix('\u{feff}').unwrap_or(text).lines().zip(1..);
    for (line, number) in lines.filter(|(line, _)| !line.trim().is_empty() && !line.starts_with('#')) {
        let fields: Vec<&str> = line.split(';').next().unwrap_or_default().split_whitespace().collect();
        let counts = fields
            .get(4..6)
            .is_some_and(|counts| counts.iter().all(|count| count.parse::<u32>().is_ok()));
        let fen = match fields.as_slice() {
            [_, _, _, _, _, _, ..] if counts => fields[..6].join(" "),
            // EPD proper has operations in place of the counters.
            [_, _, _, _, ..] => fields[..4].join(" ") + " 0 1",
            _ => return Err((number, format!("found {} fields, expected a FEN", fields.len()))),
        };
        let begin = match game {
            None => Begin::Text(fen),
            Some(game) => {
                let position = Position::from_fen(game, &fen).map_err(|error| (number, error.to_string()))?;
                if let Some(outcome) = Game::new(position.clone()).outcome() {
                    return Err((number, format!("the game is over there ({})", outcome.termination)));
                }
                Begin::Position(Box::new(position))
            }
        };
        openings.push((begin, format!("line {number}")));
    }
    Ok(openings)
}

fn read_pgn(text: &str, game: &Arc<GameDef>, plies: Option<usize>) -> Result<Vec<(Begin, String)>, String> {
    let resolve = |name: &str| {
        if name == game.name {
            Some(Arc::clone(game))
        } else {
            builtin_variant(name)
        }
    };
    let mut openings = Vec::new();
    for (read, number) in PgnReader::new(text, game, resolve).zip(1..) {
        let read = read.map_err(|error| format!("game {number}: {error}"))?;
        if read.game().name != game.name {
            return Err(format!(
                "game {number}: found {}, expected {}",
                read.game().name,
                game.name
            ));
        }
        let mut replayed = Game::new(read.start().clone());
        for &mv in read.moves().iter().take(plies.unwrap_or(usize::MAX)) {
            replayed.play(mv);
        }
        if let Some(outcome) = replayed.outcome() {
            return Err(format!("game {number}: it is over there ({})", outcome.termination));
        }
        openings.push((
            Begin::Position(Box::new(replayed.position().clone())),
            format!("game {number}"),
        ));
    }
    Ok(openings)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn book(text: &str, format: BookFormat, order: Order) -> Result<Book, BookError> {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        let chess = GameDef::builtin("chess").unwrap();
        Book::read(file.path(), format, Some(2), Some(&chess), (order, 1, 7))
    }

    const EPD: &str = "# three\n\
        rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1;variant chess\n\
        rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - hmvc 0; fmvn 1;\n\
        \n\
        rnbqkbnr/pppppppp/8/8/2P5/8/PP1PPPPP/RNBQKBNR b KQkq -\n";

    #[test]
    fn positions_are_read_in_order() {
        let book = book(EPD, BookFormat::Epd, Order::Sequential).unwrap();
        let places: Vec<String> = (0..4).map(|round| book.opening(round).1).collect();
        assert_eq!(places, ["line 2", "line 3", "line 5", "line 2"]);
    }

    #[test]
    fn random_order_uses_each_opening_once() {
        let book = book(EPD, BookFormat::Epd, Order::Random).unwrap();
        for cycle in 0..5 {
            let mut places: Vec<String> = (0..3).map(|at| book.opening(3 * cycle + at).1).collect();
            places.sort();
            assert_eq!(places, ["line 2", "line 3", "line 5"]);
        }
    }

    #[test]
    fn games_are_played_to_a_ply() {
        let book = book("1. e4 e5 2. Nf3 *\n\n1. d4 *\n", BookFormat::Pgn, Order::Sequential).unwrap();
        assert_eq!(book.len(), 2);
        let (Begin::Position(position), place) = book.opening(0) else {
            panic!()
        };
        assert_eq!(
            (position.fen().as_str(), place.as_str()),
            ("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", "game 1")
        );
    }

    #[test]
    fn what_is_no_opening_is_refused_with_its_place() {
        let refused = |text| book(text, BookFormat::Epd, Order::Sequential).unwrap_err().to_string();
        assert!(refused("").ends_with(": found no openings"));
        assert!(refused("\nhello\n").ends_with(":2: found 1 fields, expected a FEN"));
        assert!(refused("7k/5KQ1/8/8/8/8/8/8 b - - 0 1").ends_with(":1: the game is over there (checkmate)"));
        assert!(refused("9/8/8/8/8/8/8/8 w - - 0 1").contains(":1: FEN column 1"));
    }
}
