//! Ends games of chess by Syzygy endgame tables.

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};

use assay_rules::{Points, Position};
use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use self::probe::Tables;

/// Table results that end a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[value(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum TableResults {
    /// Wins and draws
    #[default]
    Both,
    /// Wins
    WinLoss,
    /// Draws
    Draw,
}

/// A game ends when at most `pieces` pieces are left, nobody may castle, and the tables know the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableRule {
    /// Number of tables with results: a match goes on with as many as it began with.
    pub count: usize,
    /// Most pieces of a position, with kings and pawns.
    pub pieces: u32,
    /// Whether the fifty-move rule is left out. With it, a position counts only after a capture or a pawn's move, as the tables assume
    /// that the clock is at zero, and a win that takes too long is a draw.
    pub ignores_move_rule: bool,
    pub results: TableResults,
}

/// As the command line writes it.
impl fmt::Display for TableRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let results = self.results.to_possible_value().expect("no value is skipped");
        write!(f, "tb {} tables, tbpieces {}, tbadjudicate {}", self.count, self.pieces, results.get_name())?;
        f.write_str(if self.ignores_move_rule { ", tbignore50" } else { "" })
    }
}

/// Syzygy tables, which all threads share. Their contents are trusted: the library that reads them can crash on a damaged table.
#[derive(Clone)]
pub struct Tablebases {
    tables: Tables,
    /// Tables with results.
    pub count: usize,
    /// Most pieces of a table.
    pub pieces: u32,
}

impl fmt::Debug for Tablebases {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tablebases({} tables of {} pieces)", self.count, self.pieces)
    }
}

impl Tablebases {
    /// Opens the tables (`.rtbw`) of folders, which are separated as in `PATH`. A process can open tables once at a time.
    ///
    /// # Errors
    /// If a folder cannot be read, none has a table, or a table is truncated or something else; on systems where tables cannot be read.
    pub fn open(folders: &str) -> Result<Tablebases, String> {
        let is_given = |folder: &PathBuf| !folder.as_os_str().is_empty();
        let folders: Vec<PathBuf> = std::env::split_paths(folders).filter(is_given).collect();
        let mut names = BTreeSet::new();
        for folder in &folders {
            names.extend(check_tables(folder)?);
        }
        let pieces = names.iter().map(|name| name.len() as u32 - 1).max();
        let folders = folders.iter().map(|folder| folder.to_string_lossy()).collect::<Vec<_>>().join(":");
        let Some(pieces) = pieces else {
            return Err(format!("{folders}: found no Syzygy table, expected files like KQvK.rtbw"));
        };
        let (tables, count) = (Tables::open(&folders)?, names.len());
        Ok(Tablebases { tables, count, pieces })
    }

    /// White's points in a position of orthodox chess by a rule; `None` if the rule does not apply or a table is missing.
    pub fn result(&self, position: &Position, rule: &TableRule) -> Option<Points> {
        let pieces = position.pieces().count() as u32;
        let is_covered = pieces <= rule.pieces.min(self.pieces) && position.rights().iter().next().is_none();
        if !is_covered || position.halfmove_clock() > 0 && !rule.ignores_move_rule {
            return None;
        }
        let points = self.tables.points_of_mover(position, rule.ignores_move_rule)?;
        let is_wanted = match rule.results {
            TableResults::Both => true,
            TableResults::WinLoss => points != Points::DRAW,
            TableResults::Draw => points == Points::DRAW,
        };
        is_wanted.then(|| points.for_white(position.side_to_move()))
    }
}

/// Checks the tables of a folder by their first bytes and lengths, and returns their names, such as `KQvK`.
fn check_tables(folder: &Path) -> Result<Vec<String>, String> {
    /// The first bytes of a table of results.
    const MAGIC: [u8; 4] = [0x71, 0xe8, 0x23, 0x5d];
    /// A table is padded to a multiple of this, and ends with its checksum.
    const BLOCK: u64 = 64;
    const CHECKSUM: u64 = 16;
    let fault = |path: &Path, why: &dyn fmt::Display| format!("{}: {why}", path.display());
    let entries = std::fs::read_dir(folder).map_err(|error| fault(folder, &error))?;
    let mut names = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| fault(folder, &error))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_name = |name: &&str| name.split('v').count() == 2 && name.split('v').all(|side| side.starts_with('K'));
        let Some(name) = name.strip_suffix(".rtbw").filter(is_name) else {
            continue;
        };
        let mut start = [0; MAGIC.len()];
        let read = std::fs::File::open(&path).and_then(|mut file| {
            std::io::Read::read_exact(&mut file, &mut start)?;
            file.metadata()
        });
        let length = read.map_err(|error| fault(&path, &error))?.len();
        if start != MAGIC || length % BLOCK != CHECKSUM {
            let why =
                format!("found {length} bytes that begin with {start:02x?}, expected a whole Syzygy table of results");
            return Err(fault(&path, &why));
        }
        names.push(name.to_owned());
    }
    Ok(names)
}

/// The library that reads tables.
#[cfg(all(unix, any(target_arch = "x86_64", target_vendor = "apple")))]
mod probe {
    use std::sync::{Arc, Mutex, PoisonError};

    use assay_rules::{Color, Points, Position};
    use pyrrhic_rs::{EngineAdapter, TableBases, WdlProbeResult};

    /// Behind a lock: while a table is missing, the library changes what other threads read.
    #[derive(Clone)]
    pub(super) struct Tables(Arc<Mutex<TableBases<Attacks>>>);

    impl Tables {
        /// `folders` are separated by colons.
        pub(super) fn open(folders: &str) -> Result<Tables, String> {
            let tables = TableBases::new(folders).map_err(|error| format!("{folders}: {error:?}"))?;
            Ok(Tables(Arc::new(Mutex::new(tables))))
        }

        /// The points of the side to move; a win that the fifty-move rule prevents is one with `ignores_move_rule`.
        pub(super) fn points_of_mover(&self, position: &Position, ignores_move_rule: bool) -> Option<Points> {
            let (mut colors, mut kinds) = ([0_u64; 2], [0_u64; 6]);
            for (square, piece) in position.pieces() {
                let kind = "KQRBNP".find(position.game().letter(piece.kind, Color::White))?;
                colors[piece.color.index()] |= 1 << square.index();
                kinds[kind] |= 1 << square.index();
            }
            let en_passant = position.en_passant().map_or(0, |en_passant| en_passant.passed.index() as u32);
            let [white, black] = colors;
            let [kings, queens, rooks, bishops, knights, pawns] = kinds;
            let is_white = position.side_to_move() == Color::White;
            let tables = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let probed =
                tables.probe_wdl(white, black, kings, queens, rooks, bishops, knights, pawns, en_passant, is_white);
            drop(tables);
            Some(match probed.ok()? {
                WdlProbeResult::Win => Points::WIN,
                WdlProbeResult::CursedWin if ignores_move_rule => Points::WIN,
                WdlProbeResult::Loss => Points::LOSS,
                WdlProbeResult::BlessedLoss if ignores_move_rule => Points::LOSS,
                WdlProbeResult::CursedWin | WdlProbeResult::BlessedLoss | WdlProbeResult::Draw => Points::DRAW,
            })
        }
    }

    const DIAGONAL: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
    const STRAIGHT: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
    const KNIGHT: [(i8, i8); 8] = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)];

    /// The squares that steps reach from a square of 8x8, the first one occupied being the last of each direction.
    fn reach(square: u64, steps: &[(i8, i8)], most: usize, occupied: u64) -> u64 {
        let mut reached = 0;
        for &(right, up) in steps {
            let (mut file, mut rank) = ((square % 8) as i8, (square / 8) as i8);
            for _ in 0..most {
                (file, rank) = (file + right, rank + up);
                if !(0..8).contains(&file) || !(0..8).contains(&rank) {
                    break;
                }
                let bit = 1 << (file + 8 * rank);
                reached |= bit;
                if occupied & bit != 0 {
                    break;
                }
            }
        }
        reached
    }

    /// Attacks of the pieces, for captures in the tables: a1 is bit 0, b1 is bit 1.
    #[derive(Clone)]
    struct Attacks;

    impl EngineAdapter for Attacks {
        fn pawn_attacks(color: pyrrhic_rs::Color, square: u64) -> u64 {
            let up = if color == pyrrhic_rs::Color::White { 1 } else { -1 };
            reach(square, &[(1, up), (-1, up)], 1, 0)
        }

        fn knight_attacks(square: u64) -> u64 {
            reach(square, &KNIGHT, 1, 0)
        }

        fn bishop_attacks(square: u64, occupied: u64) -> u64 {
            reach(square, &DIAGONAL, 7, occupied)
        }

        fn rook_attacks(square: u64, occupied: u64) -> u64 {
            reach(square, &STRAIGHT, 7, occupied)
        }

        fn queen_attacks(square: u64, occupied: u64) -> u64 {
            Self::bishop_attacks(square, occupied) | Self::rook_attacks(square, occupied)
        }

        fn king_attacks(square: u64) -> u64 {
            reach(square, &[DIAGONAL, STRAIGHT].concat(), 1, 0)
        }
    }
}

/// The library does not compile where C's `char` has no sign, and takes the colon of a Windows drive for the end of a folder.
#[cfg(not(all(unix, any(target_arch = "x86_64", target_vendor = "apple"))))]
mod probe {
    use assay_rules::{Points, Position};

    #[derive(Clone)]
    pub(super) enum Tables {}

    impl Tables {
        pub(super) fn open(_: &str) -> Result<Tables, String> {
            Err("tables can be read only on Linux (x86-64) and macOS".to_owned())
        }

        pub(super) fn points_of_mover(&self, _: &Position, _: bool) -> Option<Points> {
            match *self {}
        }
    }
}

#[cfg(all(test, unix, any(target_arch = "x86_64", target_vendor = "apple")))]
mod tests {
    use std::path::PathBuf;

    use assay_rules::GameDef;

    use super::*;

    /// A process can open tables once at a time, so that this is one test.
    #[test]
    fn results_are_those_of_the_best_moves() {
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../testdata/syzygy");
        let tables = Tablebases::open(&folder.to_string_lossy()).unwrap();
        assert_eq!((tables.count, tables.pieces), (5, 3));
        let chess = GameDef::builtin("chess").unwrap();
        let rule = TableRule { count: 5, pieces: 3, ignores_move_rule: false, results: TableResults::Both };
        let result = |fen: &str, rule| tables.result(&Position::from_fen(&chess, fen).unwrap(), &rule);
        let ignoring = TableRule { ignores_move_rule: true, ..rule };
        // Every result of a pawn's ending is the best of those behind the moves, promotions included.
        let (mut number, mut results) = (0_u64, [0; 3]);
        for _ in 0..4_000 {
            // An arbitrary walk through all placements.
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let mut board = [b'1'; 64];
            for (shift, piece) in [(40, b'K'), (48, b'k'), (56, b'P')] {
                board[(number >> shift) as usize % 64] = piece;
            }
            let ranks: Vec<&str> = board.chunks(8).map(|rank| std::str::from_utf8(rank).unwrap()).collect();
            let mut fen = ranks.join("/");
            for empty in (2..=8).rev() {
                fen = fen.replace(&"1".repeat(empty), &empty.to_string());
            }
            fen += if number >> 30 & 1 == 0 { " w - - 0 1" } else { " b - - 0 1" };
            let Ok(position) = Position::from_fen(&chess, &fen) else {
                continue;
            };
            let mover = position.side_to_move();
            let points = |position: &Position| match position.outcome() {
                Some(outcome) => outcome.white.for_white(mover),
                None => tables.result(position, &ignoring).expect("a table").for_white(mover),
            };
            let behind = position.legal_moves().into_iter().map(|mv| points(&position.play(mv)));
            if let Some(best) = behind.max() {
                assert_eq!(points(&position), best, "{}", position.fen());
                results[usize::from(best != Points::LOSS) + usize::from(best == Points::WIN)] += 1;
            }
        }
        assert!(results.iter().all(|&count| count > 100), "{results:?}");

        let won = "4k3/8/8/8/8/8/8/Q3K3 b - - 7 40";
        assert_eq!(result(won, rule), None);
        let ignoring = TableRule { ignores_move_rule: true, ..rule };
        assert_eq!(result(won, ignoring), Some(Points::WIN));
        let draws = TableRule { results: TableResults::Draw, ..ignoring };
        assert_eq!(result(won, draws), None);
        assert_eq!(result("4k3/8/8/8/8/8/8/N3K3 b - - 0 40", draws), Some(Points::DRAW));
        // Nobody may castle, and a table is missing.
        assert_eq!(result("4k3/8/8/8/8/8/8/4K2R w K - 0 1", rule), None);
        assert_eq!(result("4k3/4p3/8/8/8/8/8/4K2R w - - 0 1", TableRule { pieces: 4, ..rule }), None);
    }
}
