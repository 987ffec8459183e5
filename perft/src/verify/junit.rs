//! JUnit XML: one test case per line of a suite.

use std::path::Path;

use anyhow::{Context, Result};
use assay_cli::output_file;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::check::EntryResult;
use super::report::describe_wrong_count;
use crate::suite::{Entry, Suite};

/// Writes the results.
///
/// # Errors
/// If the file cannot be written.
pub fn write(path: &Path, suites: &[Suite], results: &[Vec<EntryResult>]) -> Result<()> {
    let mut report = Report::new("assay-perft verify");
    for (suite, results) in suites.iter().zip(results) {
        let mut tests = TestSuite::new(suite.source.to_string());
        for (entry, result) in suite.entries.iter().zip(results) {
            let name = format!("line {}: {}", entry.line, entry.position.fen());
            let mut case = TestCase::new(name, status(suite, entry, result));
            case.set_classname(entry.game.name.clone());
            case.set_time(result.time);
            tests.add_test_case(case);
        }
        report.add_test_suite(tests);
    }
    let text = report.to_string().context("cannot write JUnit XML")?;
    output_file::write(path, |out| Ok(out.write_all(text.as_bytes())?))
        .with_context(|| format!("--junit {}", path.display()))
}

fn status(suite: &Suite, entry: &Entry, result: &EntryResult) -> TestCaseStatus {
    if let Some(wrong) = &result.wrong {
        let lines = describe_wrong_count(suite, entry, wrong);
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
        status.set_message(lines[0].clone());
        status.set_description(lines.join("\n"));
        status
    } else if result.interrupted || result.run.is_empty() {
        TestCaseStatus::skipped()
    } else {
        TestCaseStatus::success()
    }
}
