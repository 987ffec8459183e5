//! Stored results with one wrong spot: reading names it, or the report is no worse than that of the
//! whole file.

use std::collections::BTreeMap;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

use assay_cli::page::Page;
use assay_tuner::report::{atlas, claims, ladder, measurement, summary};
use assay_tuner::values::stored_result::StoredResult;
use rayon::prelude::*;
use serde_json::{Value, json};

/// Longest time to read and render a result, which takes milliseconds, with a margin for a busy
/// machine.
const TIME_LIMIT: Duration = Duration::from_secs(10);

fn read(text: &str) -> Result<StoredResult, String> {
    StoredResult::parse(text, Path::new("damaged.json")).map_err(|error| error.to_string())
}

/// The report as text and as HTML.
fn render(result: &StoredResult) -> String {
    let both = |page: Page| page.text() + &page.html();
    match result {
        StoredResult::Measurement(report) => summary(report, &[]) + &both(measurement(report, None, None)),
        StoredResult::Ladder(found) => both(ladder(found)),
        StoredResult::Claims(found) => claims::text(found, true) + &claims::page(found),
        StoredResult::Atlas(found) => both(atlas::page(found)),
    }
}

/// All places of a result as JSON pointers, by the place without indices. Places that differ in
/// their indices only are read alike.
fn places<'v>(pointer: &str, shape: &str, value: &'v Value, found: &mut BTreeMap<String, Vec<(String, &'v Value)>>) {
    found.entry(shape.to_owned()).or_default().push((pointer.to_owned(), value));
    match value {
        Value::Object(entries) => {
            for (key, value) in entries {
                places(&format!("{pointer}/{key}"), &format!("{shape}/{key}"), value, found);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                places(&format!("{pointer}/{index}"), &format!("{shape}/#"), item, found);
            }
        }
        _ => {}
    }
}

/// Texts written in the place of a value, each with a name of the damage.
fn damages(value: &Value) -> Vec<(&'static str, Value)> {
    match value {
        Value::Number(_) => vec![
            ("1e9", json!(1_000_000_000)),
            ("1e308", json!(1e308)),
            ("-1", json!(-1)),
            ("0", json!(0)),
            ("null", Value::Null),
        ],
        Value::String(_) => vec![("emptied", json!(""))],
        Value::Array(items) if !items.is_empty() => {
            let repeated = items.iter().chain(items.last()).cloned();
            vec![("shortened", Value::Array(items[1..].to_vec())), ("repeated", Value::Array(repeated.collect()))]
        }
        _ => Vec::new(),
    }
}

/// The fault in the reading and reporting of a damaged result, if there is one.
fn fault(damaged: &Value, pointer: &str, whole_size: usize) -> Option<String> {
    let start = Instant::now();
    let result = match read(&damaged.to_string()) {
        Err(error) => {
            let key = pointer.split('/').nth(1).unwrap_or_default();
            let names_place = error.contains(" line ") || error.contains(": found ") && error.contains(key);
            return (!names_place).then_some(error);
        }
        Ok(result) => result,
    };
    let Ok(report) = catch_unwind(AssertUnwindSafe(|| render(&result))) else {
        return Some("panic".to_owned());
    };
    if start.elapsed() > TIME_LIMIT {
        return Some(format!("{:?}", start.elapsed()));
    }
    let mut words = report.split(|letter: char| !letter.is_alphanumeric());
    if let Some(word) = words.find(|word| ["NaN", "inf"].contains(word)) {
        let at = report.find(word).unwrap_or_default();
        let context: String = report[..at].chars().rev().take(60).collect();
        return Some(format!("…{}{word}", context.chars().rev().collect::<String>()));
    }
    (report.len() > 2 * whole_size).then(|| format!("{} bytes instead of {whole_size}", report.len()))
}

#[test]
fn damage_is_named_or_harmless() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/values");
    let mut faults = Vec::new();
    for file in ["chess.json", "ladders/chess.json"] {
        let stored = fs::read_to_string(folder.join(file)).unwrap();
        // As it would be written today.
        let whole = match read(&stored).unwrap() {
            StoredResult::Measurement(report) => serde_json::to_value(report).unwrap(),
            _ => serde_json::from_str::<Value>(&stored).unwrap(),
        };
        let whole_size = render(&read(&whole.to_string()).unwrap()).len();
        let mut found = BTreeMap::new();
        places("", "", &whole, &mut found);
        let places: Vec<&(String, &Value)> =
            found.values().flat_map(|alike| [&alike[0], &alike[alike.len() - 1]]).collect();
        let at_place = |(pointer, value): &&(String, &Value)| {
            let mut damaged: Vec<(&str, Value)> = Vec::new();
            for (name, wrong) in damages(value) {
                let mut copy = whole.clone();
                *copy.pointer_mut(pointer).unwrap() = wrong;
                damaged.push((name, copy));
            }
            if let Some((parent, key)) = pointer.rsplit_once('/') {
                let mut copy = whole.clone();
                if let Some(entries) = copy.pointer_mut(parent).and_then(Value::as_object_mut) {
                    entries.remove(key);
                    damaged.push(("removed", copy));
                }
            }
            let found = damaged.iter().filter_map(|(name, damaged)| {
                let fault = fault(damaged, pointer, whole_size)?;
                Some(format!("{file}{pointer} {name}: {fault}"))
            });
            found.collect::<Vec<String>>()
        };
        faults.extend(places.par_iter().flat_map(at_place).collect::<Vec<String>>());
    }
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}
