//! Counts, times and rates as people read them.

use std::time::Duration;

/// A count with its thousands set apart: `4 865 609`.
pub fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

/// Nodes per second; 0 when no time has passed.
pub fn per_second(nodes: u64, time: Duration) -> f64 {
    let seconds = time.as_secs_f64();
    if seconds > 0.0 { nodes as f64 / seconds } else { 0.0 }
}

/// A rate in three digits: `48.2 M`.
pub fn short_rate(rate: f64) -> String {
    let (value, unit) = match rate {
        rate if rate >= 1e9 => (rate / 1e9, " G"),
        rate if rate >= 1e6 => (rate / 1e6, " M"),
        rate if rate >= 1e3 => (rate / 1e3, " k"),
        rate => (rate, ""),
    };
    let decimals = usize::from(value < 100.0);
    format!("{value:.decimals$}{unit}")
}

/// Seconds with three decimals.
pub fn seconds(time: Duration) -> String {
    format!("{:.3} s", time.as_secs_f64())
}

/// `1 position`, `2 positions`: a count with its noun.
pub fn of(count: u64, noun: &str) -> String {
    format!("{} {noun}{}", grouped(count), if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1000), "1 000");
        assert_eq!(grouped(4_865_609), "4 865 609");
    }

    #[test]
    fn rates() {
        assert_eq!(short_rate(12.0), "12.0");
        assert_eq!(short_rate(48_200_000.0), "48.2 M");
        assert_eq!(short_rate(999_000.0), "999 k");
    }
}
