//! Tables that the terminal and the pages show alike.

use assay_cli::format::{decimals, grouped, plus_minus};
use assay_cli::{Align, Table};
use maud::{Markup, html};

use crate::report::format;
use crate::values::comparison::Comparison;
use crate::values::design::phase::PhaseModel;
use crate::values::inference::distributions::critical_value;
use crate::values::inference::estimate::IntervalEstimate;
use crate::values::inference::fieller::ConfidenceRegion;
use crate::values::inference::given_material::{GivenDifference, GivenMaterial};
use crate::values::inference::scale::{PublishedScale, ScaledValue};
use crate::values::inference::units::{Unit, UnitTable};
use crate::values::inference::verdict::ValueVerdict;
use crate::values::playtest::Playtest;
use crate::values::playtest::agreement::{MethodComparison, MethodVerdict};
use crate::values::results::MeasurementReport;

/// A table before it is rendered.
pub struct ReportTable<'r> {
    columns: Vec<Column<'r>>,
    rows: Vec<Vec<Cell>>,
}

/// A column: heading on a terminal, heading on a page, alignment.
pub(super) type Column<'r> = (&'r str, &'r str, Align);

/// Text of a cell. Pages also show a letter after it and a note below it, and use a CSS class.
#[derive(Clone, Default)]
pub struct Cell {
    text: String,
    letter: Option<char>,
    note: Option<String>,
    class: &'static str,
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Cell {
        Cell {
            text: text.into(),
            ..Cell::default()
        }
    }
}

impl Cell {
    pub(super) fn class(self, class: &'static str) -> Cell {
        Cell { class, ..self }
    }

    pub(super) fn note(self, note: String) -> Cell {
        Cell {
            note: Some(note),
            ..self
        }
    }
}

impl<'r> ReportTable<'r> {
    pub(super) fn new(columns: Vec<Column<'r>>, rows: Vec<Vec<Cell>>) -> ReportTable<'r> {
        ReportTable { columns, rows }
    }

    /// The table for a terminal.
    pub fn text(&self) -> Table {
        let mut table = Table::new(self.columns.iter().map(|&(heading, _, align)| (heading, align)));
        for row in &self.rows {
            table.row(row.iter().map(|cell| &cell.text));
        }
        table
    }

    /// The table for a page. Narrow windows show each row as a list, whose labels are the headings.
    pub(super) fn html(&self, caption: &str) -> Markup {
        let class = |align: Align, class: &str| {
            let number = if align == Align::Right { "number" } else { "" };
            let class = format!("{number} {class}").trim().to_owned();
            (!class.is_empty()).then_some(class)
        };
        html! {
            table.list role="table" {
                caption { (caption) }
                thead role="rowgroup" { tr role="row" { @for &(_, heading, align) in &self.columns {
                    th scope="col" role="columnheader" class=[class(align, "")] { (heading) }
                } } }
                tbody role="rowgroup" { @for row in &self.rows { tr role="row" {
                    @for (index, (cell, column)) in row.iter().zip(&self.columns).enumerate() {
                        @if index == 0 {
                            th scope="row" role="rowheader" class=[class(column.2, cell.class)] {
                                (cell.text) @if let Some(letter) = cell.letter { " " span.letter { (letter) } }
                                @if let Some(note) = &cell.note { div.note { (note) } }
                            }
                        } @else {
                            td role="cell" class=[class(column.2, cell.class)] data-label=(column.1) { (cell.text) }
                        }
                    }
                } } }
            }
        }
    }
}

/// A table of texts that owns its headings.
pub(super) struct TextTable {
    pub(super) columns: Vec<(String, Align)>,
    pub(super) rows: Vec<Vec<String>>,
}

impl TextTable {
    /// The table, to be rendered; its first column has the names of the rows.
    pub(super) fn table(&self) -> ReportTable<'_> {
        let row = |texts: &Vec<String>| {
            let cells = texts.iter().enumerate();
            cells
                .map(|(index, text)| Cell::from(text.as_str()).class(if index == 0 { "piece" } else { "" }))
                .collect()
        };
        ReportTable {
            columns: self
                .columns
                .iter()
                .map(|(text, align)| (&**text, &**text, *align))
                .collect(),
            rows: self.rows.iter().map(row).collect(),
        }
    }
}

/// CSS class that colors a verdict. The text states it too.
pub(super) fn verdict_class(verdict: ValueVerdict) -> &'static str {
    match verdict {
        ValueVerdict::Agrees => "inside",
        ValueVerdict::Above | ValueVerdict::Below => "outside",
        ValueVerdict::Inconclusive => "wide",
        ValueVerdict::Unpublished | ValueVerdict::Unit | ValueVerdict::Unmeasurable => "plain",
    }
}

/// CSS class that colors a verdict on both methods. The text states it too.
pub(super) fn method_verdict_class(verdict: MethodVerdict) -> &'static str {
    match verdict {
        MethodVerdict::Agree => "",
        MethodVerdict::Differ => "outside",
        MethodVerdict::NotDistinguished | MethodVerdict::NotMeasured => "wide",
    }
}

/// The answer: published and measured values on the inventor's scale, or in pawns if there is none.
pub fn summary(report: &MeasurementReport) -> ReportTable<'static> {
    let Some(scales) = &report.published_scales else {
        return in_pawns(report);
    };
    let mut columns = columns(&["piece", "inventor", "measured", HALF_WIDTH]);
    let phases = scales.full_board.as_ref().zip(scales.few_pieces.as_ref());
    if phases.is_some() {
        columns.extend(self::columns(&["full board", "few pieces"]));
    }
    columns.push(("", "", Align::Left));
    let rows = scales.average.values.iter().map(|value| {
        let at = |scale: &PublishedScale| {
            let value = scale.of(&value.piece);
            value.map_or_else(String::new, |value| decimals(value.measured.value, 1))
        };
        let mut row = on_scale(value);
        row.extend(phases.iter().flat_map(|&(full, few)| [at(full).into(), at(few).into()]));
        row.push(Cell::from(format::word(value)).class(verdict_class(value.verdict)));
        row
    });
    ReportTable::new(columns, rows.collect())
}

/// The inventor's values beside those measured so far, for a terminal.
pub fn live(scale: &PublishedScale) -> ReportTable<'static> {
    let rows = scale.values.iter().map(on_scale);
    ReportTable::new(columns(&["piece", "inventor", "so far", HALF_WIDTH]), rows.collect())
}

/// Heading of half-widths of intervals.
const HALF_WIDTH: &str = "\u{b1} 95%";

/// A column of names and columns of numbers.
fn columns(headings: &[&'static str]) -> Vec<Column<'static>> {
    let align = |heading| if heading == "piece" { Align::Left } else { Align::Right };
    headings
        .iter()
        .map(|&heading| (heading, heading, align(heading)))
        .collect()
}

/// A piece, its published and its measured value and the half-width of the interval.
fn on_scale(value: &ScaledValue) -> Vec<Cell> {
    vec![
        Cell::from(format::piece(&value.piece, value.with_half_pair)).class("piece"),
        format::published(value.published).into(),
        Cell::from(decimals(value.measured.value, 2)).class("measured"),
        half_width(value.measured.interval).into(),
    ]
}

fn half_width(interval: ConfidenceRegion) -> String {
    let width = interval.width();
    width.map_or_else(|| "unbounded".to_owned(), |width| decimals(width / 2.0, 2))
}

/// Measured values in pawns, without published ones.
fn in_pawns(report: &MeasurementReport) -> ReportTable<'static> {
    let has_phases = report.fit.phase_model != PhaseModel::Constant;
    let mut columns = columns(&["piece", "in pawns", HALF_WIDTH]);
    if has_phases {
        columns.extend(self::columns(&["full board", "few pieces"]));
    }
    let pieces = report.values.iter().filter(|value| value.letter.is_some());
    let rows = pieces.filter_map(|value| {
        let at = |estimate: Option<IntervalEstimate>| format::value(estimate.map(|estimate| estimate.value)).into();
        let mut row = vec![
            Cell::from(format::piece(&value.piece, value.with_half_pair)).class("piece"),
            Cell::from(format::value(Some(value.measured?))).class("measured"),
            value.interval.map_or_else(String::new, half_width).into(),
        ];
        if has_phases {
            row.extend([at(value.full_board), at(value.few_pieces)]);
        }
        Some(row)
    });
    ReportTable::new(columns, rows.collect())
}

/// Published and measured values.
pub fn values(report: &MeasurementReport) -> ReportTable<'static> {
    let rows = report.values.iter().map(|value| {
        let piece = Cell {
            letter: value.letter,
            ..Cell::from(format::piece(&value.piece, value.with_half_pair))
        };
        vec![
            piece.class("piece"),
            format::published(value.published_raw).into(),
            format::value(value.published).into(),
            Cell::from(format::value(value.measured)).class("measured"),
            format::interval(value.interval).into(),
            Cell::from(format::verdict(report, &value.piece, value.verdict)).class(verdict_class(value.verdict)),
        ]
    });
    ReportTable {
        columns: vec![
            ("piece", "piece", Align::Left),
            ("published", "as published", Align::Right),
            ("in pawns", "published, in pawns", Align::Right),
            ("measured", "measured, in pawns", Align::Right),
            ("95% interval", "95% interval", Align::Right),
            ("verdict", "verdict", Align::Left),
        ],
        rows: rows.collect(),
    }
}

/// Values in all units side by side: published value, measured value and verdict in `primary`, then the other units. `None` if the report has
/// no values in that unit.
pub fn units(report: &MeasurementReport, primary: Unit) -> Option<ReportTable<'static>> {
    let first = report.units.iter().find(|table| table.unit == primary)?;
    let others: Vec<&UnitTable> = report.units.iter().filter(|table| table.unit != primary).collect();
    let columns = [
        ("piece", "piece", Align::Left),
        ("published", "published", Align::Right),
        (primary.name(), primary.name(), Align::Right),
        ("verdict", "verdict", Align::Left),
    ];
    let rows = first.values.iter().enumerate().map(|(index, value)| {
        let mut row = vec![
            Cell::from(format::piece(&value.piece, value.with_half_pair)).class("piece"),
            format::published(value.published.map(|published| (published * 1e6).round() / 1e6)).into(),
            Cell::from(format::measured_in(primary, Some(value.measured))).class("measured"),
            Cell::from(format::verdict(report, &value.piece, value.verdict)).class(verdict_class(value.verdict)),
        ];
        row.extend(
            others
                .iter()
                .map(|table| format::measured_in(table.unit, Some(table.values[index].measured)).into()),
        );
        row
    });
    Some(ReportTable {
        rows: rows.collect(),
        columns: columns
            .into_iter()
            .chain(
                others
                    .iter()
                    .map(|table| (table.unit.name(), table.unit.name(), Align::Right)),
            )
            .collect(),
    })
}

/// Both methods' values of a piece.
pub(super) fn values_of_both_methods<'r>(report: &'r MeasurementReport, piece: &str) -> Option<&'r MethodComparison> {
    let values = &report.agreement.as_ref()?.values;
    values.iter().find(|both| both.piece == piece)
}

/// Values in pawns by game phase.
pub fn phases(report: &MeasurementReport) -> ReportTable<'static> {
    let columns = vec![
        ("piece", "piece", Align::Left),
        ("full board", "full board", Align::Right),
        ("1/4 of pieces", "1/4 of pieces left", Align::Right),
        ("bootstrap", "average, bootstrap interval", Align::Right),
    ];
    let measured = report.values.iter().filter(|value| value.interval.is_some());
    let rows = measured.map(|value| {
        vec![
            Cell::from(format::piece(&value.piece, value.with_half_pair)).class("piece"),
            format::measured(value.full_board).into(),
            format::measured(value.few_pieces).into(),
            format::range(value.bootstrap_interval).into(),
        ]
    });
    ReportTable {
        rows: rows.collect(),
        columns,
    }
}

/// Both methods' values of the first piece of each kind that a full army loses; `None` without a playtest.
pub fn both_methods(report: &MeasurementReport) -> Option<ReportTable<'static>> {
    let rows = report.agreement.as_ref()?.values.iter().map(|value| {
        vec![
            Cell::from(&value.piece).class("piece"),
            format::measured(Some(value.regression)).into(),
            format::measured(Some(value.playtest)).into(),
            value
                .z
                .map_or_else(|| format::NONE.to_owned(), |z| decimals(z, 1))
                .into(),
            Cell::from(value.verdict.text()).class(method_verdict_class(value.verdict)),
        ]
    });
    Some(ReportTable {
        rows: rows.collect(),
        columns: vec![
            ("piece", "piece", Align::Left),
            ("regression", "regression", Align::Right),
            ("playtest", "playtest", Align::Right),
            ("difference", "difference in standard errors", Align::Right),
            ("", "both methods", Align::Left),
        ],
    })
}

/// Values by other models in shares of the army, with the spread over all models; `None` if there are none.
pub fn models(report: &MeasurementReport) -> Option<ReportTable<'_>> {
    let army = report.units.iter().find(|table| table.unit == Unit::Army)?;
    if report.alternatives.is_empty() {
        return None;
    }
    let rows = army.values.iter().map(|value| {
        let measured = value.measured.value;
        let others: Vec<Option<f64>> = report
            .alternatives
            .iter()
            .map(|model| Some(model.values.iter().find(|other| other.piece == value.piece)?.value))
            .collect();
        let known = || others.iter().flatten().copied().chain([measured]);
        let (least, most) = (known().fold(measured, f64::min), known().fold(measured, f64::max));
        let mut row = vec![
            Cell::from(&value.piece).class("piece"),
            format::value(Some(measured)).into(),
        ];
        row.extend(others.iter().map(|&other| Cell::from(format::value(other))));
        row.push(format!("{} to {}", decimals(least, 2), decimals(most, 2)).into());
        row
    });
    let others = report
        .alternatives
        .iter()
        .map(|model| (model.model.as_str(), model.model.as_str(), Align::Right));
    let mut columns = vec![
        ("piece", "piece", Align::Left),
        ("this model", "this model", Align::Right),
    ];
    columns.extend(others);
    columns.push(("spread", "spread", Align::Right));
    Some(ReportTable {
        rows: rows.collect(),
        columns,
    })
}

/// Value of a given piece minus that of one won in play, by stage of the game, and the joint tests; `None` without a test.
pub fn given_material(report: &MeasurementReport) -> Option<ReportTable<'_>> {
    let Some(GivenMaterial::Tested(test)) = &report.given_material else {
        return None;
    };
    let mut columns = vec![("piece", "piece", Align::Left)];
    columns.extend(
        test.stages
            .iter()
            .map(|stage| (&*stage.stage, &*stage.stage, Align::Right)),
    );
    let mut pieces: Vec<&str> = Vec::new();
    for difference in &test.differences {
        if !pieces.contains(&&*difference.piece) {
            pieces.push(&difference.piece);
        }
    }
    // As in the sentence, single differences count only if the joint test rejects.
    let is_rejected = test.overall.p < 0.05;
    let difference = |piece: &str, stage: &str| {
        let mut all = test.differences.iter();
        let found = all.find(|difference| difference.piece == piece && difference.stage == stage);
        let cell = Cell::from(format::measured(found.and_then(|found| found.army)));
        cell.class(if is_rejected && found.is_some_and(GivenDifference::is_significant) {
            "outside"
        } else {
            ""
        })
    };
    let mut rows: Vec<Vec<Cell>> = pieces
        .into_iter()
        .map(|piece| {
            let cells = test.stages.iter().map(|stage| difference(piece, &stage.stage));
            [Cell::from(piece).class("piece")].into_iter().chain(cells).collect()
        })
        .collect();
    let tests = test.stages.iter().map(|stage| format::p_value(stage.test.p).into());
    rows.push([Cell::from("all together")].into_iter().chain(tests).collect());
    Some(ReportTable { columns, rows })
}

/// Widest headings, in characters, of measurements in a table for a terminal.
const LABELS_WIDTH: usize = 70;

/// Measurements of one game side by side. Columns have the players as headings, or numbers if these are too wide for a terminal.
pub fn comparison(comparison: &Comparison) -> ReportTable<'_> {
    const NUMBERS: [&str; 9] = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];
    let labels = || comparison.measurements.iter().map(|measurement| &*measurement.label);
    let is_narrow = labels().map(|label| label.chars().count() + 2).sum::<usize>() <= LABELS_WIDTH;
    let mut columns = vec![
        ("piece", "piece", Align::Left),
        ("published", "published", Align::Right),
    ];
    columns.extend(labels().enumerate().map(|(index, label)| {
        let number = NUMBERS.get(index).copied().filter(|_| !is_narrow);
        (number.unwrap_or(label), label, Align::Right)
    }));
    let rows = comparison.pieces.iter().map(|piece| {
        let mut row = vec![
            Cell::from(format::piece(&piece.piece, piece.with_half_pair)).class("piece"),
            format::value_in(comparison.unit, piece.published).into(),
        ];
        let measured = |&value| Cell::from(format::measured_in(comparison.unit, value));
        row.extend(piece.values.iter().map(measured));
        row
    });
    ReportTable {
        rows: rows.collect(),
        columns,
    }
}

/// Comparisons of a playtest.
pub fn comparisons(playtest: &Playtest) -> ReportTable<'static> {
    let rows = playtest.comparisons.iter().map(|comparison| {
        let behind = match comparison.advantage {
            Some(advantage) => format::measured(Some(advantage)),
            None if comparison.score > 0.0 && comparison.score < 1.0 => "all pairs equal".to_owned(),
            None => "one side won all".to_owned(),
        };
        // A single pair has no standard error.
        let score = if comparison.pairs < 2 {
            decimals(comparison.score, 3)
        } else {
            let half_width = critical_value(comparison.pairs as usize) * comparison.score_standard_error;
            plus_minus(comparison.score, half_width, 3)
        };
        vec![
            Cell::from(&comparison.material),
            grouped(comparison.pairs).into(),
            score.into(),
            behind.into(),
            format::value(Some(comparison.fitted)).into(),
        ]
    });
    ReportTable {
        columns: vec![
            ("armies", "first army / second army", Align::Left),
            ("pairs", "pairs", Align::Right),
            ("score", "score of the first", Align::Right),
            ("behind", "behind by score, in shares of the army", Align::Right),
            ("by the values", "by the values", Align::Right),
        ],
        rows: rows.collect(),
    }
}
