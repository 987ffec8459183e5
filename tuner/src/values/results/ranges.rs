//! Checks the numbers, matrices and hashes of a result that was read from a file. The rules go by
//! the key, because all results name the same things alike.

use serde_json::{Map, Value};

use super::lengths::length;

/// Digits of a file's hash that reports show.
const SHOWN_DIGITS: usize = 16;

/// Larger numbers of a result are typing errors, and would fill a page.
const LARGEST: f64 = 1e15;

/// The least and the greatest number that a key may have, and what is expected of it in words.
fn range_of(key: &str) -> (f64, f64, &'static str) {
    match key {
        // Probabilities, scores and shares.
        "corrected_p" | "coverage" | "expected" | "left" | "level" | "p" | "pieces_left" | "score" | "white"
        | "white_score" => (0.0, 1.0, "a number from 0 to 1"),
        _ if key.starts_with("pawn_score") => (0.0, 1.0, "a number from 0 to 1"),
        "army" | "chi_square" | "condition_number" | "denominator_df" | "f" | "factor" | "half_width"
        | "mean_plies" | "pawns" | "standard_errors" | "weight" => (0.0, LARGEST, "0 or more"),
        _ if key.ends_with("standard_error") => (0.0, LARGEST, "0 or more"),
        // Of games, of pairs of games, and of what is done with them. The most are four times the
        // games of the largest run.
        "clusters" | "counts" | "degrees_of_freedom" | "failed" | "folds" | "full_refits" | "games"
        | "incomplete_pairs" | "iterations" | "pairs" | "pentanomial" | "positions" | "replicates"
        | "without_positions" => (0.0, (4_u64 << 40) as f64, "a count from 0 to 2^42"),
        "games_to_halve" => (1.0, (4_u64 << 40) as f64, "a count from 1 to 2^42"),
        // Student's t and normal quantiles: that of 95% with a single degree of freedom is 12.7.
        "critical_value" | "critical_z" => (0.0, 100.0, "a number from 0 to 100"),
        _ => (-LARGEST, LARGEST, "any"),
    }
}

/// Checks all numbers, matrices and hashes of a result.
///
/// # Errors
/// The place of the first wrong number, what was found there, and what was expected.
pub(super) fn check(result: &Value) -> Result<(), String> {
    let pairs = result.pointer("/games/pairs").and_then(Value::as_f64);
    // Fewer are wrong themselves, which another check says.
    let pairs = pairs.filter(|&pairs| pairs >= 2.0);
    values("", "", result, pairs)
}

/// `pairs` is the number of opening pairs of a measurement, which none of its parts exceeds.
fn values(place: &str, key: &str, value: &Value, pairs: Option<f64>) -> Result<(), String> {
    match value {
        Value::Object(entries) => {
            interval(place, entries)?;
            entries.iter().try_for_each(|(key, value)| values(&join(place, key), key, value, pairs))
        }
        Value::Array(items) => {
            if key == "covariance" && items.first().is_some_and(Value::is_array) {
                covariance(place, items)?;
            }
            let mut numbered = items.iter().enumerate();
            numbered.try_for_each(|(index, item)| values(&format!("{place}[{index}]"), key, item, pairs))
        }
        Value::Number(number) => number.as_f64().map_or(Ok(()), |number| range(place, key, number, pairs)),
        Value::String(text) if key == "hash" => hash(place, text),
        Value::Null | Value::Bool(_) | Value::String(_) => Ok(()),
    }
}

/// The place of a key of an object.
fn join(place: &str, key: &str) -> String {
    if place.is_empty() { key.to_owned() } else { format!("{place}.{key}") }
}

fn range(place: &str, key: &str, number: f64, pairs: Option<f64>) -> Result<(), String> {
    let (least, greatest, expected) = range_of(key);
    let expected = match number.abs() {
        size if size > LARGEST && key == "seed" => return Ok(()),
        size if size > LARGEST => "a number between -1e15 and 1e15",
        _ => expected,
    };
    if !(least..=greatest).contains(&number) {
        return Err(format!("{place}: found {number:e}, expected {expected}"));
    }
    match pairs {
        Some(pairs) if key == "clusters" && number > pairs => {
            Err(format!("{place}: found {number}, expected at most the {pairs} pairs of the whole"))
        }
        _ => Ok(()),
    }
}

/// Checks that the ends of an interval, an object or a pair of numbers, are in order, and that it
/// contains the estimate beside it.
fn interval(place: &str, entries: &Map<String, Value>) -> Result<(), String> {
    let pair = |key: &str| match entries.get(key).and_then(Value::as_array).map(Vec::as_slice) {
        Some([low, high]) => low.as_f64().zip(high.as_f64()),
        _ => None,
    };
    for key in ["interval", "pawn_score_interval", "sd_ratio"] {
        if let Some((low, high)) = pair(key).filter(|(low, high)| low > high) {
            return Err(format!("{}: found {low} to {high}, expected the lower end first", join(place, key)));
        }
    }
    let number = |key: &str| entries.get(key).and_then(Value::as_f64);
    if let Some((low, high)) = number("low").zip(number("high")).filter(|(low, high)| low > high) {
        return Err(format!("{place}: found low = {low} and high = {high}, expected low <= high"));
    }
    match number("value").zip(pair("interval")) {
        Some((value, (low, high))) if value < low || value > high => {
            Err(format!("{place}.value: found {value}, expected a number in its interval, {low} to {high}"))
        }
        _ => Ok(()),
    }
}

/// Checks that a covariance matrix is square, and its diagonal.
fn covariance(place: &str, rows: &[Value]) -> Result<(), String> {
    for (index, row) in rows.iter().enumerate() {
        let numbers = row.as_array().map_or(&[][..], Vec::as_slice);
        length(format!("{place}[{index}]"), numbers, "numbers", rows.len())?;
        let variance = numbers[index].as_f64();
        if let Some(variance) = variance.filter(|&variance| variance < 0.0) {
            return Err(format!("{place}[{index}][{index}]: found {variance}, expected a variance of 0 or more"));
        }
    }
    Ok(())
}

/// Checks the hash of a file.
fn hash(place: &str, text: &str) -> Result<(), String> {
    if text.len() >= SHOWN_DIGITS && text.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return Ok(());
    }
    Err(format!(
        "{place}: found `{}`, expected at least {SHOWN_DIGITS} hexadecimal digits",
        text.escape_debug().take(SHOWN_DIGITS).collect::<String>()
    ))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::check;

    #[test]
    fn errors_name_the_place() {
        let cases = [
            (json!({ "p": 1.5 }), "p: found 1.5e0, expected a number from 0 to 1"),
            (
                json!({ "values": [{ "value": 3.0, "interval": [4.0, 5.0] }] }),
                "values[0].value: found 3, expected a number in its interval, 4 to 5",
            ),
            (json!({ "scale": { "low": 2, "high": 1 } }), "scale: found low = 2 and high = 1, expected low <= high"),
            (
                json!({ "covariance": [[1, 0], [0, -1]] }),
                "covariance[1][1]: found -1, expected a variance of 0 or more",
            ),
            (json!({ "standard_errors": [0.1, -0.1] }), "standard_errors[1]: found -1e-1, expected 0 or more"),
            (json!({ "games": [{ "pairs": 1e14 }] }), "games[0].pairs: found 1e14, expected a count from 0 to 2^42"),
            (
                json!({ "fit": { "critical_value": 1e9 } }),
                "fit.critical_value: found 1e9, expected a number from 0 to 100",
            ),
            (
                json!({ "scale": { "pawn_score_interval": [0.7, 0.6] } }),
                "scale.pawn_score_interval: found 0.7 to 0.6, expected the lower end first",
            ),
            (json!({ "total": 1e300 }), "total: found 1e300, expected a number between -1e15 and 1e15"),
        ];
        for (result, expected) in cases {
            assert_eq!(check(&result), Err(expected.to_owned()));
        }
        assert_eq!(check(&json!({ "seed": u64::MAX, "p": null, "values": [] })), Ok(()));
    }
}
