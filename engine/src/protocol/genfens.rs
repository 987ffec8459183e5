//! The command `genfens` of `OpenBench`: random balanced start positions for matches and training data.
//!
//! Each position results from random moves from a start of the game or a position of a book. It is accepted if the game is
//! not over and the score of a short search is close to 0. Output is reproducible: it depends only on the arguments.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use assay_rules::{GameDef, Position as RulesPosition};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::number;
use crate::file;
use crate::moves::MoveList;
use crate::position::Position;
use crate::registry::CompiledRuleset;
use crate::registry::load_game;
use crate::registry::{Visitor, dispatch};
use crate::search::{Limits, Searcher};
use crate::tables::Tables;

/// Default number of random plies. Half of the positions have one more, so that either side is to move.
const DEFAULT_PLIES: usize = 8;
const MAX_PLIES: usize = 200;
/// Nodes of the search that decides if a position is balanced.
const SEARCH_NODES: u64 = 2000;
/// Maximum absolute score of a balanced position, in centipawns.
const MAX_SCORE: i32 = 200;
/// Attempts per position before the command fails.
const MAX_ATTEMPTS: usize = 10_000;
const USAGE: &str = "N seed S book <None|FILE> [variant NAME] [plies P]";

/// Arguments of `genfens`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GenfensArgs {
    count: usize,
    seed: u64,
    book: Option<PathBuf>,
    /// Name or path of a game; `None` for the current game.
    variant: Option<String>,
    plies: usize,
}

impl GenfensArgs {
    /// Parses the text after `genfens`: `N seed S book <None|FILE> [variant NAME] [plies P]`.
    ///
    /// # Errors
    /// Returns a message for the user.
    pub fn parse(text: &str) -> Result<GenfensArgs, String> {
        let mut words = text.split_whitespace();
        let mut args = GenfensArgs {
            count: parse_number("genfens", words.next())?,
            seed: 0,
            book: None,
            variant: None,
            plies: DEFAULT_PLIES,
        };
        while let Some(word) = words.next() {
            let value = words.next();
            match word {
                "seed" => args.seed = parse_number("genfens seed", value)?,
                "book" => {
                    let path = value.ok_or_else(|| format!("genfens book: found nothing, expected {USAGE}"))?;
                    args.book = (!path.eq_ignore_ascii_case("none")).then(|| PathBuf::from(path));
                }
                "variant" => {
                    let name = value.ok_or_else(|| format!("genfens variant: found nothing, expected {USAGE}"))?;
                    args.variant = Some(name.to_owned());
                }
                "plies" => {
                    args.plies = parse_number("genfens plies", value)?;
                    if args.plies > MAX_PLIES {
                        return Err(format!(
                            "genfens plies: found `{}`, expected at most {MAX_PLIES}",
                            args.plies
                        ));
                    }
                }
                other => return Err(format!("genfens: found `{other}`, expected {USAGE}")),
            }
        }
        Ok(args)
    }
}

fn parse_number<N: std::str::FromStr>(place: &str, text: Option<&str>) -> Result<N, String> {
    number::parse_number(place, text).map_err(|error| format!("{error}; {USAGE}"))
}

/// Passes lines `info string genfens FEN` to `print`. `game` is the game unless the arguments name another.
///
/// # Errors
/// Returns a message for the user if the book or game cannot be read, or if no balanced position is found.
pub fn run(args: &GenfensArgs, game: &Arc<GameDef>, print: &mut dyn FnMut(&str)) -> Result<(), String> {
    let game = match &args.variant {
        Some(name) => load_game(name).map_err(|error| format!("genfens: {error}"))?,
        None => game.clone(),
    };
    let starts = match &args.book {
        Some(path) => {
            let with_path = |error: String| format!("genfens: {}: {error}", path.display());
            let text = file::read_text(path, file::MAX_FILE).map_err(|error| with_path(error.to_string()))?;
            read_book(&game, &text).map_err(with_path)?
        }
        None => game
            .starts
            .iter()
            .filter_map(|start| RulesPosition::from_start(&game, &start.id).ok())
            .collect(),
    };
    dispatch(&game, Generator { args, starts, print })
}

/// Reads the positions of a book, one FEN or EPD per line.
fn read_book(game: &Arc<GameDef>, text: &str) -> Result<Vec<RulesPosition>, String> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let positions: Result<Vec<RulesPosition>, String> = lines
        .map(|(number, line)| {
            let fields: Vec<&str> = line.split(';').next().unwrap_or_default().split_whitespace().collect();
            let is_number = |field: Option<&&str>| field.is_some_and(|field| field.parse::<u32>().is_ok());
            // EPD has operations in place of the FEN clocks.
            let fen = if is_number(fields.get(4)) && is_number(fields.get(5)) {
                fields[..6].join(" ")
            } else {
                format!("{} 0 1", fields[..fields.len().min(4)].join(" "))
            };
            RulesPosition::from_fen(game, &fen).map_err(|error| format!("{}: {error}", number + 1))
        })
        .collect();
    positions.and_then(|positions| {
        if positions.is_empty() {
            Err("found no position, expected one per line".to_owned())
        } else {
            Ok(positions)
        }
    })
}

struct Generator<'a> {
    args: &'a GenfensArgs,
    starts: Vec<RulesPosition>,
    print: &'a mut dyn FnMut(&str),
}

impl Visitor for Generator<'_> {
    type Output = Result<(), String>;

    fn visit<R: CompiledRuleset>(self, tables: Arc<Tables<R>>) -> Result<(), String> {
        let starts: Vec<Position<R>> = self.starts.iter().map(|start| Position::new(&tables, start)).collect();
        let mut random = Xoshiro256PlusPlus::seed_from_u64(self.args.seed);
        let mut searcher = Searcher::new(&tables, 1);
        let mut seen = HashSet::new();
        for number in 1..=self.args.count {
            let found = (0..MAX_ATTEMPTS).find_map(|_| {
                let position = play_random_moves(&starts, self.args.plies, &mut random)?;
                searcher.clear();
                let result = searcher.search(
                    &position,
                    &Limits::nodes(SEARCH_NODES),
                    &AtomicBool::new(false),
                    &mut |_| {},
                );
                let balanced = result.score.centipawns().is_some_and(|score| score.abs() <= MAX_SCORE);
                let fen = position.to_rules().fen();
                (balanced && seen.insert(fen.clone())).then_some(fen)
            });
            let fen = found.ok_or_else(|| {
                format!("genfens: position {number}: found no new balanced position in {MAX_ATTEMPTS} attempts")
            })?;
            (self.print)(&format!("info string genfens {fen}"));
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
        run(&GenfensArgs::parse(text)?, &chess, &mut |line| {
            lines.push(line.to_owned());
        })?;
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
            assert!(
                RulesPosition::from_fen(&GameDef::builtin("chess").unwrap(), fen).is_ok(),
                "{fen}"
            );
        }
    }

    #[test]
    fn generates_from_other_games_and_books() {
        assert!(fens("2 seed 1 book None variant apothecary2 plies 4").unwrap()[0].contains("***["));
        let chess = GameDef::builtin("chess").unwrap();
        let book = "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \"x\";\n\n4k3/8/8/8/8/8/8/4K2R w K - 3 9\n";
        let read = read_book(&chess, book).unwrap();
        assert_eq!(
            (read.len(), read[1].halfmove_clock(), read[1].fullmove_number()),
            (2, 3, 9)
        );
        assert!(read_book(&chess, "\nnonsense\n").unwrap_err().starts_with("2: "));
    }

    #[test]
    fn errors_name_expected_arguments() {
        assert!(
            fens("")
                .unwrap_err()
                .starts_with("genfens: found nothing, expected a whole number")
        );
        assert!(
            fens("2 seeds 1")
                .unwrap_err()
                .starts_with("genfens: found `seeds`, expected N seed S")
        );
        assert!(
            fens("2 book no/such.epd")
                .unwrap_err()
                .starts_with("genfens: no/such.epd: ")
        );
        assert!(fens("1 plies 1000000").unwrap_err().contains("at most 200"));
    }
}
