//! The values that tables and pictures show, in one unit.

use crate::report::format;
use crate::values::inference::estimate::IntervalEstimate;
use crate::values::inference::fieller::ConfidenceRegion;
use crate::values::inference::units::Unit;
use crate::values::inference::verdict::ValueVerdict;
use crate::values::results::MeasurementReport;

/// The values of a report in one unit.
pub(super) struct ValueRows<'r> {
    /// Pawns if the report has no values in the unit that was asked for.
    pub unit: Unit,
    /// True if the values are on the inventor's scale instead.
    pub is_on_scale: bool,
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

impl<'r> ValueRow<'r> {
    /// A row without a published value.
    fn new(
        report: &'r MeasurementReport,
        unit: Unit,
        piece: &'r str,
        with_half_pair: bool,
        measured: IntervalEstimate,
        verdict: ValueVerdict,
    ) -> ValueRow<'r> {
        ValueRow {
            piece,
            label: format::piece(piece, with_half_pair),
            published: None,
            measured: measured.value,
            interval: measured.interval,
            unit,
            verdict,
            report,
        }
    }

    /// Measured over published value with its interval: on the inventor's scale, or without one in the row's unit.
    /// `None` if nothing was published, the interval is unbounded or the piece is the unit.
    pub(super) fn ratio(&self) -> Option<(f64, f64, f64)> {
        let scales = self.report.published_scales.as_ref();
        let scaled = scales.and_then(|scales| scales.average.of(self.piece));
        let (value, interval, published) = match scaled {
            Some(scaled) => (scaled.measured.value, scaled.measured.interval, scaled.published?),
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

/// The values that a reader sees first: those in `unit`, or without one on the inventor's scale. If the report has
/// no such values, as [`rows`].
pub(super) fn first_rows(report: &MeasurementReport, unit: Option<Unit>) -> ValueRows<'_> {
    let scales = report.published_scales.as_ref();
    let Some(scales) = scales.filter(|_| unit.is_none()) else {
        return rows(report, unit.unwrap_or_default());
    };
    let unit = Unit::default();
    let rows = scales.average.values.iter().map(|value| ValueRow {
        published: value.published,
        ..ValueRow::new(
            report,
            unit,
            &value.piece,
            value.with_half_pair,
            value.measured,
            value.verdict,
        )
    });
    ValueRows {
        unit,
        is_on_scale: true,
        rows: rows.collect(),
    }
}

/// The values of a report in `unit`, or in pawns if it has none.
pub(super) fn rows(report: &MeasurementReport, unit: Unit) -> ValueRows<'_> {
    if let Some(table) = report.units.iter().find(|table| table.unit == unit) {
        let rows = table.values.iter().map(|value| ValueRow {
            published: value.published,
            ..ValueRow::new(
                report,
                unit,
                &value.piece,
                value.with_half_pair,
                value.measured,
                value.verdict,
            )
        });
        return ValueRows {
            unit,
            is_on_scale: false,
            rows: rows.collect(),
        };
    }
    // A file of an earlier version, of a game that only its user knows.
    let unit = Unit::Pawns;
    let rows = report.values.iter().filter_map(|value| {
        let measured = value.letter.and(value.measured)?;
        let interval = value.interval.unwrap_or(ConfidenceRegion::Bounded {
            low: measured,
            high: measured,
        });
        let measured = IntervalEstimate {
            value: measured,
            interval,
        };
        Some(ValueRow {
            published: value.published,
            ..ValueRow::new(
                report,
                unit,
                &value.piece,
                value.with_half_pair,
                measured,
                value.verdict,
            )
        })
    });
    ValueRows {
        unit,
        is_on_scale: false,
        rows: rows.collect(),
    }
}
