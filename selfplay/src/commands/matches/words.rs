//! The words of a `match` command, grouped by their flags.

use anyhow::{Result, bail};
use assay_selfplay::players::uci::options::closest;

/// All flags.
const FLAGS: [&str; 25] = [
    "engine",
    "each",
    "rounds",
    "games",
    "repeat",
    "norepeat",
    "concurrency",
    "openings",
    "sprt",
    "resign",
    "draw",
    "maxmoves",
    "stall",
    "maxfaults",
    "recover",
    "trust",
    "seed",
    "event",
    "db",
    "resume",
    "pgnout",
    "html",
    "force",
    "json",
    "exit-verdict",
];

/// Other spellings of flags.
const ALIASES: [(&str, &str); 3] = [("srand", "seed"), ("out", "db"), ("pgn", "pgnout")];

/// A flag with the words behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Flag {
    /// Its name without dashes.
    pub(super) name: &'static str,
    /// What stands behind it.
    pub(super) values: Vec<String>,
}

/// The words of a command: the game, and the flags.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Words {
    /// The game, when it is given.
    pub(super) game: Option<String>,
    /// The flags in their order.
    pub(super) flags: Vec<Flag>,
}

impl Words {
    /// Groups words. A flag has one dash or two, and may have its value behind `=`.
    pub(super) fn parse(words: &[String]) -> Result<Words> {
        let mut parsed = Words::default();
        for word in words {
            let dashed = word.strip_prefix("--").or_else(|| word.strip_prefix('-'));
            // A negative number is a value.
            let dashed =
                dashed.filter(|rest| !rest.is_empty() && !rest.starts_with(|c: char| c.is_ascii_digit() || c == '.'));
            if let Some(rest) = dashed {
                let (name, value) = match rest.split_once('=') {
                    Some((name, value)) => (name, Some(value.to_owned())),
                    None => (rest, None),
                };
                parsed.flags.push(Flag {
                    name: flag(word, name)?,
                    values: value.into_iter().collect(),
                });
            } else if let Some(flag) = parsed.flags.last_mut() {
                flag.values.push(word.clone());
            } else if parsed.game.is_none() {
                parsed.game = Some(word.clone());
            } else {
                bail!(
                    "found `{word}` behind the game, expected a flag like -engine; see `assay-selfplay match --help`"
                );
            }
        }
        Ok(parsed)
    }

    /// The last flag of that name: it is the one that counts.
    pub(super) fn last(&self, name: &str) -> Option<&Flag> {
        self.flags.iter().rev().find(|flag| flag.name == name)
    }

    /// Is there such a flag? It takes no value.
    pub(super) fn has(&self, name: &str) -> Result<bool> {
        match self.last(name) {
            None => Ok(false),
            Some(flag) if flag.values.is_empty() => Ok(true),
            Some(flag) => bail!("-{name}: found `{}`, expected nothing behind it", flag.values[0]),
        }
    }

    /// The one value of a flag.
    pub(super) fn value(&self, name: &str) -> Result<Option<&str>> {
        let Some(flag) = self.last(name) else { return Ok(None) };
        match flag.values.as_slice() {
            [value] => Ok(Some(value)),
            [] => bail!("-{name}: found nothing behind it, expected a value"),
            [_, second, ..] => bail!("-{name}: found `{second}` behind its value, expected a flag"),
        }
    }
}

fn flag(word: &str, name: &str) -> Result<&'static str> {
    let name = ALIASES
        .iter()
        .find(|(alias, _)| *alias == name)
        .map_or(name, |(_, flag)| flag);
    if let Some(known) = FLAGS.into_iter().find(|known| *known == name) {
        return Ok(known);
    }
    match closest(name, FLAGS.into_iter()) {
        Some(near) => bail!("unknown flag `{word}`; did you mean `-{near}`?"),
        None => bail!("unknown flag `{word}`; see `assay-selfplay match --help`"),
    }
}

/// `key=value` pairs of a flag; a word without `=` is a key without value.
pub(super) fn pairs<'f>(flag: &'f Flag, keys: &[&'static str]) -> Result<Vec<(&'f str, Option<&'f str>)>> {
    let mut pairs = Vec::new();
    for word in &flag.values {
        let (key, value) = match word.split_once('=') {
            Some((key, value)) => (key, Some(value)),
            None => (word.as_str(), None),
        };
        let is_known = keys.contains(&key) || key.starts_with("option.") && keys.contains(&"option.");
        if !is_known {
            let listed: Vec<&str> = keys.iter().copied().filter(|key| *key != "option.").collect();
            match closest(key, listed.iter().copied()) {
                Some(near) => bail!("-{}: unknown key `{key}`; did you mean `{near}`?", flag.name),
                None => bail!(
                    "-{}: unknown key `{key}`, expected one of {}",
                    flag.name,
                    listed.join(", ")
                ),
            }
        }
        if pairs.iter().any(|&(known, _)| known == key) {
            bail!("-{}: found `{key}` twice", flag.name);
        }
        pairs.push((key, value));
    }
    Ok(pairs)
}

/// A number of a flag or key.
pub(super) fn number<N>(what: &str, text: &str, range: std::ops::RangeInclusive<N>) -> Result<N>
where
    N: std::str::FromStr + PartialOrd + std::fmt::Display,
{
    match text.parse().ok().filter(|value| range.contains(value)) {
        Some(value) => Ok(value),
        None => bail!(
            "{what}: found `{text}`, expected a number from {} to {}",
            range.start(),
            range.end()
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Words> {
        Words::parse(&text.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn words_are_grouped() {
        let words = parse("gamma2 -engine cmd=./x name=X --rounds=7 -sprt elo0=-3 elo1=0 -repeat").unwrap();
        assert_eq!(words.game.as_deref(), Some("gamma2"));
        assert_eq!(words.value("rounds").unwrap(), Some("7"));
        assert!(words.has("repeat").unwrap() && !words.has("json").unwrap());
        let sprt = pairs(words.last("sprt").unwrap(), &["elo0", "elo1"]).unwrap();
        assert_eq!(sprt, [("elo0", Some("-3")), ("elo1", Some("0"))]);
    }

    #[test]
    fn near_misses_are_suggested() {
        let error = |text| parse(text).unwrap_err().to_string();
        assert_eq!(
            error("chess -enigne cmd=x"),
            "unknown flag `-enigne`; did you mean `-engine`?"
        );
        assert!(error("chess -xyzzy").contains("see `assay-selfplay match --help`"));
        let words = parse("chess -engine cmd=x nmae=y").unwrap();
        let error = pairs(&words.flags[0], &["cmd", "name", "option."])
            .unwrap_err()
            .to_string();
        assert_eq!(error, "-engine: unknown key `nmae`; did you mean `name`?");
    }
}
