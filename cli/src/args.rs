//! Arguments that several programs take, and value parsers whose errors say what was expected.

use std::fmt::Display;
use std::num::NonZero;
use std::ops::RangeInclusive;
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

use anyhow::Result;
use assay_rules::def::{definition_text, fairy_ini, known_games};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueHint};

use crate::ProgressMode;

/// The game: a built-in name or the path of a definition file.
#[derive(Args, Clone, Debug)]
pub struct GameArg {
    /// Name or path, as `assay_engine::load_game` takes it.
    #[arg(value_name = "GAME", value_hint = ValueHint::FilePath, help = game_help())]
    pub game: String,
}

/// Help of an argument that is a game.
pub fn game_help() -> String {
    format!(
        "A built-in game ({}), the path of a definition file (.toml), or a variant of a file for Fairy-Stockfish (my.ini:mygame)",
        known_games()
    )
}

/// `--threads`.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct ThreadsArg {
    /// Threads to use [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = whole_number(1..=1024_usize), allow_negative_numbers = true)]
    pub threads: Option<usize>,
}

impl ThreadsArg {
    /// The given number of threads, or else the number of processors.
    pub fn count(self) -> usize {
        let processors = || std::thread::available_parallelism().map_or(1, NonZero::get);
        self.threads.unwrap_or_else(processors)
    }
}

/// `--seed`.
#[derive(Args, Clone, Copy, Debug)]
pub struct SeedArg {
    /// Seed of all random choices; the same seed gives the same results with any number of threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole_number(0..=u64::MAX), allow_negative_numbers = true)]
    pub seed: u64,
}

/// `--json`.
#[derive(Args, Clone, Copy, Debug)]
pub struct JsonArg {
    /// Print the results as JSON
    #[arg(long)]
    pub json: bool,
}

/// Position in the help of an option that all commands have: before `--help`, after all others.
const LAST: usize = 900;

/// `--progress`, for the whole program.
#[derive(Args, Clone, Copy, Debug)]
pub struct ProgressArg {
    /// How to show progress on standard error
    #[arg(
        long,
        global = true,
        value_enum,
        value_name = "MODE",
        default_value_t = ProgressMode::Auto,
        display_order = LAST
    )]
    pub progress: ProgressMode,
}

impl ProgressArg {
    /// Sets how the whole program shows progress. Call it once, before the first
    /// [`Progress`](crate::Progress).
    ///
    /// # Errors
    /// If a bar is requested but standard error is not a terminal.
    pub fn apply(self) -> Result<()> {
        self.progress.apply()
    }
}

/// A parser of whole numbers in a range, without sign.
pub fn whole_number<T>(
    range: RangeInclusive<T>,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + use<T> + 'static
where
    T: FromStr + PartialOrd + Display + Clone + Send + Sync + 'static,
{
    move |text| {
        let is_digits = text.bytes().all(|byte| byte.is_ascii_digit());
        let number = text.parse::<T>().ok();
        number
            .filter(|number| is_digits && range.contains(number))
            .ok_or_else(|| format!("expected a whole number from {} to {}", range.start(), range.end()))
    }
}

/// A parser of a choice by its name. Help and completions have the names.
pub fn one_of<T>(names: &'static [&'static str]) -> impl TypedValueParser<Value = T>
where
    T: FromStr<Err = String> + Clone + Send + Sync + 'static,
{
    PossibleValuesParser::new(names).try_map(|name| name.parse::<T>())
}

/// As [`one_of`]; help describes each choice.
pub fn one_of_described<T>(
    names: &'static [&'static str],
    descriptions: &'static [&'static str],
) -> impl TypedValueParser<Value = T>
where
    T: FromStr<Err = String> + Clone + Send + Sync + 'static,
{
    let choices = names.iter().zip(descriptions).map(|(name, description)| PossibleValue::new(name).help(description));
    PossibleValuesParser::new(choices).try_map(|name| name.parse::<T>())
}

/// A decimal number.
///
/// # Errors
/// If the text is not a finite number.
pub fn decimal(text: &str) -> Result<f64, String> {
    number(text, |number: &f64| number.is_finite(), "expected a number")
}

/// A time with its unit: `90s`, `30m`, `2h`.
///
/// # Errors
/// If the text is not a whole number above 0 and a unit.
pub fn duration(text: &str) -> Result<Duration, String> {
    let seconds = [("s", 1), ("m", 60), ("h", 3_600)].iter().find_map(|(unit, seconds)| {
        let number: NonZero<u32> = text.strip_suffix(unit)?.parse().ok()?;
        Some(u64::from(number.get()) * seconds)
    });
    let seconds = seconds.ok_or("expected a time such as 90s, 30m or 2h")?;
    Ok(Duration::from_secs(seconds))
}

/// The path of a definition that is given in place of the name of a built-in game.
pub fn definition_file(name_or_path: &str) -> Option<&Path> {
    let path = fairy_ini::split_name(name_or_path).map_or(name_or_path, |(file, _)| file);
    definition_text(name_or_path).is_none().then(|| Path::new(path))
}

/// A number of seconds: `0.5`, `60`.
///
/// # Errors
/// If the text is not a number above 0, up to a million.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let is_valid = |seconds: &f64| *seconds > 0.0 && *seconds <= 1e6;
    let seconds = number(text, is_valid, "expected a number of seconds above 0, up to 1000000")?;
    Ok(Duration::from_secs_f64(seconds))
}

/// A share from 0 to 1.
///
/// # Errors
/// If the text is not such a number.
pub fn share(text: &str) -> Result<f64, String> {
    number(text, |share| (0.0..=1.0).contains(share), "expected a number from 0 to 1")
}

/// A number above 0.
///
/// # Errors
/// If the text is not such a number.
pub fn positive(text: &str) -> Result<f64, String> {
    let is_positive = |number: &f64| number.is_finite() && *number > 0.0;
    number(text, is_positive, "expected a number above 0")
}

/// A valid number.
///
/// # Errors
/// What was expected, if the text is not such a number.
pub fn number<T: FromStr>(text: &str, is_valid: impl FnOnce(&T) -> bool, expected: &str) -> Result<T, String> {
    let number = text.parse().ok().filter(is_valid);
    number.ok_or_else(|| expected.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_number_rejects_signs_blanks_and_other_ranges() {
        let parse = whole_number(1..=64_u32);
        assert_eq!(parse("64"), Ok(64));
        for wrong in ["", "0", "65", "+5", "-5", " 5", "5.0", "1e1", "99999999999"] {
            assert_eq!(parse(wrong), Err("expected a whole number from 1 to 64".to_owned()), "{wrong}");
        }
    }

    #[test]
    fn duration_has_a_unit() {
        assert_eq!(duration("90s"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("30m"), Ok(Duration::from_mins(30)));
        assert_eq!(duration("2h"), Ok(Duration::from_hours(2)));
        for wrong in ["", "90", "m", "1.5h", "-1s", "0s", "0h", "5d", "5\u{b5}"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn seconds_are_positive_and_limited() {
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        for wrong in ["", "0", "-1", "1e7", "NaN", "inf", "5s"] {
            assert!(seconds(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn share_and_positive_reject_what_is_not_a_number() {
        assert_eq!(share("0.25"), Ok(0.25));
        assert_eq!(positive("0.25"), Ok(0.25));
        for wrong in ["", "x", "NaN", "inf", "-0.1"] {
            assert!(share(wrong).is_err() && positive(wrong).is_err(), "{wrong}");
        }
        assert!(share("1.1").is_err() && positive("0").is_err());
    }
}
