//! Labelled positions as training positions: public tuning sets, and what Assay and other programs
//! export.
//!
//! They become examples like the positions of run files. What a file does not say cannot be tested:
//! without the move that was played, a position before a capture or promotion counts, and without a
//! score one before a mate.
//!
//! Positions of one game are held out together. A file that names games or openings says which
//! these are; in others the positions of a game are adjacent, so the file is cut into [`BLOCKS`]
//! blocks, and a block takes the place of an opening.

mod formats;
#[cfg(feature = "parquet")]
mod parquet;
mod records;

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use assay_rules::fen::Epd;
use assay_rules::{GameDef, parse_move};
use rayon::prelude::*;

use self::formats::PlacedFault;
pub use self::formats::{Columns, LabelledPosition, Layout, RecordFault};
pub use self::records::is_run_file;
use self::records::{Record, Records};
use super::examples::{
    Example, Extract, Extractor, Occurrences, PositionFile, ReadOptions, Target, TrainingData, add_occurrences,
    extractor,
};
use crate::values::data::{DataError, ReadWatch};

/// Blocks of a file that does not name games.
pub const BLOCKS: usize = 100;

/// Records in memory at a time.
const CHUNK: usize = 8_192;

/// Records that one task reads. Fixed, so that sums do not depend on the number of threads.
const TASK: usize = 256;

/// Adds the training positions of a file of labelled positions to those of other files of the same
/// game.
///
/// # Errors
/// If the file cannot be read; unless faults are skipped, the first fault in it. Stops if `watch`,
/// which gets numbers of positions, does.
pub(super) fn read<X: Extract>(
    path: &Path,
    data: &mut TrainingData<X::Head, X::Entry>,
    extract: X,
    options: &ReadOptions,
    watch: ReadWatch<'_>,
) -> Result<(), DataError> {
    let mut records = Records::open(path).map_err(|fault| placed(path, &fault))?;
    let game = Arc::clone(&data.game);
    let extractor = extractor(&game, extract);
    let reader: Reader<X> = Reader { game: &game, layout: records.layout, extractor, options };
    let mut collected = Collected::new(path, data);
    let read_task = |task: &[Record]| {
        let mut occurrences = Occurrences::new();
        let read: Vec<_> = task.iter().map(|(_, text)| reader.read(text, &mut occurrences)).collect();
        (read, occurrences)
    };
    loop {
        let mut end = None;
        let record = |record: Result<Record, PlacedFault>| record.map_err(|fault| end = Some(fault)).ok();
        let chunk: Vec<Record> = records.by_ref().map_while(record).take(CHUNK).collect();
        let tasks: Vec<_> = chunk.par_chunks(TASK).map(read_task).collect();
        let mut texts = chunk.iter();
        for (read, occurrences) in tasks {
            add_occurrences(&mut collected.data.occurrences, &occurrences);
            for (read, (number, text)) in read.into_iter().zip(texts.by_ref()) {
                match read {
                    Ok(labelled) => collected.add(text, labelled),
                    Err(fault) if options.skips_faults => collected.skip(&placed(path, &(*number, fault))),
                    Err(fault) => return Err(placed(path, &(*number, fault))),
                }
            }
        }
        if let Some(fault) = end {
            return Err(placed(path, &fault));
        }
        if watch(chunk.len() as u64).is_break() {
            return Err(DataError::Stopped);
        }
        if chunk.len() < CHUNK {
            return collected.finish(options.as_given);
        }
    }
}

/// A fault with its place in a file.
fn placed(path: &Path, (number, fault): &PlacedFault) -> DataError {
    let place = if *number == 0 { String::new() } else { format!(":{number}") };
    DataError::Contents(format!("{}{place}: {fault}", path.display()))
}

/// What a record contributes.
struct Labelled<H, E> {
    /// `None` if it is no training position.
    example: Option<Example<H, E>>,
    game: Option<String>,
    /// Opening or game.
    group: Option<String>,
    has_move: bool,
    has_score: bool,
}

/// Reads one record.
struct Reader<'r, X: Extract> {
    game: &'r Arc<GameDef>,
    layout: Layout,
    extractor: Box<dyn Extractor<X::Head, X::Entry>>,
    options: &'r ReadOptions,
}

impl<X: Extract> Reader<'_, X> {
    fn read(&self, text: &str, occurrences: &mut Occurrences) -> Result<Labelled<X::Head, X::Entry>, RecordFault> {
        let labelled = self.layout.parse(text)?;
        if let Some(name) = labelled.variant.filter(|name| *name != self.game.name) {
            return Err(RecordFault::field("game", name, &format!("{}, as --game or other files say", self.game.name)));
        }
        let position = Epd::read(self.game, labelled.position)?.position;
        let best = labelled.best.map(|text| parse_move(&position, text)).transpose()?;
        let example = (!labelled.is_end).then(|| {
            let is_taken = self.options.as_given && best.is_none();
            let seen = self.extractor.of_labelled(&position, labelled.eval, best, is_taken, occurrences);
            let expected = seen.expected.unwrap_or(labelled.result);
            let target = Target::of(X::view(seen.side), labelled.result, expected, 0);
            seen.contents.map(|(head, entries)| Example { target, head, entries })
        });
        let example = example.flatten();
        Ok(Labelled {
            group: labelled.pair.or(labelled.game).map(str::to_owned),
            example,
            game: labelled.game.map(str::to_owned),
            has_move: best.is_some(),
            has_score: labelled.eval.is_some(),
        })
    }
}

/// What has been read of a file, beside its examples.
struct Collected<'d, H, E> {
    data: &'d mut TrainingData<H, E>,
    file: PositionFile,
    hasher: blake3::Hasher,
    games: HashSet<String>,
    /// Openings of positions whose game is not named.
    openings: HashSet<String>,
    groups: HashMap<String, u32>,
    /// Indices of the examples whose game is not named.
    unnamed: Vec<usize>,
}

impl<'d, H, E> Collected<'d, H, E> {
    fn new(path: &Path, data: &'d mut TrainingData<H, E>) -> Collected<'d, H, E> {
        Collected {
            data,
            file: PositionFile { path: path.to_owned(), ..PositionFile::default() },
            hasher: blake3::Hasher::new(),
            games: HashSet::new(),
            openings: HashSet::new(),
            groups: HashMap::new(),
            unnamed: Vec::new(),
        }
    }

    fn skip(&mut self, fault: &DataError) {
        self.file.skipped += 1;
        self.file.first_fault.get_or_insert_with(|| fault.to_string());
    }

    fn add(&mut self, text: &str, labelled: Labelled<H, E>) {
        self.hasher.update(text.as_bytes()).update(b"\n");
        self.file.positions += 1;
        self.file.moves += usize::from(labelled.has_move);
        self.file.scores += usize::from(labelled.has_score);
        // An opening counts as one game where it is all that is known.
        match (&labelled.game, &labelled.group) {
            (None, Some(opening)) => self.file.others += usize::from(self.openings.insert(opening.clone())),
            (None, None) => self.file.others += 1,
            (Some(_), _) => {}
        }
        self.games.extend(labelled.game);
        let Some(mut example) = labelled.example else {
            return;
        };
        self.file.used += 1;
        if let Some(group) = labelled.group {
            let next = (self.data.pairs + self.groups.len()) as u32;
            example.target.pair = *self.groups.entry(group).or_insert(next);
        } else {
            self.unnamed.push(self.data.examples.len());
        }
        self.data.examples.push(example);
    }

    /// Numbers the blocks after the openings, or each position alone, and describes the file. Fails
    /// if an earlier file has the same positions: each would count twice.
    fn finish(mut self, is_each_alone: bool) -> Result<(), DataError> {
        let blocks = if is_each_alone { self.unnamed.len() } else { BLOCKS.min(self.unnamed.len()) };
        self.data.pairs += self.groups.len();
        for (at, &index) in self.unnamed.iter().enumerate() {
            self.data.examples[index].target.pair = (self.data.pairs + at * blocks / self.unnamed.len()) as u32;
        }
        self.data.pairs += blocks;
        self.file.unnamed = self.unnamed.len();
        self.file.games = Some(self.games.len()).filter(|&games| games > 0);
        self.file.hash = self.hasher.finalize().to_hex().to_string();
        if let Some(same) = self.data.position_files.iter().find(|other| other.hash == self.file.hash) {
            let [path, same] = [&self.file.path, &same.path].map(|path| path.display().to_string());
            return Err(DataError::at(path, format_args!("found the same positions as in {same}, expected others")));
        }
        self.data.position_files.push(self.file);
        Ok(())
    }
}
