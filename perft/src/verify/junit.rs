//! Results of a verification as JUnit's XML, one test case a line of a suite.

use std::path::Path;

use anyhow::{Context, Result};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::plan::Checked;
use crate::suite::Suite;

/// Writes the file. `describe` tells a failure in words.
///
/// # Errors
/// When the file cannot be written.
pub fn write(
    path: &Path,
    suites: &[Suite],
    results: &[Vec<Checked>],
    describe: &dyn Fn(&Suite, usize) -> Vec<String>,
) -> Result<()> {
    let mut report = Report::new("assay-perft verify");
    for (suite, checked) in suites.iter().zip(results) {
        let mut tests = TestSuite::new(suite.path.display().to_string());
        for (index, (entry, checked)) in suite.entries.iter().zip(checked).enumerate() {
            let status = if checked.wrong.is_some() {
                let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
                let lines = describe(suite, index);
                status.set_message(lines.first().cloned().unwrap_or_default());
                status.set_description(lines.join("\n"));
                status
            } else if checked.interrupted || checked.made.is_empty() {
                TestCaseStatus::skipped()
            } else {
                TestCaseStatus::success()
            };
            let name = format!("line {}: {}", entry.line, entry.position.fen());
            let mut case = TestCase::new(name, status);
            case.set_classname(entry.game.name.clone());
            case.set_time(checked.time);
            tests.add_test_case(case);
        }
        report.add_test_suite(tests);
    }
    let text = report.to_string().context("cannot write JUnit")?;
    std::fs::write(path, text).with_context(|| format!("--junit {}", path.display()))
}
