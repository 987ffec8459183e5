//! Checks the numbers of a result that was read from a file. The rules go by the key, because all results name the same things alike.

use serde_json::{Map, Value};

/// Larger numbers of a result are typing errors, and would fill a page.
const LARGEST: f64 = 1e15;

/// Numbers from 0 to 1: probabilities, scores and shares.
const SHARES: [&str; 11] = [
    "p",
    "corrected_p",
    "level",
    "pawn_score",
    "pawn_score_full_board",
    "pawn_score_few_pieces",
    "pieces_left",
    "score",
    "white",
    "white_score",
    "coverage",
];

/// Numbers that are not negative.
const NOT_NEGATIVE: [&str; 6] = [
    "chi_square",
    "f",
    "half_width",
    "mean_plies",
    "score_standard_error",
    "standard_error",
];

/// Checks all numbers of a result.
///
/// # Errors
/// The place of the first wrong number, what was found there, and what was expected.
pub(super) fn check(result: &Value) -> Result<(), String> {
    values("", "", result)
}

fn values(place: &str, key: &str, value: &Value) -> Result<(), String> {
    match value {
        Value::Object(entries) => {
            interval(place, entries)?;
            entries.iter().try_for_each(|(key, value)| {
                let place = if place.is_empty() {
                    key.clone()
                } else {
                    format!("{place}.{key}")
                };
                values(&place, key, value)
            })
        }
        Value::Array(items) => {
            if key == "covariance" {
                variances(place, items)?;
            }
            let mut numbered = items.iter().enumerate();
            numbered.try_for_each(|(index, item)| values(&format!("{place}[{index}]"), key, item))
        }
        Value::Number(number) => number.as_f64().map_or(Ok(()), |number| range(place, key, number)),
        Value::Null | Value::Bool(_) | Value::String(_) => Ok(()),
    }
}

fn range(place: &str, key: &str, number: f64) -> Result<(), String> {
    let wrong = |expected: &str| Err(format!("{place}: found {number:e}, expected {expected}"));
    if number.abs() > LARGEST && key != "seed" {
        return wrong("a number between -1e15 and 1e15");
    }
    if SHARES.contains(&key) && !(0.0..=1.0).contains(&number) {
        return wrong("a number from 0 to 1");
    }
    if (NOT_NEGATIVE.contains(&key) || key == "standard_errors") && number < 0.0 {
        return wrong("0 or more");
    }
    Ok(())
}

/// Checks that the ends of an interval are in order, and that it contains the estimate beside it.
fn interval(place: &str, entries: &Map<String, Value>) -> Result<(), String> {
    let number = |key: &str| entries.get(key).and_then(Value::as_f64);
    let ends = number("low").zip(number("high"));
    let inner = entries.get("interval").and_then(Value::as_object);
    let inner = inner.and_then(|inner| inner.get("low")?.as_f64().zip(inner.get("high")?.as_f64()));
    if let Some((low, high)) = ends.filter(|(low, high)| low > high) {
        return Err(format!(
            "{place}: found low = {low} and high = {high}, expected low <= high"
        ));
    }
    let Some(value) = number("value") else { return Ok(()) };
    match ends.or(inner) {
        Some((low, high)) if value < low || value > high => Err(format!(
            "{place}.value: found {value}, expected a number in its interval, {low} to {high}"
        )),
        _ => Ok(()),
    }
}

/// Checks the diagonal of a covariance matrix.
fn variances(place: &str, rows: &[Value]) -> Result<(), String> {
    for (index, row) in rows.iter().enumerate() {
        let variance = row.get(index).and_then(Value::as_f64);
        if let Some(variance) = variance.filter(|&variance| variance < 0.0) {
            return Err(format!(
                "{place}[{index}][{index}]: found {variance}, expected a variance of 0 or more"
            ));
        }
    }
    Ok(())
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
                json!({ "values": [{ "value": 3.0, "interval": { "low": 4.0, "high": 5.0 } }] }),
                "values[0].value: found 3, expected a number in its interval, 4 to 5",
            ),
            (
                json!({ "scale": { "low": 2, "high": 1 } }),
                "scale: found low = 2 and high = 1, expected low <= high",
            ),
            (
                json!({ "covariance": [[1, 0], [0, -1]] }),
                "covariance[1][1]: found -1, expected a variance of 0 or more",
            ),
            (
                json!({ "standard_errors": [0.1, -0.1] }),
                "standard_errors[1]: found -1e-1, expected 0 or more",
            ),
            (
                json!({ "total": 1e300 }),
                "total: found 1e300, expected a number between -1e15 and 1e15",
            ),
        ];
        for (result, expected) in cases {
            assert_eq!(check(&result), Err(expected.to_owned()));
        }
        assert_eq!(check(&json!({ "seed": u64::MAX, "p": null, "values": [] })), Ok(()));
    }
}
