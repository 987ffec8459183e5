//! Why commands and options are refused, and the whole numbers that they contain.

use std::fmt::Display;
use std::num::IntErrorKind;
use std::ops::RangeInclusive;
use std::str::FromStr;

use thiserror::Error;

/// Length at which a quoted text is cut off, in characters.
const MAX_QUOTE: usize = 80;

/// The error for a command or an option that is refused, with the place, what was found, and what
/// was expected.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub(super) struct Refusal(String);

impl Refusal {
    /// `expected` follows the text that was found, after a comma.
    pub(super) fn new(place: &str, found: &str, expected: impl Display) -> Refusal {
        Refusal::because(format!("{place}: found {}, expected {expected}", quoted(found)))
    }

    pub(super) fn because(why: impl Display) -> Refusal {
        Refusal(why.to_string())
    }
}

/// Text of a command as messages quote it.
pub(super) fn quoted(text: &str) -> String {
    match text.char_indices().nth(MAX_QUOTE) {
        Some((end, _)) => format!("`{}...`", &text[..end]),
        None if text.is_empty() => "nothing".to_owned(),
        None => format!("`{text}`"),
    }
}

/// Parses a whole number. `place` names the parameter in the error message.
pub(super) fn parse_number<N>(place: &str, text: Option<&str>, range: RangeInclusive<N>) -> Result<N, Refusal>
where
    N: FromStr + PartialOrd + Display,
{
    let text = text.unwrap_or_default();
    let number = text.parse().ok().filter(|number| range.contains(number));
    let expected = || format!("a whole number from {} to {}", range.start(), range.end());
    number.ok_or_else(|| Refusal::new(place, text, expected()))
}

/// Parses a limit of a search. A number that is too large for its type is a limit that is never
/// reached.
pub(super) fn parse_limit(place: &str, text: Option<&str>, minimum: u64) -> Result<u64, Refusal> {
    let text = text.unwrap_or_default();
    match text.parse::<u64>() {
        Ok(number) if number >= minimum => Ok(number),
        Err(error) if *error.kind() == IntErrorKind::PosOverflow => Ok(u64::MAX),
        _ => Err(Refusal::new(place, text, format_args!("a whole number of at least {minimum}"))),
    }
}
