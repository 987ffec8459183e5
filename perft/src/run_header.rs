//! Program version, subcommand and settings of a run: a line on standard error, or the first keys
//! of its JSON.

use assay_cli::output;
use serde::Serialize;
use serde_json::{Map, Value};

/// Program version, subcommand and settings of a run.
#[derive(Clone, Debug)]
pub struct RunHeader {
    command: &'static str,
    settings: Vec<(&'static str, Value)>,
}

impl RunHeader {
    /// The header of a run of `command`, without settings.
    pub fn new(command: &'static str) -> RunHeader {
        RunHeader { command, settings: Vec::new() }
    }

    /// Adds a setting.
    ///
    /// # Panics
    /// Never for strings, numbers, booleans and lists of them.
    #[must_use]
    pub fn with(mut self, key: &'static str, value: impl Serialize) -> RunHeader {
        let value = serde_json::to_value(value).expect("settings are plain values");
        self.settings.push((key, value));
        self
    }

    /// Prints the header as a line on standard error.
    pub fn print(&self) {
        let settings: Vec<String> = self
            .settings
            .iter()
            .map(|(key, value)| format!("{} {}", key.replace('_', "-"), plain_text(value)))
            .collect();
        output::note(format_args!(
            "assay-perft {} {}: {}",
            env!("CARGO_PKG_VERSION"),
            self.command,
            settings.join(", ")
        ));
    }

    /// A JSON object: the header, then the keys of `result`.
    ///
    /// # Panics
    /// If `result` does not serialize to an object.
    pub fn json(&self, result: impl Serialize) -> Value {
        let mut map = Map::new();
        map.insert("program".to_owned(), Value::from("assay-perft"));
        map.insert("version".to_owned(), Value::from(env!("CARGO_PKG_VERSION")));
        map.insert("command".to_owned(), Value::from(self.command));
        for (key, value) in &self.settings {
            map.insert((*key).to_owned(), value.clone());
        }
        let Ok(Value::Object(result)) = serde_json::to_value(result) else { panic!("a result is a JSON object") };
        map.extend(result);
        Value::Object(map)
    }
}

fn plain_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => "none".to_owned(),
        Value::Array(items) => items.iter().map(plain_text).collect::<Vec<_>>().join(" "),
        other => other.to_string(),
    }
}
