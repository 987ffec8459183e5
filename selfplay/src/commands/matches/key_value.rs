//! Settings in the form `key=value`, which `match` takes in groups as fastchess does: `--engine cmd=./a tc=10+0.1`.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use anyhow::{Result, bail};
use assay_selfplay::players::uci::options::closest;

/// A kind of setting.
pub(super) trait Setting: Sized {
    /// The keys, in the order of error messages; `option.` stands for `option.NAME`.
    const KEYS: &'static [&'static str];

    /// Parses the value of a known key.
    fn parse(key: &str, value: Value<'_>) -> Result<Self, String>;
}

/// A setting and its key.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct KeyValue<S> {
    pub(super) key: String,
    pub(super) setting: S,
}

/// Parses `key=value`, or `key` alone. This is a value parser for clap.
pub(super) fn key_value<S: Setting>(word: &str) -> Result<KeyValue<S>, String> {
    let (key, text) = match word.split_once('=') {
        Some((key, text)) => (key, Some(text)),
        None => (word, None),
    };
    let is_option = key.starts_with("option.") && S::KEYS.contains(&"option.");
    if !S::KEYS.contains(&key) && !is_option || key == "option." {
        return Err(unknown("key", key, S::KEYS));
    }
    S::parse(key, Value { text })
        .map(|setting| KeyValue {
            key: key.to_owned(),
            setting,
        })
        .map_err(|why| format!("{key}: {why}"))
}

/// The error for an unknown name.
pub(super) fn unknown(what: &str, found: &str, known: &[&str]) -> String {
    match closest(found, known.iter().copied()) {
        Some(similar) => format!("unknown {what} `{found}`; did you mean `{similar}`?"),
        None => format!("unknown {what} `{found}`, expected one of {}", known.join(", ")),
    }
}

/// Rejects a group that has a key twice.
pub(super) fn check_unique<S>(flag: &str, group: &[KeyValue<S>]) -> Result<()> {
    for (index, KeyValue { key, .. }) in group.iter().enumerate() {
        if group[..index].iter().any(|earlier| earlier.key == *key) {
            bail!("--{flag}: found `{key}` twice");
        }
    }
    Ok(())
}

/// The text behind `=`; `None` if the key stands alone.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value<'w> {
    pub(super) text: Option<&'w str>,
}

impl<'w> Value<'w> {
    pub(super) fn text(self) -> Result<&'w str, String> {
        self.text
            .filter(|text| !text.is_empty())
            .ok_or_else(|| "found no value".to_owned())
    }

    pub(super) fn parsed<T: FromStr<Err: Display>>(self) -> Result<T, String> {
        self.text()?.parse().map_err(|error: T::Err| error.to_string())
    }

    pub(super) fn whole_number<T>(self, range: RangeInclusive<T>) -> Result<T, String>
    where
        T: FromStr + PartialOrd + Display + Clone + Send + Sync + 'static,
    {
        let text = self.text()?;
        assay_cli::args::whole_number(range)(text).map_err(|expected| format!("found `{text}`, {expected}"))
    }

    pub(super) fn real_number(self) -> Result<f64, String> {
        let text = self.text()?;
        text.parse().map_err(|_| format!("found `{text}`, expected a number"))
    }

    pub(super) fn one_of<T: Clone>(self, choices: &[(&str, T)]) -> Result<T, String> {
        let text = self.text()?;
        let choice = choices.iter().find(|(name, _)| *name == text);
        choice.map(|(_, value)| value.clone()).ok_or_else(|| {
            let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
            let (last, others) = names.split_last().expect("there are choices");
            match others {
                [] => format!("found `{text}`, expected {last}"),
                _ => format!("found `{text}`, expected {} or {last}", others.join(", ")),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq)]
    enum Fruit {
        Count(u8),
        Color(char),
        Option(String),
    }

    impl Setting for Fruit {
        const KEYS: &'static [&'static str] = &["count", "color", "option."];

        fn parse(key: &str, value: Value<'_>) -> Result<Fruit, String> {
            match key {
                "count" => Ok(Fruit::Count(value.whole_number(1..=9)?)),
                "color" => Ok(Fruit::Color(value.one_of(&[("red", 'r'), ("green", 'g')])?)),
                _ => Ok(Fruit::Option(value.text()?.to_owned())),
            }
        }
    }

    #[test]
    fn parses_known_keys() {
        let parse = |word| key_value::<Fruit>(word).unwrap().setting;
        assert_eq!(parse("count=3"), Fruit::Count(3));
        assert_eq!(parse("color=green"), Fruit::Color('g'));
        assert_eq!(parse("option.Multi PV=a=b"), Fruit::Option("a=b".to_owned()));
    }

    #[test]
    fn errors_name_key_value_and_what_was_expected() {
        let error = |word| key_value::<Fruit>(word).unwrap_err();
        assert_eq!(error("cuont=3"), "unknown key `cuont`; did you mean `count`?");
        assert_eq!(
            error("xyzzy"),
            "unknown key `xyzzy`, expected one of count, color, option."
        );
        assert_eq!(error("count"), "count: found no value");
        assert_eq!(
            error("count=12"),
            "count: found `12`, expected a whole number from 1 to 9"
        );
        assert_eq!(error("color=blue"), "color: found `blue`, expected red or green");
        assert!(error("option.=1").starts_with("unknown key `option.`"));
    }

    #[test]
    fn rejects_a_key_that_occurs_twice() {
        let group = ["count=1", "color=red", "count=2"].map(|word| key_value::<Fruit>(word).unwrap());
        assert!(check_unique("fruit", &group[..2]).is_ok());
        assert_eq!(
            check_unique("fruit", &group).unwrap_err().to_string(),
            "--fruit: found `count` twice"
        );
    }
}
