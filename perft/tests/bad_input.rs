//! Every case of `testdata/bad/perft*.toml`: bad input gives a clear error on standard error and
//! status 2.

use std::path::PathBuf;

use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    case: Vec<Case>,
}

/// A command line and its error.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    /// Arguments; the program runs in `testdata/bad`.
    args: Vec<String>,
    /// File in the arguments that must exist, so that the error is not about a missing file.
    input: Option<PathBuf>,
    /// Texts that standard error must contain.
    stderr: Vec<String>,
    status: i32,
}

#[test]
fn bad_input_gives_clear_errors() {
    let folder = crate::common::root().join("testdata/bad");
    let mut cases = 0;
    let mut wrong = Vec::new();
    for entry in std::fs::read_dir(&folder).expect("testdata/bad can be read") {
        let path = entry.expect("testdata/bad can be read").path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
        if !name.starts_with("perft") || path.extension().is_none_or(|extension| extension != "toml") {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("the case file can be read");
        let file: File = toml::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        for case in file.case {
            cases += 1;
            if let Err(error) = check(&folder, &case) {
                wrong.push(format!("{name}: {:?}: {error}", case.args));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {cases} cases:\n{}", wrong.len(), wrong.join("\n"));
    assert!(cases >= 100, "only {cases} cases were found");
}

fn check(folder: &std::path::Path, case: &Case) -> Result<(), String> {
    if let Some(input) = &case.input
        && !folder.join(input).exists()
    {
        return Err(format!("{} does not exist", input.display()));
    }
    let args: Vec<&str> = case.args.iter().map(String::as_str).collect();
    let output = crate::common::perft(&args).current_dir(folder).output().map_err(|error| error.to_string())?;
    let stderr = String::from_utf8_lossy(&output.stderr);
    if output.status.code() != Some(case.status) {
        return Err(format!("exit status {:?}, expected {}\n{stderr}", output.status.code(), case.status));
    }
    if !output.stdout.is_empty() {
        return Err(format!("output on standard output: {}", String::from_utf8_lossy(&output.stdout)));
    }
    if stderr.contains("panicked") {
        return Err(format!("panicked\n{stderr}"));
    }
    match case.stderr.iter().find(|part| !stderr.contains(part.as_str())) {
        Some(part) => Err(format!("`{part}` is not in\n{stderr}")),
        None if case.stderr.is_empty() => Err("the case expects no message".to_owned()),
        None => Ok(()),
    }
}
