//! JUnit XML.

use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};
use assay_cli::output_file;
use assay_rules::text::{escape, printable};

/// A test case.
pub struct Case {
    pub name: String,
    pub class: String,
    pub time: Duration,
    pub status: Status,
}

/// Result of a test case with its explanation, whose first line is a summary.
pub enum Status {
    Passed,
    /// Something differs.
    Failed(String),
    /// Nothing could be compared.
    Error(String),
    Skipped(String),
}

/// The numbers of test cases, which readers of JUnit expect at every level.
fn attributes(name: &str, cases: &[&Case]) -> String {
    let count = |is: fn(&Status) -> bool| cases.iter().filter(|case| is(&case.status)).count();
    format!(
        r#"name="{}" tests="{}" failures="{}" errors="{}" skipped="{}" time="{:.3}""#,
        escaped(name),
        cases.len(),
        count(|status| matches!(status, Status::Failed(_))),
        count(|status| matches!(status, Status::Error(_))),
        count(|status| matches!(status, Status::Skipped(_))),
        cases.iter().map(|case| case.time).sum::<Duration>().as_secs_f64()
    )
}

/// Writes the test cases of each suite.
///
/// # Errors
/// If the file cannot be written.
pub fn write(path: &Path, program: &str, suites: &[(String, Vec<Case>)]) -> Result<()> {
    let text = text(program, suites).context("cannot format JUnit XML")?;
    output_file::write_contents("--junit", path, text)
}

fn text(program: &str, suites: &[(String, Vec<Case>)]) -> Result<String, std::fmt::Error> {
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let all: Vec<&Case> = suites.iter().flat_map(|(_, cases)| cases).collect();
    writeln!(xml, "<testsuites {}>", attributes(program, &all))?;
    for (name, cases) in suites {
        writeln!(xml, "  <testsuite {}>", attributes(name, &cases.iter().collect::<Vec<_>>()))?;
        for case in cases {
            let (name, class, time) = (escaped(&case.name), escaped(&case.class), case.time.as_secs_f64());
            write!(xml, r#"    <testcase name="{name}" classname="{class}" time="{time:.3}""#)?;
            let (tag, message) = match &case.status {
                Status::Passed => {
                    writeln!(xml, "/>")?;
                    continue;
                }
                Status::Failed(message) => ("failure", message),
                Status::Error(message) => ("error", message),
                Status::Skipped(message) => ("skipped", message),
            };
            let summary = escaped(message.lines().next().unwrap_or_default());
            writeln!(xml, ">")?;
            match &case.status {
                Status::Skipped(_) => writeln!(xml, r#"      <skipped message="{summary}"/>"#)?,
                _ => writeln!(xml, r#"      <{tag} message="{summary}">{}</{tag}>"#, escaped(message))?,
            }
            writeln!(xml, "    </testcase>")?;
        }
        writeln!(xml, "  </testsuite>")?;
    }
    writeln!(xml, "</testsuites>")?;
    Ok(xml)
}

/// Text for an element or an attribute. XML has no way to write most control characters, so they
/// are escaped as in other output.
fn escaped(text: &str) -> String {
    let is_special = |c| matches!(c, '&' | '<' | '>' | '"' | '\u{fffe}' | '\u{ffff}');
    let sequence = |c: char| match c {
        '\u{fffe}' | '\u{ffff}' => c.escape_default().to_string(),
        c => format!("&#{};", u32::from(c)),
    };
    escape(&printable(text), is_special, sequence).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_every_status_at_both_levels() {
        let case = |status| Case {
            name: "a<b> & \"c\"\u{1b}".to_owned(),
            class: "chess".to_owned(),
            time: Duration::from_millis(1_500),
            status,
        };
        let first = vec![case(Status::Passed), case(Status::Failed("1\n2".to_owned()))];
        let second = vec![case(Status::Error("3".to_owned())), case(Status::Skipped("4".to_owned()))];
        let xml = text("program", &[("one".to_owned(), first), ("two".to_owned(), second)]).unwrap();
        for part in [
            r#"<testsuites name="program" tests="4" failures="1" errors="1" skipped="1" time="6.000">"#,
            r#"<testsuite name="one" tests="2" failures="1" errors="0" skipped="0" time="3.000">"#,
            r#"<testsuite name="two" tests="2" failures="0" errors="1" skipped="1" time="3.000">"#,
            r#"<testcase name="a&#60;b&#62; &#38; &#34;c&#34;\u{1b}" classname="chess" time="1.500"/>"#,
            "<failure message=\"1\">1\n2</failure>",
            r#"<error message="3">3</error>"#,
            r#"<skipped message="4"/>"#,
        ] {
            assert!(xml.contains(part), "{part} is not in\n{xml}");
        }
    }
}
