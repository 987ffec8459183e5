//! Every case of `testdata/bad/perft*.toml`: what cannot be done is said in clear words, on standard error, with status 2.

mod common;

use std::path::PathBuf;

use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    case: Vec<Case>,
}

/// One command line that cannot be obeyed.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    /// The arguments; the program is run in `testdata/bad`.
    args: Vec<String>,
    /// A file that the arguments speak of and that must be there, so that its absence is not what is complained of.
    input: Option<PathBuf>,
    /// What standard error must contain.
    stderr: Vec<String>,
    /// The exit status.
    status: i32,
}

#[test]
fn every_case_is_refused_in_clear_words() {
    let folder = common::root().join("testdata/bad");
    let mut cases = 0;
    let mut wrong = Vec::new();
    for entry in std::fs::read_dir(&folder).expect("testdata/bad can be read") {
        let path = entry.expect("testdata/bad can be read").path();
        let name = path
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or_default()
            .to_owned();
        if !name.starts_with("perft") || path.extension().is_none_or(|extension| extension != "toml") {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("the case file can be read");
        let file: File = toml::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        for case in file.case {
            cases += 1;
            if let Err(complaint) = check(&folder, &case) {
                wrong.push(format!("{name}: {:?}: {complaint}", case.args));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {cases} cases:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(cases >= 100, "only {cases} cases were found");
}

fn check(folder: &std::path::Path, case: &Case) -> Result<(), String> {
    if let Some(input) = &case.input
        && !folder.join(input).exists()
    {
        return Err(format!("{} is not there", input.display()));
    }
    let args: Vec<&str> = case.args.iter().map(String::as_str).collect();
    let output = common::perft(&args)
        .current_dir(folder)
        .output()
        .map_err(|error| error.to_string())?;
    let stderr = String::from_utf8_lossy(&output.stderr);
    if output.status.code() != Some(case.status) {
        return Err(format!(
            "exit status {:?}, expected {}\n{stderr}",
            output.status.code(),
            case.status
        ));
    }
    if !output.stdout.is_empty() {
        return Err(format!(
            "it wrote on standard output: {}",
            String::from_utf8_lossy(&output.stdout)
        ));
    }
    // Usage errors are the only ones of more than one line; none may look like a crash of the program.
    if stderr.contains("panicked") {
        return Err(format!("it panicked\n{stderr}"));
    }
    match case.stderr.iter().find(|part| !stderr.contains(part.as_str())) {
        Some(part) => Err(format!("`{part}` is not in\n{stderr}")),
        None if case.stderr.is_empty() => Err("the case says nothing of the message".to_owned()),
        None => Ok(()),
    }
}
