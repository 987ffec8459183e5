//! The report on measurements of one game side by side.

use assay_cli::chart::{Axis, Ends, Scale};
use assay_cli::format::{count, decimals};
use assay_cli::page::{Block, Page, Section};
use assay_cli::{Table, row};
use maud::{Markup, html};

use super::format;
use super::html::charts;
use crate::values::comparison::{ComparedMeasurement, ComparedPiece, Comparison, DifferenceTest};

/// The measurements by number, their values, and the tests for differences.
pub fn comparison(comparison: &Comparison) -> Page {
    let label = |(number, measurement): (usize, &ComparedMeasurement)| {
        format!(
            "{number}: {}; {} from {}",
            measurement.label,
            count(measurement.games, "game", "games"),
            count(measurement.pairs, "opening", "openings")
        )
    };
    let labels = (1..).zip(&comparison.measurements).map(label).collect();
    Page {
        title: format!("{}: measurements side by side", comparison.title),
        lead: String::new(),
        sections: vec![Section::new("", vec![Block::List(labels)]), section(comparison)],
    }
}

/// Picture, table and tests.
pub(super) fn section(comparison: &Comparison) -> Section {
    let rows = comparison.pieces.iter().map(|piece| {
        let name = format::piece(&piece.piece, piece.with_half_pair);
        let values = piece.values.iter().map(|&value| format::measured(value, 2));
        row(name, std::iter::once(format::value(piece.published, 2)).chain(values))
    });
    let measurements = (1..=comparison.measurements.len()).map(|number| number.to_string());
    let headings = ["piece".to_owned(), "published".to_owned()];
    let headings = headings.into_iter().chain(measurements);
    let definition = format!(
        "{}: {}. Half-widths are of 95% intervals. The tests treat the runs as independent.",
        comparison.unit.name(),
        comparison.definition
    );
    let panels = html! { div.panels { @for piece in &comparison.pieces { (panel(comparison, piece)) } } };
    let tests = comparison.tests.iter().map(|test| sentence(comparison, test));
    Section::new(
        "Values by measurement",
        vec![
            Block::Picture(panels),
            Block::Table(Table::of("", headings, rows)),
            Block::Note(definition),
            Block::List(tests.collect()),
        ],
    )
}

/// Outcome of a test: joint p-value and the pieces that differ.
fn sentence(comparison: &Comparison, test: &DifferenceTest) -> String {
    // Single differences count only if the joint test rejects.
    let is_rejected = test.p < 0.05;
    let differ = if is_rejected { "differ" } else { "do not differ significantly" };
    let text = format!(
        "{} against {}: the values {differ} (joint test: chi-square {} with {}, {}).",
        comparison.measurements[test.measurement].label,
        comparison.measurements[0].label,
        decimals(test.chi_square, 1),
        count(test.degrees_of_freedom, "degree of freedom", "degrees of freedom"),
        format::p_value(test.p)
    );
    let is_tested = |piece: &ComparedPiece| {
        let mut tested = test.differences.iter();
        tested.any(|difference| difference.piece == piece.piece)
    };
    let untested = comparison.pieces.iter().filter(|piece| !is_tested(piece));
    let untested = untested.map(|piece| &piece.piece);
    let differing = test.differences.iter().filter(|found| is_rejected && !found.difference.contains(0.0));
    let differing = differing.map(|found| {
        let half_width = format::value(found.difference.half_width(), 2);
        format!("{} {:+.2} \u{b1} {half_width}", found.piece, found.difference.value)
    });
    let lists = [
        format::listed("Not tested, because an interval is unbounded or missing", untested),
        format::listed("By piece, where 0 is outside the interval", differing),
    ];
    lists.into_iter().flatten().fold(text, |text, list| text + " " + &list)
}

fn panel(comparison: &Comparison, piece: &ComparedPiece) -> Markup {
    let points = (1_u32..).zip(&piece.values);
    let points = points.filter_map(|(number, value)| Some((f64::from(number), value.as_ref()?.ends()?)));
    let points: Vec<(f64, Ends)> = points.collect();
    if points.is_empty() {
        return html! {};
    }
    let last = comparison.measurements.len() as f64;
    let x = Scale::width((0.5, last + 0.5));
    let y = charts::around(points.iter().flat_map(|point| [point.1.0, point.1.2]));
    let ticks = (1..=comparison.measurements.len()).map(|number| (number as f64, number.to_string()));
    let axes = (charts::axis(x, ticks, "measurement"), Axis::new(y, 4.0, comparison.unit.name()));
    charts::panel(&piece.piece, axes, Vec::new(), &[points])
}
