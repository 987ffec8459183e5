//! The keys of a definition file, as a JSON Schema or as tables.

use anyhow::Result;
use assay_rules::def::{definition_text, game_names, parse_toml, schema};
use serde_json::{Map, Value};

/// How the keys are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyFormat {
    /// A JSON Schema for editors
    Schema,
    /// Tables for people, with the built-in games that use each key
    Markdown,
}

assay_cli::named!(KeyFormat: Schema = "schema", Markdown = "markdown");

/// The keys of definition files.
///
/// # Errors
/// If a built-in definition cannot be read.
pub fn text(format: KeyFormat) -> Result<String> {
    let schema = schema().to_value();
    match format {
        KeyFormat::Schema => Ok(assay_cli::output::json_text(&schema)? + "\n"),
        KeyFormat::Markdown => {
            let definition = |name| Ok((name, parse_toml(definition_text(name).unwrap_or_default(), name)?));
            let definitions: Result<_> = game_names().map(definition).collect();
            Ok(Reference { definitions: definitions? }.text(&schema))
        }
    }
}

struct Reference {
    /// The definition files of the built-in games, without what they inherit.
    definitions: Vec<(&'static str, Value)>,
}

/// A key of a path that stands for every key of a table and every item of a list.
const ANY: &str = "*";

impl Reference {
    fn text(&self, schema: &Value) -> String {
        let mut text = "\
# Keys of a definition file

Printed by `assay-perft convert --keys markdown`. With `--keys schema` it prints the same as a JSON Schema, from which editors complete keys
and check values. A file with a `base` gives only the keys that differ from it. Without a base, a key without a default must be given, or there is no such
rule in the game. The last column has the built-in games whose files give the key.
"
        .to_owned();
        self.push_table(&mut text, "Keys at the beginning of the file", &[], schema);
        text
    }

    /// Appends a table of the keys of `schema`, then one of each table among them.
    fn push_table(&self, text: &mut String, title: &str, path: &[&str], schema: &Value) {
        *text += &format!("\n## {title}\n\n");
        if !path.is_empty() {
            *text += &format!("{}\n\n", description(schema));
        }
        let properties = schema["properties"].as_object().into_iter().flatten();
        let tables = properties.map(|(key, property)| (key, property, Nested::of(property)));
        let (nested, plain): (Vec<_>, Vec<_>) = tables.partition(|(.., nested)| nested.is_some());
        if !plain.is_empty() {
            *text += "| key | type | default | example | meaning | games |\n|---|---|---|---|---|---|\n";
        }
        for (key, property, _) in plain {
            let full: Vec<&str> = path.iter().copied().chain([key.as_str()]).collect();
            let or_dash = |value: Option<&Value>| value.map_or("–".to_owned(), |value| format!("`{}`", toml(value)));
            let example = property["examples"].get(0).cloned();
            let example = example.or_else(|| Some(Value::Bool(!property["default"].as_bool()?)));
            *text += &format!(
                "| `{key}` | {} | {} | {} | {} | {} |\n",
                type_name(property),
                or_dash(property.get("default")),
                or_dash(example.or_else(|| other_choice(property)).as_ref()),
                description(property),
                self.games(&full),
            );
        }
        for (key, property, nested) in nested {
            let mut path: Vec<&str> = path.iter().copied().chain([key.as_str()]).collect();
            let name = path.join(".").replace(ANY, "NAME");
            let (title, inner) = match nested {
                None | Some(Nested::Table) => (format!("`[{name}]`"), property),
                Some(Nested::Map) => (format!("`[{name}.NAME]`"), &property["additionalProperties"]),
                Some(Nested::List) => (format!("`[[{name}]]`"), &property["items"]),
            };
            if inner != property {
                path.push(ANY);
            }
            let mut inner = inner.clone();
            inner["description"] = description(property).into();
            self.push_table(text, &title, &path, &inner);
        }
    }

    /// The built-in games whose files give a key, a few of them by name.
    fn games(&self, path: &[&str]) -> String {
        const MOST: usize = 3;
        let using = self.definitions.iter().filter(|(_, definition)| gives(definition, path));
        let names: Vec<&str> = using.map(|(name, _)| *name).collect();
        match names.len() {
            0 => "–".to_owned(),
            count if count == self.definitions.len() => "all".to_owned(),
            count if count > MOST + 1 => format!("{}, {} more", names[..MOST].join(", "), count - MOST),
            _ => names.join(", "),
        }
    }
}

/// Tables within a key.
#[derive(Clone, Copy, Debug)]
enum Nested {
    /// One, with fixed keys.
    Table,
    /// One for each name.
    Map,
    /// An array of them.
    List,
}

impl Nested {
    fn of(property: &Value) -> Option<Nested> {
        let is_table = |schema: &Value| schema.get("properties").is_some();
        match property {
            _ if is_table(property) => Some(Nested::Table),
            _ if is_table(&property["additionalProperties"]) => Some(Nested::Map),
            _ if is_table(&property["items"]) => Some(Nested::List),
            _ => None,
        }
    }
}

fn gives(definition: &Value, path: &[&str]) -> bool {
    match (path, definition) {
        ([], _) => true,
        ([ANY, rest @ ..], Value::Object(table)) => table.values().any(|value| gives(value, rest)),
        ([ANY, rest @ ..], Value::Array(items)) => items.iter().any(|value| gives(value, rest)),
        ([key, rest @ ..], _) => definition.get(key).is_some_and(|value| gives(value, rest)),
    }
}

/// A choice that is not the default.
fn other_choice(schema: &Value) -> Option<Value> {
    let choices = schema["enum"].as_array()?;
    choices.iter().find(|choice| Some(*choice) != schema.get("default")).cloned()
}

/// The description of a schema on one line.
fn description(schema: &Value) -> String {
    let text = schema["description"].as_str().unwrap_or_default();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn type_name(schema: &Value) -> String {
    if let Some(choices) = schema["enum"].as_array() {
        let choices: Vec<String> = choices.iter().map(|choice| format!("`{}`", toml(choice))).collect();
        return choices.join(", ");
    }
    match schema["type"].as_str().unwrap_or_default() {
        "boolean" => "`true`, `false`".to_owned(),
        "integer" => "whole number".to_owned(),
        "array" => format!("list: {}", type_name(&schema["items"])),
        "object" => format!("table: {}", type_name(&schema["additionalProperties"])),
        other => other.to_owned(),
    }
}

/// A value as TOML writes it on one line.
fn toml(value: &Value) -> String {
    let table = |table: &Map<String, Value>| {
        let pairs: Vec<String> = table.iter().map(|(key, value)| format!("{key} = {}", toml(value))).collect();
        format!("{{ {} }}", pairs.join(", "))
    };
    match value {
        Value::Object(entries) if entries.is_empty() => "{}".to_owned(),
        Value::Object(entries) => table(entries),
        Value::Array(items) => format!("[{}]", items.iter().map(toml).collect::<Vec<_>>().join(", ")),
        other => other.to_string(),
    }
}
