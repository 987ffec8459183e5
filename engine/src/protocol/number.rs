//! Whole numbers in commands.

use std::str::FromStr;

/// Parses a whole number. `place` names the parameter in the error message.
///
/// # Errors
/// Returns a message for the user.
pub(super) fn parse_number<N: FromStr>(place: &str, text: Option<&str>) -> Result<N, String> {
    let found = text.filter(|text| !text.is_empty());
    found.and_then(|text| text.parse().ok()).ok_or_else(|| {
        let found = found.map_or_else(|| "nothing".to_owned(), |text| format!("`{text}`"));
        format!("{place}: found {found}, expected a whole number")
    })
}
