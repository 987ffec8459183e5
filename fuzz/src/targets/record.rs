//! Rows of the table `games`: every reader of stores accepts or rejects any row, and a valid row is
//! written back unchanged.
//!
//! The input is a line with numbers and flags (`result white plies pair digest`), one line each for
//! `start`, `opening`, `material`, `end` and `fault`, and then the bytes of `moves`. A digest of
//! `+` stands for the correct one; any other is wrong.

use std::cell::RefCell;
use std::path::Path;

use assay_selfplay::export::{Format, PositionFormat, Positions, export};
use assay_selfplay::info::Info;
use assay_selfplay::pgn::PgnDetails;
use assay_selfplay::settings::{GameSource, RunOptions, SelfPlay};
use assay_selfplay::store::NewRun;
use assay_selfplay::{GameRecord, Store};
use rusqlite::types::Value::{self, Blob, Integer, Null, Real, Text};
use rusqlite::{Connection, params_from_iter};
use tempfile::TempDir;

/// Games that the second store may hold before it is recreated.
const MAX_COPIES: u64 = 1000;

pub fn target(data: &[u8]) {
    thread_local! {
        static STORES: RefCell<Stores> = RefCell::new(Stores::new());
    }
    let Some(row) = parse(data) else { return };
    STORES.with_borrow_mut(|stores| stores.check(&row));
}

/// Creates a run file with one valid game.
pub(super) fn create(path: &Path) {
    let store = open(Some(path));
    store.close().expect("a temporary file can be written");
    let connection = Connection::open(path).expect("a run file");
    let seeds = seeds();
    write(&parse(&seeds[0]).expect("a row"), &connection).expect("a valid row");
}

/// An empty run: a file, or in memory.
fn open(path: Option<&Path>) -> Store {
    let chess = GameSource::builtin("chess").expect("built in");
    let settings = SelfPlay::default().settings(chess).expect("valid settings");
    let run = NewRun {
        settings: &settings,
        options: &RunOptions::self_play(10, 1),
        identities: &["fuzz".to_owned()],
        book_hash: None,
    };
    let store = match path {
        Some(path) => Store::open_run(path, &run, false),
        None => Store::open_memory(&run),
    };
    store.expect("a new run")
}

struct Stores {
    /// Writes the row that `store` reads.
    connection: Connection,
    store: Store,
    /// Records are written again here.
    copies: Store,
    next_copy: u64,
    _folder: TempDir,
}

impl Stores {
    fn new() -> Stores {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("games.db");
        create(&path);
        let connection = Connection::open(&path).expect("a run file");
        let pragmas = "PRAGMA ignore_check_constraints = ON; PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF";
        connection.execute_batch(pragmas).expect("pragmas of SQLite");
        Stores {
            connection,
            store: Store::open_read(&path).expect("a run file"),
            copies: open(None),
            next_copy: 0,
            _folder: folder,
        }
    }

    fn check(&mut self, row: &[Value]) {
        if write(row, &self.connection).is_err() {
            return;
        }
        let store = &self.store;
        // Each reader must accept or reject the row without a panic.
        let _ = store.problems();
        let _ = export(store, Format::Pgn(PgnDetails::default()), |_| true, &mut std::io::sink());
        for format in [PositionFormat::Epd, PositionFormat::Csv, PositionFormat::Bullet, PositionFormat::Plain] {
            let _ = export(store, Format::Positions(format, Positions::All), |_| true, &mut std::io::sink());
        }
        if let Ok(mut info) = Info::read(store, None) {
            info.replay(store);
        }
        match store.game(0) {
            Ok(game) => self.copy(&game.expect("the row is there")),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }

    /// Writes the record to another store and reads it.
    fn copy(&mut self, game: &GameRecord) {
        if self.next_copy == MAX_COPIES {
            self.copies = open(None);
            self.next_copy = 0;
        }
        let copy = GameRecord { index: self.next_copy, ..game.clone() };
        self.next_copy += 1;
        self.copies.add(std::slice::from_ref(&copy)).expect("a valid record");
        assert_eq!(self.copies.game(copy.index).expect("a valid record"), Some(copy));
    }
}

/// The columns of game 0, as the input gives them.
fn parse(data: &[u8]) -> Option<Vec<Value>> {
    let mut lines = data.splitn(7, |&byte| byte == b'\n');
    let mut text = || Some(String::from_utf8_lossy(lines.next()?).into_owned());
    let head = text()?;
    let mut words = head.split(' ');
    let mut number = || Some(Integer(words.next()?.parse().ok()?));
    let (result, white, plies, pair) = (number()?, number()?, number()?, number()?);
    let optional = |text: String| if text == "-" { Null } else { Text(text) };
    let (start, opening) = (Text(text()?), Text(text()?));
    let (material, end, fault) = (optional(text()?), Text(text()?), optional(text()?));
    let moves = Blob(lines.next()?.to_vec());
    let mut row = vec![Integer(0), pair, white, start, opening, material, result, end, fault, plies, moves, Null];
    row.push(Blob(if head.ends_with('+') { digest(&row) } else { vec![0; 8] }));
    Some(row)
}

/// Replaces game 0.
fn write(row: &[Value], connection: &Connection) -> rusqlite::Result<()> {
    let insert = "INSERT OR REPLACE INTO games VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)";
    connection.prepare_cached(insert)?.execute(params_from_iter(row))?;
    Ok(())
}

/// The digest of the row, computed independently of the store.
fn digest(row: &[Value]) -> Vec<u8> {
    let mut hasher = blake3::Hasher::new();
    for column in row {
        if let Integer(number) = column {
            hasher.update(&number.to_le_bytes());
        }
    }
    for column in row {
        let bytes = match column {
            Text(text) => text.as_bytes(),
            Blob(bytes) => bytes,
            Integer(_) | Real(_) => continue,
            Null => {
                hasher.update(&[0]);
                continue;
            }
        };
        hasher.update(&[1]).update(&(bytes.len() as u64).to_le_bytes()).update(bytes);
    }
    hasher.finalize().as_bytes()[..8].to_vec()
}

pub fn seeds() -> Vec<Vec<u8>> {
    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const MATED: &str = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
    const PROMOTION: &str = "8/P6k/8/8/8/8/8/K7 w - - 0 1";
    const FAULT: &str = r#"{"player":1,"what":"moved badly","dispute":{"ply":2,"fen":"x","found":"e2e5","legal":["e2e4"]},"stderr":["oops"]}"#;
    // Two moves with an evaluation, depth and nodes, as docs/data.md describes them; the first with
    // a time.
    let moves = [0x0c, 0x1c, 0, 0xed, 0x03, 9, 0xe8, 0x07, 0xfa, 0x01, 0x34, 0x24, 0, 0x12, 7, 100];
    let promotion = [0x30, 0x38, 2, 0, 0, 0];
    let row = |head: &str, columns: [&str; 5], moves: &[u8]| {
        let lines = columns.map(|column| format!("{column}\n")).concat();
        [format!("{head}\n{lines}").as_bytes(), moves].concat()
    };
    vec![
        row("2 0 2 0 +", [START, "random 3", "-", "draw-adjudication", "-"], &moves),
        row("0 1 0 0 +", [MATED, "line 7", "-NP/-B", "checkmate", "-"], &[]),
        row("4 0 2 0 +", [START, "start", "-", "illegal-move", FAULT], &moves),
        row("1 0 1 0 +", [PROMOTION, "game 2", "-", "max-moves", "-"], &promotion),
        row("2 0 2 1 -", [START, "random 3", "-", "resignation", "-"], &moves),
    ]
}
