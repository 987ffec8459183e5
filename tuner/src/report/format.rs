//! Numbers as reports print them.

use crate::values::inference::estimate::IntervalEstimate;
use crate::values::inference::fieller::ConfidenceRegion;
use crate::values::playtest::PawnEstimate;

/// What stands for a number that does not exist.
pub const NONE: &str = "—";

/// A whole number with grouped digits: `12,000`.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A count with its noun: `1 game`, `2 games`.
pub fn count(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", thousands(number))
}

/// A number with so many decimals and without the sign of a zero.
pub fn fixed(number: f64, decimals: usize) -> String {
    let text = format!("{number:.decimals$}");
    let is_zero = text.chars().all(|letter| matches!(letter, '-' | '0' | '.'));
    if is_zero { text.replace('-', "") } else { text }
}

/// A number with two decimals, or a dash.
pub fn decimals(number: Option<f64>) -> String {
    number.map_or_else(|| NONE.to_owned(), |number| fixed(number, 2))
}

/// A published value with the digits it was published with.
pub fn published(number: Option<f64>) -> String {
    number.map_or_else(|| NONE.to_owned(), |number| number.to_string())
}

/// A value with the half-width of its interval: `3.10 ± 0.20`.
pub fn measured(measured: Option<IntervalEstimate>) -> String {
    let Some(IntervalEstimate { value, interval }) = measured else {
        return NONE.to_owned();
    };
    match interval.width() {
        Some(width) => plus_minus(value, width / 2.0),
        None => "unbounded".to_owned(),
    }
}

/// A number of pawns with the half-width of its interval: `3.10 ± 0.20`.
pub fn pawns(pawns: &PawnEstimate) -> String {
    plus_minus(pawns.value, (pawns.high - pawns.low) / 2.0)
}

fn plus_minus(value: f64, half_width: f64) -> String {
    format!("{} ± {half_width:.2}", fixed(value, 2))
}

/// An interval: `2.91 to 3.40`, or `unbounded`.
pub fn interval(region: Option<ConfidenceRegion>) -> String {
    match region {
        None => NONE.to_owned(),
        Some(ConfidenceRegion::Bounded { low, high }) => range(Some([low, high])),
        Some(ConfidenceRegion::Complement { .. } | ConfidenceRegion::WholeLine) => "unbounded".to_owned(),
    }
}

/// Two ends: `2.91 to 3.40`.
pub fn range(ends: Option<[f64; 2]>) -> String {
    ends.map_or_else(
        || NONE.to_owned(),
        |[low, high]| format!("{} to {}", fixed(low, 2), fixed(high, 2)),
    )
}

/// A number of games, or a dash.
pub fn games(number: Option<u64>) -> String {
    number.map_or_else(|| NONE.to_owned(), thousands)
}

/// A share as a percentage with one decimal.
pub fn percent(share: f64) -> String {
    format!("{}%", fixed(100.0 * share, 1))
}

/// A p-value: `p = 0.042`, or `p < 0.001`.
pub fn p_value(p: f64) -> String {
    if p < 0.001 {
        "p < 0.001".to_owned()
    } else {
        format!("p = {p:.3}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_has_no_sign() {
        assert_eq!(fixed(-0.004, 2), "0.00");
        assert_eq!(fixed(-0.006, 2), "-0.01");
        assert_eq!(fixed(2.0, 2), "2.00");
    }

    #[test]
    fn digits_are_grouped() {
        assert_eq!(thousands(0), "0");
        assert_eq!(thousands(999), "999");
        assert_eq!(thousands(1_000), "1,000");
        assert_eq!(thousands(1_234_567), "1,234,567");
        assert_eq!(count(1, "game"), "1 game");
        assert_eq!(count(1_200, "game"), "1,200 games");
    }
}
