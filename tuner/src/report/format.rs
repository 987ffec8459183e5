//! Estimates as reports print them; plain numbers are formatted by `assay_cli::format`.

use assay_cli::format::{decimals, plus_minus, signed};

use crate::values::inference::estimate::IntervalEstimate;
use crate::values::inference::fieller::ConfidenceRegion;
use crate::values::inference::units::Unit;
use crate::values::inference::verdict::ValueVerdict;
use crate::values::results::MeasurementReport;

/// Shown where a number does not exist.
pub const NONE: &str = "—";

/// Name of a piece, and whether half of its pair's bonus is included in its value.
pub fn piece(name: &str, with_half_pair: bool) -> String {
    let half_pair = if with_half_pair { " + half pair" } else { "" };
    format!("{name}{half_pair}")
}

/// A value with two decimals, or a dash.
pub fn value(number: Option<f64>) -> String {
    value_in(Unit::Pawns, number)
}

/// A value with the decimals of its unit, or a dash.
pub fn value_in(unit: Unit, number: Option<f64>) -> String {
    number.map_or_else(|| NONE.to_owned(), |number| decimals(number, unit.places()))
}

/// A published value with the digits it was published with.
pub fn published(number: Option<f64>) -> String {
    number.map_or_else(|| NONE.to_owned(), |number| number.to_string())
}

/// A value with the half-width of its interval: `3.10 ± 0.20`.
pub fn measured(measured: Option<IntervalEstimate>) -> String {
    measured_in(Unit::Pawns, measured)
}

/// A value in a unit with the half-width of its interval.
pub fn measured_in(unit: Unit, measured: Option<IntervalEstimate>) -> String {
    let Some(IntervalEstimate { value, interval }) = measured else {
        return NONE.to_owned();
    };
    match interval.width() {
        Some(width) => plus_minus(value, width / 2.0, unit.places()),
        None => "unbounded".to_owned(),
    }
}

/// An interval: `2.91 to 3.40`, or `unbounded`.
pub fn interval(region: Option<ConfidenceRegion>) -> String {
    interval_in(Unit::Pawns, region)
}

/// An interval of a value in a unit.
pub fn interval_in(unit: Unit, region: Option<ConfidenceRegion>) -> String {
    match region {
        None => NONE.to_owned(),
        Some(ConfidenceRegion::Bounded { low, high }) => {
            format!("{} to {}", decimals(low, unit.places()), decimals(high, unit.places()))
        }
        Some(ConfidenceRegion::Complement { .. } | ConfidenceRegion::WholeLine) => "unbounded".to_owned(),
    }
}

/// Two ends: `2.91 to 3.40`.
pub fn range(ends: Option<[f64; 2]>) -> String {
    ends.map_or_else(
        || NONE.to_owned(),
        |[low, high]| format!("{} to {}", decimals(low, 2), decimals(high, 2)),
    )
}

/// A p-value: `p = 0.042`, or `p < 0.001`.
pub fn p_value(p: f64) -> String {
    if p < 0.001 {
        "p < 0.001".to_owned()
    } else {
        format!("p = {p:.3}")
    }
}

/// The difference of a ratio from 1: `+14%`.
pub fn change(ratio: f64) -> String {
    format!("{}%", signed(100.0 * (ratio - 1.0), 0))
}

/// The interval of such a difference: `+9% to +20%`.
pub fn change_interval(interval: ConfidenceRegion) -> String {
    match interval {
        ConfidenceRegion::Bounded { low, high } => format!("{} to {}", change(low), change(high)),
        ConfidenceRegion::Complement { .. } | ConfidenceRegion::WholeLine => "unbounded".to_owned(),
    }
}

/// A verdict with the interval of the ratio that it is about, if it is about one: `above (+9% to +20%)`.
pub fn verdict(report: &MeasurementReport, piece: &str, verdict: ValueVerdict) -> String {
    let ratio = report.published_ratios.as_ref().and_then(|ratios| ratios.of(piece));
    match ratio.filter(|_| verdict != ValueVerdict::Unit) {
        Some(relative) => format!("{} ({})", verdict.text(), change_interval(relative.ratio.interval)),
        None => verdict.text().to_owned(),
    }
}
