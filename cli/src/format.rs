//! Number formats of text output, the same in all programs.

use std::fmt::Display;
use std::time::Duration;

/// A number with its whole digits grouped in threes: `999`, `12,345`, `-1,234.5`.
///
/// Takes anything that prints as a decimal number, so `format_args!("{:.1}", x)` groups a rounded
/// one.
pub fn grouped(number: impl Display) -> String {
    let number = number.to_string();
    let start = usize::from(number.starts_with(['-', '+']));
    let end = number[start..].find(|c: char| !c.is_ascii_digit()).map_or(number.len(), |length| start + length);
    let mut text = String::with_capacity(number.len() + number.len() / 3);
    for (index, c) in number.char_indices() {
        if index > start && index < end && (end - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(c);
    }
    text
}

/// A count with its noun: `1 game`, `12,345 games`.
pub fn count(number: impl Display, singular: &str, plural: &str) -> String {
    let number = grouped(number);
    let noun = if number == "1" { singular } else { plural };
    format!("{number} {noun}")
}

/// Events per second; 0 if no time has passed.
pub fn per_second(count: u64, time: Duration) -> f64 {
    let seconds = time.as_secs_f64();
    if seconds > 0.0 { count as f64 / seconds } else { 0.0 }
}

/// A rate in three digits with an SI prefix, to be followed by its unit: `24.1`, `999`, `48.2 k`,
/// `1.38 M` (as in `1.38 M nodes/s`).
pub fn rate(rate: f64) -> String {
    // Rounding may carry into the next prefix: 999,999 is `1.00 M`.
    let (mut value, mut prefix) = (rate, "");
    for next in [" k", " M", " G", " T"] {
        if value < 999.5 {
            break;
        }
        value /= 1000.0;
        prefix = next;
    }
    let decimals = match value {
        value if value < 9.995 => 2,
        value if value < 99.95 => 1,
        _ => 0,
    };
    format!("{value:.decimals$}{prefix}")
}

/// A time with two units at most: `0.12s`, `3.2s`, `42s`, `2m38s`, `3h07m`, `2d04h`.
pub fn duration(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds < 0.995 {
        return format!("{seconds:.2}s");
    }
    if seconds < 9.95 {
        return format!("{seconds:.1}s");
    }
    let seconds = seconds.round() as u64;
    let (minutes, hours, days) = (seconds / 60, seconds / 3_600, seconds / 86_400);
    if minutes == 0 {
        format!("{seconds}s")
    } else if hours == 0 {
        format!("{minutes}m{:02}s", seconds % 60)
    } else if days == 0 {
        format!("{hours}h{:02}m", minutes % 60)
    } else {
        format!("{days}d{:02}h", hours % 24)
    }
}

/// A number with a fixed number of decimals. A number that rounds to zero has no minus sign.
pub fn decimals(number: f64, places: usize) -> String {
    let text = format!("{number:.places$}");
    match text.strip_prefix('-') {
        Some(digits) if digits.bytes().all(|byte| matches!(byte, b'0' | b'.')) => digits.to_owned(),
        _ => text,
    }
}

/// A number with its sign: `+0.12`, `-3.40`, `0.00`.
pub fn signed(number: f64, places: usize) -> String {
    let text = decimals(number, places);
    let is_positive = number > 0.0 && text.bytes().any(|byte| matches!(byte, b'1'..=b'9'));
    if is_positive { format!("+{text}") } else { text }
}

/// A share from 0 to 1 as a percentage: `12.5%`.
pub fn percent(share: f64, places: usize) -> String {
    decimals(100.0 * share, places) + "%"
}

/// An estimate and half the width of its interval: `3.10 ± 0.20`.
pub fn plus_minus(value: f64, half_width: f64, places: usize) -> String {
    format!("{} ± {half_width:.places$}", decimals(value, places))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_digits_in_threes() {
        for (number, text) in [
            ("0", "0"),
            ("999", "999"),
            ("1000", "1,000"),
            ("4865609", "4,865,609"),
            ("-123", "-123"),
            ("-1234", "-1,234"),
            ("123456.7891", "123,456.7891"),
            ("+1234.5", "+1,234.5"),
        ] {
            assert_eq!(grouped(number), text);
        }
        assert_eq!(grouped(u64::MAX), "18,446,744,073,709,551,615");
    }

    #[test]
    fn counts_have_singular_and_plural() {
        assert_eq!(count(0, "entry", "entries"), "0 entries");
        assert_eq!(count(1, "entry", "entries"), "1 entry");
        assert_eq!(count(1_234, "entry", "entries"), "1,234 entries");
    }

    #[test]
    fn rates_have_three_digits() {
        for (number, text) in [
            (0.0, "0.00"),
            (2.419, "2.42"),
            (12.0, "12.0"),
            (999.4, "999"),
            (999.6, "1.00 k"),
            (1_380_000.0, "1.38 M"),
            (48_200_000.0, "48.2 M"),
            (999_999.0, "1.00 M"),
            (2.5e12, "2.50 T"),
            (2.5e16, "25000 T"),
        ] {
            assert_eq!(rate(number), text);
        }
    }

    #[test]
    fn rate_without_time_is_zero() {
        assert!(per_second(5, Duration::ZERO).abs() < f64::EPSILON);
        assert!((per_second(5, Duration::from_secs(2)) - 2.5).abs() < f64::EPSILON);
    }

    #[test]
    fn durations_have_two_units_at_most() {
        for (seconds, text) in [
            (0.0, "0.00s"),
            (0.996, "1.0s"),
            (3.21, "3.2s"),
            (9.96, "10s"),
            (59.4, "59s"),
            (59.6, "1m00s"),
            (158.0, "2m38s"),
            (3_600.0, "1h00m"),
            (11_220.0, "3h07m"),
            (187_200.0, "2d04h"),
        ] {
            assert_eq!(duration(Duration::from_secs_f64(seconds)), text);
        }
    }

    #[test]
    fn zero_has_no_sign() {
        assert_eq!(decimals(-0.004, 2), "0.00");
        assert_eq!(decimals(-0.006, 2), "-0.01");
        assert_eq!(signed(0.004, 2), "0.00");
        assert_eq!(signed(-0.004, 2), "0.00");
        assert_eq!(signed(3.4, 2), "+3.40");
        assert_eq!(signed(-3.4, 1), "-3.4");
        assert_eq!(percent(0.125, 1), "12.5%");
        assert_eq!(plus_minus(3.1, 0.2, 2), "3.10 ± 0.20");
    }
}
