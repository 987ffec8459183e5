//! The command `genfens` of `OpenBench`: random balanced start positions for matches and training
//! data.
//!
//! Each position results from random moves from a start of the game or a position of a book. It is
//! accepted if the game is not over and the score of a short search is close to 0. Output is
//! reproducible: it depends only on the arguments.

use std::collections::HashSet;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use assay_rules::fen::Epd;
use assay_rules::{GameDef, Position as RulesPosition};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::refusal::{Refusal, parse_number};
use crate::file;
use crate::moves::MoveList;
use crate::position::Position;
use crate::registry::{CompiledRuleset, Visitor, dispatch, load_game};
use crate::search::{Limits, Searcher};
use crate::tables::Tables;

/// Default number of random plies. Half of the positions have one more, so that either side is to
/// move.
const DEFAULT_PLIES: usize = 8;
const MAX_PLIES: usize = 200;
/// Nodes of the search that decides if a position is balanced.
const SEARCH_NODES: u64 = 2000;
const HASH_MB: usize = 1;
/// Maximum absolute score of a balanced position, in centipawns.
const MAX_SCORE: i32 = 200;
/// Attempts per position before the command fails.
const MAX_ATTEMPTS: usize = 10_000;
const USAGE: &str = "N seed S book <None|FILE> [variant NAME] [plies P]";

/// Arguments of `genfens`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GenfensArgs {
    count: usize,
    seed: u64,
    book: Option<PathBuf>,
    /// Name or path of a game; `None` for the current game.
    variant: Option<String>,
    plies: usize,
}

impl GenfensArgs {
    /// Parses the text after `genfens`: `N seed S book <None|FILE> [variant NAME] [plies P]`.
    pub(super) fn parse(text: &str) -> Result<GenfensArgs, Refusal> {
        let mut words = text.split_whitespace();
        let usage = |refusal: Refusal| Refusal::because(format_args!("{refusal}; {USAGE}"));
        let mut args = GenfensArgs {
            count: parse_number("genfens", words.next(), 0..=usize::MAX).map_err(usage)?,
            seed: 0,
            book: None,
            variant: None,
            plies: DEFAULT_PLIES,
        };
        while let Some(word) = words.next() {
            let value = words.next();
            let required = || value.ok_or_else(|| Refusal::new(&format!("genfens {word}"), "", USAGE));
            match word {
                "seed" => args.seed = parse_number("genfens seed", value, 0..=u64::MAX).map_err(usage)?,
                "book" => {
                    let path = required()?;
                    args.book = (!path.eq_ignore_ascii_case("none")).then(|| PathBuf::from(path));
                }
                "variant" => args.variant = Some(required()?.to_owned()),
                "plies" => args.plies = parse_number("genfens plies", value, 0..=MAX_PLIES).map_err(usage)?,
                other => return Err(Refusal::new("genfens", other, USAGE)),
            }
        }
        Ok(args)
    }
}

/// Passes lines `info string genfens FEN` to `print` until there are enough or `stop` is set.
/// `game` is the game unless the arguments name another.
pub(super) fn run(
    args: &GenfensArgs,
    game: &Arc<GameDef>,
    stop: &AtomicBool,
    print: &mut dyn FnMut(String),
) -> Result<(), Refusal> {
    let game = match &args.variant {
        Some(name) => load_game(name).map_err(because)?,
        None => game.clone(),
    };
    let starts = match &args.book {
        Some(path) => read_book(&game, path)?,
        None => game.starts.iter().filter_map(|start| RulesPosition::from_start(&game, &start.id).ok()).collect(),
    };
    let generator = Generator { args, starts, stop, print };
    dispatch(&game, generator)
}

fn because(why: impl Display) -> Refusal {
    Refusal::because(format_args!("genfens: {why}"))
}

/// Reads the positions of a book, one FEN or EPD per line.
fn read_book(game: &Arc<GameDef>, path: &Path) -> Result<Vec<RulesPosition>, Refusal> {
    let because = |why: &dyn Display| because(format_args!("{}: {why}", path.display()));
    let text = file::read_text(path, file::MAX_FILE).map_err(|error| because(&error))?;
    let mut positions = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let Some(line) = Epd::line(line) else { continue };
        let epd = Epd::read(game, line).map_err(|error| because(&format_args!("line {number}: {error}")))?;
        positions.push(epd.position);
    }
    if positions.is_empty() {
        return Err(because(&"found no position, expected one per line"));
    }
    Ok(positions)
}

struct Generator<'a> {
    args: &'a GenfensArgs,
    starts: Vec<RulesPosition>,
    stop: &'a AtomicBool,
    print: &'a mut dyn FnMut(String),
}

impl Visitor for Generator<'_> {
    type Output = Result<(), Refusal>;

    fn visit<R: CompiledRuleset>(self, tables: Arc<Tables<R>>) -> Result<(), Refusal> {
        let starts: Vec<Position<R>> = self.starts.iter().map(|start| Position::new(&tables, start)).collect();
        let mut random = Xoshiro256PlusPlus::seed_from_u64(self.args.seed);
        let mut searcher = Searcher::new(&tables, HASH_MB).map_err(because)?;
        let mut seen = HashSet::new();
        for number in 1..=self.args.count {
            let mut attempts = (0..MAX_ATTEMPTS).take_while(|_| !self.stop.load(Ordering::Relaxed));
            let found = attempts.find_map(|_| {
                let position = play_random_moves(&starts, self.args.plies, &mut random)?;
                searcher.clear();
                let result = searcher.search(&position, &Limits::nodes(SEARCH_NODES), self.stop, &mut |_| {});
                let balanced = result.score.centipawns().is_some_and(|score| score.abs() <= MAX_SCORE);
                let fen = position.to_rules().fen();
                (balanced && seen.insert(fen.clone())).then_some(fen)
            });
            // A position from a stopped search would not be reproducible.
            if self.stop.load(Ordering::Relaxed) {
                break;
            }
            let Some(fen) = found else {
                return Err(because(format_args!(
                    "position {number}: found no new balanced position in {MAX_ATTEMPTS} attempts"
                )));
            };
            (self.print)(format!("info string genfens {fen}"));
        }
        Ok(())
    }
}

/// Plays random moves from a random start. Returns `None` if the game is over.
fn play_random_moves<R: CompiledRuleset>(
    starts: &[Position<R>],
    plies: usize,
    random: &mut Xoshiro256PlusPlus,
) -> Option<Position<R>> {
    let mut below = |bound: usize| ((u128::from(random.next_u64()) * bound as u128) >> 64) as usize;
    let mut position = starts[below(starts.len())].clone();
    let mut list = MoveList::new();
    for _ in 0..plies + below(2) {
        position.legal_moves(&mut list);
        if list.is_empty() {
            return None;
        }
        let mv = list[below(list.len())];
        position.make(mv);
    }
    position.outcome().is_none().then_some(position)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fens(text: &str) -> Result<Vec<String>, String> {
        let mut lines = Vec::new();
        let chess = GameDef::builtin("chess").unwrap();
        GenfensArgs::parse(text)
            .and_then(|args| run(&args, &chess, &AtomicBool::new(false), &mut |line| lines.push(line)))
            .map_err(|error| error.to_string())?;
        Ok(lines)
    }

    #[test]
    fn positions_are_reproducible_from_seed() {
        let first = fens("5 seed 7 book None").unwrap();
        assert_eq!(first, fens("5 seed 7 book None").unwrap());
        assert_ne!(first, fens("5 seed 8 book None").unwrap());
        assert_eq!(first[..3], fens("3 seed 7 book None").unwrap());
        for line in &first {
            let fen = line.strip_prefix("info string genfens ").unwrap();
            assert!(RulesPosition::from_fen(&GameDef::builtin("chess").unwrap(), fen).is_ok(), "{fen}");
        }
    }

    #[test]
    fn generates_from_other_games_and_books() {
        assert!(fens("2 seed 1 book None variant apothecary2 plies 4").unwrap()[0].contains("***["));
        let chess = GameDef::builtin("chess").unwrap();
        let book = "# EPD and FEN\n4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; hmvc 7;\n\n4k3/8/8/8/8/8/8/4K2R w K - 3 9\n";
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(&file, book).unwrap();
        let read = read_book(&chess, file.path()).unwrap();
        assert_eq!((read[0].halfmove_clock(), read[1].halfmove_clock(), read[1].fullmove_number()), (7, 3, 9));
        std::fs::write(&file, "\nnonsense\n").unwrap();
        let error = read_book(&chess, file.path()).unwrap_err().to_string();
        assert!(error.contains(": line 2: "), "{error}");
    }

    #[test]
    fn errors_name_expected_arguments() {
        assert!(fens("").unwrap_err().starts_with("genfens: found nothing, expected a whole number"));
        assert!(fens("2 seeds 1").unwrap_err().starts_with("genfens: found `seeds`, expected N seed S"));
        assert!(fens("2 book no/such.epd").unwrap_err().starts_with("genfens: no/such.epd: "));
        assert!(fens("1 plies 1000000").unwrap_err().contains("from 0 to 200"));
    }
}
