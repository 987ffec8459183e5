//! Engine options of both protocols.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Duration;

use assay_rules::GameDef;
use assay_rules::def::{definition_text, game_names, known_games};

use super::debug_log::DebugLog;
use super::eval_file::{EvalFile, Evaluation};
use super::refusal::{Refusal, parse_number};
use crate::registry::{games_in, load_game};
use crate::search::Strength;

pub(crate) const DEFAULT_HASH: usize = 16;

/// Up to 32 TiB; the machine's memory is the limit.
pub(crate) const HASH: RangeInclusive<usize> = 1..=33_554_432;
pub(crate) const THREADS: RangeInclusive<usize> = 1..=256;
const MULTI_PV: RangeInclusive<usize> = 1..=256;
const MOVE_OVERHEAD: RangeInclusive<u64> = 0..=5000;
const DEFAULT_SEED: u32 = 1;
/// Value of an empty string option.
pub(crate) const EMPTY: &str = "<empty>";

/// Options of the search.
#[derive(Clone, Copy)]
pub(crate) struct SearchOptions {
    /// Size of the transposition table in MiB.
    pub(crate) hash: usize,
    pub(crate) threads: usize,
    /// Number of principal variations.
    pub(crate) multi_pv: usize,
    /// Time reserved per move for delays outside the search.
    pub(crate) move_overhead: Duration,
    /// `None` is full strength.
    pub(crate) strength: Option<Strength>,
}

/// Options that limit the strength of play.
#[derive(Clone, Copy)]
struct StrengthOptions {
    is_limited: bool,
    elo: u32,
    seed: u32,
    /// Analysis has full strength.
    is_analysis: bool,
}

impl StrengthOptions {
    fn strength(self) -> Option<Strength> {
        let is_limited = self.is_limited && !self.is_analysis;
        is_limited.then(|| Strength::from_elo(self.elo, self.seed.into()))
    }
}

/// Option values.
pub(crate) struct Options {
    pub(crate) search: SearchOptions,
    strength: StrengthOptions,
    /// Report win, draw and loss probabilities.
    pub(crate) show_wdl: bool,
    pub(crate) game: Arc<GameDef>,
    /// The game that `UCI_Variant` names. With `UCI_Chess960`, chess is played as Fischer Random
    /// Chess.
    variant: Arc<GameDef>,
    is_chess960: bool,
    /// Games loaded by `VariantPath`.
    loaded_variants: Vec<Arc<GameDef>>,
    eval_file: EvalFile,
    pub(crate) debug_log: DebugLog,
}

/// Effect of setting an option.
#[derive(Debug, PartialEq)]
pub(crate) enum OptionChange {
    /// One of the [`SearchOptions`].
    Search,
    ClearHash,
    Variant,
    /// `UCI_Chess960` is set for a game that it does not change.
    Chess960Ignored,
    /// The games of a file, or why one of several cannot be played.
    VariantsLoaded(Vec<Result<Arc<GameDef>, Refusal>>),
    Evaluation,
    /// No effect on the search.
    None,
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

impl Options {
    /// The default options. `Debug Log File` sets the file of `debug_log`.
    pub(crate) fn new(debug_log: &DebugLog) -> Options {
        let chess = GameDef::builtin("chess").expect("chess is built in");
        Options {
            search: SearchOptions {
                hash: DEFAULT_HASH,
                threads: 1,
                multi_pv: 1,
                move_overhead: Duration::from_millis(10),
                strength: None,
            },
            strength: StrengthOptions {
                is_limited: false,
                elo: *Strength::ELO.start(),
                seed: DEFAULT_SEED,
                is_analysis: false,
            },
            show_wdl: false,
            game: chess.clone(),
            variant: chess,
            is_chess960: false,
            loaded_variants: Vec::new(),
            eval_file: EvalFile::default(),
            debug_log: debug_log.clone(),
        }
    }

    /// Names and types of all options.
    pub(crate) fn list(&self) -> Vec<(&'static str, OptionType)> {
        let spin = |default: usize, range: RangeInclusive<usize>| {
            OptionType::Spin(default as u64, *range.start() as u64, *range.end() as u64)
        };
        let elo = *Strength::ELO.start() as usize..=*Strength::ELO.end() as usize;
        let options = vec![
            ("Hash", spin(DEFAULT_HASH, HASH)),
            ("Clear Hash", OptionType::Button),
            ("Threads", spin(1, THREADS)),
            ("MultiPV", spin(1, MULTI_PV)),
            ("Ponder", OptionType::Check(false)),
            ("Move Overhead", OptionType::Spin(10, *MOVE_OVERHEAD.start(), *MOVE_OVERHEAD.end())),
            ("UCI_LimitStrength", OptionType::Check(false)),
            ("UCI_Elo", spin(*Strength::ELO.start() as usize, elo)),
            // GUIs read numbers of 32 bits with a sign.
            ("Strength Seed", spin(DEFAULT_SEED as usize, 0..=i32::MAX as usize)),
            ("UCI_AnalyseMode", OptionType::Check(false)),
            ("UCI_ShowWDL", OptionType::Check(false)),
            ("UCI_Chess960", OptionType::Check(false)),
            ("UCI_Variant", OptionType::Combo("chess".to_owned(), self.variant_names())),
            ("VariantPath", OptionType::File),
            ("EvalFile", OptionType::File),
            ("Debug Log File", OptionType::File),
        ];
        options.into_iter().chain(tunable_parameters()).collect()
    }

    fn variant_names(&self) -> Vec<String> {
        self.variants().iter().map(|game| game.name.clone()).collect()
    }

    /// All available games. A loaded one replaces the built-in game of its name.
    pub(crate) fn variants(&self) -> Vec<Arc<GameDef>> {
        let is_loaded = |name: &&str| self.loaded_variants.iter().any(|game| game.name == *name);
        let built_in = game_names().filter(|name| !is_loaded(name)).filter_map(GameDef::builtin);
        built_in.chain(self.loaded_variants.iter().cloned()).collect()
    }

    /// Sets an option. The name is not case-sensitive. An error leaves the options unchanged.
    pub(crate) fn set(&mut self, name: &str, value: Option<&str>) -> Result<OptionChange, Refusal> {
        let place = format!("option {name}");
        let required = || {
            let no_value = || Refusal::because(format_args!("{place}: found no value, expected `value VALUE`"));
            value.ok_or_else(no_value)
        };
        let options = self.list();
        let option = options.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        let Some((name, kind)) = option else {
            let names: Vec<&str> = options.iter().map(|(name, _)| *name).collect();
            let expected = format!("one of {}", names.join(", "));
            return Err(Refusal::new("option", name, expected));
        };
        Ok(match kind {
            OptionType::Spin(_, min, max) => {
                let number: u64 = parse_number(&place, value, *min..=*max)?;
                match *name {
                    "Hash" => self.search.hash = number as usize,
                    "Threads" => self.search.threads = number as usize,
                    "MultiPV" => self.search.multi_pv = number as usize,
                    "Move Overhead" => self.search.move_overhead = Duration::from_millis(number),
                    "UCI_Elo" => self.strength.elo = number as u32,
                    "Strength Seed" => self.strength.seed = number as u32,
                    _ => {
                        #[cfg(feature = "tune")]
                        set_parameter(name, number as i32)?;
                        return Ok(OptionChange::None);
                    }
                }
                self.search.strength = self.strength.strength();
                OptionChange::Search
            }
            OptionType::Check(_) => {
                let is_set = parse_check(&place, required()?)?;
                self.set_check(name, is_set)
            }
            OptionType::Button => OptionChange::ClearHash,
            OptionType::Combo(..) => {
                self.variant = self.find_variant(required()?)?;
                self.choose_game();
                OptionChange::Variant
            }
            OptionType::File if *name == "VariantPath" => self.load_variants(required()?)?,
            OptionType::File if *name == "Debug Log File" => {
                let path = Some(required()?).filter(|path| !is_empty(path));
                self.debug_log.open(path)?;
                OptionChange::None
            }
            OptionType::File => {
                let value = required()?;
                self.eval_file = if is_empty(value) { EvalFile::default() } else { EvalFile::read(value)? };
                OptionChange::Evaluation
            }
        })
    }

    /// Turns the analysis mode on or off, in which the strength is not limited.
    pub(crate) fn set_analysis(&mut self, is_analysis: bool) -> OptionChange {
        self.set_check("UCI_AnalyseMode", is_analysis)
    }

    fn set_check(&mut self, name: &str, is_set: bool) -> OptionChange {
        match name {
            "UCI_LimitStrength" => self.strength.is_limited = is_set,
            "UCI_AnalyseMode" => self.strength.is_analysis = is_set,
            "UCI_ShowWDL" => self.show_wdl = is_set,
            "UCI_Chess960" => {
                self.is_chess960 = is_set;
                let old = self.game.clone();
                self.choose_game();
                if !Arc::ptr_eq(&old, &self.game) {
                    return OptionChange::Variant;
                }
                return if self.ignores_chess960() { OptionChange::Chess960Ignored } else { OptionChange::None };
            }
            // The GUI decides move by move if the engine ponders.
            _ => {}
        }
        let before = std::mem::replace(&mut self.search.strength, self.strength.strength());
        if before == self.search.strength { OptionChange::None } else { OptionChange::Search }
    }

    /// Returns the evaluation of the current game.
    pub(crate) fn evaluation(&self) -> Result<Evaluation, Refusal> {
        self.eval_file.evaluation(&self.game)
    }

    /// Plays the variant, from any start if `UCI_Chess960` is set and the variant is known so.
    fn choose_game(&mut self) {
        let random = match self.variant.name.as_str() {
            _ if !self.variant.is_builtin() => None,
            "chess" => GameDef::builtin("fischerandom"),
            "capablanca" => GameDef::builtin("caparandom"),
            _ => None,
        };
        self.game = random.filter(|_| self.is_chess960).unwrap_or_else(|| self.variant.clone());
    }

    /// Returns true if `UCI_Chess960` is set, but the game has no form with other starts.
    pub(crate) fn ignores_chess960(&self) -> bool {
        let castling = self.game.mechanisms.castling.as_ref();
        self.is_chess960 && !castling.is_some_and(|castling| castling.from_any_file)
    }

    fn find_variant(&self, name: &str) -> Result<Arc<GameDef>, Refusal> {
        // A converted variant has its own name as its title.
        if let Some(game) = self.loaded_variants.iter().find(|game| game.name == name || game.title == name) {
            return Ok(game.clone());
        }
        // GUIs know Fischer Random Chess by both names.
        let known = if name == "chess960" { "fischerandom" } else { name };
        GameDef::builtin(known).ok_or_else(|| {
            let loaded: String = self.loaded_variants.iter().map(|game| format!("{}, ", game.name)).collect();
            let expected = format!("one of {loaded}{}; load other games with VariantPath", known_games());
            Refusal::new("UCI_Variant", name, expected)
        })
    }

    fn load_variants(&mut self, path: &str) -> Result<OptionChange, Refusal> {
        if is_empty(path) {
            return Ok(OptionChange::None);
        }
        if definition_text(path).is_some() {
            let found = format!("found `{path}`, which is built in");
            return Err(variant_path(&format_args!("{found}; expected the path of a definition file")));
        }
        let names = games_in(path).map_err(|error| variant_path(&error))?;
        let mut loaded: Vec<Result<Arc<GameDef>, Refusal>> = names.iter().map(|name| load_variant(name)).collect();
        if loaded.len() == 1 && loaded[0].is_err() {
            loaded.swap_remove(0)?;
        }
        for game in loaded.iter().flatten() {
            // The file may have been changed since it was last loaded.
            self.loaded_variants.retain(|known| known.name != game.name);
            self.loaded_variants.push(game.clone());
        }
        Ok(OptionChange::VariantsLoaded(loaded))
    }
}

fn variant_path(why: &dyn Display) -> Refusal {
    Refusal::because(format_args!("VariantPath: {why}"))
}

fn load_variant(path: &str) -> Result<Arc<GameDef>, Refusal> {
    load_game(path).map_err(|error| variant_path(&error))
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
fn set_parameter(name: &str, value: i32) -> Result<(), Refusal> {
    let mut parameters = crate::search::PARAMETERS.iter();
    let parameter = parameters.find(|parameter| parameter.name == name);
    parameter.expect("a listed option").set(value).map_err(Refusal::because)
}

/// Returns true for an empty string option.
fn is_empty(value: &str) -> bool {
    value.is_empty() || value == EMPTY
}

/// Parses a boolean: `true` in UCI, `1` in CECP.
fn parse_check(place: &str, text: &str) -> Result<bool, Refusal> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "1" => Ok(true),
        "false" | "0" => Ok(false),
        _ => Err(Refusal::new(place, text, "`true` or `false`")),
    }
}
