//! The values that tables and pictures show, in one unit.

use crate::report::format;
use crate::values::inference::fieller::ConfidenceRegion;
use crate::values::inference::units::Unit;
use crate::values::inference::verdict::ValueVerdict;
use crate::values::results::MeasurementReport;

/// The values of a report in one unit.
pub(super) struct ValueRows<'r> {
    /// Pawns if the report has no values in the unit that was asked for.
    pub unit: Unit,
    pub rows: Vec<ValueRow<'r>>,
}

/// A measured piece.
pub(super) struct ValueRow<'r> {
    pub piece: &'r str,
    /// The piece, and with it half of its pair's bonus if that is included.
    pub label: String,
    pub published: Option<f64>,
    pub measured: f64,
    pub interval: ConfidenceRegion,
    pub unit: Unit,
    pub verdict: ValueVerdict,
    report: &'r MeasurementReport,
}

impl ValueRow<'_> {
    /// Measured over published value with its interval: relative to the pieces that the verdict refers to, or without these in the row's unit.
    /// `None` if nothing was published, the interval is unbounded or the piece is the unit.
    pub(super) fn ratio(&self) -> Option<(f64, f64, f64)> {
        let ratios = self.report.published_ratios.as_ref();
        let relative = ratios.and_then(|ratios| ratios.of(self.piece)).map(|value| value.ratio);
        let (value, interval, published) = match relative {
            Some(ratio) => (ratio.value, ratio.interval, 1.0),
            None => (
                self.measured,
                self.interval,
                self.published.filter(|&published| published > 0.0)?,
            ),
        };
        match interval {
            ConfidenceRegion::Bounded { low, high } if self.verdict != ValueVerdict::Unit => {
                Some((value / published, low / published, high / published))
            }
            _ => None,
        }
    }

    pub(super) fn verdict_text(&self) -> String {
        format::verdict(self.report, self.piece, self.verdict)
    }
}

/// The values of a report in `unit`, or in pawns if it has none.
pub(super) fn rows(report: &MeasurementReport, unit: Unit) -> ValueRows<'_> {
    if let Some(table) = report.units.iter().find(|table| table.unit == unit) {
        let rows = table.values.iter().map(|value| ValueRow {
            piece: &value.piece,
            label: format::piece(&value.piece, value.with_half_pair),
            published: value.published,
            measured: value.measured.value,
            interval: value.measured.interval,
            unit,
            verdict: value.verdict,
            report,
        });
        return ValueRows {
            unit,
            rows: rows.collect(),
        };
    }
    // A file of an earlier version, of a game that only its user knows.
    let rows = report.values.iter().filter_map(|value| {
        let measured = value.letter.and(value.measured)?;
        let interval = value.interval.unwrap_or(ConfidenceRegion::Bounded {
            low: measured,
            high: measured,
        });
        Some(ValueRow {
            piece: &value.piece,
            label: format::piece(&value.piece, value.with_half_pair),
            published: value.published,
            measured,
            interval,
            unit: Unit::Pawns,
            verdict: value.verdict,
            report,
        })
    });
    ValueRows {
        unit: Unit::Pawns,
        rows: rows.collect(),
    }
}
