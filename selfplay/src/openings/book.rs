//! Opening books: files of positions, of games that are played to some ply, or of moves.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use assay_engine::file;
use assay_rules::def::builtin_variant;
use assay_rules::fen::{Epd, FenError};
use assay_rules::pgn::{PgnError, PgnErrorKind, PgnReader};
use assay_rules::starts::StartError;
use assay_rules::text::{excerpt, without_bom};
use assay_rules::{Game, GameDef, Position};
use thiserror::Error;

use super::book_moves::with_moves;
use super::polyglot::PolyglotBook;
use crate::compressed::decompressed;
use crate::seed::{Purpose, Stream};
use crate::settings::{BookFormat, BookOrder, BookSettings};

/// Why an opening book cannot be used: it cannot be read, or an entry is not an opening of the
/// game.
#[derive(Debug, Error)]
#[error("{}{place}: {why}", .path.display())]
pub struct BookError {
    pub path: PathBuf,
    /// The line, as `:7`; empty if there is none.
    pub place: String,
    pub why: String,
}

/// An opening book.
#[derive(Debug)]
pub struct Book {
    content: Content,
    seed: u64,
    /// The first 12 hexadecimal digits of the BLAKE3 hash of the file; `None` without one.
    pub hash: Option<String>,
    /// Warnings about a file that can be used.
    pub warnings: Vec<String>,
}

#[derive(Debug)]
enum Content {
    List(OpeningList),
    Moves(PolyglotBook),
}

impl Book {
    /// Reads a book.
    ///
    /// # Errors
    /// If the file cannot be read or an entry is not an opening of the game.
    pub fn read(settings: &BookSettings, seed: u64, game: &Arc<GameDef>) -> Result<Book, BookError> {
        let path = settings.file.as_path();
        let fault = |place: String, why: String| BookError { path: path.to_owned(), place, why };
        let whole = |why| fault(String::new(), why);
        let unread = |error: io::Error| whole(error.to_string());
        let mut warnings = Vec::new();
        let bytes = read_decompressed(path).map_err(unread)?;
        let (content, hash) = match settings.format {
            BookFormat::Epd => {
                let text = String::from_utf8(bytes).map_err(|_| whole("the file is not UTF-8 text".to_owned()))?;
                let openings = read_epd(path, &text, game, &mut warnings);
                let openings = openings.map_err(|(line, why)| fault(format!(":{line}"), why))?;
                let list = OpeningList::of_book(openings, settings, &mut warnings).map_err(whole)?;
                (Content::List(list), blake3::hash(text.as_bytes()))
            }
            BookFormat::Pgn => {
                let text = pgn_text(bytes);
                let openings = read_pgn(&text, game, settings.plies).map_err(whole)?;
                let list = OpeningList::of_book(openings, settings, &mut warnings).map_err(whole)?;
                (Content::List(list), blake3::hash(text.as_bytes()))
            }
            BookFormat::Polyglot => {
                let book = PolyglotBook::read(&bytes, game, settings.plies).map_err(whole)?;
                (Content::Moves(book), blake3::hash(&bytes))
            }
        };
        Ok(Book { content, seed, hash: Some(hash.to_hex()[..12].to_owned()), warnings })
    }

    /// The game's own starts, as if they were a book.
    ///
    /// # Errors
    /// None, if the definition of the game is valid.
    pub fn starts(order: BookOrder, seed: u64, game: &Arc<GameDef>) -> Result<Book, StartError> {
        let ids = game.starts.iter().map(|start| &start.id);
        let openings = ids.map(|id| Ok((Position::from_start(game, id)?, format!("start {id}"))));
        let openings = openings.collect::<Result<_, StartError>>()?;
        Ok(Book {
            content: Content::List(OpeningList::new(openings, order, 0)),
            seed,
            hash: None,
            warnings: Vec::new(),
        })
    }

    /// The opening of a pair, with its place in the file.
    pub fn opening(&self, pair: u64) -> (Position, String) {
        match &self.content {
            Content::List(list) => list.opening(self.seed, pair),
            Content::Moves(book) => book.opening(&mut Stream::new(Purpose::Book, self.seed, pair)),
        }
    }
}

/// Openings in the order of a file.
#[derive(Debug)]
struct OpeningList {
    /// Each with its place in the file.
    openings: Vec<(Position, String)>,
    order: BookOrder,
    /// The number of the first one used, from 0.
    start: usize,
    /// The last pass through a book in random order, with the order of its openings.
    pass: Mutex<Option<(u64, Arc<[usize]>)>>,
}

impl OpeningList {
    fn of_book(
        openings: Vec<(Position, String)>,
        settings: &BookSettings,
        warnings: &mut Vec<String>,
    ) -> Result<OpeningList, String> {
        if openings.is_empty() {
            return Err("found no openings".to_owned());
        }
        if settings.start > openings.len() {
            let (path, count, start) = (settings.file.display(), openings.len(), settings.start);
            let first = (start - 1) % count + 1;
            warnings.push(format!(
                "{path}: found {count} openings, expected at least start={start}; the first one is number {first}"
            ));
        }
        let start = settings.start.saturating_sub(1) % openings.len();
        Ok(OpeningList::new(openings, settings.order, start))
    }

    fn new(openings: Vec<(Position, String)>, order: BookOrder, start: usize) -> OpeningList {
        OpeningList { openings, order, start, pass: Mutex::new(None) }
    }

    fn opening(&self, seed: u64, pair: u64) -> (Position, String) {
        let count = self.openings.len() as u64;
        let number = pair + self.start as u64;
        let at = match self.order {
            BookOrder::Sequential => (number % count) as usize,
            BookOrder::Random => self.order_of_pass(seed, number / count)[(number % count) as usize],
        };
        self.openings[at].clone()
    }

    /// The order of the openings in a pass through the book. The last one is kept, because
    /// shuffling a large book takes milliseconds.
    fn order_of_pass(&self, seed: u64, pass: u64) -> Arc<[usize]> {
        let mut last = self.pass.lock().unwrap_or_else(PoisonError::into_inner);
        match &*last {
            Some((known, order)) if *known == pass => Arc::clone(order),
            _ => {
                let order = Stream::new(Purpose::Book, seed, pass).order(self.openings.len());
                let order: Arc<[usize]> = order.into();
                *last = Some((pass, Arc::clone(&order)));
                order
            }
        }
    }
}

/// Reads a file, which may be compressed.
fn read_decompressed(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let content = decompressed(io::Cursor::new(file::read(path, file::MAX_FILE)?))?;
    content.take(file::MAX_FILE + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > file::MAX_FILE {
        let text = format!("the content is larger than {} MiB", file::MAX_FILE >> 20);
        return Err(io::Error::new(io::ErrorKind::InvalidData, text));
    }
    Ok(bytes)
}

/// The text of a PGN file without its byte-order mark. The standard prescribes ISO 8859-1, in which
/// each byte is the character of that number; files in UTF-8 are more common.
fn pgn_text(bytes: Vec<u8>) -> String {
    match String::from_utf8(bytes) {
        Ok(text) => without_bom(&text).to_owned(),
        Err(error) => error.as_bytes().iter().copied().map(char::from).collect(),
    }
}

fn read_epd(
    path: &Path,
    text: &str,
    game: &Arc<GameDef>,
    warnings: &mut Vec<String>,
) -> Result<Vec<(Position, String)>, (usize, String)> {
    let mut openings = Vec::new();
    let mut corrected: Vec<(usize, String)> = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let Some(line) = Epd::line(line) else { continue };
        let fault = |error: FenError| (number, error.to_string());
        // As `export --epd` names the game.
        let named = line
            .split(" c")
            .filter_map(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()).strip_prefix(" \"variant "));
        let mut named = named.filter_map(|rest| rest.split('"').next());
        if let Some(name) = named.find(|name| builtin_variant(name).is_some() && !is_name_of(game, name)) {
            let why = format!("found a position of `{}`, expected one of `{}`", excerpt(name), game.name);
            return Err((number, why));
        }
        let epd = Epd::read(game, line).map_err(fault)?;
        check_not_over(&epd.position).map_err(|why| (number, why))?;
        openings.push((epd.position, format!("line {number}")));
        corrected.extend(epd.warnings.into_iter().next().map(|why| (number, why.to_string())));
    }
    if let Some((number, why)) = corrected.first() {
        let more =
            if corrected.len() > 1 { format!(", and {} more lines", corrected.len() - 1) } else { String::new() };
        warnings.push(format!("{}:{number}: {why}{more}", path.display()));
    }
    Ok(openings)
}

fn read_pgn(text: &str, game: &Arc<GameDef>, plies: Option<usize>) -> Result<Vec<(Position, String)>, String> {
    // Games of another variant are not read at all: under the wrong rules, the first error would be
    // some move.
    let resolve = |name: &str| is_name_of(game, name).then(|| Arc::clone(game));
    let mut openings = Vec::new();
    let mut reader = PgnReader::new(text, game, resolve);
    if let Some(plies) = plies {
        reader = reader.with_plies(plies);
    }
    for (read, number) in reader.zip(1..) {
        let read = read.map_err(|error| match error {
            PgnError { line, kind: PgnErrorKind::UnknownVariant { name }, .. } => format!(
                "game {number}: line {line}: tag `Variant`: found `{}`, expected `{}`",
                excerpt(&name),
                game.name
            ),
            error => format!("game {number}: {error}"),
        })?;
        let position = read.end();
        check_not_over(position).map_err(|why| format!("game {number}: {why}"))?;
        let is_whole = *read.start() == Position::start(game);
        let moves = if is_whole { read.moves() } else { &[] };
        openings.push((position.clone(), with_moves(format!("game {number}"), game, moves)));
    }
    Ok(openings)
}

/// Checks that a game can start from a position. Positions before it do not count: repetitions
/// begin with the game.
fn check_not_over(position: &Position) -> Result<(), String> {
    match Game::new(position.clone()).outcome() {
        Some(outcome) => Err(format!("the game is over there ({})", outcome.termination)),
        None => Ok(()),
    }
}

/// Returns true if the value of a `Variant` tag names the game, in any case. For orthodox chess,
/// there are names such as `Standard` and `From Position`.
pub(crate) fn is_name_of(game: &GameDef, name: &str) -> bool {
    let is_same = |known: &str| known.eq_ignore_ascii_case(name.trim());
    is_same(&game.name) || is_same(&game.title) || builtin_variant(name).is_some_and(|known| known.name == game.name)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use crate::settings::OpeningPolicy;

    fn book(text: &str, format: BookFormat, order: BookOrder) -> Result<Book, BookError> {
        book_of_bytes(text.as_bytes(), format, order)
    }

    fn book_of_bytes(bytes: &[u8], format: BookFormat, order: BookOrder) -> Result<Book, BookError> {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(bytes).unwrap();
        let chess = GameDef::builtin("chess").unwrap();
        let settings = BookSettings {
            file: file.path().to_owned(),
            format,
            order,
            start: 1,
            plies: Some(2),
            policy: OpeningPolicy::Round,
        };
        Book::read(&settings, 7, &chess)
    }

    fn list(book: &Book) -> &OpeningList {
        match &book.content {
            Content::List(list) => list,
            Content::Moves(_) => panic!("the book is a list"),
        }
    }

    const EPD: &str = "# three\n\
        rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1;variant chess\n\
        rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - hmvc 0; fmvn 1;\n\
        \n\
        rnbqkbnr/pppppppp/8/8/2P5/8/PP1PPPPP/RNBQKBNR b KQkq -\n";

    #[test]
    fn positions_of_another_game_are_rejected() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
        let read = |name: &str| {
            let text = format!("{start} hmvc 0; c0 \"variant {name}\";\n");
            book(&text, BookFormat::Epd, BookOrder::Sequential).map_err(|error| error.why)
        };
        read("chess").unwrap();
        let why = "found a position of `atomic`, expected one of `chess`";
        assert_eq!(read("atomic").unwrap_err(), why);
    }

    #[test]
    fn castling_of_chess960_is_not_lost_in_chess() {
        let line = "bqnbrnkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBRNKR w HEhe -\n";
        let why = "found castling rights of Chess960, expected those of chess or the game fischerandom";
        assert_eq!(book(line, BookFormat::Epd, BookOrder::Sequential).err().map(|error| error.why).unwrap(), why);
        // Without rooks they belong to no game.
        book("4k3/8/8/8/8/8/4P3/4K3 w KQkq -\n", BookFormat::Epd, BookOrder::Sequential).unwrap();
    }

    #[test]
    fn reads_positions_in_order() {
        let book = book(EPD, BookFormat::Epd, BookOrder::Sequential).unwrap();
        let places: Vec<String> = (0..4).map(|pair| book.opening(pair).1).collect();
        assert_eq!(places, ["line 2", "line 3", "line 5", "line 2"]);
    }

    #[test]
    fn polyglot_books_give_the_positions_after_their_moves() {
        // The key of the start, e2e4, its weight.
        let entry = *b"\x46\x3b\x96\x18\x16\x91\xfc\x9c\x03\x1c\x00\x01\0\0\0\0";
        let book = book_of_bytes(&entry, BookFormat::Polyglot, BookOrder::Sequential).unwrap();
        let (position, place) = book.opening(3);
        let expected = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
        assert_eq!(position.fen(), expected);
        assert!(place.starts_with("1 book ply: "), "{place}");
        let error = book_of_bytes(&entry[1..], BookFormat::Polyglot, BookOrder::Sequential).unwrap_err();
        assert!(error.to_string().ends_with(": found 15 bytes, expected entries of 16 bytes"), "{error}");
    }

    #[test]
    fn books_may_be_compressed() {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(EPD.as_bytes()).unwrap();
        let level = ruzstd::encoding::CompressionLevel::Fastest;
        for bytes in [gzip.finish().unwrap(), ruzstd::encoding::compress_to_vec(EPD.as_bytes(), level)] {
            let book = book_of_bytes(&bytes, BookFormat::Epd, BookOrder::Sequential).unwrap();
            assert_eq!(list(&book).openings.len(), 3);
        }
    }

    #[test]
    fn random_order_uses_each_opening_once() {
        let book = book(EPD, BookFormat::Epd, BookOrder::Random).unwrap();
        for cycle in 0..5 {
            let mut places: Vec<String> = (0..3).map(|at| book.opening(3 * cycle + at).1).collect();
            places.sort();
            assert_eq!(places, ["line 2", "line 3", "line 5"]);
        }
    }

    #[test]
    fn each_start_of_chess960_comes_once_in_960_openings() {
        let game = GameDef::builtin("fischerandom").unwrap();
        let places = |order, seed| {
            let book = Book::starts(order, seed, &game).unwrap();
            (0..960).map(|pair| book.opening(pair).1).collect::<Vec<String>>()
        };
        let mut drawn = places(BookOrder::Random, 1);
        assert_ne!(drawn, places(BookOrder::Random, 2));
        drawn.sort_by_key(|place| place["start ".len()..].parse::<u32>().unwrap());
        let mut sequential = places(BookOrder::Sequential, 1);
        sequential.sort_by_key(|place| place["start ".len()..].parse::<u32>().unwrap());
        assert_eq!(drawn, sequential);
        assert_eq!((drawn[0].as_str(), drawn[959].as_str(), drawn.len()), ("start 0", "start 959", 960));
    }

    #[test]
    fn the_order_of_a_pass_does_not_depend_on_other_passes() {
        let book = book(EPD, BookFormat::Epd, BookOrder::Random).unwrap();
        let forwards: Vec<String> = (0..12).map(|pair| book.opening(pair).1).collect();
        let mut backwards: Vec<String> = (0..12).rev().map(|pair| book.opening(pair).1).collect();
        backwards.reverse();
        assert_eq!(forwards, backwards);
        for pass in 0..4 {
            let order = Stream::new(Purpose::Book, 7, pass).order(3);
            assert_eq!(*list(&book).order_of_pass(7, pass), *order);
        }
    }

    #[test]
    fn pgn_may_be_latin_1() {
        let latin = b"[White \"M\xfcller\"]\n\n1. e4 {\xa1} *\n";
        let read = |format| book_of_bytes(latin, format, BookOrder::Sequential);
        assert_eq!(list(&read(BookFormat::Pgn).unwrap()).openings.len(), 1);
        assert!(read(BookFormat::Epd).unwrap_err().to_string().ends_with("the file is not UTF-8 text"));
        let utf_8 = "\u{feff}[White \"Müller\"]\n\n1. e4 *\n".as_bytes();
        let book = book_of_bytes(utf_8, BookFormat::Pgn, BookOrder::Sequential).unwrap();
        assert_eq!(list(&book).openings.len(), 1);
        assert_eq!(pgn_text(latin[8..14].to_vec()), "Müller");
    }

    #[test]
    fn plays_games_to_a_ply() {
        let book = book("1. e4 e5 2. Nf3 *\n\n1. d4 *\n", BookFormat::Pgn, BookOrder::Sequential).unwrap();
        assert_eq!(list(&book).openings.len(), 2);
        let (position, place) = book.opening(0);
        assert_eq!(
            (position.fen().as_str(), place.as_str()),
            ("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", "game 1: e2e4 e7e5")
        );
    }

    /// The counters of an EPD line.
    #[test]
    fn operations_set_the_counters() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
        let chess = GameDef::builtin("chess").unwrap();
        let read = |operations: &str| {
            let openings =
                read_epd(Path::new("book.epd"), &format!("{start}{operations}"), &chess, &mut Vec::new()).unwrap();
            openings[0].0.fen()
        };
        assert_eq!(read(" fmvn 17; hmvc 13;"), format!("{start} 13 17"));
        assert_eq!(read("\t3 0;c0 \"a; hmvc 5;\";"), format!("{start} 3 1"));
        let (line, error) =
            read_epd(Path::new("book.epd"), &format!("{start} hmvc x;"), &chess, &mut Vec::new()).unwrap_err();
        assert!(line == 1 && error.contains("(halfmove clock): found `x`"), "{error}");
    }

    #[test]
    fn only_the_plies_of_openings_count() {
        let chess = GameDef::builtin("chess").unwrap();
        let repeated = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8";
        for rest in ["5. Z0 *", "5. -- *", "5. Ke5 d5 1-0", "5. e4 e5", "(5. ] oops"] {
            let text = format!("{repeated} {rest}\n\n[Event \"next\"]\n\n{repeated} *\n");
            assert_eq!(read_pgn(&text, &chess, Some(8)).unwrap().len(), 2, "{rest}");
        }
        for (rest, place) in [("5. Z0 *", "move 5"), ("5. -- *", "move 5")] {
            let error = read_pgn(&format!("{repeated} {rest}\n"), &chess, None).unwrap_err();
            assert!(error.starts_with("game 1: line 1, column ") && error.contains(place), "{error}");
        }
        let error = read_pgn("1. f3 e5 2. g4 Qh4# 0-1\n", &chess, Some(4)).unwrap_err();
        assert_eq!(error, "game 1: the game is over there (checkmate)");
    }

    #[test]
    fn games_of_other_variants_are_rejected_by_name() {
        let tagged = |name: &str| {
            let text = format!("[Event \"a\"]\n\n1. d4 *\n\n[Event \"b\"]\n[Variant \"{name}\"]\n\n1. e4 *\n");
            book(&text, BookFormat::Pgn, BookOrder::Sequential)
        };
        for name in ["chess", "Chess", "Standard", "From Position", "standard "] {
            assert_eq!(list(&tagged(name).unwrap()).openings.len(), 2, "{name}");
        }
        for name in ["gamma2", "Crazyhouse"] {
            let error = tagged(name).unwrap_err().to_string();
            let expected = format!(": game 2: line 6: tag `Variant`: found `{name}`, expected `chess`");
            assert!(error.ends_with(&expected), "{error}");
        }
    }

    #[test]
    fn rejects_invalid_openings_with_their_place() {
        let error = |text| book(text, BookFormat::Epd, BookOrder::Sequential).unwrap_err().to_string();
        assert!(error("").ends_with(": found no openings"));
        assert!(error("\nhello\n").contains(":2: FEN has 1 fields, expected six: "));
        assert!(error("7k/5KQ1/8/8/8/8/8/8 b - - 0 1").ends_with(":1: the game is over there (checkmate)"));
        assert!(error("9/8/8/8/8/8/8/8 w - - 0 1").contains(":1: FEN column 1"));
    }
}
