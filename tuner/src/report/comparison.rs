//! Measurements of one game side by side, as text and as a page.

use assay_cli::format::{count, decimals};
use assay_cli::text::wrap;

use crate::report::format;
use crate::report::tables;
use crate::values::comparison::{ComparedPiece, Comparison, DifferenceTest};

/// The table, the joint tests and the pieces that differ.
pub fn text(comparison: &Comparison) -> String {
    let mut text = format!("{}: measurements side by side\n", comparison.title);
    for (number, measurement) in comparison.measurements.iter().enumerate() {
        text += &format!(
            "{}: {}; {} from {}\n",
            number + 1,
            measurement.label,
            count(measurement.games as u64, "game", "games"),
            count(measurement.pairs as u64, "opening", "openings")
        );
    }
    text += &format!("\n{}", tables::comparison(comparison).text());
    text += &wrap("", &definition(comparison));
    text.push('\n');
    for test in &comparison.tests {
        text += &wrap("- ", &sentence(comparison, test));
    }
    text
}

/// The unit and the tests explained.
pub(super) fn definition(comparison: &Comparison) -> String {
    format!(
        "{}: {}. Half-widths are of 95% intervals. The tests treat the runs as independent.",
        comparison.unit.name(),
        comparison.definition
    )
}

/// Outcome of a test: joint p-value and the pieces that differ.
pub(super) fn sentence(comparison: &Comparison, test: &DifferenceTest) -> String {
    // Single differences count only if the joint test rejects.
    let is_rejected = test.p < 0.05;
    let differing: Vec<String> = test
        .differences
        .iter()
        .filter(|difference| is_rejected && difference.is_significant(test.critical_value))
        .map(|difference| {
            let half_width = decimals(test.critical_value * difference.standard_error, 2);
            format!("{} {:+.2} \u{b1} {half_width}", difference.piece, difference.value)
        })
        .collect();
    let mut text = format!(
        "{} against {}: the values {} (joint test: chi-square {} with {}, {}).",
        comparison.measurements[test.measurement].label,
        comparison.measurements[0].label,
        if is_rejected {
            "differ"
        } else {
            "do not differ significantly"
        },
        decimals(test.chi_square, 1),
        count(
            test.degrees_of_freedom as u64,
            "degree of freedom",
            "degrees of freedom"
        ),
        format::p_value(test.p)
    );
    let is_tested = |piece: &&ComparedPiece| {
        test.differences
            .iter()
            .any(|difference| difference.piece == piece.piece)
    };
    let untested: Vec<&str> = comparison
        .pieces
        .iter()
        .filter(|piece| !is_tested(piece))
        .map(|piece| piece.piece.as_str())
        .collect();
    if !untested.is_empty() {
        text += &format!(
            " Not tested, because an interval is unbounded or missing: {}.",
            untested.join(", ")
        );
    }
    if !differing.is_empty() {
        text += &format!(" By piece, where 0 is outside the interval: {}.", differing.join(", "));
    }
    text
}
