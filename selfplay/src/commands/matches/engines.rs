//! `--engine` and `--each`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use assay_cli::args::whole_number;
use assay_client::command::EngineCommand;
use assay_engine::protocol::LINEAR;
use assay_selfplay::game::FenDialect;
use assay_selfplay::game::clock::{DEFAULT_MARGIN, EngineLimits, TimeControl, parse_seconds};
use assay_selfplay::settings::{BuiltinEngine, EngineKind, EngineProgram, EngineSettings, Evaluation, MAX_PLAYERS};
use clap::{Arg, ArgAction, ArgMatches, Command, FromArgMatches};

use super::key_value::{Setting, Settings, only, setting, unknown};

const KEYS: &[&str] = &[
    "cmd",
    "name",
    "args",
    "arg",
    "dir",
    "tc",
    "st",
    "nodes",
    "depth",
    "plies",
    "timemargin",
    "variant",
    "dialect",
    "proto",
    "restart",
    "ponder",
    "builtin",
    "assay",
    "option.",
];

/// All `--engine` and `--each` flags. Each occurrence is a group of settings, which clap's derive
/// macro cannot express.
#[derive(Clone, Debug, Default)]
pub(super) struct EngineArgs {
    pub(super) engines: Vec<Vec<Setting>>,
    pub(super) each: Vec<Vec<Setting>>,
}

const ENGINE_HELP: &str = "An engine; give two or more";

const ENGINE_LONG_HELP: &str = include_str!("../help/engine.txt").trim_ascii_end();

impl clap::Args for EngineArgs {
    fn augment_args(command: Command) -> Command {
        let group = |id: &'static str| {
            Arg::new(id)
                .long(id)
                .value_name("KEY=VALUE")
                .num_args(1..)
                .action(ArgAction::Append)
                .value_parser(setting(id, KEYS))
                .help_heading("Engines")
        };
        command
            .arg(group("engine").help(ENGINE_HELP).long_help(ENGINE_LONG_HELP))
            .arg(group("each").help("Settings of all engines, where --engine does not set them"))
    }

    fn augment_args_for_update(command: Command) -> Command {
        EngineArgs::augment_args(command)
    }
}

impl FromArgMatches for EngineArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<EngineArgs, clap::Error> {
        let groups = |id| {
            let occurrences = matches.get_occurrences::<Setting>(id);
            let occurrences = occurrences.into_iter().flatten();
            // fastchess's `plies` is `depth`, so that the later of both counts.
            let renamed = |setting: &Setting| {
                let mut setting = setting.clone();
                if setting.key == "plies" {
                    "depth".clone_into(&mut setting.key);
                }
                setting
            };
            occurrences.map(|group| group.map(renamed).collect()).collect()
        };
        Ok(EngineArgs { engines: groups("engine"), each: groups("each") })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = EngineArgs::from_arg_matches(matches)?;
        Ok(())
    }
}

impl EngineArgs {
    /// The settings of all engines. A name that an earlier engine has gets a number.
    pub(super) fn settings(&self) -> Result<Vec<EngineSettings>> {
        let mut common: Vec<&Setting> = Vec::new();
        for group in &self.each {
            if let Some(key) = Settings::new(group).first_of(&["cmd", "name", "builtin", "assay"]) {
                bail!("--each: found `{key}`, which differs between engines; expected it behind --engine");
            }
            for setting in group {
                common.retain(|earlier| !earlier.has_key_of(setting));
                common.push(setting);
            }
        }
        if !(2..=MAX_PLAYERS).contains(&self.engines.len()) {
            let found = assay_cli::format::count(self.engines.len(), "engine", "engines");
            bail!("found {found}, expected 2 to {MAX_PLAYERS}: --engine ... --engine ...");
        }
        let mut engines: Vec<EngineSettings> = Vec::new();
        for (group, number) in self.engines.iter().zip(1..) {
            let mut engine = engine(group, &common, number)?;
            let is_taken = |name: &str| engines.iter().any(|earlier| earlier.name == name);
            if is_taken(&engine.name) {
                let names = (2..).map(|number| format!("{}-{number}", engine.name));
                engine.name = names.into_iter().find(|name| !is_taken(name)).context("there are enough numbers")?;
            }
            engines.push(engine);
        }
        Ok(engines)
    }
}

fn engine(own: &[Setting], common: &[&Setting], number: usize) -> Result<EngineSettings> {
    let inherited = common.iter().copied();
    let inherited = inherited.filter(|setting| !own.iter().any(|known| known.has_key_of(setting)));
    let settings = Settings::new(own.iter().chain(inherited));
    let (kind, default_name) = match (settings.first_of(&["builtin", "assay"]), settings.text("cmd")?) {
        (Some(_), None) => (builtin(&settings)?, "assay".to_owned()),
        (None, Some(command)) => {
            let name = Path::new(&command).file_name();
            let name = name.map_or_else(|| command.clone(), |name| name.to_string_lossy().into_owned());
            (program(&command, &settings)?, name)
        }
        (Some(_), Some(_)) => bail!("--engine: found both `builtin` and `cmd`, expected one of them"),
        (None, None) => {
            bail!("--engine: engine {number} has no cmd=PROGRAM; `builtin` is Assay's own engine in this process")
        }
    };
    let name = settings.text("name")?.unwrap_or(default_name);
    let margin = settings.get("timemargin", milliseconds(600_000))?;
    let limits = EngineLimits {
        clock: settings.get("tc", time_control)?.flatten(),
        movetime: settings.get("st", parse_seconds)?,
        nodes: settings.get("nodes", whole_number(1..=1 << 50))?,
        depth: settings.get("depth", whole_number(1..=1_000))?,
        margin: margin.unwrap_or(DEFAULT_MARGIN),
    };
    ensure!(
        limits.is_bounded(),
        "--engine: {name} has no limit, expected tc=, st=, nodes= or depth= behind --engine or --each"
    );
    if matches!(kind, EngineKind::Cecp(_)) {
        let times = [limits.clock.is_some(), limits.movetime.is_some(), limits.nodes.is_some()];
        ensure!(
            times.into_iter().filter(|&given| given).count() <= 1,
            "--engine: {name} has `{limits}`, expected one of tc=, st= and nodes=, which an XBoard engine takes alone; depth= may be added"
        );
    }
    Ok(EngineSettings { name, kind, limits })
}

/// A clock; `None` for `inf`, which takes the clock of `--each` away.
fn time_control(text: &str) -> Result<Option<TimeControl>, &'static str> {
    if text == "inf" || text == "infinite" {
        return Ok(None);
    }
    text.parse().map(Some)
}

fn milliseconds(max: u64) -> impl Fn(&str) -> Result<Duration, String> {
    move |text| whole_number(0..=max)(text).map(Duration::from_millis)
}

fn builtin(settings: &Settings<'_>) -> Result<EngineKind> {
    const OPTIONS: [&str; 4] = ["Hash", "EvalFile", "Move Overhead", "Threads"];
    if let Some(key) = settings.first_of(&["args", "dir", "variant", "dialect", "proto", "restart", "ponder"]) {
        bail!("--engine builtin: found `{key}`, which only cmd=PROGRAM takes");
    }
    let mut engine =
        BuiltinEngine { hash_mb: 16, overhead: Duration::from_millis(10), evaluation: Evaluation::Network };
    for (name, setting) in settings.options() {
        match OPTIONS.into_iter().find(|known| known.eq_ignore_ascii_case(name)) {
            Some("Hash") => engine.hash_mb = setting.parse(whole_number(1..=65_536))?,
            Some("EvalFile") => {
                setting.parse(only(LINEAR))?;
                engine.evaluation = Evaluation::Linear;
            }
            Some("Move Overhead") => engine.overhead = setting.parse(milliseconds(5_000))?,
            Some(_) => setting.parse(|text| match text {
                "1" => Ok(()),
                _ => Err("expected 1: the built-in engine has one thread; -concurrency plays several games at a time"),
            })?,
            None => bail!("--engine builtin: {}", unknown("option", name, &OPTIONS)),
        }
    }
    Ok(EngineKind::Builtin(engine))
}

/// The protocol of an engine: the name of its kind.
fn protocol(text: &str) -> Result<fn(EngineProgram) -> EngineKind, &'static str> {
    match text {
        "uci" => Ok(EngineKind::Uci),
        "xboard" | "cecp" | "winboard" => Ok(EngineKind::Cecp),
        _ => Err("expected uci or xboard"),
    }
}

/// Whether a program is started again for each game; `None` to let it choose.
fn restart(text: &str) -> Result<Option<bool>, &'static str> {
    match text {
        "on" => Ok(Some(true)),
        "off" => Ok(Some(false)),
        "auto" => Ok(None),
        _ => Err("expected on, off or auto"),
    }
}

fn program(command: &str, settings: &Settings<'_>) -> Result<EngineKind> {
    let kind = settings.get("proto", protocol)?.unwrap_or(EngineKind::Uci);
    let mut program = EngineProgram {
        command: EngineCommand {
            program: PathBuf::from(command),
            arguments: settings
                .get("args", shell_words::split)?
                .into_iter()
                .flatten()
                .chain(settings.all("arg"))
                .collect(),
            folder: settings.text("dir")?.map(PathBuf::from),
        },
        options: Vec::new(),
        variant: settings.text("variant")?,
        variant_path: None,
        dialect: settings.get("dialect", str::parse::<FenDialect>)?,
        restart: settings.get("restart", restart)?.flatten(),
        ponder: settings.is_true("ponder")?,
    };
    for (name, setting) in settings.options() {
        let value = setting.option_value();
        let refuse = |why| setting.parse(|_| Err::<(), &str>(why));
        match name.to_ascii_lowercase().as_str() {
            "variantpath" => program.variant_path = Some(value),
            "uci_variant" => {
                refuse("expected variant=NAME if the engine has another name for the game of the match")?;
            }
            "uci_chess960" if value == "true" => {
                refuse("expected false: under Assay's rules, castling is the king's move, like e1g1")?;
            }
            "ponder" => refuse("expected `ponder` without `option.`, by which an engine also ponders")?,
            _ => program.options.push((name.to_owned(), value)),
        }
    }
    Ok(kind(program))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(flag: &'static str, words: &str) -> Vec<Setting> {
        let words = shell_words::split(words).unwrap();
        words.iter().map(|word| setting(flag, KEYS)(word).unwrap()).collect()
    }

    fn settings(engines: &[&str], each: &str) -> Result<Vec<EngineSettings>> {
        let args = EngineArgs {
            engines: engines.iter().map(|words| group("engine", words)).collect(),
            each: vec![group("each", each)],
        };
        args.settings()
    }

    #[test]
    fn each_sets_what_engines_do_not() {
        let first = "cmd=./x \"args=-a 'b c'\" tc=2+0.1 'option.Move Overhead=5'";
        let engines = settings(&[first, "builtin nodes=9 nodes=9"], "tc=1 option.Hash=64").unwrap();
        let [first, second] = engines.as_slice() else { panic!("{engines:?}") };
        assert_eq!((first.name.as_str(), second.name.as_str()), ("x", "assay"));
        assert_eq!(
            (first.limits.to_string(), second.limits.to_string()),
            ("2+0.1".to_owned(), "1, 9 nodes".to_owned())
        );
        assert_eq!(first.kind.to_string(), "cmd=./x args=-a b c option.Move Overhead=5 option.Hash=64");
        assert_eq!(second.kind.to_string(), "builtin option.Hash=64 option.Move Overhead=10");
    }

    #[test]
    fn names_of_options_have_no_case() {
        let engines = settings(&["builtin option.Hash=1", "cmd=x option.Hash=1"], "nodes=9 option.hash=64").unwrap();
        let kinds = engines.iter().map(|engine| engine.kind.to_string()).collect::<Vec<_>>();
        assert_eq!(kinds, ["builtin option.Hash=1 option.Move Overhead=10", "cmd=x option.Hash=1"]);
    }

    #[test]
    fn rejects_incomplete_and_contradictory_engines() {
        let error = |engines: &[&str], each| settings(engines, each).unwrap_err().to_string();
        assert_eq!(error(&["builtin nodes=1"], ""), "found 1 engine, expected 2 to 64: --engine ... --engine ...");
        assert!(error(&["nodes=1", "builtin"], "").contains("engine 1 has no cmd=PROGRAM"));
        assert!(error(&["builtin", "builtin"], "").contains("assay has no limit, expected tc="));
        assert!(error(&["builtin cmd=x", "builtin"], "").contains("found both `builtin` and `cmd`"));
        assert!(error(&["builtin option.Hsah=1", "builtin"], "").contains("did you mean `Hash`?"));
        assert!(error(&["builtin option.Hash=0", "builtin"], "").contains("--engine option.Hash: found `0`, expected"));
        assert!(error(&["builtin dir=x", "builtin"], "").contains("which only cmd=PROGRAM takes"));
        assert!(error(&["builtin", "builtin"], "cmd=x").contains("--each: found `cmd`"));
        assert!(error(&["builtin", "builtin"], "tc=x").starts_with("--each tc: found `x`, expected moves/time"));
        assert!(
            error(&["builtin option.Threads=2", "builtin"], "")
                .starts_with("--engine option.Threads: found `2`, expected 1: the built-in engine has one thread")
        );
    }

    #[test]
    fn rejects_options_that_the_match_decides() {
        let program = |option: &str| settings(&[&format!("cmd=x {option}"), "builtin"], "nodes=1");
        let error = |option| program(option).unwrap_err().to_string();
        assert_eq!(
            error("option.UCI_Variant=gamma2"),
            "--engine option.UCI_Variant: found `gamma2`, expected variant=NAME if the engine has another name for the game of the match"
        );
        assert!(
            error("option.uci_chess960=true")
                .starts_with("--engine option.uci_chess960: found `true`, expected false: ")
        );
        assert!(
            error("option.Ponder=true").starts_with("--engine option.Ponder: found `true`, expected `ponder` without")
        );
        assert!(error("restart=never").starts_with("--engine restart: found `never`, expected on, off or auto"));
        for option in ["option.UCI_Chess960=false", "ponder", "restart=on", "option.MultiPV=2", "variant=x"] {
            assert!(program(option).is_ok(), "{option}");
        }
    }
}
