//! The schema of definition files, and the reference that is printed from it.

use std::path::Path;
use std::process::Command;

use assay_cli::testing::assert_snapshot;
use assay_rules::GameDef;
use assay_rules::def::{definition_text, game_names, parse_toml, schema};
use serde_json::Value;
use toml::Table;

#[test]
fn the_reference_is_what_the_program_prints() {
    let mut program = Command::new(env!("CARGO_BIN_EXE_assay-perft"));
    let output = program.args(["convert", "--keys", "markdown"]).output().unwrap();
    let reference = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/definition-keys.md");
    assert_snapshot(&reference, &String::from_utf8(output.stdout).unwrap());
}

/// Calls `visit` with every key: its path, in which `*` is any name, and its schema.
fn each_key(schema: &Value, path: &str, visit: &mut impl FnMut(&str, &Value)) {
    for (key, property) in schema["properties"].as_object().into_iter().flatten() {
        let path = format!("{path}{key}");
        visit(&path, property);
        each_key(property, &format!("{path}."), visit);
        each_key(&property["additionalProperties"], &format!("{path}.*."), visit);
        each_key(&property["items"], &format!("{path}.*."), visit);
    }
}

/// The parts of `value`, which stands at `path`, that its schema does not allow.
fn faults(value: &Value, schema: &Value, path: &str) -> Vec<String> {
    let is_right = match schema["type"].as_str() {
        Some("string") => value.is_string() && schema["enum"].as_array().is_none_or(|words| words.contains(value)),
        Some("boolean") => value.is_boolean(),
        Some("integer") => value.is_u64(),
        Some("number") => value.is_number(),
        Some("array") => value.is_array(),
        Some("object") => value.is_object(),
        _ => false,
    };
    let entries = value.as_object().into_iter().flatten();
    let entries = entries.map(|(key, value)| {
        (value, schema["properties"].get(key).unwrap_or(&schema["additionalProperties"]), key.clone())
    });
    let items = value.as_array().into_iter().flatten().enumerate();
    let items = items.map(|(index, value)| (value, &schema["items"], index.to_string()));
    let inner = entries.chain(items).flat_map(|(value, schema, key)| faults(value, schema, &format!("{path}/{key}")));
    inner.chain((!is_right).then(|| format!("{path}: {value}"))).collect()
}

#[test]
fn every_key_has_a_meaning_and_a_valid_example() {
    each_key(&schema().to_value(), "", &mut |path, key| {
        assert!(key["description"].is_string(), "{path}: no doc comment");
        let is_table =
            [key, &key["additionalProperties"], &key["items"]].iter().any(|table| table.get("properties").is_some());
        let has_choices = key.get("enum").is_some() || key["type"] == "boolean";
        assert!(is_table || has_choices || key.get("examples").is_some(), "{path}: no example");
        let examples = key["examples"].as_array().into_iter().flatten();
        for example in examples.chain(key.get("default").filter(|_| !is_table)) {
            assert_eq!(faults(example, key, path), [""; 0]);
        }
    });
}

#[test]
fn the_built_in_games_follow_the_schema() {
    let schema = schema().to_value();
    for name in game_names() {
        let definition: Value = parse_toml(definition_text(name).unwrap(), name).unwrap();
        assert_eq!(faults(&definition, &schema, name), [""; 0]);
    }
}

/// The file of a game and those of its bases.
fn files(name: &str) -> Vec<Table> {
    let file: Table = parse_toml(definition_text(name).unwrap(), name).unwrap();
    let base = file.get("base").and_then(toml::Value::as_str).map(files);
    [file].into_iter().chain(base.unwrap_or_default()).collect()
}

/// The table at `path`, in which `*` is the first name or item, if the file has it.
fn table_at<'t>(file: &'t mut Table, path: &[&str]) -> Option<&'t mut Table> {
    let [first, rest @ ..] = path else { return Some(file) };
    let value = match *first {
        "*" => file.iter_mut().next()?.1,
        key => file.get_mut(key)?,
    };
    match (value, rest) {
        (toml::Value::Array(items), ["*", rest @ ..]) => table_at(items.first_mut()?.as_table_mut()?, rest),
        (value, rest) => table_at(value.as_table_mut()?, rest),
    }
}

/// Giving the default of a key in a built-in game that does not give the key changes nothing.
#[test]
fn defaults_are_what_happens_without_the_key() {
    let mut defaults = Vec::new();
    each_key(&schema().to_value(), "", &mut |path, key| {
        let default = key.get("default").filter(|default| !default.is_object() && !default.is_array());
        defaults.extend(default.map(|default| (path.to_owned(), default.clone())));
    });
    for (path, default) in defaults {
        let (path, key) = path.rsplit_once('.').unwrap_or(("", &path));
        let path: Vec<&str> = path.split_terminator('.').collect();
        let lacks_key = |name: &&str| {
            let mut files = files(name);
            let has_table = table_at(&mut files[0], &path).is_some();
            has_table
                && !files.iter_mut().any(|file| table_at(file, &path).is_some_and(|table| table.contains_key(key)))
        };
        let name = game_names()
            .find(lacks_key)
            .unwrap_or_else(|| panic!("{path:?} {key}: expected a built-in game without it"));
        let mut file = files(name).swap_remove(0);
        file.insert("name".to_owned(), "changed".into());
        table_at(&mut file, &path).unwrap().insert(key.to_owned(), toml::Value::try_from(&default).unwrap());
        let mut changed = GameDef::from_toml(&toml::to_string(&file).unwrap(), name).unwrap();
        changed.name = name.to_owned();
        assert_eq!(changed, *GameDef::builtin(name).unwrap(), "{path:?} {key}");
    }
}
