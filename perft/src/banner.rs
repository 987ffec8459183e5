//! What a run is: version, command, game, settings. A line on standard error, or the first keys of its JSON.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::output;

/// What a run is.
#[derive(Clone, Debug)]
pub struct Banner {
    command: &'static str,
    settings: Vec<(&'static str, Value)>,
}

impl Banner {
    /// A run of the subcommand `command`.
    pub fn new(command: &'static str) -> Banner {
        Banner {
            command,
            settings: Vec::new(),
        }
    }

    /// Adds a setting.
    ///
    /// # Panics
    /// Never: settings are texts, numbers and the like, which JSON has.
    #[must_use]
    pub fn with(mut self, key: &'static str, value: impl Serialize) -> Banner {
        let value = serde_json::to_value(value).expect("settings are plain values");
        self.settings.push((key, value));
        self
    }

    /// Prints the line.
    pub fn print(&self) {
        let mut text = format!("assay-perft {} {}:", env!("CARGO_PKG_VERSION"), self.command);
        for (index, (key, value)) in self.settings.iter().enumerate() {
            let gap = if index > 0 { "," } else { "" };
            let value = match value {
                Value::String(text) => text.clone(),
                Value::Null => "none".to_owned(),
                Value::Array(items) => items
                    .iter()
                    .map(|item| item.as_str().map_or(item.to_string(), str::to_owned))
                    .collect::<Vec<_>>()
                    .join(" "),
                other => other.to_string(),
            };
            text += &format!("{gap} {} {value}", key.replace('_', "-"));
        }
        output::note(text);
    }

    /// The settings, then the keys of `result`.
    ///
    /// # Panics
    /// When `result` does not serialize to a JSON object, a slip of ours.
    pub fn json(&self, result: impl Serialize) -> Value {
        let mut map = Map::new();
        map.insert("program".to_owned(), Value::from("assay-perft"));
        map.insert("version".to_owned(), Value::from(env!("CARGO_PKG_VERSION")));
        map.insert("command".to_owned(), Value::from(self.command));
        for (key, value) in &self.settings {
            map.insert((*key).to_owned(), value.clone());
        }
        let Ok(Value::Object(result)) = serde_json::to_value(result) else {
            panic!("a result is a JSON object")
        };
        map.extend(result);
        Value::Object(map)
    }
}
