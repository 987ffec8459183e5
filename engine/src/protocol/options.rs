//! Engine options of both protocols.

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Duration;

use assay_rules::GameDef;
use assay_rules::def::BUILTIN_NAMES;
use thiserror::Error;

use super::eval_file::{EvalFile, EvalFileError, Evaluation};
use super::number::{Found, NumberError, parse_number};
use crate::registry::{LoadError, load_game};

pub(crate) const DEFAULT_HASH: usize = 16;

pub(crate) const HASH: RangeInclusive<usize> = 1..=65_536;
pub(crate) const THREADS: RangeInclusive<usize> = 1..=256;
const MULTI_PV: RangeInclusive<usize> = 1..=256;
const MOVE_OVERHEAD: RangeInclusive<u64> = 0..=5000;
/// Value of an empty string option.
pub(crate) const EMPTY: &str = "<empty>";

/// Option values.
pub(crate) struct Options {
    /// Size of the transposition table in MiB.
    pub(crate) hash: usize,
    pub(crate) threads: usize,
    /// Number of principal variations.
    pub(crate) multi_pv: usize,
    /// Time reserved per move for delays outside the search.
    pub(crate) move_overhead: Duration,
    /// Report win, draw and loss probabilities.
    pub(crate) show_wdl: bool,
    pub(crate) game: Arc<GameDef>,
    /// Games loaded by `VariantPath`.
    loaded_variants: Vec<Arc<GameDef>>,
    eval_file: EvalFile,
}

/// Effect of setting an option.
#[derive(Debug, PartialEq)]
pub(crate) enum OptionChange {
    Hash,
    Threads,
    MultiPv,
    ClearHash,
    MoveOverhead,
    Variant,
    VariantLoaded(Arc<GameDef>),
    Evaluation,
    /// No effect on the search.
    None,
}

/// An option that cannot be set.
#[derive(Debug, Error)]
pub(crate) enum OptionError {
    #[error("option: found {found}, expected one of {}", .expected.join(", "))]
    Unknown { found: Found, expected: Vec<&'static str> },
    #[error("option {name}: found no value, expected `value VALUE`")]
    NoValue { name: String },
    #[error("option {name}: found {found}, expected `true` or `false`")]
    Check { name: String, found: Found },
    #[error(transparent)]
    Number(#[from] NumberError),
    #[error("UCI_Variant: found {found}, expected one of {}; load other games with VariantPath", .expected.join(", "))]
    Variant { found: Found, expected: Vec<String> },
    #[error("VariantPath: found `{name}`, which is built in; expected the path of a definition file")]
    BuiltinPath { name: String },
    #[error("VariantPath: {path}: found name `{name}`, which is built in; expected another")]
    BuiltinName { path: String, name: String },
    #[error("VariantPath: {0}")]
    Load(#[from] LoadError),
    #[error(transparent)]
    EvalFile(#[from] EvalFileError),
    #[cfg(feature = "tune")]
    #[error(transparent)]
    Parameter(#[from] crate::search::ParameterError),
}

/// Type and default of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum OptionType {
    /// Whole number: default, minimum, maximum.
    Spin(u64, u64, u64),
    /// Boolean.
    Check(bool),
    /// Action without a value.
    Button,
    /// Choice: default, all values.
    Combo(String, Vec<String>),
    /// Path of a file; empty by default.
    File,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            hash: DEFAULT_HASH,
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
    /// Names and types of all options.
    pub(crate) fn list(&self) -> Vec<(&'static str, OptionType)> {
        let spin = |default: usize, range: RangeInclusive<usize>| {
            OptionType::Spin(default as u64, *range.start() as u64, *range.end() as u64)
        };
        let options = vec![
            ("Hash", spin(DEFAULT_HASH, HASH)),
            ("Clear Hash", OptionType::Button),
            ("Threads", spin(1, THREADS)),
            ("MultiPV", spin(1, MULTI_PV)),
            ("Ponder", OptionType::Check(false)),
            (
                "Move Overhead",
                OptionType::Spin(10, *MOVE_OVERHEAD.start(), *MOVE_OVERHEAD.end()),
            ),
            ("UCI_ShowWDL", OptionType::Check(false)),
            (
                "UCI_Variant",
                OptionType::Combo("chess".to_owned(), self.variant_names()),
            ),
            ("VariantPath", OptionType::File),
            ("EvalFile", OptionType::File),
        ];
        options.into_iter().chain(tunable_parameters()).collect()
    }

    fn variant_names(&self) -> Vec<String> {
        self.variants().iter().map(|game| game.name.clone()).collect()
    }

    /// All available games.
    pub(crate) fn variants(&self) -> Vec<Arc<GameDef>> {
        let built_in = BUILTIN_NAMES.into_iter().filter_map(GameDef::builtin);
        built_in.chain(self.loaded_variants.iter().cloned()).collect()
    }

    /// Sets an option. The name is not case-sensitive. An error leaves the options unchanged.
    pub(crate) fn set(&mut self, name: &str, value: Option<&str>) -> Result<OptionChange, OptionError> {
        let required = || value.ok_or_else(|| OptionError::NoValue { name: name.to_owned() });
        let place = format!("option {name}");
        match name.to_ascii_lowercase().as_str() {
            "hash" => {
                self.hash = parse_number(&place, value, HASH)?;
                Ok(OptionChange::Hash)
            }
            "clear hash" => Ok(OptionChange::ClearHash),
            "threads" => {
                self.threads = parse_number(&place, value, THREADS)?;
                Ok(OptionChange::Threads)
            }
            "multipv" => {
                self.multi_pv = parse_number(&place, value, MULTI_PV)?;
                Ok(OptionChange::MultiPv)
            }
            // The GUI decides move by move if the engine ponders.
            "ponder" => parse_check(name, required()?).map(|_| OptionChange::None),
            "move overhead" => {
                self.move_overhead = Duration::from_millis(parse_number(&place, value, MOVE_OVERHEAD)?);
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
            _ => {
                #[cfg(feature = "tune")]
                if let Some(parameter) = find_parameter(name) {
                    parameter.set(parse_number(&place, value, i32::MIN..=i32::MAX)?)?;
                    return Ok(OptionChange::None);
                }
                Err(OptionError::Unknown {
                    found: name.into(),
                    expected: self.list().into_iter().map(|(name, _)| name).collect(),
                })
            }
        }
    }

    /// Returns the evaluation of the current game.
    pub(crate) fn evaluation(&self) -> Result<Evaluation, EvalFileError> {
        self.eval_file.evaluation(&self.game)
    }

    fn find_variant(&self, name: &str) -> Result<Arc<GameDef>, OptionError> {
        if let Some(game) = self.loaded_variants.iter().find(|game| game.name == name) {
            return Ok(game.clone());
        }
        GameDef::builtin(name).ok_or_else(|| OptionError::Variant {
            found: name.into(),
            expected: self.variant_names(),
        })
    }

    fn load_variant(&mut self, path: &str) -> Result<OptionChange, OptionError> {
        if is_empty(path) {
            return Ok(OptionChange::None);
        }
        if BUILTIN_NAMES.contains(&path) {
            return Err(OptionError::BuiltinPath { name: path.to_owned() });
        }
        let game = load_game(path)?;
        if BUILTIN_NAMES.contains(&game.name.as_str()) {
            return Err(OptionError::BuiltinName {
                path: path.to_owned(),
                name: game.name.clone(),
            });
        }
        // The file may have been changed since it was last loaded.
        self.loaded_variants.retain(|loaded| loaded.name != game.name);
        self.loaded_variants.push(game.clone());
        Ok(OptionChange::VariantLoaded(game))
    }
}

/// Search parameters.
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

#[cfg(feature = "tune")]
fn find_parameter(name: &str) -> Option<&'static crate::search::Parameter> {
    crate::search::PARAMETERS
        .iter()
        .find(|parameter| parameter.name == name)
}

/// Returns true for an empty string option.
fn is_empty(value: &str) -> bool {
    value.is_empty() || value == EMPTY
}

/// Parses a boolean: `true` in UCI, `1` in CECP.
fn parse_check(name: &str, text: &str) -> Result<bool, OptionError> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "1" => Ok(true),
        "false" | "0" => Ok(false),
        _ => Err(OptionError::Check {
            name: name.to_owned(),
            found: text.into(),
        }),
    }
}
