//! Numbers as typed on the command line, with errors that say what was expected.

use std::fmt::Display;
use std::str::FromStr;

/// A whole number from `least` to `most`.
fn whole<T: FromStr + PartialOrd + Display + Copy>(text: &str, least: T, most: T) -> Result<T, String> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = text
        .parse::<T>()
        .ok()
        .filter(|number| digits && *number >= least && *number <= most);
    number.ok_or_else(|| format!("expected a whole number from {least} to {most}"))
}

/// A depth in plies.
///
/// # Errors
/// When it is none.
pub fn depth(text: &str) -> Result<u32, String> {
    whole(text, 1, 64)
}

/// How many threads, or programs at a time.
///
/// # Errors
/// When it is none.
pub fn threads(text: &str) -> Result<usize, String> {
    whole(text, 1, 1024)
}

/// Megabytes, or 0.
///
/// # Errors
/// When it is none.
pub fn megabytes(text: &str) -> Result<usize, String> {
    whole(text, 0, 1 << 20)
}

/// How many games, positions and the like: at least one.
///
/// # Errors
/// When it is none.
pub fn some(text: &str) -> Result<u64, String> {
    whole(text, 1, 1_000_000_000_000)
}

/// A seed, or a bound of node counts.
///
/// # Errors
/// When it is none.
pub fn any(text: &str) -> Result<u64, String> {
    whole(text, 0, u64::MAX)
}

/// The longest game, in plies.
///
/// # Errors
/// When it is none.
pub fn plies(text: &str) -> Result<usize, String> {
    whole(text, 1, 10_000)
}

/// A length of time in seconds.
///
/// # Errors
/// When it is none.
pub fn seconds(text: &str) -> Result<f64, String> {
    let number = text
        .parse::<f64>()
        .ok()
        .filter(|seconds| *seconds > 0.0 && *seconds <= 1e6);
    number.ok_or_else(|| "expected a number of seconds above 0, up to 1000000".to_owned())
}
