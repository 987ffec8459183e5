//! Estimates as reports print them; plain numbers are formatted by `assay_cli::format`.

use assay_cli::format::{decimals, plus_minus, signed};

use crate::values::inference::estimate::IntervalEstimate;
use crate::values::inference::fieller::ConfidenceRegion;
use crate::values::inference::scale::ScaledValue;
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

/// A piece beside its published value: `19% more`, `about the same`, `about the same (+8%)` if the difference is
/// certain but small, or `not clear yet`.
pub fn word(value: &ScaledValue) -> String {
    let Some(deviation) = value.deviation() else {
        return value.verdict.text().to_owned();
    };
    let percent = |sign: f64| format!("{:.0}%", sign * 100.0 * deviation.value);
    match value.verdict {
        ValueVerdict::Above => format!("{} more", percent(1.0)),
        ValueVerdict::Below => format!("{} less", percent(-1.0)),
        ValueVerdict::Agrees if !deviation.interval.contains(0.0) => {
            format!("{} ({})", value.verdict.text(), change(1.0 + deviation.value))
        }
        verdict => verdict.text().to_owned(),
    }
}

/// A verdict with the interval of the deviation that it is about, if it is about one: `more (+9% to +20%)`.
pub fn verdict(report: &MeasurementReport, piece: &str, verdict: ValueVerdict) -> String {
    let value = report
        .published_scales
        .as_ref()
        .and_then(|scales| scales.average.of(piece));
    match value
        .and_then(ScaledValue::deviation)
        .filter(|_| verdict != ValueVerdict::Unit)
    {
        Some(IntervalEstimate {
            interval: ConfidenceRegion::Bounded { low, high },
            ..
        }) => format!("{} ({} to {})", verdict.text(), change(1.0 + low), change(1.0 + high)),
        _ => verdict.text().to_owned(),
    }
}
