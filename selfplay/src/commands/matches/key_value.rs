//! Settings in the form `key=value`, which `match` takes in groups as fastchess does:
//! `--engine cmd=./a tc=10+0.1`.

use std::fmt::Display;

use anyhow::{Result, anyhow, bail};
use assay_client::options::closest;

/// A setting as typed: `key=value`, or a key alone.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Setting {
    /// The flag that it follows, for error messages.
    flag: &'static str,
    pub(super) key: String,
    value: Option<String>,
}

/// A value parser for clap, of settings with these keys; `option.` stands for `option.NAME`.
pub(super) fn setting(
    flag: &'static str,
    keys: &'static [&'static str],
) -> impl Fn(&str) -> Result<Setting, String> + Clone + Send + Sync {
    move |word| {
        let (key, value) = match word.split_once('=') {
            Some((key, value)) => (key, Some(value.to_owned())),
            None => (word, None),
        };
        let is_option = key.len() > "option.".len() && key.starts_with("option.") && keys.contains(&"option.");
        if is_option || keys.contains(&key) && key != "option." {
            let key = key.to_owned();
            return Ok(Setting { flag, key, value });
        }
        Err(unknown("key", key, keys))
    }
}

/// The error for an unknown name.
pub(super) fn unknown(what: &str, found: &str, known: &[&str]) -> String {
    match closest(found, known.iter().copied()) {
        Some(similar) => format!("unknown {what} `{found}`; did you mean `{similar}`?"),
        None => format!("unknown {what} `{found}`, expected one of {}", known.join(", ")),
    }
}

impl Setting {
    /// Parses the value; the error of `parse` says what is expected.
    pub(super) fn parse<T, E: Display>(&self, parse: impl FnOnce(&str) -> Result<T, E>) -> Result<T> {
        let Setting { flag, key, value } = self;
        let value = value.as_deref().unwrap_or_default();
        if value.is_empty() {
            bail!("--{flag} {key}: found no value, expected {key}=VALUE");
        }
        parse(value).map_err(|expected| anyhow!("--{flag} {key}: found `{value}`, {expected}"))
    }

    /// Returns true if both settings have the same key. Engines do not tell upper from lower case
    /// in the names of options.
    pub(super) fn has_key_of(&self, other: &Setting) -> bool {
        self.key == other.key || self.key.starts_with("option.") && self.key.eq_ignore_ascii_case(&other.key)
    }

    /// The value of an option, which may be empty.
    pub(super) fn option_value(&self) -> String {
        self.value.clone().unwrap_or_default()
    }
}

/// The settings of one group. The last one with a key counts, as of flags; `arg` may occur several
/// times.
pub(super) struct Settings<'s>(Vec<&'s Setting>);

impl<'s> Settings<'s> {
    pub(super) fn new(group: impl IntoIterator<Item = &'s Setting>) -> Settings<'s> {
        let mut settings = Settings(Vec::new());
        for setting in group {
            settings.0.retain(|earlier| !earlier.has_key_of(setting) || setting.key == "arg");
            settings.0.push(setting);
        }
        settings
    }

    fn find(&self, key: &str) -> Option<&'s Setting> {
        self.0.iter().copied().find(|setting| setting.key == key)
    }

    /// The first of these keys that is present.
    pub(super) fn first_of<'k>(&self, keys: &[&'k str]) -> Option<&'k str> {
        keys.iter().copied().find(|key| self.find(key).is_some())
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.find(key).is_some()
    }

    /// The value of a key.
    pub(super) fn get<T, E: Display>(&self, key: &str, parse: impl FnOnce(&str) -> Result<T, E>) -> Result<Option<T>> {
        self.find(key).map(|setting| setting.parse(parse)).transpose()
    }

    pub(super) fn text(&self, key: &str) -> Result<Option<String>> {
        self.get(key, |text| Ok::<_, String>(text.to_owned()))
    }

    /// The values of a key that may occur several times.
    pub(super) fn all(&self, key: &str) -> impl Iterator<Item = String> {
        self.0.iter().filter(move |setting| setting.key == key).map(|setting| setting.option_value())
    }

    /// A key that may stand alone, for `true`.
    pub(super) fn is_true(&self, key: &str) -> Result<bool> {
        match self.find(key) {
            Some(setting) if setting.value.as_ref().is_none_or(String::is_empty) => Ok(true),
            _ => Ok(self.get(key, |text| text.parse().map_err(|_| "expected true or false"))?.unwrap_or(false)),
        }
    }

    /// The names and values of the keys `option.NAME`.
    pub(super) fn options(&self) -> impl Iterator<Item = (&'s str, &'s Setting)> {
        let options = self.0.iter().copied();
        options.filter_map(|setting| Some((setting.key.strip_prefix("option.")?, setting)))
    }
}

/// A parser of the only word that is possible.
pub(super) fn only(word: &'static str) -> impl FnOnce(&str) -> Result<(), String> {
    move |text| {
        if text == word { Ok(()) } else { Err(format!("expected {word}")) }
    }
}

/// The word itself if it has a key, or `KEY=WORD`.
pub(super) fn with_key(key: &str, word: &str) -> String {
    if word.contains('=') { word.to_owned() } else { format!("{key}={word}") }
}

#[cfg(test)]
mod tests {
    use assay_cli::args::whole_number;

    use super::*;

    const KEYS: &[&str] = &["count", "color", "option."];

    fn fruit(word: &str) -> Setting {
        setting("fruit", KEYS)(word).unwrap()
    }

    #[test]
    fn parses_known_keys() {
        let group = ["count=3", "color=green", "option.Multi PV=a=b"].map(fruit);
        let settings = Settings::new(&group);
        assert_eq!(settings.get("count", whole_number(1..=9)).unwrap(), Some(3));
        assert_eq!(settings.get("color", only("green")).unwrap(), Some(()));
        let options = settings.options().map(|(name, setting)| (name, setting.option_value()));
        assert_eq!(options.collect::<Vec<_>>(), [("Multi PV", "a=b".to_owned())]);
    }

    #[test]
    fn errors_name_key_value_and_what_was_expected() {
        let error = |word| setting("fruit", KEYS)(word).unwrap_err();
        assert_eq!(error("cuont=3"), "unknown key `cuont`; did you mean `count`?");
        assert_eq!(error("xyzzy"), "unknown key `xyzzy`, expected one of count, color, option.");
        assert!(error("option.=1").starts_with("unknown key `option.`"));
        let count = |word| fruit(word).parse(whole_number(1..=9)).unwrap_err().to_string();
        assert_eq!(count("count"), "--fruit count: found no value, expected count=VALUE");
        assert_eq!(count("count=12"), "--fruit count: found `12`, expected a whole number from 1 to 9");
        let color = fruit("color=blue").parse(only("green")).unwrap_err();
        assert_eq!(color.to_string(), "--fruit color: found `blue`, expected green");
    }

    #[test]
    fn the_last_value_of_a_key_counts() {
        let group = ["count=1", "color=red", "count=2"].map(fruit);
        assert_eq!(Settings::new(&group).text("count").unwrap().as_deref(), Some("2"));
        let group = ["option.Hash=1", "option.MultiPV=2", "option.hash=3"].map(fruit);
        let names = Settings::new(&group).options().map(|(name, _)| name).collect::<Vec<_>>();
        assert_eq!(names, ["MultiPV", "hash"]);
    }
}
