//! `-engine` and `-each`.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use assay_selfplay::players::fen_dialect::FenDialect;
use assay_selfplay::players::limits::{EngineLimits, parse_seconds};
use assay_selfplay::players::uci::options::closest;
use assay_selfplay::tournament::settings::{EngineSettings, EngineSort};

use super::words::{Flag, Words, number, pairs};

const KEYS: [&str; 15] = [
    "cmd",
    "name",
    "args",
    "dir",
    "tc",
    "st",
    "nodes",
    "depth",
    "timemargin",
    "variant",
    "dialect",
    "proto",
    "builtin",
    "assay",
    "option.",
];

/// Keys that say how long to think.
const LIMIT_KEYS: [&str; 5] = ["tc", "st", "nodes", "depth", "timemargin"];

type Pairs<'f> = Vec<(&'f str, Option<&'f str>)>;

/// Both engines.
pub(super) fn engines(words: &Words) -> Result<[EngineSettings; 2]> {
    let each: Vec<&Flag> = words.flags.iter().filter(|flag| flag.name == "each").collect();
    let mut common: Pairs<'_> = Vec::new();
    for flag in each {
        for (key, value) in pairs(flag, &KEYS)? {
            ensure!(
                !matches!(key, "cmd" | "name" | "builtin" | "assay"),
                "-each: found `{key}`, which is an engine's own; expected it behind -engine"
            );
            common.retain(|&(known, _)| known != key);
            common.push((key, value));
        }
    }
    let given: Vec<&Flag> = words.flags.iter().filter(|flag| flag.name == "engine").collect();
    let &[first, second] = given.as_slice() else {
        bail!("found {} engines, expected two: -engine ... -engine ...", given.len());
    };
    let first = engine(first, &common, 1)?;
    let mut second = engine(second, &common, 2)?;
    if first.name == second.name {
        second.name += "-2";
    }
    Ok([first, second])
}

fn engine(flag: &Flag, common: &Pairs<'_>, position: usize) -> Result<EngineSettings> {
    let own = pairs(flag, &KEYS)?;
    let mut all = own.clone();
    all.extend(
        common
            .iter()
            .filter(|(key, _)| !own.iter().any(|(known, _)| known == key)),
    );
    let get = |wanted: &str| -> Result<Option<&str>> {
        match all.iter().find(|(key, _)| *key == wanted) {
            None => Ok(None),
            Some((_, Some(value))) if !value.is_empty() => Ok(Some(*value)),
            Some(_) => bail!("-engine: found `{wanted}` without value, expected {wanted}=..."),
        }
    };
    let is_builtin = own.iter().any(|(key, _)| matches!(*key, "builtin" | "assay"));
    let command = get("cmd")?;
    let name = get("name")?;
    let limits = limits(&get)?;
    let sort = match (is_builtin, command) {
        (true, None) => builtin(&all)?,
        (false, Some(command)) => uci(command, &all, &get)?,
        (true, Some(_)) => bail!("-engine: found both `builtin` and `cmd`, expected one of them"),
        (false, None) => {
            bail!("-engine: engine {position} has no cmd=PROGRAM; `builtin` is Assay's own in this process")
        }
    };
    let name = match (name, command) {
        (Some(name), _) => name.to_owned(),
        (None, Some(command)) => {
            let path = PathBuf::from(command);
            path.file_name()
                .map_or_else(|| command.to_owned(), |name| name.to_string_lossy().into_owned())
        }
        (None, None) => "assay".to_owned(),
    };
    ensure!(
        limits.is_bounded(),
        "-engine: {name} has no limit, expected tc=, st=, nodes= or depth=, there or behind -each"
    );
    Ok(EngineSettings { name, sort, limits })
}

fn limits<'a>(get: &dyn Fn(&str) -> Result<Option<&'a str>>) -> Result<EngineLimits> {
    let mut limits = EngineLimits::default();
    for key in LIMIT_KEYS {
        let Some(value) = get(key)? else { continue };
        let what = format!("-engine {key}");
        match key {
            "tc" => limits.clock = Some(value.parse().with_context(|| what)?),
            "st" => limits.movetime = Some(parse_seconds(value).with_context(|| what)?),
            "nodes" => limits.nodes = Some(number(&what, value, 1..=1 << 50)?),
            "depth" => limits.depth = Some(number(&what, value, 1..=1_000)?),
            _ => limits.margin = Duration::from_millis(number(&what, value, 0..=600_000)?),
        }
    }
    Ok(limits)
}

/// Options among the pairs, with their names.
fn options<'p>(all: &Pairs<'p>) -> impl Iterator<Item = (&'p str, &'p str)> {
    let named =
        |&(key, value): &(&'p str, Option<&'p str>)| Some((key.strip_prefix("option.")?, value.unwrap_or_default()));
    all.iter().filter_map(named).collect::<Vec<_>>().into_iter()
}

fn builtin(all: &Pairs<'_>) -> Result<EngineSort> {
    const OPTIONS: [&str; 3] = ["Hash", "Move Overhead", "Threads"];
    let (mut hash_mb, mut overhead) = (16, Duration::from_millis(10));
    for (key, _) in all {
        if matches!(*key, "args" | "dir" | "variant" | "dialect" | "proto") {
            bail!("-engine builtin: found `{key}`, which is for programs only");
        }
    }
    for (name, value) in options(all) {
        let what = format!("-engine builtin option.{name}");
        match OPTIONS.into_iter().find(|known| known.eq_ignore_ascii_case(name)) {
            Some("Hash") => hash_mb = number(&what, value, 1..=65_536)?,
            Some("Move Overhead") => overhead = Duration::from_millis(number(&what, value, 0..=5_000)?),
            Some(_) => {
                number(&what, value, 1..=1)?;
            }
            None => match closest(name, OPTIONS.into_iter()) {
                Some(near) => bail!("-engine builtin: has no option `{name}`; did you mean `{near}`?"),
                None => bail!(
                    "-engine builtin: has no option `{name}`, expected one of {}",
                    OPTIONS.join(", ")
                ),
            },
        }
    }
    Ok(EngineSort::Builtin { hash_mb, overhead })
}

fn uci<'a>(command: &str, all: &Pairs<'_>, get: &dyn Fn(&str) -> Result<Option<&'a str>>) -> Result<EngineSort> {
    if let Some(found) = get("proto")?.filter(|proto| *proto != "uci") {
        bail!("-engine proto: found `{found}`, expected `uci`");
    }
    let dialect = match get("dialect")? {
        None => None,
        Some(name) => match FenDialect::from_name(name) {
            Some(dialect) => Some(dialect),
            None => bail!("-engine dialect: found `{name}`, expected `assay` or `fairy`"),
        },
    };
    let mut set = Vec::new();
    let (mut variant, mut variant_path) = (get("variant")?.map(str::to_owned), None);
    for (name, value) in options(all) {
        ensure!(!name.is_empty(), "-engine: found `option.`, expected option.NAME=VALUE");
        match name.to_ascii_lowercase().as_str() {
            "variantpath" => variant_path = Some(value.to_owned()),
            "uci_variant" => variant = Some(value.to_owned()),
            _ => set.push((name.to_owned(), value.to_owned())),
        }
    }
    Ok(EngineSort::Uci {
        program: PathBuf::from(command),
        arguments: get("args")?.map_or(Ok(Vec::new()), |text| {
            shell_words::split(text).with_context(|| format!("-engine args={text}"))
        })?,
        folder: get("dir")?.map(PathBuf::from),
        options: set,
        variant,
        variant_path,
        dialect,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(words: &[&str]) -> Result<[EngineSettings; 2]> {
        let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
        engines(&Words::parse(&words)?)
    }

    #[test]
    fn each_fills_in_what_engines_do_not_say() {
        let [first, second] = parse(&[
            "-engine",
            "cmd=./x",
            "args=-a 'b c'",
            "tc=2+0.1",
            "option.Move Overhead=5",
            "-engine",
            "builtin",
            "nodes=9",
            "-each",
            "tc=1",
            "option.Hash=64",
        ])
        .unwrap();
        assert_eq!((first.name.as_str(), second.name.as_str()), ("x", "assay"));
        assert_eq!(
            (first.limits.to_string(), second.limits.to_string()),
            ("2+0.1".to_owned(), "1, 9 nodes".to_owned())
        );
        assert_eq!(
            first.sort.text(),
            "cmd=./x args=-a b c option.Move Overhead=5 option.Hash=64"
        );
        assert_eq!(second.sort.text(), "builtin option.Hash=64 option.Move Overhead=10");
    }

    #[test]
    fn what_makes_no_engine_is_refused() {
        let error = |words: &[&str]| format!("{:#}", parse(words).unwrap_err());
        assert_eq!(
            error(&["-engine", "builtin", "nodes=1"]),
            "found 1 engines, expected two: -engine ... -engine ..."
        );
        assert!(error(&["-engine", "nodes=1", "-engine", "builtin"]).contains("engine 1 has no cmd=PROGRAM"));
        assert!(error(&["-engine", "builtin", "-engine", "builtin"]).contains("assay has no limit, expected tc="));
        assert!(
            error(&["-engine", "builtin", "tc=x", "-engine", "builtin"])
                .contains("-engine tc: found `x`, expected moves/time")
        );
        assert!(error(&["-engine", "builtin", "option.Hsah=1", "-engine", "builtin"]).contains("did you mean `Hash`?"));
        assert!(error(&["-engine", "builtin", "-engine", "builtin", "-each", "cmd=x"]).contains("-each: found `cmd`"));
    }
}
