//! The options that both protocols offer.

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Duration;

use assay_rules::GameDef;
use assay_rules::def::BUILTIN_NAMES;

use super::eval_file::{EvalFile, Evaluation};
use crate::registry::load_game;

const HASH: RangeInclusive<usize> = 1..=65_536;
const THREADS: RangeInclusive<usize> = 1..=256;
const MULTI_PV: RangeInclusive<usize> = 1..=256;
const MOVE_OVERHEAD: RangeInclusive<u64> = 0..=5000;
/// What a text option without a value is shown as.
pub(crate) const EMPTY: &str = "<empty>";

/// What is set.
pub(crate) struct Options {
    /// MiB of the transposition table.
    pub(crate) hash: usize,
    /// Threads of a search.
    pub(crate) threads: usize,
    /// Lines of play that a search looks for.
    pub(crate) multi_pv: usize,
    /// Time lost with each move outside of the search.
    pub(crate) move_overhead: Duration,
    /// Are chances of winning, drawing and losing to be told?
    pub(crate) show_wdl: bool,
    /// The game being played.
    pub(crate) game: Arc<GameDef>,
    /// Games that the user has loaded_variants.
    loaded_variants: Vec<Arc<GameDef>>,
    /// What positions are evaluated with.
    eval_file: EvalFile,
}

/// What a set option changes.
#[derive(Debug, PartialEq)]
pub(crate) enum OptionChange {
    /// The table's size.
    Hash,
    /// The number of threads.
    Threads,
    /// The number of lines.
    MultiPv,
    /// The table is to be cleared.
    ClearHash,
    /// The time lost with each move.
    MoveOverhead,
    /// The game.
    Variant,
    /// A game can be chosen that could not before.
    VariantLoaded(Arc<GameDef>),
    /// The evaluation.
    Evaluation,
    /// Nothing that a search would notice.
    None,
}

/// The form of an option, with its default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum OptionType {
    /// A whole number: default, least, most.
    Spin(u64, u64, u64),
    /// Yes or no.
    Check(bool),
    /// Something to do at once.
    Button,
    /// One of several words: the default, all of them.
    Combo(String, Vec<String>),
    /// The path of a file; none by default.
    File,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            hash: 16,
            threads: 1,
            multi_pv: 1,
            move_overhead: Duration::from_millis(10),
            show_wdl: false,
            game: GameDef::builtin("chess").expect("chess is built in"),
            loaded_variants: Vec::new(),
            eval_file: EvalFile::default(),
        }
    }
}

impl Options {
    /// All options, with their names.
    pub(crate) fn list(&self) -> Vec<(&'static str, OptionType)> {
        let spin = |default: usize, range: RangeInclusive<usize>| {
            OptionType::Spin(default as u64, *range.start() as u64, *range.end() as u64)
        };
        let games = self.variant_names().into_iter().map(str::to_owned).collect();
        let options = vec![
            ("Hash", spin(16, HASH)),
            ("Clear Hash", OptionType::Button),
            ("Threads", spin(1, THREADS)),
            ("MultiPV", spin(1, MULTI_PV)),
            ("Ponder", OptionType::Check(false)),
            (
                "Move Overhead",
                OptionType::Spin(10, *MOVE_OVERHEAD.start(), *MOVE_OVERHEAD.end()),
            ),
            ("UCI_ShowWDL", OptionType::Check(false)),
            ("UCI_Variant", OptionType::Combo("chess".to_owned(), games)),
            ("VariantPath", OptionType::File),
            ("EvalFile", OptionType::File),
        ];
        options.into_iter().chain(tunable_parameters()).collect()
    }

    /// The names of all games that can be played.
    pub(crate) fn variant_names(&self) -> Vec<&str> {
        BUILTIN_NAMES
            .into_iter()
            .chain(self.loaded_variants.iter().map(|game| game.name.as_str()))
            .collect()
    }

    /// All games that can be played.
    pub(crate) fn variants(&self) -> Vec<Arc<GameDef>> {
        let built_in = BUILTIN_NAMES.into_iter().filter_map(GameDef::builtin);
        built_in.chain(self.loaded_variants.iter().cloned()).collect()
    }

    /// Sets an option. Names are read in any case, as the protocols want it.
    ///
    /// # Errors
    /// A note for the user; nothing has been changed then.
    pub(crate) fn set(&mut self, name: &str, value: Option<&str>) -> Result<OptionChange, String> {
        let required = || value.ok_or_else(|| format!("option {name}: found no value, expected `value` and one"));
        match name.to_ascii_lowercase().as_str() {
            "hash" => {
                self.hash = parse_spin(name, required()?, HASH)?;
                Ok(OptionChange::Hash)
            }
            "clear hash" => Ok(OptionChange::ClearHash),
            "threads" => {
                self.threads = parse_spin(name, required()?, THREADS)?;
                Ok(OptionChange::Threads)
            }
            "multipv" => {
                self.multi_pv = parse_spin(name, required()?, MULTI_PV)?;
                Ok(OptionChange::MultiPv)
            }
            // Whether to think on the opponent's time is decided by the other side, move by move.
            "ponder" => parse_check(name, required()?).map(|_| OptionChange::None),
            "move overhead" => {
                self.move_overhead = Duration::from_millis(parse_spin(name, required()?, MOVE_OVERHEAD)?);
                Ok(OptionChange::MoveOverhead)
            }
            "uci_showwdl" => {
                self.show_wdl = parse_check(name, required()?)?;
                Ok(OptionChange::None)
            }
            "uci_variant" => {
                self.game = self.find_variant(required()?)?;
                Ok(OptionChange::Variant)
            }
            "variantpath" => self.load_variant(required()?),
            "evalfile" => {
                let value = required()?;
                self.eval_file = if is_empty(value) {
                    EvalFile::default()
                } else {
                    EvalFile::read(value)?
                };
                Ok(OptionChange::Evaluation)
            }
            #[cfg(feature = "tune")]
            _ if find_parameter(name).is_some() => set_parameter(name, required()?),
            _ => {
                let names: Vec<&str> = self.list().into_iter().map(|(name, _)| name).collect();
                Err(format!("option: found `{name}`, expected one of {}", names.join(", ")))
            }
        }
    }

    /// What the game being played is evaluated with.
    ///
    /// # Errors
    /// A note for the user, when there is a file and it is wrong or another game's.
    pub(crate) fn evaluation(&self) -> Result<Evaluation, String> {
        self.eval_file.evaluation(&self.game)
    }

    fn find_variant(&self, name: &str) -> Result<Arc<GameDef>, String> {
        if let Some(game) = self.loaded_variants.iter().find(|game| game.name == name) {
            return Ok(game.clone());
        }
        GameDef::builtin(name).ok_or_else(|| {
            format!(
                "UCI_Variant: found `{name}`, expected one of {}; a game of your own comes in by VariantPath",
                self.variant_names().join(", ")
            )
        })
    }

    fn load_variant(&mut self, path: &str) -> Result<OptionChange, String> {
        if is_empty(path) {
            return Ok(OptionChange::None);
        }
        if BUILTIN_NAMES.contains(&path) {
            return Err(format!(
                "VariantPath: found `{path}`, which is built in; expected the path of a definition file"
            ));
        }
        let game = load_game(path).map_err(|error| format!("VariantPath: {error}"))?;
        if BUILTIN_NAMES.contains(&game.name.as_str()) {
            return Err(format!(
                "VariantPath: {path}: found name `{}`, which is built in; expected another",
                game.name
            ));
        }
        // The file may have been edited since it was loaded_variants before.
        self.loaded_variants.retain(|loaded| loaded.name != game.name);
        self.loaded_variants.push(game.clone());
        Ok(OptionChange::VariantLoaded(game))
    }
}

/// The numbers of the search that can be set.
#[cfg(feature = "tune")]
fn tunable_parameters() -> impl Iterator<Item = (&'static str, OptionType)> {
    crate::search::PARAMETERS.iter().map(|parameter| {
        let number = |number: i32| u64::from(number.unsigned_abs());
        let (low, high) = (number(*parameter.range.start()), number(*parameter.range.end()));
        (parameter.name, OptionType::Spin(number(parameter.default), low, high))
    })
}

#[cfg(not(feature = "tune"))]
fn tunable_parameters() -> impl Iterator<Item = (&'static str, OptionType)> {
    std::iter::empty()
}

/// The number of the search that has that name.
#[cfg(feature = "tune")]
fn find_parameter(name: &str) -> Option<&'static crate::search::Parameter> {
    crate::search::PARAMETERS
        .iter()
        .find(|parameter| parameter.name == name)
}

/// Sets a number of the search.
#[cfg(feature = "tune")]
fn set_parameter(name: &str, text: &str) -> Result<OptionChange, String> {
    let parameter =
        find_parameter(name).ok_or_else(|| format!("option: found `{name}`, expected a number of the search"))?;
    let number = text.parse();
    let number = number.map_err(|_| format!("option {name}: found `{text}`, expected a whole number"))?;
    parameter.set(number).map_err(|error| error.to_string())?;
    Ok(OptionChange::None)
}

/// Does the value of a text option say that there is none?
fn is_empty(value: &str) -> bool {
    value.is_empty() || value == EMPTY
}

fn parse_spin<N>(name: &str, text: &str, range: RangeInclusive<N>) -> Result<N, String>
where
    N: std::str::FromStr + PartialOrd + std::fmt::Display,
{
    let value = text.parse().ok().filter(|value| range.contains(value));
    value.ok_or_else(|| {
        format!(
            "option {name}: found `{text}`, expected {} to {}",
            range.start(),
            range.end()
        )
    })
}

/// UCI says `true`, CECP says `1`.
fn parse_check(name: &str, text: &str) -> Result<bool, String> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "1" => Ok(true),
        "false" | "0" => Ok(false),
        _ => Err(format!("option {name}: found `{text}`, expected `true` or `false`")),
    }
}
