//! `--engine` and `--each`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Result, anyhow, bail, ensure};
use assay_selfplay::game::FenDialect;
use assay_selfplay::game::clock::{EngineLimits, TimeControl, parse_seconds};
use assay_selfplay::settings::{EngineKind, EngineSettings, Evaluation};
use clap::{Arg, ArgAction, ArgMatches, Command, FromArgMatches};

use super::key_value::{KeyValue, Setting, Value, check_unique, key_value, unknown};

#[derive(Clone, Debug, PartialEq)]
pub(super) enum EngineSetting {
    Builtin,
    Command(String),
    Name(String),
    Arguments(Vec<String>),
    Folder(PathBuf),
    Clock(TimeControl),
    MoveTime(Duration),
    Nodes(u64),
    Depth(u32),
    Margin(Duration),
    Variant(String),
    Dialect(FenDialect),
    Protocol,
    /// The name is the key without `option.`.
    Option(String),
}

impl Setting for EngineSetting {
    const KEYS: &'static [&'static str] = &[
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

    fn parse(key: &str, value: Value<'_>) -> Result<EngineSetting, String> {
        use EngineSetting::{
            Arguments, Builtin, Clock, Command, Depth, Dialect, Folder, Margin, MoveTime, Name, Nodes, Option,
            Protocol, Variant,
        };
        Ok(match key {
            "cmd" => Command(value.text()?.to_owned()),
            "name" => Name(value.text()?.to_owned()),
            "args" => Arguments(shell_words::split(value.text()?).map_err(|error| error.to_string())?),
            "dir" => Folder(PathBuf::from(value.text()?)),
            "tc" => Clock(value.parsed()?),
            "st" => MoveTime(parse_seconds(value.text()?).map_err(|error| error.to_string())?),
            "nodes" => Nodes(value.whole_number(1..=1 << 50)?),
            "depth" => Depth(value.whole_number(1..=1_000)?),
            "timemargin" => Margin(Duration::from_millis(value.whole_number(0..=600_000)?)),
            "variant" => Variant(value.text()?.to_owned()),
            "dialect" => Dialect(value.one_of(&[("assay", FenDialect::Assay), ("fairy", FenDialect::Fairy)])?),
            "proto" => value.one_of(&[("uci", Protocol)])?,
            "builtin" | "assay" => Builtin,
            _ => Option(value.text.unwrap_or_default().to_owned()),
        })
    }
}

type EngineGroup = Vec<KeyValue<EngineSetting>>;

/// All `--engine` and `--each` flags. Each occurrence is a group of settings, which clap's derive macro cannot express.
#[derive(Clone, Debug, Default)]
pub(super) struct EngineArgs {
    pub(super) engines: Vec<EngineGroup>,
    pub(super) each: Vec<EngineGroup>,
}

const ENGINE_HELP: &str = "An engine of the match; give two. Results are from the first engine's point of view";

const ENGINE_LONG_HELP: &str = "\
An engine of the match; give two. Results are from the first engine's point of view.

builtin            Assay's own engine, in this process (also: assay)
cmd=PROGRAM        A UCI engine; args=\"...\" and dir=FOLDER start it
name=NAME          Its name in the results
tc=[N/]TIME[+INC]  Time control: moves/time+increment in seconds (40/60, 10+0.1) or minutes (2:30+1)
st=SECONDS         Time per move
nodes=N            Nodes per move
depth=N            Depth of each search; all limits given apply together
timemargin=MS      Lateness that is forgiven, in milliseconds [default: 20]; never added to the clock
option.NAME=VALUE  A UCI option (Hash, Threads, ...), checked against those that the engine offers.
                   option.VariantPath=FILE defines the game for an engine that does not know it
variant=NAME       The engine's name for the game, if it differs from Assay's
dialect=fairy      How the engine writes FEN: assay or fairy [default: by the engine's name]";

impl clap::Args for EngineArgs {
    fn augment_args(command: Command) -> Command {
        let group = |id: &'static str| {
            Arg::new(id)
                .long(id)
                .value_name("KEY=VALUE")
                .num_args(1..)
                .action(ArgAction::Append)
                .value_parser(key_value::<EngineSetting>)
                .help_heading("Engines")
        };
        command
            .arg(group("engine").help(ENGINE_HELP).long_help(ENGINE_LONG_HELP))
            .arg(group("each").help("Settings of both engines, where --engine does not set them"))
    }

    fn augment_args_for_update(command: Command) -> Command {
        EngineArgs::augment_args(command)
    }
}

impl FromArgMatches for EngineArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<EngineArgs, clap::Error> {
        let groups = |id| {
            let occurrences = matches.get_occurrences::<KeyValue<EngineSetting>>(id);
            let occurrences = occurrences.into_iter().flatten();
            occurrences.map(|group| group.cloned().collect()).collect()
        };
        Ok(EngineArgs {
            engines: groups("engine"),
            each: groups("each"),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = EngineArgs::from_arg_matches(matches)?;
        Ok(())
    }
}

impl EngineArgs {
    pub(super) fn settings(&self) -> Result<[EngineSettings; 2]> {
        let mut common: EngineGroup = Vec::new();
        for group in &self.each {
            check_unique("each", group)?;
            for pair in group {
                ensure!(
                    !matches!(pair.key.as_str(), "cmd" | "name" | "builtin" | "assay"),
                    "--each: found `{}`, which differs between engines; expected it behind --engine",
                    pair.key
                );
                common.retain(|earlier| earlier.key != pair.key);
                common.push(pair.clone());
            }
        }
        let [first, second] = self.engines.as_slice() else {
            let found = assay_cli::format::count(self.engines.len(), "engine", "engines");
            bail!("found {found}, expected two: --engine ... --engine ...");
        };
        let first = engine(first, &common, 1)?;
        let mut second = engine(second, &common, 2)?;
        if first.name == second.name {
            second.name += "-2";
        }
        Ok([first, second])
    }
}

fn engine(own: &EngineGroup, common: &EngineGroup, number: usize) -> Result<EngineSettings> {
    check_unique("engine", own)?;
    let is_inherited = |pair: &&KeyValue<_>| !own.iter().any(|known| known.key == pair.key);
    let all: Vec<_> = own.iter().chain(common.iter().filter(is_inherited)).collect();
    let command = own.iter().find_map(|pair| match &pair.setting {
        EngineSetting::Command(command) => Some(command.as_str()),
        _ => None,
    });
    let is_builtin = own.iter().any(|pair| pair.setting == EngineSetting::Builtin);
    let (kind, default_name) = match (is_builtin, command) {
        (true, None) => (builtin(&all)?, "assay".to_owned()),
        (false, Some(command)) => {
            let file_name = Path::new(command).file_name();
            let name = file_name.map_or_else(|| command.into(), |name| name.to_string_lossy());
            (uci(command, &all), name.into_owned())
        }
        (true, Some(_)) => bail!("--engine: found both `builtin` and `cmd`, expected one of them"),
        (false, None) => {
            bail!("--engine: engine {number} has no cmd=PROGRAM; `builtin` is Assay's own engine in this process")
        }
    };
    let mut limits = EngineLimits::default();
    let mut name = default_name;
    for pair in &all {
        match &pair.setting {
            EngineSetting::Name(given) => name.clone_from(given),
            EngineSetting::Clock(clock) => limits.clock = Some(*clock),
            EngineSetting::MoveTime(time) => limits.movetime = Some(*time),
            EngineSetting::Nodes(nodes) => limits.nodes = Some(*nodes),
            EngineSetting::Depth(depth) => limits.depth = Some(*depth),
            EngineSetting::Margin(margin) => limits.margin = *margin,
            _ => {}
        }
    }
    ensure!(
        limits.is_bounded(),
        "--engine: {name} has no limit, expected tc=, st=, nodes= or depth= behind --engine or --each"
    );
    Ok(EngineSettings { name, kind, limits })
}

fn option_name(key: &str) -> &str {
    key.strip_prefix("option.").unwrap_or(key)
}

fn builtin(all: &[&KeyValue<EngineSetting>]) -> Result<EngineKind> {
    const OPTIONS: [&str; 3] = ["Hash", "Move Overhead", "Threads"];
    let (mut hash_mb, mut overhead) = (16, Duration::from_millis(10));
    for KeyValue { key, setting } in all {
        if matches!(key.as_str(), "args" | "dir" | "variant" | "dialect" | "proto") {
            bail!("--engine builtin: found `{key}`, which only cmd=PROGRAM takes");
        }
        let EngineSetting::Option(text) = setting else { continue };
        let name = option_name(key);
        let fail = |why: String| anyhow!("--engine builtin: option.{name}: {why}");
        let value = Value { text: Some(text) };
        match OPTIONS.into_iter().find(|known| known.eq_ignore_ascii_case(name)) {
            Some("Hash") => hash_mb = value.whole_number(1..=65_536).map_err(fail)?,
            Some("Move Overhead") => {
                overhead = Duration::from_millis(value.whole_number(0..=5_000).map_err(fail)?);
            }
            Some(_) => {
                value.whole_number(1..=1).map_err(fail)?;
            }
            None => bail!("--engine builtin: {}", unknown("option", name, &OPTIONS)),
        }
    }
    Ok(EngineKind::Builtin {
        hash_mb,
        overhead,
        evaluation: Evaluation::Default,
    })
}

fn uci(command: &str, all: &[&KeyValue<EngineSetting>]) -> EngineKind {
    let (mut arguments, mut folder, mut options) = (Vec::new(), None, Vec::new());
    let (mut variant, mut variant_path, mut dialect) = (None, None, None);
    for KeyValue { key, setting } in all {
        match setting {
            EngineSetting::Arguments(given) => arguments.clone_from(given),
            EngineSetting::Folder(given) => folder = Some(given.clone()),
            EngineSetting::Dialect(given) => dialect = Some(*given),
            EngineSetting::Variant(name) => {
                // `option.UCI_Variant` takes precedence.
                variant.get_or_insert_with(|| name.clone());
            }
            EngineSetting::Option(value) => {
                let name = option_name(key);
                match name.to_ascii_lowercase().as_str() {
                    "variantpath" => variant_path = Some(value.clone()),
                    "uci_variant" => variant = Some(value.clone()),
                    _ => options.push((name.to_owned(), value.clone())),
                }
            }
            _ => {}
        }
    }
    EngineKind::Uci {
        program: PathBuf::from(command),
        arguments,
        folder,
        options,
        variant,
        variant_path,
        dialect,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(words: &str) -> EngineGroup {
        let words = shell_words::split(words).unwrap();
        words.iter().map(|word| key_value(word).unwrap()).collect()
    }

    fn settings(engines: &[&str], each: &str) -> Result<[EngineSettings; 2]> {
        let args = EngineArgs {
            engines: engines.iter().map(|words| group(words)).collect(),
            each: vec![group(each)],
        };
        args.settings()
    }

    #[test]
    fn each_sets_what_engines_do_not() {
        let first = "cmd=./x \"args=-a 'b c'\" tc=2+0.1 'option.Move Overhead=5'";
        let [first, second] = settings(&[first, "builtin nodes=9"], "tc=1 option.Hash=64").unwrap();
        assert_eq!((first.name.as_str(), second.name.as_str()), ("x", "assay"));
        assert_eq!(
            (first.limits.to_string(), second.limits.to_string()),
            ("2+0.1".to_owned(), "1, 9 nodes".to_owned())
        );
        assert_eq!(
            first.kind.to_string(),
            "cmd=./x args=-a b c option.Move Overhead=5 option.Hash=64"
        );
        assert_eq!(
            second.kind.to_string(),
            "builtin option.Hash=64 option.Move Overhead=10"
        );
    }

    #[test]
    fn rejects_incomplete_and_contradictory_engines() {
        let error = |engines: &[&str], each| settings(engines, each).unwrap_err().to_string();
        assert_eq!(
            error(&["builtin nodes=1"], ""),
            "found 1 engine, expected two: --engine ... --engine ..."
        );
        assert!(error(&["nodes=1", "builtin"], "").contains("engine 1 has no cmd=PROGRAM"));
        assert!(error(&["builtin", "builtin"], "").contains("assay has no limit, expected tc="));
        assert!(error(&["builtin cmd=x", "builtin"], "").contains("found both `builtin` and `cmd`"));
        assert!(error(&["builtin option.Hsah=1", "builtin"], "").contains("did you mean `Hash`?"));
        assert!(error(&["builtin option.Hash=0", "builtin"], "").contains("option.Hash: found `0`, expected"));
        assert!(error(&["builtin dir=x", "builtin"], "").contains("which only cmd=PROGRAM takes"));
        assert!(error(&["builtin", "builtin"], "cmd=x").contains("--each: found `cmd`"));
        let error = key_value::<EngineSetting>("tc=x").unwrap_err();
        assert!(error.starts_with("tc: found `x`, expected moves/time"), "{error}");
    }
}
