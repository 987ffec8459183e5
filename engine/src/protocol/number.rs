//! Whole numbers in commands.

use std::fmt::{self, Display};
use std::num::IntErrorKind;
use std::ops::RangeInclusive;
use std::str::FromStr;

use thiserror::Error;

/// Length at which a quoted text is cut off, in characters.
const MAX_QUOTE: usize = 80;

/// Text of a command as error messages quote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found(String);

impl From<&str> for Found {
    fn from(text: &str) -> Found {
        Found(text.to_owned())
    }
}

impl Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = &self.0;
        match text.char_indices().nth(MAX_QUOTE) {
            Some((end, _)) => write!(f, "`{}...`", &text[..end]),
            None if text.is_empty() => f.write_str("nothing"),
            None => write!(f, "`{text}`"),
        }
    }
}

/// A parameter that is not a whole number in its range.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{place}: found {found}, expected a whole number {range}")]
pub struct NumberError {
    place: String,
    found: Found,
    range: String,
}

/// Parses a whole number. `place` names the parameter in the error message.
pub(super) fn parse_number<N>(place: &str, text: Option<&str>, range: RangeInclusive<N>) -> Result<N, NumberError>
where
    N: FromStr + PartialOrd + Display,
{
    let text = text.unwrap_or_default();
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| NumberError {
        place: place.to_owned(),
        found: text.into(),
        range: format!("from {} to {}", range.start(), range.end()),
    })
}

/// Parses a limit of a search. A number that is too large for its type is a limit that is never reached.
pub(super) fn parse_limit(place: &str, text: Option<&str>, minimum: u64) -> Result<u64, NumberError> {
    let text = text.unwrap_or_default();
    match text.parse::<u64>() {
        Ok(number) if number >= minimum => Ok(number),
        Err(error) if *error.kind() == IntErrorKind::PosOverflow => Ok(u64::MAX),
        _ => Err(NumberError {
            place: place.to_owned(),
            found: text.into(),
            range: format!("of at least {minimum}"),
        }),
    }
}
